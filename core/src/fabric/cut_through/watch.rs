//! Telling those who watch; nothing here changes what happens. What is told of a message is what happens to any of its packets.

use super::CutThrough;
use crate::observe::{Event, Watch, What};

impl CutThrough {
    /// Has events told to this watch from now on, or to nobody.
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

    /// Something happens to a packet's message in this cycle.
    #[inline]
    pub(super) fn tell(&mut self, packet: u32, what: What) {
        if self.watch.is_some() {
            self.tell_watch(packet, what);
        }
    }

    #[cold]
    fn tell_watch(&mut self, packet: u32, what: What) {
        let event = Event { cycle: self.now, message: self.number(packet), what };
        self.watch.iter_mut().for_each(|watch| watch.tell(self.now, event));
    }

    /// The foremost packet of a lane of a source has asked for its target in vain, for the first time.
    #[inline]
    pub(super) fn tell_waits(&mut self, source: u32, lane: u8) {
        let queue = source * self.plan.lanes as u32 + u32::from(lane);
        if self.watch.as_ref().is_some_and(|watch| !watch.waits(queue)) {
            self.tell_first_wait(source, queue);
        }
    }

    #[cold]
    fn tell_first_wait(&mut self, source: u32, queue: u32) {
        let lane = queue as usize % self.plan.lanes;
        let packet = self.sources[source].candidates[lane].first(&self.packets);
        let p = &self.packets[packet];
        let at = if self.plan.is_central(source) { p.out } else { source };
        let holder = self.holder(p.target, p.lane).unwrap_or(self.number(packet));
        let what = What::Blocked { at, wants: p.out, holder };
        let event = Event { cycle: self.now, message: self.number(packet), what };
        self.watch.iter_mut().for_each(|watch| watch.wait(queue, event));
    }

    /// It has got it.
    #[inline]
    pub(super) fn tell_waits_end(&mut self, source: u32, lane: u8) {
        if let Some(watch) = &mut self.watch {
            watch.wait_ends(source * self.plan.lanes as u32 + u32::from(lane));
        }
    }
}
