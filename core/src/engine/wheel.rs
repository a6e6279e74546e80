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
    heads: Box<[u32; SLOTS]>,
    occupied: [u64; WORDS],
    summary: u64,
    nodes: Vec<Node>,
    free: u32,
    /// No event is earlier than this key (cycle times phases plus phase).
    now: u64,
    far: BinaryHeap<Reverse<(u64, u32)>>,
    len: usize,
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
            len: 0,
        }
    }
}

impl Wheel {
    /// Number of events scheduled.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if nothing is scheduled.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Schedules an event. It must not be earlier than the last one popped.
    #[inline]
    pub fn schedule(&mut self, cycle: Cycle, phase: u64, event: u32) {
        let key = cycle * PHASES + phase;
        debug_assert!(key >= self.now, "an event in the past: {key} before {}", self.now);
        self.len += 1;
        if key - self.now < SLOTS as u64 {
            self.insert(key, event);
        } else {
            self.far.push(Reverse((key, event)));
        }
    }

    #[inline]
    fn insert(&mut self, key: u64, event: u32) {
        let slot = key as usize % SLOTS;
        let next = self.heads[slot];
        let node = Node { event, next };
        if self.free == NIL {
            self.heads[slot] = self.nodes.len() as u32;
            self.nodes.push(node);
        } else {
            let index = self.free;
            self.free = self.nodes[index as usize].next;
            self.nodes[index as usize] = node;
            self.heads[slot] = index;
        }
        self.occupied[slot / 64] |= 1 << (slot % 64);
        self.summary |= 1 << (slot / 64);
    }

    /// Cycle and phase of the earliest event.
    #[inline]
    pub fn peek(&self) -> Option<(Cycle, u64)> {
        let key = if self.summary == 0 { self.far.peek()?.0.0 } else { self.first_in_reach() };
        Some((key / PHASES, key % PHASES))
    }

    #[inline]
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
            let word = found.trailing_zeros() as usize;
            word * 64 + self.occupied[word].trailing_zeros() as usize
        };
        self.now + ((slot + SLOTS - start) % SLOTS) as u64
    }

    /// Moves to the given moment, which must be what [`Wheel::peek`] said, and moves that phase's events to `into`.
    #[inline]
    pub fn pop(&mut self, cycle: Cycle, phase: u64, into: &mut Vec<u32>) {
        let key = cycle * PHASES + phase;
        self.now = key;
        while let Some(&Reverse((far, event))) = self.far.peek() {
            if far - key >= SLOTS as u64 {
                break;
            }
            self.far.pop();
            self.insert(far, event);
        }
        let slot = key as usize % SLOTS;
        let mut index = self.heads[slot];
        self.heads[slot] = NIL;
        self.occupied[slot / 64] &= !(1 << (slot % 64));
        if self.occupied[slot / 64] == 0 {
            self.summary &= !(1 << (slot / 64));
        }
        while index != NIL {
            let node = self.nodes[index as usize];
            into.push(node.event);
            self.nodes[index as usize].next = self.free;
            self.free = index;
            index = node.next;
            self.len -= 1;
        }
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
        let mut events = Vec::new();
        for n in 0..20_000_u32 {
            let (cycle, phase) = wheel.peek().unwrap_or((0, 0));
            let reach = [3, 100, 1023, 1024, 1025, 50_000][random.below(6) as usize];
            let key = (cycle + random.below(reach)) * PHASES + phase;
            let key = key.max(wheel.now);
            wheel.schedule(key / PHASES, key % PHASES, n);
            reference.push(Reverse((key, n)));
            if random.below(3) > 0 {
                let (cycle, phase) = wheel.peek().expect("one was just added");
                events.clear();
                wheel.pop(cycle, phase, &mut events);
                events.sort_unstable();
                for &event in &events {
                    let Reverse((key, n)) = reference.pop().expect("as many events");
                    assert_eq!((key / PHASES, key % PHASES, n), (cycle, phase, event));
                }
            }
        }
        assert_eq!(wheel.len(), reference.len());
    }
}
