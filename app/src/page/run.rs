//! The run: what the page knows of it, and what it tells the worker.

use super::worker_link::Event;
use super::{InsideOf, Page, Pin, Tab, Tour, browser};
use crate::frame;
use crate::protocol::{Facts, FromWorker, Sample, Stats, StepBy, ToWorker};
use crate::stage::Overlay;
use crate::text::{fill, text};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::{NetworkSpec, Scenario};
use std::rc::Rc;
use yew::html::Scope;

/// The fastest step of the speed slider: as fast as possible.
pub const FASTEST: u32 = 22;
/// Where it starts: 200 cycles per second.
pub const START_SPEED: u32 = 7;
/// At more cycles a frame than this, worms would only flicker.
const MAX_CYCLES_PER_FRAME: f64 = 150.0;
/// Cycles of the first look that pass before it starts, so that there is something to see at once.
const WARM_CYCLES: u64 = 20_000;
/// A run of fewer samples is not worth comparing with.
const MIN_PREVIOUS: usize = 6;

/// How the worker is.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub enum WorkerState {
    #[default]
    Starting,
    Ready,
    Restarted(String),
    Lost(String),
}

/// An earlier run to compare with.
#[derive(Debug, Clone, PartialEq)]
pub struct Previous {
    /// What it was.
    pub name: String,
    /// Its course.
    pub samples: Vec<Sample>,
}

/// The run.
#[derive(Default)]
pub struct Run {
    /// Numbers the scenarios loaded.
    pub number: u32,
    /// How the worker is.
    pub worker: WorkerState,
    /// What is known before it runs; none while it loads or if it cannot run.
    pub facts: Option<Rc<Facts>>,
    /// How it stands.
    pub stats: Stats,
    /// Why it cannot run.
    pub problems: Problems,
    /// The run before.
    pub previous: Option<Previous>,
    /// Whether it played until it came to its end by itself: nobody has stopped it.
    ended_playing: bool,
    /// Whether it should play once it is loaded.
    pub play_when_loaded: bool,
    /// Whether some cycles should have passed by then.
    pub warm_when_loaded: bool,
    /// Whether frames tell who waits for whom.
    waits_drawn: bool,
    /// What of the scenario matters to the simulation, as loaded.
    loaded: Option<Scenario>,
    loading: bool,
    again: bool,
}

impl Page {
    /// Cycles per second the slider asks for; none for as many as possible.
    pub fn cycles_per_second(&self) -> Option<f64> {
        let step = self.speed;
        let digit = [1.0, 2.0, 5.0][(step % 3) as usize];
        (step < FASTEST).then(|| digit * 10_f64.powi((step / 3) as i32))
    }

    /// Whether time passes too fast for worms to be seen.
    pub fn is_fast(&self) -> bool {
        self.run.stats.playing
            && self.cycles_per_second().is_none_or(|speed| speed / 60.0 > MAX_CYCLES_PER_FRAME)
    }

    /// Whether the worker is still busy building the scenario.
    pub(super) fn is_loading(&self) -> bool {
        self.run.loading
    }

    pub(super) fn send_speed(&self) {
        self.worker.send(ToWorker::Speed { cycles_per_second: self.cycles_per_second() });
    }

    /// Loads the scenario into the worker if anything that matters there has changed.
    pub(super) fn load(&mut self) {
        let matters = what_matters(self.document.scenario());
        if self.run.loaded.as_ref() == Some(&matters) {
            return;
        }
        if self.run.loading && self.routes.progress.is_some() {
            // Nobody wants to wait for routes of what was before.
            self.stop_routing();
        }
        if self.run.loading {
            // One at a time: a slider moves faster than a large network loads.
            self.run.again = true;
            return;
        }
        self.routes.cancelled = false;
        self.remember_run();
        self.forget_time();
        self.run.play_when_loaded |= self.run.stats.playing || self.run.ended_playing;
        self.run.number += 1;
        self.run.loading = true;
        self.run.again = false;
        let scenario_json = matters.to_document().to_string();
        self.run.loaded = Some(matters);
        self.worker.send(ToWorker::Load { document: self.run.number, scenario_json });
    }

