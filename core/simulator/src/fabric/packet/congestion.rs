//! The part of the fabric that is exchanged with the congestion management.
//!
//! A congestion management decides in which queue of a port a packet waits, and which of the queues
//! of an output port that can send does so. The fabric tells it when packets join and leave queues.
//! [`Unmanaged`] has one queue per lane, for which the port's scheduler chooses. [`Bypass`] has two
//! lanes share a virtual channel there. The input ports of switches with combined queues are apart:
//! their queues are those of the switch's scheme of queues, unless the management has set-aside
//! queues ([`CongestionManagement::SETS_ASIDE`]).
//!
//! A queue belongs to one lane: its packets use the credits and the buffer space of that lane.

use super::bypass::Bypass;
use super::counters::Counters;
use super::lanes::{Lane, QueueId, QueueMask};
use super::state::{OutputQueue, Packet};
use crate::engine::Cycle;
use crate::message::Message;
use crate::network::Network;
use crate::observe::{CongestedPoint, CongestionTrees, Saq, SaqCounts, SaqInside};
use crate::problem::Problems;
use crate::qos::schedulers::{Lanes, Scheduler};
use crate::routing::RouteTable;
use crate::scenario::CutThroughSpec;
use std::fmt::Debug;
use std::sync::Arc;

/// Where packets wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortBuffer {
    /// At the input port that this channel leads to.
    Input(u32),
    /// At the output port, of a switch or NIC, that this channel leaves.
    Output(u32),
}

/// Names the foremost packet of a queue or, at a NIC, the foremost of those in transit.
#[derive(Debug, Clone, Copy)]
pub struct HeadOfQueue {
    pub buffer: PortBuffer,
    pub queue: QueueId,
    pub in_transit: bool,
}

/// Whether the congestion management lets a queue send.
#[derive(Debug, Clone, Copy)]
pub enum MaySend {
    Yes,
    /// It may as soon as what has been sent to it arrives.
    Soon,
    /// Not before this packet, which came to the port earlier, leaves its queue.
    AfterMarker(HeadOfQueue),
    /// Not before this packet leaves its queue, which has no space for others.
    AfterSpace(HeadOfQueue),
}

/// A queue that may not send any longer, or that may send again.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    pub buffer: PortBuffer,
    pub queue: QueueId,
    pub is_stopped: bool,
}

/// What a congestion management has changed in phase 6 of a cycle, for the fabric.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    pub queues: Vec<Change>,
    /// Switches whose outputs may let packets cross that they did not before.
    pub switches: Vec<u32>,
    /// Control packets sent: when each arrives, and its channel.
    pub sent: Vec<(Cycle, u32)>,
    /// Set-aside queues allocated.
    pub allocated: Vec<(PortBuffer, CongestedPoint)>,
}

/// The number of packets in a queue, apart for those that leave it in different orders: at a NIC,
/// packets in transit come second; all others come first.
pub type ByOrder = [u32; 2];

/// The queues of an output port that can send.
#[derive(Clone, Copy)]
pub struct Queues<'a, M> {
    /// Those whose foremost packet is ready and fits the receiver's buffer.
    pub ready: M,
    /// All queues of the port.
    pub records: &'a [OutputQueue],
    /// If the arbiter uses them.
    pub counters: Option<&'a Counters>,
    pub now: Cycle,
}

/// A congestion management: its state at all ports of a network.
pub trait CongestionManagement: Clone + Debug {
    /// A set of queues of a port.
    type Mask: QueueMask;

    /// True if it decides in which queue a packet waits at an input port of a switch with combined
    /// queues. Otherwise the switch does.
    const SETS_ASIDE: bool = false;

    /// The management of a network without packets, whose links have `lanes` lanes.
    ///
    /// # Errors
    ///
    /// What it cannot do with these routes.
    fn new(
        spec: &CutThroughSpec,
        network: &Arc<Network>,
        table: &Arc<RouteTable>,
        lanes: usize,
    ) -> Result<Self, Problems>;

    /// Queues of each port, at most as many as its masks have bits.
    fn queues(&self) -> usize;

    /// The lane to which a queue belongs.
    fn lane(&self, buffer: PortBuffer, queue: QueueId) -> Lane;

    /// A packet joins a queue, which is returned. Its lane is [`lane_at`]. `from` is the channel
    /// that it has arrived on, if it crosses from an input port of a switch with combined queues.
    /// At such an input port, what is returned counts only with [`Self::SETS_ASIDE`].
    fn join(
        &mut self,
        buffer: PortBuffer,
        from: Option<u32>,
        packet: u32,
        record: &Packet,
    ) -> QueueId;

