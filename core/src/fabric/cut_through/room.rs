//! The fill of buffers shared by lanes.

use crate::qos::Limits;

/// The fill of many buffers.
#[derive(Debug, Clone)]
pub(super) struct Rooms {
    lanes: usize,
    used: Vec<u16>,
    /// Taken from the pool.
    pooled: Vec<u32>,
}

impl Rooms {
    pub fn new(buffers: usize, lanes: usize) -> Self {
        Self { lanes, used: vec![0; buffers * lanes], pooled: vec![0; buffers] }
    }

    /// Credits a lane uses.
    pub fn used(&self, buffer: u32, lane: u8) -> u16 {
        self.used[buffer as usize * self.lanes + lane as usize]
    }

    /// Whether a packet fits.
    #[inline]
    pub fn fits(&self, limits: &Limits, buffer: u32, lane: u8, credits: u16) -> bool {
        let used = self.used(buffer, lane);
        let after = used + credits;
        after <= limits.max[lane as usize]
            && self.pooled[buffer as usize] + limits.beyond(lane, after) - limits.beyond(lane, used)
                <= limits.pool
    }

    /// Takes the room of a packet, which must fit.
    #[inline]
    pub fn take(&mut self, limits: &Limits, buffer: u32, lane: u8, credits: u16) {
        debug_assert!(self.fits(limits, buffer, lane, credits));
        let used = &mut self.used[buffer as usize * self.lanes + lane as usize];
        self.pooled[buffer as usize] += limits.beyond(lane, *used + credits) - limits.beyond(lane, *used);
        *used += credits;
    }

    /// Gives the room of a packet back.
    #[inline]
    pub fn give(&mut self, limits: &Limits, buffer: u32, lane: u8, credits: u16) {
        let used = &mut self.used[buffer as usize * self.lanes + lane as usize];
        debug_assert!(*used >= credits, "more room given back than taken");
        self.pooled[buffer as usize] -= limits.beyond(lane, *used) - limits.beyond(lane, *used - credits);
        *used -= credits;
    }
}
