//! Reports to the watch which packets wait for the crossbar; nothing here changes a run.

use super::Fabric;
use super::state::InputQueueId;
use crate::arbiters::Arbiter;
use crate::fabric::packet::congestion::CongestionManagement;
use crate::observe::{Event, What};

impl<A: Arbiter, C: CongestionManagement> Fabric<A, C> {
    /// Reports that the foremost packet of a queue of an input was refused for the first time.
    #[inline]
    pub(super) fn report_wait(&mut self, input: u32, queue: InputQueueId) {
        let number = self.number(input, queue);
        if self.watch.as_ref().is_some_and(|watch| !watch.waits(number)) {
            self.report_first_wait(input, queue);
        }
    }

    /// The number of a queue among those of all inputs.
    fn number(&self, input: u32, queue: InputQueueId) -> u32 {
        input * self.layout.queues as u32 + u32::from(queue.0)
    }

    #[cold]
    fn report_first_wait(&mut self, input: u32, queue: InputQueueId) {
        let packet = self.switch.inputs[input].candidates[queue.index()].first(&self.packets);
        let p = &self.packets[packet];
        let at = if self.switch.wiring.is_central(input) { p.out } else { input };
        let holder = self.holder(p.output, p.lane).unwrap_or(self.message_id(packet));
        let what = What::Blocked { at, wants: p.out, holder };
        let event = Event { cycle: self.now, message: Some(self.message_id(packet)), what };
        let number = self.number(input, queue);
        self.watch.iter_mut().for_each(|watch| watch.wait(number, event));
    }

    /// Reports that it waits no longer.
    #[inline]
    pub(super) fn report_wait_end(&mut self, input: u32, queue: InputQueueId) {
        let number = self.number(input, queue);
        if let Some(watch) = &mut self.watch {
            watch.wait_ends(number);
        }
    }
}
