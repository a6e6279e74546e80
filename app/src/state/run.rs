//! The run as the worker reports it, and what decides when the worker loads a scenario again.
//!
//! The worker loads one scenario at a time. A change during loading is remembered and loaded
//! afterwards, so a dragged slider does not fill the worker's queue. Scenarios are numbered; what
//! the worker says about an earlier number is ignored by the caller.

use super::crash::{Crash, Deaths, Doing};
use crate::protocol::{Facts, Replay, Sample, Stats, StepBy, ToWorker};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::{NetworkSpec, Scenario};
use std::rc::Rc;

/// The last step of the speed slider: as fast as possible.
pub const FASTEST: u32 = 22;
/// The step at which the slider starts: 200 cycles per second.
pub const START_SPEED: u32 = 7;
/// The least step at which a deadlock is waited for: 20 000 cycles per second.
pub const DEADLOCK_SPEED: u32 = 13;
/// The least step at which two scenarios of the gallery run beside each other: 5000 cycles per
/// second. The queues that tell them apart fill within seconds, and worms can still be seen.
pub const BESIDE_SPEED: u32 = 11;
/// Worms that advance more cycles than this in a frame would only flicker.
const MAX_CYCLES_PER_FRAME: f64 = 150.0;
const FRAMES_PER_SECOND: f64 = 60.0;
/// Cycles that the tour runs before it is shown, so that there is traffic to see.
const WARM_UP_CYCLES: u64 = 20_000;
/// Cycles that a scenario runs that is opened while the run is paused, so that it is seen at work.
const FIRST_CYCLES: u64 = 500;
/// A run with fewer samples is not kept for comparison.
const MIN_SAMPLES: usize = 6;

/// The state of the worker.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub enum WorkerState {
    #[default]
    Starting,
    Ready,
    Restarted,
    Lost,
}

/// The run before, for comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct PreviousRun {
    /// The routing it used.
    pub name: String,
    /// Its samples.
    pub samples: Vec<Sample>,
    /// The samples of each service level.
    pub levels: Vec<Vec<Sample>>,
}

/// What a loaded scenario does once it stands at cycle 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OnLoad {
    /// Run the warm-up cycles first.
    pub warm_up: bool,
    /// Run the first cycles, unless it plays.
    pub first_cycles: bool,
    /// Run up to this cycle first, because the run was there when its worker died or a parameter
    /// changed.
    pub replay_to: u64,
    /// Play.
    pub play: bool,
}

/// The run.
#[derive(Debug)]
pub struct Run {
    /// The number of the scenario that was loaded last.
    pub number: u32,
    /// The state of the worker.
    pub worker: WorkerState,
    /// What is known before the run; `None` if the scenario cannot run. While a scenario loads,
    /// these are the facts of the one before, until there is progress to show instead.
    pub facts: Option<Rc<Facts>>,
    /// The state of the run.
    pub stats: Stats,
    /// Why the scenario cannot run.
    pub problems: Problems,
    /// The run before.
    pub previous: Option<PreviousRun>,
    /// What happens once the scenario is loaded.
    pub on_load: OnLoad,
    /// The death of the worker before this one, until the user has read of it.
    pub crash: Option<Crash>,
    deaths: Deaths,
    /// The step of the speed slider.
    speed: u32,
    /// Whether the run played until it ended by itself.
    ended_playing: bool,
    /// The part of the scenario that matters to the simulation, as loaded.
    loaded: Option<Scenario>,
    /// Its network as loaded, with names and positions.
    network: Option<NetworkSpec>,
    loading: bool,
    load_again: bool,
    /// Whether frames say which message waits for which.
    draws_waits: bool,
    /// Whether the next scenario is run up to the cycle of the run before it.
    keeps_cycle: bool,
    /// Where the loaded scenario is to be run to, until the worker says that it is on its way.
    returning: Option<Replay>,
    /// Whether the worker was told to play the loaded scenario and has not said yet that it does.
    starting: bool,
}

