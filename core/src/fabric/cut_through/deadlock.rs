//! Packets that can never move again: found exactly, by following who waits for whose room.
//!
//! Every packet that waits for room is taken for stuck, and its room for taken for good; all others will go. Then those are let go that fit into
//! what is left, with the packets behind them, whose room is left in turn, until no more fit. Who remains can never move again.

use super::state::Stage;
use super::{CutThrough, LOOK_EVERY, NEVER, NONE};
use crate::engine::Cycle;
use crate::fabric::Deadlock;
use crate::observe::{Event, What};

/// Packets one behind the other, the foremost of which waits for room.
struct Wait {
    queue: Vec<u32>,
    /// What it waits for: a channel's receive buffer, or (from the number of channels on) a target's or, for a NIC's channel, its
    /// ITB memory.
    buffer: usize,
    /// The lane it needs there.
    lane: u8,
    /// Taken for stuck.
    stuck: bool,
}

impl CutThrough {
    /// Looks for a deadlock at the end of the cycle it is due in, or now if nothing will ever happen again.
    pub(super) fn look_for_deadlock(&mut self, next: Option<Cycle>) {
        if next.is_some() {
            self.now = self.look_at;
        }
        self.settle();
        self.deadlock = self.find_deadlock();
        for message in self.deadlock.iter().flat_map(|found| &found.messages) {
            let event = Event { cycle: self.now, message: *message as u32, what: What::Deadlock };
            self.watch.iter_mut().for_each(|watch| watch.tell(self.now, event));
        }
        let silent = next.is_none() || self.deadlock.is_some();
        self.look_at = if silent { NEVER } else { self.look_at + LOOK_EVERY };
    }

    /// Packets that can never move again, some that wait for each other in a cycle. Costs about as much as a look at every lane and
    /// every packet.
    pub fn find_deadlock(&self) -> Option<Deadlock> {
        let mut waits = self.waits_for_room();
        if waits.is_empty() {
            return None;
        }
        let lanes = self.plan.lanes;
        let buffers = self.senders.len() + self.targets.len();
        let mut waiting_for: Vec<Vec<usize>> = vec![Vec::new(); buffers];
        // Credits that packets taken for stuck hold, per buffer and lane.
        let mut held = vec![0_u32; buffers * lanes];
        for (i, wait) in waits.iter().enumerate() {
            waiting_for[wait.buffer].push(i);
            for (buffer, lane, credits) in wait.queue.iter().filter_map(|&p| self.place(p)) {
                held[buffer * lanes + lane as usize] += credits;
            }
        }
        let mut pending: Vec<usize> = waits.iter().map(|w| w.buffer).collect();
        while let Some(buffer) = pending.pop() {
            for &i in &waiting_for[buffer] {
                let wait = &waits[i];
                if wait.stuck && self.would_fit(wait, &held[buffer * lanes..][..lanes]) {
                    for (left, lane, credits) in wait.queue.iter().filter_map(|&p| self.place(p)) {
                        held[left * lanes + lane as usize] -= credits;
                        pending.push(left);
                    }
                    waits[i].stuck = false;
                }
            }
        }
        waits.retain(|w| w.stuck);
        self.name_cycle(&waits, buffers)
    }

