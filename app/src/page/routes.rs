//! What the page knows of the routes beyond the facts of the run: how far they have come, the pair looked at, and
//! failures asked about. Questions that cost a routing of their own go to a worker of their own, which is ended when
//! the answer is no longer wanted; the run goes on meanwhile.

use super::run::what_matters;
use super::worker_link::{Event, WorkerLink};
use super::{InsideOf, Msg, Page, Pin, Tab};
use crate::edit::{self, Kind, Thing};
use crate::protocol::{Aftermath, FromWorker, ToWorker};
use crate::stage::gesture::Tool;
use crate::stage::{FailureMarks, Overlay, PairMarks};
use crate::text::{fill, text};
use hopscope_core::network::{LinkId, SwitchId};
use hopscope_core::problem::Problems;
use hopscope_core::routing::{Axes, Failure, PairRoutes, Progress};
use hopscope_core::scenario::{Root, Scenario};
use std::collections::BTreeSet;
use std::rc::Rc;
use yew::html::Scope;

/// See the module.
#[derive(Default)]
pub struct Routes {
    /// How far the routes of the document have come, while they are computed and that takes a while.
    pub progress: Option<Progress>,
    /// Whether the user had enough of waiting for them.
    pub cancelled: bool,
    /// Ends of the pair looked at, as far as chosen.
    pub ends: [Option<u32>; 2],
    /// The routes between them, or why there are none.
    pub pair: Option<Result<Rc<PairRoutes>, Problems>>,
    /// The route looked at.
    pub chosen: usize,
    /// The failure asked about.
    pub what_if: Option<WhatIf>,
    questions: u32,
    /// Answers questions.
    other: Option<WorkerLink>,
}

/// A failure asked about.
pub struct WhatIf {
    /// What fails.
    pub things: BTreeSet<Thing>,
    /// The answer so far.
    pub answer: Answer,
    /// The pair looked at, of the examples.
    pub example: Option<usize>,
    /// What was asked about, as far as it matters.
    of: Scenario,
}

/// What is known of a failure.
pub enum Answer {
    /// Not yet.
    Wait(Option<Progress>),
    /// This changes.
    Known(Rc<Aftermath>),
    /// Nothing can be routed any more.
    Impossible(Problems),
}

/// What can happen to it.
pub enum RoutesMsg {
    /// Wait no longer for the routes of the document.
    Cancel,
    /// Compute them after all.
    Retry,
    /// Begin (0) or end (1) the pair at a switch.
    End(usize, Option<u32>),
    /// Look at one of the routes.
    Choose(usize),
    /// Ask what the failure of what is selected would change.
    Ask,
    /// Look at one of the pairs it changes.
    Example(usize),
    /// Forget the failure: all is as it was.
    Restore,
    /// Take away what failed.
    Keep,
    /// The other worker says something.
    Answer(Event),
}

impl Page {
    pub(super) fn routes_react(&mut self, link: &Scope<Page>, msg: RoutesMsg) {
        match msg {
            RoutesMsg::Cancel => {
                self.routes.cancelled = true;
                self.stop_routing();
            }
            RoutesMsg::Retry => self.load(),
            RoutesMsg::End(which, switch) => {
                self.routes.ends[which] = switch;
                self.ask_for_pair();
                self.overlay = Overlay::Pair;
            }
            RoutesMsg::Choose(route) => {
                self.routes.chosen = route;
                self.overlay = Overlay::Pair;
            }
            RoutesMsg::Ask => self.ask_what_if(link),
            RoutesMsg::Example(example) => {
                self.overlay = Overlay::Failure;
                if let Some(what_if) = &mut self.routes.what_if {
                    what_if.example = (what_if.example != Some(example)).then_some(example);
                }
            }
            RoutesMsg::Restore => self.forget_failure(),
            RoutesMsg::Keep => {
                if let Some(what_if) = self.routes.what_if.take() {
                    self.stage.marks.selection = what_if.things;
                    self.remove_selected();
                    self.forget_failure();
                }
            }
            RoutesMsg::Answer(event) => self.hear_answer(event),
        }
    }

    /// Ends the worker that computes routes; there are none until the scenario is loaded again.
    pub(super) fn stop_routing(&mut self) {
        self.worker.replace();
        self.routes.progress = None;
        self.nothing_loaded();
    }

    /// The routes of the document take a while: what is shown of earlier ones is gone by now.
    pub(super) fn routing_progresses(&mut self, progress: Progress) {
        self.routes.progress = Some(progress);
        self.run.facts = None;
    }

    /// The document's routes are there.
    pub(super) fn routes_loaded(&mut self) {
        self.routes.progress = None;
        self.routes.cancelled = false;
        self.ask_for_pair();
    }

    fn ask_for_pair(&mut self) {
        self.routes.pair = None;
        self.routes.chosen = 0;
        let count = self.stage.picture.switches.len() as u32;
        for end in &mut self.routes.ends {
            *end = end.filter(|&switch| switch < count);
        }
        if let [Some(from), Some(to)] = self.routes.ends
            && self.run.facts.is_some()
        {
            self.worker.send(ToWorker::Pair { from, to });
        }
    }

    pub(super) fn take_pair(&mut self, ends: [u32; 2], routes: Result<PairRoutes, Problems>) {
        if self.routes.ends == ends.map(Some) {
            self.routes.pair = Some(routes.map(Rc::new));
        }
    }

