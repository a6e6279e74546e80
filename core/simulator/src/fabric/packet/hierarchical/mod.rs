//! The hierarchical crossbar switch (Cano-Cano et al. 2022): MPorts with a crossbar each, and a
//! central crossbar between them.
//!
//! A packet crosses once to the output buffer of a port in its own MPort, or twice, by a central
//! buffer, to any other. It reserves space in both when its first crossing begins, so a packet in a
//! central buffer always leaves it. The semantics are phases 3 and 4 of
//! `docs/model-cut-through.md`.
//!
//! Crossbar inputs and outputs share one numbering: a channel stands for the input port it leads to
//! and for the output buffer it leaves; central buffers come after all channels.

mod check;
mod crossbar;
mod inside;
mod stages;
mod state;
mod waits;
mod watch;
mod wiring;

use super::PacketFabric;
use super::buffer_space::BufferSpace;
use super::congestion::{CongestionManagement, PortBuffer, Unmanaged};
use super::deadlock::BlockedBy;
use super::lanes::Lane;
use super::switch::{StageTimes, Switch};
use crate::arbiters::{Arbiter, RoundRobinArbiter, Side};
use crate::engine::Cycle;
use crate::engine::numbered::Numbered;
use crate::engine::prefetch::prefetch;
use crate::message::Message;
use crate::network::Network;
use crate::observe::{Inside, Status};
use crate::qos::Qos;
use crate::scenario::CutThroughSpec;
use state::{CrossbarInput, CrossbarOutput, Granted, InputQueueId, RequestedOutput};
use std::marker::PhantomData;
use std::sync::Arc;
use wiring::Wiring;

/// The hierarchical switches of a network, with arbiters `A` at all crossbars and the congestion
/// management `C`.
#[derive(Debug, Clone)]
pub struct Hierarchical<A = RoundRobinArbiter, C = Unmanaged> {
    wiring: Arc<Wiring>,
    inputs: Numbered<CrossbarInput<A>>,
    outputs: Numbered<CrossbarOutput<A>>,
    /// Space of the central buffers.
    central_space: BufferSpace,
    marked_inputs: Vec<u32>,
    /// Outputs requested in this cycle.
    picked: Vec<RequestedOutput>,
    /// Grants of this cycle that reserve space in an output buffer where it may run short.
    contested: Vec<Granted>,
    /// Inputs refused in this cycle; they request again in the next one.
    retry: Vec<u32>,
    /// With a watch: inputs and their queues whose foremost packet was refused in this cycle.
    refused_requests: Vec<(u32, InputQueueId)>,
    congestion: PhantomData<C>,
}

/// A fabric of hierarchical switches.
type Fabric<A, C> = PacketFabric<Hierarchical<A, C>>;

impl<A: Arbiter, C: CongestionManagement> Switch for Hierarchical<A, C> {
    type Congestion = C;

    fn buffers(spec: &CutThroughSpec) -> Vec<(u32, &'static str)> {
        vec![(spec.central_buffer_bytes / spec.central_links, "fabric.central_buffer_bytes")]
    }

    fn new(network: &Network, spec: &CutThroughSpec, qos: &Qos, seed: u64) -> Self {
        let wiring = Wiring::new(network, spec, qos);
        let nodes = wiring.nodes();
        let centrals = nodes - wiring.ports.len();
        let arbiters = |side| A::all(&spec.arbiter, seed, side, nodes);
        Self {
            inputs: arbiters(Side::Input).map(CrossbarInput::idle).collect(),
            outputs: arbiters(Side::Output).map(CrossbarOutput::idle).collect(),
            central_space: BufferSpace::new(
                qos.tables.lanes(),
                std::iter::repeat_n(&wiring.central, centrals),
            ),
            marked_inputs: Vec::new(),
            picked: Vec::new(),
            contested: Vec::new(),
            retry: Vec::new(),
            refused_requests: Vec::new(),
            congestion: PhantomData,
            wiring: Arc::new(wiring),
        }
    }

    fn times(&self) -> StageTimes {
        self.wiring.stages.times()
    }

    #[inline]
    fn output(&self, arrives: u32, leaves: u32) -> (u32, u8) {
        self.wiring.output(arrives, leaves)
    }

    #[inline]
    fn candidate(fabric: &mut Fabric<A, C>, packet: u32) {
        fabric.candidate(packet);
    }

    #[inline]
    fn crossing_ends(fabric: &mut Fabric<A, C>, input: u32) {
        fabric.crossing_ends(input);
    }

    #[inline]
    fn space_is_free(fabric: &mut Fabric<A, C>, channel: u32) {
        fabric.wake_inputs(channel);
    }

