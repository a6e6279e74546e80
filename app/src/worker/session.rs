//! One page's use of one worker: the scenario it loaded, and how time passes in it.

use super::model::Model;
use super::now_ms;
use super::pace::{Chunk, Pace};
use super::routes::Router;
use crate::frame;
use crate::protocol::{FromWorker, Stats, StepBy, ToWorker};
use hopscope_core::lessons::Quantity;
use hopscope_core::observe::{EventKind, Snapshot, StopAt};
use js_sys::{ArrayBuffer, Uint32Array};

/// Numbers go out this often while time passes.
const STATS_MS: f64 = 200.0;
/// And this often while somebody looks inside a switch or a NIC.
const INSIDE_MS: f64 = 80.0;
/// As fast as possible, all but heat is a blur: pictures are further apart, so that the machine can simulate instead.
const HASTY_FRAME_MS: f64 = 80.0;
/// And so that they take at most this part of the time, if they are not to be further apart than that.
const FRAMES_SHARE: f64 = 0.04;
const LONGEST_FRAME_MS: f64 = 200.0;

/// What a piece of work wants posted.
#[derive(Default)]
pub struct Outbox {
    /// Control messages.
    pub messages: Vec<FromWorker>,
    /// A filled frame.
    pub frame: Option<ArrayBuffer>,
}

/// When the session wants to go on.
pub enum Wake {
    /// When it gets a message.
    Never,
    /// As soon as waiting messages are heard.
    Now,
    /// After this many milliseconds.
    InMs(i32),
}

/// See the module.
pub struct Session {
    document: u32,
    inspected: Option<u32>,
    /// The switch looked into.
    inside: Option<u32>,
    /// Whether frames tell who waits for whom.
    waits: bool,
    /// The host whose NIC is looked into.
    nic: Option<u32>,
    /// Kinds of events to list, and of which message.
    listed: (Vec<EventKind>, Option<u32>),
    measured: Vec<Quantity>,
    stop_at: StopAt,
    /// What a step looks for, while it does.
    sought: Option<StopAt>,
    stretch: Option<(u64, u64)>,
    model: Option<Model>,
    router: Router,
    playing: bool,
    cycles_per_second: Option<f64>,
    pace: Pace,
    chunk: Chunk,
    /// Buffers the page has given; each is a request for one frame.
    buffers: Vec<ArrayBuffer>,
    /// Memory used again for every frame.
    snapshot: Snapshot,
    words: Vec<u32>,
    /// Whether there is something the page has no frame of.
    unseen: bool,
    last_frame_ms: f64,
    /// How long the last one took to take.
    frame_cost_ms: f64,
    last_stats: (f64, u64),
    measured_speed: f64,
}

impl Default for Session {
    fn default() -> Session {
        let speed = Some(60.0);
        Session {
            document: 0,
            inspected: None,
            inside: None,
            waits: false,
            nic: None,
            listed: Default::default(),
            measured: Vec::new(),
            stop_at: StopAt::default(),
            sought: None,
            stretch: None,
            model: None,
            router: Router::default(),
            playing: false,
            cycles_per_second: speed,
            pace: Pace::new(speed, 0.0, 0),
            chunk: Chunk::default(),
            buffers: Vec::new(),
            snapshot: Snapshot::default(),
            words: Vec::new(),
            unseen: false,
            last_frame_ms: 0.0,
            frame_cost_ms: 0.0,
            last_stats: (0.0, 0),
            measured_speed: 0.0,
        }
    }
}

