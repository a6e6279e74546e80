//! The NIC: the local and the in-transit queue before the injection channel, and in-transit
//! messages from ejection to injection.

use super::channel::{EndEvent, Front, Receiver};
use super::state::{NEVER, NONE, Reading};
use super::worms::Worm;
use super::{Driver, Kind, Wormhole, phase};
use crate::engine::Cycle;
use crate::fabric::{self, most_in_transit_in_a_row};
use crate::observe::What;

impl Wormhole {
    /// Has an idle NIC choose a message in this cycle.
    pub(super) fn wake_nic(&mut self, host: u32) {
        let c = self.injection(host);
        self.require_end_event(c, self.clock.now);
        let nic = &mut self.nics[host as usize];
        if self.channels[c as usize].holder == NONE && nic.try_at == NEVER {
            nic.try_at = self.clock.now;
            self.clock.schedule(self.clock.now, phase::SEND, Kind::NicChoose, host);
        }
    }

    /// Injects a message generated now, if the NIC would choose it in this cycle anyway: the NIC is
    /// idle and never holds in-transit messages. Returns false otherwise, and where path selection
    /// learns from tails, since the tails of this cycle come first.
    #[inline(always)]
    pub(super) fn inject_directly<D: Driver>(
        &mut self,
        host: u32,
        slot: u32,
        driver: &mut D,
    ) -> bool {
        let c = self.injection(host);
        if self.reports_tails || self.channels[c as usize + 1].receiver != Receiver::Sink {
            return false;
        }
        self.require_end_event(c, self.clock.now);
        let nic = &mut self.nics[host as usize];
        if self.channels[c as usize].holder != NONE || nic.try_at != NEVER {
            return false;
        }
        debug_assert!(nic.local.is_empty());
        nic.sending_local = true;
        self.choose_route(slot, driver);
        self.inject(host, slot, self.clock.now);
        true
    }

    /// An in-transit message has been detected.
    pub(super) fn transit_ready(&mut self, slot: u32) {
        let message = &self.messages[slot as usize];
        let host = self.host_of(self.next_channel(message));
        self.nics[host as usize].transit.push_back(slot);
        self.wake_nic(host);
    }

    /// Discarded messages go back to their sources' queues, behind those generated in this cycle,
    /// in order of number.
    pub(super) fn requeue_discarded(&mut self) {
        let mut discarded = std::mem::take(&mut self.requeue);
        discarded.sort_unstable();
        for (_, slot) in discarded.drain(..) {
            let message = &mut self.messages[slot as usize];
            message.injected = NEVER;
            let host = message.from;
            self.nics[host as usize].local.push_back(slot);
            self.wake_nic(host);
        }
        self.requeue = discarded;
    }

    /// The NIC takes the next message from one of its two queues.
    pub(super) fn nic_choose<D: Driver>(&mut self, host: u32, driver: &mut D) {
        let nic = &mut self.nics[host as usize];
        if nic.try_at != self.clock.now {
            return;
        }
        nic.try_at = NEVER;
        let allowed = most_in_transit_in_a_row(nic.local.len() as u32);
        let local_turn =
            nic.transit.is_empty() || (!nic.local.is_empty() && nic.consecutive >= allowed);
        let queue = if local_turn { &mut nic.local } else { &mut nic.transit };
        let Some(slot) = queue.pop_front() else { return };
        nic.sending_local = local_turn;
        let first = if local_turn {
            nic.consecutive = 0;
            self.choose_route(slot, driver);
            self.clock.now
        } else {
            nic.consecutive += 1;
            let message = &mut self.messages[slot as usize];
            message.step += 1;
            nic.sending_read_at = message.read_at;
            (self.clock.now + self.clock.params.dma)
                .max(message.read_at + u64::from(self.clock.params.mark_bytes) + 1)
        };
        self.inject(host, slot, first);
    }

