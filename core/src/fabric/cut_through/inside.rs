//! The state of one switch or NIC, for the page's close-up; see [`crate::observe::Inside`].

use super::state::{NicLane, Stage};
use super::{CutThrough, NONE};
use crate::network::{ChannelId, End};
use crate::observe::{BufferInside, Inside, NicInside, Node, PortInside, Unit, Way, ports};

impl CutThrough {
    /// The state of a switch; empty if there is no such switch.
    pub fn inside(&self, switch: u32) -> Inside {
        let ports = ports(&self.layout.network, switch);
        let mports = |port: u16| u32::from(port) / self.layout.ports_per_mport;
        let ports_of_switch =
            self.layout.network.switches().get(switch as usize).map_or(0, |s| s.ports);
        let count = ports_of_switch.checked_sub(1).map_or(0, |last| mports(last) + 1);
        // The first of its central buffers among all, and their number.
        let links = self.layout.central_links;
        let first = ports
            .first()
            .map_or(0, |&(port, arrives, _)| self.layout.channels[arrives].in_mport - mports(port))
            * links;
        let centrals = if count > 1 { count * links } else { 0 };
        let base = self.output_ports.len() as u32 + first;
        let mut inside = Inside {
            switch,
            unit: Unit::Credits,
            ports: ports.iter().map(|&port| self.port_inside(port)).collect(),
            ports_per_mport: self.layout.ports_per_mport,
            central: (base..base + centrals).map(|output| self.fill(output)).collect(),
            ways: Vec::new(),
        };
        self.fill_inputs(&mut inside);
        let node = |input: u32| match ports.iter().find(|port| port.1 == input) {
            Some(&(port, ..)) => Node::Input(port),
            None => Node::Central((input - base) as u16),
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

    /// The state of a host's NIC; `None` if there is no such host.
    pub fn nic_inside(&self, host: u32) -> Option<NicInside> {
        let nic = self.nics.get(host as usize)?;
        let levels = self.layout.qos.levels();
        let injection = self.injection(host).0;
        let of_lane = |nic_lane: &NicLane| self.queue(nic_lane.transit.head).count() as u32;
        let lanes = self.layout.lanes;
        let output =
            self.port_inside((0, self.layout.network.reverse(ChannelId(injection)).0, injection));
        Some(NicInside {
            host,
            applications: (0..levels)
                .map(|level| self.application(host as usize * levels + level).count() as u32)
                .collect(),
            in_transit: self
                .nic_lanes
                .row(host as usize * lanes, lanes)
                .iter()
                .map(of_lane)
                .collect(),
            waiting_for_memory: nic.waiting_for_memory.len() as u32,
            memory: [nic.memory, self.layout.itb_memory],
            output: PortInside { input: BufferInside::default(), ..output },
        })
    }

    /// The input that the arbiter of an output served last.
    fn served_last(&self, output: u32) -> Option<u32> {
        Some(self.outputs[output].input).filter(|&input| input != NONE)
    }

    fn port_inside(&self, (port, arrives, leaves): (u16, u32, u32)) -> PortInside {
        let lanes = self.layout.lanes;
        let state = self.port(leaves as usize);
        let buffer = |capacity, used: &[u16]| BufferInside {
            capacity,
            used: used.iter().map(|&u| u.into()).collect(),
            marks: None,
        };
        let output_port = &self.output_ports[leaves];
        PortInside {
            port,
            arrives,
            leaves,
            input: buffer(self.layout.receiver(arrives).capacity, &vec![0; lanes]),
            output: buffer(state.capacity_credits[0], &state.buffered_credits),
            receiver: buffer(state.capacity_credits[1], &state.receiver_credits),
            sending: output_port
                .busy
                .then(|| (self.message_id(output_port.current), output_port.lane)),
            stopped: false,
            served: None,
            ready: state.ready_packets,
            scheduler: Some(state.scheduler),
        }
    }

    /// Counts the packets that are in input buffers or on their way there.
    fn fill_inputs(&self, inside: &mut Inside) {
        for p in self.packets.iter().filter(|p| p.stage == Stage::Receiver) {
            for port in inside.ports.iter_mut().filter(|port| port.arrives == p.at) {
                port.input.used[p.lane_in as usize] += u32::from(p.credits);
            }
        }
    }

    fn fill(&self, output: u32) -> BufferInside {
        let used =
            (0..self.layout.lanes).map(|l| self.space.used(output, l as u8).into()).collect();
        BufferInside { capacity: self.layout.space(output).capacity, used, marks: None }
    }

    /// The packet that crosses from an input, and those that request an output there.
    fn ways_from(&self, input: u32, from: Node, base: u32, ways: &mut Vec<Way>) {
        let node = |output: u32| {
            if self.layout.is_central(output) {
                return Node::Central((output - base) as u16);
            }
            match self.layout.network.channels()[ChannelId(output).index()].from {
                End::Switch(_, port) => Node::Output(port),
                End::Host(_) => from,
            }
        };
        let s = &self.inputs[input];
        if s.free_at > self.now {
            let message = self.message_id(s.packet);
            ways.push(Way { from, to: node(s.output), lane: s.last_lane, message, waiting: false });
        }
        for (lane, ring) in s.candidates[..self.layout.lanes].iter().enumerate() {
            if let Some(first) = ring.iter(&self.packets).next() {
                let (message, to) = (self.message_id(first), node(self.packets[first].output));
                ways.push(Way { from, to, lane: lane as u8, message, waiting: true });
            }
        }
    }
}
