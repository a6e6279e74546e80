//! A timing wheel: the event queue. Nearly all events of a network are a few cycles away, so a wheel over
//! cycles beats any heap. What is further away waits in one unsorted bag per turn of half the wheel, and what is further away than all
//! bags, in a heap.
//!
//! Each cycle has phases. Events of one phase of one cycle come out in no promised order: handlers of the same
//! phase must commute.

use super::Cycle;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Phases of a cycle.
pub const PHASES: u64 = 8;
/// Moments on the wheel (1024 cycles).
const SLOTS: usize = 8192;
const WORDS: usize = SLOTS / 64;
/// Moments of a turn. The wheel holds this turn and the next.
const TURN: u64 = SLOTS as u64 / 2;
/// Turns ahead, this one included, that have a place on the wheel or a bag.
const BAGS: u64 = 64;
const NIL: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Node {
    event: u32,
    /// The next of its moment, or the next free node.
    next: u32,
}

/// Events of one moment that have been taken off the wheel: the first node.
#[derive(Debug)]
pub struct Due(u32);

impl Due {
    /// All of them have been taken.
    #[inline(always)]
    pub fn is_done(&self) -> bool {
        self.0 == NIL
    }
}

/// The event queue. An event is any 32-bit value its owner understands.
#[derive(Debug, Clone)]
pub struct Wheel {
    /// First event of each moment.
    heads: Box<[u32; SLOTS]>,
    occupied: [u64; WORDS],
    free: u32,
    nodes: Vec<Node>,
    /// The moment it has moved to, as a key (cycle times phases plus phase). No event is earlier.
    now: u64,
    /// End of the turn after this one.
    reach: u64,
    /// Events of later turns, by turn, with their keys.
    bags: Vec<Vec<(u64, u32)>>,
    /// Bags that are not empty, by bit.
    filled: u64,
    /// Events of turns that have no bag yet.
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
    /// Schedules an event. It must not be earlier than the moment the wheel has moved to.
    #[inline(always)]
    pub fn schedule(&mut self, cycle: Cycle, phase: u64, event: u32) {
        let key = cycle * PHASES + phase;
        debug_assert!(key >= self.now, "an event in the past: {key} before {}", self.now);
        if key < self.reach {
            self.insert(key, event);
        } else {
            self.schedule_later(key, event);
        }
    }

    /// Keeps an event of a turn that is not on the wheel yet.
    #[inline(never)]
    fn schedule_later(&mut self, key: u64, event: u32) {
        let turn = key / TURN;
        if turn - self.now / TURN < BAGS {
            self.bags[(turn % BAGS) as usize].push((key, event));
            self.filled |= 1 << (turn % BAGS);
        } else {
            self.far.push(Reverse((key, event)));
        }
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
        let bits = self.occupied[self.now as usize / 64 % WORDS] & (!0 << (self.now % 64));
        if bits != 0 {
            self.now / 64 * 64 + u64::from(bits.trailing_zeros())
        } else {
            self.next_further()
        }
    }

    #[inline(never)]
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
        // Bags in order of their turns, from this one on.
        let turn = (self.now / TURN % BAGS) as u32;
        let ahead = self.filled.rotate_right(turn).trailing_zeros();
        let bag = &self.bags[(turn + ahead) as usize % BAGS as usize];
        let first = bag.iter().map(|event| event.0).min();
        first.or_else(|| self.far.peek().map(|event| event.0.0)).unwrap_or(u64::MAX)
    }

    /// Moves to a moment, which must be what [`Wheel::next`] said.
    #[inline(always)]
    pub fn move_to(&mut self, key: u64) {
        self.now = key;
        if key >= self.reach - TURN {
            self.turn();
        }
    }

    /// Puts on the wheel what has a place there now that another turn has begun.
    #[cold]
    #[inline(never)]
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
        // Nothing is earlier than now, so of the turns passed by, only the last two can have events.
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

    /// Takes the events of the moment it has moved to off the wheel. What is scheduled for this moment from now on comes with the next ones.
    #[inline(always)]
    pub fn due(&mut self) -> Due {
        let slot = self.now as usize % SLOTS;
        self.occupied[slot / 64] &= !(1 << (slot % 64));
        Due(std::mem::replace(&mut self.heads[slot], NIL))
    }

    /// Takes one of the events that are due.
    #[inline(always)]
    pub fn take(&mut self, due: &mut Due) -> Option<u32> {
        let node = self.nodes.get_mut(due.0 as usize)?;
        let Node { event, next } = *node;
        node.next = self.free;
        self.free = due.0;
        due.0 = next;
        Some(event)
    }

    /// Whether there are events in a phase of the cycle it has moved to.
    #[inline(always)]
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
