//! Reports events to the watch; nothing here changes a run.

use super::Wormhole;
use crate::engine::Cycle;
use crate::observe::{Event, Watch, What};
use std::collections::BTreeSet;

impl Wormhole {
    /// Reports events to this watch from now on, or to none.
    pub fn watch_with(&mut self, watch: Option<Watch>) {
        self.watch = watch.map(Box::new);
    }

    /// The watch, if there is one.
    pub fn watcher(&self) -> Option<&Watch> {
        self.watch.as_deref()
    }

    /// The watch, to be configured.
    pub fn watcher_mut(&mut self) -> Option<&mut Watch> {
        self.watch.as_deref_mut()
    }

    fn event(&self, cycle: Cycle, slot: u32, what: What) -> Event {
        Event { cycle, message: Some(self.messages[slot as usize].id), what }
    }

    /// Reports an event of a message in this cycle.
    #[inline]
    pub(super) fn report(&mut self, slot: u32, what: What) {
        if self.watch.is_some() {
            self.report_at(self.clock.now, slot, what);
        }
    }

    #[cold]
    fn report_at(&mut self, cycle: Cycle, slot: u32, what: What) {
        let event = self.event(cycle, slot, what);
        if let Some(watch) = &mut self.watch {
            watch.record(self.clock.now, event);
            self.recheck_stop |= watch.interrupts();
        }
    }

    /// Reports that a message's first flit leaves a NIC at `first`, unless STOP comes before.
    #[inline]
    pub(super) fn report_sent(&mut self, host: u32, slot: u32, first: Cycle, local: bool) {
        if self.watch.is_some() {
            let what = if local { What::Injected { host } } else { What::ItbOut { host } };
            self.report_at(first, slot, what);
        }
    }

    /// Retracts that report: STOP has come before.
    #[inline]
    pub(super) fn retract_sent(&mut self, slot: u32) {
        if let Some(watch) = &mut self.watch {
            watch.retract(self.clock.now, self.messages[slot as usize].id);
        }
    }

    /// Reports that a NIC has begun to read a message in transit.
    #[inline]
    pub(super) fn report_itb_in(&mut self, host: u32, slot: u32) {
        if self.watch.is_some() {
            let memory = self.nics[host as usize].memory;
            self.report_at(self.clock.now, slot, What::ItbIn { host, memory });
        }
    }

    /// Reports that the header at the end of channel `c` was refused.
    #[inline]
    pub(super) fn report_wait(&mut self, c: u32) {
        if self.watch.is_some() {
            let channel = &self.channels[c as usize];
            let holder = self.messages.get(self.channels[channel.wants as usize].holder as usize);
            let holder = holder.map_or(0, |message| message.id);
            let what = What::Blocked { at: c, wants: channel.wants, holder };
            let Some(worm) = channel.worms.front() else { return };
            let event = self.event(self.clock.now, worm.message, what);
            if let Some(watch) = &mut self.watch {
                watch.wait(c, event);
                self.recheck_stop |= watch.interrupts();
            }
        }
    }

    /// Reports that the header at the end of channel `c` waits no longer.
    #[inline]
    pub(super) fn report_wait_end(&mut self, c: u32) {
        if let Some(watch) = &mut self.watch {
            watch.wait_ends(c);
        }
    }

    /// Reports the messages of a deadlock.
    pub(super) fn report_deadlock(&mut self, messages: &[u32]) {
        let now = self.clock.now;
        if let Some(watch) = &mut self.watch {
            // A long worm may hold several channels of the cycle.
            for message in messages.iter().collect::<BTreeSet<_>>() {
                watch.record(
                    now,
                    Event { cycle: now, message: Some(*message), what: What::Deadlock },
                );
            }
        }
    }
}
