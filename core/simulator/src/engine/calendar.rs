//! An event queue with one bucket per cycle and group of events.
//!
//! Invariant: events of a bucket come out in the order of scheduling. Events beyond the buckets
//! wait in a heap. Entry points: [`Calendar::schedule`], [`Calendar::next`], [`Calendar::take`].

use super::Cycle;
use super::numbered::Numbered;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cells of a chunk, two cache lines: events and, last, the number of the next chunk's first cell.
const CHUNK: u32 = 32;
const LINK: u32 = CHUNK - 1;
const NIL: u32 = u32::MAX;
/// Groups of events.
pub const GROUPS: u64 = 4;

/// The events of a group in a cycle: the first cell of its first chunk, and the cell of the next
/// event. If that is a chunk's last cell, the chunk is full.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    first: u32,
    next: u32,
}

const EMPTY: Bucket = Bucket { first: NIL, next: NIL };

/// The event queue. Buckets share chunks, so memory is in proportion to the events, not to the
/// cycles within reach.
#[derive(Debug, Clone)]
pub struct Calendar {
    buckets: Numbered<Bucket>,
    cells: Numbered<u32>,
    free: u32,
    occupied: Numbered<u64>,
    /// The current cycle; no event is earlier.
    now: Cycle,
    /// Events beyond the buckets, by cycle times groups plus group, then by `sequence`.
    far: BinaryHeap<Reverse<(u64, u64, u32)>>,
    /// Number of buckets that are not empty.
    near: usize,
    /// Numbers the far events, to keep their order.
    sequence: u64,
}

impl Calendar {
    /// A calendar whose buckets hold events up to at least `reach` cycles ahead.
    pub fn with_reach(reach: u64) -> Self {
        let slots = ((reach + 1).next_power_of_two() * GROUPS).max(64) as usize;
        Self {
            buckets: vec![EMPTY; slots].into(),
            cells: Numbered::new(),
            free: NIL,
            occupied: vec![0; slots / 64].into(),
            now: 0,
            far: BinaryHeap::new(),
            near: 0,
            sequence: 0,
        }
    }

    /// True if no event is scheduled.
    pub fn is_empty(&self) -> bool {
        self.near == 0 && self.far.is_empty()
    }

    /// Schedules an event, not before the current cycle.
    #[inline]
    pub fn schedule(&mut self, cycle: Cycle, group: u64, event: u32) {
        debug_assert!(cycle >= self.now, "an event in the past: {cycle} before {}", self.now);
        let key = cycle * GROUPS + group;
        if cycle - self.now < self.buckets.len() as u64 / GROUPS {
            self.insert(key, event);
        } else {
            self.schedule_far(key, event);
        }
    }

    /// Stores an event beyond the buckets.
    #[cold]
    fn schedule_far(&mut self, key: u64, event: u32) {
        self.far.push(Reverse((key, self.sequence, event)));
        self.sequence += 1;
    }

    #[inline]
    fn insert(&mut self, key: u64, event: u32) {
        let slot = key as usize & (self.buckets.len() - 1);
        let mut cell = self.buckets[slot].next;
        if cell % CHUNK == LINK {
            cell = self.add_chunk(slot);
        }
        self.cells[cell] = event;
        self.buckets[slot].next = cell + 1;
    }

    /// Adds a chunk to a bucket; returns its first cell.
    #[cold]
    fn add_chunk(&mut self, slot: usize) -> u32 {
        let mut begin = self.free;
        if begin != NIL {
            self.free = self.cells[begin + LINK];
        } else {
            begin = self.cells.len() as u32;
            self.cells.extend([NIL; CHUNK as usize]);
        }
        let bucket = &mut self.buckets[slot];
        if bucket.first == NIL {
            bucket.first = begin;
            self.occupied[slot / 64] |= 1 << (slot % 64);
            self.near += 1;
        } else {
            self.cells[bucket.next] = begin;
        }
        begin
    }

