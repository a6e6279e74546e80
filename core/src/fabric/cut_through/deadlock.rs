//! Packets that can never move again: found exactly by following who waits for whose room.

use super::state::Stage;
use super::{CutThrough, NONE};
use crate::engine::Cycle;

/// Packets that wait for each other in a cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadlock {
    /// When it was found.
    pub cycle: Cycle,
    /// The channels whose buffers they are in or leave by, in waiting order.
    pub channels: Vec<u32>,
    /// The messages they belong to.
    pub messages: Vec<u64>,
}

impl CutThrough {
    /// Looks for packets that can never move again; names some that wait for each other in a cycle. Costs as much as a look at every
    /// packet, several times over; a caller does it now and then, or when the fabric has fallen silent.
    pub fn find_deadlock(&self) -> Option<Deadlock> {
        let wait = self.wait_graph();
        let mut alive: Vec<bool> = wait.iter().map(|w| w.is_none()).collect();
        // Who is in each buffer: channel's receive buffer, then targets.
        let channels = self.senders.len();
        let mut inside: Vec<Vec<u32>> = vec![Vec::new(); channels + self.targets.len()];
        for (i, p) in self.packets.iter().enumerate() {
            match p.stage {
                Stage::Receiver => inside[p.at as usize].push(i as u32),
                Stage::Central | Stage::Output => inside[channels + p.at as usize].push(i as u32),
                Stage::Memory => inside[channels + p.at as usize].push(i as u32),
                Stage::SendBuffer | Stage::Free => {}
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for i in 0..wait.len() {
                let Some(buffer) = wait[i].filter(|_| !alive[i]) else { continue };
                if inside[buffer as usize].iter().any(|&p| alive[p as usize]) {
                    alive[i] = true;
                    changed = true;
                }
            }
        }
        let start = alive.iter().position(|&a| !a)? as u32;
        let mut path = vec![start];
        loop {
            let buffer = wait[*path.last().expect("never empty") as usize].expect("stuck packets wait");
            let next = *inside[buffer as usize].first()?;
            if let Some(begin) = path.iter().position(|&p| p == next) {
                let cycle = &path[begin..];
                return Some(Deadlock {
                    cycle: self.now,
                    channels: cycle.iter().map(|&p| self.channel_of(p)).collect(),
                    messages: cycle.iter().map(|&p| self.message_of(p)).collect(),
                });
            }
            path.push(next);
        }
    }

    /// Per packet the buffer it waits for room in: a channel's receive buffer, or (from the number of channels on) a target's; `None`
    /// for those that move, have room, or are behind others.
    fn wait_graph(&self) -> Vec<Option<u32>> {
        let channels = self.senders.len() as u32;
        let lanes = self.plan.lanes as u32;
        let mut wait = vec![None; self.packets.len()];
        for source in 0..self.sources.len() as u32 {
            for lane in (0..lanes).filter(|_| !self.sources[source as usize].busy) {
                let queue = (source * lanes + lane) as usize;
                let want = self.candidates[queue];
                let head = want.queue.head;
                if head != NONE {
                    let t = &self.targets[want.target as usize];
                    let limits = self.plan.space(want.target);
                    if !t.busy && !self.space.fits(limits, want.target, want.lane, want.credits) {
                        self.all_wait(head, channels + want.target, &mut wait);
                    }
                }
            }
        }
        for channel in (0..channels).filter(|&c| !self.senders[c as usize].busy) {
            let host = self.plan.channels[channel as usize].from_host;
            for lane in 0..lanes {
                let own = self.ready[(channel * lanes + lane) as usize].head;
                let transit =
                    if host == NONE { NONE } else { self.transit[(host * lanes + lane) as usize].head };
                for head in [own, transit].into_iter().filter(|&h| h != NONE) {
                    let credits = self.packets[head as usize].credits;
                    if !self.credits.fits(self.plan.receiver(channel), channel, lane as u8, credits)
                        && !self.credits_under_way(channel)
                    {
                        self.all_wait(head, channel, &mut wait);
                    }
                }
            }
        }
        for (host, nic) in self.nics.iter().enumerate() {
            let memory = channels + self.injection(host as u32).0;
            for &packet in &nic.queued {
                wait[packet as usize] = Some(memory);
            }
        }
        wait
    }

    /// A packet and all behind it wait for a buffer.
    fn all_wait(&self, mut packet: u32, buffer: u32, wait: &mut [Option<u32>]) {
        while packet != NONE {
            wait[packet as usize] = Some(buffer);
            packet = self.packets[packet as usize].next;
        }
    }

    /// Room in a channel's receive buffer that no packet there holds is on its way back.
    fn credits_under_way(&self, channel: u32) -> bool {
        let held: u32 = self
            .packets
            .iter()
            .filter(|p| p.stage == Stage::Receiver && p.at == channel)
            .map(|p| u32::from(p.credits))
            .sum();
        let used: u32 = (0..self.plan.lanes).map(|l| u32::from(self.credits.used(channel, l as u8))).sum();
        used > held
    }

    fn channel_of(&self, packet: u32) -> u32 {
        let p = &self.packets[packet as usize];
        if p.stage == Stage::Central { p.out } else { p.at }
    }

    fn message_of(&self, packet: u32) -> u64 {
        self.messages[self.packets[packet as usize].message as usize].id
    }
}