impl Default for Run {
    fn default() -> Run {
        Run {
            number: 0,
            worker: WorkerState::default(),
            facts: None,
            stats: Stats::default(),
            problems: Problems::default(),
            previous: None,
            on_load: OnLoad::default(),
            crash: None,
            deaths: Deaths::default(),
            speed: START_SPEED,
            ended_playing: false,
            loaded: None,
            network: None,
            loading: false,
            load_again: false,
            draws_waits: false,
            keeps_cycle: false,
            returning: None,
            starting: false,
        }
    }
}

impl Run {
    /// The step of the speed slider, at most [`FASTEST`].
    pub fn speed(&self) -> u32 {
        self.speed
    }

    /// Sets the step of the speed slider; what to tell the worker.
    pub fn set_speed(&mut self, step: u32) -> ToWorker {
        self.speed = step.min(FASTEST);
        self.speed_command()
    }

    /// What to tell the worker about the speed.
    pub fn speed_command(&self) -> ToWorker {
        ToWorker::Speed { cycles_per_second: self.cycles_per_second() }
    }

    /// Cycles per second that the slider asks for; `None` for as many as possible.
    pub fn cycles_per_second(&self) -> Option<f64> {
        Run::speed_of(self.speed)
    }

    /// Cycles per second of a step of the slider; `None` for as many as possible.
    pub fn speed_of(step: u32) -> Option<f64> {
        let digit = [1.0, 2.0, 5.0][(step % 3) as usize];
        (step < FASTEST).then(|| digit * 10_f64.powi((step / 3) as i32))
    }

    /// Whether the worker has the scenario and can run it.
    pub fn is_loaded(&self) -> bool {
        self.facts.is_some() && !self.loading
    }

    /// Whether the run plays, or will once its scenario is loaded.
    pub fn plays(&self) -> bool {
        if self.loading { self.on_load.play } else { self.stats.playing || self.starting }
    }

    /// Plays or pauses the run; what to tell the worker. `None` while a scenario loads: the run
    /// then plays, or not, once it is loaded.
    pub fn play(&mut self, play: bool) -> Option<ToWorker> {
        if self.loading {
            self.on_load.play = play;
            return None;
        }
        self.starting = false;
        Some(if play { ToWorker::Play } else { ToWorker::Pause })
    }

    /// Whether the run is too fast for worms to be seen.
    pub fn is_fast(&self) -> bool {
        let Stats { playing, measuring, .. } = self.stats;
        playing && (measuring || self.stats.replay.is_some() || self.has_fast_speed())
    }

    /// Whether single worms cannot be seen at the speed of the slider.
    pub fn has_fast_speed(&self) -> bool {
        let too_fast = |speed| speed / FRAMES_PER_SECOND > MAX_CYCLES_PER_FRAME;
        self.cycles_per_second().is_none_or(too_fast)
    }

    /// Whether the run plays, or will once it is back where its worker died.
    fn goes_on(&self) -> bool {
        self.target().map_or(self.stats.playing || self.starting, |replay| replay.play)
    }

    /// Where the run is on its way to.
    fn target(&self) -> Option<Replay> {
        self.stats.replay.or(self.returning)
    }

    /// Whether the worker is loading a scenario.
    pub fn is_loading(&self) -> bool {
        self.loading
    }

    /// Whether the loaded scenario differs from this one in anything but names and positions. A
    /// generated network and the same one drawn do not differ.
    pub fn differs_from(&self, scenario: &Scenario) -> bool {
        let Some(loaded) = &self.loaded else { return true };
        let scenario = without_appearance(scenario);
        let is_drawn = |of: &Scenario| matches!(of.network, NetworkSpec::Drawn(_));
        if is_drawn(loaded) == is_drawn(&scenario) {
            return *loaded != scenario;
        }
        let drawn = |of: &Scenario| {
            let network = NetworkSpec::Drawn(of.network.drawn().ok()?);
            Some(without_appearance(&Scenario { network, ..of.clone() }))
        };
        drawn(loaded) != drawn(&scenario)
    }

    /// Asks the worker for the results of the run. They show the network as the document has it:
    /// since the run was loaded, it may have been drawn, or its switches moved.
    pub fn ask_for_results(&self, scenario: &Scenario, for_host: bool) -> ToWorker {
        let is_redrawn =
            self.network.as_ref() != Some(&scenario.network) && !self.differs_from(scenario);
        let network_json = is_redrawn.then(|| scenario.to_document()["network"].to_string());
        ToWorker::Results { for_host, network_json }
    }

