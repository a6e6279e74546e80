//! The records of input ports, outputs and pairs of them.

use crate::arbiters::RoundRobinArbiter;
use crate::fabric::packet::lanes::Lane;
use crate::fabric::packet::layout::NONE;
use crate::fabric::packet::queues::{Linked, Queue};
use crate::fabric::packet::state::Packet;
use crate::scenario::limits::MAX_PORTS;
use num_traits::PrimInt;
use std::fmt::Debug;
use std::ops::{BitAndAssign, BitOrAssign};

/// A set of ports of a switch, as a bit mask of their numbers.
pub trait PortMask: PrimInt + BitAndAssign + BitOrAssign + Default + Debug {
    /// One port alone.
    #[inline]
    fn only(port: u8) -> Self {
        Self::one() << port.into()
    }

    /// All ports of a switch that has so many, at least 1.
    #[inline]
    fn all(ports: u8) -> Self {
        Self::max_value() >> (Self::zero().count_zeros() as usize - usize::from(ports))
    }

    /// True if it has this port.
    #[inline]
    fn has(self, port: u8) -> bool {
        self >> port.into() & Self::one() == Self::one()
    }
}

impl PortMask for u64 {}
impl PortMask for u128 {}

const _: () = assert!(MAX_PORTS as u32 <= u128::BITS);

/// An input port at its crossbar.
#[derive(Debug, Clone)]
pub(super) struct Input<P> {
    /// Outputs that the foremost packets of its queues want.
    pub wanted: P,
    /// The packet of the current or last crossing, its output and its lane.
    pub packet: u32,
    pub output: u8,
    pub lane: Lane,
    /// Chooses among outputs.
    pub arbiter: RoundRobinArbiter,
}

/// An output of a crossbar.
#[derive(Debug, Clone)]
pub(super) struct Output<P> {
    /// Input ports with a queue whose foremost packet wants it.
    pub wanting: P,
    /// The input port of the current or last crossing, by its number in the switch.
    pub input: Option<u8>,
    /// Chooses among input ports.
    pub arbiter: RoundRobinArbiter,
}

/// The crossbar of a switch.
#[derive(Debug, Clone, Default)]
pub(super) struct Crossbar<P> {
    /// Input ports with a queue in a line.
    pub waiting: P,
    /// Input ports from which a packet crosses, and outputs to which one crosses.
    pub sending: P,
    pub receiving: P,
    /// On the list for arbitration.
    pub is_marked: bool,
}

/// A queue of an input port.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub(super) struct InputQueue {
    pub packets: Queue,
    /// The queue behind it in its line.
    next: u32,
    /// The credits of its foremost packet, and the lane on which it leaves the switch.
    pub credits: u16,
    pub lane: Lane,
}

impl InputQueue {
    pub const EMPTY: Self = Self { packets: Queue::EMPTY, next: NONE, credits: 0, lane: Lane(0) };

    /// Notes what has to be known of the foremost packet.
    #[inline]
    pub fn set_foremost(&mut self, p: &Packet) {
        (self.credits, self.lane) = (p.credits, p.lane);
    }
}

impl Linked for InputQueue {
    #[inline]
    fn next(&self) -> u32 {
        self.next
    }

    #[inline]
    fn link(&mut self, next: u32) {
        self.next = next;
    }
}

/// An input port and an output of one switch.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    /// Lanes with a queue at the input port whose foremost packet wants the output, as a bit mask.
    pub lanes: u32,
    /// Chooses among lanes.
    pub arbiter: RoundRobinArbiter,
}

/// How inputs and outputs are matched.
#[derive(Debug, Clone, Copy)]
pub(super) enum Matching {
    /// Each input requests one output, each output grants one input.
    RoundRobin,
    /// iSLIP with this number of iterations.
    Islip(u32),
    /// Of all packets that may cross, the one with the smallest rank goes first.
    ByRank(Rank),
}

impl Matching {
    /// True if any queue of a line may send, not only the first one.
    pub fn takes_any_of_line(self) -> bool {
        matches!(self, Self::ByRank(rank) if rank.takes_any_of_line())
    }
}

/// What the rank of a packet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rank {
    /// The bandwidth counter of its level.
    Counter,
    /// 0 while that counter is below this threshold, in blocks, and 1 from the threshold on.
    Round(i32),
    /// The cycle after that in which its line last sent; 0 if it never did.
    LastSent,
}

impl Rank {
    /// True if any queue of a line may send: by counters the packets of a line have ranks of their
    /// own. By the line's last cycle all have the same, and its queues go in turn.
    pub fn takes_any_of_line(self) -> bool {
        match self {
            Self::Counter | Self::Round(_) => true,
            Self::LastSent => false,
        }
    }
}
