//! Events of messages and ports: the latest of each kind, and what a run stops at.
//!
//! A [`Watch`] belongs to the simulation it watches and is cloned with it, so going back to a
//! checkpoint also goes back in its lists. It never steers: a run gives the same bits with or
//! without one.

use super::CongestedPoint;
use crate::engine::Cycle;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// An event of a message or of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When it happened.
    pub cycle: Cycle,
    /// The message, if it is an event of one.
    pub message: Option<u32>,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum What {
    /// Its first flit left its source.
    Injected {
        /// The source.
        host: u32,
    },
    /// Its header requested a channel and was refused.
    Blocked {
        /// The channel it came on.
        at: u32,
        /// The channel it wants.
        wants: u32,
        /// The message that holds that channel.
        holder: u32,
    },
    /// Its first flit was read by an in-transit host.
    ItbIn {
        /// The host.
        host: u32,
        /// ITB memory in use there from now on, this message included, bytes.
        memory: u32,
    },
    /// Its first flit left an in-transit host.
    ItbOut {
        /// The host.
        host: u32,
    },
    /// Its last flit was read at its destination.
    Delivered {
        /// The destination.
        host: u32,
    },
    /// It was dropped by time-out.
    Dropped,
    /// An in-transit host had no memory for it and discarded it; its source sends it again.
    Discarded {
        /// The host.
        host: u32,
    },
    /// It is part of a deadlock.
    Deadlock,
    /// A port has allocated a set-aside queue.
    SaqAllocated {
        /// The channel whose port it is.
        channel: u32,
        /// True at the input port that the channel leads to, false at the output port or NIC that
        /// it leaves.
        at_input: bool,
        /// The congested point.
        point: CongestedPoint,
    },
}

/// Kinds of events, for filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "named after What")]
pub enum EventKind {
    Injected,
    Blocked,
    ItbIn,
    ItbOut,
    Delivered,
    /// Dropped or discarded.
    Dropped,
    Deadlock,
    SaqAllocated,
}

impl EventKind {
    /// All kinds: those of messages in the order of a message's life, then those of ports.
    pub const ALL: [EventKind; 8] = [
        EventKind::Injected,
        EventKind::Blocked,
        EventKind::ItbIn,
        EventKind::ItbOut,
        EventKind::Delivered,
        EventKind::Dropped,
        EventKind::Deadlock,
        EventKind::SaqAllocated,
    ];
}

impl What {
    /// Its kind.
    pub fn kind(self) -> EventKind {
        match self {
            What::Injected { .. } => EventKind::Injected,
            What::Blocked { .. } => EventKind::Blocked,
            What::ItbIn { .. } => EventKind::ItbIn,
            What::ItbOut { .. } => EventKind::ItbOut,
            What::Delivered { .. } => EventKind::Delivered,
            What::Dropped | What::Discarded { .. } => EventKind::Dropped,
            What::Deadlock => EventKind::Deadlock,
            What::SaqAllocated { .. } => EventKind::SaqAllocated,
        }
    }
}

/// What a run stops at. It always stops at a deadlock; by default at nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StopAt {
    /// A header has waited in a switch for this many cycles.
    pub blocked_cycles: Option<u64>,
    /// More bytes than this of a host's ITB memory are in use.
    pub itb_memory_bytes: Option<u32>,
    /// This message has been delivered.
    pub delivered: Option<u32>,
    /// Any event of these kinds, ...
    pub kinds: Vec<EventKind>,
    /// ... of this message only, if one is given.
    pub of_message: Option<u32>,
}

impl StopAt {
    /// True for an event to stop at. Waiting for `blocked_cycles` is not an event; see
    /// [`Watch::check_stop`].
    fn wants(&self, event: &Event) -> bool {
        let listed = self.kinds.contains(&event.what.kind())
            && (self.of_message.is_none() || self.of_message == event.message);
        listed
            || match event.what {
                What::ItbIn { memory, .. } => {
                    self.itb_memory_bytes.is_some_and(|limit| memory > limit)
                }
                What::Delivered { .. } => {
                    self.delivered.is_some() && self.delivered == event.message
                }
                _ => false,
            }
    }
}

