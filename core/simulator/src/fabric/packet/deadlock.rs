//! Deadlock detection: the packets that can never move again, found exactly.
//!
//! At first every packet that waits for space counts as stuck, and its space as held for good; all
//! others will leave. Then packets that fit into the space left are released, with the packets
//! behind them, whose space becomes free in turn, until no more fit. The packets left over can
//! never move again.

use super::congestion::{CongestionManagement, PortBuffer};
use super::lanes::{Lane, QueueId, QueueMask};
use super::layout::Layout;
use super::state::{Message, Packet, Stage};
use super::switch::Switch;
use super::{DEADLOCK_SEARCH_INTERVAL, Mask, NEVER, NONE, PacketFabric};
use crate::engine::Cycle;
use crate::engine::numbered::Numbered;
use crate::fabric::Deadlock;
use crate::observe::{Event, What};

/// A queue of packets whose foremost waits for space.
struct BlockedQueue {
    queue: Vec<u32>,
    /// The buffer it waits for. Below the number of channels: a channel's receive buffer; from
    /// there on: the output buffer that a channel leaves or, for an injection channel, the host's
    /// ITB memory.
    buffer: usize,
    /// The lane it needs there.
    lane: Lane,
    /// Counts as stuck.
    stuck: bool,
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

    /// The queues whose foremost packet waits only for space.
    fn blocked_queues(&self) -> Vec<BlockedQueue> {
        let channels = self.output_ports.len();
        let mut waits = Vec::new();
        let mut add = |queue: Vec<u32>, buffer, lane| {
            waits.push(BlockedQueue { queue, buffer, lane, stuck: true })
        };
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
        for queue in S::blocked_queues(self) {
            let p = &self.packets[queue[0]];
            add(queue, channels + p.out as usize, p.lane);
        }
        for channel in (0..channels).filter(|&c| {
            !self.output_ports[c].busy && self.output_ports[c].nonempty != Mask::<S>::EMPTY
        }) {
            let host = self.layout.sending_host(channel as u32);
            let limits = self.layout.receiver(channel as u32);
            for queue in QueueId::all(self.layout.queues) {
                let lane = self.congestion.lane(PortBuffer::Output(channel as u32), queue);
                let fits = |packet: u32| {
                    let credits = self.packets[packet].credits;
                    self.credits.fits(limits, channel as u32, lane, credits)
                };
                let of_nic =
                    (host != NONE).then(|| &self.nic_queues[self.layout.nic_queue(host, queue)]);
                let transit = of_nic.map_or(NONE, |of_nic| of_nic.transit.head);
                let own = self.ready_packets(channel as u32, queue).next();
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
                        channel,
                        lane,
                    );
                }
                if transit != NONE && !behind && !fits(transit) {
                    add(self.queue(transit).collect(), channel, lane);
                }
            }
        }
        for (host, nic) in self.nics.iter().enumerate() {
            // First in, first out: a small packet that would fit does not overtake a large one that
            // does not.
            if let Some(&first) = nic.waiting_for_memory.front() {
                let memory = channels + self.injection(host as u32).index();
                add(
                    nic.waiting_for_memory.iter().copied().collect(),
                    memory,
                    self.packets[first].lane_in,
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
        let mut waiting_for: Vec<Vec<usize>> = vec![Vec::new(); buffers];
        // Credits held by stuck packets, per buffer and lane.
        let mut held = vec![0_u32; buffers * lanes];
        for (i, wait) in waits.iter().enumerate() {
            waiting_for[wait.buffer].push(i);
            for (buffer, lane, credits) in wait.queue.iter().filter_map(|&p| self.held_space(p)) {
                held[buffer * lanes + lane.index()] += credits;
            }
        }
        let mut pending: Vec<usize> = waits.iter().map(|w| w.buffer).collect();
        while let Some(buffer) = pending.pop() {
            for &i in &waiting_for[buffer] {
                let wait = &waits[i];
                if wait.stuck && self.would_fit(wait, &held[buffer * lanes..][..lanes]) {
                    for (left, lane, credits) in
                        wait.queue.iter().filter_map(|&p| self.held_space(p))
                    {
                        held[left * lanes + lane.index()] -= credits;
                        pending.push(left);
                    }
                    waits[i].stuck = false;
                }
            }
        }
        waits.retain(|w| w.stuck);
        self.find_cycle(&waits, buffers)
    }

    /// Follows stuck packets, each to a packet that holds the space it waits for, preferably on its
    /// lane, until one is met again.
    fn find_cycle(&self, waits: &[BlockedQueue], buffers: usize) -> Option<Deadlock> {
        // Per buffer, the stuck packets in it: packet, lane, and index of its queue.
        let mut inside: Vec<Vec<(u32, Lane, usize)>> = vec![Vec::new(); buffers];
        for (i, wait) in waits.iter().enumerate() {
            for &packet in &wait.queue {
                if let Some((buffer, lane, _)) = self.held_space(packet) {
                    inside[buffer].push((packet, lane, i));
                }
            }
        }
        let mut path: Vec<(u32, usize)> = vec![(waits.first()?.queue[0], 0)];
        loop {
            let wait = &waits[path.last().expect("never empty").1];
            let holders = &inside[wait.buffer];
            let next = holders.iter().find(|h| h.1 == wait.lane).or(holders.first())?;
            if let Some(begin) = path.iter().position(|&(p, _)| p == next.0) {
                let cycle = &path[begin..];
                return Some(Deadlock {
                    cycle: self.now,
                    channels: cycle.iter().map(|&(p, _)| self.channel_of(p)).collect(),
                    messages: cycle.iter().map(|&(p, _)| self.message_of(p)).collect(),
                });
            }
            path.push((next.0, next.2));
        }
    }

    fn channels(&self) -> usize {
        self.layout.delays.len()
    }

    /// True if the foremost packet of a queue would fit if only `held` credits per lane were in use
    /// in the buffer it waits for.
    fn would_fit(&self, wait: &BlockedQueue, held: &[u32]) -> bool {
        let p = &self.packets[wait.queue[0]];
        if p.stage == Stage::Receiver && self.layout.receiving_host(p.at) != NONE {
            let credits = held.iter().sum::<u32>() + u32::from(p.credits);
            return credits * self.layout.credit_bytes <= self.layout.itb_memory;
        }
        let limits = match wait.buffer.checked_sub(self.channels()) {
            Some(output) => self.layout.space(output as u32),
            None => self.layout.receiver(wait.buffer as u32),
        };
        limits.fit(held, wait.lane.0, p.credits)
    }

    /// The buffer in which a packet holds space that others may wait for, numbered as in
    /// [`BlockedQueue::buffer`], with its lane and credits. `None` for packets in a send buffer,
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
