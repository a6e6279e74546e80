//! The state behind a worker: the loaded scenario, its run, and what the page wants to know.
//!
//! [`Session::run_command`] carries out a control message, [`Session::give_buffer`] takes a buffer
//! for a frame, and [`Session::pass_time`] advances the run up to the cycle that the clock asks
//! for. Each puts its answers into an [`Outbox`]. After each, [`Session::next_wake`] says when
//! `pass_time` is due. A frame goes out only if the page has given a buffer and the picture has
//! changed since the last frame.

use super::model::Model;
use super::pace::{Chunk, Pace};
use super::routes::Router;
use super::study::Study;
use super::{now_ms, post};
use crate::frame;
use crate::protocol::{FromWorker, Replay, Stats, StepBy, ToWorker};
use hopscope_core::lessons::Quantity;
use hopscope_core::measure::Wanted;
use hopscope_core::observe::{EventKind, Snapshot, StopAt};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use js_sys::{ArrayBuffer, Uint32Array};

/// Time between two [`Stats`] while the run plays.
const STATS_MS: f64 = 200.0;
/// The same while the inside of a switch or NIC is shown.
const INSIDE_MS: f64 = 80.0;
/// Time between two answers to `ShowResults` or `ShowTimeline` while the run plays ...
const RESULTS_MS: f64 = 1000.0;
/// ... unless they would take more than this share of the time.
const RESULTS_SHARE: f64 = 0.04;
/// The speed is not measured over less time than this.
const MEASURED_MS: f64 = 20.0;
/// Least time between two frames at full speed. Single worms cannot be seen then, so the time goes
/// into simulating instead of drawing.
const FULL_SPEED_FRAME_MS: f64 = 80.0;
/// At full speed, frames take at most this share of the time ...
const FRAMES_SHARE: f64 = 0.04;
/// ... unless they would come less often than this.
const LONGEST_FRAME_MS: f64 = 200.0;
/// Speed until the page sets one, simulated cycles per second.
const FIRST_SPEED: f64 = 60.0;

/// What the session wants posted to the page.
#[derive(Default)]
pub struct Outbox {
    /// Control messages.
    pub messages: Vec<FromWorker>,
    /// A filled frame.
    pub frame: Option<ArrayBuffer>,
}

/// When [`Session::pass_time`] is due.
pub enum Wake {
    /// Not before another message comes.
    Never,
    /// As soon as the messages that have come are handled.
    Now,
    /// After this many milliseconds.
    InMs(i32),
}

/// What the run is on its way to, as fast as possible.
enum Goal {
    /// The next of these events.
    Event(StopAt),
    /// A cycle. Events do not stop the run on the way.
    Cycle(Replay),
    /// The end of the measurement. Events do not stop the run on the way.
    Measured,
}

/// The last answer of a kind that is sent again and again while the run plays.
#[derive(Default)]
struct LastAnswer {
    /// Clock time at which it was made.
    at_ms: f64,
    /// Clock time that it took to make.
    cost_ms: f64,
    /// Whether it stays as it is, however far the run goes on.
    is_final: bool,
}

impl LastAnswer {
    /// Whether the next one is due while the run plays.
    fn is_old(&self, now: f64) -> bool {
        now - self.at_ms >= RESULTS_MS.max(self.cost_ms / RESULTS_SHARE)
    }

    /// The answer that was begun at the clock time `at_ms` is made.
    fn made(at_ms: f64, is_final: bool) -> LastAnswer {
        LastAnswer { at_ms, cost_ms: now_ms() - at_ms, is_final }
    }
}

