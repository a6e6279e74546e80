//! Reports events to the watch; nothing here changes a run. An event of a message is an event of
//! any of its packets.

use super::PacketFabric;
use super::switch::Switch;
use crate::observe::{Event, Watch, What};

impl<S: Switch> PacketFabric<S> {
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

    /// Reports an event of a packet's message in this cycle.
    #[inline]
    pub(super) fn report(&mut self, packet: u32, what: What) {
        if self.watch.is_some() {
            self.report_to_watch(packet, what);
        }
    }

    #[cold]
    fn report_to_watch(&mut self, packet: u32, what: What) {
        let event = Event { cycle: self.now, message: Some(self.message_id(packet)), what };
        self.watch.iter_mut().for_each(|watch| watch.record(self.now, event));
    }
}