    fn choose_route<D: Driver>(&mut self, slot: u32, driver: &mut D) {
        let message = &mut self.messages[slot as usize];
        let (set, route) = driver.route(&message.for_driver());
        let routes = &self.table.sets[set as usize];
        let (span, taken) = (routes.span(route), routes.route(route));
        let (crossed, stops) = (taken.switches_crossed() as u32, taken.itbs() as u32);
        let first_hop = self.first_hop[set as usize];
        message.set = set;
        message.route = route;
        message.step = first_hop + span.start;
        message.last_step = first_hop + span.end;
        message.flits = message.payload
            + self.clock.params.frame_bytes
            + self.clock.params.route_byte * crossed
            + self.clock.params.mark_bytes * stops;
        message.sent_flits = message.flits;
        message.crossed = crossed as u16;
        message.links = taken.distance() as u16;
        message.shortest = taken.shortest() as u16;
    }

    fn inject(&mut self, host: u32, slot: u32, first: Cycle) {
        let c = self.injection(host);
        let flits = self.messages[slot as usize].flits;
        let channel = &mut self.channels[c as usize];
        channel.settle_decisions(c, &mut self.clock);
        channel.holder = slot;
        channel.flits_left = flits;
        channel.next_send = first;
        if channel.stopped {
            let wait = channel.blocked_wait;
            channel.set_blocked(self.clock.now, true, wait);
            self.begin_held_back(c, slot, flits);
        } else {
            let delay = u64::from(channel.delay);
            channel.wire.announce(first, flits, self.clock.now, delay);
            let last = first + u64::from(flits) - 1;
            channel.tail_at = last;
            let nic = &self.nics[host as usize];
            if nic.sending_local
                && nic.local.is_empty()
                && nic.transit.is_empty()
                && !self.reports_tails
            {
                channel.end_event = EndEvent::Lazy;
            } else {
                self.clock.schedule(last, phase::SEND, Kind::NicTail, c);
            }
            self.note_first_sent(host, slot, first);
            self.begin_worm(c, slot, flits, first);
        }
    }

    /// Records that the first flit of a message leaves its NIC at `first`, unless STOP comes
    /// before.
    pub(super) fn note_first_sent(&mut self, host: u32, slot: u32, first: Cycle) {
        let nic = &mut self.nics[host as usize];
        nic.sending_first = first;
        let message = &mut self.messages[slot as usize];
        let local = nic.sending_local;
        if local {
            message.injected = first;
        }
        self.report_sent(host, slot, first, local);
    }

    /// The last flit leaves the NIC in this cycle.
    pub(super) fn nic_tail<D: Driver>(&mut self, c: u32, driver: &mut D) {
        let channel = &mut self.channels[c as usize];
        if channel.tail_at != self.clock.now {
            return;
        }
        channel.tail_at = NEVER;
        let slot = channel.holder;
        channel.holder = NONE;
        let flits = channel.worms.back().map_or(0, |w| w.flits);
        let host = self.host_of(c);
        let message = &self.messages[slot as usize];
        let nic = &mut self.nics[host as usize];
        if nic.sending_local {
            if self.reports_tails {
                driver.tail_sent(&message.for_driver(), nic.sending_first, self.clock.now);
                self.recheck_stop = true;
            }
        } else {
            nic.handled += 1;
            driver.sent_on(&message.for_driver(), nic.sending_read_at, nic.sending_first);
            self.release_memory(host, flits);
        }
        let nic = &self.nics[host as usize];
        if !nic.local.is_empty() || !nic.transit.is_empty() {
            self.choose_next_cycle(host);
        }
    }

    /// Has a NIC whose channel becomes free choose in the next cycle.
    pub(super) fn choose_next_cycle(&mut self, host: u32) {
        let nic = &mut self.nics[host as usize];
        nic.try_at = self.clock.now + 1;
        self.clock.schedule(self.clock.now + 1, phase::SEND, Kind::NicChoose, host);
    }

    /// Releases ITB memory; a message that waits for it is looked at in this cycle.
    pub(super) fn release_memory(&mut self, host: u32, flits: u32) {
        let nic = &mut self.nics[host as usize];
        nic.memory -= flits;
        nic.in_transit -= 1;
        let ejection = self.injection(host) + 1;
        let channel = &mut self.channels[ejection as usize];
        if channel.front == Front::Waiting {
            channel.request_at = self.clock.now;
            self.clock.schedule(self.clock.now, phase::READ, Kind::NicHead, ejection);
        }
    }

