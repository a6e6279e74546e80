//! Events, for those who watch a run: a list of the latest of each kind, and what to stop at.
//!
//! A watch belongs to the simulation it watches and is cloned with it, so that going back to a checkpoint also goes back
//! in the list. It is told; it never steers: with or without one a run gives the same bits.

use crate::engine::Cycle;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Something that happened to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When.
    pub cycle: Cycle,
    /// To whom.
    pub message: u32,
    /// What.
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
    /// Its header asked for a channel and did not get it.
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
        /// ITB memory in use there from now on, this message's share included, bytes.
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
    /// An in-transit host had no memory for it and threw it away; its source sends it again.
    Discarded {
        /// The host.
        host: u32,
    },
    /// It is one of those whose waiting has closed a cycle.
    Deadlock,
}

/// Kinds of events, as lists are filtered by.
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
}

impl EventKind {
    /// All of them, in the order of a message's life.
    pub const ALL: [EventKind; 7] = [
        EventKind::Injected,
        EventKind::Blocked,
        EventKind::ItbIn,
        EventKind::ItbOut,
        EventKind::Delivered,
        EventKind::Dropped,
        EventKind::Deadlock,
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
        }
    }
}

/// What a run stops at, besides a deadlock, at which it always does. Nothing by default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StopAt {
    /// A header has waited in a switch for this many cycles.
    pub blocked_cycles: Option<u64>,
    /// More bytes than this of a host's ITB memory are in use.
    pub itb_memory_bytes: Option<u32>,
    /// This message has been delivered.
    pub delivered: Option<u32>,
    /// Any event of these kinds...
    pub kinds: Vec<EventKind>,
    /// ... that happens to this message, if one is given.
    pub of_message: Option<u32>,
}

impl StopAt {
    /// Whether an event is one to stop at. (Waiting is not an event; see [`Watch`].)
    fn wants(&self, event: &Event) -> bool {
        let listed = self.kinds.contains(&event.what.kind())
            && self.of_message.is_none_or(|message| message == event.message);
        listed
            || match event.what {
                What::ItbIn { memory, .. } => {
                    self.itb_memory_bytes.is_some_and(|limit| memory > limit)
                }
                What::Delivered { .. } => self.delivered == Some(event.message),
                _ => false,
            }
    }
}

/// What a fabric tells, and what is made of it.
#[derive(Debug, Clone)]
pub struct Watch {
    /// Per kind, the latest, oldest first.
    latest: [VecDeque<Event>; EventKind::ALL.len()],
    /// Events kept of each kind.
    capacity: usize,
    /// Announced for a cycle to come; may be taken back. Some may have happened meanwhile.
    ahead: Vec<Event>,
    /// With so many of them it is time to look which have happened: only then are there ever few.
    many_ahead: usize,
    /// Per channel, since when and why the header at its end has been waiting.
    waiting: Vec<Option<Event>>,
    /// Where there is one, by bit: asked at every vain request.
    is_waiting: Vec<u64>,
    stop_at: StopAt,
    caught: Option<Event>,
    /// The cycle the run goes on to before it asks again.
    next_look: Cycle,
    /// Something to stop at has been announced that comes sooner.
    sooner: bool,
}

/// Fewer announced events than this are not looked through.
const FEW: usize = 64;

impl Watch {
    /// Keeps so many events of each kind.
    pub fn new(capacity: usize) -> Watch {
        Watch {
            latest: Default::default(),
            capacity,
            ahead: Vec::new(),
            many_ahead: FEW,
            waiting: Vec::new(),
            is_waiting: Vec::new(),
            stop_at: StopAt::default(),
            caught: None,
            next_look: Cycle::MAX,
            sooner: false,
        }
    }

    /// Stops at these from now on.
    pub fn stop_at(&mut self, stop_at: StopAt) {
        self.stop_at = stop_at;
        self.caught = None;
    }

    /// The event the run was stopped at; for waiting too long, the one it began with.
    pub fn caught(&self) -> Option<Event> {
        self.caught
    }

    /// Lets the run go on after it was stopped.
    pub fn release(&mut self) {
        self.caught = None;
    }

    /// The latest events of some kinds, oldest first.
    pub fn latest(&self, kinds: &[EventKind]) -> Vec<Event> {
        let mut all: Vec<Event> =
            kinds.iter().flat_map(|kind| &self.latest[*kind as usize]).copied().collect();
        all.sort_by_key(|event| event.cycle);
        all
    }

    /// The fabric tells an event of this cycle or, if it may still be taken back, of a later one.
    pub(crate) fn tell(&mut self, now: Cycle, event: Event) {
        if event.cycle <= now {
            return self.happen(event);
        }
        self.sooner |= event.cycle < self.next_look && self.stop_at.wants(&event);
        if self.ahead.len() >= self.many_ahead {
            self.settle(now);
            self.many_ahead = 2 * self.ahead.len() + FEW;
        }
        self.ahead.push(event);
    }

    /// What was announced for cycles before this one has happened.
    fn settle(&mut self, before: Cycle) {
        if self.ahead.iter().all(|event| event.cycle >= before) {
            return;
        }
        let (mut happened, ahead): (Vec<Event>, _) =
            std::mem::take(&mut self.ahead).into_iter().partition(|event| event.cycle < before);
        self.ahead = ahead;
        happened.sort_by_key(|event| event.cycle);
        happened.into_iter().for_each(|event| self.happen(event));
    }