/// The state behind a worker.
pub struct Session {
    /// The page's number of the loaded scenario.
    document: u32,
    /// The message that every [`Stats`] explains.
    inspected: Option<u32>,
    /// The switch whose inside is shown.
    inside: Option<u32>,
    /// The host whose NIC's inside is shown.
    nic: Option<u32>,
    /// Whether frames say which message waits for which.
    waits: bool,
    /// Kinds of events to list, and the message to list them of.
    listed: (Vec<EventKind>, Option<u32>),
    measured: Vec<Quantity>,
    /// The rows of the results that the page shows.
    wanted: Option<Wanted>,
    /// The last answer with results.
    last_results: LastAnswer,
    /// Ranks of the chart that the page shows, at most.
    charted: Option<u32>,
    /// The last answer with that chart.
    last_chart: LastAnswer,
    stop_at: StopAt,
    /// What the run is on its way to, if to anything.
    goal: Option<Goal>,
    /// First and last cycle of the stretch to repeat.
    stretch: Option<(u64, u64)>,
    model: Option<Model>,
    router: Router,
    study: Study,
    playing: bool,
    /// `None` is as fast as possible.
    cycles_per_second: Option<f64>,
    pace: Pace,
    chunk: Chunk,
    /// Buffers given by the page; each is a request for one frame.
    buffers: Vec<ArrayBuffer>,
    /// Memory that every frame reuses.
    snapshot: Snapshot,
    words: Vec<u32>,
    /// Whether the picture has changed since the last frame.
    frame_is_due: bool,
    /// Clock time of the last frame.
    last_frame_ms: f64,
    /// Clock time that the last frame took to make.
    frame_cost_ms: f64,
    /// Clock time and cycle of the last [`Stats`].
    last_stats: (f64, u64),
    /// Simulated cycles per second between the last two [`Stats`].
    measured_speed: f64,
}

impl Default for Session {
    fn default() -> Session {
        let speed = Some(FIRST_SPEED);
        Session {
            document: 0,
            inspected: None,
            inside: None,
            nic: None,
            waits: false,
            listed: Default::default(),
            measured: Vec::new(),
            wanted: None,
            last_results: LastAnswer::default(),
            charted: None,
            last_chart: LastAnswer::default(),
            stop_at: StopAt::default(),
            goal: None,
            stretch: None,
            model: None,
            study: Study::default(),
            router: Router::new(now_ms, |number, progress| {
                post(&FromWorker::Routing { number, progress })
            }),
            playing: false,
            cycles_per_second: speed,
            pace: Pace::new(speed, 0.0, 0),
            chunk: Chunk::default(),
            buffers: Vec::new(),
            snapshot: Snapshot::default(),
            words: Vec::new(),
            frame_is_due: false,
            last_frame_ms: 0.0,
            frame_cost_ms: 0.0,
            last_stats: (0.0, 0),
            measured_speed: 0.0,
        }
    }
}

/// How a command affects the run.
#[derive(PartialEq, Eq)]
enum Effect {
    /// It asks a question; the run and what is shown of it stay as they are.
    Question,
    /// It changes what is shown of the run.
    View,
    /// It changes how the run goes on, but not what it looks for.
    Settings,
    /// It starts, stops or moves the run.
    Run,
}

fn effect(command: &ToWorker) -> Effect {
    match command {
        ToWorker::Pair { .. }
        | ToWorker::WhatIf { .. }
        | ToWorker::Fingerprint { .. }
        | ToWorker::Results { .. }
        | ToWorker::ShowResults { .. }
        | ToWorker::ShowTimeline { .. }
        | ToWorker::CriticalPath
        | ToWorker::Table { .. }
        | ToWorker::Study { .. }
        | ToWorker::Matrix { .. }
        | ToWorker::Fill => Effect::Question,
        ToWorker::Inspect { .. }
        | ToWorker::LookInside { .. }
        | ToWorker::LookIntoNic { .. }
        | ToWorker::DrawWaits { .. }
        | ToWorker::List { .. }
        | ToWorker::Measure { .. } => Effect::View,
        ToWorker::Speed { .. } | ToWorker::StopAt { .. } | ToWorker::Loop { .. } => {
            Effect::Settings
        }
        ToWorker::Load { .. }
        | ToWorker::Play
        | ToWorker::Pause
        | ToWorker::Step { .. }
        | ToWorker::Reset
        | ToWorker::Replay { .. }
        | ToWorker::Seek { .. } => Effect::Run,
    }
}

