//! A timing wheel: the event queue. Nearly all events of a network are a few cycles away, so a wheel over
//! cycles beats any heap; the rest waits in a heap until it comes into reach.
//!
//! Each cycle has four phases. Events of one phase of one cycle come out in no promised order: handlers of the same
//! phase must commute.

use super::Cycle;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Phases of a cycle.
pub const PHASES: u64 = 4;
/// Reach of the wheel, in phases (1024 cycles).
const SLOTS: usize = 4096;
const WORDS: usize = SLOTS / 64;
const NIL: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Node {
    event: u32,
    next: u32,
}

/// The event queue. An event is any 32-bit value its owner understands.
#[derive(Debug, Clone)]
pub struct Wheel {
    /// First event of each moment in reach.
    heads: Box<[u32; SLOTS]>,
    occupied: [u64; WORDS],
    summary: u64,
    nodes: Vec<Node>,
    free: u32,
    /// The moment it has moved to, as a key (cycle times phases plus phase). No event is earlier.
    now: u64,
    far: BinaryHeap<Reverse<(u64, u32)>>,
    /// The earliest key in `far`, `u64::MAX` if there is none.
    far_next: u64,
}

impl Default for Wheel {
    fn default() -> Self {
        Self {
            heads: Box::new([NIL; SLOTS]),
            occupied: [0; WORDS],
            summary: 0,
            nodes: Vec::new(),
            free: NIL,
            now: 0,
            far: BinaryHeap::new(),
            far_next: u64::MAX,
        }
    }
}

impl Wheel {
    /// Schedules an event. It must not be earlier than the moment the wheel has moved to.
    #[inline(always)]
    pub fn schedule(&mut self, cycle: Cycle, phase: u64, event: u32) {
        let key = cycle * PHASES + phase;
        debug_assert!(key >= self.now, "an event in the past: {key} before {}", self.now);
        if key - self.now < SLOTS as u64 {
            self.insert(key, event);
        } else {
            self.schedule_far(key, event);
        }
    }

    #[cold]
    #[inline(never)]
    fn schedule_far(&mut self, key: u64, event: u32) {
        self.far.push(Reverse((key, event)));
        self.far_next = self.far_next.min(key);
    }

    #[inline(always)]
    fn insert(&mut self, key: u64, event: u32) {
        let slot = key as usize % SLOTS;
        let node = Node { event, next: self.heads[slot] };
        let index = self.free;
        if let Some(free) = self.nodes.get_mut(index as usize) {
            self.free = free.next;
            *free = node;
            self.heads[slot] = index;
        } else {
            self.heads[slot] = self.grow(node);
        }
        self.occupied[slot / 64] |= 1 << (slot % 64);
        self.summary |= 1 << (slot / 64);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// The moment of the earliest event, as a key: cycle times [`PHASES`] plus phase; `u64::MAX` if there is none.
    #[inline(always)]
    pub fn next(&self) -> u64 {
        if self.summary != 0 { self.first_in_reach() } else { self.far_next }
    }

    #[inline(always)]
    fn first_in_reach(&self) -> u64 {
        let start = self.now as usize % SLOTS;
        let word = start / 64;
        let rest = self.occupied[word] & (!0 << (start % 64));
        let slot = if rest != 0 {
            word * 64 + rest.trailing_zeros() as usize
        } else {
            // The words after this one, then (wrapped around) those up to and including it.
            let after = if word == WORDS - 1 { 0 } else { self.summary & (!0 << (word + 1)) };
            let found = if after != 0 { after } else { self.summary };
            let word = found.trailing_zeros() as usize % WORDS;
            word * 64 + self.occupied[word].trailing_zeros() as usize
        };
        self.now + ((slot + SLOTS - start) % SLOTS) as u64
    }

    /// Moves to a moment, which must be what [`Wheel::next`] said.
    #[inline(always)]
    pub fn move_to(&mut self, key: u64) {
        self.now = key;
        if self.far_next - self.now < SLOTS as u64 {
            self.fetch_far();
        }
    }

    #[cold]
    #[inline(never)]
    fn fetch_far(&mut self) {
        while let Some(&Reverse((key, event))) = self.far.peek() {
            if key - self.now >= SLOTS as u64 {
                self.far_next = key;
                return;
            }
            self.far.pop();
            self.insert(key, event);
        }
        self.far_next = u64::MAX;
    }

    /// Takes one of the events of the moment it has moved to.
    #[inline(always)]
    pub fn take(&mut self) -> Option<u32> {
        let slot = self.now as usize % SLOTS;
        let index = self.heads[slot];
        let node = self.nodes.get_mut(index as usize)?;
        let Node { event, next } = *node;
        node.next = self.free;
        self.free = index;
        self.heads[slot] = next;
        if next == NIL {
            self.occupied[slot / 64] &= !(1 << (slot % 64));
            if self.occupied[slot / 64] == 0 {
                self.summary &= !(1 << (slot / 64));
            }
        }
        Some(event)
    }

    /// All events of the moment it has moved to have been taken.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.heads[self.now as usize % SLOTS] == NIL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_out_in_order_of_time_and_phase() {
        let mut wheel = Wheel::default();
        let mut random = crate::engine::random::Stream::new(1, "wheel", 0);
        let mut reference = BinaryHeap::new();
        for n in 0..20_000_u32 {
            let earliest = Some(wheel.next()).filter(|&key| key != u64::MAX).unwrap_or(0);
            let reach = [3, 100, 1023, 1024, 1025, 50_000][random.below(6) as usize];
            let key = (earliest + random.below(reach) * PHASES).max(wheel.now);
            wheel.schedule(key / PHASES, key % PHASES, n);
            reference.push(Reverse((key, n)));
            if random.below(3) > 0 {
                check_next(&mut wheel, &mut reference);
            }
        }
        while wheel.next() != u64::MAX {
            check_next(&mut wheel, &mut reference);
        }
        assert!(reference.is_empty());
    }

    fn check_next(wheel: &mut Wheel, reference: &mut BinaryHeap<Reverse<(u64, u32)>>) {
        let moment = wheel.next();
        wheel.move_to(moment);
        let mut events: Vec<u32> = std::iter::from_fn(|| wheel.take()).collect();
        assert!(wheel.is_done() && !events.is_empty());
        events.sort_unstable();
        for event in events {
            let Reverse((key, n)) = reference.pop().expect("as many events");
            assert_eq!((key, n), (moment, event));
        }
    }
}
