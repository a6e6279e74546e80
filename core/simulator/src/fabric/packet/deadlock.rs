//! Deadlock detection: the packets that can never move again, found exactly.
//!
//! At first every packet that waits for space counts as stuck, and its space as held for good; all
//! others will leave. Then packets that fit into the space left are released, with the packets
//! behind them, whose space becomes free in turn, until no more fit. The packets left over can
//! never move again.
//!
//! A queue that the congestion management has stopped waits for the foremost packet of another
//! queue instead, and is released with it. A cycle may mix both kinds of waits.

use super::congestion::{CongestionManagement, HeadOfQueue, MaySend, PortBuffer};
use super::lanes::{Lane, QueueId, QueueMask};
use super::layout::Layout;
use super::state::{Message, Packet, Stage};
use super::switch::Switch;
use super::{DEADLOCK_SEARCH_INTERVAL, Mask, NEVER, NONE, PacketFabric};
use crate::engine::Cycle;
use crate::engine::numbered::Numbered;
use crate::fabric::Deadlock;
use crate::observe::{Event, What};

/// A queue of packets of which the foremost waits.
struct BlockedQueue {
    queue: Vec<u32>,
    wait: Wait,
    /// Counts as stuck.
    stuck: bool,
}

/// What a packet waits for.
#[derive(Clone, Copy)]
enum Wait {
    /// Space in a buffer, on a lane. Below the number of channels: a channel's receive buffer; from
    /// there on: the output buffer that a channel leaves or, for an injection channel, the host's
    /// ITB memory.
    Space { buffer: usize, lane: Lane },
    /// Another packet, which must leave its queue first.
    Packet(u32),
}

/// What keeps a queue at an input port from sending.
pub enum BlockedBy {
    /// Its foremost packet does not fit the output buffer.
    OutputBuffer,
    /// Another packet must leave first.
    Packet(u32),
}

impl<S: Switch> PacketFabric<S> {
    /// Searches for a deadlock at the end of the cycle in which the search is due, or now if there
    /// are no more events.
    pub(super) fn search_for_deadlock(&mut self, next: Option<Cycle>) {
        if next.is_some() {
            self.now = self.next_deadlock_search;
        }
        self.settle();
        self.deadlock = self.find_deadlock();
        for message in self.deadlock.iter().flat_map(|found| &found.messages) {
            let event = Event { cycle: self.now, message: Some(*message), what: What::Deadlock };
            self.watch.iter_mut().for_each(|watch| watch.record(self.now, event));
        }
        self.next_deadlock_search = match next {
            Some(next) if self.deadlock.is_none() => {
                // Without an event and without a crossing or transmission to end, further searches
                // before the next event would find the same.
                let gap = if self.last_end().is_none() { next - self.now } else { 0 };
                self.now + DEADLOCK_SEARCH_INTERVAL * gap.div_ceil(DEADLOCK_SEARCH_INTERVAL).max(1)
            }
            _ => NEVER,
        };
    }

    /// Packets that can never move again, if any: some that wait for each other in a cycle. Takes
    /// time proportional to the number of lanes and packets.
    pub fn find_deadlock(&self) -> Option<Deadlock> {
        let Self { layout, packets, messages, now, .. } = self;
        Search { layout, packets, messages, now: *now }.run(self.blocked_queues())
    }

    /// The packet that must leave before a queue may send, if there is one.
    pub(super) fn stopped_by(&self, buffer: PortBuffer, queue: QueueId) -> Option<u32> {
        match self.congestion.may_send(buffer, queue) {
            MaySend::Yes | MaySend::Soon => None,
            MaySend::AfterMarker(packet) | MaySend::AfterSpace(packet) => self.foremost_of(packet),
        }
    }

    /// The foremost packet of a queue.
    pub(super) fn foremost_of(&self, packet: HeadOfQueue) -> Option<u32> {
        let HeadOfQueue { buffer, queue, in_transit } = packet;
        match buffer {
            PortBuffer::Input(channel) => S::first_of_queue(self, channel, queue),
            PortBuffer::Output(channel) if in_transit => {
                self.transit_packets(self.layout.sending_host(channel), queue).next()
            }
            PortBuffer::Output(channel) => {
                self.queue(self.queues[self.layout.queue(channel, queue)].packets.head).next()
            }
        }
    }

    /// True if there will be no more events: whatever waits for a change does so for ever.
    pub(super) fn is_over(&self) -> bool {
        self.next_event().is_none()
    }

