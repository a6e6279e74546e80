//! Invariants of the state: nothing is lost, and every buffer holds exactly its packets.

use super::lanes::Lane;
use super::state::Stage;
use super::switch::Switch;
use super::symbols::Symbol;
use super::{NEVER, NONE, PacketFabric};
use crate::message::Message;
use crate::messages;

impl<S: Switch> PacketFabric<S> {
    /// Checks that all messages and packets are accounted for, that every credit is held by a
    /// packet or on its way back, that there is no deadlock where none was found or proven
    /// possible, and that events remain while messages do.
    ///
    /// # Errors
    ///
    /// What is broken.
    pub fn check(&self) -> Result<(), Message> {
        let under_way = self.under_way().count() as u64;
        if self.totals.generated != self.totals.delivered + under_way {
            let (g, d) = (self.totals.generated, self.totals.delivered);
            return Err(messages::broken_messages(g, d, 0, under_way));
        }
        self.check_packets()?;
        self.check_spaces()?;
        S::check(self)?;
        self.check_proof()?;
        if under_way > 0 && self.deadlock.is_none() && self.next_event().is_none() {
            return Err(messages::broken_no_event(under_way));
        }
        Ok(())
    }

    /// Checks that there is no deadlock where the search is off because routes and lanes were
    /// proven acyclic.
    fn check_proof(&self) -> Result<(), Message> {
        if self.next_deadlock_search != NEVER || self.deadlock.is_some() {
            return Ok(());
        }
        match self.find_deadlock() {
            Some(found) => {
                let list: Vec<String> = found.messages.iter().map(u32::to_string).collect();
                Err(messages::broken_proof(list.join(", ")))
            }
            None => Ok(()),
        }
    }

    /// Checks that every undelivered message has its packets: not yet made, or in the fabric.
    fn check_packets(&self) -> Result<(), Message> {
        let mut expected: Vec<u32> = self
            .messages
            .iter()
            .map(|m| m.packets - m.rest.div_ceil(self.layout.qos.mtu_bytes(m.seen.level)))
            .collect();
        for p in self.packets.iter().filter(|p| p.stage != Stage::Free) {
            match expected[p.message as usize].checked_sub(1) {
                Some(rest) => expected[p.message as usize] = rest,
                None => return Err(messages::broken_extra_packet()),
            }
        }
        match expected.iter().position(|&n| n > 0) {
            Some(m) => Err(messages::broken_lost_packet(self.messages[m].seen.id)),
            None => Ok(()),
        }
    }

    fn check_spaces(&self) -> Result<(), Message> {
        let lanes = self.layout.lanes;
        let mut credits = vec![0_u32; self.output_ports.len() * lanes];
        let mut space = vec![0_u32; self.output_ports.len() * lanes];
        // Send buffers with queues per destination are not limited.
        let has_limit = |channel: u32| {
            !self.layout.queues_per_destination || self.layout.sending_host(channel) == NONE
        };
        for p in self.packets.iter() {
            match p.stage {
                Stage::Free | Stage::Memory => {}
                Stage::SendBuffer if !has_limit(p.at) => {}
                Stage::Receiver => {
                    credits[p.at as usize * lanes + p.lane_in.index()] += u32::from(p.credits)
                }
                Stage::Inside => {
                    space[p.out as usize * lanes + p.lane.index()] += u32::from(p.credits)
                }
                Stage::SendBuffer | Stage::Output => {
                    space[p.at as usize * lanes + p.lane.index()] += u32::from(p.credits)
                }
            }
        }
        for channel in 0..self.output_ports.len() {
            for sent in self.symbols.iter(self.upstream[channel].symbols) {
                let Symbol::Credits { lane, credits: returned } = sent.symbol;
                credits[channel * lanes + lane.index()] += u32::from(returned);
            }
        }
        for (channel, s) in self.output_ports.iter().enumerate() {
            if s.busy && !s.transit && has_limit(channel as u32) {
                space[channel * lanes + s.lane.index()] += u32::from(s.credits);
            }
            let suspended = self.suspended.get(channel).copied().flatten();
            let suspended = suspended.filter(|rest| !rest.transit && has_limit(channel as u32));
            if let Some(rest) = suspended {
                space[channel * lanes + rest.lane.index()] += u32::from(rest.credits);
            }
        }
        for (i, &held) in credits.iter().enumerate() {
            let used = self.credits.used((i / lanes) as u32, Lane((i % lanes) as u8));
            if u32::from(used) != held {
                return Err(messages::broken_channel_credits(i / lanes, used, held));
            }
        }
        for (i, &held) in space.iter().enumerate() {
            let used = self.space.used((i / lanes) as u32, Lane((i % lanes) as u8));
            if u32::from(used) != held {
                return Err(messages::broken_buffer_credits(i / lanes, used, held));
            }
        }
        Ok(())
    }
}
