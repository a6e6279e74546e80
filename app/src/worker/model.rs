//! A scenario, its run and the past of the run. Only this file of the worker and the fingerprint
//! of [`super::session`] call [`Simulation`].
//!
//! The run goes forward with [`Model::run_until`] and anywhere with [`Model::seek`], which starts
//! from the last checkpoint before the cycle. After `run_until`, everything but the cycle and
//! whether the run has stopped needs [`Model::settle`].

use super::history::{Checkpoints, Series};
use super::pace::{Chunk, SLICE_MS};
use super::routes::Router;
use crate::protocol::{
    AdmissionFacts, ApplicationProgress, Deadlock, Ended, Facts, Messages, RoutingFacts,
    RunFingerprint, RunResults, ShownApplication, ShownBound, ShownPath, ShownResults,
    ShownTimeline, Stats, TableFile,
};
use hopscope_core::admission::Filled;
use hopscope_core::application::Application;
use hopscope_core::fabric::Fabric;
use hopscope_core::idle_time::idle_time;
use hopscope_core::json;
use hopscope_core::lessons::{self, Quantity, Results};
use hopscope_core::measure::{self, TableKind, Wanted};
use hopscope_core::network::SwitchId;
use hopscope_core::observe::{
    Event, EventKind, Inside, MessageState, NicInside, Snapshot, Status, StopAt, Watch,
};
use hopscope_core::problem::Problems;
use hopscope_core::routing::PairRoutes;
use hopscope_core::scenario::{ApplicationKind, RoutingSpec, Scenario};
use hopscope_core::simulation::{Simulation, State};
use hopscope_core::traffic::{TrafficMatrix, overload, silent_senders};
use serde_json::Value;
use std::cell::OnceCell;
use std::sync::Arc;

/// Longest chain of waiting messages in [`Stats`].
const MAX_CHAIN: usize = 12;
/// Memory of a channel, in messages.
const MESSAGES_PER_CHANNEL: u64 = 8;
/// A run stops when more messages than this are under way. With their copies in checkpoints they
/// take about a gigabyte; a tab has four at most.
const MAX_MESSAGES: u64 = 4_000_000;
/// Events recorded of each kind.
const EVENTS_KEPT: usize = 300;
/// The run since the last checkpoints is repeated to find its events, for at most this long.
const REPLAY_MS: f64 = 300.0;
/// Most cells on each side of a traffic matrix.
const MATRIX_CELLS: u32 = 128;
/// Longest list of events in [`Stats`].
const MAX_LISTED: usize = 100;

/// A scenario being simulated.
pub struct Model {
    spec: RoutingSpec,
    warnings: Problems,
    now: Simulation,
    checkpoints: Checkpoints<Simulation>,
    series: Series,
    furthest: u64,
    seen: Snapshot,
    /// The results of the finished application, once they were asked for. The run takes the same
    /// course whenever it is repeated.
    finished: OnceCell<Option<ShownApplication>>,
    /// Run time of the application on an idle network by the formula, ns, once it was asked for.
    idle_ns: OnceCell<Option<f64>>,
}

impl Model {
    /// The scenario at cycle 0.
    ///
    /// # Errors
    ///
    /// What is wrong with the scenario.
    pub fn new(document: u32, scenario_json: &str, router: &mut Router) -> Result<Model, Problems> {
        let scenario = Scenario::read(scenario_json)?;
        let network = Simulation::check_scenario(&scenario)?;
        let routing = router.route(document, &scenario, &network)?;
        let mut start = Simulation::with_routing(&scenario, Arc::new(network), routing)?;
        start.bound_delays();
        let switch_ns = start.network().switches().len() as f64 * start.cycle_ps() as f64 / 1000.0;
        let mut warnings = Fabric::warnings(&scenario);
        warnings.0.extend(silent_senders(&scenario, start.network()).0);
        warnings.0.extend(overload(&scenario, start.network()).0);
        Ok(Model {
            warnings,
            spec: scenario.routing,
            checkpoints: Checkpoints::new(start.clone()),
            series: Series::new(switch_ns, start.cycle_ps() as f64 / 1000.0),
            now: start,
            furthest: 0,
            seen: Snapshot::default(),
            finished: OnceCell::new(),
            idle_ns: OnceCell::new(),
        })
    }

    /// The current cycle.
    pub fn cycle(&self) -> u64 {
        self.now.now()
    }

