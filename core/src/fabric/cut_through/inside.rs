//! The inside of a switch, for those who look.

use super::state::{Mix, Stage};
use super::{CutThrough, NONE};
use crate::network::{ChannelId, End};
use crate::observe::{BufferInside, Inside, NicInside, Node, PortInside, Unit, Way, ports};

impl CutThrough {
    /// What there is to see inside a switch now; nothing of one that is not there.
    pub fn inside(&self, switch: u32) -> Inside {
        let ports = ports(&self.plan.network, switch);
        let mports = |port: u16| u32::from(port) / self.plan.ports_per_mport;
        let ports_of_switch =
            self.plan.network.switches().get(switch as usize).map_or(0, |s| s.ports);
        let count = ports_of_switch.checked_sub(1).map_or(0, |last| mports(last) + 1);
        // Numbers of the first of its central buffers among all, and how many there are.
        let links = self.plan.central_links;
        let first = ports
            .first()
            .map_or(0, |&(port, arrives, _)| self.plan.channels[arrives].in_mport - mports(port))
            * links;
        let centrals = if count > 1 { count * links } else { 0 };
        let base = self.senders.len() as u32 + first;
        let mut inside = Inside {
            switch,
            unit: Unit::Credits,
            ports: ports.iter().map(|&port| self.port_inside(port)).collect(),
            ports_per_mport: self.plan.ports_per_mport,
            central: (base..base + centrals).map(|target| self.fill(target)).collect(),
            ways: Vec::new(),
        };
        self.fill_inputs(&mut inside);
        let node = |source: u32| match ports.iter().find(|port| port.1 == source) {
            Some(&(port, ..)) => Node::Input(port),
            None => Node::Central((source - base) as u16),
        };
        for port in &mut inside.ports {
            port.served = self.served_last(port.leaves).map(node);
        }
        for &(port, arrives, _) in &ports {
            self.ways_from(arrives, Node::Input(port), base, &mut inside.ways);
        }
        for central in 0..centrals {
            self.ways_from(base + central, Node::Central(central as u16), base, &mut inside.ways);
        }
        inside
    }

    /// What there is to see inside a host's NIC.
    pub fn nic_inside(&self, host: u32) -> Option<NicInside> {
        let nic = self.nics.get(host as usize)?;
        let levels = self.plan.qos.levels();
        let injection = self.injection(host).0;
        let of_lane = |mix: &Mix| self.queue(mix.transit.head).count() as u32;
        let lanes = self.plan.lanes;
        let output =
            self.port_inside((0, self.plan.network.reverse(ChannelId(injection)).0, injection));
        Some(NicInside {
            host,
            applications: (0..levels)
                .map(|level| self.application(host as usize * levels + level).count() as u32)
                .collect(),
            in_transit: self.mixes.row(host as usize * lanes, lanes).iter().map(of_lane).collect(),
            waiting_for_memory: nic.queued.len() as u32,
            memory: [nic.memory, self.plan.itb_memory],
            output: PortInside { input: BufferInside::default(), ..output },
        })
    }

    /// The source that the arbiter of a target served last.
    fn served_last(&self, target: u32) -> Option<u32> {
        Some(self.targets[target].source).filter(|&source| source != NONE)
    }

    fn port_inside(&self, (port, arrives, leaves): (u16, u32, u32)) -> PortInside {
        let lanes = self.plan.lanes;
        let state = self.port(leaves as usize);
        let buffer = |capacity, used: &[u16]| BufferInside {
            capacity,
            used: used.iter().map(|&u| u.into()).collect(),
            marks: None,
        };
        let sender = &self.senders[leaves];
        PortInside {
            port,
            arrives,
            leaves,
            input: buffer(self.plan.receiver(arrives).capacity, &vec![0; lanes]),
            output: buffer(state.capacity_credits[0], &state.buffered_credits),
            receiver: buffer(state.capacity_credits[1], &state.receiver_credits),
            sending: sender.busy.then(|| (self.number(sender.current), sender.lane)),
            stopped: false,
            served: None,
            ready: state.ready_packets,
            scheduler: Some(state.scheduler),
        }
    }

    /// Packets that are in input buffers or begin to arrive there.
    fn fill_inputs(&self, inside: &mut Inside) {
        for p in self.packets.iter().filter(|p| p.stage == Stage::Receiver) {
            for port in inside.ports.iter_mut().filter(|port| port.arrives == p.at) {
                port.input.used[p.lane_in as usize] += u32::from(p.credits);
            }
        }
    }

    fn fill(&self, target: u32) -> BufferInside {
        let used = (0..self.plan.lanes).map(|l| self.space.used(target, l as u8).into()).collect();
        BufferInside { capacity: self.plan.space(target).capacity, used, marks: None }
    }

    /// Who crosses from a source, and who asks to.
    fn ways_from(&self, source: u32, from: Node, base: u32, ways: &mut Vec<Way>) {
        let node = |target: u32| {
            if self.plan.is_central(target) {
                return Node::Central((target - base) as u16);
            }
            match self.plan.network.channels()[ChannelId(target).index()].from {
                End::Switch(_, port) => Node::Output(port),
                End::Host(_) => from,
            }
        };
        let s = &self.sources[source];
        if s.free_at > self.now {
            let message = self.number(s.packet);
            ways.push(Way { from, to: node(s.target), lane: s.last_lane, message, waiting: false });
        }
        for (lane, ring) in s.candidates[..self.plan.lanes].iter().enumerate() {
            if let Some(first) = ring.iter(&self.packets).next() {
                let (message, to) = (self.number(first), node(self.packets[first].target));
                ways.push(Way { from, to, lane: lane as u8, message, waiting: true });
            }
        }
    }
}
