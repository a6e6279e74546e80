//! Reading the state: counters, snapshots, and the state of a port's scheduler. Nothing here
//! changes a run.

use super::congestion::{CongestionManagement, PortBuffer};
use super::lanes::{Lane, QueueId};
use super::queues::Queue;
use super::state::{Message, OutputPort, OutputQueue, Stage};
use super::switch::Switch;
use super::{Mask, NEVER, NONE, PacketFabric};
use crate::observe::{
    ChannelState, CongestionTrees, HostState, LevelState, Place, SaqCounts, Snapshot, Span,
};
use crate::qos::schedulers::{Head, Lanes, SchedulerState};
use crate::scenario::MAX_LEVELS;

/// Adds a span in a receiver's buffer to the occupancy of its channel.
fn occupy(channels: &mut [ChannelState], span: &Span) {
    if span.place == Place::Buffer {
        channels[span.channel as usize].occupancy += span.flits;
    }
}

impl<S: Switch> PacketFabric<S> {
    /// Cycles in which a flit was sent on a channel, up to now.
    pub fn busy_cycles(&self, channel: usize) -> u64 {
        let s = &self.output_ports[channel];
        s.busy_cycles - if s.busy { self.left(s) } else { 0 }
    }

    /// Flits of the current packet that are left at the end of this cycle.
    fn left(&self, port: &OutputPort<Mask<S>>) -> u64 {
        // The first flit may still be delayed by `scheduling_cycles`.
        (port.free_at - (self.now + 1)).min(self.packets[port.current].flits.into())
    }

    /// Blocked cycles of a channel, up to now.
    pub fn blocked_cycles(&self, channel: usize) -> u64 {
        let s = &self.output_ports[channel];
        s.blocked_cycles + if s.blocked_since == NEVER { 0 } else { self.now + 1 - s.blocked_since }
    }

    /// In-transit packets that did not fit into ITB memory when they came.
    pub fn itb_overflows(&self) -> u64 {
        self.nics.iter().map(|nic| nic.memory_waits).sum()
    }

    /// Most ITB memory ever in use at a host, bytes.
    pub fn itb_memory_peak(&self, host: usize) -> u32 {
        self.nics[host].memory_peak
    }

    /// What set-aside queues did, per channel at the port that it leaves and at the one that it
    /// leads to; empty without any.
    pub fn saqs(&self) -> Vec<[SaqCounts; 2]> {
        self.congestion.saqs(self.now)
    }

    /// The lives of congestion trees.
    pub fn congestion_trees(&self) -> CongestionTrees {
        self.congestion.congestion_trees()
    }

    /// Messages not yet delivered, in no particular order.
    pub(super) fn under_way(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter().filter(|m| m.packets > 0)
    }

    /// Messages of each host of which nothing has been injected.
    pub fn waiting(&self) -> Vec<u64> {
        let mut waiting = vec![0; self.nics.len()];
        for message in self.under_way().filter(|message| message.seen.injected == NEVER) {
            waiting[message.seen.from as usize] += 1;
        }
        waiting
    }

    /// Packets that are ready to be sent on a lane of a channel.
    pub(super) fn ready_on_lane(&self, channel: u32, lane: Lane) -> u32 {
        let transit = |queue: QueueId| match self.layout.sending_host(channel) {
            NONE => 0,
            host => self.transit_packets(host, queue).count(),
        };
        let ready = |queue: QueueId| self.ready_packets(channel, queue).count() + transit(queue);
        self.queues_of(channel, lane).map(ready).sum::<usize>() as u32
    }

    /// The state of the scheduler of a channel, which sees what could be sent now. Of several
    /// queues that take turns in a lane, the first counts.
    pub(super) fn state_of_scheduler(&self, channel: u32) -> SchedulerState {
        let (mut ready, mut heads) = (0, [Head::default(); MAX_LEVELS]);
        for queue in QueueId::all(self.layout.queues) {
            let Some(packet) = self.next_of_queue(channel, queue) else { continue };
            let p = &self.packets[packet];
            let lane = self.congestion.lane_of_scheduler(queue, p);
            if ready >> lane & 1 == 0 && self.may_be_sent(channel, queue, p.credits) {
                ready |= 1 << lane;
                heads[usize::from(lane)] = p.head();
            }
        }
        self.schedulers[channel].state(Lanes { ready, lanes: &heads, now: self.now })
    }

    /// The packet that a queue of a channel sends next, if it is ready.
    fn next_of_queue(&self, channel: u32, queue: QueueId) -> Option<u32> {
        let host = self.layout.sending_host(channel);
        let in_transit = || self.nic_queues[self.layout.nic_queue(host, queue)].transit_first();
        if host != NONE && in_transit() {
            return self.transit_packets(host, queue).next();
        }
        self.ready_packets(channel, queue).next()
    }

