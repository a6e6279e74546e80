//! A scenario as a run: step it, run it, read it, clone it as a checkpoint.
//!
//! [`Simulation`] joins the fabric, which moves flits, with its driver ([`SimulationDriver`]),
//! which generates traffic, selects paths and measures. A run warms up, measures, and may go on.
//! Entry points: [`Simulation::new`], [`Simulation::run_to_end`] for results,
//! [`Simulation::run_until`] for the page, [`Simulation::report`]. Invariant: reading or pausing
//! never changes a run.

mod application;
mod application_report;
mod application_summary;
mod application_timeline;
mod build;
mod condition;
mod memory;
mod phases;
mod report;
mod results;

pub use application_report::{ApplicationReport, PathChannel, PathStep, PathWhat, RankReport};
pub use application_summary::{ApplicationSummary, ChannelWait, PathSummary, RankWait};
pub use application_timeline::{Timeline, TimelineRow};
pub use condition::reason_message;
pub use memory::Estimate;

use crate::admission::{self, Admission, Filled};
use crate::bounds::{self, LevelBounds};
use crate::driver::{Phase, SimulationDriver};
use crate::engine::Cycle;
use crate::fabric::{Counts, Deadlock, Fabric};
use crate::measure::{BufferSamples, Extent, FlowReport, Report, Results, Tally, WarmUp, Window};
use crate::message::Message;
use crate::messages;
use crate::network::Network;
use crate::observe::{Inside, MessageState, NicInside, Snapshot, Watch};
use crate::problem::Problems;
use crate::routing::{self, Routing};
use crate::scenario::Scenario;
use crate::scenario::limits::{MAX_CYCLES, MAX_GENERATED_MESSAGES, MAX_OUTSTANDING_MESSAGES};
use crate::traffic::{TrafficMatrix, Units};
use hopscope_application::Application;
use phases::Bounds;
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// The state of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It can go on.
    Running,
    /// All messages asked for have been measured; it may still go on.
    Measured,
    /// It has deadlocked; time does not advance.
    Deadlocked,
    /// It has reached the scenario's last cycle, its application has finished, or there will be no
    /// more events.
    Ended,
}

/// Shares of the measured window, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChannelShare {
    /// Cycles in which a flit was sent.
    pub busy: f64,
    /// Blocked cycles, as `docs/model.md` defines them.
    pub blocked: f64,
}

/// A simulation in the middle of its run. A clone is a checkpoint that continues to the same bits.
#[derive(Debug, Clone)]
pub struct Simulation {
    fabric: Fabric,
    driver: SimulationDriver,
    routing: Arc<Routing>,
    scenario: Arc<Scenario>,
    /// The scenario as results name it, once they were asked for. With a long trace, making it
    /// takes longer than all else in them.
    document: OnceLock<Arc<Value>>,
    units: Units,
    /// Names of the service levels; none where the fabric has none.
    levels: Vec<String>,
    /// Which connections are admitted.
    admission: Arc<Admission>,
    /// Worst-case delays of each level; empty unless asked for.
    delay_bounds: Arc<[Option<LevelBounds>]>,
    /// What the window counts apart.
    extent: Extent,
    /// Looks at the buffers while measuring.
    buffers: BufferSamples,
    /// Channel counters at the start of the window: busy and blocked cycles.
    base: Vec<(u64, u64)>,
    /// The same at its end, if it has ended.
    end: Option<Vec<(u64, u64)>>,
    /// In-transit stops at the start of the window.
    stops_at_start: Stops,
    /// The same at its end, if it has ended.
    stops_at_end: Option<Stops>,
    /// The part before measuring.
    warmup: WarmUp,
    /// Messages outstanding at the start of the window, and at its end if it has ended.
    outstanding_at_start: u64,
    outstanding_at_end: u64,
    /// The results at the end of measuring, or of the run, once one has ended.
    measured: Option<Arc<Results>>,
    phase: Phase,
    phase_ends: Bounds,
}

