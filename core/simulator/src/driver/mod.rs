//! The driver of a simulation: traffic, path selection and measuring, called by the fabric.
//!
//! [`SimulationDriver::run`] is the loop of a run. `core/src/simulation` makes a driver and a
//! fabric from a scenario and runs them phase by phase.

mod on_hosts;
mod selection;

pub use on_hosts::OnHosts;
pub use selection::{Request, Selector};

use crate::check::Fingerprint;
use crate::engine::Cycle;
use crate::fabric::{Driver, Fabric, Generation, Message, NewMessage, message_number};
use crate::measure::{Delivery, Frames, Transient, Window};
use crate::network::{Network, SwitchId};
use crate::routing::RouteTable;
use crate::scenario::limits::{MAX_GENERATED_MESSAGES, MAX_OUTSTANDING_MESSAGES};
use crate::traffic::{Draw, Traffic};
use std::sync::Arc;

/// The phase of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Before measuring.
    WarmUp,
    /// What is delivered counts.
    Measuring,
    /// All that was asked for is measured; the run may go on.
    Done,
}

/// The driver of a simulation.
#[derive(Debug, Clone)]
pub struct SimulationDriver {
    /// The sources of messages.
    pub traffic: Traffic,
    /// Which route each message takes.
    pub selector: Selector,
    /// The network.
    pub network: Arc<Network>,
    /// The routes.
    pub table: Arc<RouteTable>,
    /// The switch of each host.
    pub switch_of_host: Arc<Vec<SwitchId>>,
    /// What is measured.
    pub window: Window,
    /// Video frames under way.
    pub frames: Frames,
    /// Latencies since the start, while the end of the transient is looked for.
    pub transient: Option<Transient>,
    /// The phase of the run.
    pub phase: Phase,
    /// The hash of all deliveries and drops.
    pub fingerprint: Fingerprint,
    /// Delivered flits, headers included, times switches crossed.
    pub flit_hops: u64,
    /// Smallest latency from generation since the start of the run, by the distance between the
    /// switches of source and destination, links. A run begins in an empty network, so it is that
    /// of a message which waited for nothing.
    pub least_latency: Vec<Cycle>,
    /// Messages delivered since the start of the run.
    pub delivered: u64,
    /// Messages generated since the start of the run.
    pub generated: u64,
    /// Messages generated and neither delivered nor dropped.
    pub outstanding: u64,
    /// The application, if there is one.
    pub application: Option<Box<OnHosts>>,
    /// The application has something to do in the next cycle.
    pub application_acts: bool,
    /// Sources from this number on are the application's; `u32::MAX` without one.
    pub application_source: u32,
    /// Messages of this flow are the application's; `u32::MAX` without one.
    pub application_flow: u32,
}

impl SimulationDriver {
    /// Handles all events of the fabric up to and including cycle `end`, and leaves its clock at
    /// the last one. Returns false if it stops earlier, at the end of a cycle: once `messages` have
    /// been delivered since the start of the run, at a limit of runs, when the application acts, at
    /// a deadlock, or when the watch interrupts.
    pub fn run(&mut self, fabric: &mut Fabric, end: Cycle, messages: u64) -> bool {
        fabric.run_on(end, self, |driver| {
            driver.delivered >= messages || driver.has_reached_limit() || driver.application_acts
        })
    }

    /// True if more messages are outstanding than a run may have.
    pub fn is_overloaded(&self) -> bool {
        self.outstanding > MAX_OUTSTANDING_MESSAGES
    }

    /// True if the run has to stop: it is overloaded, or has used up the numbers of messages.
    pub fn has_reached_limit(&self) -> bool {
        self.is_overloaded() || self.generated >= MAX_GENERATED_MESSAGES
    }

    /// A message of the application. Not inlined: a run without one never gets here.
    #[inline(never)]
    fn generate_for_application(&mut self, source: u32, now: Cycle) -> Generation {
        let application = self.application.as_mut().expect("only it has such sources");
        let (message, more) = application.generate(source, message_number(self.generated));
        self.generated += 1;
        self.outstanding += 1;
        if self.phase == Phase::Measuring {
            self.window.generate(message.from, message.to, message.payload, message.flow);
        }
        Generation { message, next: more.then_some(now) }
    }

