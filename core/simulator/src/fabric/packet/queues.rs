//! Queues of packets or messages, linked through the elements.

use super::layout::NONE;
use super::state::Packet;
use crate::engine::numbered::Numbered;

/// An element of a [`Queue`], which knows the element behind it.
pub trait Linked {
    fn next(&self) -> u32;
    fn link(&mut self, next: u32);
}

/// A bare number of the element behind.
impl Linked for u32 {
    #[inline]
    fn next(&self) -> u32 {
        *self
    }

    #[inline]
    fn link(&mut self, next: u32) {
        *self = next;
    }
}

/// A queue of packets or messages, linked through the elements.
#[derive(Debug, Clone, Copy)]
pub struct Queue {
    pub head: u32,
    tail: u32,
}

impl Queue {
    pub const EMPTY: Self = Self { head: NONE, tail: NONE };

    /// Appends an element; returns the one before it, if any.
    #[inline]
    pub fn push(&mut self, all: &mut Numbered<impl Linked>, one: u32) -> Option<u32> {
        all[one].link(NONE);
        let before = std::mem::replace(&mut self.tail, one);
        if self.head == NONE {
            self.head = one;
            return None;
        }
        all[before].link(one);
        Some(before)
    }

    /// True if it has no element.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.head == NONE
    }

    /// Removes an element, if it is there.
    pub fn remove(&mut self, all: &mut Numbered<impl Linked>, one: u32) {
        let (mut before, mut at) = (NONE, self.head);
        while at != one {
            if at == NONE {
                return;
            }
            (before, at) = (at, all[at].next());
        }
        let next = all[one].next();
        match before {
            NONE => self.head = next,
            _ => all[before].link(next),
        }
        if self.tail == one {
            self.tail = before;
        }
    }

    /// Removes the foremost element, which must exist.
    #[inline]
    pub fn pop(&mut self, all: &Numbered<impl Linked>) -> u32 {
        let one = self.head;
        // The last element is recognised without reading it.
        self.head = if one == self.tail { NONE } else { all[one].next() };
        one
    }
}

/// A queue of packets that stores only its last packet, whose `next` is the foremost. Half the size
/// of a [`Queue`], for queues that are mostly empty or hold one packet.
#[derive(Debug, Clone, Copy)]
pub struct Ring(u32);

impl Ring {
    pub const EMPTY: Self = Self(NONE);

    /// Appends a packet; true if the queue was empty.
    #[inline]
    pub fn push(&mut self, packets: &mut Numbered<Packet>, packet: u32) -> bool {
        let was_empty = self.0 == NONE;
        let first = if was_empty { packet } else { packets[self.0].next };
        packets[packet].next = first;
        if !was_empty {
            packets[self.0].next = packet;
        }
        self.0 = packet;
        was_empty
    }

    /// The foremost packet, which must exist.
    #[inline]
    pub fn first(&self, packets: &Numbered<Packet>) -> u32 {
        packets[self.0].next
    }

    /// Removes the foremost packet, which must be `first`; true if none is left.
    #[inline]
    pub fn pop(&mut self, packets: &mut Numbered<Packet>, first: u32) -> bool {
        if self.0 == first {
            self.0 = NONE;
            return true;
        }
        packets[self.0].next = packets[first].next;
        false
    }

    /// All packets, foremost first.
    pub fn iter(self, packets: &Numbered<Packet>) -> impl Iterator<Item = u32> {
        let first = (self.0 != NONE).then(|| self.first(packets));
        std::iter::successors(first, move |&p| (p != self.0).then(|| packets[p].next))
    }
}
