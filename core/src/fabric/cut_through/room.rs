//! The fill of buffers shared by lanes.

use crate::qos::Limits;

/// The fill of many buffers.
#[derive(Debug, Clone)]
pub(super) struct Rooms {
    lanes: usize,
    /// A row per buffer: credits left until it is no longer plain that any packet fits, in two's complement; then those in use by each lane.
    rows: Vec<u16>,
}

impl Rooms {
    /// Empty buffers with these limits.
    pub fn new<'a>(lanes: usize, limits: impl Iterator<Item = &'a Limits>) -> Self {
        let row = |limits: &Limits| std::iter::once(limits.easy).chain(vec![0; lanes]);
        Self { lanes, rows: limits.flat_map(row).collect() }
    }

    #[inline]
    fn row(&self, buffer: u32) -> &[u16] {
        &self.rows[buffer as usize * (self.lanes + 1)..][..=self.lanes]
    }

    /// Credits a lane uses.
    pub fn used(&self, buffer: u32, lane: u8) -> u16 {
        self.row(buffer)[1 + lane as usize]
    }

    /// So little is in use that a packet of any lane and size fits.
    #[inline]
    pub fn is_easy(&self, buffer: u32) -> bool {
        self.rows[buffer as usize * (self.lanes + 1)] as i16 >= 0
    }

    /// Whether a packet fits.
    pub fn fits(&self, limits: &Limits, buffer: u32, lane: u8, credits: u16) -> bool {
        let used = &self.row(buffer)[1..];
        let after = used[lane as usize] + credits;
        let beyond = |(&used, &min): (&u16, &u16)| u32::from(used.saturating_sub(min));
        let pooled: u32 = used.iter().zip(&limits.min).map(beyond).sum();
        after <= limits.max[lane as usize]
            && pooled + limits.beyond(lane, after) - limits.beyond(lane, used[lane as usize]) <= limits.pool
    }

    /// Takes the room of a packet, which must fit.
    #[inline]
    pub fn take(&mut self, buffer: u32, lane: u8, credits: u16) {
        let row = &mut self.rows[buffer as usize * (self.lanes + 1)..][..=self.lanes];
        row[0] = row[0].wrapping_sub(credits);
        row[1 + lane as usize] += credits;
    }

    /// Gives the room of a packet back.
    #[inline]
    pub fn give(&mut self, buffer: u32, lane: u8, credits: u16) {
        let row = &mut self.rows[buffer as usize * (self.lanes + 1)..][..=self.lanes];
        debug_assert!(row[1 + lane as usize] >= credits, "more room given back than taken");
        row[0] = row[0].wrapping_add(credits);
        row[1 + lane as usize] -= credits;
    }
}
