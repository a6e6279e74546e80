//! Phase 5: senders ask their schedulers, packets go on links.

use super::state::{AHEAD, Stage};
use super::{CutThrough, Driver, Kind, NEVER, NONE};
use crate::engine::Cycle;
use crate::network::ChannelId;
use crate::observe::What;
use crate::qos::schedulers::{Head, Lanes};
use crate::routing::Hop;

impl CutThrough {
    /// A packet becomes ready at a sender, in its output buffer or its NIC's send buffer.
    #[inline]
    pub(super) fn become_ready(&mut self, channel: u32, packet: u32) {
        let p = &self.packets[packet as usize];
        let (lane, head) = (p.lane, Head { level: p.level, credits: p.credits });
        let queue = channel as usize * self.plan.lanes + lane as usize;
        let host = self.plan.channels[channel as usize].from_host;
        if host != NONE {
            // How many of its own wait decides whether one in transit goes first.
            self.own[host as usize * self.plan.lanes + lane as usize] += 1;
            self.mark_sender(channel);
        }
        if self.ready[queue].push(&mut self.packets, packet) {
            self.heads[queue] = head;
            self.senders[channel as usize].nonempty |= 1 << lane;
            self.mark_sender(channel);
        }
    }

    /// Something has happened that may let a sender send.
    #[inline]
    pub(super) fn mark_sender(&mut self, channel: u32) {
        let s = &mut self.senders[channel as usize];
        let may_act = !s.busy || self.plan.express != 0;
        if !s.marked && may_act && s.nonempty != 0 {
            s.marked = true;
            self.marked_senders.push(channel);
        }
    }

    pub(super) fn send_all(&mut self) {
        for i in 0..self.marked_senders.len() {
            let channel = self.marked_senders[i];
            self.senders[channel as usize].marked = false;
            if self.plan.express != 0 {
                self.send_or_interrupt(channel);
            } else if !self.senders[channel as usize].busy {
                let ready = self.sendable(channel);
                self.schedule_among(channel, ready);
            }
            self.account(channel);
        }
        self.marked_senders.clear();
    }

    /// Keeps the blocked cycles of a channel.
    #[inline]
    fn account(&mut self, channel: u32) {
        let now = self.now;
        let s = &mut self.senders[channel as usize];
        if s.busy || s.nonempty == 0 {
            if s.blocked_since != NEVER {
                s.blocked_cycles += now - s.blocked_since;
                s.blocked_since = NEVER;
            }
        } else if s.blocked_since == NEVER {
            s.blocked_since = now;
        }
    }

    /// The lanes whose foremost packet is ready and fits the receiver's buffer.
    #[inline]
    pub(super) fn sendable(&mut self, channel: u32) -> u32 {
        let base = channel as usize * self.plan.lanes;
        let nonempty = self.senders[channel as usize].nonempty;
        if self.plan.channels[channel as usize].from_host != NONE {
            self.refresh_heads(channel);
        }
        self.collect_credits(channel);
        let limits = self.plan.receiver(channel);
        let (mut rest, mut ready) = (nonempty, 0);
        while rest != 0 {
            let lane = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            if self.credits.fits(limits, channel, lane, self.heads[base + lane as usize].credits) {
                ready |= 1 << lane;
            }
        }
        if ready != nonempty {
            self.starve(channel);
        } else {
            self.senders[channel as usize].starved = false;
        }
        ready
    }

    /// Credits that have arrived by now.
    #[inline]
    fn collect_credits(&mut self, channel: u32) {
        let limits = self.plan.receiver(channel);
        let returning = &mut self.returning[channel as usize];
        while let Some(back) = returning.front().filter(|r| r.cycle() <= self.now) {
            let (lane, credits) = (back.lane(), back.credits());
            returning.pop_front();
            self.credits.give(limits, channel, lane, credits);
        }
    }

    /// A lane lacks credits: from now on until all lanes have enough the sender is told when some arrive.
    fn starve(&mut self, channel: u32) {
        if !std::mem::replace(&mut self.senders[channel as usize].starved, true) {
            for i in 0..self.returning[channel as usize].len() {
                let cycle = self.returning[channel as usize][i].cycle();
                self.at(cycle, Kind::Credits, channel, 0);
            }
        }
    }

    /// Sends a packet of one of these lanes, if there are any, as the scheduler decides.
    #[inline]
    pub(super) fn schedule_among(&mut self, channel: u32, ready: u32) {
        let base = channel as usize * self.plan.lanes;
        let lanes = Lanes { ready, heads: &self.heads[base..base + self.plan.lanes] };
        if let Some(lane) = self.schedulers[channel as usize].next(lanes) {
            self.send(channel, lane);
        }
    }