    #[inline]
    fn arbitrate(fabric: &mut Fabric<A, C>) {
        fabric.arbitrate_all();
    }

    #[inline]
    fn arbitrates_next_cycle(&self) -> bool {
        !self.retry.is_empty()
    }

    fn last_end(&self) -> Option<Cycle> {
        self.inputs.iter().map(|s| s.free_at).max()
    }

    fn settle(fabric: &mut Fabric<A, C>) {
        for input in fabric.switch.wiring.ports.len()..fabric.switch.inputs.len() {
            fabric.settle_crossing(input as u32);
        }
    }

    #[inline]
    fn prefetch_crossing_ends(fabric: &Fabric<A, C>, inputs: impl Iterator<Item = u32> + Clone) {
        let of_switch = &fabric.switch;
        inputs.clone().for_each(|input| prefetch(&of_switch.inputs[input]));
        inputs.for_each(|input| prefetch(&of_switch.outputs[of_switch.inputs[input].output]));
    }

    #[inline]
    fn prefetch_candidates(fabric: &Fabric<A, C>, packets: impl Iterator<Item = u32> + Clone) {
        packets.clone().for_each(|packet| prefetch(&fabric.packets[packet]));
        packets.for_each(|packet| {
            let p = &fabric.packets[packet];
            prefetch(&fabric.switch.inputs[p.at]);
            prefetch(&fabric.switch.outputs[p.output]);
            prefetch(&fabric.output_ports[p.out]);
            let queue = fabric.congestion.queue(PortBuffer::Output(p.out), packet, p);
            prefetch(&fabric.queues[fabric.layout.queue(p.out, queue)]);
        });
    }

    fn visit_queues(fabric: &Fabric<A, C>, visit: &mut dyn FnMut(&mut dyn Iterator<Item = u32>)) {
        for ring in
            fabric.switch.inputs.iter().filter(|s| s.nonempty != 0).flat_map(|s| &s.candidates)
        {
            visit(&mut ring.iter(&fabric.packets));
        }
    }

    fn next_from_input(fabric: &Fabric<A, C>, channel: u32, lane: Lane) -> Option<u32> {
        fabric.next_from_input(channel, lane)
    }

    fn blocked_queues(fabric: &Fabric<A, C>) -> Vec<(Vec<u32>, BlockedBy)> {
        let queues = fabric.blocked_inputs().into_iter();
        queues.map(|queue| (queue, BlockedBy::OutputBuffer)).collect()
    }

    fn status(fabric: &Fabric<A, C>, packet: u32) -> Status {
        fabric.status_in_switch(packet)
    }

    fn inside(fabric: &Fabric<A, C>, switch: u32) -> Inside {
        fabric.inside_switch(switch)
    }

    fn check(fabric: &Fabric<A, C>) -> Result<(), Message> {
        fabric.check_central_buffers()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiters::ArbiterSpec;
    use crate::fabric::packet::trace;
    use crate::network::{Host, HostId, Switch, SwitchId};

    /// The request with the highest number always goes first.
    #[derive(Debug, Clone, Copy)]
    struct HighestFirst;

    impl Arbiter for HighestFirst {
        fn all(_: &ArbiterSpec, _: u64, _: Side, count: usize) -> impl Iterator<Item = Self> {
            std::iter::repeat_n(Self, count)
        }

        fn first(&self, requests: u64, _: u32, _: impl Fn(u8) -> u8) -> u8 {
            63 - requests.leading_zeros() as u8
        }

        fn granted(&mut self, _: u8, _: u8) {}
    }

    /// Two hosts send to a third one at the same time; returns who is served first.
    fn first_served<A: Arbiter>() -> usize {
        let switch = Switch { name: "s".into(), ports: 4, position: None };
        let host =
            |port| Host { name: format!("h{port}"), switch: SwitchId(0), port, position: None };
        let network = Network::new(vec![switch], (0..3).map(host).collect(), vec![]);
        let message = |from| trace::MessageSpec {
            generated: 0,
            from: HostId(from),
            to: HostId(2),
            payload: 64,
            level: 0,
            steps: vec![],
        };
        let trace = trace::run_watched::<Hierarchical<A>>(
            &network,
            &CutThroughSpec::default(),
            &[message(0), message(1)],
            10_000,
            u64::MAX,
            |_| {},
        );
        let delivered = trace.expect("valid").messages.into_iter().map(|m| m.delivered);
        delivered.enumerate().min_by_key(|&(_, at)| at.expect("it arrives")).expect("two").0
    }

    #[test]
    fn the_arbiter_decides_who_crosses_first() {
        assert_eq!([first_served::<RoundRobinArbiter>(), first_served::<HighestFirst>()], [0, 1]);
    }
}
