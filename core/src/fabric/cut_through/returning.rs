//! Credits on their way back to their senders.

use super::plan::NONE;
use crate::engine::Cycle;
use crate::engine::numbered::Numbered;

/// Credits of one packet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Returning {
    /// When they arrive.
    pub cycle: Cycle,
    pub credits: u16,
    pub lane: u8,
    /// Those behind them on the channel, or the next free place.
    next: u32,
}

/// Those of a channel in order of arrival: the first and the last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends([u32; 2]);

impl Ends {
    pub const EMPTY: Self = Self([NONE; 2]);
}

/// Those of all channels. Few are under way at a time, so they share their places and stay in the cache.
#[derive(Debug, Clone)]
pub(super) struct Returns {
    places: Numbered<Returning>,
    free: u32,
}

impl Returning {
    pub fn new(cycle: Cycle, lane: u8, credits: u16) -> Self {
        Self { cycle, credits, lane, next: NONE }
    }
}

impl Returns {
    pub fn new() -> Self {
        Self { places: Numbered::new(), free: NONE }
    }

    /// Credits leave; those of this channel that have arrived by now are handed out, so that there are never many.
    #[inline]
    pub fn push(
        &mut self,
        ends: &mut Ends,
        now: Cycle,
        back: Returning,
        mut arrived: impl FnMut(Returning),
    ) {
        let Ends([first, last]) = ends;
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

    fn add(&mut self, ends: &mut Ends, back: Returning) {
        let index = self.free;
        let index = if let Some(place) = self.places.get_mut(index as usize) {
            self.free = place.next;
            *place = back;
            index
        } else {
            self.places.push(back)
        };
        let Ends([first, last]) = ends;
        if *first == NONE {
            *first = index;
        } else {
            debug_assert!(self.places[*last].cycle <= back.cycle, "credits come back in order");
            self.places[*last].next = index;
        }
        *last = index;
    }

    /// Takes the first of a channel, if they have arrived.
    #[inline]
    pub fn pop(&mut self, ends: &mut Ends, now: Cycle) -> Option<Returning> {
        let first = &mut ends.0[0];
        let index = *first;
        let place = self.places.get_mut(index as usize).filter(|place| place.cycle <= now)?;
        let back = *place;
        *first = back.next;
        place.next = self.free;
        self.free = index;
        Some(back)
    }

    /// All on their way on a channel, in order.
    pub fn iter(&self, ends: Ends) -> impl Iterator<Item = Returning> {
        let place = |index: u32| self.places.get(index as usize).copied();
        std::iter::successors(place(ends.0[0]), move |back| place(back.next))
    }
}
