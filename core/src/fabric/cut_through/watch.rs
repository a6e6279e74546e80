//! Reports events to the watch; nothing here changes a run. An event of a message is an event of
//! any of its packets.

use super::CutThrough;
use crate::observe::{Event, Watch, What};

impl CutThrough {
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
        let event = Event { cycle: self.now, message: self.message_id(packet), what };
        self.watch.iter_mut().for_each(|watch| watch.record(self.now, event));
    }

    /// Reports that the foremost packet of an input's lane was refused for the first time.
    #[inline]
    pub(super) fn report_wait(&mut self, input: u32, lane: u8) {
        let queue = input * self.layout.lanes as u32 + u32::from(lane);
        if self.watch.as_ref().is_some_and(|watch| !watch.waits(queue)) {
            self.report_first_wait(input, queue);
        }
    }

    #[cold]
    fn report_first_wait(&mut self, input: u32, queue: u32) {
        let lane = queue as usize % self.layout.lanes;
        let packet = self.inputs[input].candidates[lane].first(&self.packets);
        let p = &self.packets[packet];
        let at = if self.layout.is_central(input) { p.out } else { input };
        let holder = self.holder(p.output, p.lane).unwrap_or(self.message_id(packet));
        let what = What::Blocked { at, wants: p.out, holder };
        let event = Event { cycle: self.now, message: self.message_id(packet), what };
        self.watch.iter_mut().for_each(|watch| watch.wait(queue, event));
    }

    /// Reports that it waits no longer.
    #[inline]
    pub(super) fn report_wait_end(&mut self, input: u32, lane: u8) {
        if let Some(watch) = &mut self.watch {
            watch.wait_ends(input * self.layout.lanes as u32 + u32::from(lane));
        }
    }
}