    /// The next cycle in which anything happens.
    pub fn next_event(&self) -> u64 {
        self.now.next_event_cycle().map_or(self.cycle(), |cycle| cycle.max(self.cycle() + 1))
    }

    /// Runs up to a cycle and takes samples and checkpoints on the way. Call `settle` before
    /// reading anything but the cycle and whether the run has stopped.
    pub fn run_until(&mut self, cycle: u64) {
        while self.cycle() < cycle {
            let stop = cycle.min(self.series.due()).min(self.checkpoints.due());
            // A stretch that is run again has its samples and checkpoints already.
            let stop = if stop <= self.cycle() { cycle } else { stop };
            let before = self.cycle();
            self.now.pass_until(stop);
            if self.cycle() == self.series.due() {
                self.now.sums(&mut self.seen);
                self.series.take(&self.seen);
            }
            if self.cycle() == self.checkpoints.due() {
                self.settle();
                self.checkpoints.take(self.cycle(), self.weight(), self.now.clone());
            }
            if self.cycle() == before {
                break;
            }
        }
        self.furthest = self.furthest.max(self.cycle());
    }

    /// Brings lazy state up to date. In a large network that takes as long as tens of cycles.
    pub fn settle(&mut self) {
        self.now.settle();
    }

    /// The size of the simulation, in messages that take as much memory.
    fn weight(&self) -> u64 {
        let channels = self.now.network().channels().len() as u64;
        let operations = self.now.application_progress().map_or(0, |found| found.operations as u64);
        self.messages() + operations + MESSAGES_PER_CHANNEL * channels
    }

    /// Goes to a cycle, earlier or later, without stopping at events on the way.
    pub fn seek(&mut self, cycle: u64) {
        if cycle < self.cycle() {
            self.now = self.before(cycle);
        }
        self.stop_at(StopAt::default());
        self.run_until(cycle);
        self.settle();
    }

    /// Starts or ends the recording of events. When it starts, the run is repeated from the last
    /// checkpoint but one (the last may be at the current cycle) to find the events since then,
    /// unless that takes too long.
    pub fn watch(&mut self, on: bool, now_ms: impl Fn() -> f64) {
        if on == self.now.watcher().is_some() {
            return;
        }
        self.now.watch_with(on.then(|| Watch::new(EVENTS_KEPT)));
        if !on {
            return;
        }
        let last = self.checkpoints.before(self.cycle()).now();
        let mut again = self.before(last.saturating_sub(1));
        let (mut chunk, start) = (Chunk::default(), now_ms());
        while again.now() < self.cycle() && now_ms() - start < REPLAY_MS {
            chunk.run(SLICE_MS, again.now(), self.cycle(), &now_ms, |cycle| {
                again.run_until(cycle);
                true
            });
        }
        if again.now() == self.cycle() {
            self.now = again;
        }
    }

    /// The simulation at the last checkpoint at or before a cycle.
    fn before(&self, cycle: u64) -> Simulation {
        let mut then = self.checkpoints.before(cycle).clone();
        // The checkpoint may have been taken while events were recorded and now are not, or the
        // other way round.
        if self.now.watcher().is_none() {
            then.watch_with(None);
        } else if then.watcher().is_none() {
            then.watch_with(Some(Watch::new(EVENTS_KEPT)));
        }
        then.watcher_mut().into_iter().for_each(|watch| watch.stop_at(StopAt::default()));
        then
    }

    /// Sets the events at which the run stops; a run that has stopped may go on.
    pub fn stop_at(&mut self, stop_at: StopAt) {
        self.now.watcher_mut().into_iter().for_each(|watch| watch.stop_at(stop_at.clone()));
    }

    /// The event at which the run has stopped.
    pub fn caught(&self) -> Option<Event> {
        self.now.watcher().and_then(Watch::caught)
    }

    /// The values of quantities, once the measurement is over.
    pub fn measured(&self, quantities: &[Quantity]) -> Option<Results> {
        lessons::measured(&self.now, quantities)
    }

    /// The latest events of some kinds, of one message or of all, oldest first.
    pub fn events(&self, kinds: &[EventKind], message: Option<u32>) -> Vec<Event> {
        let mut list = self.now.watcher().map(|watch| watch.latest(kinds)).unwrap_or_default();
        list.retain(|event| message.is_none() || event.message == message);
        list.split_off(list.len().saturating_sub(MAX_LISTED))
    }

