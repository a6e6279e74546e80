//! The phases of a cycle.

use super::*;

impl Reference<'_> {
    /// Phase 1.
    pub(super) fn generation(&mut self) {
        for (m, message) in self.messages.iter().enumerate() {
            if message.generated == self.now {
                self.nics[message.from.index()].local.push_back(m);
                self.last_change = self.now;
            }
        }
        self.discarded.sort_unstable();
        for m in std::mem::take(&mut self.discarded) {
            self.nics[self.messages[m].from.index()].local.push_back(m);
            self.traces[m] = MessageTrace::default();
            self.last_change = self.now;
        }
    }

    /// Phase 2.
    pub(super) fn arrival(&mut self) {
        for channel in &mut self.channels {
            if let Some(&(sent, flit)) = channel.flits.front()
                && sent + channel.delay == self.now
            {
                channel.flits.pop_front();
                channel.buffer.push_back(flit);
                let worm = &self.worms[flit.message];
                if flit.hop + 1 == worm.path.len() && flit.number == worm.first[flit.hop] {
                    self.headers[flit.message] = Some(self.now);
                }
                channel.max_occupancy = channel.max_occupancy.max(channel.buffer.len());
                assert!(
                    channel.buffer.len() <= self.spec.buffer_flits as usize,
                    "a buffer overflows"
                );
                self.last_change = self.now;
            }
            if let Some(&(sent, symbol)) = channel.symbols.front()
                && sent + channel.delay == self.now
            {
                channel.symbols.pop_front();
                channel.stopped = symbol == Symbol::Stop;
                self.last_change = self.now;
            }
        }
        for nic in &mut self.nics {
            while let Some(&(ends, message, hop)) = nic.detection.front()
                && ends == self.now
            {
                nic.detection.pop_front();
                nic.in_transit.push_back((message, hop));
                self.last_change = self.now;
            }
        }
    }

    /// Phase 3.
    pub(super) fn sending(&mut self, paths: &mut dyn Paths) {
        for channel in &mut self.channels {
            if !channel.stopped
                && let Some(flit) = channel.register.take()
            {
                channel.flits.push_back((self.now, flit));
                channel.busy += 1;
                self.last_change = self.now;
            }
        }
        for host in 0..self.nics.len() {
            if self.nics[host].sending.is_none() {
                self.choose(host, paths);
            }
            self.send_from_nic(host, paths);
        }
    }

    /// A NIC whose injection channel is free takes the next message, if there is one.
    fn choose(&mut self, host: usize, paths: &mut dyn Paths) {
        let nic = &mut self.nics[host];
        let local_first = match (nic.local.len(), nic.in_transit.len()) {
            (0, 0) => return,
            (_, 0) => true,
            (0, _) => false,
            (w, _) => {
                let n = match w {
                    0..=50 => 4,
                    51..=100 => 2,
                    _ => 1,
                };
                nic.consecutive >= n
            }
        };
        self.last_change = self.now;
        if local_first {
            nic.consecutive = 0;
            let message = nic.local.pop_front().expect("there is a local message");
            nic.sending = Some(Sending { message, hop: 0, next: 0, not_before: self.now });
            let steps = paths.choose(message, self.now);
            self.worms[message] = self.worm(message, &steps);
        } else {
            nic.consecutive += 1;
            let (message, ejection) =
                nic.in_transit.pop_front().expect("there is an in-transit message");
            let hop = ejection + 1;
            let not_before = self.now + Cycle::from(self.spec.itb_dma_cycles);
            nic.sending =
                Some(Sending { message, hop, next: self.worms[message].first[hop], not_before });
        }
    }

    /// Path and lengths of a message on a route.
    fn worm(&self, message: usize, steps: &[Step]) -> Worm {
        let MessageSpec { from, to, payload, .. } = self.messages[message];
        let mut path = vec![self.network.injection(from)];
        for step in steps {
            match step.hop() {
                Hop::Channel(c) => path.push(c),
                Hop::InTransit(h) => {
                    path.extend([self.network.ejection(h), self.network.injection(h)])
                }
            }
        }
        path.push(self.network.ejection(to));
        // What the receiver of each channel but the last takes out.
        let header = self.spec.count_header;
        let taken = path.iter().map(|c| match self.network.channels()[c.index()].to {
            _ if !header => 0,
            End::Switch(..) => 1,
            End::Host(_) => 2,
        });
        let mut first = vec![0];
        for taken in taken.take(path.len() - 1) {
            first.push(first.last().expect("never empty") + taken);
        }
        let length = payload + if header { 4 + first.last().expect("never empty") } else { 0 };
        Worm { path, length, first }
    }

    /// A NIC sends the next flit of the message in progress, if it may.
    fn send_from_nic(&mut self, host: usize, paths: &mut dyn Paths) {
        let nic = &mut self.nics[host];
        let channel = &mut self.channels[self.network.injection(HostId::new(host)).index()];
        let Some(Sending { message, hop, next, not_before }) = nic.sending else { return };
        if channel.stopped || self.now < not_before {
            return;
        }
        if hop > 0 {
            let stop = &nic.stops[&(message, hop - 1)];
            match stop.read.get((next - stop.first) as usize) {
                Some(&read) if read < self.now => {}
                _ => return,
            }
        }
        channel.flits.push_back((self.now, Flit { message, hop, number: next }));
        channel.busy += 1;
        self.last_change = self.now;
        let worm = &self.worms[message];
        if next == worm.first[hop] {
            let trace = &mut self.traces[message];
            if hop == 0 {
                trace.injected = Some(self.now);
            } else {
                trace.stops.push((nic.stops[&(message, hop - 1)].read[0], self.now));
            }
        }
        if next + 1 == worm.length {
            nic.sending = None;
            if hop == 0 {
                let first = self.traces[message].injected.expect("its first flit was sent");
                paths.tail_sent(message, first, self.now, worm.length.into());
            } else {
                nic.stops.remove(&(message, hop - 1));
            }
        } else {
            nic.sending = Some(Sending { message, hop, next: next + 1, not_before });
        }
    }

    pub(super) fn is_first(&self, flit: Flit) -> bool {
        flit.number == self.worms[flit.message].first[flit.hop]
    }

    fn is_tail(&self, flit: Flit) -> bool {
        flit.number + 1 == self.worms[flit.message].length
    }

    /// Phase 4.
    pub(super) fn inspection(&mut self) {
        for &input in &self.switch_inputs {
            let channel = &self.channels[input];
            let Some(&flit) = channel.buffer.front() else { continue };
            if channel.inspected.is_some() || !self.is_first(flit) {
                continue;
            }
            let asks_from = self.now + Cycle::from(self.spec.routing_cycles);
            let channel = &mut self.channels[input];
            channel.inspected = Some(Inspected {
                message: flit.message,
                hop: flit.hop,
                asks_from,
                given_up: false,
            });
            if self.spec.count_header {
                channel.buffer.pop_front();
            }
            self.last_change = self.now;
        }
    }

    /// The output that the worm at the head of an input's buffer is asking for, while it is not
    /// connected.
    pub(super) fn asks_for(&self, input: usize) -> Option<ChannelId> {
        let worm = self.channels[input].inspected?;
        let output = self.worms[worm.message].path[worm.hop + 1];
        let connected = self.channels[output.index()].connected == Some(ChannelId::new(input));
        (self.now >= worm.asks_from && !connected && !worm.given_up).then_some(output)
    }

    /// Phase 5, before arbitration.
    pub(super) fn time_outs(&mut self) {
        let patience = self.spec.timeout_cycles;
        for &input in &self.switch_inputs {
            let asks = self.asks_for(input).is_some();
            if let Some(worm) = &mut self.channels[input].inspected
                && patience > 0
                && asks
                && self.now - worm.asks_from >= patience
            {
                worm.given_up = true;
                self.last_change = self.now;
            }
        }
    }

    /// Phase 5.
    pub(super) fn arbitration(&mut self) {
        // Who asks for each output: input port and channel.
        let mut asking: BTreeMap<ChannelId, BTreeMap<u16, ChannelId>> = BTreeMap::new();
        for &input in &self.switch_inputs {
            if let (Some(output), End::Switch(_, port)) =
                (self.asks_for(input), self.network.channels()[input].to)
            {
                asking.entry(output).or_default().insert(port, ChannelId::new(input));
            }
        }
        for (output, inputs) in asking {
            let output = &mut self.channels[output.index()];
            if output.connected.is_some() {
                continue;
            }
            let start = output.last_granted.map_or(0, |port| port + 1);
            let next = inputs.range(start..).next().or(inputs.iter().next());
            let (&port, &input) = next.expect("somebody asks");
            output.connected = Some(input);
            output.last_granted = Some(port);
            self.last_change = self.now;
        }
    }

    /// Phase 6.
    pub(super) fn crossbar(&mut self) {
        for output in 0..self.channels.len() {
            let Some(input) = self.channels[output].connected else { continue };
            let input = input.index();
            let worm =
                self.channels[input].inspected.expect("a connection is for an inspected worm");
            let Some(&flit) = self.channels[input].buffer.front() else { continue };
            let of_worm = flit.message == worm.message && flit.hop == worm.hop;
            if !of_worm || self.channels[output].register.is_some() {
                continue;
            }
            self.channels[input].buffer.pop_front();
            self.channels[output].register = Some(Flit { hop: flit.hop + 1, ..flit });
            if self.is_tail(flit) {
                self.channels[output].connected = None;
                self.channels[input].inspected = None;
            }
            self.last_change = self.now;
        }
        for &input in &self.switch_inputs {
            let Some(worm) = self.channels[input].inspected.filter(|worm| worm.given_up) else {
                continue;
            };
            let Some(&flit) = self.channels[input].buffer.front() else { continue };
            assert!(
                (flit.message, flit.hop) == (worm.message, worm.hop),
                "its tail has not been seen"
            );
            let tail = self.is_tail(flit);
            let channel = &mut self.channels[input];
            channel.buffer.pop_front();
            if tail {
                channel.inspected = None;
                self.traces[flit.message].dropped = Some(self.now);
            }
            self.last_change = self.now;
        }
    }

    /// Blocked channels, at the end of phase 6.
    pub(super) fn count_blocked(&mut self) {
        for c in 0..self.channels.len() {
            self.channels[c].blocked += u64::from(self.is_blocked(c));
        }
    }

    pub(super) fn is_blocked(&self, c: usize) -> bool {
        let channel = &self.channels[c];
        let something_to_send = match self.network.channels()[c].from {
            End::Switch(..) => channel.register.is_some() || channel.connected.is_some(),
            End::Host(h) => self.nics[h.index()].sending.is_some(),
        };
        channel.stopped && something_to_send || self.asks_for(c).is_some()
    }

    /// Phase 7.
    pub(super) fn reading(&mut self) {
        for host in 0..self.nics.len() {
            let ejection = self.network.ejection(HostId::new(host)).index();
            let Some(&flit) = self.channels[ejection].buffer.front() else { continue };
            let here = flit.hop + 1 == self.worms[flit.message].path.len();
            if !here && self.is_first(flit) && !self.admit(host, flit) {
                continue;
            }
            self.channels[ejection].buffer.pop_front();
            self.last_change = self.now;
            if !here {
                self.read_in_transit(host, flit);
            } else if self.is_tail(flit) {
                let trace = &mut self.traces[flit.message];
                (trace.header, trace.delivered) = (self.headers[flit.message], Some(self.now));
            }
        }
    }

    /// Whether a NIC reads an in-transit message whose first flit is at the head: reserves memory
    /// for it, or decides to discard it, or refuses to read it now.
    fn admit(&mut self, host: usize, flit: Flit) -> bool {
        let Flit { message, hop, number } = flit;
        let nic = &mut self.nics[host];
        let size = self.worms[message].length - self.worms[message].first[hop + 1];
        let space = nic.memory_used() + size <= self.spec.itb_memory_bytes;
        if !space && self.spec.itb_overflow == ItbOverflow::Wait {
            if nic.refused != Some((message, hop)) {
                nic.refused = Some((message, hop));
                nic.overflows += 1;
            }
            return false;
        }
        nic.refused = None;
        let reserved = if space { size } else { 0 };
        let stop = Stop { reserved, discarded: !space, first: number, read: Vec::new() };
        nic.stops.insert((message, hop), stop);
        nic.memory_peak = nic.memory_peak.max(nic.memory_used());
        if space {
            let detection = self.spec.itb_detection_cycles.max(1);
            nic.detection.push_back((self.now + Cycle::from(detection), message, hop));
        }
        true
    }

    /// A NIC has taken out a flit of a message it stores or discards.
    fn read_in_transit(&mut self, host: usize, flit: Flit) {
        let tail = self.is_tail(flit);
        let nic = &mut self.nics[host];
        let stop = nic.stops.get_mut(&(flit.message, flit.hop)).expect("its first flit was read");
        stop.read.push(self.now);
        if stop.discarded && tail {
            nic.stops.remove(&(flit.message, flit.hop));
            nic.overflows += 1;
            self.discarded.push(flit.message);
        }
    }

    /// Phase 8.
    pub(super) fn thresholds(&mut self) {
        for channel in &mut self.channels {
            let occupancy = channel.buffer.len();
            let symbol = if channel.last_symbol == Some(Symbol::Stop) {
                (occupancy <= self.spec.go_flits as usize).then_some(Symbol::Go)
            } else {
                (occupancy >= self.spec.stop_flits as usize).then_some(Symbol::Stop)
            };
            if let Some(symbol) = symbol {
                channel.symbols.push_back((self.now, symbol));
                channel.last_symbol = Some(symbol);
                self.last_change = self.now;
            }
        }
    }
}
