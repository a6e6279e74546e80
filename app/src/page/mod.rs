//! The page.

mod worker_link;

use crate::frame::Frame;
use crate::protocol::{FromWorker, NetworkSize, Problem, Stats, StepBy, ToWorker};
use wasm_bindgen::prelude::*;
use worker_link::{Event, WorkerLink};
use yew::prelude::*;

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
    problems: Vec<Problem>,
    stats: Stats,
    frame: Vec<u32>,
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
        worker.send(ToWorker::Load { document: 1, scenario_json: "{\"hopscope\":1}".into() });
        Page {
            worker,
            worker_state: WorkerState::Starting,
            document: 1,
            size: None,
            problems: Vec::new(),
            stats: Stats::default(),
            frame: Vec::new(),
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
                let new = self.worker.take_frame(&mut self.frame);
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
        let cycle =
            Frame::new(&self.frame).filter(|frame| frame.document() == self.document).map(Frame::cycle);
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
                    {"Cycle "}<output id="cycle">{cycle.unwrap_or(0)}</output>
                    {format!(", {} switches, {} hosts", size.switches, size.hosts)}
                </p>
                <p role="status" id="worker" data-state={state} data-frames={self.frames.to_string()}>
                    {format!("Simulator {state}")}
                    {for why.map(|why| format!(": {why}"))}
                </p>
                <ul>
                    {for self.problems.iter().map(|problem| html! {
                        <li>{format!("{}: {} ({})", problem.place, problem.why, problem.fix)}</li>
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
                self.problems.clear();
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