    /// Why the run cannot go on, if it cannot.
    pub fn ended(&self) -> Option<Ended> {
        match self.now.state() {
            State::Deadlocked => Some(Ended::Deadlock),
            State::Ended => Some(Ended::Finished),
            State::Running | State::Measured => {
                (self.messages() > MAX_MESSAGES).then_some(Ended::Crowded)
            }
        }
    }

    /// Messages that are generated and neither delivered nor dropped.
    fn messages(&self) -> u64 {
        let counts = self.now.counts();
        counts.generated.saturating_sub(counts.delivered + counts.dropped)
    }

    /// Facts about the network and its routes, known before the run.
    pub fn facts(&self) -> Facts {
        let network = self.now.network();
        let flows = self.now.scenario().traffic.iter();
        Facts {
            switches: network.switches().len() as u32,
            hosts: network.hosts().len() as u32,
            channels: network.channels().len() as u32,
            cycle_ps: self.now.cycle_ps(),
            routing: RoutingFacts::of(network, self.now.routing()),
            lanes_avoid_cycles: self.now.lanes_avoid_cycles(),
            admission: AdmissionFacts::of(
                &self.now.admission().flows,
                &self.now.admission().most_reserved,
                &self.now.scenario().fabric,
            ),
            filled: None,
            senders: flows.map(|flow| flow.senders(network).unwrap_or(0) as u32).collect(),
            warnings: self.warnings.clone(),
        }
    }

    /// The state of the run. `waits` explains the inspected message and those it waits for.
    pub fn stats(&mut self, inspected: Option<u32>) -> Stats {
        self.now.sums(&mut self.seen);
        let waiting = self.seen.hosts.iter().map(|host| u64::from(host.local_waiting)).sum();
        let Snapshot { generated, delivered, dropped, .. } = self.seen;
        Stats {
            cycle: self.cycle(),
            furthest: self.furthest,
            ended: self.ended(),
            broken: self.now.check().err(),
            stopped: self.now.stopped(),
            caught: self.caught(),
            deadlock: self.now.deadlock().map(|found| Deadlock {
                cycle: found.cycle,
                channels: found.channels.clone(),
                messages: found.messages.clone(),
            }),
            messages: Messages {
                generated,
                delivered,
                in_network: generated.saturating_sub(delivered + dropped + waiting),
                waiting,
                dropped,
                itbs: self.seen.hosts.iter().map(|host| host.itbs_handled).sum(),
            },
            samples: self.series.samples(),
            levels: self.series.levels(),
            application: ApplicationProgress::of(&self.now),
            waits: inspected.map(|message| self.chain(message)).unwrap_or_default(),
            ..Stats::default()
        }
    }

    /// The results of the run at this cycle, and at the end of the measurement or of the run if
    /// that is over. Their scenario has the network of `network_json`, if there is one.
    pub fn results(&self, network_json: Option<&str>) -> RunResults {
        let application = self.now.application_report();
        let network = network_json.and_then(|network| serde_json::from_str::<Value>(network).ok());
        let json = |mut results: measure::Results| {
            if let Some(network) = &network {
                Arc::make_mut(&mut results.scenario)["network"] = network.clone();
            }
            match &application {
                None => json::indented(&results),
                // Its measurement is over when it has finished, and then so is the run.
                Some(found) => json::indented(&found.added_to(&results, self.idle_ns())),
            }
        };
        RunResults {
            now: json(self.now.results()),
            measured: self.now.measured_results().cloned().map(json),
        }
    }

    /// The results so far, or those of the measurement if it is over, as far as the page shows
    /// them.
    pub fn shown_results(&self, wanted: &Wanted) -> ShownResults {
        let shown = match self.now.measured_results() {
            Some(results) => ShownResults::of(results, true, wanted),
            None => ShownResults::of(&self.now.results(), false, wanted),
        };
        let application = self.application().map(Box::new);
        let bounds = ShownBound::all(&self.now, &shown.report.levels);
        ShownResults { application, bounds, ..shown }
    }

    /// The results of the application. They are explained once the run can change them no more, and
    /// that is done once.
    fn application(&self) -> Option<ShownApplication> {
        if self.now.run_time_ns().is_some() {
            let explained = || ShownApplication::of(&self.now, self.idle_ns(), true);
            return self.finished.get_or_init(explained).clone();
        }
        ShownApplication::of(&self.now, None, self.ended().is_some())
    }

    /// The critical path; `None` until the run can change it no more, and without an application.
    pub fn critical_path(&self) -> Option<ShownPath> {
        self.ended()?;
        let summary = self.application()?.summary;
        Some(ShownPath::of(&self.now, &summary.path?))
    }

