//! The page.

mod worker_link;

use crate::frame;
use crate::protocol::{FromWorker, NetworkSize, Stats, StepBy, ToWorker};
use hopscope_core::observe::Snapshot;
use hopscope_core::problem::Problems;
use wasm_bindgen::prelude::*;
use worker_link::{Event, WorkerLink};
use yew::prelude::*;

/// What the page opens on.
const FIRST_SCENARIO: &str = r#"{
    "hopscope": 1,
    "network": { "generate": { "kind": "irregular", "switches": 16, "hosts_per_switch": 4, "ports": 8, "seed": 1 } }
}"#;

/// Starts the page.
pub fn run() {
    yew::Renderer::<Page>::new().render();
}

enum Msg {
    Worker(Event),
    AnimationFrame,
    Send(ToWorker),
}

struct Page {
    worker: WorkerLink,
    worker_state: WorkerState,
    document: u32,
    size: Option<NetworkSize>,
    problems: Problems,
    stats: Stats,
    words: Vec<u32>,
    snapshot: Snapshot,
    frames: u32,
    drawing_asked: bool,
}

#[derive(Clone, PartialEq)]
enum WorkerState {
    Starting,
    Ready,
    Restarted(String),
    Lost(String),
}

impl Component for Page {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Page>) -> Page {
        let worker = WorkerLink::start(ctx.link().callback(Msg::Worker));
        worker.send(ToWorker::Load { document: 1, scenario_json: FIRST_SCENARIO.into() });
        Page {
            worker,
            worker_state: WorkerState::Starting,
            document: 1,
            size: None,
            problems: Problems::default(),
            stats: Stats::default(),
            words: Vec::new(),
            snapshot: Snapshot::default(),
            frames: 0,
            drawing_asked: false,
        }
    }

    fn update(&mut self, ctx: &Context<Page>, msg: Msg) -> bool {
        match msg {
            Msg::Send(command) => {
                self.worker.send(command);
                false
            }
            Msg::Worker(Event::Frame) => {
                if !self.drawing_asked {
                    self.drawing_asked = true;
                    let link = ctx.link().clone();
                    on_animation_frame(move || link.send_message(Msg::AnimationFrame));
                }
                false
            }
            Msg::AnimationFrame => {
                self.drawing_asked = false;
                let taken = self.worker.take_frame(&mut self.words);
                let new = taken && frame::decode(&self.words, &mut self.snapshot) == Some(self.document);
                self.frames += u32::from(new);
                new
            }
            Msg::Worker(Event::Message(message)) => self.hear(message),
            Msg::Worker(Event::Restarted { why }) => {
                self.worker_state = WorkerState::Restarted(why);
                true
            }
            Msg::Worker(Event::Lost { why }) => {
                self.worker_state = WorkerState::Lost(why);
                true
            }
        }
    }

    fn view(&self, ctx: &Context<Page>) -> Html {
        let send = |command: ToWorker| ctx.link().callback(move |_| Msg::Send(command.clone()));
        let (state, why) = match &self.worker_state {
            WorkerState::Starting => ("starting", None),
            WorkerState::Ready => ("ready", None),
            WorkerState::Restarted(why) => ("restarted", Some(why)),
            WorkerState::Lost(why) => ("lost", Some(why)),
        };
        let size = self.size.unwrap_or_default();
        html! {
            <main>
                <h1>{"Hopscope"}</h1>
                <p>{"Draw an interconnection network, choose its routing, buffers and schedulers, and watch where it blocks."}</p>
                <div role="group" aria-label="Time">
                    if self.stats.playing {
                        <button onclick={send(ToWorker::Pause)}>{"Pause"}</button>
                    } else {
                        <button onclick={send(ToWorker::Play)}>{"Play"}</button>
                    }
                    <button onclick={send(ToWorker::Step { by: StepBy::NextEvent })}>{"Next event"}</button>
                    <button onclick={send(ToWorker::Step { by: StepBy::Cycles { count: 1 } })}>{"Next cycle"}</button>
                    <button onclick={send(ToWorker::Reset)}>{"Reset"}</button>
                </div>
                <p>
                    {"Cycle "}<output id="cycle">{self.snapshot.cycle}</output>
                    {format!(", {} switches, {} hosts", size.switches, size.hosts)}
                </p>
                <p role="status" id="worker" data-state={state} data-frames={self.frames.to_string()}>
                    {format!("Simulator {state}")}
                    {for why.map(|why| format!(": {why}"))}
                </p>
                <ul>
                    {for self.problems.0.iter().map(|problem| html! {
                        <li>{format!("{}: {} ({})", problem.at, problem.why, problem.fix)}</li>
                    })}
                </ul>
            </main>
        }
    }
}

impl Page {
    fn hear(&mut self, message: FromWorker) -> bool {
        match message {
            FromWorker::Ready { .. } => {
                if self.worker_state == WorkerState::Starting {
                    self.worker_state = WorkerState::Ready;
                }
            }
            FromWorker::Loaded { document, size } if document == self.document => {
                self.size = Some(size);
                self.problems = Problems::default();
            }
            FromWorker::Problems { document, problems } if document == self.document => {
                self.problems = problems
            }
            FromWorker::Stats { document, stats } if document == self.document => self.stats = stats,
            _ => return false,
        }
        true
    }
}

fn on_animation_frame(run: impl FnOnce() + 'static) {
    let run = Closure::once_into_js(run);
    let window = web_sys::window().expect("the page has a window");
    window.request_animation_frame(run.unchecked_ref()).expect("a page can draw");
}