    /// The cycle of the earliest event; `None` if there is none.
    #[inline]
    pub fn next(&self) -> Option<Cycle> {
        if self.near == 0 {
            return self.far.peek().map(|e| e.0.0 / GROUPS);
        }
        let slots = self.buckets.len();
        let start = (self.now * GROUPS) as usize & (slots - 1);
        let mut word = start / 64;
        let mut bits = self.occupied[word] & (!0 << (start % 64));
        while bits == 0 {
            word = (word + 1) & (self.occupied.len() - 1);
            bits = self.occupied[word];
        }
        let slot = word * 64 + bits.trailing_zeros() as usize;
        Some(self.now + ((slot + slots - start) & (slots - 1)) as u64 / GROUPS)
    }

    /// Moves to `cycle`, which must not be after the earliest event.
    #[inline]
    pub fn move_to(&mut self, cycle: Cycle) {
        debug_assert!(cycle >= self.now);
        self.now = cycle;
        let reach = (cycle * GROUPS).saturating_add(self.buckets.len() as u64);
        while self.far.peek().is_some_and(|e| e.0.0 < reach) {
            let Reverse((key, _, event)) = self.far.pop().expect("just seen");
            self.insert(key, event);
        }
    }

    /// The first group with events in the current cycle.
    #[inline]
    pub fn due(&self) -> Option<u64> {
        let slot = (self.now * GROUPS) as usize & (self.buckets.len() - 1);
        let groups = self.occupied[slot / 64] >> (slot % 64) & ((1 << GROUPS) - 1);
        (groups != 0).then(|| groups.trailing_zeros().into())
    }

    /// Moves the events of a group in the current cycle to `into`, which must be empty. Events
    /// scheduled afterwards come with the next call.
    #[inline]
    pub fn take(&mut self, group: u64, into: &mut Vec<u32>) {
        debug_assert!(into.is_empty());
        let slot = (self.now * GROUPS + group) as usize & (self.buckets.len() - 1);
        let bucket = std::mem::replace(&mut self.buckets[slot], EMPTY);
        if bucket.first == NIL {
            return;
        }
        let mut begin = bucket.first;
        // The last chunk contains the cell of the next event.
        while begin / CHUNK != bucket.next / CHUNK {
            let chunk = self.cells.row(begin as usize, CHUNK as usize);
            into.extend_from_slice(&chunk[..LINK as usize]);
            begin = chunk[LINK as usize];
        }
        into.extend_from_slice(self.cells.row(begin as usize, (bucket.next - begin) as usize));
        // All chunks of the bucket are free now.
        self.cells[begin + LINK] = self.free;
        self.free = bucket.first;
        self.occupied[slot / 64] &= !(1 << (slot % 64));
        self.near -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::stream;
    use rand::RngExt;

    #[test]
    fn events_come_out_in_order_of_time_then_scheduling() {
        let mut calendar = Calendar::with_reach(100);
        let mut random = stream(1, "calendar", 0);
        let mut reference: Vec<(Cycle, u64, u32)> = Vec::new();
        let (mut now, mut batch) = (0, Vec::new());
        for n in 0..20_000 {
            let reach = [3, 100, 127, 128, 129, 5000][random.random_range(0..6)];
            let cycle = now + random.random_range(0..reach);
            let group = random.random_range(0..GROUPS);
            calendar.schedule(cycle, group, n);
            reference.push((cycle, group, n));
            if random.random_range(0..3) > 0 {
                now = calendar.next().expect("one was just added");
                calendar.move_to(now);
                for group in 0..GROUPS {
                    let any = reference.iter().any(|e| (e.0, e.1) == (now, group));
                    assert_eq!(calendar.due() == Some(group), any);
                    calendar.take(group, &mut batch);
                    let is_due = |e: &&(Cycle, u64, u32)| (e.0, e.1) == (now, group);
                    let due: Vec<u32> = reference.iter().filter(is_due).map(|e| e.2).collect();
                    assert_eq!(batch, due);
                    batch.clear();
                }
                reference.retain(|e| e.0 != now);
                assert!(reference.iter().all(|e| e.0 > now));
            }
        }
        while let Some(cycle) = calendar.next() {
            calendar.move_to(cycle);
            for group in 0..GROUPS {
                calendar.take(group, &mut batch);
                batch.clear();
            }
            reference.retain(|e| e.0 != cycle);
        }
        assert!(reference.is_empty() && calendar.is_empty());
    }
}