impl Session {
    /// Does what the page asks.
    pub fn obey(&mut self, command: ToWorker, outbox: &mut Outbox) {
        use ToWorker as To;
        self.model.iter_mut().for_each(Model::settle);
        let looks_only = matches!(
            command,
            To::Inspect { .. }
                | To::LookInside { .. }
                | To::DrawWaits { .. }
                | To::LookIntoNic { .. }
                | To::List { .. }
                | To::Measure { .. }
        );
        if !looks_only && !matches!(command, To::Speed { .. } | To::StopAt { .. } | To::Loop { .. })
        {
            self.sought = None;
        }
        match command {
            ToWorker::Pair { from, to } => {
                let Some(model) = &self.model else { return };
                let routes = model.pair(from, to);
                return outbox.messages.push(FromWorker::Pair {
                    document: self.document,
                    from,
                    to,
                    routes,
                });
            }
            ToWorker::WhatIf { question, scenario_json, failures } => {
                let answer = self.router.what_if(question, &scenario_json, &failures).map(Box::new);
                return outbox.messages.push(FromWorker::Aftermath { question, answer });
            }
            ToWorker::Load { document, scenario_json } => {
                self.load(document, &scenario_json, outbox)
            }
            ToWorker::Speed { cycles_per_second } => self.cycles_per_second = cycles_per_second,
            ToWorker::Play => {
                self.playing = self.model.is_some();
                self.arm();
            }
            ToWorker::StopAt { stop_at } => {
                self.stop_at = stop_at;
                self.arm();
            }
            ToWorker::Measure { quantities } => self.measured = quantities,
            ToWorker::Loop { stretch } => self.stretch = stretch,
            ToWorker::List { kinds, message } => {
                self.listed = (kinds, message);
                self.watch();
            }
            ToWorker::Step { by: StepBy::NextOf { kinds, message } } => {
                self.playing = self.model.is_some();
                self.sought = Some(StopAt { kinds, of_message: message, ..StopAt::default() });
                self.arm();
            }
            ToWorker::Pause => self.playing = false,
            ToWorker::Reset => {
                self.playing = false;
                self.model.iter_mut().for_each(|model| model.seek(0));
            }
            ToWorker::Step { by } => {
                self.playing = false;
                self.arm();
                if let Some(model) = &mut self.model {
                    let until = match by {
                        StepBy::Cycles { count } => model.cycle().saturating_add(count),
                        StepBy::NextEvent | StepBy::NextOf { .. } => model.next_event(),
                    };
                    model.run_until(until);
                    model.settle();
                }
            }
            ToWorker::Seek { cycle } => {
                self.playing = false;
                self.model.iter_mut().for_each(|model| model.seek(cycle));
            }
            ToWorker::Inspect { message } => self.inspected = message,
            ToWorker::LookInside { switch } => self.inside = switch,
            ToWorker::LookIntoNic { host } => self.nic = host,
            ToWorker::DrawWaits { on } => self.waits = on,
        }
        if looks_only && self.playing {
            return self.send_stats(self.measured_speed, outbox);
        }
        self.start_pace();
        self.last_stats = (now_ms(), self.cycle());
        self.unseen = true;
        self.send_stats(0.0, outbox);
        self.send_frame(outbox);
    }

    /// Takes a buffer to fill with a frame.
    pub fn give_buffer(&mut self, buffer: ArrayBuffer, outbox: &mut Outbox) {
        self.buffers.push(buffer);
        self.send_frame(outbox);
    }

    /// Lets time pass up to where the clock wants it.
    pub fn pass_time(&mut self, now: f64, outbox: &mut Outbox) {
        let (Some(model), true) = (&mut self.model, self.playing) else { return };
        // A search goes on past the end of the stretch.
        let stretch =
            self.stretch.filter(|(_, last)| self.sought.is_none() && model.cycle() <= *last);
        let last = stretch.map_or(u64::MAX, |(_, last)| last);
        let (from, due) = (model.cycle(), self.pace.due(now).min(last));
        self.chunk.run(self.pace.slice_ms(), from, due, now_ms, |cycle| {
            model.run_until(cycle);
            model.ended().is_none() && model.caught().is_none()
        });
        let stops = model.ended().is_some() || model.caught().is_some();
        let again = !stops && model.cycle() >= last;
        if let (true, Some((first, _))) = (again, stretch) {
            model.seek(first);
            self.arm();
            self.start_pace();
        }
        let cycle = self.cycle();
        self.unseen |= cycle != from || stops;
        if stops {
            self.playing = false;
            self.sought = None;
        }
        let now = now_ms();
        if cycle < due && !again {
            // The machine is slower than the wish. What is missed is not made up for later.
            self.start_pace();
        }
        let (then, cycle_then) = self.last_stats;
        let often = if self.inside.is_some() || self.nic.is_some() { INSIDE_MS } else { STATS_MS };
        if now - then >= often || stops {
            self.last_stats = (now, cycle);
            let passed_ms = (now - then).max(1.0);
            self.measured_speed = cycle.saturating_sub(cycle_then) as f64 * 1000.0 / passed_ms;
            self.send_stats(self.measured_speed, outbox);
        }
        self.send_frame(outbox);
    }

