//! The fill of buffers shared by lanes.

use crate::engine::numbered::Numbered;
use crate::qos::Limits;

/// The fill of many buffers.
#[derive(Debug, Clone)]
pub(super) struct Rooms {
    lanes: usize,
    /// Per buffer: credits left until it is no longer plain that any packet fits. Few bytes, asked often: they stay in the cache.
    left: Numbered<i16>,
    /// Per buffer and lane: credits in use.
    used: Numbered<u16>,
}

impl Rooms {
    /// Empty buffers with these limits.
    pub fn new<'a>(lanes: usize, limits: impl Iterator<Item = &'a Limits>) -> Self {
        // No buffer holds more than 2^15 credits, so what is left fits, though a packet of that size is its own negative.
        let left: Numbered<i16> =
            limits.map(|limits| limits.easy.min(i16::MAX as u16) as i16).collect();
        Self { lanes, used: vec![0; left.len() * lanes].into(), left }
    }

    #[inline]
    fn place(&self, buffer: u32, lane: u8) -> usize {
        buffer as usize * self.lanes + lane as usize
    }

    /// Credits a lane uses.
    pub fn used(&self, buffer: u32, lane: u8) -> u16 {
        self.used[self.place(buffer, lane)]
    }

    /// So little is in use that a packet of any lane and size fits.
    #[inline]
    pub fn is_easy(&self, buffer: u32) -> bool {
        self.left[buffer] >= 0
    }

    /// The same even when others have taken so many credits more.
    #[inline]
    pub fn is_easy_beside(&self, buffer: u32, others: u32) -> bool {
        i64::from(self.left[buffer]) >= i64::from(others)
    }

    /// Whether a packet fits.
    pub fn fits(&self, limits: &Limits, buffer: u32, lane: u8, credits: u16) -> bool {
        let used = self.used.row(self.place(buffer, 0), self.lanes);
        let after = used[lane as usize] + credits;
        let beyond = |(&used, &min): (&u16, &u16)| u32::from(used.saturating_sub(min));
        let pooled: u32 = used.iter().zip(&limits.min).map(beyond).sum();
        after <= limits.max[lane as usize]
            && pooled + limits.beyond(lane, after) - limits.beyond(lane, used[lane as usize])
                <= limits.pool
    }

    /// Takes the room of a packet, which must fit.
    #[inline]
    pub fn take(&mut self, buffer: u32, lane: u8, credits: u16) {
        let place = self.place(buffer, lane);
        let left = &mut self.left[buffer];
        *left = left.wrapping_sub(credits as i16);
        self.used[place] += credits;
    }

    /// Gives the room of a packet back.
    #[inline]
    pub fn give(&mut self, buffer: u32, lane: u8, credits: u16) {
        let place = self.place(buffer, lane);
        debug_assert!(self.used[place] >= credits, "more room given back than taken");
        let left = &mut self.left[buffer];
        *left = left.wrapping_add(credits as i16);
        self.used[place] -= credits;
    }
}