impl Session {
    /// Carries out a command of the page.
    pub fn run_command(&mut self, command: ToWorker, outbox: &mut Outbox) {
        self.model.iter_mut().for_each(Model::settle);
        let effect = effect(&command);
        if effect == Effect::Run {
            self.goal = None;
        }
        match command {
            ToWorker::Pair { from, to } => {
                if let Some(model) = &self.model {
                    let (document, routes) = (self.document, model.pair(from, to));
                    outbox.messages.push(FromWorker::Pair { document, from, to, routes });
                }
            }
            ToWorker::WhatIf { question, scenario_json, failures } => {
                let answer = self.router.what_if(question, &scenario_json, &failures).map(Box::new);
                outbox.messages.push(FromWorker::Aftermath { question, answer });
            }
            ToWorker::Fingerprint { scenario_json, cycle } => {
                let (cycle, fingerprint) = match fingerprint(&scenario_json, cycle) {
                    Ok((cycle, fingerprint)) => (cycle, Ok(fingerprint)),
                    Err(problems) => (0, Err(problems)),
                };
                outbox.messages.push(FromWorker::Fingerprint { cycle, fingerprint });
            }
            ToWorker::Study { task } => {
                // Some tasks answer many times.
                self.study.carry_out(task, &|answer| post(&FromWorker::Study { answer }));
            }
            ToWorker::Results { for_host, network_json } => {
                if let Some(model) = &self.model {
                    let results = Box::new(model.results(network_json.as_deref()));
                    let document = self.document;
                    outbox.messages.push(FromWorker::Results { document, for_host, results });
                }
            }
            ToWorker::ShowResults { wanted } => {
                self.wanted = wanted;
                self.last_results.is_final = false;
                self.send_results(outbox);
            }
            ToWorker::ShowTimeline { ranks } => {
                self.charted = ranks;
                self.last_chart.is_final = false;
                self.send_timeline(outbox);
            }
            ToWorker::CriticalPath => {
                if let Some(model) = &self.model {
                    let (document, path) = (self.document, model.critical_path().map(Box::new));
                    outbox.messages.push(FromWorker::CriticalPath { document, path });
                }
            }
            ToWorker::Table { table } => {
                if let Some(model) = &self.model {
                    let (document, file) = (self.document, Box::new(model.table(table)));
                    outbox.messages.push(FromWorker::Table { document, file });
                }
            }
            ToWorker::Matrix { flow } => {
                if let Some(model) = &self.model {
                    let (document, matrix) = (self.document, model.matrix(flow).map(Box::new));
                    outbox.messages.push(FromWorker::Matrix { document, flow, matrix });
                }
            }
            ToWorker::Fill => {
                if let Some(model) = &self.model {
                    let (document, admission) = (self.document, Box::new(model.fill()));
                    outbox.messages.push(FromWorker::Filled { document, admission });
                }
            }
            ToWorker::Load { document, scenario_json } => {
                self.load(document, &scenario_json, outbox)
            }
            ToWorker::Play => {
                self.playing = self.model.is_some();
                self.arm();
            }
            ToWorker::Pause => self.playing = false,
            ToWorker::Step { by: StepBy::NextOf { kinds, message } } => {
                self.playing = self.model.is_some();
                let sought = StopAt { kinds, of_message: message, ..StopAt::default() };
                self.goal = Some(Goal::Event(sought));
                self.arm();
            }
            ToWorker::Step { by: StepBy::Measured } => {
                self.playing = self.model.is_some();
                self.goal = self.playing.then_some(Goal::Measured);
                self.arm();
            }
            ToWorker::Replay { replay } => {
                self.playing = self.model.is_some();
                self.goal = self.playing.then_some(Goal::Cycle(replay));
                self.arm();
            }
            ToWorker::Step { by: StepBy::NextEvent } => self.step(Model::next_event),
            ToWorker::Step { by: StepBy::Cycles { count } } => {
                self.step(|model| model.cycle().saturating_add(count))
            }
            ToWorker::Reset => self.seek(0),
            ToWorker::Seek { cycle } => self.seek(cycle),
            ToWorker::Inspect { message } => self.inspected = message,
            ToWorker::LookInside { switch } => self.inside = switch,
            ToWorker::LookIntoNic { host } => self.nic = host,
            ToWorker::DrawWaits { on } => self.waits = on,
            ToWorker::List { kinds, message } => {
                self.listed = (kinds, message);
                self.watch();
            }
            ToWorker::Measure { quantities } => self.measured = quantities,
            ToWorker::Speed { cycles_per_second } => self.cycles_per_second = cycles_per_second,
            ToWorker::StopAt { stop_at } => {
                self.stop_at = stop_at;
                self.arm();
            }
            ToWorker::Loop { stretch } => self.stretch = stretch,
        }
        match effect {
            Effect::Question => {}
            // The next frame of the running simulation shows the change.
            Effect::View if self.playing => self.send_stats(self.measured_speed, outbox),
            Effect::View | Effect::Settings | Effect::Run => {
                self.start_pace();
                self.last_stats = (now_ms(), self.cycle());
                self.frame_is_due = true;
                self.send_stats(0.0, outbox);
                self.send_results(outbox);
                self.send_timeline(outbox);
                self.send_frame(outbox);
            }
        }
    }