    /// Whether a packet at the head of a queue has its credits, and the queue is not stopped.
    fn may_be_sent(&self, channel: u32, queue: QueueId, credits: u16) -> bool {
        let buffer = PortBuffer::Output(channel);
        let lane = self.congestion.lane(buffer, queue);
        !self.congestion.is_stopped(buffer, queue)
            && self.credits.fits(self.layout.receiver(channel), channel, lane, credits)
    }

    /// Fills the counters of a snapshot: totals, levels and hosts.
    pub fn sums(&self, into: &mut Snapshot) {
        into.cycle = self.now;
        into.generated = self.totals.generated;
        into.delivered = self.totals.delivered;
        into.dropped = 0;
        into.payload_delivered = self.totals.flits_received.iter().sum();
        into.network_latency_sum = self.totals.network_latency.iter().sum();
        into.levels.clear();
        into.levels.extend((0..self.layout.qos.levels()).map(|level| LevelState {
            delivered: self.totals.delivered_by_level[level],
            flits_delivered: self.totals.flits_received[level],
            network_latency_sum: self.totals.network_latency[level],
        }));
        into.hosts.clear();
        into.hosts.extend(self.nics.iter().map(|n| HostState {
            local_waiting: n.waiting,
            in_transit: n.in_transit,
            itb_memory: n.memory,
            itbs_handled: n.handled,
            ..HostState::default()
        }));
    }

    /// Fills a snapshot except for its spans and waits.
    pub fn usage(&self, into: &mut Snapshot) {
        self.empty(into);
        for packet in 0..self.packets.len() as u32 {
            self.draw(packet, false, |span| occupy(&mut into.channels, &span));
        }
    }

    /// Fills a snapshot of empty channels.
    fn empty(&self, into: &mut Snapshot) {
        self.sums(into);
        into.waits.clear();
        into.spans.clear();
        into.saqs.clear();
        self.congestion.saqs_in_use(&mut into.saqs);
        into.channels.clear();
        into.channels.extend((0..self.output_ports.len()).map(|c| {
            let s = &self.output_ports[c];
            let blocked = s.blocked_since != NEVER;
            ChannelState {
                busy_cycles: self.busy_cycles(c),
                blocked_cycles: self.blocked_cycles(c),
                occupancy: 0,
                stopped: false,
                stop_sent: false,
                held: s.busy,
                blocked,
            }
        }));
    }

    /// Fills a snapshot of this moment.
    pub fn snapshot(&self, into: &mut Snapshot) {
        self.empty(into);
        let waits = self.who_is_held_up();
        let (mut spans, mut order) = (Vec::new(), Vec::new());
        for (packet, p) in self.packets.iter().enumerate() {
            self.draw(packet as u32, waits[packet], |span| {
                occupy(&mut into.channels, &span);
                // In each buffer by lane, and in a lane by arrival.
                order.push((span.channel, span.place, p.lane_in, p.tail, spans.len()));
                spans.push(span);
            });
        }
        self.draw_followers(&waits, |span| {
            // On links the order does not matter.
            order.push((span.channel, span.place, Lane(span.lane), span.front.into(), spans.len()));
            spans.push(span);
        });
        order.sort_unstable();
        into.spans.extend(order.into_iter().map(|(.., span)| spans[span]));
        let mut before = (NONE, 0, 0);
        for span in into.spans.iter_mut().filter(|s| s.place == Place::Buffer) {
            let here = (span.channel, span.lane);
            span.front = if (before.0, before.1) == here { before.2 } else { 0 };
            before = (span.channel, span.lane, span.front + span.flits);
        }
    }

    /// Passes to `pen` the flits on links of packets whose first flits have already left the
    /// receiver's buffer: a packet can be longer than the way to where its head is. If another
    /// packet follows without a gap, the flits of the first that are still on the link are not
    /// drawn.
    fn draw_followers(&self, waits: &[bool], mut pen: impl FnMut(Span)) {
        for (channel, port) in (0..).zip(self.output_ports.iter()) {
            // Cycles travelled by the flit sent last. Until it has arrived, or another packet is
            // sent, `current` is valid.
            let back = (self.now + 1).saturating_sub(port.free_at);
            let delay = u64::from(self.layout.delays[channel]);
            if port.current == NONE || back >= delay {
                continue;
            }
            let p = &self.packets[port.current];
            let is_drawn = p.stage == Stage::Receiver && p.at == channel;
            let first = port.free_at - u64::from(p.flits);
            if is_drawn || !self.is_contiguous(p.level) || first > self.now {
                continue;
            }
            let front = (self.now - first).min(delay - 1);
            pen(Span {
                message: self.messages[p.message].seen.id,
                channel,
                place: Place::Link,
                lane: port.lane.0,
                level: p.level,
                head: false,
                blocked: waits[port.current as usize],
                front: front as u32,
                flits: (front - back + 1) as u32,
            });
        }
    }

