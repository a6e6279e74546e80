//! The state of one switch, for the page's close-up; see [`crate::observe::Inside`].

use super::Fabric;
use crate::observe::{Inside, Node, QueueInside, QueueOf, Unit, Way, ports};
use crate::switches::QueueScheme;

impl Fabric {
    /// The state of a switch; empty if there is no such switch.
    pub(super) fn inside_switch(&self, switch: u32) -> Inside {
        let wiring = &self.switch.wiring;
        let ports = ports(&self.layout.network, switch);
        let mut inside = Inside {
            switch,
            unit: Unit::Credits,
            ports: ports.iter().map(|&port| self.port_inside(port)).collect(),
            // One crossbar.
            ports_per_mport: u32::from(u16::MAX),
            central: Vec::new(),
            ways: Vec::new(),
            queues: Vec::new(),
        };
        self.fill_inputs(&mut inside);
        for port in &mut inside.ports {
            let output = &self.switch.outputs[wiring.outputs[port.leaves]];
            port.served = output.input.map(|input| Node::Input(input.into()));
        }
        for &(port, arrives, _) in &ports {
            let from = Node::Input(port);
            let input = wiring.inputs[arrives];
            let s = &self.switch.inputs[input];
            if s.free_at > self.now {
                let (message, to) = (self.message_id(s.packet), Node::Output(s.output.into()));
                inside.ways.push(Way { from, to, lane: s.lane.0, message, waiting: false });
            }
            for line in self.lines_of(input) {
                let first = self.first_of_line(line);
                let p = &self.packets[first];
                let (message, to) = (self.message_id(first), Node::Output(p.slot.into()));
                inside.ways.push(Way { from, to, lane: p.lane_in.0, message, waiting: true });
            }
            let queues = wiring.queues_at(input);
            inside.queues.extend(queues.filter_map(|queue| self.queue_inside(port, queue)));
        }
        inside
    }

    /// The state of a queue at an input port; `None` if it is empty.
    fn queue_inside(&self, input: u16, queue: u32) -> Option<QueueInside> {
        let mut packets = self.switch.queues[queue].iter(&self.packets).peekable();
        let first = &self.packets[*packets.peek()?];
        let output = u16::from(first.slot);
        let mut inside = QueueInside {
            input,
            lane: first.lane_in.0,
            of: match self.switch.wiring.scheme {
                QueueScheme::None => QueueOf::Lane,
                QueueScheme::VoqSwitch => QueueOf::Output(output),
                QueueScheme::VoqNetwork => QueueOf::Host(first.to.into()),
            },
            output,
            packets: 0,
            credits: 0,
        };
        for packet in packets {
            inside.packets += 1;
            inside.credits += u32::from(self.packets[packet].credits);
        }
        Some(inside)
    }
}