    /// What was announced for this message at `now` or later will not happen then.
    pub(crate) fn take_back(&mut self, now: Cycle, message: u32) {
        self.ahead.retain(|event| event.message != message || event.cycle < now);
    }

    /// A header begins to wait at the end of channel `at`.
    pub(crate) fn wait(&mut self, at: u32, event: Event) {
        let at = at as usize;
        if self.waiting.len() <= at {
            self.waiting.resize(at + 1, None);
            self.is_waiting.resize(at / 64 + 1, 0);
        }
        self.waiting[at] = Some(event);
        self.is_waiting[at / 64] |= 1 << (at % 64);
        self.happen(event);
    }

    /// Whether the header at the end of channel `at` waits.
    #[inline]
    pub(crate) fn waits(&self, at: u32) -> bool {
        self.is_waiting.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// The header at the end of channel `at` waits no more.
    #[inline]
    pub(crate) fn wait_ends(&mut self, at: u32) {
        if self.waits(at) {
            self.waiting[at as usize] = None;
            self.is_waiting[at as usize / 64] &= !(1 << (at % 64));
        }
    }

    /// Whether the run is to stop at the end of this cycle.
    pub(crate) fn catches(&mut self, now: Cycle) -> bool {
        self.settle(now + 1);
        if let (None, Some(patience)) = (self.caught, self.stop_at.blocked_cycles) {
            let long =
                |event: &Option<Event>| event.is_some_and(|event| event.cycle + patience <= now);
            // Told once: it may go on waiting after that.
            self.caught = self.waiting.iter().position(long).and_then(|at| {
                let event = self.waiting[at];
                self.wait_ends(at as u32);
                event
            });
        }
        self.caught.is_some()
    }

    /// Whether the run is to ask [`Watch::catches`] and [`Watch::next_look`] now: something was caught, or something to
    /// stop at has been announced that comes sooner than the next look.
    #[inline]
    pub(crate) fn interrupts(&self) -> bool {
        self.caught.is_some() || self.sooner
    }

    /// Cycles of announced events to stop at.
    fn ahead(&self) -> impl Iterator<Item = Cycle> {
        self.ahead.iter().filter(|event| self.stop_at.wants(event)).map(|event| event.cycle)
    }

    /// The next cycle at whose end [`Watch::catches`] must be asked, `end` at the latest.
    pub(crate) fn next_look(&mut self, now: Cycle, end: Cycle) -> Cycle {
        let waiting = self.stop_at.blocked_cycles.into_iter().flat_map(|patience| {
            let known = self.waiting.iter().flatten().map(move |event| event.cycle + patience);
            // Whoever begins to wait meanwhile is not too late before that.
            known.chain([now + patience.max(1)])
        });
        self.next_look = self.ahead().chain(waiting).fold(end, Cycle::min).max(now + 1).min(end);
        self.sooner = false;
        self.next_look
    }

    fn happen(&mut self, event: Event) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn event(cycle: Cycle, message: u32, what: What) -> Event {
        Event { cycle, message, what }
    }

    #[test]
    fn each_kind_keeps_its_latest() {
        let mut watch = Watch::new(2);
        watch.tell(0, event(0, 9, What::Dropped));
        for i in 1..10 {
            watch.tell(i, event(i, i as u32, What::Injected { host: 0 }));
        }
        let kept: Vec<u32> =
            watch.latest(&EventKind::ALL).iter().map(|event| event.message).collect();
        assert_eq!(kept, [9, 8, 9]);
        assert_eq!(watch.latest(&[EventKind::Dropped]).len(), 1);
    }

    #[test]
    fn what_is_taken_back_did_not_happen() {
        let mut watch = Watch::new(8);
        watch.stop_at(StopAt { kinds: vec![EventKind::ItbOut], ..StopAt::default() });
        watch.tell(10, event(42, 1, What::ItbOut { host: 3 }));
        watch.tell(10, event(50, 2, What::ItbOut { host: 4 }));
        assert_eq!(watch.next_look(10, 1000), 42);
        watch.take_back(30, 1);
        assert!(!watch.catches(42));
        assert_eq!(watch.next_look(42, 1000), 50);
        assert!(watch.catches(50));
        assert_eq!(watch.caught().map(|event| event.message), Some(2));
    }

    #[test]
    fn what_is_announced_sooner_than_the_next_look_interrupts() {
        let mut watch = Watch::new(8);
        watch.stop_at(StopAt { kinds: vec![EventKind::ItbOut], ..StopAt::default() });
        assert_eq!(watch.next_look(0, 100), 100);
        watch.tell(5, event(90, 1, What::Injected { host: 3 }));
        watch.tell(5, event(100, 1, What::ItbOut { host: 3 }));
        assert!(!watch.interrupts());
        watch.tell(5, event(99, 2, What::ItbOut { host: 3 }));
        assert!(watch.interrupts());
        assert_eq!(watch.next_look(5, 100), 99);
        assert!(!watch.interrupts());
    }

    #[test]
    fn few_events_are_ahead_however_long_a_run_is_not_looked_at() {
        let mut watch = Watch::new(usize::MAX);
        for now in 0..10_000 {
            watch.tell(now, event(now + 20, now as u32, What::Injected { host: 0 }));
            assert!(watch.ahead.len() <= 2 * 20 + FEW);
        }
        watch.catches(20_000);
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
        assert_eq!(watch.next_look(60, 1000), 125);
        assert!(!watch.catches(124));
        assert!(watch.catches(125));
        watch.release();
        assert!(!watch.catches(300));
    }
}