    /// Whether the next scenario is run up to the cycle at which this one is. For a parameter that
    /// changes: the curves of both runs can then be compared.
    pub fn keep_cycle(&mut self, keeps: bool) {
        self.keeps_cycle = keeps;
    }

    /// The cycle at which the run is, or to which it is on its way.
    fn place(&self) -> u64 {
        let target = self.target().map_or(self.stats.cycle, |replay| replay.to);
        target.max(self.on_load.replay_to)
    }

    /// Begins to load a scenario; what to tell the worker. `None` while another one loads: this
    /// one is due afterwards.
    pub fn load(&mut self, scenario: &Scenario) -> Option<ToWorker> {
        // Of a scenario that was due after another one, it was decided then.
        if self.loading || !self.load_again {
            self.on_load.replay_to = if self.keeps_cycle { self.place() } else { 0 };
        }
        if self.loading {
            self.load_again = true;
            return None;
        }
        self.keep_for_comparison();
        self.on_load.play |= self.goes_on() || self.ended_playing;
        self.stats.playing = false;
        self.starting = false;
        self.stats.replay.iter_mut().for_each(|replay| replay.play = false);
        self.returning = None;
        self.deaths = Deaths::default();
        self.crash.iter_mut().for_each(|crash| crash.waits = false);
        if self.worker == WorkerState::Lost {
            self.worker = WorkerState::Starting;
        }
        self.number += 1;
        self.loading = true;
        self.load_again = false;
        // With names and positions, which results have.
        let scenario_json = scenario.to_document().to_string();
        self.loaded = Some(without_appearance(scenario));
        self.network = Some(scenario.network.clone());
        Some(ToWorker::Load { document: self.number, scenario_json })
    }

    /// The scenario is loaded. True if a change is waiting to be loaded.
    pub fn finish_loading(&mut self, facts: Facts) -> bool {
        self.loading = false;
        self.facts = Some(Rc::new(facts));
        self.problems = Problems::default();
        self.load_again
    }

    /// What to tell the worker once the scenario is loaded.
    pub fn start(&mut self) -> Vec<ToWorker> {
        let OnLoad { warm_up, first_cycles, replay_to: to, play } =
            std::mem::take(&mut self.on_load);
        self.stats.playing = play;
        if to > 0 {
            let replay = Replay { to, play };
            self.returning = Some(replay);
            return vec![ToWorker::Replay { replay }];
        }
        let count = match (warm_up, first_cycles && !play) {
            (true, _) => Some(WARM_UP_CYCLES),
            (false, true) => Some(FIRST_CYCLES),
            (false, false) => None,
        };
        self.starting = play;
        let warm_up = count.map(|count| ToWorker::Step { by: StepBy::Cycles { count } });
        warm_up.into_iter().chain(play.then_some(ToWorker::Play)).collect()
    }

    /// The scenario cannot run. True if a change is waiting to be loaded.
    pub fn refuse(&mut self, problems: Problems) -> bool {
        self.loading = false;
        self.facts = None;
        self.problems = problems;
        self.stats = Stats::default();
        self.starting = false;
        self.load_again
    }

    /// Nothing is loaded or being loaded any more.
    pub fn unload(&mut self) {
        self.loaded = None;
        self.loading = false;
        self.load_again = false;
        self.facts = None;
        self.stats = Stats::default();
        self.starting = false;
    }

    /// The worker has died. True if another one is to load the same scenario, after which
    /// [`Run::start`] takes the run back to where it was. `shown` is the cycle of the last frame:
    /// frames come more often than messages.
    pub fn died(&mut self, why: String, shown: u64) -> bool {
        let nothing_runs = self.loading || self.facts.is_none();
        let (doing, cycle, play) = match (nothing_runs, self.stats.replay) {
            (true, _) => (Doing::Loading, 0, self.on_load.play),
            (false, Some(_)) => (Doing::Replaying, self.stats.cycle, self.goes_on()),
            (false, None) => (Doing::Running, self.stats.cycle.max(shown), self.goes_on()),
        };
        let next = self.deaths.next(cycle, doing, play);
        let waits = self.deaths.is_repeated();
        self.crash = Some(Crash { why, cycle, scenario: self.loaded.clone(), waits });
        self.stats = Stats::default();
        self.draws_waits = false;
        self.returning = None;
        self.starting = false;
        self.loading = next.is_some() && self.loaded.is_some();
        match next {
            Some(Replay { to, play }) => {
                let warm_up = self.on_load.warm_up && !waits;
                self.on_load = OnLoad { warm_up, first_cycles: false, replay_to: to, play };
                self.worker = WorkerState::Restarted;
            }
            None => {
                self.on_load = OnLoad::default();
                self.worker = WorkerState::Lost;
                self.facts = None;
            }
        }
        next.is_some()
    }