    /// The queues whose foremost packet waits only for space or for another packet.
    fn blocked_queues(&self) -> Vec<BlockedQueue> {
        let channels = self.output_ports.len();
        let mut waits = Vec::new();
        let mut add = |queue: Vec<u32>, wait| waits.push(BlockedQueue { queue, wait, stuck: true });
        // A packet inside a switch reaches its output buffer; it joins the queue there.
        let mut coming: Vec<(u32, u32)> = (0..)
            .zip(self.packets.iter())
            .filter(|(_, p)| p.stage == Stage::Inside)
            .map(|(packet, p)| {
                let queue = self.congestion.queue(PortBuffer::Output(p.out), packet, p);
                (self.layout.queue(p.out, queue) as u32, packet)
            })
            .collect();
        coming.sort_unstable();
        let coming_to = |queue: u32| {
            let first = coming.partition_point(|&(to, _)| to < queue);
            coming[first..]
                .iter()
                .take_while(move |&&(to, _)| to == queue)
                .map(|&(_, packet)| packet)
        };
        for (queue, by) in S::blocked_queues(self) {
            let p = &self.packets[queue[0]];
            let wait = match by {
                BlockedBy::OutputBuffer => {
                    Wait::Space { buffer: channels + p.out as usize, lane: p.lane }
                }
                BlockedBy::Packet(packet) => Wait::Packet(packet),
            };
            add(queue, wait);
        }
        let is_over = self.is_over();
        for channel in (0..channels).filter(|&c| {
            !self.output_ports[c].busy && self.output_ports[c].nonempty != Mask::<S>::EMPTY
        }) {
            let host = self.layout.sending_host(channel as u32);
            let limits = self.layout.receiver(channel as u32);
            for queue in QueueId::all(self.layout.queues) {
                let buffer = PortBuffer::Output(channel as u32);
                let lane = self.congestion.lane(buffer, queue);
                let space = Wait::Space { buffer: channel, lane };
                let fits = |packet: u32| {
                    let credits = self.packets[packet].credits;
                    self.credits.fits(limits, channel as u32, lane, credits)
                };
                let of_nic =
                    (host != NONE).then(|| &self.nic_queues[self.layout.nic_queue(host, queue)]);
                let transit = of_nic.map_or(NONE, |of_nic| of_nic.transit.head);
                let own = self.ready_packets(channel as u32, queue).next();
                if !matches!(self.congestion.may_send(buffer, queue), MaySend::Yes) {
                    let all = self.ready_packets(channel as u32, queue).chain(self.queue(transit));
                    let all: Vec<u32> = all.collect();
                    if let Some(before) = self.stopped_by(buffer, queue)
                        && !all.is_empty()
                    {
                        add(all, Wait::Packet(before));
                    }
                    continue;
                }
                let own_waits = own.is_some_and(|head| !fits(head));
                // While the host's own packets go first, the packets in transit wait behind them.
                let behind = own_waits && of_nic.is_some_and(|of_nic| !of_nic.transit_first());
                if own_waits {
                    let coming = coming_to(self.layout.queue(channel as u32, queue) as u32);
                    let after = if behind { transit } else { NONE };
                    add(
                        self.ready_packets(channel as u32, queue)
                            .chain(coming)
                            .chain(self.queue(after))
                            .collect(),
                        space,
                    );
                }
                if transit != NONE && !behind && !fits(transit) {
                    // While packets in transit go first, the host's own wait behind them. More of
                    // its own can change whose turn it is, but not at the first of a turn.
                    let goes_first = of_nic.is_some_and(|of_nic| {
                        of_nic.transit_first() && (of_nic.consecutive == 0 || is_over)
                    });
                    let own = (goes_first && !own_waits).then_some(own).flatten();
                    let own = self.queue(own.unwrap_or(NONE));
                    add(self.queue(transit).chain(own).collect(), space);
                }
            }
        }
        for (host, nic) in self.nics.iter().enumerate() {
            // First in, first out: a small packet that would fit does not overtake a large one that
            // does not.
            if let Some(&first) = nic.waiting_for_memory.front() {
                let memory = channels + self.injection(host as u32).index();
                let lane = self.packets[first].lane_in;
                add(
                    nic.waiting_for_memory.iter().copied().collect(),
                    Wait::Space { buffer: memory, lane },
                );
            }
        }
        waits
    }
}

/// What a search needs besides the blocked queues; it is the same whatever the switches.
struct Search<'a> {
    layout: &'a Layout,
    packets: &'a Numbered<Packet>,
    messages: &'a Numbered<Message>,
    now: Cycle,
}

