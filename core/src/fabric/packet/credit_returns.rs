//! Credits on their way back to senders.
//!
//! Each channel has a queue in order of arrival. All queues share one list of entries, since few
//! credits are in flight at a time.

use super::layout::NONE;
use crate::engine::Cycle;
use crate::engine::numbered::Numbered;

/// The credits of one packet.
#[derive(Debug, Clone, Copy)]
pub(super) struct CreditReturn {
    /// Cycle of arrival.
    pub cycle: Cycle,
    pub credits: u16,
    pub lane: u8,
    /// Next entry of the channel's queue, or next free entry.
    next: u32,
}

/// First and last entry of a channel's queue.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReturnQueue([u32; 2]);

impl ReturnQueue {
    pub const EMPTY: Self = Self([NONE; 2]);
}

/// The entries of all queues.
#[derive(Debug, Clone)]
pub(super) struct CreditReturns {
    places: Numbered<CreditReturn>,
    free: u32,
}

impl CreditReturn {
    pub fn new(cycle: Cycle, lane: u8, credits: u16) -> Self {
        Self { cycle, credits, lane, next: NONE }
    }
}

impl CreditReturns {
    pub fn new() -> Self {
        Self { places: Numbered::new(), free: NONE }
    }

    /// Appends credits to a channel's queue. Credits of that channel that have arrived by `now` are
    /// passed to `arrived`, which keeps queues short.
    #[inline]
    pub fn push(
        &mut self,
        ends: &mut ReturnQueue,
        now: Cycle,
        back: CreditReturn,
        mut arrived: impl FnMut(CreditReturn),
    ) {
        let ReturnQueue([first, last]) = ends;
        if *first != NONE && first == last {
            let place = &mut self.places[*first];
            if place.cycle <= now {
                arrived(std::mem::replace(place, back));
                return;
            }
        }
        while let Some(back) = self.pop(ends, now) {
            arrived(back);
        }
        self.add(ends, back);
    }

    fn add(&mut self, ends: &mut ReturnQueue, back: CreditReturn) {
        let index = self.free;
        let index = if let Some(place) = self.places.get_mut(index as usize) {
            self.free = place.next;
            *place = back;
            index
        } else {
            self.places.push(back)
        };
        let ReturnQueue([first, last]) = ends;
        if *first == NONE {
            *first = index;
        } else {
            debug_assert!(self.places[*last].cycle <= back.cycle, "credits come back in order");
            self.places[*last].next = index;
        }
        *last = index;
    }

    /// Removes and returns the first credits of a channel if they have arrived by `now`.
    #[inline]
    pub fn pop(&mut self, ends: &mut ReturnQueue, now: Cycle) -> Option<CreditReturn> {
        let first = &mut ends.0[0];
        let index = *first;
        let place = self.places.get_mut(index as usize).filter(|place| place.cycle <= now)?;
        let back = *place;
        *first = back.next;
        place.next = self.free;
        self.free = index;
        Some(back)
    }

    /// All credits in flight on a channel, in order of arrival.
    pub fn iter(&self, ends: ReturnQueue) -> impl Iterator<Item = CreditReturn> {
        let place = |index: u32| self.places.get(index as usize).copied();
        std::iter::successors(place(ends.0[0]), move |back| place(back.next))
    }
}
