//! Lanes and queues, as numbers that cannot be confused.
//!
//! A *lane* is what has credits and a part of every buffer. A *queue* is where packets wait. Which
//! queues a port has, and which one a packet joins, is up to the congestion management or, at input
//! ports of switches with combined queues that have none, to the scheme of queues.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A virtual lane of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// A set of queues of a port, as a bit mask.
pub trait QueueMask:
    Copy
    + Debug
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + BitAndAssign
    + Not<Output = Self>
{
    /// No queue.
    const EMPTY: Self;

    /// One queue alone.
    fn only(queue: QueueId) -> Self;

    /// The queue of the lowest number, if there is any.
    fn lowest(self) -> Option<QueueId>;

    /// Removes the queue of the lowest number, and returns it.
    #[inline]
    fn take_lowest(&mut self) -> Option<QueueId> {
        let lowest = self.lowest()?;
        *self &= !Self::only(lowest);
        Some(lowest)
    }
}

macro_rules! queue_mask {
    ($($mask:ty),*) => {
        $(impl QueueMask for $mask {
            const EMPTY: Self = 0;

            #[inline]
            fn only(queue: QueueId) -> Self {
                1 << queue.0
            }

            #[inline]
            fn lowest(self) -> Option<QueueId> {
                (self != 0).then(|| QueueId(self.trailing_zeros() as u8))
            }
        })*
    };
}

// One queue per lane, and 64 set-aside queues beside one queue per level.
queue_mask!(u32, u128);

impl QueueId {
    /// All queues of a port that has `count`.
    pub fn all(count: usize) -> impl Iterator<Item = Self> + Clone {
        (0..count as u8).map(Self)
    }
}
