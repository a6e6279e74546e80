//! The part of the fabric that is exchanged with the kind of switch.
//!
//! The fabric knows a switch from outside. A packet arrives at an input port and holds space in the
//! input buffer until the switch returns its credits ([`PacketFabric::return_credits`]). Later the
//! switch hands it to a queue of an output port ([`PacketFabric::queue_output`]), with space in the
//! output buffer reserved. All that happens in between is the switch's, and [`Stage::Inside`] is
//! for packets in its own buffers. If the output buffer has no space, the switch asks to be told
//! when there is some ([`PacketFabric::await_output_space`]).
//!
//! A type that implements [`Switch`] holds the state of all switches of a network. Its functions
//! take the whole fabric, since a crossing also changes packets, credits, buffers and output ports.
//!
//! [`Stage::Inside`]: super::state::Stage::Inside

use super::PacketFabric;
use super::congestion::CongestionManagement;
use super::deadlock::BlockedBy;
use super::lanes::{Lane, QueueId};
use crate::engine::Cycle;
use crate::message::Message;
use crate::network::Network;
use crate::observe::{Inside, Status};
use crate::qos::Qos;
use crate::scenario::CutThroughSpec;
use std::fmt::Debug;

/// A kind of switch.
pub trait Switch: Clone + Debug {
    /// What decides in which queues of its ports, and of the NICs, packets wait.
    type Congestion: CongestionManagement;

    /// The bytes of each buffer within a switch, besides those of its ports, with the field of the
    /// scenario that says so. [`Qos::switch`] has their divisions in this order.
    fn buffers(spec: &CutThroughSpec) -> Vec<(u32, &'static str)>;

    /// The switches of a network, empty. `seed` is that of the run's random streams.
    fn new(network: &Network, spec: &CutThroughSpec, qos: &Qos, seed: u64) -> Self;

    /// What the fabric must know of the stages of a switch.
    fn times(&self) -> StageTimes;

    /// The crossbar output wanted by a packet that arrives on one channel and leaves on another,
    /// and a number that the switch wants with it: the slot of the input in the output's arbiter,
    /// or the number of the output. The packet carries both.
    fn output(&self, arrives: u32, leaves: u32) -> (u32, u8);

    /// A packet becomes a candidate at its crossbar input.
    fn candidate(fabric: &mut PacketFabric<Self>, packet: u32);

    /// The end-of-crossing event of a crossbar input.
    fn crossing_ends(fabric: &mut PacketFabric<Self>, input: u32);

    /// A packet has left an output buffer for which [`PacketFabric::await_output_space`] was
    /// called.
    fn space_is_free(fabric: &mut PacketFabric<Self>, channel: u32);

    /// True if a NIC may take a packet of some credits for a host from its application, to send it
    /// on a channel and lane. The NIC itself checks the space in its send buffer.
    #[inline]
    fn may_take(
        _fabric: &PacketFabric<Self>,
        _channel: u32,
        _lane: Lane,
        _to: u16,
        _credits: u16,
    ) -> bool {
        true
    }

    /// A NIC takes a packet that it may take.
    #[inline]
    fn takes(_: &mut PacketFabric<Self>, _channel: u32, _lane: Lane, _to: u16, _credits: u16) {}

    /// The event of credits that only this switch knows, at the sender of a channel.
    fn private_credits_arrive(_fabric: &mut PacketFabric<Self>, _channel: u32) {}

    /// Phases 3 and 4 of the model.
    fn arbitrate(fabric: &mut PacketFabric<Self>);

    /// Phase 6 of the model: the congestion management, of switches that have one.
    #[inline]
    fn manage_congestion(_fabric: &mut PacketFabric<Self>) {}

    /// True if there is something to arbitrate in the next cycle, without an event.
    fn arbitrates_next_cycle(&self) -> bool;

    /// The cycle in which the last crossing without an event ends.
    fn last_end(&self) -> Option<Cycle> {
        None
    }

    /// Brings lazy state up to date.
    fn settle(fabric: &mut PacketFabric<Self>);

    /// Prefetches what the end-of-crossing events of crossbar inputs read first.
    fn prefetch_crossing_ends(_: &PacketFabric<Self>, _: impl Iterator<Item = u32> + Clone) {}

    /// Prefetches what packets that become candidates read first.
    fn prefetch_candidates(_: &PacketFabric<Self>, _: impl Iterator<Item = u32> + Clone) {}

    /// Passes every queue of candidates to `visit`, the foremost first.
    fn visit_queues(
        fabric: &PacketFabric<Self>,
        visit: &mut dyn FnMut(&mut dyn Iterator<Item = u32>),
    );

    /// The packet that leaves the input buffer of a channel next, preferably one on `lane`.
    fn next_from_input(fabric: &PacketFabric<Self>, channel: u32, lane: Lane) -> Option<u32>;

    /// The queues of candidates at input ports whose foremost packet waits for nothing but space in
    /// the output buffer of the channel it leaves by, or for another packet to leave first.
    fn blocked_queues(fabric: &PacketFabric<Self>) -> Vec<(Vec<u32>, BlockedBy)>;

    /// The foremost packet of a queue at the input port of a channel, where a congestion management
    /// stops queues.
    fn first_of_queue(_: &PacketFabric<Self>, _channel: u32, _: QueueId) -> Option<u32> {
        None
    }

    /// The status of a packet in a switch or on its way there.
    fn status(fabric: &PacketFabric<Self>, packet: u32) -> Status;

    /// The state of a switch; empty if there is no such switch.
    fn inside(fabric: &PacketFabric<Self>, switch: u32) -> Inside;

    /// Checks that the switch's own buffers hold exactly their packets.
    ///
    /// # Errors
    ///
    /// What is broken.
    fn check(fabric: &PacketFabric<Self>) -> Result<(), Message>;
}

/// Stage times of a switch that the fabric must know, in cycles.
#[derive(Debug, Clone, Copy)]
pub struct StageTimes {
    /// From the arrival of the first flit at an input port until the packet is a candidate.
    pub input: u64,
    /// From the arrival of a flit at an input port until it may cross.
    pub buffering: u64,
    /// From the grant until the packet is ready at the output buffer, at most.
    pub output: u64,
    /// The sum of all stages.
    pub sum: u64,
}
