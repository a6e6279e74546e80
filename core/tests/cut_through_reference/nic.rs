//! NICs: application queues, intake, delivery, in-transit stops.

use super::{Arriving, Fabric, Flit, Packet};
use hopscope_core::fabric::packet::trace::MessageSpec;
use hopscope_core::network::{ChannelId, Network};
use hopscope_core::scenario::{ChannelRule, CutThroughSpec, NicQueues};
use std::collections::{BTreeMap, VecDeque};

/// A queue for a level and a destination.
#[derive(Default)]
struct Destination {
    /// Messages with the bytes not yet taken.
    messages: VecDeque<(usize, u32)>,
    /// A packet of it has been taken and is not being sent yet.
    has_packet: bool,
    /// When it became due, as a number that grows over the run.
    due: u64,
}

/// A packet that stops here and is still arriving, or waits for memory.
struct Stopping {
    packet: usize,
    leg: usize,
    channel: usize,
    arrived: u64,
    admitted: Option<u64>,
}

pub struct Nic {
    injection: usize,
    /// Per level: messages with the bytes not yet taken.
    application: Vec<VecDeque<(usize, u32)>>,
    /// Instead, if the NIC has queues per destination.
    destinations: Option<BTreeMap<(usize, u32), Destination>>,
    clock: u64,
    /// Levels, the one taken from longest ago first.
    turns_of_levels: Vec<usize>,
    /// Per level: service channels used so far.
    turns: Vec<usize>,
    /// In-transit packets per lane, each with the cycle from which it may be injected.
    transit: Vec<VecDeque<Arriving>>,
    /// When in-transit packets may be injected, their lanes and numbers, in the order in which they
    /// were admitted to memory.
    admitted: VecDeque<(u64, usize, usize)>,
    consecutive: Vec<u32>,
    stopping: Vec<Stopping>,
    /// Those of `stopping` that wait for memory, by packet, in order.
    queue: VecDeque<usize>,
    memory: u32,
    memory_size: u32,
    credit_bytes: u32,
    /// Memory to be freed: cycle, bytes.
    later: Vec<(u64, u32)>,
    pub memory_peak: u32,
    /// Packets that have stopped here in transit.
    pub stopped: u64,
}

impl Nic {
    pub fn new(spec: &CutThroughSpec, network: &Network, host: usize, lanes: usize) -> Self {
        let host = hopscope_core::network::HostId::new(host);
        let levels = spec.qos.levels.len();
        Self {
            injection: network.injection(host).index(),
            application: vec![VecDeque::new(); levels],
            destinations: (spec.nic_queues == NicQueues::Destinations).then(BTreeMap::new),
            clock: 0,
            turns_of_levels: (0..levels).collect(),
            turns: vec![0; levels],
            transit: (0..lanes).map(|_| VecDeque::new()).collect(),
            admitted: VecDeque::new(),
            consecutive: vec![0; lanes],
            stopping: Vec::new(),
            queue: VecDeque::new(),
            memory: 0,
            memory_size: spec.itb_memory_bytes,
            credit_bytes: spec.credit_bytes,
            later: Vec::new(),
            memory_peak: 0,
            stopped: 0,
        }
    }

    pub fn generated(&mut self, index: usize, message: &MessageSpec) {
        if let Some(destinations) = &mut self.destinations {
            self.clock += 1;
            let key = (message.level as usize, message.to.0);
            let queue = destinations.entry(key).or_default();
            if queue.messages.is_empty() && !queue.has_packet {
                queue.due = self.clock;
            }
            queue.messages.push_back((index, message.payload));
            return;
        }
        self.application[message.level as usize].push_back((index, message.payload));
    }

    /// True if some of a message waits in an application queue.
    pub fn is_waiting(&self, message: usize) -> bool {
        let destinations = self.destinations.iter().flat_map(|all| all.values());
        let messages = destinations.flat_map(|queue| &queue.messages);
        self.application.iter().flatten().chain(messages).any(|&(waiting, _)| waiting == message)
    }

    /// The messages of a level of which the next packet may be taken, in order: each with the bytes
    /// left.
    fn due(&self, level: usize) -> Vec<(usize, u32)> {
        let Some(destinations) = &self.destinations else {
            return self.application[level].front().copied().into_iter().collect();
        };
        let mut due: Vec<_> = destinations
            .iter()
            .filter(|(key, queue)| key.0 == level && !queue.has_packet)
            .filter_map(|(_, queue)| Some((queue.due, *queue.messages.front()?)))
            .collect();
        due.sort_unstable();
        due.into_iter().map(|one| one.1).collect()
    }