    /// When to call `pass_time` next.
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

    /// Has the model stop at what is to be stopped at, and go on if it was stopped.
    fn arm(&mut self) {
        self.watch();
        let stop_at = self.sought.as_ref().unwrap_or(&self.stop_at);
        self.model.iter_mut().for_each(|model| model.stop_at(stop_at.clone()));
    }

    /// Watches what happens if somebody wants to know, now or when it comes: telling it takes time.
    fn watch(&mut self) {
        let asked =
            !self.listed.0.is_empty() || self.sought.is_some() || self.stop_at != StopAt::default();
        self.model.iter_mut().for_each(|model| model.watch(asked, now_ms));
    }

    /// Has simulated time follow the clock from here on.
    fn start_pace(&mut self) {
        let speed = if self.sought.is_some() { None } else { self.cycles_per_second };
        self.pace = Pace::new(speed, now_ms(), self.cycle());
    }

    fn cycle(&self) -> u64 {
        self.model.as_ref().map_or(0, Model::cycle)
    }

    fn send_stats(&mut self, cycles_per_second: f64, outbox: &mut Outbox) {
        let Some(model) = &mut self.model else { return };
        model.settle();
        let events = model.events(&self.listed.0, self.listed.1);
        let measured = if self.measured.is_empty() { None } else { model.measured(&self.measured) };
        let stats = Stats {
            playing: self.playing,
            cycles_per_second,
            events,
            measured,
            inside: self.inside.map(|switch| Box::new(model.inside(switch))),
            nic: self.nic.and_then(|host| model.nic(host)).map(Box::new),
            ..model.stats(self.inspected)
        };
        outbox.messages.push(FromWorker::Stats { document: self.document, stats: Box::new(stats) });
    }

    fn send_frame(&mut self, outbox: &mut Outbox) {
        let Some(model) = &mut self.model else { return };
        if !self.unseen || outbox.frame.is_some() {
            return;
        }
        let (hasty, now) = (self.playing && self.cycles_per_second.is_none(), now_ms());
        let apart = (self.frame_cost_ms / FRAMES_SHARE).clamp(HASTY_FRAME_MS, LONGEST_FRAME_MS);
        if hasty && now - self.last_frame_ms < apart {
            return;
        }
        let Some(buffer) = self.buffers.pop() else { return };
        self.last_frame_ms = now;
        model.settle();
        // Too fast for worms to be seen; the picture of a NIC shows what it sends.
        if hasty && self.nic.is_none() {
            model.usage(&mut self.snapshot);
        } else {
            model.snapshot(&mut self.snapshot);
        }
        if self.waits && !hasty {
            model.add_waits(&mut self.snapshot);
        }
        frame::encode(self.document, &self.snapshot, &mut self.words);
        outbox.frame = Some(filled(buffer, &self.words));
        self.unseen = false;
        self.frame_cost_ms = now_ms() - now;
    }
}

/// The words in this buffer, or in a larger one if they do not fit.
fn filled(buffer: ArrayBuffer, words: &[u32]) -> ArrayBuffer {
    let bytes = (words.len() * 4) as u32;
    // Half as much again, since the next frame may be a little larger.
    let buffer = if buffer.byte_length() >= bytes {
        buffer
    } else {
        ArrayBuffer::new((bytes + bytes / 2) & !3)
    };
    Uint32Array::new_with_byte_offset_and_length(&buffer, 0, words.len() as u32).copy_from(words);
    buffer
}
