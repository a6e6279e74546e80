//! The queue of worms announced to a receiver, foremost first: nearly always one or two.

use crate::engine::Cycle;
use std::collections::VecDeque;

/// A worm announced to a receiver: in its buffer, on the link, or still to be sent.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Worm {
    /// Cycle in which its first flit arrives; `NEVER` while the sender holds it back.
    pub arrival: Cycle,
    /// Slot of its message.
    pub message: u32,
    /// Its length on this channel, flits.
    pub flits: u32,
}

/// Worms stored inline. Short messages on a busy channel have more, which are stored on the heap.
const INLINE: usize = 3;

/// A queue of worms.
#[derive(Debug, Clone, Default)]
#[repr(C)]
pub(super) struct Worms {
    len: u32,
    inline: [Worm; INLINE],
    /// The worms behind the inline ones.
    #[allow(clippy::box_collection, reason = "a word in every channel, used by few")]
    more: Option<Box<VecDeque<Worm>>>,
}

impl Worms {
    /// Number of worms.
    #[inline]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// True if there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The foremost worm.
    #[inline]
    pub fn front(&self) -> Option<&Worm> {
        (self.len > 0).then_some(&self.inline[0])
    }

    /// The foremost worm of a queue that is not empty.
    #[inline]
    pub fn foremost(&self) -> &Worm {
        debug_assert!(self.len > 0);
        &self.inline[0]
    }

    /// The worm behind the foremost.
    #[inline]
    pub fn second(&self) -> Option<&Worm> {
        (self.len > 1).then_some(&self.inline[1])
    }

    /// The worm at an index; the foremost has index 0.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Worm> {
        if index >= self.len() {
            None
        } else if index < INLINE {
            Some(&mut self.inline[index])
        } else {
            self.more.as_mut()?.get_mut(index - INLINE)
        }
    }

    /// The last worm.
    #[inline]
    pub fn back(&self) -> Option<&Worm> {
        self.iter().next_back()
    }

    /// Appends a worm.
    #[inline]
    pub fn push_back(&mut self, worm: Worm) {
        if let Some(free) = self.inline.get_mut(self.len as usize) {
            *free = worm;
        } else {
            self.more.get_or_insert_default().push_back(worm);
        }
        self.len += 1;
    }

    /// Removes and returns the foremost worm.
    #[inline]
    pub fn pop_front(&mut self) -> Option<Worm> {
        let first = self.front().copied()?;
        self.inline.copy_within(1.., 0);
        if self.len() > INLINE {
            self.refill();
        }
        self.len -= 1;
        Some(first)
    }

    #[cold]
    fn refill(&mut self) {
        if let Some(next) = self.more.as_mut().and_then(|more| more.pop_front()) {
            self.inline[INLINE - 1] = next;
        }
    }

    /// Removes all worms.
    #[inline]
    pub fn clear(&mut self) {
        // `more` is in another cache line and rarely used.
        if self.len() > INLINE
            && let Some(more) = &mut self.more
        {
            more.clear();
        }
        self.len = 0;
    }

    /// All worms, foremost first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Worm> {
        let inline = &self.inline[..self.len().min(INLINE)];
        inline.iter().chain(self.more.iter().flat_map(|more| more.iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::stream;
    use rand::RngExt;

    #[test]
    fn a_queue_is_a_queue() {
        let mut random = stream(5, "worms", 0);
        let (mut worms, mut plain) = (Worms::default(), VecDeque::new());
        for message in 0..5000 {
            // Fills up to about 8 and empties again.
            if random.random_range(0..16) >= plain.len() as u64 {
                worms.push_back(Worm { message, ..Worm::default() });
                plain.push_back(message);
            } else {
                assert_eq!(worms.pop_front().map(|w| w.message), plain.pop_front());
            }
            if random.random_range(0..100) == 0 {
                worms.clear();
                plain.clear();
            }
            assert_eq!((worms.len(), worms.is_empty()), (plain.len(), plain.is_empty()));
            assert!(worms.iter().map(|w| &w.message).eq(plain.iter()));
            assert_eq!(worms.front().map(|w| w.message), plain.front().copied());
            assert_eq!(worms.back().map(|w| w.message), plain.back().copied());
            let index = random.random_range(0..9);
            assert_eq!(worms.get_mut(index).map(|w| w.message), plain.get(index).copied());
        }
    }
}
