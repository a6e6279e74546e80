//! The invariant of central buffers: each holds exactly its packets.

use super::Fabric;
use crate::arbiters::Arbiter;
use crate::fabric::packet::congestion::CongestionManagement;
use crate::fabric::packet::lanes::Lane;
use crate::fabric::packet::state::Stage;
use crate::message::Message;
use crate::messages;

impl<A: Arbiter, C: CongestionManagement> Fabric<A, C> {
    pub(super) fn check_central_buffers(&self) -> Result<(), Message> {
        let (lanes, first) = (self.layout.lanes, self.switch.wiring.ports.len());
        let centrals = self.switch.inputs.len() - first;
        let mut space = vec![0_u32; centrals * lanes];
        for p in self.packets.iter().filter(|p| p.stage == Stage::Inside) {
            space[(p.at as usize - first) * lanes + p.lane.index()] += u32::from(p.credits);
        }
        // A packet that has left holds its space until that is settled.
        let nodes = self.switch.inputs.iter().enumerate().skip(first);
        for (node, s) in nodes.filter(|(_, s)| s.credits != 0) {
            space[(node - first) * lanes + s.queue.index()] += u32::from(s.credits);
        }
        for (i, &held) in space.iter().enumerate() {
            let used = self.switch.central_space.used((i / lanes) as u32, Lane((i % lanes) as u8));
            if u32::from(used) != held {
                return Err(messages::broken_buffer_credits(first + i / lanes, used, held));
            }
        }
        Ok(())
    }
}
