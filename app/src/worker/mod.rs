//! The simulation worker: hears commands, lets simulated time pass, sends frames and numbers.

#[cfg(all(test, target_arch = "wasm32"))]
mod golden;
mod history;
mod model;
mod pace;
mod routes;
mod session;

use crate::protocol::{self, FromWorker, ToWorker};
use js_sys::{Array, ArrayBuffer, global};
use session::{Outbox, Session, Wake};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent};

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
    static ALARM: RefCell<Option<Alarm>> = const { RefCell::new(None) };
}

/// Starts the worker.
pub fn run() {
    std::panic::set_hook(Box::new(|panic| {
        post(&FromWorker::Panicked { message: panic.to_string() })
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

/// Runs a piece of the session's work, posts what came of it, and sets the alarm for the next piece.
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
    scope().performance().expect("workers have a clock").now()
}

/// Wakes the session: at once, but after messages that came meanwhile, or later.
struct Alarm {
    /// Has it woken at once; browsers hold timers back by 4 ms.
    at_once: js_sys::Function,
    /// Whether it will be.
    rings: bool,
    timer: Option<i32>,
    ring: js_sys::Function,
}

impl Alarm {
    fn new() -> Alarm {
        let ring = Closure::<dyn FnMut()>::new(|| {
            work(|session, outbox| session.pass_time(now_ms(), outbox))
        });
        let ring: js_sys::Function = ring.into_js_value().unchecked_into();
        let rung = Closure::<dyn FnMut()>::new(|| {
            ALARM.with_borrow_mut(|alarm| alarm.as_mut().expect("set by run()").rings = false);
            work(|session, outbox| session.pass_time(now_ms(), outbox));
        });
        Alarm {
            at_once: next_task(rung.into_js_value().unchecked_ref()),
            rings: false,
            timer: None,
            ring,
        }
    }

    fn set(&mut self, wake: Wake) {
        if let Some(timer) = self.timer.take() {
            scope().clear_timeout_with_handle(timer);
        }
        match wake {
            Wake::Never => {}
            Wake::Now if self.rings => {}
            Wake::Now => {
                self.rings = true;
                self.at_once.call0(&JsValue::NULL).expect("a task can always be asked for");
            }
            Wake::InMs(ms) => {
                let timer =
                    scope().set_timeout_with_callback_and_timeout_and_arguments_0(&self.ring, ms);
                self.timer = Some(timer.expect("workers have timers"));
            }
        }
    }
}

/// A function that has `task` called after the messages that have come. A message to oneself does that everywhere, but takes most of a
/// millisecond to come; where tasks can be asked for, it comes at once.
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