    /// Follows stuck packets, each to one that holds the room it waits for, best in its lane, until one comes again.
    fn name_cycle(&self, waits: &[Wait], buffers: usize) -> Option<Deadlock> {
        // Per buffer, the stuck packets in it: packet, lane, and the wait it is part of.
        let mut inside: Vec<Vec<(u32, u8, usize)>> = vec![Vec::new(); buffers];
        for (i, wait) in waits.iter().enumerate() {
            for &packet in &wait.queue {
                if let Some((buffer, lane, _)) = self.place(packet) {
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

    /// The queues whose foremost packet nothing but room keeps from moving.
    fn waits_for_room(&self) -> Vec<Wait> {
        let channels = self.senders.len();
        let lanes = self.plan.lanes;
        let mut waits = Vec::new();
        let mut add =
            |queue: Vec<u32>, buffer, lane| waits.push(Wait { queue, buffer, lane, stuck: true });
        // What is in a central buffer goes on; but behind whom?
        let mut coming: Vec<(usize, u32)> = (0..)
            .zip(self.packets.iter())
            .filter(|(_, p)| p.stage == Stage::Central)
            .map(|(packet, p)| (p.out as usize * lanes + p.lane as usize, packet))
            .collect();
        coming.sort_unstable();
        let coming_to = |queue: usize| {
            let first = coming.partition_point(|&(to, _)| to < queue);
            coming[first..]
                .iter()
                .take_while(move |&&(to, _)| to == queue)
                .map(|&(_, packet)| packet)
        };
        let inputs = self.sources.iter().take(channels);
        for s in inputs.filter(|s| s.free_at <= self.now && s.nonempty != 0) {
            for ring in &s.candidates[..lanes] {
                let queue: Vec<u32> = ring.iter(&self.packets).collect();
                let Some(&first) = queue.first() else { continue };
                let p = &self.packets[first];
                if self.targets[p.target].free_at <= self.now
                    && !self.fits_in(p.out, p.lane, p.credits)
                {
                    add(queue, channels + p.out as usize, p.lane);
                }
            }
        }
        for channel in
            (0..channels).filter(|&c| !self.senders[c].busy && self.senders[c].nonempty != 0)
        {
            let host = self.plan.sending_host(channel as u32);
            let limits = self.plan.receiver(channel as u32);
            for lane in 0..lanes {
                let fits = |packet: u32| {
                    let credits = self.packets[packet].credits;
                    self.credits.fits(limits, channel as u32, lane as u8, credits)
                };
                let mix = (host != NONE).then(|| &self.mixes[host as usize * lanes + lane]);
                let transit = mix.map_or(NONE, |mix| mix.transit.head);
                let own = self.ready_packets(channel, lane).next();
                let own_waits = own.is_some_and(|head| !fits(head));
                // Once one of the host's own goes first, it does until it is sent: those in transit are behind it.
                let behind = own_waits && mix.is_some_and(|mix| !mix.transit_first());
                if own_waits {
                    let coming = coming_to(channel * lanes + lane);
                    let after = if behind { transit } else { NONE };
                    add(
                        self.ready_packets(channel, lane)
                            .chain(coming)
                            .chain(self.queue(after))
                            .collect(),
                        channel,
                        lane as u8,
                    );
                }
                if transit != NONE && !behind && !fits(transit) {
                    add(self.queue(transit).collect(), channel, lane as u8);
                }
            }
        }
        for (host, nic) in self.nics.iter().enumerate() {
            // First in, first out: a small packet that would fit does not pass a large one that does not.
            if let Some(&first) = nic.queued.front() {
                let memory = channels + self.injection(host as u32).index();
                add(nic.queued.iter().copied().collect(), memory, self.packets[first].lane_in);
            }
        }
        waits
    }

    /// Whether the foremost packet would go on if only `held` credits of each lane were in use in the buffer it waits for.
    fn would_fit(&self, wait: &Wait, held: &[u32]) -> bool {
        let p = &self.packets[wait.queue[0]];
        if p.stage == Stage::Receiver && self.plan.receiving_host(p.at) != NONE {
            let credits = held.iter().sum::<u32>() + u32::from(p.credits);
            return credits * self.plan.credit_bytes <= self.plan.itb_memory;
        }
        let limits = match wait.buffer.checked_sub(self.senders.len()) {
            Some(target) => self.plan.space(target as u32),
            None => self.plan.receiver(wait.buffer as u32),
        };
        limits.fit(held, wait.lane, p.credits)
    }

    /// The buffer in which a packet holds room that others may wait for in vain, as numbered in [`Wait`], the lane, and how much; none
    /// for those in a NIC's send buffer, for which nobody in the network waits. What is in a central buffer leaves it, but not the output
    /// buffer where it has its room already.
    fn place(&self, packet: u32) -> Option<(usize, u8, u32)> {
        let p = &self.packets[packet];
        let (buffer, lane) = match p.stage {
            Stage::Receiver => (p.at as usize, p.lane_in),
            Stage::Central => (self.senders.len() + p.out as usize, p.lane),
            Stage::Output | Stage::Memory => (self.senders.len() + p.at as usize, p.lane),
            Stage::SendBuffer | Stage::Free => return None,
        };
        Some((buffer, lane, u32::from(p.credits)))
    }

    fn channel_of(&self, packet: u32) -> u32 {
        let p = &self.packets[packet];
        if p.stage == Stage::Central { p.out } else { p.at }
    }

    fn message_of(&self, packet: u32) -> u64 {
        self.messages[self.packets[packet].message].seen.id
    }
}
