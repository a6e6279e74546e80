//! The fabric of a simulation: any of them, behind one interface. Each combination of a packet
//! fabric's parts is a variant, compiled for itself.

use super::packet::{CombinedQueues, Hierarchical, PacketFabric, Recn, Unmanaged};
use super::wormhole::{Wormhole, itb_memory};
use super::{Deadlock, Driver};
use crate::admission;
use crate::arbiters::OtherArbiter;
use crate::engine::Cycle;
use crate::message::Message;
use crate::messages;
use crate::network::Network;
use crate::observe::{
    CongestionTrees, Inside, MessageState, NicInside, SaqCounts, Snapshot, Watch,
};
use crate::problem::Problems;
use crate::qos;
use crate::routing::{RouteTable, check_turn_pools};
use crate::scenario::{FabricSpec, FlowSpec, Scenario, SourceRoute};
use std::sync::Arc;

/// Defines [`Fabric`] from the list of the packet fabrics, each with the type of its switches.
macro_rules! fabrics {
    ($( $(#[$about:meta])* $variant:ident of $Switch:ty, )+) => {
        /// A fabric in the middle of a run. A clone is a checkpoint.
        #[derive(Debug, Clone)]
        pub enum Fabric {
            /// Wormhole switching.
            Wormhole(Box<Wormhole>),
            $( $(#[$about])* $variant(Box<PacketFabric<$Switch>>), )+
        }

        $(
            impl From<PacketFabric<$Switch>> for Fabric {
                fn from(fabric: PacketFabric<$Switch>) -> Self {
                    Self::$variant(Box::new(fabric))
                }
            }
        )+
    };
}

fabrics! {
    /// Virtual cut-through in hierarchical switches.
    Hierarchical of Hierarchical,
    /// Such switches with arbiters other than round robin.
    OtherHierarchical of Hierarchical<OtherArbiter>,
    /// Virtual cut-through in switches with combined input and output queues.
    CombinedQueues of CombinedQueues,
    /// Such switches with more than 64 ports.
    LargeCombinedQueues of CombinedQueues<Unmanaged, u128>,
    /// Switches with combined queues and set-aside queues.
    Recn of CombinedQueues<Recn>,
    /// Such switches with more than 64 ports.
    LargeRecn of CombinedQueues<Recn, u128>,
}

/// Totals over a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Messages generated.
    pub generated: u64,
    /// Messages delivered.
    pub delivered: u64,
    /// Messages dropped by time-out.
    pub dropped: u64,
    /// Events handled.
    pub events: u64,
    /// Packets that crossed a switch; `None` where packets have no meaning (wormhole).
    pub packet_hops: Option<u64>,
}

/// Calls the same method of any fabric; or of any packet fabric, with another expression for
/// wormhole switching.
macro_rules! any {
    ($any:expr, $fabric:ident => $call:expr) => {
        any!($any, $fabric => $call, $fabric => $call)
    };
    ($any:expr, $fabric:ident => $call:expr, $wormhole:pat => $other:expr) => {
        match $any {
            Fabric::Wormhole($wormhole) => $other,
            Fabric::Hierarchical($fabric) => $call,
            Fabric::OtherHierarchical($fabric) => $call,
            Fabric::CombinedQueues($fabric) => $call,
            Fabric::LargeCombinedQueues($fabric) => $call,
            Fabric::Recn($fabric) => $call,
            Fabric::LargeRecn($fabric) => $call,
        }
    };
}

/// Evaluates an expression in which `$Switch` is the type of the switches of a `CutThroughSpec` and
/// a network. That type is chosen here only.
macro_rules! with_switch {
    ($spec:expr, $network:expr, $Switch:ident => $do:expr) => {{
        use crate::arbiters::{ArbiterSpec, OtherArbiter};
        use crate::congestion::CongestionSpec;
        use crate::fabric::packet::{CombinedQueues, Hierarchical, Recn, Unmanaged};
        use crate::scenario::SwitchSpec;
        match (&$spec.switch, &$spec.arbiter) {
            (SwitchSpec::Hierarchical(_), ArbiterSpec::RoundRobin(_)) => {
                type $Switch = Hierarchical;
                $do
            }
            (SwitchSpec::Hierarchical(_), _) => {
                type $Switch = Hierarchical<OtherArbiter>;
                $do
            }
            (SwitchSpec::CombinedQueues(switch), _) => {
                let is_large = u32::from($network.most_ports()) > u64::BITS;
                match (&switch.congestion, is_large) {
                    (CongestionSpec::Unmanaged(_), false) => {
                        type $Switch = CombinedQueues;
                        $do
                    }
                    (CongestionSpec::Unmanaged(_), true) => {
                        type $Switch = CombinedQueues<Unmanaged, u128>;
                        $do
                    }
                    (CongestionSpec::Recn(_) | CongestionSpec::RecnQos(_), false) => {
                        type $Switch = CombinedQueues<Recn>;
                        $do
                    }
                    (CongestionSpec::Recn(_) | CongestionSpec::RecnQos(_), true) => {
                        type $Switch = CombinedQueues<Recn, u128>;
                        $do
                    }
                }
            }
        }
    }};
}
pub(super) use with_switch;

impl Fabric {
    /// Checks all that does not depend on routes: levels, lanes, schedulers, buffers, and the
    /// levels of the flows.
    ///
    /// # Errors
    ///
    /// All problems of the parameters.
    pub fn check_parameters(
        spec: &FabricSpec,
        network: &Network,
        flows: &[FlowSpec],
    ) -> Result<(), Problems> {
        match spec {
            FabricSpec::Wormhole(_) => Ok(()),
            FabricSpec::CutThrough(spec) => {
                let qos =
                    with_switch!(spec, network, S => PacketFabric::<S>::resolve(spec, network)?);
                let mut problems = Problems::default();
                if let Some(admission) = &spec.qos.admission {
                    admission::check(admission, flows, qos.tables.levels(), &mut problems);
                }
                let checked = qos.tables.check_flows(flows, network.hosts().len(), "traffic");
                problems.0.extend(checked.err().into_iter().flat_map(|wrong| wrong.0));
                problems.or(())
            }
        }
    }

    /// Memory of an idle fabric whose routes have so many steps, bytes; an estimate.
    pub fn bytes(spec: &FabricSpec, network: &Network, steps: u64) -> u64 {
        match spec {
            FabricSpec::Wormhole(_) => Wormhole::bytes(network, steps),
            FabricSpec::CutThrough(cut_through) => {
                let lanes = u64::from(spec.technique().lanes());
                let queues = cut_through.switch.queue_bytes(network, &cut_through.arbiter, lanes);
                let others = with_switch!(cut_through, network, S => {
                    PacketFabric::<S>::bytes(network, lanes)
                });
                queues + others
            }
        }
    }

    /// Checks that headers can name all routes, and that every message fits the ITB memory at every
    /// in-transit stop of every route.
    ///
    /// # Errors
    ///
    /// The longest route if its turns exceed the turn pool, or the flows with messages that do not
    /// fit.
    pub fn check_routes(
        spec: &FabricSpec,
        network: &Network,
        flows: &[FlowSpec],
        table: &RouteTable,
    ) -> Result<(), Problems> {
        if let Some(SourceRoute::TurnPool { bits }) = spec.technique().source_route() {
            check_turn_pools(network, table, bits, messages::wider_turn_pool)?;
        }
        match spec {
            FabricSpec::Wormhole(spec) => itb_memory::check(spec, flows, table),
            // Packets stop in transit, and [`Self::check_parameters`] compares the largest.
            FabricSpec::CutThrough(_) => Ok(()),
        }
    }

    /// What is worth a warning in a scenario that can run, each with place, reason and fix.
    pub fn warnings(scenario: &Scenario) -> Problems {
        match &scenario.fabric {
            FabricSpec::Wormhole(_) => Problems::default(),
            FabricSpec::CutThrough(spec) => qos::warnings(spec, &scenario.traffic),
        }
    }

    /// An idle fabric. Ranges of numbers are checked by validation, not here. `seed` is that of the
    /// run's random streams.
    ///
    /// # Errors
    ///
    /// All problems of the parameters.
    pub fn new(
        spec: &FabricSpec,
        network: Arc<Network>,
        table: Arc<RouteTable>,
        seed: u64,
    ) -> Result<Self, Problems> {
        Ok(match spec {
            FabricSpec::Wormhole(spec) => {
                Self::Wormhole(Box::new(Wormhole::new(network, table, spec)))
            }
            FabricSpec::CutThrough(spec) => {
                with_switch!(spec, network, S => {
                    PacketFabric::<S>::new(network, table, spec, seed)?.into()
                })
            }
        })
    }

    /// What set-aside queues did, per channel at the port that it leaves and at the one that it
    /// leads to; empty without any.
    pub fn saqs(&self) -> Vec<[SaqCounts; 2]> {
        any!(self, f => f.saqs(), _ => Vec::new())
    }

    /// The lives of congestion trees.
    pub fn congestion_trees(&self) -> CongestionTrees {
        any!(self, f => f.congestion_trees(), _ => CongestionTrees::default())
    }

    /// Turns the search for deadlocks off, for routes proven acyclic without in-transit stops.
    pub fn skip_deadlock_search(&mut self) {
        any!(self, f => f.skip_deadlock_search());
    }

    /// True if the choice of lanes avoids every cycle, so that no deadlock can arise whatever
    /// cycles the routes close.
    pub fn lanes_avoid_cycles(&self) -> bool {
        any!(self, f => f.lanes_avoid_cycles())
    }

    /// Calls [`Driver::tail_sent`] from now on.
    pub fn report_tails(&mut self) {
        any!(self, f => f.report_tails());
    }

    /// Schedules the first generation event of `source`.
    pub fn start_source(&mut self, source: u32, cycle: Cycle) {
        any!(self, f => f.start_source(source, cycle));
    }

    /// The last cycle handled.
    pub fn now(&self) -> Cycle {
        any!(self, f => f.now())
    }

    /// Cycle of the next event.
    pub fn next_event(&self) -> Option<Cycle> {
        any!(self, f => f.next_event())
    }

    /// The first deadlock found, if any.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        any!(self, f => f.deadlock())
    }

    /// Reports events to this watch from now on, or to none.
    pub fn watch_with(&mut self, watch: Option<Watch>) {
        any!(self, f => f.watch_with(watch));
    }

    /// The watch, if there is one.
    pub fn watcher(&self) -> Option<&Watch> {
        any!(self, f => f.watcher())
    }

    /// The watch, to be configured.
    pub fn watcher_mut(&mut self) -> Option<&mut Watch> {
        any!(self, f => f.watcher_mut())
    }

    /// Handles all events up to and including cycle `end`. Returns false if it stops earlier, at
    /// the end of a cycle: because `stop` returns true, a deadlock is found or the watch
    /// interrupts. The clock stays at the last event, and lazy state is not brought up to date; see
    /// [`Self::pass_to`] and [`Self::settle`].
    pub fn run_on<D: Driver>(
        &mut self,
        end: Cycle,
        driver: &mut D,
        stop: impl Fn(&D) -> bool,
    ) -> bool {
        any!(self, f => f.run_on(end, driver, |d, f| {
            stop(d) || f.deadlock().is_some() || f.watcher().is_some_and(Watch::interrupts)
        }))
    }

    /// Moves the clock to a cycle up to which all events have been handled.
    pub fn pass_to(&mut self, cycle: Cycle) {
        any!(self, f => f.pass_to(cycle));
    }

    /// Brings lazy state up to date, in time proportional to the number of channels. Call it before
    /// reading anything but the time and the totals.
    pub fn settle(&mut self) {
        any!(self, f => f.settle());
    }

    /// Totals over the run so far.
    pub fn counts(&self) -> Counts {
        any!(self, f => f.counts())
    }

    /// Messages of each host of which nothing has been injected.
    pub fn waiting(&self) -> Vec<u64> {
        any!(self, f => f.waiting())
    }

    /// Cycles in which a flit was sent on a channel, up to now.
    pub fn busy_cycles(&self, channel: usize) -> u64 {
        any!(self, f => f.busy_cycles(channel))
    }

    /// Blocked cycles of a channel, up to now.
    pub fn blocked_cycles(&self, channel: usize) -> u64 {
        any!(self, f => f.blocked_cycles(channel))
    }

    /// In-transit messages, or packets, that did not fit into ITB memory when they came.
    pub fn itb_overflows(&self) -> u64 {
        any!(self, f => f.itb_overflows())
    }

    /// Most ITB memory ever in use at a host, bytes.
    pub fn itb_memory_peak(&self, host: usize) -> u32 {
        any!(self, f => f.itb_memory_peak(host))
    }

    /// Fills the counters of a snapshot: totals, levels and hosts.
    pub fn sums(&self, into: &mut Snapshot) {
        any!(self, f => f.sums(into));
    }

    /// Fills a snapshot except for its spans and waits.
    pub fn usage(&self, into: &mut Snapshot) {
        any!(self, f => f.usage(into));
    }

    /// Fills a snapshot of this moment.
    pub fn snapshot(&self, into: &mut Snapshot) {
        any!(self, f => f.snapshot(into));
    }

    /// Adds the wait-for relation among messages to a snapshot.
    pub fn add_waits(&self, snapshot: &mut Snapshot) {
        any!(self, f => f.who_waits(&mut snapshot.waits));
    }

    /// The state of one switch.
    pub fn inside(&self, switch: u32) -> Inside {
        any!(self, f => f.inside(switch))
    }

    /// The state of one NIC. `None` for wormhole, where a snapshot has all of it.
    pub fn nic_inside(&self, host: u32) -> Option<NicInside> {
        any!(self, f => f.nic_inside(host), _ => None)
    }

    /// The state of a message by its number; `None` if it is not in the fabric.
    pub fn explain(&self, message: u32) -> Option<MessageState> {
        any!(self, f => f.explain(message))
    }

    /// Checks that nothing is lost and no buffer exceeds its bounds.
    ///
    /// # Errors
    ///
    /// What is broken.
    pub fn check(&self) -> Result<(), Message> {
        any!(self, f => f.check())
    }
}
