//! Reading the state: counters, snapshots, the state of a message, and invariants. Nothing here
//! changes a run.

use super::Wormhole;
use super::channel::{Front, Receiver};
use super::state::{NEVER, NONE, Reading};
use crate::engine::Cycle;
use crate::fabric::Message;
use crate::messages;
use crate::network::{ChannelId, HostId};
use crate::observe::{ChannelState, HostState, MessageState, Place, Snapshot, Span, Status, Wait};

impl Wormhole {
    /// Flits sent on a channel so far.
    pub fn busy_cycles(&self, channel: usize) -> u64 {
        let channel = &self.channels[channel];
        channel.wire.sent(self.clock.now)
    }

    /// Blocked cycles of a channel so far.
    pub fn blocked_cycles(&self, channel: usize) -> u64 {
        self.channels[channel].blocked_by(self.clock.now)
    }

    /// Of a host's NIC: most ITB memory ever in use, flits; in-transit messages discarded for lack
    /// of it; in-transit messages that waited for it.
    pub fn nic_memory(&self, host: usize) -> (u32, u64, u64) {
        let nic = &self.nics[host];
        (nic.memory_peak, nic.overflows, nic.memory_waits)
    }

    /// In-transit messages that did not fit into ITB memory when they came.
    pub fn itb_overflows(&self) -> u64 {
        self.nics.iter().map(|nic| nic.overflows + nic.memory_waits).sum()
    }

    /// Most ITB memory ever in use at a host, bytes.
    pub fn itb_memory_peak(&self, host: usize) -> u32 {
        self.nics[host].memory_peak
    }

    /// Messages waiting in the local queue of each host.
    pub fn waiting(&self) -> Vec<u64> {
        self.nics.iter().map(|nic| nic.local.len() as u64).collect()
    }

    /// Calls `each` for every in-transit message whose first flit has left its stop but whose last
    /// has not, with the cycles in which its first flit was read and sent there.
    pub fn sending_on(&self, mut each: impl FnMut(&Message, Cycle, Cycle)) {
        for (h, nic) in self.nics.iter().enumerate() {
            let channel = &self.channels[self.injection(h as u32) as usize];
            let begun = channel.worms.back().is_some_and(|w| w.arrival != NEVER);
            if !nic.sending_local
                && channel.is_held()
                && begun
                && nic.sending_first <= self.clock.now
            {
                each(
                    &self.messages[channel.holder as usize].for_driver(),
                    nic.sending_read_at,
                    nic.sending_first,
                );
            }
        }
    }

    /// Calls `each` for every message that has been injected and not yet delivered or dropped.
    pub fn injected(&self, mut each: impl FnMut(&Message)) {
        let mut live = vec![true; self.messages.len()];
        self.free.iter().for_each(|&slot| live[slot as usize] = false);
        for nic in &self.nics {
            nic.local.iter().for_each(|&slot| live[slot as usize] = false);
        }
        let under_way = self
            .messages
            .iter()
            .zip(live)
            .filter(|(m, live)| *live && m.injected <= self.clock.now);
        under_way.for_each(|(message, _)| each(&message.for_driver()));
    }

    /// Fills the counters of a snapshot: totals and hosts.
    pub fn sums(&self, into: &mut Snapshot) {
        into.cycle = self.clock.now;
        into.generated = self.totals.generated;
        into.delivered = self.totals.delivered;
        into.dropped = self.totals.dropped;
        into.payload_delivered = self.totals.payload_delivered;
        into.network_latency_sum = self.totals.network_latency;
        into.levels.clear();
        into.hosts.clear();
        for (host, nic) in self.nics.iter().enumerate() {
            let injection = &self.channels[self.injection(host as u32) as usize];
            into.hosts.push(HostState {
                local_waiting: nic.local.len() as u32,
                in_transit: nic.in_transit,
                itb_memory: nic.memory,
                transit_waiting: nic.transit.len() as u32,
                sending_transit: injection.is_held() && !nic.sending_local,
                itbs_handled: nic.handled,
            });
        }
    }