    /// Some bytes of a level's message for a host are taken.
    fn take_bytes(&mut self, level: usize, to: u32, bytes: u32) {
        let messages = match &mut self.destinations {
            Some(destinations) => {
                let queue = destinations.get_mut(&(level, to)).expect("it is due");
                queue.has_packet = true;
                &mut queue.messages
            }
            None => &mut self.application[level],
        };
        let rest = &mut messages.front_mut().expect("it is due").1;
        *rest -= bytes;
        if *rest == 0 {
            messages.pop_front();
        }
    }

    /// A packet of the host's own begins to be sent.
    pub fn begins(&mut self, level: usize, to: u32) {
        if let Some(destinations) = &mut self.destinations {
            self.clock += 1;
            let queue = destinations.get_mut(&(level, to)).expect("it had a packet");
            (queue.has_packet, queue.due) = (false, self.clock);
        }
    }

    /// A packet in transit is ready and joins a queue.
    pub fn join_transit(&mut self, queue: usize, entry: Arriving) {
        self.transit[queue].push_back(entry);
    }

    /// The packets in transit that become ready in cycle `t`, each with its lane.
    pub fn ready_in_transit(&mut self, t: u64) -> Vec<(usize, usize)> {
        let ready = std::iter::from_fn(|| self.admitted.pop_front_if(|admitted| admitted.0 == t));
        ready.map(|(_, lane, packet)| (lane, packet)).collect()
    }

    /// The packets in transit in a queue.
    pub fn in_transit(&self, queue: usize) -> impl Iterator<Item = &Arriving> {
        self.transit[queue].iter()
    }

    fn transit_first(&self, own: &VecDeque<Arriving>, lane: usize, t: u64) -> bool {
        let ready = |a: &&Arriving| a.from.is_some_and(|from| from <= t);
        if self.transit[lane].front().filter(ready).is_none() {
            return false;
        }
        let waiting = own.iter().filter(ready).count();
        let most = if waiting <= 50 {
            4
        } else if waiting <= 100 {
            2
        } else {
            1
        };
        waiting == 0 || self.consecutive[lane] < most
    }

    pub fn foremost<'a>(
        &'a self,
        own: &'a VecDeque<Arriving>,
        lane: usize,
        t: u64,
    ) -> Option<&'a Arriving> {
        if self.transit_first(own, lane, t) { self.transit[lane].front() } else { own.front() }
    }

    pub fn take(&mut self, own: &mut VecDeque<Arriving>, lane: usize, t: u64) -> (Arriving, bool) {
        if self.transit_first(own, lane, t) {
            self.consecutive[lane] += 1;
            (self.transit[lane].pop_front().expect("just seen"), true)
        } else {
            self.consecutive[lane] = 0;
            (own.pop_front().expect("the lane is ready"), false)
        }
    }

    /// A packet in transit has left; its memory is free from `t` on.
    pub fn leave(&mut self, credits: u32, t: u64) {
        self.later.push((t, credits * self.credit_bytes));
    }
}

