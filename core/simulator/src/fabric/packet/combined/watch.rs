//! Reports to the watch which packets wait for the crossbar; nothing here changes a run.

use super::Fabric;
use super::state::PortMask;
use crate::fabric::packet::congestion::CongestionManagement;
use crate::fabric::packet::lanes::Lane;
use crate::observe::{Event, What};
use hopscope_scenario::bits;

impl<C: CongestionManagement, P: PortMask> Fabric<C, P> {
    /// Reports the packets of an input port that were refused for the first time: the foremost of
    /// each line.
    #[cold]
    pub(super) fn report_waits(&mut self, input: u32) {
        if self.sends(input) {
            return;
        }
        for line in self.lines_of(input).collect::<Vec<u32>>() {
            if self.watch.as_ref().is_some_and(|watch| !watch.waits(line)) {
                let packet = self.first_of_line(line);
                let p = &self.packets[packet];
                let message = self.message_id(packet);
                let holder = self.holder(p.out, p.lane).unwrap_or(message);
                let what = What::Blocked { at: p.at, wants: p.out, holder };
                let event = Event { cycle: self.now, message: Some(message), what };
                self.watch.iter_mut().for_each(|watch| watch.wait(line, event));
            }
        }
    }

    /// Reports that the first packet of a line waits no longer.
    #[inline]
    pub(super) fn report_wait_end(&mut self, line: u32) {
        if let Some(watch) = &mut self.watch {
            watch.wait_ends(line);
        }
    }

    /// The lines of an input port that are not empty.
    pub(super) fn lines_of(&self, input: u32) -> impl Iterator<Item = u32> {
        let wiring = &self.switch.wiring;
        bits(self.switch.inputs[input].wanted).flat_map(move |output| {
            let pair = wiring.pair(input, output);
            let is_there = move |lane: &Lane| self.switch.pairs[pair].lanes >> lane.0 & 1 == 1;
            Lane::all(self.layout.lanes).filter(is_there).map(move |lane| wiring.line(pair, lane))
        })
    }
}