    /// Fills a snapshot except for its spans and waits.
    pub fn usage(&self, into: &mut Snapshot) {
        self.sums(into);
        into.spans.clear();
        into.waits.clear();
        into.saqs.clear();
        into.channels.clear();
        into.channels.extend((0..self.channels.len()).map(|c| self.channel_state(c)));
    }

    /// Fills a snapshot of this moment.
    pub fn snapshot(&self, into: &mut Snapshot) {
        self.usage(into);
        (0..self.channels.len() as u32).for_each(|c| self.spans(c, &mut into.spans));
    }

    fn channel_state(&self, c: usize) -> ChannelState {
        let channel = &self.channels[c];
        let direct = channel.receiver == Receiver::Sink;
        ChannelState {
            busy_cycles: self.busy_cycles(c),
            blocked_cycles: self.blocked_cycles(c),
            occupancy: if direct { 0 } else { channel.occupancy(self.clock.now) as u32 },
            stopped: channel.stopped,
            stop_sent: channel.stop_sent,
            held: channel.is_held() || !channel.worms.is_empty(),
            blocked: channel.blocked_stop || channel.blocked_wait,
        }
    }

    /// The spans of the worms on one channel: in the buffer, then on the link.
    fn spans(&self, c: u32, into: &mut Vec<Span>) {
        let now = self.clock.now;
        let channel = &self.channels[c as usize];
        let sent = channel.wire.sent(now);
        let arrived = channel.arrived_by(now);
        let direct = channel.receiver == Receiver::Sink;
        let removed = if direct { arrived } else { channel.removed_by(now).min(arrived) };
        // Counting back from the last flit sent gives each worm its part of the flits sent.
        let mut end = channel.end_of_worms();
        for worm in channel.worms.iter().rev() {
            let begin = end.saturating_sub(u64::from(worm.flits));
            let message = &self.messages[worm.message as usize];
            let blocked = self.is_blocked(worm.message);
            for (place, from, to) in [
                (Place::Buffer, begin.max(removed), end.min(arrived)),
                (Place::Link, begin.max(arrived), end.min(sent)),
            ] {
                if from >= to {
                    continue;
                }
                let front = match place {
                    Place::Link => {
                        channel.wire.when_sent(from + 1).map_or(0, |sent| (now - sent) as u32)
                    }
                    _ => (from - removed) as u32,
                };
                let head = from == begin
                    || (place == Place::Buffer && from == removed && !channel.front.moves());
                into.push(Span {
                    message: message.id,
                    channel: c,
                    place,
                    lane: 0,
                    level: 0,
                    head,
                    blocked,
                    front,
                    flits: (to - from) as u32,
                });
            }
            end = begin;
        }
    }

    /// Adds every message in the network that waits for another one.
    pub fn who_waits(&self, into: &mut Vec<Wait>) {
        (0..self.channels.len()).for_each(|c| self.waits_on(c as u32, into));
    }

    /// The waits at the end of one channel: of the foremost worm for its output, of the others for
    /// the foremost.
    fn waits_on(&self, c: u32, into: &mut Vec<Wait>) {
        let channel = &self.channels[c as usize];
        let Some(front) = channel.worms.front() else { return };
        let number = |slot: u32| self.messages.get(slot as usize).map(|message| message.id);
        let mut wait = |slot: u32, wants: u32, holder: u32| {
            if let (Some(message), Some(holder)) = (number(slot), number(holder)) {
                into.push(Wait { message, at: c, wants, holder });
            }
        };
        if channel.front == Front::Waiting && channel.receiver == Receiver::Switch {
            wait(front.message, channel.wants, self.channels[channel.wants as usize].holder);
        }
        // In the buffer, or held back in the sender by STOP. Flits on the link still move.
        let is_stationary = |arrival: Cycle| arrival == NEVER || arrival <= self.clock.now;
        for worm in channel.worms.iter().skip(1).filter(|worm| is_stationary(worm.arrival)) {
            wait(worm.message, c, front.message);
        }
    }