impl Search<'_> {
    fn run(&self, mut waits: Vec<BlockedQueue>) -> Option<Deadlock> {
        if waits.is_empty() {
            return None;
        }
        let lanes = self.layout.lanes;
        let buffers = 2 * self.channels();
        // Indices of the queues that wait for space in a buffer, and of those that wait for a
        // packet of a queue.
        let mut for_space: Vec<Vec<usize>> = vec![Vec::new(); buffers];
        let mut for_packet: Vec<Vec<usize>> = vec![Vec::new(); waits.len()];
        let places = self.places(&waits);
        // Credits held by stuck packets, per buffer and lane.
        let mut held = vec![0_u32; buffers * lanes];
        for (i, wait) in waits.iter().enumerate() {
            match wait.wait {
                Wait::Space { buffer, .. } => for_space[buffer].push(i),
                Wait::Packet(packet) => {
                    if let Some(place) = places[packet as usize] {
                        for_packet[place].push(i);
                    }
                }
            }
            for (buffer, lane, credits) in wait.queue.iter().filter_map(|&p| self.held_space(p)) {
                held[buffer * lanes + lane.index()] += credits;
            }
        }
        let mut pending: Vec<usize> = (0..waits.len()).collect();
        while let Some(i) = pending.pop() {
            let is_free = waits[i].stuck
                && match waits[i].wait {
                    Wait::Space { buffer, lane } => {
                        let packet = waits[i].queue[0];
                        self.would_fit(packet, (buffer, lane), &held[buffer * lanes..][..lanes])
                    }
                    Wait::Packet(packet) => {
                        places[packet as usize].is_none_or(|place| !waits[place].stuck)
                    }
                };
            if !is_free {
                continue;
            }
            waits[i].stuck = false;
            pending.extend_from_slice(&for_packet[i]);
            for (left, lane, credits) in waits[i].queue.iter().filter_map(|&p| self.held_space(p)) {
                held[left * lanes + lane.index()] -= credits;
                pending.extend_from_slice(&for_space[left]);
            }
        }
        waits.retain(|w| w.stuck);
        self.find_cycle(&waits, buffers)
    }

    /// Per packet, the index of the blocked queue that it is in.
    fn places(&self, waits: &[BlockedQueue]) -> Vec<Option<usize>> {
        let mut places = vec![None; self.packets.len()];
        for (i, wait) in waits.iter().enumerate() {
            wait.queue.iter().for_each(|&packet| places[packet as usize] = Some(i));
        }
        places
    }

    /// Follows stuck packets, each to the packet that it waits for, or to one that holds the space
    /// it waits for, preferably on its lane, until one is met again.
    fn find_cycle(&self, waits: &[BlockedQueue], buffers: usize) -> Option<Deadlock> {
        let places = self.places(waits);
        // Per buffer, the stuck packets in it, each with its lane.
        let mut inside: Vec<Vec<(u32, Lane)>> = vec![Vec::new(); buffers];
        for &packet in waits.iter().flat_map(|wait| &wait.queue) {
            if let Some((buffer, lane, _)) = self.held_space(packet) {
                inside[buffer].push((packet, lane));
            }
        }
        let mut path: Vec<u32> = vec![waits.first()?.queue[0]];
        loop {
            let last = *path.last().expect("never empty") as usize;
            let next = match waits[places[last]?].wait {
                Wait::Space { buffer, lane } => {
                    let holders = &inside[buffer];
                    holders.iter().find(|h| h.1 == lane).or(holders.first())?.0
                }
                Wait::Packet(packet) => packet,
            };
            if let Some(begin) = path.iter().position(|&packet| packet == next) {
                let cycle = &path[begin..];
                // A packet in the output buffer of a channel often waits for one in the receive
                // buffer at its other end: both belong to the channel.
                let mut channels: Vec<u32> = cycle.iter().map(|&p| self.channel_of(p)).collect();
                channels.dedup();
                if channels.len() > 1 && channels.first() == channels.last() {
                    channels.pop();
                }
                return Some(Deadlock {
                    cycle: self.now,
                    channels,
                    messages: cycle.iter().map(|&p| self.message_of(p)).collect(),
                });
            }
            path.push(next);
        }
    }

    fn channels(&self) -> usize {
        self.layout.delays.len()
    }

    /// True if a packet would fit if only `held` credits per lane were in use in the buffer it
    /// waits for.
    fn would_fit(&self, packet: u32, (buffer, lane): (usize, Lane), held: &[u32]) -> bool {
        let p = &self.packets[packet];
        if p.stage == Stage::Receiver && self.layout.receiving_host(p.at) != NONE {
            let credits = held.iter().sum::<u32>() + u32::from(p.credits);
            return credits * self.layout.credit_bytes <= self.layout.itb_memory;
        }
        let limits = match buffer.checked_sub(self.channels()) {
            Some(output) => self.layout.space(output as u32),
            None => self.layout.receiver(buffer as u32),
        };
        limits.fit(held, lane.0, p.credits)
    }

    /// The buffer in which a packet holds space that others may wait for, numbered as in
    /// [`Wait::Space`], with its lane and credits. `None` for packets in a send buffer,
    /// for which no packet in the network waits. A packet inside a switch counts for the output
    /// buffer, where it holds space already.
    fn held_space(&self, packet: u32) -> Option<(usize, Lane, u32)> {
        let p = &self.packets[packet];
        let (buffer, lane) = match p.stage {
            Stage::Receiver => (p.at as usize, p.lane_in),
            Stage::Inside => (self.channels() + p.out as usize, p.lane),
            Stage::Output | Stage::Memory => (self.channels() + p.at as usize, p.lane),
            Stage::SendBuffer | Stage::Free => return None,
        };
        Some((buffer, lane, u32::from(p.credits)))
    }

    fn channel_of(&self, packet: u32) -> u32 {
        let p = &self.packets[packet];
        if p.stage == Stage::Inside { p.out } else { p.at }
    }

    fn message_of(&self, packet: u32) -> u32 {
        self.messages[self.packets[packet].message].seen.id
    }
}