    /// What at most `ranks` ranks of the application did over time; `None` if there is none.
    pub fn timeline(&self, ranks: u32) -> Option<ShownTimeline> {
        ShownTimeline::of(&self.now, ranks)
    }

    /// Run time of the application on an idle network by the formula, ns. It is found once, by
    /// short runs.
    fn idle_ns(&self) -> Option<f64> {
        *self.idle_ns.get_or_init(|| self.find_idle_ns())
    }

    fn find_idle_ns(&self) -> Option<f64> {
        let (scenario, network) = (self.now.scenario(), self.now.network());
        let hosts = network.hosts().len() as u32;
        // There are no formulas for traces, so their text is not read again.
        let spec = scenario.application.as_ref()?;
        let spec = Some(spec).filter(|spec| spec.kind != ApplicationKind::Trace)?;
        let application = Application::new(spec, hosts, scenario.seed, "").ok()?;
        let found = idle_time(scenario, network, self.now.routing(), &application);
        Some(found.ok()?? as f64 * self.now.cycle_ps() as f64 / 1000.0)
    }

    /// Whether the measurement is over.
    pub fn is_measured(&self) -> bool {
        self.now.measured_results().is_some()
    }

    /// A table of the same results as a file.
    pub fn table(&self, table: TableKind) -> TableFile {
        let csv = |results: &measure::Results| results.csv(table).expect("memory can be written");
        let measured = self.now.measured_results();
        TableFile {
            table,
            csv: measured.map_or_else(|| csv(&self.now.results()), csv),
            measured: measured.is_some(),
        }
    }

    /// Who is to send how much to whom; `None` if the network is too large.
    pub fn matrix(&self, flow: Option<u32>) -> Option<TrafficMatrix> {
        self.now.traffic_matrix(flow.map(|flow| flow as usize), MATRIX_CELLS)
    }

    /// How many connections the empty network admits; none without admission control.
    pub fn fill(&self) -> AdmissionFacts {
        let filled = self.now.fill_with_connections();
        let facts = filled.map(|Filled { flows, reserved, is_cut_off }| {
            let facts = AdmissionFacts::of(&flows, &reserved, &self.now.scenario().fabric);
            AdmissionFacts { is_cut_off, ..facts }
        });
        facts.unwrap_or_default()
    }

    /// The fingerprint of the results. Until the measurement is over, a run that plays has none.
    pub fn fingerprint(&self, playing: bool) -> Option<RunFingerprint> {
        if let Some(results) = self.now.measured_results() {
            let digits = results.report.fingerprint.clone();
            return Some(RunFingerprint { digits, measured: true });
        }
        let so_far = || RunFingerprint { digits: self.now.report().fingerprint, measured: false };
        (!playing).then(so_far)
    }

    /// The routes of a pair of switches.
    ///
    /// # Errors
    ///
    /// Why there are none.
    pub fn pair(&self, from: u32, to: u32) -> Result<PairRoutes, Problems> {
        self.now.routing().pair(self.now.network(), &self.spec, SwitchId(from), SwitchId(to))
    }

    /// The inside of a switch.
    pub fn inside(&self, switch: u32) -> Inside {
        self.now.inside(switch)
    }

    /// The inside of a host's NIC, if the fabric has service levels.
    pub fn nic(&self, host: u32) -> Option<NicInside> {
        self.now.nic_inside(host)
    }