    /// True if a message's header waits for an output.
    fn is_blocked(&self, slot: u32) -> bool {
        let message = &self.messages[slot as usize];
        let wants = self.next_channel(message);
        let output = &self.channels[wants as usize];
        self.input_base[wants as usize] != NONE
            && output.requests.iter().any(|p| {
                let input = self.inputs[(self.input_base[wants as usize] + u32::from(p)) as usize];
                self.channels[input as usize].worms.front().is_some_and(|w| w.message == slot)
            })
    }

    /// The state of a message by its number; `None` if it is neither in the network nor in its
    /// source's queue.
    pub fn explain(&self, id: u32) -> Option<MessageState> {
        let live = (0..self.messages.len() as u32).find(|&s| self.messages[s as usize].id == id)?;
        if self.free.contains(&live) {
            return None;
        }
        let message = &self.messages[live as usize];
        let queue = &self.nics[message.from as usize].local;
        if let Some(ahead) = queue.iter().position(|&s| s == live) {
            return Some(self.message_state(
                live,
                Vec::new(),
                0,
                Status::Queued { ahead: ahead as u32 },
            ));
        }
        let path = self.path(live);
        let on = |c: u32| self.channels[c as usize].worms.iter().any(|w| w.message == live);
        let progress = path.iter().rposition(|&c| on(c)).map_or(path.len(), |p| p + 1);
        let status = match progress.checked_sub(1).map(|p| path[p]) {
            Some(head) if on(head) => self.head_status(live, head),
            _ => Status::Moving,
        };
        Some(self.message_state(live, path, progress as u32, status))
    }

    fn head_status(&self, slot: u32, c: u32) -> Status {
        let channel = &self.channels[c as usize];
        let front = channel.worms.front().map_or(slot, |w| w.message);
        let number = |slot: u32| self.messages.get(slot as usize).map_or(0, |m| m.id);
        let worm = channel.worms.iter().find(|w| w.message == slot);
        if worm.is_some_and(|w| w.arrival == NEVER) {
            Status::Stopped { channel: c }
        } else if front != slot {
            Status::Behind { channel: c, holder: number(front) }
        } else if worm.is_some_and(|w| w.arrival > self.clock.now) {
            Status::Moving
        } else {
            match channel.front {
                Front::Waiting if channel.receiver != Receiver::Switch => {
                    Status::InTransit { host: self.host_of(c) }
                }
                Front::Waiting => Status::Waiting {
                    at: c,
                    wants: channel.wants,
                    holder: number(self.channels[channel.wants as usize].holder),
                },
                Front::Routing if channel.receiver == Receiver::Switch => {
                    Status::Routing { channel: c }
                }
                _ if channel.receiver == Receiver::Nic && channel.reading != Reading::Delivers => {
                    Status::InTransit { host: self.host_of(c) }
                }
                _ => Status::Moving,
            }
        }
    }

    fn message_state(
        &self,
        slot: u32,
        path: Vec<u32>,
        progress: u32,
        status: Status,
    ) -> MessageState {
        let message = &self.messages[slot as usize];
        MessageState {
            message: message.id,
            from: message.from,
            to: message.to,
            generated: message.generated,
            injected: (message.injected != NEVER).then_some(message.injected),
            payload: message.payload,
            path,
            progress,
            status,
        }
    }

    /// All channels of a message's route, host channels included.
    fn path(&self, slot: u32) -> Vec<u32> {
        let message = &self.messages[slot as usize];
        let route = self.table.sets[message.set as usize].route(message.route);
        let (from, to) = (HostId(message.from), HostId(message.to));
        let channels = route.channels(&self.network, from, to);
        channels.into_iter().map(|ChannelId(c)| c).collect()
    }

