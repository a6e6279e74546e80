//! The page's end of a worker. Commands wait until the worker is ready; frame buffers go back and
//! forth; one that dies is reported, and [`WorkerLink::start_worker`] gives another one the same
//! scenario and settings.

use super::browser;
use crate::protocol::{self, FromWorker, ToWorker};
use crate::random;
use js_sys::{Array, ArrayBuffer, Function, Reflect, Uint32Array};
use std::cell::RefCell;
use std::mem::discriminant;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

/// Frame buffers per worker: one is drawn while the other is filled.
const BUFFERS: usize = 2;

/// What happens to the worker.
pub enum Event {
    /// It sent a message.
    Message(FromWorker),
    /// It sent a frame; [`WorkerLink::take_frame`] copies it.
    Frame,
    /// It died. There is none until it is started again or the next scenario is loaded.
    Died {
        /// Why, in a line or more.
        why: String,
    },
}

/// A handle of a worker; clones refer to the same worker.
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
    /// The newest frame, not drawn yet, and the drawn one, which goes back with the next.
    newest: Option<ArrayBuffer>,
    drawn: Option<ArrayBuffer>,
    /// The last scenario loaded, for a worker that replaces this one.
    last_load: Option<ToWorker>,
    /// The latest command of each kind that outlasts a scenario, such as the speed.
    settings: Vec<ToWorker>,
}

struct Running {
    worker: Worker,
    ready: bool,
    /// The lock that it holds while it lives, where the browser has locks.
    life: Option<String>,
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
            ToWorker::Load { .. } => state.last_load = Some(command.clone()),
            ToWorker::Speed { .. }
            | ToWorker::StopAt { .. }
            | ToWorker::List { .. }
            | ToWorker::Measure { .. }
            | ToWorker::Loop { .. } => {
                state.settings.retain(|setting| discriminant(setting) != discriminant(&command));
                state.settings.push(command.clone());
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

    /// Ends the worker without waiting for its work, and starts another one with nothing loaded.
    pub fn replace(&self) {
        let mut state = self.0.state.borrow_mut();
        state.last_load = None;
        state.worker = None;
        drop(state);
        self.start_worker();
    }

    /// Whether there is a worker: it has been started and has not died.
    pub fn is_alive(&self) -> bool {
        self.0.state.borrow().worker.is_some()
    }

    /// Copies the newest frame, if it is not drawn yet, and asks for another. True if there was
    /// one. To be called once per animation frame, which limits the worker to as many frames.
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

    /// Starts a worker, with the scenario and the settings of the one before it.
    pub fn start_worker(&self) {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let started = Worker::new_with_options(&worker_address(), &options);
        let worker = match started {
            Ok(worker) => worker,
            Err(why) => {
                return self.0.on_event.emit(Event::Died { why: format!("no worker: {why:?}") });
            }
        };
        let weak = Rc::downgrade(&self.0);
        let on_message = Closure::new(move |event: MessageEvent| {
            if let Some(inner) = weak.upgrade() {
                WorkerLink(inner).on_message(event.data());
            }
        });
        let weak = Rc::downgrade(&self.0);
        let on_error = Closure::new(move |event: ErrorEvent| {
            event.prevent_default(); // the page reports it
            if let Some(inner) = weak.upgrade() {
                WorkerLink(inner).on_death(match event.message() {
                    message if message.is_empty() => "worker did not load".into(),
                    message => format!("{message}\n  at {}:{}", event.filename(), event.lineno()),
                });
            }
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        // boot.js starts the page's own program in the worker: same build, compiled already.
        let life = locks().map(|_| format!("hopscope-worker-{}", random::name()));
        let lock = life.as_deref().map_or(JsValue::UNDEFINED, JsValue::from);
        let program = Array::of3(&script_name().into(), &wasm_bindgen::module(), &lock);
        worker.post_message(&program).expect("a compiled module can be posted");

        let mut state = self.0.state.borrow_mut();
        state.queue = state.settings.iter().chain(&state.last_load).cloned().collect();
        state.newest = None;
        state.drawn = None;
        state.worker = Some(Running {
            worker,
            ready: false,
            life,
            _on_message: on_message,
            _on_error: on_error,
        });
    }

    fn on_message(&self, data: JsValue) {
        let data = match data.dyn_into::<ArrayBuffer>() {
            Ok(frame) => return self.on_frame(frame),
            Err(data) => data,
        };
        if let Some(why) = data.as_string() {
            return self.on_death(why); // from boot.js
        }
        match protocol::from_js(data) {
            Ok(FromWorker::Panicked { message }) => self.on_death(message),
            Ok(message) => {
                if matches!(message, FromWorker::Ready { .. }) {
                    self.on_ready();
                }
                self.0.on_event.emit(Event::Message(message));
            }
            Err(why) => self.on_death(why),
        }
    }

    fn on_ready(&self) {
        let mut state = self.0.state.borrow_mut();
        let queue = std::mem::take(&mut state.queue);
        let Some(running) = &mut state.worker else { return };
        running.ready = true;
        if let Some(life) = &running.life {
            self.watch(life);
        }
        queue.iter().for_each(|command| post(&running.worker, command));
        (0..BUFFERS).for_each(|_| give(&running.worker, &ArrayBuffer::new(0)));
    }

    /// Waits for the end of a worker that says nothing when it dies, because the browser ended it.
    fn watch(&self, life: &str) {
        let (weak, name) = (Rc::downgrade(&self.0), life.to_owned());
        let released = Closure::once_into_js(move || {
            let Some(inner) = weak.upgrade() else { return };
            let is_current = |running: &Running| running.life.as_ref() == Some(&name);
            let has_died = inner.state.borrow().worker.as_ref().is_some_and(is_current);
            if has_died {
                WorkerLink(inner).on_death("the browser ended the simulator".into());
            }
        });
        if let Some(locks) = locks()
            && let Ok(request) = Reflect::get(&locks, &"request".into())
            && let Some(request) = request.dyn_ref::<Function>()
        {
            // The lock is released as soon as `released` returns.
            request.call2(&locks, &life.into(), &released).ok();
        }
    }

    fn on_frame(&self, frame: ArrayBuffer) {
        let mut state = self.0.state.borrow_mut();
        if let (Some(overtaken), Some(running)) = (state.newest.replace(frame), &state.worker) {
            give(&running.worker, &overtaken);
        }
        drop(state);
        self.0.on_event.emit(Event::Frame);
    }

    fn on_death(&self, why: String) {
        // The worker reports its death first, then the browser does.
        let worker = self.0.state.borrow_mut().worker.take();
        if worker.is_some() {
            self.0.on_event.emit(Event::Died { why });
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

/// The browser's locks; a page that is not from https or the own machine has none.
fn locks() -> Option<JsValue> {
    let navigator = web_sys::window()?.navigator();
    Reflect::get(&navigator, &"locks".into()).ok().filter(|locks| !locks.is_undefined())
}

/// The file name of the program's JavaScript, as Trunk wrote it into the page.
fn script_name() -> String {
    let document =
        web_sys::window().and_then(|window| window.document()).expect("the page has a document");
    let boot = document.get_element_by_id("boot");
    boot.and_then(|boot| boot.get_attribute("data-js")).unwrap_or_default()
}

/// The address of the worker's script; with the build id, so that no cache answers with the file of
/// another build.
fn worker_address() -> String {
    format!("boot.js?v={}", browser::build())
}
