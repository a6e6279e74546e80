//! Lanes and queues, as numbers that cannot be confused.
//!
//! A *lane* is what has credits and a part of every buffer. A *queue* is where packets wait. A
//! scheduler chooses among the queues of its output port. A switch numbers the queues of its inputs
//! itself. Output ports and NICs have one queue per lane so far; only [`QueueId::of`],
//! [`QueueId::lane`] and `Layout::queues` say so.

/// A virtual lane of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lane(pub u8);

/// A queue of an output port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueId(pub u8);

impl Lane {
    /// Its index in a list of all lanes.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// All lanes, of which there are `count`.
    pub fn all(count: usize) -> impl Iterator<Item = Self> + Clone {
        (0..count as u8).map(Self)
    }
}

impl QueueId {
    /// The queue of packets that leave on a lane.
    #[inline]
    pub fn of(lane: Lane) -> Self {
        Self(lane.0)
    }

    /// The lane on which its packets leave.
    #[inline]
    pub fn lane(self) -> Lane {
        Lane(self.0)
    }

    /// Its bit in a mask of queues.
    #[inline]
    pub fn bit(self) -> u32 {
        1 << self.0
    }

    /// The lowest queue of a mask that is not 0.
    #[inline]
    pub fn lowest(mask: u32) -> Self {
        Self(mask.trailing_zeros() as u8)
    }
}
