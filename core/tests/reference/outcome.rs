//! When nothing moves any more, and what a run has come to.

use super::*;

impl Reference<'_> {
    /// Messages neither delivered nor dropped.
    pub fn remaining(&self) -> usize {
        self.traces.iter().filter(|m| m.delivered.is_none() && m.dropped.is_none()).count()
    }

    /// Nothing will ever happen again: nothing has for longer than the model lets anything take.
    pub fn frozen(&self) -> bool {
        self.quiet() && self.messages.iter().all(|m| m.generated < self.now)
    }

    /// If no flit will ever be sent and no message delivered or dropped again: the state that
    /// remains.
    fn stuck(&self) -> Option<Self> {
        let progress = |r: &Self| (r.remaining(), r.channels.iter().map(|c| c.busy).sum::<u64>());
        let mut later = self.clone();
        while !later.frozen() {
            // A route chosen later makes no difference before its first flit is sent.
            later.cycle(&mut Fixed(self.messages));
            if progress(&later) != progress(self) {
                return None;
            }
        }
        Some(later)
    }

    /// Nothing has happened for longer than anything but generation can take.
    fn quiet(&self) -> bool {
        let spec = self.spec;
        let longest_delay = self.channels.iter().map(|c| c.delay).max().unwrap_or(0);
        let nic = u64::from(spec.itb_detection_cycles) + u64::from(spec.itb_dma_cycles);
        let patience =
            longest_delay + u64::from(spec.routing_cycles) + nic + spec.timeout_cycles + 2;
        self.now > self.last_change + patience
    }

    pub(super) fn outcome(mut self, max_cycles: Cycle) -> Outcome {
        let stuck = if self.remaining() > 0 { self.stuck() } else { None };
        let mut end = self.now;
        if self.remaining() > 0 {
            for c in 0..self.channels.len() {
                self.channels[c].blocked += u64::from(self.is_blocked(c)) * (max_cycles - self.now);
            }
            end = max_cycles;
        }
        Outcome {
            max_occupancy: self.channels.iter().map(|c| c.max_occupancy).collect(),
            wait_cycle: stuck.as_ref().map_or_else(Vec::new, Self::wait_cycle),
            last_change: self.last_change,
            trace: Trace {
                channels: self
                    .channels
                    .iter()
                    .map(|c| ChannelTrace { busy: c.busy, blocked: c.blocked })
                    .collect(),
                hosts: self
                    .nics
                    .iter()
                    .map(|n| HostTrace { itb_memory_peak: n.memory_peak, overflows: n.overflows })
                    .collect(),
                messages: self.traces,
                deadlock: stuck.is_some(),
                end,
            },
        }
    }

    /// The cycle of messages that wait for each other once nothing moves any more.
    fn wait_cycle(&self) -> Vec<usize> {
        let unfinished =
            |m: &usize| self.traces[*m].delivered.is_none() && self.traces[*m].dropped.is_none();
        for start in (0..self.messages.len()).filter(unfinished) {
            let mut chain = vec![start];
            while let Some(next) = self.waits_for(*chain.last().expect("never empty")) {
                if let Some(at) = chain.iter().position(|m| *m == next) {
                    return chain.split_off(at);
                }
                chain.push(next);
            }
        }
        Vec::new()
    }

    /// The message that keeps the foremost flit of a message from moving on, once nothing moves any
    /// more; `None` if it is ITB memory too small for it.
    fn waits_for(&self, message: usize) -> Option<usize> {
        let mut foremost = None;
        for (c, channel) in self.channels.iter().enumerate() {
            assert!(
                channel.flits.is_empty() && channel.symbols.is_empty(),
                "nothing moves any more"
            );
            // Its header has been inspected, and is held up in front of the output.
            if let Some(worm) = channel.inspected
                && worm.message == message
            {
                foremost = foremost.max(Some((2 * worm.hop + 1, c)));
            }
            if channel.buffer.iter().any(|f| f.message == message && self.is_first(*f)) {
                let hop =
                    channel.buffer.iter().filter(|f| f.message == message).map(|f| f.hop).max();
                foremost = foremost.max(hop.map(|hop| (2 * hop + 1, c)));
            }
            if let Some(flit) = channel.register
                && flit.message == message
            {
                foremost = foremost.max(Some((2 * flit.hop, c)));
            }
        }
        let at_nic = |h: usize| {
            let nic = &self.nics[h];
            let injection = &self.channels[self.network.injection(HostId::new(h)).index()];
            match nic.sending {
                Some(sending) if sending.message != message => Some(sending.message),
                _ => injection.head(),
            }
        };
        for (h, nic) in self.nics.iter().enumerate() {
            let in_memory = nic
                .stops
                .iter()
                .filter(|((m, _), _)| *m == message)
                .map(|((_, hop), _)| *hop)
                .max();
            if let Some(hop) = in_memory
                && foremost < Some((2 * hop + 2, 0))
            {
                return at_nic(h);
            }
        }
        let Some((place, c)) = foremost else { return at_nic(self.messages[message].from.index()) };
        let channel = &self.channels[c];
        if place % 2 == 0 {
            // In a register, under STOP.
            return channel.head();
        }
        if let End::Host(h) = self.network.channels()[c].to {
            // Refused, or behind another that is.
            let worm = &self.worms[message];
            return if channel.head() != Some(message) {
                channel.head()
            } else if worm.length - worm.first[place / 2 + 1] <= self.spec.itb_memory_bytes {
                self.nics[h.index()].sending.map(|sending| sending.message)
            } else {
                None
            };
        }
        match self.asks_for(c) {
            _ if channel.head() != Some(message) => channel.head(),
            Some(output) => {
                let holder =
                    self.channels[output.index()].connected.expect("or it would be granted");
                self.channels[holder.index()].inspected.map(|worm| worm.message)
            }
            // Connected: what is in the register is under STOP.
            None => {
                let worm = channel.inspected.expect("the head of a switch input is inspected");
                self.channels[self.worms[message].path[worm.hop + 1].index()].head()
            }
        }
    }
}
