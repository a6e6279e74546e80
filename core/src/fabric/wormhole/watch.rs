//! Telling those who watch; nothing here changes what happens.

use super::Wormhole;
use crate::engine::Cycle;
use crate::observe::{Event, Watch, What};
use std::collections::BTreeSet;

impl Wormhole {
    /// Tells this watch from now on, or nobody.
    pub fn watch_with(&mut self, watch: Option<Watch>) {
        self.watch = watch.map(Box::new);
    }

    /// Who watches.
    pub fn watcher(&self) -> Option<&Watch> {
        self.watch.as_deref()
    }

    /// Who watches, to be given orders.
    pub fn watcher_mut(&mut self) -> Option<&mut Watch> {
        self.watch.as_deref_mut()
    }

    fn event(&self, cycle: Cycle, slot: u32, what: What) -> Event {
        Event { cycle, message: self.messages[slot as usize].id as u32, what }
    }

    /// Something happens to a message in this cycle.
    #[inline]
    pub(super) fn tell(&mut self, slot: u32, what: What) {
        if self.watch.is_some() {
            self.tell_at(self.clock.now, slot, what);
        }
    }

    #[cold]
    fn tell_at(&mut self, cycle: Cycle, slot: u32, what: What) {
        let event = self.event(cycle, slot, what);
        if let Some(watch) = &mut self.watch {
            watch.tell(self.clock.now, event);
            self.news |= watch.interrupts();
        }
    }

    /// A message's first flit will leave a NIC at `first`, unless STOP comes before.
    #[inline]
    pub(super) fn tell_sent(&mut self, host: u32, slot: u32, first: Cycle, local: bool) {
        if self.watch.is_some() {
            let what = if local { What::Injected { host } } else { What::ItbOut { host } };
            self.tell_at(first, slot, what);
        }
    }

    /// STOP has come before.
    #[inline]
    pub(super) fn take_back_sent(&mut self, slot: u32) {
        if let Some(watch) = &mut self.watch {
            watch.take_back(self.clock.now, self.messages[slot as usize].id as u32);
        }
    }

    /// A NIC has begun to read a message in transit.
    #[inline]
    pub(super) fn tell_itb_in(&mut self, host: u32, slot: u32) {
        if self.watch.is_some() {
            let memory = self.nics[host as usize].memory;
            self.tell_at(self.clock.now, slot, What::ItbIn { host, memory });
        }
    }

    /// The header at the end of channel `c` has asked in vain.
    #[inline]
    pub(super) fn tell_waits(&mut self, c: u32) {
        if self.watch.is_some() {
            let channel = &self.channels[c as usize];
            let holder = self.messages.get(self.channels[channel.wants as usize].holder as usize);
            let holder = holder.map_or(0, |message| message.id as u32);
            let what = What::Blocked { at: c, wants: channel.wants, holder };
            let Some(worm) = channel.worms.front() else { return };
            let event = self.event(self.clock.now, worm.message, what);
            if let Some(watch) = &mut self.watch {
                watch.wait(c, event);
                self.news |= watch.interrupts();
            }
        }
    }

    /// The header at the end of channel `c` waits no more.
    #[inline]
    pub(super) fn tell_wait_ends(&mut self, c: u32) {
        if let Some(watch) = &mut self.watch {
            watch.wait_ends(c);
        }
    }

    /// These messages wait for each other.
    pub(super) fn tell_deadlock(&mut self, messages: &[u64]) {
        let now = self.clock.now;
        if let Some(watch) = &mut self.watch {
            // A long worm may hold several channels of the cycle.
            for message in messages.iter().collect::<BTreeSet<_>>() {
                watch.tell(
                    now,
                    Event { cycle: now, message: *message as u32, what: What::Deadlock },
                );
            }
        }
    }
}
