//! The combined input-output queued switch (Martínez et al., Advanced Switching): one crossbar with
//! internal speed-up between an input buffer and an output buffer at each port.
//!
//! A packet waits in a queue of its lane at the input port: one for all, one for each output, or
//! one for each destination host. It crosses as a whole, and its space in the output buffer is
//! reserved when the crossing begins. The semantics are those of `docs/model-cioq.md`.
//!
//! The invariant between cycles: a queue that is not empty is in exactly one line, that of its lane
//! and of the output its foremost packet wants; bit masks say which lines are not empty, and
//! between which ports packets cross. Each crossing ends with an event. The scheme of queues and
//! the arbiter are chosen at run time, the congestion management and the width of sets of ports at
//! compile time. What packets in output buffers do is the fabric's.

mod by_rank;
mod check;
mod crossbar;
mod inside;
mod matching;
mod private;
mod saqs;
mod state;
mod waits;
mod watch;
mod wiring;

use super::PacketFabric;
use super::congestion::{CongestionManagement, Unmanaged};
use super::deadlock::BlockedBy;
use super::lanes::{Lane, QueueId};
use super::layout::NONE;
use super::queues::Queue;
use super::switch::{StageTimes, Switch};
use crate::arbiters::{ArbiterSpec, BLOCK_BYTES, RoundRobinArbiter};
use crate::engine::Cycle;
use crate::engine::numbered::Numbered;
use crate::message::Message;
use crate::network::Network;
use crate::observe::{Inside, Status};
use crate::qos::Qos;
use crate::scenario::{CutThroughSpec, SwitchSpec};
use private::PrivateCredits;
use state::{Crossbar, Input, InputQueue, Matching, Output, Pair, PortMask, Rank};
use std::marker::PhantomData;
use std::sync::Arc;
use wiring::Wiring;

/// The combined input-output queued switches of a network, with the congestion management `C`. Sets
/// of ports of the largest switch fit into `P`.
#[derive(Debug, Clone)]
pub struct CombinedQueues<C = Unmanaged, P = u64> {
    wiring: Arc<Wiring>,
    matching: Matching,
    /// Cycles from the arrival of a flit at an input port until it may cross.
    input_cycles: u64,
    /// Rate of the crossbar, per cent of that of a link.
    speedup_percent: u32,
    /// Per port.
    inputs: Numbered<Input<P>>,
    outputs: Numbered<Output<P>>,
    /// Per pair.
    pairs: Numbered<Pair>,
    /// Per pair and lane: the queues whose foremost packets want that output.
    lines: Numbered<Queue>,
    /// Per pair and lane, if lines are ranked by it: the cycle after that in which the line last
    /// sent, 0 if it never did; else empty.
    last_sent: Numbered<Cycle>,
    queues: Numbered<InputQueue>,
    /// If each queue has credits of its own.
    private: Option<Box<PrivateCredits>>,
    /// Per switch.
    crossbars: Numbered<Crossbar<P>>,
    /// Switches that arbitrate in this cycle.
    marked: Vec<u32>,
    /// Switches that arbitrate again in the next cycle.
    retry: Vec<u32>,
    /// During a matching, per output the input ports that request it, or per input port the outputs
    /// that grant it; else empty.
    asking: Numbered<P>,
    /// During a matching, per input port: the lane of its request.
    lanes: Numbered<Lane>,
    congestion: PhantomData<C>,
}

/// A fabric of such switches.
type Fabric<C, P> = PacketFabric<CombinedQueues<C, P>>;

impl<C: CongestionManagement, P: PortMask> Switch for CombinedQueues<C, P> {
    type Congestion = C;

    fn buffers(_: &CutThroughSpec) -> Vec<(u32, &'static str)> {
        Vec::new()
    }