    /// Whether the scenario is being loaded again after a death that was the first at its place.
    /// What the page showed of the run can then be asked for again.
    pub fn comes_back(&self) -> bool {
        self.loading && self.on_load.replay_to > 0 && !self.deaths.is_repeated()
    }

    /// Whether the last worker died where others had died before.
    pub fn is_fragile(&self) -> bool {
        self.deaths.is_repeated()
    }

    /// The worker listens.
    pub fn ready(&mut self) {
        if self.worker == WorkerState::Starting {
            self.worker = WorkerState::Ready;
        }
    }

    /// The state of the run is another one.
    pub fn take_stats(&mut self, stats: Stats) {
        let was_playing = self.goes_on() || self.ended_playing;
        self.ended_playing = was_playing && stats.ended.is_some();
        if stats.replay.is_some() || self.returning.is_some_and(|replay| stats.cycle >= replay.to) {
            self.returning = None;
        }
        self.starting &= !stats.playing && stats.ended.is_none();
        self.stats = stats;
    }

    /// Has frames say which message waits for which, or not; what to tell the worker if that
    /// changes.
    pub fn draw_waits(&mut self, on: bool) -> Option<ToWorker> {
        let changes = std::mem::replace(&mut self.draws_waits, on) != on;
        changes.then_some(ToWorker::DrawWaits { on })
    }

    /// Forgets the run before: another document is opened.
    pub fn forget_previous(&mut self) {
        self.previous = None;
        self.stats.samples.clear();
    }

    /// The root of the spanning tree, if the routing has one.
    pub fn root(&self) -> Option<u32> {
        self.facts.as_ref()?.routing.root
    }

    /// The channels on the path of a message, if the worker explains it.
    pub fn path_of(&self, message: u32) -> Vec<u32> {
        let explained = self.stats.waits.first().filter(|state| state.message == message);
        explained.map(|state| state.path.clone()).unwrap_or_default()
    }

    fn keep_for_comparison(&mut self) {
        let samples = std::mem::take(&mut self.stats.samples);
        let levels = std::mem::take(&mut self.stats.levels);
        let Some(before) = &self.loaded else { return };
        // A run that was not yet where the run before it was is no run to compare with.
        let is_complete = self.target().is_none();
        if samples.len() >= MIN_SAMPLES && is_complete {
            let preset = serde_json::to_value(before.routing.preset).unwrap_or_default();
            let name = preset.as_str().unwrap_or_default().to_owned();
            self.previous = Some(PreviousRun { name, samples, levels });
        }
    }
}

/// The step of the speed slider nearest to a speed.
pub fn speed_step(cycles_per_second: f64) -> u32 {
    (cycles_per_second.max(1.0).log10() * 3.0).round().min(f64::from(FASTEST - 1)) as u32
}

