//! RECN as a congestion management: which queue a packet joins, and which one sends next.

use super::{Join, Recn, Turns, lines_in, order_of, place};
use crate::engine::Cycle;
use crate::fabric::packet::congestion::{
    ByOrder, Changes, CongestionManagement, MaySend, PortBuffer, Queues,
};
use crate::fabric::packet::counters::Counters;
use crate::fabric::packet::lanes::{Lane, QueueId, QueueMask};
use crate::fabric::packet::state::{OutputQueue, Packet};
use crate::message::Message;
use crate::messages;
use crate::network::Network;
use crate::observe::{CongestionTrees, Saq, SaqCounts, SaqInside};
use crate::problem::Problems;
use crate::qos::schedulers::{Lanes, Scheduler};
use crate::routing::RouteTable;
use crate::scenario::{CongestionSpec, CutThroughSpec, MAX_LEVELS};
use std::sync::Arc;

impl CongestionManagement for Recn {
    /// A standard queue per level, and at most 64 SAQs.
    type Mask = u128;

    const SETS_ASIDE: bool = true;

    fn new(
        spec: &CutThroughSpec,
        network: &Arc<Network>,
        table: &Arc<RouteTable>,
        _: usize,
    ) -> Result<Self, Problems> {
        let (parameters, levels) = match spec.switch.congestion() {
            Some(CongestionSpec::Recn(recn)) => (recn.clone(), None),
            Some(CongestionSpec::RecnQos(levels)) => (levels.recn(), Some(levels)),
            _ => unreachable!("`with_switch!` gives each congestion management its own parameters"),
        };
        Self::with(&parameters, levels, spec, network, table)
    }

    fn queues(&self) -> usize {
        self.rules.levels.as_ref().map_or(1, |levels| levels.count) + self.saqs_per_port()
    }

    /// There is one lane.
    #[inline]
    fn lane(&self, _: PortBuffer, _: QueueId) -> Lane {
        Lane(0)
    }

    fn join(&mut self, buffer: PortBuffer, from: Option<u32>, packet: u32, p: &Packet) -> QueueId {
        let queue = self.choose(buffer, p);
        let (channel, side) = place(buffer);
        let port = &mut self.ports[channel][side];
        let waiting = &mut port.queues[usize::from(queue)];
        waiting.packets[order_of(p)] += 1;
        waiting.credits += u32::from(p.credits);
        if let Some(line) = port.line_of(queue) {
            port.lines[line].used = true;
        }
        if packet as usize >= self.joined.len() {
            self.joined.resize(packet as usize + 1, 0);
        }
        self.joined[packet as usize] = queue;
        let turns = match buffer {
            PortBuffer::Input(channel) if self.has_levels() => {
                self.rules.ways.of_packet(channel, p.out, p.set, (p.step, p.steps), p.to)
            }
            _ => Turns::default(),
        };
        let join = Join { channel: channel as u32, queue, from, level: p.level, turns };
        match buffer {
            PortBuffer::Input(_) => self.inputs_joined.push(join),
            PortBuffer::Output(_) => self.outputs_joined.push(join),
        }
        self.mark(self.rules.units[channel][side]);
        QueueId(queue)
    }

    /// The queue that the packet joined last.
    #[inline]
    fn queue(&self, _: PortBuffer, packet: u32, _: &Packet) -> QueueId {
        QueueId(self.joined.get(packet as usize).copied().unwrap_or(0))
    }

    fn leave(&mut self, buffer: PortBuffer, queue: QueueId, _: u32, p: &Packet) {
        let (channel, side) = place(buffer);
        let port = &mut self.ports[channel][side];
        let waiting = &mut port.queues[usize::from(queue.0)];
        let order = order_of(p);
        waiting.packets[order] -= 1;
        waiting.credits -= u32::from(p.credits);
        for line in lines_in(port.valid) {
            if let Some(marker) = &mut port.lines[line].marker
                && marker.queue == queue.0
            {
                marker.before[order] = marker.before[order].saturating_sub(1);
            }
        }
        self.mark(self.rules.units[channel][side]);
    }