    /// Uses a switch for what the tool in hand asks for.
    pub(super) fn choose(&mut self, link: &Scope<Page>, switch: u32) {
        match self.tool {
            Tool::Root => {
                self.tool = Tool::Select;
                self.make_root(link, switch);
            }
            Tool::Pair => {
                self.overlay = Overlay::Pair;
                self.tab = Tab::Routing;
                let ends = &mut self.routes.ends;
                // A third switch begins another pair.
                *ends = match *ends {
                    [Some(from), None] if from != switch => [Some(from), Some(switch)],
                    _ => [Some(switch), None],
                };
                self.ask_for_pair();
            }
            _ => {}
        }
    }

    /// Enter on the stage: the switch that arrow keys have reached, for the tool in hand; without one, look inside.
    pub(super) fn enter(&mut self, link: &Scope<Page>) {
        match self.pin {
            Pin::Switch(switch) if self.tool == Tool::Select => {
                self.look_inside(Some(InsideOf { switch, port: None }));
            }
            Pin::Switch(switch) => self.choose(link, switch),
            _ => {}
        }
    }

    fn make_root(&mut self, link: &Scope<Page>, switch: u32) {
        let mut scenario = (**self.document.scenario()).clone();
        scenario.routing.root = Root::Switch(switch);
        let axes = Axes::asked(&scenario.routing);
        if self.document.change(Kind::Root, scenario) {
            self.document_changed();
        }
        let name = self.stage.picture.switch_name(switch);
        let words = if axes.uses_root() { text().root_moved } else { text().root_unused };
        self.say(link, fill(words, &[&name]));
    }

    /// What would fail: what is selected, or pinned.
    pub fn may_fail(&self) -> BTreeSet<Thing> {
        let things = self.stage.marks.selection.iter().copied();
        let mut things: BTreeSet<Thing> =
            things.filter(|thing| !matches!(thing, Thing::Host(_))).collect();
        if things.is_empty() {
            things.extend(match self.pin {
                Pin::Switch(switch) => Some(Thing::Switch(switch)),
                Pin::Channel(channel) => {
                    self.stage.picture.lanes.get(channel as usize).map(|lane| lane.thing)
                }
                _ => None,
            });
            things.retain(|thing| !matches!(thing, Thing::Host(_)));
        }
        things
    }

    fn ask_what_if(&mut self, link: &Scope<Page>) {
        let things = self.may_fail();
        if things.is_empty() {
            return self.say(link, text().nothing_to_fail.into());
        }
        self.forget_failure();
        let of = what_matters(self.document.scenario());
        let scenario_json = of.to_document().to_string();
        let failures = edit::failures(&self.stage.picture.network, &things);
        let failures = failures.into_iter().map(|failed| match failed {
            edit::Failed::Cable(cable) => Failure::Link(LinkId(cable)),
            edit::Failed::Switch(switch) => Failure::Switch(SwitchId(switch)),
        });
        let question = ToWorker::WhatIf {
            question: self.routes.questions,
            scenario_json,
            failures: failures.collect(),
        };
        let heard = || link.callback(|event| Msg::Routes(RoutesMsg::Answer(event)));
        self.routes.other.get_or_insert_with(|| WorkerLink::start(heard())).send(question);
        self.routes.what_if =
            Some(WhatIf { things, answer: Answer::Wait(None), example: None, of });
        self.overlay = Overlay::Failure;
        self.tab = Tab::Routing;
    }

    /// Forgets the failure; if the answer is still being worked on, its worker goes too.
    fn forget_failure(&mut self) {
        self.routes.questions += 1;
        let asked = self.routes.what_if.take();
        if asked.is_some_and(|what_if| matches!(what_if.answer, Answer::Wait(_))) {
            self.routes.other = None;
        }
        if self.overlay == Overlay::Failure {
            self.overlay = Overlay::None;
        }
    }

    /// A failure in another network means nothing.
    pub(super) fn check_failure(&mut self) {
        let now = what_matters(self.document.scenario());
        if self.routes.what_if.as_ref().is_some_and(|what_if| what_if.of != now) {
            self.forget_failure();
        }
    }

    fn hear_answer(&mut self, event: Event) {
        let now = self.routes.questions;
        let Some(what_if) = &mut self.routes.what_if else { return };
        match event {
            Event::Message(FromWorker::Routing { number, progress }) if number == now => {
                what_if.answer = Answer::Wait(Some(progress));
            }
            Event::Message(FromWorker::Aftermath { question, answer }) if question == now => {
                what_if.answer = match answer {
                    Ok(aftermath) => Answer::Known(Rc::from(aftermath)),
                    Err(problems) => Answer::Impossible(problems),
                };
            }
            Event::Restarted { why } | Event::Lost { why } => {
                what_if.answer = Answer::Impossible(Problems::one("", why, ""));
            }
            Event::Message(_) | Event::Frame => {}
        }
    }

    /// Brings the marks of overlays up to date.
    pub(super) fn mark_routes(&mut self) {
        let routes = &self.routes;
        let marks = &mut self.stage.marks;
        marks.facts = self.run.facts.clone();
        marks.pair = PairMarks {
            ends: routes.ends,
            routes: routes.pair.as_ref().and_then(|pair| pair.as_ref().ok()).cloned(),
            chosen: routes.chosen,
        };
        marks.failure =
            routes.what_if.as_ref().map_or_else(FailureMarks::default, |what_if| FailureMarks {
                things: what_if.things.clone(),
                aftermath: if let Answer::Known(found) = &what_if.answer {
                    Some(Rc::clone(found))
                } else {
                    None
                },
                example: what_if.example,
            });
    }
}
