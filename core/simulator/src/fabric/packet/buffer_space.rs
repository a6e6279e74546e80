//! Free space of buffers shared by virtual lanes, in credits.

use super::lanes::Lane;
use crate::engine::numbered::Numbered;
use crate::qos::Limits;

/// The space of a set of buffers, numbered from 0.
#[derive(Debug, Clone)]
pub(super) struct BufferSpace {
    lanes: usize,
    /// A row per buffer, most of which lie in one cache line. First the credits that may still be
    /// reserved before a packet of any lane and size is no longer certain to fit, negative beyond
    /// that point. Then, per lane, the credits in use. A buffer has at most 2^15 credits.
    rows: Numbered<i16>,
}

impl BufferSpace {
    /// Empty buffers with these limits.
    pub fn new<'a>(lanes: usize, limits: impl Iterator<Item = &'a Limits>) -> Self {
        let row = |limits: &Limits| {
            let easy = limits.easy.min(i16::MAX as u16) as i16;
            std::iter::once(easy).chain(std::iter::repeat_n(0, lanes))
        };
        Self { lanes, rows: limits.flat_map(row).collect() }
    }

    /// The place of a buffer's row.
    #[inline]
    fn row(&self, buffer: u32) -> usize {
        buffer as usize * (1 + self.lanes)
    }

    #[inline]
    fn place(&self, buffer: u32, lane: Lane) -> usize {
        self.row(buffer) + 1 + lane.index()
    }

    /// Credits in use by a lane.
    pub fn used(&self, buffer: u32, lane: Lane) -> u16 {
        self.rows[self.place(buffer, lane)] as u16
    }

    /// Credits that may still be reserved before a packet of any lane and size is no longer certain
    /// to fit.
    #[inline]
    fn left(&self, buffer: u32) -> i16 {
        self.rows[self.row(buffer)]
    }

    /// True if a packet of any lane and size fits. One comparison, and true while little is in use;
    /// when false, [`Self::fits`] decides.
    #[inline]
    pub fn is_ample(&self, buffer: u32) -> bool {
        self.left(buffer) >= 0
    }

    /// True if a packet of any lane and size fits even after `others` more credits are reserved.
    #[inline]
    pub fn is_ample_beside(&self, buffer: u32, others: u32) -> bool {
        i64::from(self.left(buffer)) >= i64::from(others)
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
        let beyond = |lane: Lane| limits.beyond(lane.0, self.used(buffer, lane));
        Lane::all(self.lanes).filter(|other| *other != lane).map(beyond).sum()
    }

    /// Reserves the space of a packet, which must fit.
    #[inline]
    pub fn reserve(&mut self, buffer: u32, lane: Lane, credits: u16) {
        self.change(buffer, lane, credits as i16);
    }

    /// Releases the space of a packet.
    #[inline]
    pub fn release(&mut self, buffer: u32, lane: Lane, credits: u16) {
        debug_assert!(self.used(buffer, lane) >= credits, "more room given back than taken");
        self.change(buffer, lane, (credits as i16).wrapping_neg());
    }

    #[inline]
    fn change(&mut self, buffer: u32, lane: Lane, credits: i16) {
        let (row, place) = (self.row(buffer), self.place(buffer, lane));
        // A packet of 2^15 credits wraps to the same values with either sign.
        self.rows[row] = self.rows[row].wrapping_sub(credits);
        self.rows[place] = self.rows[place].wrapping_add(credits);
    }
}
