//! From a scenario to a run: step it, run it, look at it, clone it as a checkpoint.

mod around;
mod report;
mod selection;

use crate::check::Fingerprint;
use crate::engine::Cycle;
use crate::fabric::{Counts, Deadlock, Fabric};
use crate::measure::{Report, Window};
use crate::network::Network;
use crate::observe::{Inside, MessageState, NicInside, Snapshot, Watch};
use crate::problem::Problems;
use crate::routing::dependencies::Verdict;
use crate::routing::{self, Routing};
use crate::scenario::{FabricSpec, LoadUnit, MeasureSpec, Scenario};
use crate::traffic::{Traffic, Units};
use around::Around;
use selection::Selector;
use std::sync::Arc;

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It can go on.
    Running,
    /// All messages asked for have been measured; it may still go on.
    Measured,
    /// It has deadlocked; time stands still.
    Deadlocked,
    /// It has reached the scenario's last cycle, or nothing will ever happen again.
    Ended,
}

/// Shares of time, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChannelShare {
    /// Flits were sent.
    pub busy: f64,
    /// Blocked, as `docs/model.md` counts it.
    pub blocked: f64,
}

/// A simulation in the middle of its run. Cloning makes a checkpoint; a clone continues to the same bits.
#[derive(Debug, Clone)]
pub struct Simulation {
    fabric: Fabric,
    around: Around,
    routing: Arc<Routing>,
    measure: MeasureSpec,
    units: Units,
    /// Names of the service levels; none where the fabric has none.
    levels: Vec<String>,
    /// Channel counters at the start of the window: busy, blocked.
    base: Vec<(u64, u64)>,
    /// Channel counters at its end, if it has ended.
    end: Option<Vec<(u64, u64)>>,
    waiting_at_start: u64,
    waiting_at_end: u64,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    WarmUp,
    Measuring,
    Done,
}

impl Simulation {
    /// Builds network, routes and fabric of a scenario. A scenario that cannot be run is refused with all its
    /// problems.
    pub fn new(scenario: &Scenario) -> Result<Self, Problems> {
        let network = Arc::new(scenario.check()?);
        let routing = Arc::new(routing::compute(&network, &scenario.routing)?);
        Self::build(scenario, network, routing)
    }

    /// Uses routes that have been computed already (or were given) for the scenario's network.
    pub fn with_routing(
        scenario: &Scenario,
        network: Arc<Network>,
        routing: Arc<Routing>,
    ) -> Result<Self, Problems> {
        scenario.check()?;
        Self::build(scenario, network, routing)
    }

    fn build(
        scenario: &Scenario,
        network: Arc<Network>,
        routing: Arc<Routing>,
    ) -> Result<Self, Problems> {
        let table = Arc::clone(&routing.table);
        let mut fabric = Fabric::new(&scenario.fabric, Arc::clone(&network), Arc::clone(&table))?;
        if let Fabric::CutThrough(fabric) = &fabric {
            fabric.qos().check_flows(&scenario.traffic, network.hosts().len(), "traffic")?;
        }
        if matches!(routing.verdict, Verdict::Acyclic(_))
            && routing.report.routes.itbs_per_route.mean == 0.0
        {
            fabric.trust_routes();
        }
        let (units, levels) = units_and_levels(&scenario.fabric);
        let traffic = Traffic::new(&scenario.traffic, &network, units, scenario.seed);
        if routing.report.axes.selection.learns() {
            fabric.tell_tails();
        }
        for &(source, first) in traffic.first_events() {
            fabric.start_source(source, first);
        }
        let selector =
            Selector::new(routing.report.axes.selection, &table, &network, scenario.seed);
        let measuring = scenario.measure.warmup_messages == 0;
        let phase = if measuring { Phase::Measuring } else { Phase::WarmUp };
        let until =
            if measuring { scenario.measure.messages } else { scenario.measure.warmup_messages };
        let around = Around {
            traffic,
            selector,
            homes: Arc::new(network.hosts().iter().map(|host| host.switch).collect()),
            distances: Arc::new(around::distances(&network)),
            network: Arc::clone(&network),
            table,
            window: Window::new(0, levels.len().max(1)),
            phase,
            fingerprint: Fingerprint::default(),
            flit_hops: 0,
            delivered: 0,
            until,
        };
        let base = vec![(0, 0); network.channels().len()];
        Ok(Self {
            fabric,
            around,
            routing,
            measure: scenario.measure.clone(),
            units,
            levels,
            base,
            end: None,
            waiting_at_start: 0,
            waiting_at_end: 0,
            phase,
        })
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.around.network
    }