    #[inline]
    fn is_stopped(&self, buffer: PortBuffer, queue: QueueId) -> bool {
        let (channel, side) = place(buffer);
        self.ports[channel][side].is_stopped(queue.0)
    }

    fn refuses(&self, p: &Packet) -> Option<QueueId> {
        let port = &self.ports[p.out as usize][0];
        if !self.has_levels() || port.valid == 0 {
            return None;
        }
        let queue = self.choose(PortBuffer::Output(p.out), p);
        let line = port.line_of(queue)?;
        port.lines[line].stopping.then_some(QueueId(queue))
    }

    fn manage(&mut self, now: Cycle, counters: Option<&Counters>) -> Option<Changes> {
        self.is_due(now).then(|| self.manage_lines(now, counters))
    }

    fn may_send(&self, buffer: PortBuffer, queue: QueueId) -> MaySend {
        self.wait_of(buffer, queue.0)
    }

    fn lane_of_scheduler(&self, _: QueueId, record: &Packet) -> u8 {
        let port = &self.ports[record.at as usize][0];
        if port.last.len() == 1 { 0 } else { record.level }
    }

    /// The queues take turns.
    fn next(
        &mut self,
        channel: u32,
        scheduler: &mut Scheduler,
        Queues { ready, records, counters, now }: Queues<u128>,
    ) -> Option<QueueId> {
        let counters = counters
            .filter(|_| self.rules.levels.as_ref().is_some_and(|levels| levels.smallest_first));
        let port = &mut self.ports[channel as usize][0];
        let may_send = ready & !(u128::from(port.stopped) << port.first_saq());
        if may_send == 0 {
            return None;
        }
        // The scheduler sees a lane for each standard queue, whose first packet is that of the
        // queue whose turn it is among this one and the SAQs of its level.
        let mut heads = [OutputQueue::EMPTY; MAX_LEVELS];
        let mut chosen = [QueueId(0); MAX_LEVELS];
        let mut ready = 0;
        for standard in 0..port.last.len() {
            let mine = may_send & port.queues_with(standard);
            // In turn, unless counters differ.
            let order = |queue: &QueueId| {
                let level = records[usize::from(queue.0)].head.level;
                let blocks = counters.map_or(0, |counters| counters.blocks(channel, level, now));
                (blocks, queue.0.wrapping_sub(port.last[standard] + 1))
            };
            let mut rest = mine;
            let each = std::iter::from_fn(|| rest.take_lowest());
            if let Some(next) = each.min_by_key(order) {
                ready |= 1 << standard;
                (heads[standard], chosen[standard]) = (records[usize::from(next.0)], next);
            }
        }
        let lanes = &heads[..port.last.len()];
        let standard = usize::from(scheduler.next(Lanes { ready, lanes, now })?);
        port.last[standard] = chosen[standard].0;
        Some(chosen[standard])
    }

    fn has_levels_at_nics(&self) -> bool {
        self.has_levels()
    }

    fn saqs(&self, now: Cycle) -> Vec<[SaqCounts; 2]> {
        self.ports.iter().map(|ends| ends.each_ref().map(|port| port.counts(now))).collect()
    }

    fn congestion_trees(&self) -> CongestionTrees {
        self.trees.lives()
    }

    fn saqs_in_use(&self, into: &mut Vec<Saq>) {
        self.add_saqs(into);
    }

    fn saqs_inside(&self, buffer: PortBuffer) -> (Vec<SaqInside>, u32) {
        (self.saqs_of(buffer).collect(), self.saqs_per_port() as u32)
    }

    fn saq_number(&self, channel: u32, queue: QueueId) -> Option<u8> {
        self.ports[channel as usize][1].line_of(queue.0).map(|line| line as u8)
    }

    #[inline]
    fn acts_next_cycle(&self) -> bool {
        self.is_marked()
    }

    fn check(&self, held: &dyn Fn(PortBuffer, QueueId) -> (ByOrder, u32)) -> Result<(), Message> {
        self.check_ports(held).map_err(messages::broken_saqs)
    }
}