    /// Nothing is loaded, nor on its way.
    pub(super) fn nothing_loaded(&mut self) {
        self.run.loaded = None;
        self.run.loading = false;
        self.run.again = false;
        self.run.facts = None;
        self.run.stats = Stats::default();
        self.stage.frame = Default::default();
    }

    fn remember_run(&mut self) {
        let samples = std::mem::take(&mut self.run.stats.samples);
        let Some(before) = &self.run.loaded else { return };
        if samples.len() >= MIN_PREVIOUS {
            let preset = serde_json::to_value(before.routing.preset).ok();
            let name =
                preset.as_ref().and_then(|value| value.as_str()).unwrap_or_default().to_owned();
            self.run.previous = Some(Previous { name, samples });
        }
    }

    /// Forgets the run to compare with: another scenario is opened.
    pub(super) fn forget_previous(&mut self) {
        self.run.previous = None;
        self.run.stats.samples.clear();
    }

    pub(super) fn hear(&mut self, link: &Scope<Page>, event: Event) -> bool {
        match event {
            Event::Frame => return false, // drawn with the next animation frame
            Event::Message(message) => return self.hear_message(link, message),
            Event::Restarted { why } => {
                self.run.waits_drawn = false;
                self.routes.progress = None;
                self.run.worker = WorkerState::Restarted(why.clone());
                self.run.stats = Stats::default();
                self.run.loading = false;
                self.say(link, fill(text().restarted, &[&why]));
            }
            Event::Lost { why } => {
                self.routes.progress = None;
                self.run.worker = WorkerState::Lost(why);
                self.run.facts = None;
                self.run.stats = Stats::default();
                self.run.loading = false;
            }
        }
        true
    }

    fn hear_message(&mut self, link: &Scope<Page>, message: FromWorker) -> bool {
        let now = self.run.number;
        match message {
            FromWorker::Ready { version } => {
                if version != env!("CARGO_PKG_VERSION") {
                    self.say(link, text().another_build.into());
                }
                if self.run.worker == WorkerState::Starting {
                    self.run.worker = WorkerState::Ready;
                }
            }
            FromWorker::Routing { number, progress } if number == now => {
                self.routing_progresses(progress)
            }
            FromWorker::Pair { document, from, to, routes } if document == now => {
                self.take_pair([from, to], routes);
            }
            FromWorker::Loaded { document, facts } if document == now => self.loaded(*facts),
            FromWorker::Problems { document, problems } if document == now => {
                self.run.loading = false;
                self.run.facts = None;
                self.routes.progress = None;
                self.run.problems = problems;
                self.run.stats = Stats::default();
                self.stage.frame = Default::default();
                if self.run.again {
                    self.load();
                }
            }
            FromWorker::Stats { document, stats } if document == now => self.take_stats(*stats),
            _ => return false,
        }
        true
    }

    fn loaded(&mut self, facts: Facts) {
        self.run.loading = false;
        if self.inside.is_some_and(|inside| inside.switch >= facts.switches) {
            self.look_inside(None);
        }
        self.run.facts = Some(Rc::new(facts));
        self.run.problems = Problems::default();
        if let Pin::Message(_) = self.pin {
            self.pin = Pin::None;
        }
        self.routes_loaded();
        if self.run.again {
            return self.load();
        }
        if std::mem::take(&mut self.run.warm_when_loaded) {
            self.worker.send(ToWorker::Step { by: StepBy::Cycles { count: WARM_CYCLES } });
        }
        if std::mem::take(&mut self.run.play_when_loaded) {
            self.worker.send(ToWorker::Play);
        }
    }

    fn take_stats(&mut self, stats: Stats) {
        self.take_events(&stats);
        self.take_results(&stats);
        let was_playing = self.run.stats.playing || self.run.ended_playing;
        self.run.ended_playing = was_playing && stats.ended.is_some();
        self.run.stats = stats;
    }

    pub(super) fn seek(&mut self, cycle: u64) {
        self.worker.send(ToWorker::Seek { cycle });
    }

