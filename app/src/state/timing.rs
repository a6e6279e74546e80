//! Where the run stops, which stretch it repeats, and which events are listed.

use crate::protocol::{Stats, ToWorker};
use hopscope_core::observe::{Event, EventKind, StopAt};

/// The number of events listed; older ones are dropped.
const MAX_EVENTS: usize = 300;

/// Where the run stops, which stretch it repeats, and which events are listed.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// Whether to stop at a header that waits, and after how many cycles.
    pub blocked: (bool, u64),
    /// Whether to stop at a full in-transit buffer, and above how many bytes.
    pub itb_memory: (bool, u32),
    /// Whether to stop when a message is delivered, and which.
    pub delivered: (bool, u32),
    /// Whether to stop when a port allocates a set-aside queue.
    pub saq_allocated: bool,
    /// Whether a run goes on at its cycle when a parameter changes; else it begins anew.
    pub keeps_cycle: bool,
    /// Length of a long step, cycles.
    pub long_step: u64,
    /// The ends of the stretch to repeat, cycles, in the order in which they were set.
    pub marks: [Option<u64>; 2],
    /// The kinds of events listed.
    pub kinds: Vec<EventKind>,
    /// Whether only events of the pinned message are listed.
    pub pinned_only: bool,
    /// The events, oldest first. Events after the current cycle were seen before time went back,
    /// and will happen again.
    pub events: Vec<Event>,
}

impl Default for Timing {
    fn default() -> Timing {
        use EventKind as K;
        Timing {
            blocked: (false, 500),
            itb_memory: (false, 1024),
            delivered: (false, 0),
            saq_allocated: false,
            keeps_cycle: true,
            long_step: 100,
            marks: [None; 2],
            kinds: vec![K::Blocked, K::ItbIn, K::ItbOut, K::Dropped, K::Deadlock, K::SaqAllocated],
            pinned_only: false,
            events: Vec::new(),
        }
    }
}

/// What the user asks of time.
#[derive(Debug, Clone, Copy)]
pub enum TimingAction {
    /// Stop at a header that waits this many cycles, or not.
    Blocked(bool, u64),
    /// Stop at an in-transit buffer with more bytes than this, or not.
    ItbMemory(bool, u32),
    /// Stop when this message is delivered, or not.
    Delivered(bool, u32),
    /// Stop when a port allocates a set-aside queue, or not.
    SaqAllocated(bool),
    /// Have the run go on at its cycle when a parameter changes, or begin anew.
    KeepsCycle(bool),
    /// Set the length of a long step, cycles.
    LongStep(u64),
    /// Set or clear an end of the stretch.
    Mark(usize, Option<u64>),
    /// List a kind of events, or not.
    Kind(EventKind, bool),
    /// List only events of the pinned message, or all.
    PinnedOnly(bool),
    /// Run to the next event of those listed.
    Next,
    /// Go to an event and pin its message.
    Goto(Event),
}

impl Timing {
    /// Sets the value that an action is about. Actions that move the run set nothing.
    pub fn set(&mut self, action: TimingAction) {
        match action {
            TimingAction::Blocked(on, cycles) => self.blocked = (on, cycles),
            TimingAction::ItbMemory(on, bytes) => self.itb_memory = (on, bytes),
            TimingAction::Delivered(on, message) => self.delivered = (on, message),
            TimingAction::SaqAllocated(on) => self.saq_allocated = on,
            TimingAction::KeepsCycle(keeps) => self.keeps_cycle = keeps,
            TimingAction::LongStep(cycles) => self.long_step = cycles,
            TimingAction::Mark(end, cycle) => self.marks[end] = cycle,
            TimingAction::Kind(kind, on) => {
                self.kinds.retain(|other| *other != kind);
                self.kinds.extend(on.then_some(kind));
            }
            TimingAction::PinnedOnly(on) => self.pinned_only = on,
            TimingAction::Next | TimingAction::Goto(_) => {}
        }
    }

    /// The stretch to repeat, first cycle first, if it has two different ends.
    pub fn stretch(&self) -> Option<(u64, u64)> {
        let [a, b] = self.marks;
        let (a, b) = (a?, b?);
        (a != b).then_some((a.min(b), a.max(b)))
    }

    /// What to tell the worker about the stretch.
    pub fn stretch_command(&self) -> ToWorker {
        ToWorker::Loop { stretch: self.stretch() }
    }