    fn send(&mut self, channel: u32, lane: u8) {
        let queue = channel as usize * self.plan.lanes + lane as usize;
        let host = self.plan.channels[channel as usize].from_host;
        let (packet, transit) = if host == NONE {
            let packet = self.ready[queue].pop(&self.packets);
            self.renew_head(channel, queue, lane);
            (packet, false)
        } else {
            self.take_from_nic(channel, host, lane)
        };
        let p = self.packets[packet as usize];
        if host != NONE {
            self.leaves_nic(host, packet, transit);
        }
        self.credits.take(self.plan.receiver(channel), channel, lane, p.credits);
        let s = &mut self.senders[channel as usize];
        (s.busy, s.current, s.lane, s.credits, s.transit) = (true, packet, lane, p.credits, transit);
        s.free_at = self.now + u64::from(p.flits);
        s.busy_cycles += u64::from(p.flits);
        let free_at = s.free_at;
        self.enter_channel(channel, packet);
        let version = self.interruptible.get(channel as usize).map_or(0, |i| i.version);
        self.at(free_at, Kind::Sent, channel, version);
        if self.plan.express >> p.level & 1 == 1 || self.plan.express == 0 {
            self.announce(channel, packet, self.now, free_at - 1);
        }
    }

    /// A packet's first flit leaves a NIC.
    fn leaves_nic(&mut self, host: u32, packet: u32, transit: bool) {
        let injected = &mut self.messages[self.packets[packet as usize].message as usize].seen.injected;
        if *injected == NEVER {
            *injected = self.now;
            self.tell(packet, What::Injected { host });
        } else if transit {
            self.tell(packet, What::ItbOut { host });
        }
    }

    /// After a packet was taken from a lane's queue.
    #[inline]
    fn renew_head(&mut self, channel: u32, queue: usize, lane: u8) {
        let head = self.ready[queue].head;
        if head == NONE {
            self.senders[channel as usize].nonempty &= !(1 << lane);
        } else {
            let p = &self.packets[head as usize];
            self.heads[queue] = Head { level: p.level, credits: p.credits };
        }
    }

    /// The packet is on the channel now, and aims at its next way out.
    fn enter_channel(&mut self, channel: u32, packet: u32) {
        let p = &mut self.packets[packet as usize];
        p.stage = Stage::Receiver;
        p.at = channel;
        p.lane_in = p.lane;
        p.tail = self.now + self.plan.channels[channel as usize].delay;
        if self.plan.channels[channel as usize].to_host == NONE {
            self.aim(packet);
        }
    }

    /// The next channel of a packet in a switch, and its lane there.
    #[inline]
    fn aim(&mut self, packet: u32) {
        let plan = &*self.plan;
        let p = &mut self.packets[packet as usize];
        let mut position = if plan.layers.is_some() { 0 } else { p.position };
        let out = if p.step == p.last_step {
            plan.network.ejection(crate::network::HostId(p.to))
        } else {
            match p.ahead[p.step as usize % AHEAD].hop() {
                Hop::InTransit(host) => plan.network.ejection(host),
                Hop::Channel(channel) => {
                    if let Some(layers) = &plan.layers {
                        position = layers[p.set as usize][p.step as usize];
                    }
                    p.take_step(&plan.table);
                    channel
                }
            }
        };
        p.out = out.0;
        p.lane = plan.qos.lane(out, plan.qos.channels(p.level)[position as usize]);
    }

    /// Tells the receiver of a packet that is sent without gaps, its first flit at `first`, its last at `last`; or, of
    /// one that had gaps, when `last` is known.
    pub(super) fn announce(&mut self, channel: u32, packet: u32, first: Cycle, last: Cycle) {
        let c = self.plan.channels[channel as usize];
        let times = self.plan.times;
        let p = &mut self.packets[packet as usize];
        if c.to_host == NONE {
            let mut candidate = first + c.delay + times.input;
            p.tail = last + c.delay + times.buffering;
            if self.plan.express != 0 && self.plan.express >> p.level & 1 == 0 {
                candidate = candidate.max(p.tail);
            }
            self.at(candidate, Kind::Candidate, channel, packet);
            return;
        }
        p.tail = last + c.delay;
        if p.step == p.last_step {
            let tail = p.tail;
            self.at(tail, Kind::Receive, 0, packet);
        } else {
            let arrival = if self.plan.express == 0 { first + c.delay } else { p.tail };
            self.at(arrival, Kind::Transit, 0, packet);
        }
    }

    /// A sender has sent the last flit.
    pub(super) fn sent<D: Driver>(&mut self, channel: u32, version: u32, driver: &mut D) {
        if self.plan.express != 0 && !self.end_interruptible(channel, version) {
            return;
        }
        let s = &mut self.senders[channel as usize];
        s.busy = false;
        let (packet, lane, credits, transit) = (s.current, s.lane, s.credits, s.transit);
        s.current = NONE;
        let host = self.plan.channels[channel as usize].from_host;
        if transit {
            self.free_memory(host, credits);
        } else {
            self.space.give(self.plan.space(channel), channel, lane, credits);
            if host == NONE {
                self.wake(channel);
            } else {
                self.mark_nic(host);
                if self.tells_tails && self.packets[packet as usize].last {
                    let message = self.messages[self.packets[packet as usize].message as usize].seen;
                    driver.tail_sent(&message, message.injected, self.now - 1);
                }
            }
        }
        self.mark_sender(channel);
        if self.plan.express != 0 {
            self.mark_suspended(channel);
        }
    }

    /// The channel a host sends on.
    pub(super) fn injection(&self, host: u32) -> ChannelId {
        self.plan.network.injection(crate::network::HostId(host))
    }
}
