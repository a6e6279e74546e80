//! What the user wants of time: where to stop, which stretch to play again and again, which events to list.

use super::{Page, Pin, Tab};
use crate::protocol::{Stats, StepBy, ToWorker};
use hopscope_core::observe::{Event, EventKind, StopAt};

/// Events known at most; the earliest are forgotten.
const MAX_KNOWN: usize = 300;

/// The wishes, and the events known.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// Whether to stop at a header that waits long, and how long that is, cycles.
    pub blocked: (bool, u64),
    /// Whether to stop at a full in-transit host, and at more bytes than these.
    pub itb_memory: (bool, u32),
    /// Whether to stop when a message is delivered, and which.
    pub delivered: (bool, u32),
    /// How far the steps of many cycles go.
    pub many: u64,
    /// Ends of the stretch to repeat.
    pub marks: [Option<u64>; 2],
    /// Kinds of events listed.
    pub kinds: Vec<EventKind>,
    /// Whether only those of the pinned message are.
    pub pinned_only: bool,
    /// Events listed, oldest first. Those after the present cycle happened before time went back, and will again.
    pub known: Vec<Event>,
}

impl Default for Timing {
    fn default() -> Timing {
        use EventKind as K;
        Timing {
            blocked: (false, 500),
            itb_memory: (false, 1024),
            delivered: (false, 0),
            many: 100,
            marks: [None; 2],
            kinds: vec![K::Blocked, K::ItbIn, K::ItbOut, K::Dropped, K::Deadlock],
            pinned_only: false,
            known: Vec::new(),
        }
    }
}

/// A change of the wishes.
#[derive(Debug, Clone, Copy)]
pub enum Wish {
    /// Stop at a header that waits long.
    Blocked(bool, u64),
    /// Stop at a full in-transit host.
    ItbMemory(bool, u32),
    /// Stop when a message is delivered.
    Delivered(bool, u32),
    /// Length of long steps.
    Many(u64),
    /// An end of the stretch is here, or nowhere.
    Mark(usize, Option<u64>),
    /// List a kind of events, or no longer.
    Kind(EventKind, bool),
    /// List only events of the pinned message.
    PinnedOnly(bool),
    /// On to the next event of those listed.
    Next,
    /// Go to an event, and look at its message.
    Goto(Event),
}

impl Page {
    pub(super) fn wish(&mut self, wish: Wish) {
        let timing = &mut self.timing;
        match wish {
            Wish::Blocked(on, cycles) => timing.blocked = (on, cycles),
            Wish::ItbMemory(on, bytes) => timing.itb_memory = (on, bytes),
            Wish::Delivered(on, message) => timing.delivered = (on, message),
            Wish::Many(cycles) => timing.many = cycles,
            Wish::Mark(end, cycle) => timing.marks[end] = cycle,
            Wish::Kind(kind, on) => {
                timing.kinds.retain(|other| *other != kind);
                timing.kinds.extend(on.then_some(kind));
            }
            Wish::PinnedOnly(on) => timing.pinned_only = on,
            Wish::Next => {
                let (kinds, message) = (timing.kinds.clone(), self.listed_message());
                return self.tell(ToWorker::Step { by: StepBy::NextOf { kinds, message } });
            }
            Wish::Goto(event) => {
                self.seek(event.cycle);
                return self.pin(Pin::Message(event.message));
            }
        }
        match wish {
            Wish::Mark(..) => self.send_stretch(),
            Wish::Kind(..) | Wish::PinnedOnly(_) => self.send_listed(),
            Wish::Many(_) | Wish::Next | Wish::Goto(_) => {}
            Wish::Blocked(..) | Wish::ItbMemory(..) | Wish::Delivered(..) => self.send_stop_at(),
        }
    }

    fn send_stop_at(&self) {
        fn wanted<T>((on, value): (bool, T)) -> Option<T> {
            on.then_some(value)
        }
        let timing = &self.timing;
        let stop_at = StopAt {
            blocked_cycles: wanted(timing.blocked),
            itb_memory_bytes: wanted(timing.itb_memory),
            delivered: wanted(timing.delivered),
            ..StopAt::default()
        };
        self.tell(ToWorker::StopAt { stop_at });
    }

    /// The stretch to repeat, first cycle first, if both its ends are set.
    pub fn stretch(&self) -> Option<(u64, u64)> {
        let [a, b] = self.timing.marks;
        let (a, b) = (a?, b?);
        (a != b).then_some((a.min(b), a.max(b)))
    }

    fn send_stretch(&self) {
        self.tell(ToWorker::Loop { stretch: self.stretch() });
    }

    /// The message whose events alone are listed.
    fn listed_message(&self) -> Option<u32> {
        match self.pin {
            Pin::Message(message) if self.timing.pinned_only => Some(message),
            _ => None,
        }
    }

    /// Asks for the events to list, or for none while nobody sees them.
    pub(super) fn send_listed(&mut self) {
        let message = self.listed_message();
        let kinds = if self.tab == Tab::Time { self.timing.kinds.clone() } else { Vec::new() };
        let fits = |event: &Event| {
            kinds.contains(&event.what.kind())
                && message.is_none_or(|message| event.message == message)
        };
        self.timing.known.retain(fits);
        self.tell(ToWorker::List { kinds, message });
    }

    /// Another scenario begins: marks and events were of the one before.
    pub(super) fn forget_time(&mut self) {
        self.timing.known.clear();
        if self.timing.marks != [None; 2] {
            self.timing.marks = [None; 2];
            self.send_stretch();
        }
    }

    /// Takes the events of the past in; those of the future stay known.
    pub(super) fn take_events(&mut self, stats: &Stats) {
        if self.tab != Tab::Time {
            return;
        }
        let known = &mut self.timing.known;
        known.retain(|event| event.cycle > stats.cycle);
        known.splice(0..0, stats.events.iter().copied());
        known.drain(..known.len().saturating_sub(MAX_KNOWN));
    }
}
