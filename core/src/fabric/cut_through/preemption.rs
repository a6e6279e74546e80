//! Packet preemption on links: express packets interrupt others, which go on afterwards.

use super::CutThrough;
use super::state::Suspended;

impl CutThrough {
    /// Phase 5 of a sender, with preemption.
    // Apart from sending without preemption, which is one function.
    #[inline(never)]
    pub(super) fn send_or_interrupt(&mut self, channel: u32) {
        let s = self.senders[channel];
        let ready = self.sendable(channel);
        let express = ready & self.express_lanes(channel);
        if s.busy {
            let current = &self.packets[s.current];
            let others = express & !(1 << s.lane);
            if self.plan.express >> current.level & 1 == 0 && others != 0 {
                self.suspend(channel);
                self.schedule_among(channel, others);
            }
            return;
        }
        match self.suspended[channel] {
            Some(suspended) => match express & !(1 << suspended.lane) {
                0 => self.resume(channel, suspended),
                others => self.schedule_among(channel, others),
            },
            None if express != 0 => self.schedule_among(channel, express),
            None => self.schedule_among(channel, ready),
        }
    }

    /// Lanes whose foremost packet is express.
    fn express_lanes(&self, channel: u32) -> u32 {
        let base = channel as usize * self.plan.lanes;
        let (mut rest, mut lanes) = (self.senders[channel].ready, 0);
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            let level = self.lanes[base + lane as usize].head.level;
            lanes |= (self.plan.express >> level & 1) << lane;
        }
        lanes
    }

    fn suspend(&mut self, channel: u32) {
        let s = &mut self.senders[channel];
        let left = (s.free_at - self.now) as u16;
        s.busy_cycles -= u64::from(left);
        s.busy = false;
        let suspended = Suspended {
            packet: s.current,
            lane: s.lane,
            credits: s.credits,
            transit: s.transit,
            left,
        };
        self.suspended[channel] = Some(suspended);
    }

    fn resume(&mut self, channel: u32, rest: Suspended) {
        let s = &mut self.senders[channel];
        (s.busy, s.current, s.lane, s.credits, s.transit) =
            (true, rest.packet, rest.lane, rest.credits, rest.transit);
        s.free_at = self.now + u64::from(rest.left);
        s.busy_cycles += u64::from(rest.left);
        let free_at = s.free_at;
        self.suspended[channel] = None;
        self.look(channel, free_at);
    }

    /// The last flit of a packet that might have been interrupted has been sent: only now is the receiver told.
    pub(super) fn announce_interruptible(&mut self, channel: u32) {
        let packet = self.senders[channel].current;
        let p = &self.packets[packet];
        if self.plan.express >> p.level & 1 == 0 {
            let first = p.tail - u64::from(self.plan.channels[channel].delay);
            self.announce(channel, packet, first, self.now - 1);
        }
    }
}