/// Records the events of a fabric.
#[derive(Debug, Clone)]
pub struct Watch {
    /// Per kind: the latest events, oldest first.
    latest: [VecDeque<Event>; EventKind::ALL.len()],
    /// Events stored per kind.
    capacity: usize,
    /// Events announced for later cycles, which may be retracted. Some may be over by now.
    announced: Vec<Event>,
    /// With this many announced events, those that are over are moved to `latest`.
    settle_at: usize,
    /// Per channel: the event with which the header at its end began to wait.
    waiting: Vec<Option<Event>>,
    stop_at: StopAt,
    caught: Option<Event>,
    /// The cycle up to which the run continues before it calls [`Watch::check_stop`].
    next_check: Cycle,
    /// An event to stop at has been announced for an earlier cycle.
    interrupt: bool,
}

/// With fewer announced events than this, none is looked through.
const SETTLE_MIN: usize = 64;

impl Watch {
    /// A watch that stores `capacity` events of each kind.
    pub fn new(capacity: usize) -> Watch {
        Watch {
            latest: Default::default(),
            capacity,
            announced: Vec::new(),
            settle_at: SETTLE_MIN,
            waiting: Vec::new(),
            stop_at: StopAt::default(),
            caught: None,
            next_check: Cycle::MAX,
            interrupt: false,
        }
    }

    /// Stops at these from now on.
    pub fn stop_at(&mut self, stop_at: StopAt) {
        self.stop_at = stop_at;
        self.caught = None;
    }

    /// The event that stopped the run; for waiting too long, the event with which the wait began.
    pub fn caught(&self) -> Option<Event> {
        self.caught
    }

    /// Lets the run continue after it was stopped.
    pub fn release(&mut self) {
        self.caught = None;
    }

    /// The latest events of some kinds, oldest first.
    pub fn latest(&self, kinds: &[EventKind]) -> Vec<Event> {
        by_cycle(kinds.iter().flat_map(|kind| &self.latest[*kind as usize]).copied().collect())
    }

    /// Records an event of this cycle or, if it may still be retracted, of a later one.
    pub(crate) fn record(&mut self, now: Cycle, event: Event) {
        if event.cycle <= now {
            return self.append(event);
        }
        self.interrupt |= event.cycle < self.next_check && self.stop_at.wants(&event);
        if self.announced.len() >= self.settle_at {
            self.settle(now);
            self.settle_at = 2 * self.announced.len() + SETTLE_MIN;
        }
        self.announced.push(event);
    }

    /// Moves events announced for cycles before `before` to `latest`.
    fn settle(&mut self, before: Cycle) {
        if self.announced.iter().all(|event| event.cycle >= before) {
            return;
        }
        let (happened, announced): (Vec<Event>, _) =
            std::mem::take(&mut self.announced).into_iter().partition(|event| event.cycle < before);
        self.announced = announced;
        by_cycle(happened).into_iter().for_each(|event| self.append(event));
    }

    /// Removes what was announced for this message at `now` or later.
    pub(crate) fn retract(&mut self, now: Cycle, message: u32) {
        self.announced.retain(|event| event.message != Some(message) || event.cycle < now);
    }

    /// Records that a header begins to wait at the end of channel `at`.
    pub(crate) fn wait(&mut self, at: u32, event: Event) {
        let at = at as usize;
        if self.waiting.len() <= at {
            self.waiting.resize(at + 1, None);
        }
        self.waiting[at] = Some(event);
        self.append(event);
    }

    /// True if the header at the end of channel `at` waits.
    #[inline]
    pub(crate) fn waits(&self, at: u32) -> bool {
        self.waiting.get(at as usize).is_some_and(Option::is_some)
    }

    /// Records that the header at the end of channel `at` waits no longer.
    #[inline]
    pub(crate) fn wait_ends(&mut self, at: u32) {
        if let Some(event) = self.waiting.get_mut(at as usize) {
            *event = None;
        }
    }

    /// True if the run is to stop at the end of this cycle.
    pub fn check_stop(&mut self, now: Cycle) -> bool {
        self.settle(now + 1);
        if let (None, Some(patience)) = (self.caught, self.stop_at.blocked_cycles) {
            let long =
                |event: &Option<Event>| event.is_some_and(|event| event.cycle + patience <= now);
            // Reported once: the message may go on waiting.
            self.caught = self.waiting.iter().position(long).and_then(|at| {
                let event = self.waiting[at];
                self.wait_ends(at as u32);
                event
            });
        }
        self.caught.is_some()
    }

    /// True if the run is to call [`Watch::check_stop`] now: an event to stop at has happened, or
    /// was announced for a cycle before the next check.
    #[inline]
    pub(crate) fn interrupts(&self) -> bool {
        self.caught.is_some() || self.interrupt
    }