    /// The queue that a packet has joined or, on its way to `buffer`, would join now.
    fn queue(&self, buffer: PortBuffer, packet: u32, record: &Packet) -> QueueId;

    /// A packet leaves its queue.
    fn leave(&mut self, buffer: PortBuffer, queue: QueueId, packet: u32, record: &Packet);

    /// True if a queue may not send.
    #[inline]
    fn is_stopped(&self, _buffer: PortBuffer, _queue: QueueId) -> bool {
        false
    }

    /// The queue of its output that a packet at an input port would join, if it has no space.
    #[inline]
    fn refuses(&self, _record: &Packet) -> Option<QueueId> {
        None
    }

    /// Phase 6 of a cycle: what it changes, if there is anything to do.
    #[inline]
    fn manage(&mut self, _now: Cycle, _counters: Option<&Counters>) -> Option<Changes> {
        None
    }

    /// Whether a queue may send, and what it waits for.
    fn may_send(&self, _buffer: PortBuffer, _queue: QueueId) -> MaySend {
        MaySend::Yes
    }

    /// The lane as which the scheduler of an output port sees a queue that a packet has joined.
    fn lane_of_scheduler(&self, queue: QueueId, record: &Packet) -> u8;

    /// The queue of the output port of a channel that sends next, of those in the mask
    /// `queues.ready`. Its packet counts as sent.
    fn next(
        &mut self,
        channel: u32,
        scheduler: &mut Scheduler,
        queues: Queues<Self::Mask>,
    ) -> Option<QueueId>;

    /// True if the schedulers of NICs choose among service levels, each as a lane of its own.
    fn has_levels_at_nics(&self) -> bool {
        false
    }

    /// What set-aside queues did, per channel at its two ends; empty without any.
    fn saqs(&self, _now: Cycle) -> Vec<[SaqCounts; 2]> {
        Vec::new()
    }

    /// The lives of congestion trees.
    fn congestion_trees(&self) -> CongestionTrees {
        CongestionTrees::default()
    }

    /// Adds the set-aside queues in use, by channel.
    fn saqs_in_use(&self, _: &mut Vec<Saq>) {}

    /// The set-aside queues in use of a port, and how many it has.
    fn saqs_inside(&self, _: PortBuffer) -> (Vec<SaqInside>, u32) {
        (Vec::new(), 0)
    }

    /// The number of a queue at the input port of a channel among its set-aside queues; `None` if
    /// it is none of them.
    fn saq_number(&self, _channel: u32, _queue: QueueId) -> Option<u8> {
        None
    }

    /// True if it has something to do in the next cycle, without an event.
    #[inline]
    fn acts_next_cycle(&self) -> bool {
        false
    }

    /// Checks the state of all ports. `held` gives the packets and the credits in a queue.
    ///
    /// # Errors
    ///
    /// What is broken.
    fn check(&self, _held: &dyn Fn(PortBuffer, QueueId) -> (ByOrder, u32)) -> Result<(), Message> {
        Ok(())
    }
}

/// The lane on which a packet holds buffer space in a buffer.
#[inline]
pub fn lane_at(buffer: PortBuffer, record: &Packet) -> Lane {
    match buffer {
        PortBuffer::Input(_) => record.lane_in,
        PortBuffer::Output(_) => record.lane,
    }
}

/// No congestion management: a queue for each lane.
#[derive(Debug, Clone)]
pub struct Unmanaged {
    lanes: usize,
    bypass: Option<Box<Bypass>>,
}

impl CongestionManagement for Unmanaged {
    type Mask = u32;

    fn new(
        spec: &CutThroughSpec,
        network: &Arc<Network>,
        _: &Arc<RouteTable>,
        lanes: usize,
    ) -> Result<Self, Problems> {
        let bypass = Bypass::new(&spec.qos.bypass, network.channels().len());
        Ok(Self { lanes, bypass })
    }

    fn queues(&self) -> usize {
        self.lanes
    }

    #[inline]
    fn lane(&self, _: PortBuffer, queue: QueueId) -> Lane {
        Lane(queue.0)
    }

    #[inline]
    fn join(
        &mut self,
        buffer: PortBuffer,
        _: Option<u32>,
        packet: u32,
        record: &Packet,
    ) -> QueueId {
        self.queue(buffer, packet, record)
    }

    #[inline]
    fn queue(&self, buffer: PortBuffer, _: u32, record: &Packet) -> QueueId {
        QueueId(lane_at(buffer, record).0)
    }

    #[inline]
    fn leave(&mut self, _: PortBuffer, _: QueueId, _: u32, _: &Packet) {}