    /// The routes and what there is to say of them.
    pub fn routing(&self) -> &Arc<Routing> {
        &self.routing
    }

    /// The last cycle simulated.
    pub fn now(&self) -> Cycle {
        self.fabric.now()
    }

    /// Length of a cycle, picoseconds.
    pub fn cycle_ps(&self) -> u64 {
        self.units.cycle_ps
    }

    /// Cycle of the next event; `None` if nothing will ever happen again.
    pub fn next_event_cycle(&self) -> Option<Cycle> {
        self.fabric.next_event()
    }

    /// The wait cycle, if one has closed.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        self.fabric.deadlock()
    }

    /// How the run stands.
    pub fn state(&self) -> State {
        if self.deadlock().is_some() {
            State::Deadlocked
        } else if self.last_cycle().is_some_and(|last| self.now() >= last)
            || self.next_event_cycle().is_none()
        {
            State::Ended
        } else if self.phase == Phase::Done {
            State::Measured
        } else {
            State::Running
        }
    }

    fn last_cycle(&self) -> Option<Cycle> {
        (self.measure.max_cycles > 0).then_some(self.measure.max_cycles)
    }

    /// Has events told to a watch from now on, or to nobody.
    pub fn watch_with(&mut self, watch: Option<Watch>) {
        self.fabric.watch_with(watch);
    }

    /// Who watches.
    pub fn watcher(&self) -> Option<&Watch> {
        self.fabric.watcher()
    }

    /// Who watches, to be given orders.
    pub fn watcher_mut(&mut self) -> Option<&mut Watch> {
        self.fabric.watcher_mut()
    }

    fn is_caught(&self) -> bool {
        self.watcher().is_some_and(|watch| watch.caught().is_some())
    }

    /// Runs up to and including `cycle`, past the end of measuring, but not past a deadlock, the last cycle, or the
    /// cycle of an event the watch wants to stop at (until it is released).
    pub fn run_until(&mut self, cycle: Cycle) -> State {
        self.pass_until(cycle);
        self.settle();
        self.state()
    }

    /// As [`Self::run_until`], for who goes on at once, since to bring everything up to date takes time: until `settle` is called, only the
    /// cycle, the state, the counts, what was delivered and the watch are to be looked at.
    pub fn pass_until(&mut self, cycle: Cycle) {
        let cycle = self.last_cycle().map_or(cycle, |last| cycle.min(last));
        while self.deadlock().is_none() && self.now() < cycle && !self.is_caught() {
            let now = self.now();
            let look = self.watcher_mut().map_or(cycle, |watch| watch.next_look(now, cycle));
            self.run_phase(look);
            if self.watcher().is_some() {
                self.settle();
            }
            let now = self.now();
            self.watcher_mut().map(|watch| watch.catches(now));
        }
    }

    /// Brings everything up to date after [`Self::pass_until`].
    pub fn settle(&mut self) {
        self.fabric.settle();
    }

    /// Runs until measuring is done, in steps of at most `cycles`; true when there is nothing more to do.
    pub fn advance(&mut self, cycles: Cycle) -> bool {
        let end = self.now().saturating_add(cycles);
        let end = self.last_cycle().map_or(end, |last| end.min(last));
        while self.state() == State::Running && self.now() < end {
            self.run_phase(end);
        }
        self.settle();
        self.state() != State::Running
    }

    /// Runs until measuring is done, the run has deadlocked or ended.
    pub fn run_to_end(&mut self) -> State {
        while !self.advance(1 << 40) {}
        self.state()
    }

    fn run_phase(&mut self, end: Cycle) {
        let until = self.around.until;
        self.fabric.run_on(end, &mut self.around, |around| around.delivered >= until);
        if self.phase != Phase::Done {
            self.around.window.end = self.now();
        }
        if self.around.delivered >= until {
            self.settle();
            self.next_phase();
        }
    }

    fn counters(&self) -> Vec<(u64, u64)> {
        (0..self.around.network.channels().len())
            .map(|c| (self.fabric.busy_cycles(c), self.fabric.blocked_cycles(c)))
            .collect()
    }

    fn next_phase(&mut self) {
        match self.phase {
            Phase::WarmUp => {
                self.phase = Phase::Measuring;
                self.base = self.counters();
                self.waiting_at_start = self.fabric.waiting();
                self.around.window = Window::new(self.now() + 1, self.around.window.levels.len());
                self.around.until = self.around.delivered + self.measure.messages;
            }
            Phase::Measuring => {
                self.phase = Phase::Done;
                self.end = Some(self.counters());
                self.waiting_at_end = self.fabric.waiting();
                self.around.until = u64::MAX;
            }
            Phase::Done => {}
        }
        self.around.phase = self.phase;
    }

    /// Fills of a snapshot what is counted and not drawn: its sums, levels and hosts. In a crowded network that takes a small part of the time.
    pub fn sums(&self, into: &mut Snapshot) {
        self.fabric.sums(into);
    }

    /// Fills a snapshot of this moment but for its stretches of flits: for who draws how full channels are, not what is on them.
    pub fn usage(&self, into: &mut Snapshot) {
        self.fabric.usage(into);
    }

    /// Fills a snapshot of this moment.
    pub fn snapshot(&self, into: &mut Snapshot) {
        self.fabric.snapshot(into);
    }

    /// Adds who waits for whom to a snapshot of this moment: of a crowded network that takes as long as all the rest.
    pub fn add_waits(&self, snapshot: &mut Snapshot) {
        self.fabric.add_waits(snapshot);
    }

    /// What there is to see inside a switch now.
    pub fn inside(&self, switch: u32) -> Inside {
        self.fabric.inside(switch)
    }

    /// What there is to see inside a host's NIC now; of a wormhole network, snapshots say all.
    pub fn nic_inside(&self, host: u32) -> Option<NicInside> {
        self.fabric.nic_inside(host)
    }

    /// Whether no deadlock can arise although the routes close a cycle, since lanes are changed on it.
    pub fn lanes_avoid_cycles(&self) -> bool {
        matches!(&self.fabric, Fabric::CutThrough(fabric) if fabric.avoids_cycles())
    }

    /// What a message is doing and why.
    pub fn explain(&self, message: u64) -> Option<MessageState> {
        self.fabric.explain(message)
    }

    /// Checks that nothing was lost and every buffer is within its bounds; an error names what is broken.
    pub fn check(&self) -> Result<(), String> {
        self.fabric.check()
    }

    /// Sums over the run so far.
    pub fn counts(&self) -> Counts {
        self.fabric.counts()
    }

    /// How each channel was used in the measured window so far.
    pub fn channel_shares(&self) -> Vec<ChannelShare> {
        let cycles = self.around.window.cycles() as f64;
        let counters = self.end.clone().unwrap_or_else(|| self.counters());
        let share = |(end, base): (&(u64, u64), &(u64, u64))| ChannelShare {
            busy: (end.0 - base.0) as f64 / cycles,
            blocked: (end.1 - base.1) as f64 / cycles,
        };
        counters.iter().zip(&self.base).map(share).collect()
    }

    /// Results so far.
    pub fn report(&self) -> Report {
        report::of(self)
    }
}

/// How the fabric counts flits and time, and the names of its service levels.
fn units_and_levels(fabric: &FabricSpec) -> (Units, Vec<String>) {
    match fabric {
        FabricSpec::Wormhole(spec) => {
            let load_unit = LoadUnit::FlitsPerNsPerSwitch;
            (Units { cycle_ps: spec.cycle_ps, load_unit, flit_bytes: 1 }, Vec::new())
        }
        FabricSpec::CutThrough(spec) => {
            let load_unit = LoadUnit::FlitsPerCyclePerHost;
            let names = spec.qos.levels.iter().map(|level| level.name.clone()).collect();
            (Units { cycle_ps: spec.cycle_ps, load_unit, flit_bytes: spec.flit_bytes }, names)
        }
    }
}