    /// Pauses the run and advances it to the cycle that `until` gives.
    fn step(&mut self, until: impl FnOnce(&Model) -> u64) {
        self.playing = false;
        self.arm();
        if let Some(model) = &mut self.model {
            model.run_until(until(model));
            model.settle();
        }
    }

    /// Pauses the run and goes to a cycle, earlier or later.
    fn seek(&mut self, cycle: u64) {
        self.playing = false;
        self.model.iter_mut().for_each(|model| model.seek(cycle));
    }

    /// Takes a buffer to fill with a frame.
    pub fn give_buffer(&mut self, buffer: ArrayBuffer, outbox: &mut Outbox) {
        self.buffers.push(buffer);
        self.send_frame(outbox);
    }

    /// Advances the run up to the cycle that is due at the clock time `now`, for at most a slice of
    /// time.
    pub fn pass_time(&mut self, now: f64, outbox: &mut Outbox) {
        let replay = self.replay();
        let measures = self.measures();
        let (Some(model), true) = (&mut self.model, self.playing) else { return };
        let goes_on = |model: &Model| {
            let is_there = measures && model.is_measured();
            model.ended().is_none() && model.caught().is_none() && !is_there
        };
        // A run on its way to something goes on past the end of the stretch.
        let stretch =
            self.stretch.filter(|(_, last)| self.goal.is_none() && model.cycle() <= *last);
        let last = stretch.map(|(_, last)| last).or(replay.map(|replay| replay.to));
        let last = last.unwrap_or(u64::MAX);
        let (from, due) = (model.cycle(), self.pace.due(now).min(last));
        self.chunk.run(self.pace.slice_ms(), from, due, now_ms, |cycle| {
            model.run_until(cycle);
            goes_on(model)
        });
        let stops = !goes_on(model);
        let arrives = !stops && model.cycle() >= last;
        let replay_ends = arrives && replay.is_some();
        if let (true, Some((first, _))) = (arrives, stretch) {
            model.seek(first);
            self.arm();
            self.start_pace();
        }
        if let (true, Some(replay)) = (arrives, replay) {
            self.goal = None;
            self.playing = replay.play;
            self.arm();
            self.start_pace();
        }
        let cycle = self.cycle();
        self.frame_is_due |= cycle != from || stops;
        if stops {
            self.playing = false;
            self.goal = None;
        }
        let now = now_ms();
        if cycle < due && !arrives {
            // The machine is slower than the chosen speed. The run does not catch up later.
            self.start_pace();
        }
        let (then, cycle_then) = self.last_stats;
        let interval =
            if self.inside.is_some() || self.nic.is_some() { INSIDE_MS } else { STATS_MS };
        if now - then >= interval || stops || replay_ends {
            self.last_stats = (now, cycle);
            if now - then >= MEASURED_MS {
                let cycles = cycle.saturating_sub(cycle_then);
                self.measured_speed = cycles as f64 * 1000.0 / (now - then);
            }
            self.send_stats(self.measured_speed, outbox);
        }
        // Nothing of a replay that arrives paused is sent later.
        if stops || replay_ends || self.last_results.is_old(now) {
            self.send_results(outbox);
        }
        if stops || replay_ends || self.last_chart.is_old(now) {
            self.send_timeline(outbox);
        }
        self.send_frame(outbox);
    }

