//! Free space of buffers shared by virtual lanes, in credits.

use super::lanes::Lane;
use crate::engine::numbered::Numbered;
use crate::qos::Limits;

/// The space of a set of buffers, numbered from 0.
#[derive(Debug, Clone)]
pub(super) struct BufferSpace {
    lanes: usize,
    /// Per buffer: credits that may still be reserved before a packet of any lane and size is no
    /// longer certain to fit. Negative beyond that point.
    left: Numbered<i16>,
    /// Per buffer and lane: credits in use.
    used: Numbered<u16>,
}

impl BufferSpace {
    /// Empty buffers with these limits.
    pub fn new<'a>(lanes: usize, limits: impl Iterator<Item = &'a Limits>) -> Self {
        // A buffer has at most 2^15 credits, so `left - credits` fits an `i16`. A packet of 2^15
        // credits wraps to the same value with either sign.
        let left: Numbered<i16> =
            limits.map(|limits| limits.easy.min(i16::MAX as u16) as i16).collect();
        Self { lanes, used: vec![0; left.len() * lanes].into(), left }
    }

    #[inline]
    fn index(&self, buffer: u32, lane: Lane) -> usize {
        buffer as usize * self.lanes + lane.index()
    }

    /// Credits in use by a lane.
    pub fn used(&self, buffer: u32, lane: Lane) -> u16 {
        self.used[self.index(buffer, lane)]
    }

    /// True if a packet of any lane and size fits. One comparison, and true while little is in use;
    /// when false, [`Self::fits`] decides.
    #[inline]
    pub fn is_ample(&self, buffer: u32) -> bool {
        self.left[buffer] >= 0
    }

    /// True if a packet of any lane and size fits even after `others` more credits are reserved.
    #[inline]
    pub fn is_ample_beside(&self, buffer: u32, others: u32) -> bool {
        i64::from(self.left[buffer]) >= i64::from(others)
    }

    /// True if a packet of `credits` credits fits on `lane`: in what is guaranteed to the lane, or
    /// in that and in what the other lanes leave of the shared pool.
    #[inline]
    pub fn fits(&self, limits: &Limits, buffer: u32, lane: Lane, credits: u16) -> bool {
        let after = self.used(buffer, lane) + credits;
        let beyond = limits.beyond(lane.0, after);
        beyond == 0
            || after <= limits.max[lane.index()]
                && beyond <= limits.pool
                && beyond + self.pooled_by_others(limits, buffer, lane) <= limits.pool
    }

    /// Credits of the shared pool that are in use by other lanes than this one.
    fn pooled_by_others(&self, limits: &Limits, buffer: u32, lane: Lane) -> u32 {
        let used = self.used.row(self.index(buffer, Lane(0)), self.lanes);
        let beyond = |(&used, &min): (&u16, &u16)| u32::from(used.saturating_sub(min));
        let all: u32 = used.iter().zip(&limits.min).map(beyond).sum();
        all - limits.beyond(lane.0, used[lane.index()])
    }

    /// Reserves the space of a packet, which must fit.
    #[inline]
    pub fn reserve(&mut self, buffer: u32, lane: Lane, credits: u16) {
        let index = self.index(buffer, lane);
        let left = &mut self.left[buffer];
        *left = left.wrapping_sub(credits as i16);
        self.used[index] += credits;
    }

    /// Releases the space of a packet.
    #[inline]
    pub fn release(&mut self, buffer: u32, lane: Lane, credits: u16) {
        let index = self.index(buffer, lane);
        debug_assert!(self.used[index] >= credits, "more space given back than taken");
        let left = &mut self.left[buffer];
        *left = left.wrapping_add(credits as i16);
        self.used[index] -= credits;
    }
}