    fn new(network: &Network, spec: &CutThroughSpec, qos: &Qos, _: u64) -> Self {
        let SwitchSpec::CombinedQueues(parameters) = &spec.switch else {
            unreachable!("`with_switch!` gives each kind of switch its own parameters");
        };
        let lanes = qos.tables.lanes();
        let saqs = parameters.congestion.saqs();
        let wiring = Wiring::new(network, parameters.queues, lanes, saqs);
        let (ports, pairs, queues) = (wiring.ports.len(), wiring.pairs, wiring.queues);
        let most = network.most_ports().into();
        let arbiter = RoundRobinArbiter::default();
        let input = Input {
            wanted: P::zero(),
            packet: NONE,
            output: 0,
            lane: Lane(0),
            arbiter: arbiter.clone(),
        };
        let output = Output { wanting: P::zero(), input: None, arbiter: arbiter.clone() };
        let matching = match &spec.arbiter {
            ArbiterSpec::Islip(islip) => Matching::Islip(islip.iterations),
            ArbiterSpec::SmallestCounter(_) => Matching::ByRank(Rank::Counter),
            ArbiterSpec::CounterThreshold(counters) => {
                let blocks = counters.threshold_bytes / BLOCK_BYTES;
                Matching::ByRank(Rank::Round(blocks as i32))
            }
            ArbiterSpec::LeastRecentlyServed(_) => Matching::ByRank(Rank::LastSent),
            ArbiterSpec::RoundRobin(_) => Matching::RoundRobin,
            _ => unreachable!("validation refuses the arbiters that these switches do not have"),
        };
        let is_by_last_sent = matches!(matching, Matching::ByRank(Rank::LastSent));
        Self {
            matching,
            input_cycles: parameters.crossing_cycles(spec.cycle_ps) - 1,
            speedup_percent: parameters.speedup_percent,
            inputs: vec![input; ports].into(),
            outputs: vec![output; ports].into(),
            pairs: vec![Pair { lanes: 0, arbiter }; pairs].into(),
            lines: vec![Queue::EMPTY; pairs * lanes].into(),
            last_sent: vec![0; if is_by_last_sent { pairs * lanes } else { 0 }].into(),
            queues: vec![InputQueue::EMPTY; queues].into(),
            private: spec
                .switch
                .has_private_credits()
                .then(|| Box::new(PrivateCredits::new(network, qos))),
            crossbars: vec![Crossbar::default(); network.switches().len()].into(),
            marked: Vec::new(),
            retry: Vec::new(),
            asking: vec![P::zero(); most].into(),
            lanes: vec![Lane(0); most].into(),
            congestion: PhantomData,
            wiring: Arc::new(wiring),
        }
    }

    fn times(&self) -> StageTimes {
        let input = self.input_cycles;
        StageTimes { input, buffering: input, output: 1, sum: input + 1 }
    }

    #[inline]
    fn output(&self, _: u32, leaves: u32) -> (u32, u8) {
        (leaves, self.wiring.ports[self.wiring.outputs[leaves]].number)
    }

    #[inline]
    fn candidate(fabric: &mut Fabric<C, P>, packet: u32) {
        fabric.candidate(packet);
    }

    #[inline]
    fn crossing_ends(fabric: &mut Fabric<C, P>, input: u32) {
        fabric.crossing_ends(input);
    }

    #[inline]
    fn space_is_free(fabric: &mut Fabric<C, P>, channel: u32) {
        let port = fabric.switch.wiring.outputs[channel];
        fabric.mark_switch(fabric.switch.wiring.ports[port].switch);
    }

    #[inline]
    fn may_take(fabric: &Fabric<C, P>, channel: u32, lane: Lane, to: u16, credits: u16) -> bool {
        fabric.has_private_credits(channel, lane, to, credits)
    }

    #[inline]
    fn takes(fabric: &mut Fabric<C, P>, channel: u32, lane: Lane, to: u16, credits: u16) {
        fabric.take_private_credits(channel, lane, to, credits);
    }

    fn private_credits_arrive(fabric: &mut Fabric<C, P>, channel: u32) {
        fabric.private_credits_arrive(channel);
    }

    #[inline]
    fn arbitrate(fabric: &mut Fabric<C, P>) {
        fabric.arbitrate_all();
    }

    #[inline]
    fn manage_congestion(fabric: &mut Fabric<C, P>) {
        fabric.manage_saqs();
    }

    #[inline]
    fn arbitrates_next_cycle(&self) -> bool {
        !self.retry.is_empty()
    }

    fn settle(_: &mut Fabric<C, P>) {}

    fn visit_queues(fabric: &Fabric<C, P>, visit: &mut dyn FnMut(&mut dyn Iterator<Item = u32>)) {
        for queue in fabric.switch.queues.iter() {
            visit(&mut fabric.queue(queue.packets.head));
        }
    }

    fn next_from_input(fabric: &Fabric<C, P>, channel: u32, lane: Lane) -> Option<u32> {
        fabric.next_from_input_port(channel, lane)
    }

    fn blocked_queues(fabric: &Fabric<C, P>) -> Vec<(Vec<u32>, BlockedBy)> {
        fabric.blocked_queues_at_inputs()
    }

    fn first_of_queue(fabric: &Fabric<C, P>, channel: u32, queue: QueueId) -> Option<u32> {
        fabric.packets_in(fabric.queue_at(channel, queue)).next()
    }

    fn status(fabric: &Fabric<C, P>, packet: u32) -> Status {
        fabric.status_in_switch(packet)
    }

    fn inside(fabric: &Fabric<C, P>, switch: u32) -> Inside {
        fabric.inside_switch(switch)
    }

    fn check(fabric: &Fabric<C, P>) -> Result<(), Message> {
        fabric.check_lines()
    }
}
