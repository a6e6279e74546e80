//! The page's end of a worker: queues until it is ready, keeps frames flowing, and replaces it when it dies.

use crate::protocol::{self, FromWorker, ToWorker};
use js_sys::{Array, ArrayBuffer, Uint32Array};
use std::cell::RefCell;
use std::mem::discriminant;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

/// Frames on their way at a time: one being drawn, one being filled.
const BUFFERS: usize = 2;

/// After this many deaths on one scenario it is not tried again.
const MAX_DEATHS: u32 = 3;

/// What the page hears.
pub enum Event {
    /// From the worker.
    Message(FromWorker),
    /// A frame is there: [`WorkerLink::take_frame`].
    Frame,
    /// The worker died and another one took its place, with the scenario loaded again, paused.
    Restarted {
        /// What it died of.
        why: String,
    },
    /// Workers die of this scenario; there is none until the next one is loaded.
    Lost {
        /// What they died of.
        why: String,
    },
}

/// A handle on a worker; clones are the same worker.
#[derive(Clone)]
pub struct WorkerLink(Rc<Inner>);

struct Inner {
    state: RefCell<State>,
    on_event: Callback<Event>,
}

#[derive(Default)]
struct State {
    worker: Option<Running>,
    queue: Vec<ToWorker>,
    /// Undrawn frame, and one that is drawn and goes back with the next.
    newest: Option<ArrayBuffer>,
    drawn: Option<ArrayBuffer>,
    deaths: u32,
    /// What a new worker must be told to stand where the old one did.
    last_load: Option<ToWorker>,
    /// Speed, what to stop at, and the like: the latest of each kind.
    standing: Vec<ToWorker>,
}