    /// When `pass_time` is due next.
    pub fn next_wake(&self) -> Wake {
        if !self.playing {
            return Wake::Never;
        }
        match self.pace.wait_ms(self.cycle(), now_ms()) {
            0.0 => Wake::Now,
            ms => Wake::InMs(ms.ceil().min(1000.0) as i32),
        }
    }

    fn load(&mut self, document: u32, scenario_json: &str, outbox: &mut Outbox) {
        self.document = document;
        self.inspected = None;
        self.playing = false;
        self.last_results = LastAnswer::default();
        self.last_chart = LastAnswer::default();
        self.model = None;
        self.chunk = Chunk::default();
        match Model::new(document, scenario_json, &mut self.router) {
            Ok(model) => {
                outbox
                    .messages
                    .push(FromWorker::Loaded { document, facts: Box::new(model.facts()) });
                self.model = Some(model);
                self.watch();
            }
            Err(problems) => outbox.messages.push(FromWorker::Problems { document, problems }),
        }
    }

    /// Passes on the events at which the run stops; a run that has stopped may go on.
    fn arm(&mut self) {
        self.watch();
        let stop_at = match &self.goal {
            None => self.stop_at.clone(),
            Some(Goal::Event(sought)) => sought.clone(),
            Some(Goal::Cycle(_) | Goal::Measured) => StopAt::default(),
        };
        self.model.iter_mut().for_each(|model| model.stop_at(stop_at.clone()));
    }

    /// Where the run is on its way to, if its past is being repeated.
    fn replay(&self) -> Option<Replay> {
        if let Some(Goal::Cycle(replay)) = self.goal { Some(replay) } else { None }
    }

    /// Whether the run is on its way to the end of the measurement.
    fn measures(&self) -> bool {
        matches!(self.goal, Some(Goal::Measured))
    }

    /// Has the model record events only while they are listed or stopped at, because recording
    /// takes time.
    fn watch(&mut self) {
        let needed = !self.listed.0.is_empty()
            || matches!(self.goal, Some(Goal::Event(_)))
            || self.stop_at != StopAt::default();
        self.model.iter_mut().for_each(|model| model.watch(needed, now_ms));
    }

    /// Has simulated time follow the clock from the current cycle on.
    fn start_pace(&mut self) {
        let speed = if self.goal.is_some() { None } else { self.cycles_per_second };
        self.pace = Pace::new(speed, now_ms(), self.cycle());
    }

    fn cycle(&self) -> u64 {
        self.model.as_ref().map_or(0, Model::cycle)
    }