    /// Tells the application of a message of its own.
    #[inline(never)]
    fn tell_application(&mut self, tell: impl FnOnce(&mut OnHosts)) {
        if let Some(application) = &mut self.application {
            tell(application);
            self.application_acts = true;
        }
    }

    fn switch(&self, host: u32) -> SwitchId {
        self.switch_of_host[host as usize]
    }

    fn request(&self, message: &Message) -> Request {
        Request {
            from: message.from,
            to: message.to,
            from_switch: self.switch(message.from),
            to_switch: self.switch(message.to),
            payload: message.payload,
        }
    }
}

impl Driver for SimulationDriver {
    #[inline]
    fn generate(&mut self, source: u32, now: Cycle) -> Generation {
        if source >= self.application_source {
            return self.generate_for_application(source, now);
        }
        let (draw, next) = self.traffic.generate(source);
        // A run at a limit ends with this cycle: what is left of a burst needs no memory.
        let next = if next == Some(now) && self.has_reached_limit() { Some(now + 1) } else { next };
        let Draw { from, to, payload, flow, level, frame } = draw;
        if let Some(left) = frame {
            // Messages are numbered in order of generation.
            self.frames.generate(flow, source, message_number(self.generated), left);
        }
        self.generated += 1;
        self.outstanding += 1;
        if self.phase == Phase::Measuring {
            self.window.generate(from, to, payload, flow);
        }
        Generation { message: NewMessage { from, to, payload, flow, level }, next }
    }

    #[inline]
    fn route(&mut self, message: &Message) -> (u8, u32) {
        let request = self.request(message);
        self.selector.choose(&self.table, &request)
    }

    #[inline]
    fn tail_sent(&mut self, message: &Message, first: Cycle, now: Cycle) {
        if message.flow == self.application_flow {
            self.tell_application(|application| application.sent(message.id));
        }
        if self.selector.learns() {
            let request = self.request(message);
            let flits = message.flits;
            self.selector.sent(
                &self.table,
                &request,
                message.set,
                message.route,
                (first, now),
                flits,
            );
        }
    }

    #[inline]
    fn delivered(&mut self, message: &Message, now: Cycle) {
        self.delivered += 1;
        self.outstanding -= 1;
        if message.flow == self.application_flow {
            self.tell_application(|application| application.delivered(message));
        }
        self.fingerprint.add_event(u64::from(message.id) << 40 ^ now, message.injected);
        self.flit_hops += u64::from(message.flits) * u64::from(message.crossed);
        let total = now - message.generated;
        if let Some(transient) = &mut self.transient {
            transient.add(total);
        }
        let least = &mut self.least_latency[usize::from(message.shortest)];
        *least = total.min(*least);
        let waited = total - *least;
        let is_frame_complete = self.frames.deliver(message.flow, message.id);
        if self.phase == Phase::Measuring {
            if is_frame_complete {
                self.window.deliver_frame(message.flow, total);
            }
            self.window.deliver(&Delivery {
                from: message.from,
                to: message.to,
                flow: message.flow,
                generated: message.generated,
                injected: message.injected,
                header_latency: u64::from(message.header_latency),
                delivered: now,
                waited,
                payload: message.payload,
                itbs: u32::from(message.crossed - 1 - message.links),
                distance: message.shortest,
                minimal: message.links == message.shortest,
            });
        }
    }

    fn dropped(&mut self, message: &Message, now: Cycle) {
        self.outstanding -= 1;
        if message.flow == self.application_flow {
            self.tell_application(|application| application.dropped(message.id));
        }
        if self.phase == Phase::Measuring {
            self.window.drop_message(message.from, message.to, message.payload, message.flow);
        }
        self.frames.drop(message.flow, message.id);
        self.fingerprint.add_event(!(u64::from(message.id) << 40 ^ now), 0);
    }
}