    fn lane_of_scheduler(&self, queue: QueueId, _: &Packet) -> u8 {
        self.bypass.as_ref().map_or(queue.0, |bypass| bypass.lane_of_scheduler(queue.0))
    }

    #[inline]
    fn next(
        &mut self,
        channel: u32,
        scheduler: &mut Scheduler,
        Queues { ready, records, now, .. }: Queues<u32>,
    ) -> Option<QueueId> {
        let lanes = Lanes { ready, lanes: records, now };
        let lane = match &mut self.bypass {
            None => scheduler.next(lanes),
            Some(bypass) => bypass.next(channel, scheduler, lanes),
        };
        lane.map(QueueId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiters::RoundRobinArbiter;
    use crate::fabric::packet::lanes::Lane;
    use crate::fabric::packet::state::Stage;
    use crate::fabric::packet::switch::Switch;
    use crate::fabric::packet::trace::{self, MessageSpec, Trace};
    use crate::fabric::packet::{Hierarchical, PacketFabric};
    use crate::network::{Host, HostId, Link, Network, Switch as NetworkSwitch, SwitchId};
    use crate::routing::Step;
    use crate::scenario::CutThroughSpec;
    use std::collections::BTreeMap;

    /// Two queues per lane, for even and for odd destinations, which send in turn.
    #[derive(Debug, Clone)]
    struct ByDestination {
        lanes: usize,
        /// The queue of each packet that waits, by its buffer.
        waiting: BTreeMap<(bool, u32, u32), u8>,
        /// Whether odd destinations sent last.
        odd_last: bool,
    }

    fn key(buffer: PortBuffer, packet: u32) -> (bool, u32, u32) {
        match buffer {
            PortBuffer::Input(channel) => (false, channel, packet),
            PortBuffer::Output(channel) => (true, channel, packet),
        }
    }

    impl CongestionManagement for ByDestination {
        type Mask = u32;

        fn new(
            _: &CutThroughSpec,
            _: &Arc<Network>,
            _: &Arc<RouteTable>,
            lanes: usize,
        ) -> Result<Self, Problems> {
            Ok(Self { lanes, waiting: BTreeMap::new(), odd_last: false })
        }

        fn queues(&self) -> usize {
            2 * self.lanes
        }

        fn lane(&self, _: PortBuffer, queue: QueueId) -> Lane {
            Lane(queue.0 % self.lanes as u8)
        }

        fn join(
            &mut self,
            buffer: PortBuffer,
            _: Option<u32>,
            packet: u32,
            record: &Packet,
        ) -> QueueId {
            let queue = self.queue(buffer, packet, record);
            let before = self.waiting.insert(key(buffer, packet), queue.0);
            assert_eq!(before, None, "a packet joins once");
            queue
        }

        fn queue(&self, buffer: PortBuffer, _: u32, record: &Packet) -> QueueId {
            let odd = (record.to % 2) as u8 * self.lanes as u8;
            QueueId(lane_at(buffer, record).0 + odd)
        }

        fn leave(&mut self, buffer: PortBuffer, queue: QueueId, packet: u32, _: &Packet) {
            let joined = self.waiting.remove(&key(buffer, packet));
            assert_eq!(joined, Some(queue.0), "a packet leaves the queue that it joined");
        }

        fn lane_of_scheduler(&self, queue: QueueId, _: &Packet) -> u8 {
            queue.0 % self.lanes as u8
        }

        fn next(
            &mut self,
            _: u32,
            scheduler: &mut Scheduler,
            queues: Queues<u32>,
        ) -> Option<QueueId> {
            let Queues { ready, records, now, .. } = queues;
            let mut heads = vec![OutputQueue::EMPTY; self.lanes];
            let (mut chosen, mut ready_lanes) = (vec![QueueId(0); self.lanes], 0);
            for lane in 0..self.lanes {
                let both = [lane, lane + self.lanes].map(|queue| QueueId(queue as u8));
                let order = if self.odd_last { both } else { [both[1], both[0]] };
                if let Some(queue) = order.into_iter().find(|queue| ready & u32::only(*queue) != 0)
                {
                    ready_lanes |= 1 << lane;
                    chosen[lane] = queue;
                    heads[lane] = records[queue.0 as usize];
                }
            }
            let lane = scheduler.next(Lanes { ready: ready_lanes, lanes: &heads, now })?;
            let queue = chosen[lane as usize];
            self.odd_last = usize::from(queue.0) >= self.lanes;
            Some(queue)
        }
    }

    type Managed = Hierarchical<RoundRobinArbiter, ByDestination>;

    /// Two switches with four hosts each; hosts 0 to 3 are on the first.
    fn network() -> Network {
        let switch = |name: &str| NetworkSwitch { name: name.into(), ports: 8, position: None };
        let host = |n: u16| Host {
            name: format!("h{n}"),
            switch: SwitchId(u32::from(n / 4)),
            port: n % 4,
            position: None,
        };
        let link = Link { a: (SwitchId(0), 4), b: (SwitchId(1), 4), delay_cycles: None };
        Network::new(vec![switch("s"), switch("t")], (0..8).map(host).collect(), vec![link])
    }

    fn message(network: &Network, generated: u64, from: u32, to: u32, payload: u32) -> MessageSpec {
        let crosses = (from < 4) != (to < 4);
        let between = network.channels().iter().position(|channel| {
            let host = |end| matches!(end, crate::network::End::Host(_));
            !host(channel.from)
                && !host(channel.to)
                && matches!(channel.from, crate::network::End::Switch(s, _) if s.0 == from / 4)
        });
        let channel = crate::network::ChannelId::new(between.expect("a link"));
        MessageSpec {
            generated,
            from: HostId(from),
            to: HostId(to),
            payload,
            level: 0,
            steps: crosses.then(|| Step::channel(channel)).into_iter().collect(),
        }
    }

    /// Everyone sends to everyone on the other switch, thirty times.
    fn crowd(network: &Network) -> Vec<MessageSpec> {
        let round = |n: u32| {
            (0..8_u32).map(move |from| {
                let to = (from + 4 + n % 4) % 8;
                let to = if (to < 4) == (from < 4) { (to + 4) % 8 } else { to };
                (u64::from(n) * 20, from, to, 64 + 100 * ((n + from) % 5))
            })
        };
        let all = (0..30).flat_map(round);
        all.map(|(at, from, to, payload)| message(network, at, from, to, payload)).collect()
    }

    fn run<S: Switch>(messages: &[MessageSpec], look: impl FnMut(&PacketFabric<S>)) -> Trace {
        let spec = CutThroughSpec::default();
        trace::run_watched::<S>(&network(), &spec, messages, 1_000_000, 1, look).expect("valid")
    }

    #[test]
    fn the_management_is_told_of_every_packet_that_waits() {
        let mut most = 0;
        let trace = run::<Managed>(&crowd(&network()), |fabric| {
            let told = |output: bool| {
                fabric.congestion.waiting.keys().filter(|key| key.0 == output).count()
            };
            let queued = |queue: &OutputQueue| fabric.queue(queue.packets.head).count();
            let at_outputs: usize = fabric.queues.iter().map(queued).sum();
            assert_eq!(told(true), at_outputs, "cycle {}", fabric.now());
            let mut at_inputs = 0;
            Managed::visit_queues(fabric, &mut |queue| {
                at_inputs += queue.filter(|&p| fabric.packets[p].stage == Stage::Receiver).count();
            });
            assert_eq!(told(false), at_inputs, "cycle {}", fabric.now());
            assert!(fabric.check().is_ok());
            most = most.max(at_inputs + at_outputs);
        });
        assert!(most > 20, "only {most} packets ever wait at once");
        assert!(trace.messages.iter().all(|message| message.delivered.is_some()));
    }

    #[test]
    fn messages_of_a_pair_keep_their_order() {
        let messages = crowd(&network());
        let trace = run::<Managed>(&messages, |_| {});
        let mut last = BTreeMap::new();
        for (spec, seen) in messages.iter().zip(&trace.messages) {
            let before = last.insert((spec.from, spec.to), seen.delivered);
            assert!(before.is_none_or(|before| before < seen.delivered), "{spec:?}");
        }
    }

    #[test]
    fn a_queue_is_not_a_lane() {
        // Hosts 5 and 6 fill host 4. Behind a message of host 0 for host 4 waits one for host 7.
        let network = network();
        let mut messages: Vec<MessageSpec> =
            (0..40).flat_map(|n| [5, 6].map(|from| message(&network, n, from, 4, 4096))).collect();
        messages.extend((0..40).map(|n| message(&network, 40 + n, 0, 4, 4096)));
        messages.push(message(&network, 90, 0, 7, 64));
        let last = |trace: Trace| {
            let delivered = |m: &trace::MessageTrace| m.delivered.expect("it arrives");
            delivered(trace.messages.last().expect("some"))
        };
        let alone = last(run::<Hierarchical<RoundRobinArbiter>>(&messages, |_| {}));
        let apart = last(run::<Managed>(&messages, |_| {}));
        assert!(
            3 * apart < 2 * alone,
            "{apart} cycles with queues by destination, {alone} without"
        );
    }
}
