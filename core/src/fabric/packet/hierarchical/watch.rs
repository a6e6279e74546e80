//! Reports to the watch which packets wait for the crossbar; nothing here changes a run.

use super::Fabric;
use crate::fabric::packet::arbiters::Arbiter;
use crate::observe::{Event, What};

impl<A: Arbiter> Fabric<A> {
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
        let packet = self.switch.inputs[input].candidates[lane].first(&self.packets);
        let p = &self.packets[packet];
        let at = if self.switch.wiring.is_central(input) { p.out } else { input };
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