/// The scenario without names, descriptions and positions, which do not affect a run.
pub fn without_appearance(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.name.clear();
    scenario.description.clear();
    if let NetworkSpec::Drawn(network) = &mut scenario.network {
        for switch in &mut network.switches {
            (switch.x, switch.y) = (None, None);
            switch.name.clear();
        }
        for host in &mut network.hosts {
            (host.x, host.y) = (None, None);
            host.name.clear();
        }
    }
    scenario
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Ended;

    fn scenario(seed: u64) -> Scenario {
        Scenario { seed, ..crate::edit::blank() }
    }

    fn document(command: Option<ToWorker>) -> Option<u32> {
        command.map(|command| match command {
            ToWorker::Load { document, .. } => document,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn the_slider_goes_in_steps_of_1_2_5_and_ends_without_a_limit() {
        let mut run = Run::default();
        assert_eq!(run.cycles_per_second(), Some(200.0));
        let speeds = [0, 1, 2, 3].map(|step| {
            run.set_speed(step);
            run.cycles_per_second()
        });
        assert_eq!(speeds, [Some(1.0), Some(2.0), Some(5.0), Some(10.0)]);
        assert_eq!(run.set_speed(99), ToWorker::Speed { cycles_per_second: None });
        assert_eq!(run.speed(), FASTEST);
        assert!(!run.is_fast());
        run.stats.playing = true;
        assert!(run.is_fast());
        for step in 0..FASTEST {
            run.set_speed(step);
            assert_eq!(run.cycles_per_second().map(speed_step), Some(step));
        }
    }

    #[test]
    fn play_and_pause_are_kept_until_the_scenario_is_loaded() {
        let mut run = Run::default();
        run.load(&scenario(1));
        run.on_load.first_cycles = true;
        assert_eq!((run.play(true), run.plays()), (None, true));
        run.finish_loading(Facts::default());
        assert_eq!((run.start(), run.plays()), (vec![ToWorker::Play], true));
        assert_eq!(run.play(false), Some(ToWorker::Pause));

        // A run that plays goes on playing with another scenario, unless it is paused meanwhile.
        run.load(&scenario(2));
        assert!(run.plays());
        assert_eq!((run.play(false), run.plays()), (None, false));
        run.load(&scenario(3));
        assert!(run.finish_loading(Facts::default()));
        run.load(&scenario(3));
        run.finish_loading(Facts::default());
        assert_eq!((run.start(), run.plays()), (vec![], false));
        assert_eq!(run.play(true), Some(ToWorker::Play));

        // So does one on its way back to the cycle of the run before it.
        run.stats.replay = Some(Replay { to: 900, play: true });
        run.load(&scenario(4));
        run.play(false);
        run.load(&scenario(5));
        run.finish_loading(Facts::default());
        run.load(&scenario(5));
        assert!(!run.plays());
    }

    #[test]
    fn a_run_that_was_told_to_start_also_starts_with_a_change_made_before_it_does() {
        let mut run = Run::default();
        run.on_load.play = true;
        run.load(&scenario(1));
        run.finish_loading(Facts::default());
        assert_eq!(run.start(), [ToWorker::Play]);
        // The worker tells of the loaded scenario before it is told to play it.
        run.take_stats(at(0, false));
        assert!(run.plays());
        run.load(&scenario(2));
        run.finish_loading(Facts::default());
        assert_eq!(run.start(), [ToWorker::Play]);
        // Nor does it start again once it was paused, before or after it started.
        run.take_stats(at(0, false));
        run.play(false);
        assert!(!run.plays());
        run.load(&scenario(3));
        run.finish_loading(Facts::default());
        assert!(run.start().is_empty());
        run.on_load.play = true;
        run.start();
        run.take_stats(at(5, true));
        run.take_stats(at(9, false));
        run.load(&scenario(4));
        run.finish_loading(Facts::default());
        assert!(run.start().is_empty());
    }

    #[test]
    fn a_link_to_the_cycle_of_a_later_run_of_a_lesson_leads_there() {
        let replay = ToWorker::Replay { replay: Replay { to: 3073, play: false } };
        let mut run = Run::default();
        // The first run of the lesson is being loaded when the link's step asks for another one.
        run.load(&scenario(1));
        run.load(&scenario(2));
        run.on_load = OnLoad { replay_to: 3073, ..OnLoad::default() };
        assert!(run.finish_loading(Facts::default()));
        run.load(&scenario(2));
        run.finish_loading(Facts::default());
        assert_eq!(run.start(), [replay]);
        // Another document that is opened on the way there begins at cycle 0.
        run.load(&scenario(3));
        run.on_load = OnLoad { replay_to: 3073, ..OnLoad::default() };
        run.load(&scenario(4));
        run.finish_loading(Facts::default());
        run.load(&scenario(4));
        run.finish_loading(Facts::default());
        assert!(run.start().is_empty());
    }

    #[test]
    fn a_change_during_loading_is_loaded_afterwards() {
        let mut run = Run::default();
        assert_eq!(document(run.load(&scenario(1))), Some(1));
        assert_eq!(document(run.load(&scenario(2))), None);
        assert!(run.finish_loading(Facts::default()));
        assert_eq!(document(run.load(&scenario(2))), Some(2));
        assert!(!run.finish_loading(Facts::default()));
        assert!(run.differs_from(&scenario(1)) && !run.differs_from(&scenario(2)));
    }

    #[test]
    fn a_name_or_a_position_does_not_restart_the_run() {
        let mut run = Run::default();
        let mut drawn = crate::edit::blank();
        let network = crate::edit::drawn(&mut drawn, &Default::default(), &[]);
        crate::edit::add_switch(network, [0.0, 0.0]);
        run.load(&drawn);
        drawn.name = "other".into();
        let network = crate::edit::drawn(&mut drawn, &Default::default(), &[]);
        network.switches[0].x = Some(70.0);
        assert!(!run.differs_from(&drawn));
    }

    #[test]
    fn a_generated_network_that_is_drawn_does_not_restart_the_run() {
        let text = r#"{"hopscope":1,"network":{"generate":{"kind":"irregular","switches":8}}}"#;
        let mut scenario = Scenario::read(text).expect("it is right");
        let mut run = Run::default();
        run.load(&scenario);
        let before = scenario.clone();
        let generated = scenario.network.drawn().expect("it is right");
        let network = crate::edit::drawn(&mut scenario, &generated, &[[0.0, 0.0]; 8]);
        network.switches[0].x = Some(70.0);
        assert!(!run.differs_from(&scenario));
        let ToWorker::Results { network_json, .. } = run.ask_for_results(&scenario, false) else {
            panic!("it asks for results");
        };
        assert_eq!(network_json, Some(scenario.to_document()["network"].to_string()));
        // The move may be undone after something else had the drawn network loaded.
        let mut loaded_as_drawn = Run::default();
        loaded_as_drawn.load(&scenario);
        assert!(!loaded_as_drawn.differs_from(&before));
        let network = crate::edit::drawn(&mut scenario, &generated, &[]);
        network.links[0].delay_cycles = Some(1000);
        assert!(run.differs_from(&scenario));
        loaded_as_drawn.finish_loading(Facts::default());
        loaded_as_drawn.load(&scenario);
        assert!(loaded_as_drawn.differs_from(&before));
    }

    #[test]
    fn a_run_goes_on_playing_with_the_next_scenario_and_is_kept_for_comparison() {
        let mut run = Run::default();
        run.load(&scenario(1));
        run.finish_loading(Facts::default());
        assert!(run.start().is_empty());
        run.take_stats(Stats { playing: true, ..Stats::default() });
        let samples = vec![Sample::default(); MIN_SAMPLES];
        run.take_stats(Stats { ended: Some(Ended::Finished), samples, ..Stats::default() });
        run.load(&scenario(2));
        let previous = run.previous.as_ref().expect("it is long enough");
        assert_eq!((previous.name.as_str(), previous.samples.len()), ("UD_ITB", MIN_SAMPLES));
        run.finish_loading(Facts::default());
        assert_eq!(run.start(), [ToWorker::Play]);
        assert!(run.start().is_empty());
    }

    #[test]
    fn a_changed_parameter_keeps_the_cycle_and_the_run_to_compare_with() {
        let mut run = Run::default();
        run.load(&scenario(1));
        run.finish_loading(Facts::default());
        run.start();
        let samples = vec![Sample::default(); MIN_SAMPLES];
        run.take_stats(Stats { samples: samples.clone(), ..at(9000, true) });
        let replay = Replay { to: 9000, play: true };
        let back = [ToWorker::Replay { replay }];

        // The load is changed twice before the first change is loaded, and again on the way back.
        run.keep_cycle(true);
        assert!(run.load(&scenario(2)).is_some() && run.load(&scenario(3)).is_none());
        assert!(run.finish_loading(Facts::default()));
        run.load(&scenario(3));
        run.finish_loading(Facts::default());
        assert_eq!(run.start(), back);
        run.take_stats(at(0, false));
        run.load(&scenario(4));
        run.finish_loading(Facts::default());
        assert_eq!(run.start(), back);
        run.take_stats(Stats { replay: Some(replay), samples, ..at(4000, true) });
        run.load(&scenario(5));
        run.finish_loading(Facts::default());
        assert_eq!(run.start(), back);
        assert_eq!(run.previous.as_ref().map(|run| run.samples.len()), Some(MIN_SAMPLES));

        // Once it is there it may be moved.
        run.take_stats(Stats { replay: Some(replay), ..at(8000, true) });
        run.take_stats(at(9000, true));
        run.take_stats(at(700, false));
        run.load(&scenario(6));
        run.finish_loading(Facts::default());
        assert_eq!(run.start(), [ToWorker::Replay { replay: Replay { to: 700, play: false } }]);

        // Another document begins anew, and is seen at work.
        run.take_stats(at(700, false));
        run.keep_cycle(false);
        run.load(&scenario(7));
        run.on_load.first_cycles = true;
        run.finish_loading(Facts::default());
        assert_eq!(run.start(), [ToWorker::Step { by: StepBy::Cycles { count: FIRST_CYCLES } }]);
    }

    #[test]
    fn waits_are_asked_for_again_after_a_restart() {
        let mut run = Run::default();
        assert_eq!(run.draw_waits(true), Some(ToWorker::DrawWaits { on: true }));
        assert_eq!(run.draw_waits(true), None);
        run.died("it died".into(), 0);
        assert_eq!(run.draw_waits(true), Some(ToWorker::DrawWaits { on: true }));
    }

    fn at(cycle: u64, playing: bool) -> Stats {
        Stats { cycle, playing, ..Stats::default() }
    }

    #[test]
    fn a_run_whose_worker_died_is_repeated_up_to_the_cycle_last_seen_and_plays_on() {
        let mut run = Run::default();
        run.load(&scenario(1));
        run.finish_loading(Facts::default());
        run.take_stats(at(5000, true));
        // A frame came after the last message.
        assert!(run.died("struck\n  at 1".into(), 5100));
        assert!(run.comes_back() && run.is_loading());
        let crash = run.crash.as_ref().expect("the page tells of it");
        assert_eq!((crash.cycle, crash.waits), (5100, false));
        assert_eq!(crash.scenario.as_ref().map(|loaded| loaded.seed), Some(1));
        run.finish_loading(Facts::default());
        let replay = Replay { to: 5100, play: true };
        assert_eq!(run.start(), [ToWorker::Replay { replay }]);

        // It dies again before it has come much further, so it waits there for the user.
        run.take_stats(Stats { replay: Some(replay), ..at(3000, true) });
        assert!(run.is_fast());
        run.take_stats(at(6000, true));
        assert!(run.died("struck".into(), 0));
        assert!(run.is_fragile() && !run.comes_back());
        run.finish_loading(Facts::default());
        let replay = Replay { to: 6000, play: false };
        assert_eq!(run.start(), [ToWorker::Replay { replay }]);
        assert!(run.crash.as_ref().is_some_and(|crash| crash.waits));

        // Another scenario does not inherit this, nor the pause at the end of the repetition.
        run.take_stats(Stats { replay: Some(replay), ..at(10, true) });
        run.load(&scenario(2));
        assert!(!run.is_fragile());
        run.finish_loading(Facts::default());
        assert!(run.start().is_empty());
    }

    #[test]
    fn a_scenario_that_cannot_be_loaded_without_dying_is_given_up_with_its_report() {
        let on_load = OnLoad { warm_up: true, play: true, ..OnLoad::default() };
        let mut run = Run { on_load, ..Run::default() };
        run.load(&scenario(1));
        assert!(run.died("struck".into(), 0));
        assert_eq!(run.on_load, on_load);
        assert!(run.died("struck".into(), 0));
        assert_eq!(run.on_load, OnLoad::default());
        assert!(!run.died("struck".into(), 0));
        assert_eq!(run.worker, WorkerState::Lost);
        assert!(run.crash.is_some() && !run.is_loading());
    }

    #[test]
    fn a_browser_that_starts_no_worker_is_not_asked_for_ever() {
        let mut run = Run::default();
        assert_eq!([0, 1, 2].map(|_| run.died("no worker".into(), 0)), [true, true, false]);
    }
}
