//! The state of one switch, for the page's close-up; see [`crate::observe::Inside`].

use super::state::InputQueueId;
use super::{Fabric, Hierarchical};
use crate::arbiters::Arbiter;
use crate::fabric::packet::congestion::CongestionManagement;
use crate::fabric::packet::lanes::Lane;
use crate::fabric::packet::layout::NONE;
use crate::network::{ChannelId, End};
use crate::observe::{BufferInside, Inside, Node, Unit, Way, ports};

impl<A: Arbiter, C: CongestionManagement> Fabric<A, C> {
    /// The state of a switch; empty if there is no such switch.
    pub(super) fn inside_switch(&self, switch: u32) -> Inside {
        let wiring = &*self.switch.wiring;
        let ports = ports(&self.layout.network, switch);
        let mports = |port: u16| u32::from(port) / wiring.ports_per_mport;
        let ports_of_switch =
            self.layout.network.switches().get(switch as usize).map_or(0, |s| s.ports);
        let count = ports_of_switch.checked_sub(1).map_or(0, |last| mports(last) + 1);
        // The first of its central buffers among all, and their number.
        let links = wiring.central_links;
        let first = ports
            .first()
            .map_or(0, |&(port, arrives, _)| wiring.ports[arrives].in_mport - mports(port))
            * links;
        let centrals = if count > 1 { count * links } else { 0 };
        let base = self.output_ports.len() as u32 + first;
        let mut inside = Inside {
            switch,
            unit: Unit::Credits,
            ports: ports.iter().map(|&port| self.port_inside(port)).collect(),
            ports_per_mport: Some(wiring.ports_per_mport),
            central: (base..base + centrals).map(|output| self.fill(output)).collect(),
            ways: Vec::new(),
            queues: Vec::new(),
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

    /// The input that the arbiter of an output served last.
    fn served_last(&self, output: u32) -> Option<u32> {
        Some(self.switch.outputs[output].input).filter(|&input| input != NONE)
    }

    /// A central buffer.
    fn fill(&self, node: u32) -> BufferInside {
        let Hierarchical { wiring, central_space, .. } = &self.switch;
        let central = wiring.central(node);
        let used =
            Lane::all(self.layout.lanes).map(|l| central_space.used(central, l).into()).collect();
        BufferInside { capacity: wiring.central.capacity, used, marks: None }
    }

    /// The packet that crosses from an input, and those that request an output there.
    fn ways_from(&self, input: u32, from: Node, base: u32, ways: &mut Vec<Way>) {
        let node = |output: u32| {
            if self.switch.wiring.is_central(output) {
                return Node::Central((output - base) as u16);
            }
            match self.layout.network.channels()[ChannelId(output).index()].from {
                End::Switch(_, port) => Node::Output(port),
                End::Host(_) => from,
            }
        };
        let s = &self.switch.inputs[input];
        if s.free_at > self.now {
            let message = self.message_id(s.packet);
            ways.push(Way {
                from,
                to: node(s.output),
                lane: self.lane_of(input, s.queue).0,
                message,
                waiting: false,
            });
        }
        for (queue, ring) in (0..).map(InputQueueId).zip(&s.candidates[..self.layout.queues]) {
            if let Some(first) = ring.iter(&self.packets).next() {
                let (message, to) = (self.message_id(first), node(self.packets[first].output));
                let lane = self.lane_of(input, queue).0;
                ways.push(Way { from, to, lane, message, waiting: true });
            }
        }
    }
}
