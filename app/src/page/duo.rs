//! Two networks that are compared, drawn beside each other: a worker, a stage and a canvas for
//! each, and one clock (`state/study/duo.rs`). They can be watched, not edited.

use super::browser;
use super::msg::Msg;
use super::parts::Page;
use super::study::StudyMsg;
use super::worker_link::{Event, WorkerLink};
use crate::frame;
use crate::protocol::{FromWorker, StepBy, ToWorker};
use crate::stage::picture::Picture;
use crate::stage::{Overlay, Stage};
use crate::state::study::{Duo, DuoAction};
use hopscope_core::scenario::Scenario;
use std::rc::Rc;
use web_sys::Element;
use yew::html::Scope;

/// The page's number of the scenario of each worker.
const DOCUMENT: u32 = 1;
/// Space around a network, pixels.
const MARGIN: f32 = 12.0;

/// Both networks.
pub struct DuoStages {
    sides: [Side; 2],
    frame_requested: bool,
}

/// A network, and the worker that runs it.
struct Side {
    worker: WorkerLink,
    stage: Stage,
    attached: Option<Element>,
    words: Vec<u32>,
}

impl Drop for Side {
    fn drop(&mut self) {
        self.stage.detach();
    }
}

impl Side {
    /// Draws the newest frame into the element of the page. True if another call is needed.
    fn draw(&mut self, id: &str) -> bool {
        let element = browser::document().get_element_by_id(id);
        if element != self.attached {
            self.attached = element;
            if let Some(place) = &self.attached {
                self.stage.attach(place);
            }
        }
        let Some(place) = &self.attached else { return false };
        let size = [place.client_width() as f32, place.client_height() as f32];
        if size != self.stage.camera.size {
            self.stage.resize(size, browser::pixel_ratio());
            self.stage.camera.fit(self.stage.picture.bounds(), [MARGIN; 4]);
        }
        if self.worker.take_frame(&mut self.words)
            && frame::decode(&self.words, &mut self.stage.frame).is_some()
        {
            self.stage.take_frame();
        }
        self.stage.draw(browser::now_ms())
    }
}

impl Page {
    /// Loads two scenarios to be watched beside each other.
    pub(super) fn open_duo(&mut self, link: &Scope<Page>, scenarios: [&Scenario; 2]) {
        let mut number = 0;
        let sides = scenarios.map(|scenario| {
            let side = number;
            number += 1;
            let event = move |event| Msg::Study(StudyMsg::Duo(side, event));
            let worker = WorkerLink::start(link.callback(event));
            worker.send(ToWorker::Load { document: DOCUMENT, scenario_json: scenario.to_json() });
            let mut stage = Stage::default();
            stage.picture = Rc::new(Picture::of(scenario));
            Side { worker, stage, attached: None, words: Vec::new() }
        });
        self.studies.duo = Some(DuoStages { sides, frame_requested: false });
        self.state.study.duo = Some(Duo::default());
    }

    /// Does what the user asks of the clock.
    pub(super) fn on_duo(&mut self, link: &Scope<Page>, action: DuoAction) {
        let Some(duo) = &mut self.state.study.duo else { return };
        match action {
            DuoAction::Play(is_playing) => duo.play(is_playing, browser::now_ms()),
            DuoAction::Step => {
                duo.play(false, browser::now_ms());
                if duo.step(1) {
                    self.step_duo(1);
                }
            }
            DuoAction::Reset => {
                duo.reset();
                self.tell_both(&ToWorker::Reset);
            }
        }
        self.request_duo_frame(link);
    }

    fn step_duo(&self, count: u64) {
        self.tell_both(&ToWorker::Step { by: StepBy::Cycles { count } });
    }

    fn tell_both(&self, command: &ToWorker) {
        let sides = self.studies.duo.iter().flat_map(|duo| &duo.sides);
        sides.for_each(|side| side.worker.send(command.clone()));
    }

    /// Reacts to a worker. True if the page is to be rendered.
    pub(super) fn on_duo_event(&mut self, link: &Scope<Page>, side: usize, event: Event) -> bool {
        self.request_duo_frame(link);
        let Some(duo) = &mut self.state.study.duo else { return false };
        match event {
            Event::Message(FromWorker::Stats { document: DOCUMENT, stats }) => {
                let was_playing = duo.is_playing;
                duo.take(side, &stats, browser::now_ms()) || was_playing != duo.is_playing
            }
            // The comparison tells of a scenario that cannot run.
            Event::Died { .. } => {
                self.close_duo();
                true
            }
            _ => false,
        }
    }

    /// Ends both runs.
    pub(super) fn close_duo(&mut self) {
        self.studies.duo = None;
        self.state.study.duo = None;
    }

    /// Has both networks drawn with the browser's next animation frame.
    pub(super) fn request_duo_frame(&mut self, link: &Scope<Page>) {
        if let Some(duo) = &mut self.studies.duo
            && !std::mem::replace(&mut duo.frame_requested, true)
        {
            let link = link.clone();
            browser::on_animation_frame(move || link.send_message(Msg::Study(StudyMsg::DuoFrame)));
        }
    }

    /// Draws both networks, and moves the clock on.
    pub(super) fn draw_duo(&mut self, link: &Scope<Page>) {
        let (speed, is_fast) =
            (self.state.run.cycles_per_second(), self.state.run.has_fast_speed());
        let Some(duo) = &mut self.state.study.duo else { return };
        let step = duo.tick(browser::now_ms(), speed);
        let mut again = duo.is_playing;
        let shows_worms = !(duo.is_playing && is_fast);
        if let Some(cycle) = browser::document().get_element_by_id("duo-cycle") {
            cycle.set_text_content(Some(&crate::text::number(duo.cycle)));
        }
        if let Some(stages) = &mut self.studies.duo {
            stages.frame_requested = false;
            for (side, id) in stages.sides.iter_mut().zip(["duo-0", "duo-1"]) {
                side.stage.flow.plays = duo.is_playing;
                side.stage.flow.is_still = browser::reduced_motion();
                let marks = &mut side.stage.marks;
                marks.worms = shows_worms;
                marks.overlay = if shows_worms { Overlay::None } else { Overlay::Busy };
                again |= side.draw(id);
            }
        }
        if let Some(count) = step {
            self.step_duo(count);
        }
        if again {
            self.request_duo_frame(link);
        }
    }

    /// The theme has changed.
    pub(super) fn repaint_duo(&mut self) {
        let sides = self.studies.duo.iter_mut().flat_map(|duo| &mut duo.sides);
        sides.for_each(|side| side.stage.repaint());
    }
}
