//! The simulation worker: takes commands from the page, runs the simulation, and sends frames and
//! statistics.
//!
//! [`run`] sets up the event handlers. Each handler lends the one [`Session`] of the worker to a
//! piece of work, posts the answers, and sets the alarm that continues the run.

mod citation;
#[cfg(all(test, target_arch = "wasm32"))]
mod golden;
mod history;
mod model;
mod pace;
mod papers;
mod routes;
mod session;
mod study;

use crate::protocol::{self, FromWorker, ToWorker};
use js_sys::{Array, ArrayBuffer, global};
use pace::Clock;
use session::{Outbox, Session, Wake};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent};

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
    static CLOCK: RefCell<Clock> = RefCell::default();
    static ALARM: RefCell<Option<Alarm>> = const { RefCell::new(None) };
}

/// Starts the worker.
pub fn run() {
    std::panic::set_hook(Box::new(|panic| {
        let calls = js_sys::Reflect::get(&js_sys::Error::new(""), &"stack".into()).ok();
        let calls = calls.and_then(|calls| calls.as_string()).unwrap_or_default();
        post(&FromWorker::Panicked { message: format!("{panic}\n{calls}") })
    }));
    ALARM.set(Some(Alarm::new()));
    let on_message =
        Closure::<dyn FnMut(MessageEvent)>::new(|event: MessageEvent| on_message(event.data()));
    scope().set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
    post(&FromWorker::Ready { version: env!("CARGO_PKG_VERSION").into() });
}

fn on_message(data: JsValue) {
    let data = match data.dyn_into::<ArrayBuffer>() {
        Ok(buffer) => return work(|session, outbox| session.give_buffer(buffer, outbox)),
        Err(data) => data,
    };
    let command: ToWorker =
        protocol::from_js(data).expect("the page sends control messages and buffers");
    work(|session, outbox| session.run_command(command, outbox));
}

/// Runs a piece of work on the session, posts its answers, and sets the alarm for the next piece.
fn work(piece: impl FnOnce(&mut Session, &mut Outbox)) {
    let mut outbox = Outbox::default();
    let wake = SESSION.with_borrow_mut(|session| {
        piece(session, &mut outbox);
        session.next_wake()
    });
    for message in &outbox.messages {
        post(message);
    }
    if let Some(frame) = outbox.frame {
        scope()
            .post_message_with_transfer(&frame, &Array::of1(&frame))
            .expect("a frame can be transferred");
    }
    ALARM.with_borrow_mut(|alarm| alarm.as_mut().expect("set by run()").set(wake));
}

fn post(message: &FromWorker) {
    scope().post_message(&protocol::to_js(message)).expect("a control message can be posted");
}

fn scope() -> DedicatedWorkerGlobalScope {
    global().unchecked_into()
}

fn now_ms() -> f64 {
    let now = scope().performance().expect("workers have a clock").now();
    CLOCK.with_borrow_mut(|clock| clock.read(now))
}

/// Calls [`Session::pass_time`] after a delay, or as a task after the messages that have come.
struct Alarm {
    /// Queues a task that calls it. A timer would not do: browsers delay timers by 4 ms.
    at_once: js_sys::Function,
    /// Whether that task is queued.
    is_queued: bool,
    /// The timer that is set.
    timer: Option<i32>,
    on_timer: js_sys::Function,
}

impl Alarm {
    fn new() -> Alarm {
        let on_timer = Closure::<dyn FnMut()>::new(|| {
            work(|session, outbox| session.pass_time(now_ms(), outbox))
        });
        let on_task = Closure::<dyn FnMut()>::new(|| {
            ALARM.with_borrow_mut(|alarm| alarm.as_mut().expect("set by run()").is_queued = false);
            work(|session, outbox| session.pass_time(now_ms(), outbox));
        });
        Alarm {
            at_once: next_task(on_task.into_js_value().unchecked_ref()),
            is_queued: false,
            timer: None,
            on_timer: on_timer.into_js_value().unchecked_into(),
        }
    }

    fn set(&mut self, wake: Wake) {
        if let Some(timer) = self.timer.take() {
            scope().clear_timeout_with_handle(timer);
        }
        match wake {
            Wake::Never => {}
            Wake::Now if self.is_queued => {}
            Wake::Now => {
                self.is_queued = true;
                self.at_once.call0(&JsValue::NULL).expect("a task can always be asked for");
            }
            Wake::InMs(ms) => {
                let timer = scope()
                    .set_timeout_with_callback_and_timeout_and_arguments_0(&self.on_timer, ms);
                self.timer = Some(timer.expect("workers have timers"));
            }
        }
    }
}

/// A function that queues `task` behind the messages that have come. It posts a task where the
/// browser has `scheduler.postTask`. Elsewhere it sends a message to the worker itself, which takes
/// most of a millisecond.
fn next_task(task: &js_sys::Function) -> js_sys::Function {
    let get = |of: &JsValue, name: &str| js_sys::Reflect::get(of, &name.into()).unwrap_or_default();
    let scheduler = get(&global(), "scheduler");
    if let Ok(post_task) = get(&scheduler, "postTask").dyn_into::<js_sys::Function>() {
        return post_task.bind1(&scheduler, task).unchecked_into();
    }
    let channel = MessageChannel::new().expect("workers have message channels");
    channel.port1().set_onmessage(Some(task));
    let port = channel.port2();
    let post: js_sys::Function = get(&port, "postMessage").unchecked_into();
    post.bind1(&port, &JsValue::NULL).unchecked_into()
}