struct Running {
    worker: Worker,
    ready: bool,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl PartialEq for WorkerLink {
    fn eq(&self, other: &WorkerLink) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl WorkerLink {
    /// Starts a worker.
    pub fn start(on_event: Callback<Event>) -> WorkerLink {
        let link = WorkerLink(Rc::new(Inner { state: RefCell::default(), on_event }));
        link.start_worker();
        link
    }

    /// Sends a command, now or once the worker is ready.
    pub fn send(&self, command: ToWorker) {
        let mut state = self.0.state.borrow_mut();
        match command {
            ToWorker::Load { .. } => {
                state.last_load = Some(command.clone());
                state.deaths = 0;
            }
            ToWorker::Speed { .. }
            | ToWorker::StopAt { .. }
            | ToWorker::List { .. }
            | ToWorker::Measure { .. }
            | ToWorker::Loop { .. } => {
                state.standing.retain(|order| discriminant(order) != discriminant(&command));
                state.standing.push(command.clone());
            }
            _ => {}
        }
        match &state.worker {
            Some(Running { worker, ready: true, .. }) => post(worker, &command),
            Some(_) => state.queue.push(command),
            None if matches!(command, ToWorker::Load { .. }) => {
                drop(state);
                self.start_worker();
            }
            None => {}
        }
    }

    /// Ends the worker in the middle of what it does and starts another one, with nothing loaded.
    pub fn replace(&self) {
        let mut state = self.0.state.borrow_mut();
        state.last_load = None;
        state.worker = None;
        drop(state);
        self.start_worker();
    }

    /// Copies the newest frame, if there is an undrawn one, and asks for another. Call once per animation frame.
    pub fn take_frame(&self, words: &mut Vec<u32>) -> bool {
        let mut state = self.0.state.borrow_mut();
        let Some(buffer) = state.newest.take() else { return false };
        let view = Uint32Array::new(&buffer);
        words.resize(view.length() as usize, 0);
        view.copy_to(words);
        if let (Some(back), Some(running)) = (state.drawn.replace(buffer), &state.worker) {
            give(&running.worker, &back);
        }
        true
    }

    fn start_worker(&self) {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let started = Worker::new_with_options(&worker_address(), &options);
        let worker = match started {
            Ok(worker) => worker,
            Err(why) => {
                return self.0.on_event.emit(Event::Lost { why: format!("no worker: {why:?}") });
            }
        };
        let weak = Rc::downgrade(&self.0);
        let on_message = Closure::new(move |event: MessageEvent| {
            if let Some(inner) = weak.upgrade() {
                WorkerLink(inner).hear(event.data());
            }
        });
        let weak = Rc::downgrade(&self.0);
        let on_error = Closure::new(move |event: ErrorEvent| {
            event.prevent_default(); // reported by the page
            if let Some(inner) = weak.upgrade() {
                let message = event.message();
                WorkerLink(inner).bury(if message.is_empty() {
                    "worker did not load".into()
                } else {
                    message
                });
            }
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        // boot.js starts the page's own program in the worker: same build, compiled already.
        let program = Array::of2(&script_name().into(), &wasm_bindgen::module());
        worker.post_message(&program).expect("a compiled module can be posted");

        let mut state = self.0.state.borrow_mut();
        state.queue = state.standing.iter().chain(&state.last_load).cloned().collect();
        state.newest = None;
        state.drawn = None;
        state.worker =
            Some(Running { worker, ready: false, _on_message: on_message, _on_error: on_error });
    }

    fn hear(&self, data: JsValue) {
        let data = match data.dyn_into::<ArrayBuffer>() {
            Ok(frame) => return self.keep_frame(frame),
            Err(data) => data,
        };
        if let Some(why) = data.as_string() {
            return self.bury(why); // said by boot.js
        }
        match protocol::from_js(data) {
            Ok(FromWorker::Panicked { message }) => self.bury(message),
            Ok(message) => {
                if matches!(message, FromWorker::Ready { .. }) {
                    self.greet();
                }
                self.0.on_event.emit(Event::Message(message));
            }
            Err(why) => self.bury(why),
        }
    }

    fn greet(&self) {
        let mut state = self.0.state.borrow_mut();
        let queue = std::mem::take(&mut state.queue);
        let Some(running) = &mut state.worker else { return };
        running.ready = true;
        queue.iter().for_each(|command| post(&running.worker, command));
        (0..BUFFERS).for_each(|_| give(&running.worker, &ArrayBuffer::new(0)));
    }

    fn keep_frame(&self, frame: ArrayBuffer) {
        let mut state = self.0.state.borrow_mut();
        if let (Some(overtaken), Some(running)) = (state.newest.replace(frame), &state.worker) {
            give(&running.worker, &overtaken);
        }
        drop(state);
        self.0.on_event.emit(Event::Frame);
    }

    /// Ends a dead worker and starts another one, unless they keep dying.
    fn bury(&self, why: String) {
        let mut state = self.0.state.borrow_mut();
        if state.worker.take().is_none() {
            return; // a worker reports its death, then the browser does
        }
        state.deaths += 1;
        let again = state.deaths < MAX_DEATHS;
        drop(state);
        if again {
            self.start_worker();
            self.0.on_event.emit(Event::Restarted { why });
        } else {
            self.0.on_event.emit(Event::Lost { why });
        }
    }
}

fn post(worker: &Worker, command: &ToWorker) {
    worker.post_message(&protocol::to_js(command)).expect("a control message can be posted");
}

fn give(worker: &Worker, buffer: &ArrayBuffer) {
    worker
        .post_message_with_transfer(buffer, &Array::of1(buffer))
        .expect("a buffer can be transferred");
}

/// The file name of the program's JavaScript, as Trunk wrote it into the page.
fn script_name() -> String {
    let document =
        web_sys::window().and_then(|window| window.document()).expect("the page has a document");
    let boot = document.get_element_by_id("boot");
    boot.and_then(|boot| boot.get_attribute("data-js")).unwrap_or_default()
}

/// The build id keeps this page from starting with another build's file out of some cache.
fn worker_address() -> String {
    let document =
        web_sys::window().and_then(|window| window.document()).expect("the page has a document");
    let meta = document.query_selector("meta[name=hopscope-build]").ok().flatten();
    let build = meta.and_then(|meta| meta.get_attribute("content")).unwrap_or_default();
    format!("boot.js?v={build}")
}
