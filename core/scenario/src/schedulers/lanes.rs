//! The lanes of an output port as a scheduler sees them: which ones are ready, and the packets at
//! their heads.

use crate::bits;

/// The packet at the head of a lane.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Head {
    /// Its service level.
    pub level: u8,
    /// Its size, credits.
    pub credits: u16,
}

/// Gives the packet at the head of each lane.
pub trait Foremost: Copy {
    /// The packet at the head of a lane; meaningless if the lane is not ready.
    fn head(&self) -> Head;
}

impl Foremost for Head {
    fn head(&self) -> Head {
        *self
    }
}

/// The lanes of an output port as a scheduler sees them.
#[derive(Debug, Clone, Copy)]
pub struct Lanes<'a, L> {
    /// One bit per lane: it has a whole packet and credits for it.
    pub ready: u32,
    /// All lanes.
    pub lanes: &'a [L],
    /// The cycle in which the scheduler is asked.
    pub now: u64,
}

impl<L: Foremost> Lanes<'_, L> {
    /// The packet at the head of a lane.
    #[inline]
    pub(super) fn head(&self, lane: u8) -> Head {
        self.lanes[lane as usize].head()
    }

    /// The ready lanes with a packet of this level at their head, one bit each.
    #[inline]
    pub(super) fn of_level(&self, level: u8) -> u32 {
        let is_of_level = |lane| u32::from(self.head(lane).level == level) << lane;
        bits(self.ready).fold(0, |lanes, lane| lanes | is_of_level(lane))
    }

    /// The first ready lane after `last`, in cyclic order, for which `test` holds.
    #[inline]
    pub(super) fn first_after(&self, last: u8, mut test: impl FnMut(Head) -> bool) -> Option<u8> {
        let lane = |after: u8| after.wrapping_add(last).wrapping_add(1) % 32;
        bits(rotate(self.ready, last)).map(lane).find(|&lane| test(self.head(lane)))
    }

    /// The first ready lane after `last`, in cyclic order, which becomes `last`; a lane is ready.
    #[inline]
    pub(super) fn next_in_turn(&self, last: &mut u8) -> u8 {
        *last = self.first_after(*last, |_| true).expect("a lane is ready");
        *last
    }

    /// The last ready lane in cyclic order, beginning with `first`.
    #[inline]
    pub(super) fn last_from(&self, first: u8) -> u8 {
        let rotated = self.ready.rotate_right(first.into());
        ((31 - rotated.leading_zeros() + u32::from(first)) % 32) as u8
    }

    /// One bit per service level that has a ready lane.
    #[inline]
    pub(super) fn levels(&self) -> u32 {
        bits(self.ready).fold(0, |levels, lane| levels | 1 << self.head(lane).level)
    }
}

/// The first lane of a mask after `last`, in cyclic order.
#[inline]
pub(super) fn first_after(mask: u32, last: u8) -> u8 {
    ((rotate(mask, last).trailing_zeros() + u32::from(last) + 1) % 32) as u8
}

/// The mask rotated so that the bit after `last` is the lowest.
#[inline]
fn rotate(mask: u32, last: u8) -> u32 {
    mask.rotate_right(u32::from(last) + 1)
}