    /// Per packet: true if it waits for a crossbar output or is ready to be sent.
    fn who_is_held_up(&self) -> Vec<bool> {
        let mut waits = vec![false; self.packets.len()];
        S::visit_queues(self, &mut |queue| queue.for_each(|p| waits[p as usize] = true));
        self.visit_ready(&mut |queue| queue.for_each(|p| waits[p as usize] = true));
        waits
    }

    /// The packets of a queue, foremost first.
    pub(super) fn queue(&self, head: u32) -> impl Iterator<Item = u32> {
        let there = |packet: u32| Some(packet).filter(|&p| p != NONE);
        std::iter::successors(there(head), move |&p| there(self.packets[p].next))
    }

    /// The messages in an application queue.
    pub(super) fn application(&self, queue: usize) -> impl Iterator<Item = u32> {
        self.messages_in(self.application_queues[queue])
    }

    /// The messages in a queue, foremost first.
    pub(super) fn messages_in(&self, queue: Queue) -> impl Iterator<Item = u32> {
        let there = |message: u32| Some(message).filter(|&m| m != NONE);
        std::iter::successors(there(queue.head), move |&m| there(self.next_message[m]))
    }

    /// The packets ready to be sent in a queue of a channel; at a NIC, the host's own.
    pub(super) fn ready_packets(&self, channel: u32, queue: QueueId) -> impl Iterator<Item = u32> {
        self.ready_in(&self.queues[self.layout.queue(channel, queue)])
    }

    /// The packets in transit that wait in a queue of a NIC.
    pub(super) fn transit_packets(&self, host: u32, queue: QueueId) -> impl Iterator<Item = u32> {
        self.queue(self.nic_queues[self.layout.nic_queue(host, queue)].transit.head)
    }

    /// The queues of an output port that belong to a lane.
    pub(super) fn queues_of(&self, channel: u32, lane: Lane) -> impl Iterator<Item = QueueId> {
        let belongs = move |queue: &QueueId| {
            self.congestion.lane(PortBuffer::Output(channel), *queue) == lane
        };
        QueueId::all(self.layout.queues).filter(belongs)
    }

    /// Passes the packets ready to be sent in each queue to `visit`, the foremost first.
    pub(super) fn visit_ready(&self, visit: &mut dyn FnMut(&mut dyn Iterator<Item = u32>)) {
        self.queues.iter().for_each(|queue| visit(&mut self.ready_in(queue)));
    }

    fn ready_in(&self, queue: &OutputQueue) -> impl Iterator<Item = u32> {
        self.queue(queue.packets.head).take_while(|&p| self.is_ready(p))
    }

    /// False for a packet in an output buffer that is not ready to be sent yet.
    fn is_ready(&self, packet: u32) -> bool {
        let p = &self.packets[packet];
        p.stage != Stage::Output || p.tail <= self.now
    }

    /// Passes the spans of one packet to `pen`.
    fn draw(&self, packet: u32, blocked: bool, mut pen: impl FnMut(Span)) {
        let p = &self.packets[packet];
        let mut span = |channel: u32, place, front: u64, flits: u64, head: bool| {
            if flits > 0 {
                pen(Span {
                    message: self.messages[p.message].seen.id,
                    channel,
                    place,
                    lane: if matches!(p.stage, Stage::Receiver) { p.lane_in.0 } else { p.lane.0 },
                    level: p.level,
                    head,
                    blocked,
                    front: front as u32,
                    flits: flits as u32,
                });
            }
        };
        let flits = u64::from(p.flits);
        match p.stage {
            Stage::Free | Stage::SendBuffer => {}
            Stage::Memory => span(
                self.layout.network.reverse(crate::network::ChannelId(p.at)).0,
                Place::Memory,
                0,
                flits,
                true,
            ),
            Stage::Inside => span(p.out, Place::Central, 0, flits, true),
            Stage::Output => span(p.at, Place::Output, 0, flits, true),
            Stage::Receiver => {
                let delay = u64::from(self.layout.delays[p.at]);
                let port = &self.output_ports[p.at];
                let sending = port.busy && port.current == packet;
                let left = if sending { self.left(port) } else { 0 };
                let buffering = if self.layout.receiving_host(p.at) == NONE {
                    self.layout.switch_times.buffering
                } else {
                    0
                };
                // Arrival of the first flit as if there had been no gap.
                let first = match self.is_contiguous(p.level) {
                    true => p.tail + 1 - flits - buffering,
                    false => p.tail.min(self.now + 1),
                };
                let sent = flits - left;
                let arrived = (self.now + 1).saturating_sub(first).min(sent);
                let travelled = (self.now + delay).saturating_sub(first + arrived);
                span(p.at, Place::Buffer, 0, arrived, true);
                span(p.at, Place::Link, travelled, sent - arrived, arrived == 0);
            }
        }
    }
}