    /// Writes the current state into a reused snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        self.now.snapshot(into);
    }

    /// Writes the current state, without the spans of flits, into a reused snapshot.
    pub fn usage(&self, into: &mut Snapshot) {
        self.now.usage(into);
    }

    /// Adds which message waits for which to a snapshot of the current state.
    pub fn add_waits(&self, snapshot: &mut Snapshot) {
        self.now.add_waits(snapshot);
    }

    /// A message, the message it waits for, and so on along the chain.
    fn chain(&self, first: u32) -> Vec<MessageState> {
        let mut chain: Vec<MessageState> = Vec::new();
        let mut next = Some(first);
        while let Some(message) = next {
            if chain.len() == MAX_CHAIN || chain.iter().any(|state| state.message == message) {
                break;
            }
            let Some(state) = self.now.explain(message) else { break };
            next = match state.status {
                Status::Waiting { holder, .. } | Status::Behind { holder, .. } => Some(holder),
                Status::NoMemory { holder, .. } => Some(holder),
                Status::NoSpace { holder, .. } => holder,
                _ => None,
            };
            chain.push(state);
        }
        chain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn model() -> Model {
        of(include_str!("../../../scenarios/first-light.json"))
    }

    fn of(scenario: &str) -> Model {
        Model::new(1, scenario, &mut Router::new(|| 0.0, |_, _| {})).expect("it is right")
    }

    /// `tests/e2e/results.spec.ts` compares the same file with what the page saves.
    /// `HOPSCOPE_BLESS=1` accepts results that are meant to change.
    #[test]
    fn measured_results_are_those_of_the_command_line_however_far_the_run_goes_on() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/e2e/star.results.json");
        let scenario = include_str!("../../../scenarios/star.json");
        // As `hopscope run` does it.
        let mut run = Simulation::new(&Scenario::read(scenario).expect("right")).expect("right");
        run.run_to_end();
        let printed = json::indented(&run.results());
        if std::env::var_os("HOPSCOPE_BLESS").is_some() {
            std::fs::write(path, &printed).expect("tests can be written");
        }
        assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), printed);

        let mut model = of(scenario);
        model.run_until(1000);
        model.settle();
        assert_eq!((model.results(None).measured, model.fingerprint(true)), (None, None));
        let so_far = model.fingerprint(false).expect("a run that stands still has one");
        assert!(!so_far.measured && model.results(None).now.contains(&so_far.digits));
        model.run_until(run.now() + 12_345);
        model.settle();
        assert_eq!(model.results(None).measured, Some(printed));
        let digits = run.report().fingerprint;
        let measured = RunFingerprint { digits, measured: true };
        assert_eq!(model.fingerprint(true), Some(measured));
    }

    /// `tests/e2e/results.spec.ts` compares the first file with what the page saves.
    /// `HOPSCOPE_BLESS=1` accepts results that are meant to change.
    #[test]
    fn results_of_a_run_that_is_over_early_are_those_of_the_command_line() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/e2e/early.results.json");
        let early = include_str!("../../../tests/e2e/early.json");
        let first_light = include_str!("../../../scenarios/first-light.json");
        let exchange = r#"application={ "kind": "all-to-all", "bytes": 16384 }"#;
        let once = r#"traffic.0.arrival={ "kind": "one-shot", "messages": 2 }"#;
        let cases: [(&str, &[&str]); 6] = [
            (early, &[]),
            (first_light, &["traffic.0.stop_cycle=9000"]),
            (first_light, &["traffic.0.stop_cycle=60000", "measure.warmup_messages=1000"]),
            (first_light, &[once]),
            (first_light, &[r#"application={ "kind": "all-reduce", "bytes": 4096 }"#]),
            (first_light, &[exchange, "fabric.timeout_cycles=3000"]),
        ];
        for (i, (text, changes)) in cases.into_iter().enumerate() {
            let scenario = Scenario::parse_with(text, changes).expect("right");
            // As `hopscope run` does it.
            let mut run = Simulation::new(&scenario).expect("right");
            run.bound_delays();
            run.run_to_end();
            assert!(run.measured_results().is_some(), "{i}");
            let printed = match run.application_report() {
                None => json::indented(&run.results()),
                Some(found) => {
                    let spec = scenario.application.as_ref().expect("it has one");
                    let hosts = run.network().hosts().len() as u32;
                    let made = Application::new(spec, hosts, scenario.seed, "").expect("right");
                    let idle = idle_time(&scenario, run.network(), run.routing(), &made);
                    let ns = run.cycle_ps() as f64 / 1000.0;
                    let idle_ns = idle.expect("right").map(|cycles| cycles as f64 * ns);
                    json::indented(&found.added_to(&run.results(), idle_ns))
                }
            };
            if i == 0 && std::env::var_os("HOPSCOPE_BLESS").is_some() {
                std::fs::write(path, &printed).expect("tests can be written");
            }
            if i == 0 {
                assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), printed);
            }
            let mut model = of(&json::indented(&scenario.to_document()));
            while model.ended().is_none() {
                assert_eq!(model.results(None).measured, None, "{i}, {}", model.cycle());
                model.run_until(model.cycle() + 1700);
                model.settle();
            }
            model.run_until(run.now() + 12_345);
            model.settle();
            assert!(model.results(None).measured == Some(printed), "{i}, {changes:?}");
        }
    }

    #[test]
    fn results_of_an_application_are_those_of_the_command_line() {
        let text = r#"{ "hopscope": 1, "application": { "kind": "all-reduce", "bytes": 4096 },
            "network": { "generate": { "kind": "single", "hosts": 4 } } }"#;
        let scenario = Scenario::read(text).expect("right");
        // As `hopscope run` does it.
        let mut run = Simulation::new(&scenario).expect("right");
        let made = Application::new(scenario.application.as_ref().unwrap(), 4, scenario.seed, "");
        let idle = idle_time(&scenario, run.network(), run.routing(), &made.expect("right"));
        let idle = idle.expect("right").expect("it has a formula");
        let idle_ns = idle as f64 * run.cycle_ps() as f64 / 1000.0;
        run.bound_delays();
        run.run_to_end();
        let found = run.application_report().expect("it has one");
        assert!(found.finished && found.ranks.len() == 4 && !found.critical_path.is_empty());
        let printed = json::indented(&found.added_to(&run.results(), Some(idle_ns)));

        let mut model = of(text);
        model.run_until(100);
        model.settle();
        let early = model.results(None);
        let so_far: serde_json::Value = serde_json::from_str(&early.now).unwrap();
        assert_eq!(early.measured, None);
        assert_eq!(so_far["application"]["finished"], false, "{so_far}");
        assert_eq!(so_far["application"]["idle_time_ns"], idle_ns);
        model.run_until(run.now() + 1000);
        model.settle();
        assert_eq!(model.results(None).measured, Some(printed));
    }

    #[test]
    fn the_page_is_shown_the_results_so_far_and_then_those_of_the_measurement() {
        let mut model = of(include_str!("../../../scenarios/star.json"));
        let wanted = Wanted {
            table: TableKind::Hosts,
            sort: None,
            descending: false,
            count: 2,
            marked: Some(5),
            all_statistics: false,
        };
        model.run_until(1000);
        model.settle();
        let so_far = model.shown_results(&wanted);
        assert!(
            !so_far.measured && !model.is_measured() && !model.table(TableKind::Hosts).measured
        );
        assert_eq!(so_far.report.fingerprint, model.now.report().fingerprint);
        while !model.is_measured() {
            model.run_until(model.cycle() + 10_000);
        }
        model.settle();
        let shown = model.shown_results(&wanted);
        let results = model.now.measured_results().expect("it is over");
        assert!(shown.measured);
        assert_eq!(shown.report, results.report);
        assert_eq!(shown.excerpt.rows.len(), 2);
        assert_eq!(
            shown.excerpt.marked.as_ref().map(|(rank, row)| (*rank, row.index)),
            Some((6, 5))
        );
        let delivered: u64 = shown.network_latency.iter().map(|bar| bar.count).sum();
        assert_eq!(delivered, results.hosts.iter().map(|host| host.delivered).sum::<u64>());
        assert!(shown.channels.len() <= 64 && !shown.distances.is_empty());
        let file = model.table(TableKind::Hosts);
        assert!(file.measured);
        assert_eq!(file.csv.lines().count(), results.hosts.len() + 1);
    }

    #[test]
    fn events_before_the_recording_are_found_by_repeating_the_run() {
        let kinds = EventKind::ALL;
        let (mut watched, mut unwatched) = (model(), model());
        watched.watch(true, || 0.0);
        // The last checkpoint but one is the start.
        [&mut watched, &mut unwatched].into_iter().for_each(|model| model.run_until(1900));
        assert!(unwatched.events(&kinds, None).is_empty());
        unwatched.watch(true, || 0.0);
        assert!(!unwatched.events(&kinds, None).is_empty());
        assert_eq!(unwatched.events(&kinds, None), watched.events(&kinds, None));
        [&mut watched, &mut unwatched].into_iter().for_each(|model| model.run_until(9000));
        assert_eq!(unwatched.events(&kinds, None), watched.events(&kinds, None));
        assert_eq!(unwatched.now.report(), watched.now.report());
    }

    #[test]
    fn events_before_the_recording_are_missing_if_repeating_takes_too_long() {
        let mut model = model();
        model.run_until(1900);
        let clock = Cell::new(0.0);
        model.watch(true, || {
            clock.set(clock.get() + REPLAY_MS);
            clock.get()
        });
        assert_eq!(model.cycle(), 1900);
        model.run_until(4000);
        let events = model.events(&EventKind::ALL, None);
        assert!(!events.is_empty() && events.iter().all(|event| event.cycle >= 1900));
    }
}
