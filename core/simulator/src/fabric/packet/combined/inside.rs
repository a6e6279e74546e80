//! The state of one switch, for the page's close-up; see [`crate::observe::Inside`].

use super::Fabric;
use super::state::PortMask;
use crate::fabric::packet::congestion::CongestionManagement;
use crate::fabric::packet::layout::NONE;
use crate::fabric::packet::state::{Packet, Stage};
use crate::observe::{Inside, Node, PortInside, QueueInside, QueueOf, Through, Unit, Way, ports};
use crate::routing::Hop;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Most groups of packets listed for an output.
const GROUPS_SHOWN: usize = 8;

impl<C: CongestionManagement, P: PortMask> Fabric<C, P> {
    /// The state of a switch; empty if there is no such switch.
    pub(super) fn inside_switch(&self, switch: u32) -> Inside {
        let wiring = &self.switch.wiring;
        let ports = ports(&self.layout.network, switch);
        let mut inside = Inside {
            switch,
            unit: Unit::Credits,
            ports: ports.iter().map(|&port| self.port_inside(port)).collect(),
            ports_per_mport: None,
            central: Vec::new(),
            ways: Vec::new(),
            queues: Vec::new(),
        };
        self.fill_inputs(&mut inside);
        self.fill_through(&mut inside.ports);
        for port in &mut inside.ports {
            let output = &self.switch.outputs[wiring.outputs[port.leaves]];
            port.served = output.input.map(|input| Node::Input(input.into()));
        }
        for &(port, arrives, _) in &ports {
            let from = Node::Input(port);
            let input = wiring.inputs[arrives];
            let s = &self.switch.inputs[input];
            if self.sends(input) {
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
        let mut packets = self.packets_in(queue).peekable();
        let first = &self.packets[*packets.peek()?];
        let output = u16::from(first.slot);
        let scheme = self.switch.wiring.scheme;
        let mut inside = QueueInside {
            input,
            lane: first.lane_in.0,
            of: match self.saq_number(queue, first.at) {
                Some(saq) => QueueOf::Saq(saq),
                None => scheme.queue_of(scheme.index(first.slot, first.to)),
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

    /// The number of a queue at the input port of a channel among its set-aside queues.
    fn saq_number(&self, queue: u32, arrives: u32) -> Option<u8> {
        let wiring = &self.switch.wiring;
        let number = wiring.number_of_queue(wiring.inputs[arrives], queue);
        self.congestion.saq_number(arrives, number)
    }

    /// Finds the packets that are to go through the outputs of some ports.
    fn fill_through(&self, ports: &mut [PortInside]) {
        let mut groups: BTreeMap<(u32, u32, u16, u8), u32> = BTreeMap::new();
        for p in self.packets.iter().filter(|p| p.stage != Stage::Free) {
            let from = self.messages[p.message].seen.from;
            for leaves in self.channels_before(p) {
                if ports.iter().any(|port| port.leaves == leaves) {
                    *groups.entry((leaves, from, p.to, p.level)).or_default() +=
                        u32::from(p.credits);
                }
            }
        }
        for port in ports {
            let mut through: Vec<Through> = groups
                .range((port.leaves, 0, 0, 0)..(port.leaves + 1, 0, 0, 0))
                .map(|(&(_, from, to, level), &credits)| Through {
                    from,
                    to: to.into(),
                    level,
                    credits,
                })
                .collect();
            port.through_in_all = through.iter().map(|group| group.credits).sum();
            through.sort_by_key(|group| Reverse(group.credits));
            through.truncate(GROUPS_SHOWN);
            port.through = through;
        }
    }

    /// The channels that a packet has yet to enter.
    fn channels_before(&self, p: &Packet) -> Vec<u32> {
        let next = match p.stage {
            Stage::Receiver | Stage::Inside => p.out,
            Stage::Output | Stage::SendBuffer | Stage::Memory | Stage::Free => p.at,
        };
        if p.stage == Stage::Receiver && self.layout.receiving_host(p.at) != NONE {
            return Vec::new();
        }
        let steps = &self.layout.table.sets[p.set as usize].steps()[p.step as usize..];
        let along = steps[..usize::from(p.steps)].iter().filter_map(|step| match step.hop() {
            Hop::Channel(channel) => Some(channel.0),
            Hop::InTransit(_) => None,
        });
        let mut channels: Vec<u32> = std::iter::once(next).chain(along).collect();
        channels.push(self.layout.ejection(p.to.into()));
        channels.dedup();
        channels
    }
}