impl Fabric<'_> {
    /// Phase 2 of one NIC.
    pub fn intake(&mut self, n: usize, t: u64) -> bool {
        let mut any = false;
        while self.intake_one(n, t) {
            any = true;
        }
        any
    }

    fn intake_one(&mut self, n: usize, t: u64) -> bool {
        let spec = self.spec;
        for level in self.nics[n].turns_of_levels.clone() {
            let channels = &spec.qos.levels[level].channels;
            let turn = match spec.qos.channel_rule {
                ChannelRule::Spread => self.nics[n].turns[level] % channels.len(),
                ChannelRule::AvoidCycles => 0,
            };
            let injection = self.nics[n].injection;
            let lane = self.lane(ChannelId::new(injection), channels[turn]);
            let is_limited = self.nics[n].destinations.is_none();
            let due = self.nics[n].due(level);
            if due.len() > 1 {
                self.met.insert("destinations take turns at a NIC");
            }
            let mut taken = None;
            for (message, rest) in due {
                let bytes = rest.min(spec.qos.levels[level].mtu_bytes);
                let credits = bytes.div_ceil(spec.credit_bytes);
                let to = self.specs[message].to.0;
                if is_limited && !self.channels[injection].buffer.fits(lane, credits) {
                    self.met.insert("a packet waits for a send buffer");
                } else if !self.has_private_credits(injection, lane, to, credits) {
                    self.met.insert("a NIC waits for private credits");
                } else {
                    taken = Some((message, rest, bytes, credits));
                    break;
                }
            }
            let Some((message, rest, bytes, credits)) = taken else { continue };
            if is_limited {
                self.channels[injection].buffer.take(lane, credits);
            }
            let to = self.specs[message].to.0;
            self.take_private_credits(injection, lane, to, credits);
            let nic = &mut self.nics[n];
            nic.turns_of_levels.retain(|&l| l != level);
            nic.turns_of_levels.push(level);
            nic.turns[level] += 1;
            nic.take_bytes(level, to, bytes);
            if self.chosen[message].is_none() {
                self.chosen[message] = Some(self.routes.choose(message));
            }
            let path = self.path(message, turn);
            let flits = u64::from(bytes.div_ceil(spec.flit_bytes));
            let express = spec.express_levels.contains(&(level as u8));
            self.packets.push(Packet {
                message,
                ends_message: rest == bytes,
                received: false,
                level: level as u8,
                express,
                flits,
                credits,
                path,
            });
            let ready_at = t + u64::from(spec.injection_cycles);
            let new = Arriving {
                packet: self.packets.len() - 1,
                leg: 0,
                ready: Vec::new(),
                moved: 0,
                from: Some(ready_at),
            };
            match &mut self.recn {
                None => self.channels[injection].lanes[lane as usize].push_back(new),
                Some(recn) => recn.prepared.push_back((injection, ready_at, new)),
            }
            return true;
        }
        false
    }

    /// A flit reaches a host: it is read, here for good or to go on.
    pub fn arrive_at_nic(&mut self, n: usize, channel: usize, flit: Flit, t: u64) {
        let packet = &self.packets[flit.packet];
        let last = flit.number + 1 == packet.flits;
        let lane = packet.path[flit.leg].1;
        if flit.leg + 1 == packet.path.len() {
            self.headers[packet.message].get_or_insert(t);
            if last {
                let back = t + self.channels[channel].delay;
                self.channels[channel].credits_back.push_back((back, lane, packet.credits));
                let message = packet.message;
                self.packets[flit.packet].received = true;
                self.keeps_order(flit.packet);
                if self.is_delivered(message) {
                    let trace = &mut self.messages[message];
                    (trace.header, trace.delivered) = (self.headers[message], Some(t));
                }
            }
            return;
        }
        let nic = &mut self.nics[n];
        if flit.number == 0 {
            let (packet, leg) = (flit.packet, flit.leg);
            nic.stopping.push(Stopping { packet, leg, channel, arrived: 0, admitted: None });
        }
        let stop =
            nic.stopping.iter_mut().find(|s| s.packet == flit.packet).expect("its first flit came");
        stop.arrived += 1;
        // With gaps possible it is looked at only as a whole.
        if if self.spec.express_levels.is_empty() { flit.number == 0 } else { last } {
            nic.queue.push_back(flit.packet);
        }
        self.finish_stops(n, t);
    }

    /// Packets that wait for memory are admitted while there is memory, first in first out.
    pub fn admit_waiting(&mut self, n: usize, t: u64) {
        let nic = &mut self.nics[n];
        let freed: u32 = nic.later.iter().filter(|l| l.0 <= t).map(|l| l.1).sum();
        nic.later.retain(|l| l.0 > t);
        nic.memory -= freed;
        while let Some(&index) = self.nics[n].queue.front() {
            let bytes = self.packets[index].credits * self.spec.credit_bytes;
            let nic = &mut self.nics[n];
            if nic.memory + bytes > nic.memory_size {
                self.met.insert("a packet waits for ITB memory");
                break;
            }
            nic.queue.pop_front();
            nic.memory += bytes;
            nic.memory_peak = nic.memory_peak.max(nic.memory);
            let stop = nic.stopping.iter_mut().find(|s| s.packet == index).expect("it waits here");
            stop.admitted = Some(t);
            let leg = stop.leg + 1;
            let (injection, lane) = self.packets[index].path[leg];
            assert_eq!(injection, nic.injection);
            let ready_at = t + u64::from(self.spec.itb_cycles);
            let entry =
                Arriving { packet: index, leg, ready: Vec::new(), moved: 0, from: Some(ready_at) };
            nic.admitted.push_back((ready_at, lane.into(), index));
            match &mut self.recn {
                None => nic.transit[lane as usize].push_back(entry),
                Some(recn) => recn.in_transit.push_back((injection, ready_at, entry)),
            }
            nic.stopped += 1;
        }
        self.finish_stops(n, t);
    }

    /// Packets admitted and here as a whole release their space in the receive buffer.
    fn finish_stops(&mut self, n: usize, t: u64) {
        let stopping = std::mem::take(&mut self.nics[n].stopping);
        for stop in stopping {
            let packet = &self.packets[stop.packet];
            if stop.admitted.is_some() && stop.arrived == packet.flits {
                let channel = &mut self.channels[stop.channel];
                let lane = packet.path[stop.leg].1;
                channel.credits_back.push_back((t + channel.delay, lane, packet.credits));
            } else {
                self.nics[n].stopping.push(stop);
            }
        }
    }
}
