//! A timing wheel: an event queue with one slot per cycle and phase.
//!
//! Nearly all events of a network are a few cycles away, where a wheel takes constant time. Events
//! further away wait in an unsorted bag per turn of half the wheel, and beyond all bags in a heap.
//!
//! Invariant: events come out in order of cycle and phase. Within a phase of a cycle their order is
//! undefined, so handlers of one phase must commute. Entry points: [`Wheel::schedule`],
//! [`Wheel::next`], [`Wheel::due`], [`Wheel::take`].

use super::Cycle;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Phases of a cycle.
pub const PHASES: u64 = 8;
/// Slots of the wheel: 1024 cycles of phases.
const SLOTS: usize = 8192;
const WORDS: usize = SLOTS / 64;
/// Slots of a turn. The wheel holds this turn and the next.
const TURN: u64 = SLOTS as u64 / 2;
/// Turns ahead, this one included, whose events are on the wheel or in a bag.
const BAGS: u64 = 64;
const NIL: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Node {
    event: u32,
    /// The next node of the slot, or the next free node.
    next: u32,
}

/// Events taken off one slot: a linked list of nodes.
#[derive(Debug)]
pub struct Due(u32);

impl Due {
    /// True if all have been taken.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.0 == NIL
    }
}

/// The event queue. An event is any 32-bit value.
#[derive(Debug, Clone)]
pub struct Wheel {
    /// First node of each slot.
    heads: Box<[u32; SLOTS]>,
    occupied: [u64; WORDS],
    free: u32,
    nodes: Vec<Node>,
    /// The current key, cycle times [`PHASES`] plus phase; no event is earlier.
    now: u64,
    /// First key beyond the wheel.
    reach: u64,
    /// Events of later turns, with their keys.
    bags: Vec<Vec<(u64, u32)>>,
    /// Bags that are not empty, as a bit mask.
    filled: u64,
    /// Events beyond the bags.
    far: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Default for Wheel {
    fn default() -> Self {
        Self {
            heads: Box::new([NIL; SLOTS]),
            occupied: [0; WORDS],
            free: NIL,
            nodes: Vec::new(),
            now: 0,
            reach: 2 * TURN,
            bags: vec![Vec::new(); BAGS as usize],
            filled: 0,
            far: BinaryHeap::new(),
        }
    }
}

impl Wheel {
    /// Schedules an event, not before the current cycle and phase.
    #[inline]
    pub fn schedule(&mut self, cycle: Cycle, phase: u64, event: u32) {
        let key = cycle * PHASES + phase;
        debug_assert!(key >= self.now, "an event in the past: {key} before {}", self.now);
        if key < self.reach {
            self.insert(key, event);
        } else {
            self.schedule_later(key, event);
        }
    }

    /// Stores an event of a turn that is not on the wheel yet.
    #[cold]
    fn schedule_later(&mut self, key: u64, event: u32) {
        let turn = key / TURN;
        if turn - self.now / TURN < BAGS {
            self.bags[(turn % BAGS) as usize].push((key, event));
            self.filled |= 1 << (turn % BAGS);
        } else {
            self.far.push(Reverse((key, event)));
        }
    }

    #[inline]
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
    }

    #[cold]
    fn grow(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// The key of the earliest event, cycle times [`PHASES`] plus phase; `u64::MAX` if there is
    /// none.
    #[inline]
    pub fn next(&self) -> u64 {
        let bits = self.occupied[self.now as usize / 64 % WORDS] & (!0 << (self.now % 64));
        if bits != 0 {
            self.now / 64 * 64 + u64::from(bits.trailing_zeros())
        } else {
            self.next_further()
        }
    }

    #[cold]
    fn next_further(&self) -> u64 {
        let first = self.now / 64;
        for word in first + 1..=first + WORDS as u64 {
            let bits = self.occupied[word as usize % WORDS];
            if bits != 0 {
                return word * 64 + u64::from(bits.trailing_zeros());
            }
        }
        self.first_later()
    }

    #[cold]
    fn first_later(&self) -> u64 {
        // Bags in order of turns, from this one on.
        let turn = (self.now / TURN % BAGS) as u32;
        let ahead = self.filled.rotate_right(turn).trailing_zeros();
        let bag = &self.bags[(turn + ahead) as usize % BAGS as usize];
        let first = bag.iter().map(|event| event.0).min();
        first.or_else(|| self.far.peek().map(|event| event.0.0)).unwrap_or(u64::MAX)
    }

    /// Moves to `key`, which must be what [`Wheel::next`] returned.
    #[inline]
    pub fn move_to(&mut self, key: u64) {
        self.now = key;
        if key >= self.reach - TURN {
            self.turn();
        }
    }

    /// Moves events to the wheel that are on it now that a new turn has begun.
    #[cold]
    fn turn(&mut self) {
        let now = self.now / TURN;
        let on_wheel = self.reach / TURN;
        self.reach = (now + 2) * TURN;
        while let Some(&Reverse((key, event))) = self.far.peek()
            && key / TURN - now < BAGS
        {
            self.far.pop();
            self.schedule(key / PHASES, key % PHASES, event);
        }
        // No event is before `now`, so only these turns can have events.
        for turn in now.max(on_wheel)..=now + 1 {
            let bag = (turn % BAGS) as usize;
            if self.filled >> bag & 1 == 1 {
                self.filled &= !(1 << bag);
                let mut events = std::mem::take(&mut self.bags[bag]);
                events.drain(..).for_each(|(key, event)| self.insert(key, event));
                self.bags[bag] = events;
            }
        }
    }

    /// Takes the events of the current cycle and phase off the wheel. Events scheduled for it
    /// afterwards are not among them.
    #[inline]
    pub fn due(&mut self) -> Due {
        let slot = self.now as usize % SLOTS;
        self.occupied[slot / 64] &= !(1 << (slot % 64));
        Due(std::mem::replace(&mut self.heads[slot], NIL))
    }

    /// Takes one of the events that are due.
    #[inline]
    pub fn take(&mut self, due: &mut Due) -> Option<u32> {
        let node = self.nodes.get_mut(due.0 as usize)?;
        let Node { event, next } = *node;
        node.next = self.free;
        self.free = due.0;
        due.0 = next;
        Some(event)
    }

    /// True if there are events in a phase of the current cycle.
    #[inline]
    pub fn has(&self, phase: u64) -> bool {
        self.heads[(self.now / PHASES * PHASES + phase) as usize % SLOTS] != NIL
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn events_come_out_in_order_of_time_and_phase() {
        let mut wheel = Wheel::default();
        let mut random = crate::engine::random::stream(1, "wheel", 0);
        let mut reference = BinaryHeap::new();
        for n in 0..20_000_u32 {
            let earliest = Some(wheel.next()).filter(|&key| key != u64::MAX).unwrap_or(0);
            let reach = [3, 100, 511, 513, 1025, 50_000, 200_000][random.random_range(0..7)];
            let key = (earliest + random.random_range(0..reach) * PHASES).max(wheel.now);
            wheel.schedule(key / PHASES, key % PHASES, n);
            reference.push(Reverse((key, n)));
            if random.random_range(0..3) > 0 {
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
        assert!(wheel.has(moment % PHASES));
        let mut due = wheel.due();
        let mut events: Vec<u32> = std::iter::from_fn(|| wheel.take(&mut due)).collect();
        assert!(due.is_done() && !events.is_empty() && !wheel.has(moment % PHASES));
        events.sort_unstable();
        for event in events {
            let Reverse((key, n)) = reference.pop().expect("as many events");
            assert_eq!((key, n), (moment, event));
        }
    }
}