    /// The first flit of the foremost worm is at the head of the NIC's buffer.
    pub(super) fn nic_head(&mut self, c: u32) {
        let now = self.clock.now;
        let channel = &mut self.channels[c as usize];
        if channel.request_at != now || channel.front == Front::Connected {
            return;
        }
        self.settle_decisions(c);
        let channel = &mut self.channels[c as usize];
        channel.request_at = NEVER;
        let waited = channel.front == Front::Waiting;
        let Some(&worm) = channel.worms.front() else { return };
        let host = self.host_of(c);
        let message = &self.messages[worm.message as usize];
        let reading = if message.step == message.last_step {
            Reading::Delivers
        } else {
            let need = worm.flits - self.clock.params.mark_bytes;
            let nic = &mut self.nics[host as usize];
            if nic.memory + need <= self.clock.params.memory {
                nic.memory += need;
                nic.memory_peak = nic.memory_peak.max(nic.memory);
                nic.in_transit += 1;
                let message = &mut self.messages[worm.message as usize];
                message.read_at = now;
                message.flits = need;
                self.report_itb_in(host, worm.message);
                self.clock.schedule(
                    now + self.clock.params.detection,
                    phase::ARRIVE,
                    Kind::TransitReady,
                    worm.message,
                );
                Reading::Stores
            } else if self.clock.params.discard {
                Reading::Discards
            } else {
                nic.memory_waits += u64::from(!waited);
                let wants = self.injection(host);
                let channel = &mut self.channels[c as usize];
                channel.front = Front::Waiting;
                channel.wants = wants;
                self.predict(c);
                self.suspect_deadlock(c);
                return;
            }
        };
        let channel = &mut self.channels[c as usize];
        channel.reading = reading;
        channel.front = Front::Connected;
        channel.wants = NONE;
        channel.drain(now, worm.flits);
        channel.request_at = now + u64::from(worm.flits) - 1;
        let done = channel.request_at;
        self.clock.schedule(done, phase::READ, Kind::NicDone, c);
        self.predict(c);
    }

    /// The last flit of the foremost worm is read in this cycle.
    pub(super) fn nic_done<D: Driver>(&mut self, c: u32, driver: &mut D) {
        let channel = &mut self.channels[c as usize];
        if channel.request_at != self.clock.now || channel.front != Front::Connected {
            return;
        }
        self.settle_decisions(c);
        let channel = &mut self.channels[c as usize];
        channel.request_at = NEVER;
        channel.freeze(self.clock.now + 1);
        channel.front = Front::Empty;
        let reading = channel.reading;
        let Some(worm) = channel.worms.pop_front() else { return };
        if let Some(next) = channel.worms.front()
            && next.arrival != NEVER
        {
            let from = next.arrival.max(self.clock.now + 1);
            self.schedule_front(c, from);
        }
        self.predict(c);
        match reading {
            Reading::Delivers => self.deliver(worm, driver),
            Reading::Stores => {}
            Reading::Discards => {
                let host = self.host_of(c);
                self.nics[host as usize].overflows += 1;
                self.report(worm.message, What::Discarded { host });
                self.clock.schedule(
                    self.clock.now + 1,
                    phase::GENERATE,
                    Kind::Requeue,
                    worm.message,
                );
            }
        }
    }

    /// A tail arrives at a destination-only NIC.
    pub(super) fn deliver_directly<D: Driver>(&mut self, c: u32, driver: &mut D) {
        let channel = &mut self.channels[c as usize];
        let Some(worm) = channel.worms.pop_front() else { return };
        channel.removed += u64::from(worm.flits);
        self.deliver(worm, driver);
    }

    fn deliver<D: Driver>(&mut self, worm: Worm, driver: &mut D) {
        let slot = worm.message;
        let message = &self.messages[slot as usize];
        self.recheck_stop = true;
        self.totals.delivered += 1;
        self.totals.payload_delivered += u64::from(message.payload);
        self.totals.network_latency += self.clock.now - message.injected;
        let delivered = fabric::Message {
            header_latency: fabric::header_latency(message.injected, worm.arrival),
            ..message.for_driver()
        };
        driver.delivered(&delivered, self.clock.now);
        self.report(slot, What::Delivered { host: self.messages[slot as usize].to });
        self.free.push(slot);
    }
}