    pub(super) fn pin(&mut self, pin: Pin) {
        self.pin = pin;
        // What is pinned is told at the top.
        if pin != Pin::None
            && self.tab == Tab::Watch
            && let Some(panel) = browser::document().get_element_by_id("panel")
        {
            panel.set_scroll_top(0);
        }
        let message = if let Pin::Message(message) = pin { Some(message) } else { None };
        self.worker.send(ToWorker::Inspect { message });
        let host = if let Pin::Host(host) = pin { Some(host) } else { None };
        self.worker.send(ToWorker::LookIntoNic { host });
        if message.is_none() {
            self.run.stats.waits.clear();
        }
        if self.timing.pinned_only {
            self.send_listed();
        }
    }

    pub(super) fn look_inside(&mut self, inside: Option<InsideOf>) {
        self.inside = inside;
        self.worker.send(ToWorker::LookInside { switch: inside.map(|inside| inside.switch) });
        if inside.is_none() {
            self.run.stats.inside = None;
        }
    }

    pub(super) fn tell(&self, command: ToWorker) {
        self.worker.send(command);
    }

    /// Draws the newest frame.
    /// True if another animation frame is needed.
    pub(super) fn draw(&mut self) -> bool {
        self.drawing_asked = false;
        let start = browser::now_ms();
        if self.worker.take_frame(&mut self.words)
            && let Some(document) = frame::decode(&self.words, &mut self.stage.frame)
        {
            if document == self.run.number {
                self.frames += 1;
                self.stage.usage.see(&self.stage.frame);
            } else {
                self.stage.frame = Default::default();
            }
        }
        if let Some(cycle) = self.refs.cycle.cast::<web_sys::Element>() {
            cycle.set_text_content(Some(&crate::text::number(self.stage.frame.cycle)));
            cycle.set_attribute("data-frames", &self.frames.to_string()).ok();
        }
        let again = self.stage.draw(start);
        self.drawn_ms.add(browser::now_ms() - start);
        if let Some(stage) = self.refs.stage.cast::<web_sys::Element>() {
            stage
                .set_attribute("data-draw-ms", &format!("{:.2}", self.drawn_ms.percentile_95()))
                .ok();
            // Where stage point 0 is in pixels, and pixels per unit: for tests that point at things.
            let camera = &self.stage.camera;
            let [x, y] = camera.to_screen([0.0, 0.0]);
            stage.set_attribute("data-view", &format!("{x} {y} {}", camera.scale)).ok();
        }
        again
    }

    /// Brings the stage's marks up to date.
    pub(super) fn mark(&mut self) {
        let fast = self.is_fast();
        let waits = self.overlay == Overlay::Waits;
        if waits != std::mem::replace(&mut self.run.waits_drawn, waits) {
            self.worker.send(ToWorker::DrawWaits { on: waits });
        }
        let marks = &mut self.stage.marks;
        marks.hover = self.hover.and_then(|spot| spot.thing(&self.stage.picture));
        marks.worms = !fast;
        marks.overlay =
            if fast && self.overlay == Overlay::None { Overlay::Busy } else { self.overlay };
        let routing = self.run.facts.as_ref().map(|facts| &facts.routing);
        marks.root = routing.and_then(|routing| routing.root);
        let deadlock = self.run.stats.deadlock.as_ref();
        marks.cycle = deadlock.map(|found| found.channels.clone()).unwrap_or_default();
        (marks.message, marks.path) = match (self.pin, self.run.stats.waits.first()) {
            (Pin::Message(message), Some(state)) if state.message == message => {
                (Some(message), state.path.clone())
            }
            (Pin::Message(message), _) => (Some(message), Vec::new()),
            (Pin::Channel(channel), _) => (None, vec![channel]),
            _ => (None, Vec::new()),
        };
        self.mark_routes();
    }

    pub(super) fn take_tour(&mut self, tour: Tour) {
        self.tour = tour;
        self.set_tour_scenario(tour);
    }
}

/// The step of the speed slider nearest to a speed.
pub fn step_of(cycles_per_second: f64) -> u32 {
    (cycles_per_second.max(1.0).log10() * 3.0).round().min(f64::from(FASTEST - 1)) as u32
}

/// The scenario without what only people see: changing that must not restart a run.
pub(super) fn what_matters(scenario: &Scenario) -> Scenario {
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