    /// Checks the invariants that hold at any moment.
    ///
    /// # Errors
    ///
    /// What is broken.
    pub fn check(&self) -> Result<(), crate::message::Message> {
        let totals = self.totals;
        let live = self.messages.len() as u64 - self.free.len() as u64;
        if totals.generated != totals.delivered + totals.dropped + live {
            return Err(messages::broken_messages(
                totals.generated,
                totals.delivered,
                totals.dropped,
                live,
            ));
        }
        if let Some((c, cycle)) = self.overflow {
            let buffer = self.clock.params.buffer;
            return Err(messages::broken_overflow(c, cycle, buffer));
        }
        for (c, channel) in self.channels.iter().enumerate() {
            if channel.receiver == Receiver::Sink {
                continue;
            }
            let (arrived, removed) =
                (channel.arrived_by(self.clock.now), channel.removed_by(self.clock.now));
            let ahead =
                u64::from(channel.front == Front::Routing && channel.receiver == Receiver::Switch);
            if removed > arrived + ahead
                || arrived.saturating_sub(removed) > self.clock.params.buffer
            {
                let buffer = self.clock.params.buffer;
                return Err(messages::broken_flits(c, arrived, removed, buffer));
            }
        }
        for (h, nic) in self.nics.iter().enumerate() {
            if nic.memory > self.clock.params.memory {
                let memory = self.clock.params.memory;
                return Err(messages::broken_itb_memory(h, nic.memory, memory));
            }
        }
        match self.undetected_deadlock() {
            Some(c) => Err(messages::broken_missed_deadlock(c)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fabric::{Driver, Generation, Message, NewMessage};
    use crate::network::{HostId, Network};
    use crate::routing::{Ends, RouteSet, RouteTable};
    use crate::scenario::{Scenario, WormholeSpec};
    use std::sync::Arc;

    /// Two hosts of one switch send to the third as often as they can.
    struct Flood(u32);

    impl Driver for Flood {
        fn generate(&mut self, source: u32, now: Cycle) -> Generation {
            self.0 += 1;
            let message = NewMessage { from: source, to: 2, payload: 300, flow: 0, level: 0 };
            Generation { message, next: (self.0 < 8).then_some(now + 100) }
        }

        fn route(&mut self, _: &Message) -> (u8, u32) {
            (0, 0)
        }

        fn delivered(&mut self, _: &Message, _: Cycle) {}
    }

    fn star() -> Network {
        let text =
            r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 3 } } }"#;
        Scenario::parse(text).unwrap().network.build().unwrap()
    }

    fn flooded(spec: &WormholeSpec) -> Wormhole {
        let network = star();
        assert_eq!(network.hosts()[HostId(2).index()].switch.index(), 0);
        let mut set = RouteSet::between(Ends::of(&network));
        set.push_route([]);
        set.finish_pair();
        let table = RouteTable::new(&network, vec![set]);
        let mut fabric = Wormhole::new(Arc::new(network), Arc::new(table), spec);
        fabric.start_source(0, 0);
        fabric.start_source(1, 0);
        fabric.run(700, &mut Flood(0), |_, _| false);
        fabric
    }

    #[test]
    fn a_sound_run_passes_its_checks() {
        let fabric = flooded(&WormholeSpec::default());
        assert_eq!(fabric.check(), Ok(()));
        assert!(fabric.channels.iter().any(|channel| channel.stop_sent), "a busy moment");
    }

    #[test]
    fn a_lost_message_is_noticed() {
        let mut fabric = flooded(&WormholeSpec::default());
        fabric.totals.generated += 1;
        assert!(fabric.check().unwrap_err().to_string().contains("messages lost"));
    }

    #[test]
    fn a_buffer_too_small_for_its_link_is_noticed() {
        // Validation refuses it: STOP at 56 lets up to 15 more flits arrive.
        let fabric = flooded(&WormholeSpec { buffer_flits: 60, ..WormholeSpec::default() });
        assert!(
            fabric.check().unwrap_err().to_string().contains("than its buffer of 60 flits holds")
        );
    }

    #[test]
    fn a_flit_counted_wrong_is_noticed() {
        let mut fabric = flooded(&WormholeSpec::default());
        let busy = fabric.channels.iter().position(|channel| channel.stop_sent).unwrap();
        fabric.channels[busy].removed += 100;
        assert!(fabric.check().unwrap_err().to_string().contains("taken out"));
    }
}
