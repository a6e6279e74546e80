//! Lanes and queues, as numbers that cannot be confused.
//!
//! A *lane* is what has credits and a part of every buffer. A *queue* is where packets wait. Which
//! queues a port has, and which one a packet joins, is up to the congestion management.

/// A virtual lane of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lane(pub u8);

/// A queue of a port.
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
    /// All queues of a port that has `count`.
    pub fn all(count: usize) -> impl Iterator<Item = Self> + Clone {
        (0..count as u8).map(Self)
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