/// In-transit stops since the start of the run.
#[derive(Debug, Clone, Default)]
struct Stops {
    /// Messages, or packets, that each host sent on.
    by_host: Vec<u64>,
    /// Those that did not fit into ITB memory when they came.
    overflows: u64,
}

impl Simulation {
    /// Builds network, routes and fabric of a scenario.
    ///
    /// # Errors
    ///
    /// All problems of the scenario.
    pub fn new(scenario: &Scenario) -> Result<Self, Problems> {
        let network = Arc::new(Self::check_scenario(scenario)?);
        let routing = Arc::new(routing::compute(&network, &scenario.routing)?);
        Self::build(scenario, network, routing, None)
    }

    /// The network of a scenario, after all checks that need no routes: routes can take long.
    ///
    /// # Errors
    ///
    /// All problems of the scenario that are known without routes.
    pub fn check_scenario(scenario: &Scenario) -> Result<Network, Problems> {
        let network = scenario.check()?;
        let flows = application::flows(scenario);
        application::within(
            scenario,
            Fabric::check_parameters(&scenario.fabric, &network, &flows),
        )?;
        Estimate::of(scenario, &network).check()?;
        Ok(network)
    }

    /// As [`Self::new`], with routes computed or given before.
    ///
    /// # Errors
    ///
    /// All problems of the scenario.
    pub fn with_routing(
        scenario: &Scenario,
        network: Arc<Network>,
        routing: Arc<Routing>,
    ) -> Result<Self, Problems> {
        Self::check_scenario(scenario)?;
        Self::build(scenario, network, routing, None)
    }

    /// As [`Self::with_routing`], with another application than the scenario describes: the trace
    /// of a file, or a part of it.
    ///
    /// # Errors
    ///
    /// All problems of the scenario.
    pub fn with_application(
        scenario: &Scenario,
        network: Arc<Network>,
        routing: Arc<Routing>,
        application: &Application,
    ) -> Result<Self, Problems> {
        Self::check_scenario(scenario)?;
        Self::build(scenario, network, routing, Some(application))
    }

    /// What converts the loads of a scenario.
    pub fn units(scenario: &Scenario) -> Units {
        Units::of(&scenario.fabric)
    }

    /// Computes worst-case delays, which reports then have.
    pub fn bound_delays(&mut self) {
        let (network, units) = (self.network(), self.units);
        let routes = (&*self.routing.table, self.routing.report.axes.selection);
        let found = bounds::of(&self.scenario, network, routes, units, &self.admission);
        self.delay_bounds = found.into();
    }

    /// Worst-case delays by level, in cycles, once they have been computed; `None` for a level in
    /// which no host sends.
    pub fn delay_bounds(&self) -> &[Option<LevelBounds>] {
        &self.delay_bounds
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.driver.network
    }

    /// The routes and their report.
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

    /// Payload of a flit, bytes.
    pub fn flit_bytes(&self) -> u32 {
        self.units.flit_bytes
    }

    /// Who is to send how much to whom, by one flow or by all, with at most `most` cells on each
    /// side. `None` for a network of more than [`TrafficMatrix::MAX_HOSTS`].
    pub fn traffic_matrix(&self, flow: Option<usize>, most: u32) -> Option<TrafficMatrix> {
        let flows = self.scenario.traffic.iter().enumerate();
        let flows = flows.filter(|(i, _)| flow.is_none_or(|flow| flow == *i));
        let flows: Vec<_> = flows.map(|(_, spec)| spec).collect();
        TrafficMatrix::of(&flows, self.network(), self.units, most)
    }

    /// The decisions of admission control; without flows if the scenario has none.
    pub fn admission(&self) -> &Admission {
        &self.admission
    }

    /// What the empty network admits until no other connection fits ([`admission::fill`]).
    ///
    /// # Errors
    ///
    /// There is no admission control.
    pub fn fill_with_connections(&self) -> Result<Filled, Problems> {
        let Routing { table, report, .. } = &*self.routing;
        let selection = report.axes.selection;
        admission::fill(&self.scenario, self.network(), table, selection, self.units)
    }