    fn send_stats(&mut self, cycles_per_second: f64, outbox: &mut Outbox) {
        let (replay, measuring) = (self.replay(), self.measures());
        let Some(model) = &mut self.model else { return };
        model.settle();
        let events = model.events(&self.listed.0, self.listed.1);
        let measured = if self.measured.is_empty() { None } else { model.measured(&self.measured) };
        let stats = Stats {
            playing: self.playing,
            measuring,
            replay,
            fingerprint: model.fingerprint(self.playing),
            cycles_per_second,
            events,
            measured,
            inside: self.inside.map(|switch| Box::new(model.inside(switch))),
            nic: self.nic.and_then(|host| model.nic(host)).map(Box::new),
            ..model.stats(self.inspected)
        };
        outbox.messages.push(FromWorker::Stats { document: self.document, stats: Box::new(stats) });
    }

    /// Sends the results that the page shows, unless it has them already.
    fn send_results(&mut self, outbox: &mut Outbox) {
        let (Some(model), Some(wanted)) = (&mut self.model, &self.wanted) else { return };
        let is_final = model.is_measured();
        if is_final && self.last_results.is_final {
            return;
        }
        let at_ms = now_ms();
        model.settle();
        let (document, shown) = (self.document, Box::new(model.shown_results(wanted)));
        outbox.messages.push(FromWorker::Shown { document, shown });
        self.last_results = LastAnswer::made(at_ms, is_final);
    }

    /// Sends the chart that the page shows, unless it has it already.
    fn send_timeline(&mut self, outbox: &mut Outbox) {
        let (Some(model), Some(ranks)) = (&mut self.model, self.charted) else { return };
        let at_ms = now_ms();
        let timeline = model.timeline(ranks).map(Box::new);
        // Without an application, there will be no chart either.
        let is_final = timeline.as_ref().is_none_or(|chart| chart.finished);
        if is_final && self.last_chart.is_final {
            return;
        }
        outbox.messages.push(FromWorker::Timeline { document: self.document, timeline });
        self.last_chart = LastAnswer::made(at_ms, is_final);
    }

    fn send_frame(&mut self, outbox: &mut Outbox) {
        let no_limit =
            self.cycles_per_second.is_none() || self.replay().is_some() || self.measures();
        let full_speed = self.playing && no_limit;
        let Some(model) = &mut self.model else { return };
        if !self.frame_is_due || outbox.frame.is_some() {
            return;
        }
        let now = now_ms();
        let interval =
            (self.frame_cost_ms / FRAMES_SHARE).clamp(FULL_SPEED_FRAME_MS, LONGEST_FRAME_MS);
        if full_speed && now - self.last_frame_ms < interval {
            return;
        }
        let Some(buffer) = self.buffers.pop() else { return };
        self.last_frame_ms = now;
        model.settle();
        // Worms cannot be seen at full speed, but the picture of a NIC shows what it sends.
        if full_speed && self.nic.is_none() {
            model.usage(&mut self.snapshot);
        } else {
            model.snapshot(&mut self.snapshot);
        }
        if self.waits && !full_speed {
            model.add_waits(&mut self.snapshot);
        }
        frame::encode(self.document, &self.snapshot, &mut self.words);
        outbox.frame = Some(filled(buffer, &self.words));
        self.frame_is_due = false;
        self.frame_cost_ms = now_ms() - now;
    }
}

/// Runs a scenario up to a cycle; the cycle at which it stopped, and the fingerprint of the run.
fn fingerprint(scenario_json: &str, cycle: u64) -> Result<(u64, String), Problems> {
    let mut simulation = Simulation::new(&Scenario::parse(scenario_json)?)?;
    simulation.run_until(cycle);
    Ok((simulation.now(), simulation.report().fingerprint))
}

/// Copies the words into this buffer, or into a new, larger one if they do not fit.
fn filled(buffer: ArrayBuffer, words: &[u32]) -> ArrayBuffer {
    let bytes = (words.len() * 4) as u32;
    let buffer = if buffer.byte_length() >= bytes {
        buffer
    } else {
        // Half as much again, because the next frame may be a little larger.
        ArrayBuffer::new((bytes + bytes / 2) & !3)
    };
    Uint32Array::new_with_byte_offset_and_length(&buffer, 0, words.len() as u32).copy_from(words);
    buffer
}