    /// Cycles of announced events to stop at.
    fn announced(&self) -> impl Iterator<Item = Cycle> {
        self.announced.iter().filter(|event| self.stop_at.wants(event)).map(|event| event.cycle)
    }

    /// The next cycle at whose end [`Watch::check_stop`] must be called, `end` at the latest.
    pub fn next_check(&mut self, now: Cycle, end: Cycle) -> Cycle {
        let waiting = self.stop_at.blocked_cycles.into_iter().flat_map(|patience| {
            let known = self.waiting.iter().flatten().map(move |event| event.cycle + patience);
            // Waits that begin meanwhile become due no earlier than this.
            known.chain([now + patience.max(1)])
        });
        self.next_check =
            self.announced().chain(waiting).fold(end, Cycle::min).max(now + 1).min(end);
        self.interrupt = false;
        self.next_check
    }

    fn append(&mut self, event: Event) {
        let list = &mut self.latest[event.what.kind() as usize];
        if list.len() == self.capacity {
            list.pop_front();
        }
        list.push_back(event);
        if self.caught.is_none() && self.stop_at.wants(&event) {
            self.caught = Some(event);
        }
    }
}

/// Events by cycle; those of a cycle keep their order.
fn by_cycle(mut events: Vec<Event>) -> Vec<Event> {
    events.sort_by_key(|event| event.cycle);
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(cycle: Cycle, message: u32, what: What) -> Event {
        Event { cycle, message: Some(message), what }
    }

    #[test]
    fn each_kind_keeps_its_latest() {
        let mut watch = Watch::new(2);
        watch.record(0, event(0, 9, What::Dropped));
        for i in 1..10 {
            watch.record(i, event(i, i as u32, What::Injected { host: 0 }));
        }
        let kept: Vec<u32> =
            watch.latest(&EventKind::ALL).iter().filter_map(|event| event.message).collect();
        assert_eq!(kept, [9, 8, 9]);
        assert_eq!(watch.latest(&[EventKind::Dropped]).len(), 1);
    }

    #[test]
    fn what_is_taken_back_did_not_happen() {
        let mut watch = Watch::new(8);
        watch.stop_at(StopAt { kinds: vec![EventKind::ItbOut], ..StopAt::default() });
        watch.record(10, event(42, 1, What::ItbOut { host: 3 }));
        watch.record(10, event(50, 2, What::ItbOut { host: 4 }));
        assert_eq!(watch.next_check(10, 1000), 42);
        watch.retract(30, 1);
        assert!(!watch.check_stop(42));
        assert_eq!(watch.next_check(42, 1000), 50);
        assert!(watch.check_stop(50));
        assert_eq!(watch.caught().and_then(|event| event.message), Some(2));
    }

    #[test]
    fn what_is_announced_sooner_than_the_next_look_interrupts() {
        let mut watch = Watch::new(8);
        watch.stop_at(StopAt { kinds: vec![EventKind::ItbOut], ..StopAt::default() });
        assert_eq!(watch.next_check(0, 100), 100);
        watch.record(5, event(90, 1, What::Injected { host: 3 }));
        watch.record(5, event(100, 1, What::ItbOut { host: 3 }));
        assert!(!watch.interrupts());
        watch.record(5, event(99, 2, What::ItbOut { host: 3 }));
        assert!(watch.interrupts());
        assert_eq!(watch.next_check(5, 100), 99);
        assert!(!watch.interrupts());
    }

    #[test]
    fn few_events_are_ahead_however_long_a_run_is_not_looked_at() {
        let mut watch = Watch::new(usize::MAX);
        for now in 0..10_000 {
            watch.record(now, event(now + 20, now as u32, What::Injected { host: 0 }));
            assert!(watch.announced.len() <= 2 * 20 + SETTLE_MIN);
        }
        watch.check_stop(20_000);
        assert!(watch.latest(&EventKind::ALL).iter().map(|event| event.cycle).eq(20..10_020));
    }

    #[test]
    fn patience_ends_on_its_cycle_and_once() {
        let mut watch = Watch::new(8);
        watch.stop_at(StopAt { blocked_cycles: Some(100), ..StopAt::default() });
        let blocked =
            |cycle, message| event(cycle, message, What::Blocked { at: 0, wants: 1, holder: 7 });
        watch.wait(0, blocked(20, 1));
        watch.wait(3, blocked(25, 2));
        watch.wait_ends(0);
        assert_eq!(watch.next_check(60, 1000), 125);
        assert!(!watch.check_stop(124));
        assert!(watch.check_stop(125));
        watch.release();
        assert!(!watch.check_stop(300));
    }
}