    /// Cycle of the next event; `None` if there will be none.
    pub fn next_event_cycle(&self) -> Option<Cycle> {
        let of_application = self.driver.application.as_ref().and_then(|a| a.replay().next());
        self.fabric.next_event().into_iter().chain(of_application).min()
    }

    /// The deadlock, if one was found.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        self.fabric.deadlock()
    }

    /// The state of the run.
    pub fn state(&self) -> State {
        if self.deadlock().is_some() {
            State::Deadlocked
        } else if self.now() >= self.last_cycle()
            || self.is_application_over()
            || self.driver.has_reached_limit()
            || self.next_event_cycle().is_none() && !self.awaits_cycle()
            || self.has_stuck_application()
        {
            State::Ended
        } else if self.phase == Phase::Done {
            State::Measured
        } else {
            State::Running
        }
    }

    /// True if a phase ends in a cycle that is given, although nothing may happen until then.
    fn awaits_cycle(&self) -> bool {
        self.phase != Phase::Done && self.driver.delivered >= self.phase_ends.messages
    }

    fn last_cycle(&self) -> Cycle {
        if self.scenario.measure.max_cycles > 0 {
            self.scenario.measure.max_cycles
        } else {
            MAX_CYCLES
        }
    }

    /// Why the run stopped although events are left and the scenario did not ask for it.
    pub fn stopped(&self) -> Option<Message> {
        if self.driver.is_overloaded() {
            Some(messages::run_stopped_overloaded(MAX_OUTSTANDING_MESSAGES))
        } else if self.driver.has_reached_limit() {
            Some(messages::run_stopped_last_message(MAX_GENERATED_MESSAGES))
        } else if self.now() >= MAX_CYCLES {
            Some(messages::run_stopped_last_cycle(MAX_CYCLES))
        } else if self.has_stuck_application() {
            Some(messages::run_stopped_application_stuck())
        } else {
            None
        }
    }

    /// Reports events to a watch from now on, or to none.
    pub fn watch_with(&mut self, watch: Option<Watch>) {
        self.fabric.watch_with(watch);
    }

    /// The watch, if there is one.
    pub fn watcher(&self) -> Option<&Watch> {
        self.fabric.watcher()
    }

    /// The watch, to be configured.
    pub fn watcher_mut(&mut self) -> Option<&mut Watch> {
        self.fabric.watcher_mut()
    }

    fn is_caught(&self) -> bool {
        self.watcher().is_some_and(|watch| watch.caught().is_some())
    }

    /// Runs up to and including `cycle`, also past the measured window. Stops earlier at a
    /// deadlock, at the end of the application, at the scenario's last cycle, and at an event the
    /// watch stops at, until that is released; also where the application can go on no more.
    pub fn run_until(&mut self, cycle: Cycle) -> State {
        self.pass_until(cycle);
        self.settle();
        self.state()
    }

    /// As [`Self::run_until`], without bringing lazy state up to date. Until [`Self::settle`] is
    /// called, read only the cycle, the state, the counts, the deliveries and the watch.
    pub fn pass_until(&mut self, cycle: Cycle) {
        let cycle = cycle.min(self.last_cycle());
        self.keep_early_end();
        while self.deadlock().is_none()
            && self.now() < cycle
            && !self.is_caught()
            && !self.driver.has_reached_limit()
            && !self.is_application_over()
            && !self.has_stuck_application()
        {
            let now = self.now();
            let look = self.watcher_mut().map_or(cycle, |watch| watch.next_check(now, cycle));
            self.run_phase(look, true);
            if self.watcher().is_some() {
                self.settle();
            }
            let now = self.now();
            self.watcher_mut().map(|watch| watch.check_stop(now));
        }
    }

    /// Brings lazy state up to date after [`Self::pass_until`].
    pub fn settle(&mut self) {
        self.fabric.settle();
    }

    /// Runs until measuring is done, at most `cycles` cycles; true if there is no more to do. If
    /// the traffic ends before, so does the run, at its last event.
    pub fn advance(&mut self, cycles: Cycle) -> bool {
        let end = self.now().saturating_add(cycles);
        let end = end.min(self.last_cycle());
        while self.state() == State::Running && self.now() < end {
            self.run_phase(end, false);
        }
        self.settle();
        self.state() != State::Running
    }

    /// Runs until measuring is done, or the run deadlocks or ends.
    pub fn run_to_end(&mut self) -> State {
        while !self.advance(1 << 40) {}
        self.state()
    }

    /// Runs up to `end` or the end of the phase. `goes_on`: time passes after the last event, too.
    fn run_phase(&mut self, end: Cycle, goes_on: bool) {
        let Bounds { messages, cycle } = self.phase_ends;
        // Once enough messages are delivered, only the cycle matters.
        let waits = self.driver.delivered >= messages;
        let end = if waits { end.min(cycle.max(self.now())) } else { end };
        let measures = self.phase == Phase::Measuring && self.measured.is_none();
        let next_look = self.buffers.next().filter(|_| measures);
        let end = next_look.map_or(end, |look| end.min(look));
        // An application without operations has finished before the first cycle.
        let is_empty = self.phase != Phase::Done && self.has_finished_application();
        let end = if is_empty { end.min(self.now() + 1) } else { self.until_application(end) };
        let stop_after = if waits { u64::MAX } else { messages };
        let was_over = self.has_traffic_ended();
        let has_reached_end = self.driver.run(&mut self.fabric, end, stop_after);
        // Time passes after the last event only in the next call, so that the window ends with it.
        if has_reached_end && (goes_on && was_over || !self.has_traffic_ended()) {
            self.fabric.pass_to(end);
        }
        if next_look == Some(self.now()) {
            self.look_at_buffers();
        }
        self.advance_application();
        if self.phase != Phase::Done && !was_over {
            self.driver.window.end = self.now();
        }
        let has_finished = self.phase != Phase::Done && self.has_finished_application();
        if self.driver.delivered >= messages && self.now() >= cycle || has_finished {
            self.settle();
            self.next_phase();
        }
        self.keep_early_end();
    }

    /// Keeps the results of a run that is over before its measurement. Time may pass after it.
    fn keep_early_end(&mut self) {
        let is_over = matches!(self.state(), State::Ended | State::Deadlocked);
        if is_over && self.measured.is_none() {
            self.settle();
            self.measured = Some(Arc::new(self.results()));
        }
    }

    /// True if messages asked for are missing and there will be no more events.
    pub(super) fn has_traffic_ended(&self) -> bool {
        self.phase != Phase::Done
            && self.driver.delivered < self.phase_ends.messages
            && !self.has_finished_application()
            && self.next_event_cycle().is_none()
    }

    fn buffer_samples(scenario: &Scenario, network: &Network, start: Cycle) -> BufferSamples {
        let every = scenario.measure.buffer_sample_cycles;
        BufferSamples::new(start, every, network.channels().len())
    }

    fn look_at_buffers(&mut self) {
        self.settle();
        let mut now = Snapshot::default();
        self.usage(&mut now);
        self.buffers.add(now.channels.iter().map(|channel| channel.occupancy));
    }

    fn counters(&self) -> Vec<(u64, u64)> {
        (0..self.driver.network.channels().len())
            .map(|c| (self.fabric.busy_cycles(c), self.fabric.blocked_cycles(c)))
            .collect()
    }

    fn stops(&self) -> Stops {
        let mut now = Snapshot::default();
        self.sums(&mut now);
        Stops {
            by_host: now.hosts.iter().map(|host| host.itbs_handled).collect(),
            overflows: self.fabric.itb_overflows(),
        }
    }

    /// The part in the measured window so far of a count of in-transit stops, which is `now` since
    /// the start of the run: nothing while the run warms up.
    fn while_measuring(&self, now: u64, of: impl Fn(&Stops) -> u64) -> u64 {
        if self.phase == Phase::WarmUp {
            return 0;
        }
        self.stops_at_end.as_ref().map_or(now, &of) - of(&self.stops_at_start)
    }

    /// Ends the phase, or gives it another bound if what it waits for has not come.
    fn next_phase(&mut self) {
        let now = self.now();
        match self.phase {
            Phase::WarmUp => {
                if let Some(bounds) = self.longer_warm_up() {
                    self.phase_ends = bounds;
                    return;
                }
                let delivered = self.driver.delivered;
                self.warmup = WarmUp {
                    messages: delivered,
                    cycles: now + 1,
                    transient_ended: self.driver.transient.take().map(|t| t.has_ended()),
                };
                self.phase = Phase::Measuring;
                self.base = self.counters();
                self.stops_at_start = self.stops();
                self.buffers = Self::buffer_samples(&self.scenario, self.network(), now + 1);
                self.outstanding_at_start = self.driver.outstanding;
                self.driver.window =
                    Window::new(now + 1, self.scenario.measure.messages, self.extent);
                self.phase_ends = Bounds::of_measuring(&self.scenario.measure, delivered, now + 1);
            }
            Phase::Measuring => {
                if let Some(bounds) = self.longer_measuring() {
                    self.phase_ends = bounds;
                    return;
                }
                self.phase = Phase::Done;
                self.end = Some(self.counters());
                self.stops_at_end = Some(self.stops());
                self.outstanding_at_end = self.driver.outstanding;
                self.phase_ends = Bounds::NEVER;
            }
            Phase::Done => {}
        }
        self.driver.phase = self.phase;
        if self.phase == Phase::Done {
            self.measured = Some(Arc::new(self.results()));
        }
    }

    /// The next look for the end of the transient; `None` if it is found, or not looked for any
    /// more.
    fn longer_warm_up(&self) -> Option<Bounds> {
        let transient = self.driver.transient.as_ref()?;
        let (delivered, most) = (self.driver.delivered, self.scenario.measure.warmup_messages);
        let goes_on = !transient.has_ended() && delivered < most;
        goes_on.then(|| Bounds { messages: phases::next_look(delivered, most), ..self.phase_ends })
    }

    /// The next look at the confidence intervals; `None` if they are narrow enough, or not looked
    /// at any more.
    fn longer_measuring(&self) -> Option<Bounds> {
        let measure = &self.scenario.measure;
        let counted: u64 = self.driver.window.flows.iter().map(Tally::delivered).sum();
        let first = self.driver.delivered - counted;
        let goes_on = measure.half_width > 0.0
            && self.driver.application.is_none()
            && self.reached_half_width() == Some(false)
            && counted < measure.most_messages();
        goes_on.then(|| Bounds {
            messages: first + phases::next_look(counted, measure.most_messages()),
            ..self.phase_ends
        })
    }

    /// Whether the confidence intervals are as narrow as the scenario asks for; `None` if it does
    /// not ask.
    fn reached_half_width(&self) -> Option<bool> {
        let measure = &self.scenario.measure;
        (measure.half_width > 0.0).then(|| {
            let found = self.driver.window.half_widths(measure.confidence);
            found.is_some_and(|found| found.relative <= measure.half_width)
        })
    }

    /// Fills the counters of a snapshot: totals, levels and hosts. Much cheaper than the rest in a
    /// crowded network.
    pub fn sums(&self, into: &mut Snapshot) {
        self.fabric.sums(into);
    }

    /// Fills a snapshot except for its spans of flits: enough to draw how full channels are.
    pub fn usage(&self, into: &mut Snapshot) {
        self.fabric.usage(into);
    }

    /// Fills a snapshot of this moment.
    pub fn snapshot(&self, into: &mut Snapshot) {
        self.fabric.snapshot(into);
    }

    /// Adds the wait-for relation among messages to a snapshot. In a crowded network that takes as
    /// long as all the rest.
    pub fn add_waits(&self, snapshot: &mut Snapshot) {
        self.fabric.add_waits(snapshot);
    }

    /// The state of one switch.
    pub fn inside(&self, switch: u32) -> Inside {
        self.fabric.inside(switch)
    }

    /// The state of one NIC. `None` for wormhole, where a snapshot has all of it.
    pub fn nic_inside(&self, host: u32) -> Option<NicInside> {
        self.fabric.nic_inside(host)
    }

    /// True if no deadlock can arise although the routes close a cycle, since packets change lanes
    /// on it.
    pub fn lanes_avoid_cycles(&self) -> bool {
        self.fabric.lanes_avoid_cycles()
    }

    /// What a message is doing and why.
    pub fn explain(&self, message: u32) -> Option<MessageState> {
        self.fabric.explain(message)
    }

    /// Checks that nothing is lost and no buffer exceeds its bounds.
    ///
    /// # Errors
    ///
    /// What is broken.
    pub fn check(&self) -> Result<(), Message> {
        self.fabric.check()
    }

    /// Totals over the run so far.
    pub fn counts(&self) -> Counts {
        self.fabric.counts()
    }

    /// Cycles of the measured window so far; 0 while the run warms up.
    pub fn measured_cycles(&self) -> u64 {
        if self.phase == Phase::WarmUp { 0 } else { self.driver.window.cycles() }
    }

    /// Whether the backlogs of the measured window keep their length, in a run that is steady or
    /// unsettled: latency may scatter, as it does with bursts.
    pub fn backlogs_last(&self) -> bool {
        condition::backlogs_last(self, &self.driver.window.sum(|_| true))
    }

    /// What the measured window so far counted of each flow, with the flow's service level.
    pub fn tallies(&self) -> impl Iterator<Item = (usize, &Tally)> {
        let level = |flow| usize::from(self.level_of_flow(flow));
        self.driver.window.flows.iter().enumerate().map(move |(flow, tally)| (level(flow), tally))
    }

    /// Service levels; one for a fabric without.
    pub fn level_count(&self) -> usize {
        self.levels.len().max(1)
    }

    /// Shares of the measured window so far, per channel; `None` while the run warms up.
    pub fn channel_shares(&self) -> Option<Vec<ChannelShare>> {
        let cycles = self.measured_cycles() as f64;
        if cycles == 0.0 {
            return None;
        }
        let counters = self.end.clone().unwrap_or_else(|| self.counters());
        let share = |(end, base): (&(u64, u64), &(u64, u64))| ChannelShare {
            busy: (end.0 - base.0) as f64 / cycles,
            blocked: (end.1 - base.1) as f64 / cycles,
        };
        Some(counters.iter().zip(&self.base).map(share).collect())
    }

    /// The results where [`Self::run_to_end`] stops: at the end of measuring, or of a run that is
    /// over before. `None` while the run warms up or measures.
    pub fn measured_results(&self) -> Option<&Results> {
        self.measured.as_deref()
    }

    /// Results so far.
    pub fn report(&self) -> Report {
        report::of(self)
    }

    /// Results so far of each flow, which are the table of flows of [`Self::results`].
    pub fn flows(&self) -> Vec<FlowReport> {
        results::flows(self)
    }

    /// Results so far, with all tables.
    pub fn results(&self) -> Results {
        results::of(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_stops_with_a_reason_before_its_messages_have_no_numbers_left() {
        for fabric in ["wormhole", "cut-through"] {
            let text = format!(
                r#"{{ "hopscope": 1, "network": {{ "generate": {{ "kind": "single" }} }},
                    "fabric": {{ "kind": "{fabric}" }} }}"#
            );
            let scenario = Scenario::parse(&text).expect("a valid scenario");
            let mut simulation = Simulation::new(&scenario).expect("a simulation");
            simulation.run_until(10_000);
            assert!(simulation.stopped().is_none(), "{fabric}");
            simulation.driver.generated = MAX_GENERATED_MESSAGES - 10;
            simulation.run_to_end();
            assert_eq!(
                simulation.stopped(),
                Some(messages::run_stopped_last_message(MAX_GENERATED_MESSAGES)),
                "{fabric}"
            );
            assert_eq!(simulation.driver.generated, MAX_GENERATED_MESSAGES, "{fabric}");
        }
    }
}