    /// What to tell the worker about where to stop.
    pub fn stop_command(&self) -> ToWorker {
        fn wanted<T>((on, value): (bool, T)) -> Option<T> {
            on.then_some(value)
        }
        let stop_at = StopAt {
            blocked_cycles: wanted(self.blocked),
            itb_memory_bytes: wanted(self.itb_memory),
            delivered: wanted(self.delivered),
            kinds: self.saq_allocated.then_some(EventKind::SaqAllocated).into_iter().collect(),
            ..StopAt::default()
        };
        ToWorker::StopAt { stop_at }
    }

    /// The only message whose events are listed, given the pinned one.
    pub fn listed_message(&self, pinned: Option<u32>) -> Option<u32> {
        pinned.filter(|_| self.pinned_only)
    }

    /// Drops events that are no longer listed; what to tell the worker. Nothing is listed while
    /// the panel is hidden.
    pub fn list(&mut self, visible: bool, pinned: Option<u32>) -> ToWorker {
        let message = self.listed_message(pinned);
        let kinds = if visible { self.kinds.clone() } else { Vec::new() };
        self.events.retain(|event| {
            kinds.contains(&event.what.kind()) && (message.is_none() || message == event.message)
        });
        ToWorker::List { kinds, message }
    }

    /// Replaces the events up to the current cycle; later ones stay.
    pub fn take_events(&mut self, stats: &Stats) {
        let events = &mut self.events;
        events.retain(|event| event.cycle > stats.cycle);
        events.splice(0..0, stats.events.iter().copied());
        events.drain(..events.len().saturating_sub(MAX_EVENTS));
    }

    /// Drops marks and events: they belong to another scenario. What to tell the worker, if the
    /// stretch changes.
    pub fn forget(&mut self) -> Option<ToWorker> {
        self.events.clear();
        let had_marks = std::mem::take(&mut self.marks) != [None; 2];
        had_marks.then(|| self.stretch_command())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::observe::What;

    fn event(cycle: u64, message: u32) -> Event {
        Event { cycle, message: Some(message), what: What::Dropped }
    }

    #[test]
    fn the_stretch_needs_two_different_ends_in_either_order() {
        let mut timing = Timing::default();
        timing.set(TimingAction::Mark(0, Some(90)));
        assert_eq!(timing.stretch(), None);
        timing.set(TimingAction::Mark(1, Some(90)));
        assert_eq!(timing.stretch(), None);
        timing.set(TimingAction::Mark(1, Some(10)));
        assert_eq!(timing.stretch(), Some((10, 90)));
        assert_eq!(timing.forget(), Some(ToWorker::Loop { stretch: None }));
        assert_eq!(timing.forget(), None);
    }

    #[test]
    fn events_of_the_past_are_replaced_and_those_to_come_stay() {
        let mut timing = Timing { events: vec![event(3, 1), event(9, 1)], ..Timing::default() };
        let stats = |cycle, events| Stats { cycle, events, ..Stats::default() };
        timing.take_events(&stats(5, vec![event(4, 2)]));
        assert_eq!(timing.events, [event(4, 2), event(9, 1)]);
        timing.take_events(&stats(1000, (0..400).map(|cycle| event(cycle, 0)).collect()));
        assert_eq!((timing.events.len(), timing.events[0].cycle), (300, 100));
    }

    #[test]
    fn a_hidden_list_asks_for_no_events_and_a_pin_narrows_it() {
        let mut timing = Timing { events: vec![event(1, 7), event(2, 8)], ..Timing::default() };
        timing.set(TimingAction::PinnedOnly(true));
        timing.set(TimingAction::Kind(EventKind::Blocked, false));
        let ToWorker::List { kinds, message } = timing.list(true, Some(7)) else { panic!() };
        assert_eq!((kinds.contains(&EventKind::Blocked), message), (false, Some(7)));
        assert_eq!(timing.events, [event(1, 7)]);
        assert_eq!(timing.list(false, None), ToWorker::List { kinds: Vec::new(), message: None });
    }

    #[test]
    fn only_conditions_that_are_on_stop_the_run() {
        let mut timing = Timing::default();
        timing.set(TimingAction::Blocked(true, 60));
        timing.set(TimingAction::ItbMemory(false, 5));
        timing.set(TimingAction::SaqAllocated(true));
        let kinds = vec![EventKind::SaqAllocated];
        let stop_at = StopAt { blocked_cycles: Some(60), kinds, ..StopAt::default() };
        assert_eq!(timing.stop_command(), ToWorker::StopAt { stop_at });
    }
}
