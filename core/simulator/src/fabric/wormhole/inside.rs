//! The state of one switch, for the page's close-up; see [`crate::observe::Inside`].

use super::Wormhole;
use super::channel::Front;
use super::state::NONE;
use crate::network::End;
use crate::observe::{BufferInside, Inside, Node, PortInside, Unit, Way, ports};

impl Wormhole {
    /// The state of a switch; empty if there is no such switch.
    pub fn inside(&self, switch: u32) -> Inside {
        let ports = ports(&self.network, switch);
        let number = |slot: u32| self.messages[slot as usize].id;
        let output = |channel: u32| match self.network.channels()[channel as usize].from {
            End::Switch(_, port) => Some(Node::Output(port)),
            End::Host(_) => None,
        };
        let way = |&(port, arrives, _): &(u16, u32, u32)| {
            let channel = &self.channels[arrives as usize];
            let worm = channel.worms.front()?;
            let asks =
                (channel.front == Front::Waiting || channel.front.moves()) && channel.wants != NONE;
            let waiting = channel.front == Front::Waiting;
            let to = asks.then(|| output(channel.wants)).flatten()?;
            Some(Way {
                from: Node::Input(port),
                to,
                lane: 0,
                message: number(worm.message),
                waiting,
            })
        };
        let inside = |&(port, arrives, leaves): &(u16, u32, u32)| {
            let (input, out) = (&self.channels[arrives as usize], &self.channels[leaves as usize]);
            PortInside {
                port,
                arrives,
                leaves,
                input: BufferInside {
                    capacity: self.clock.params.buffer as u32,
                    used: vec![input.occupancy(self.clock.now) as u32],
                    marks: Some((self.clock.params.stop as u32, self.clock.params.go as u32)),
                },
                sending: out.is_held().then(|| (number(out.holder), 0)),
                stopped: out.stopped,
                served: (out.last_granted != u8::MAX)
                    .then_some(Node::Input(u16::from(out.last_granted))),
                ..PortInside::default()
            }
        };
        Inside {
            switch,
            unit: Unit::Flits,
            ports: ports.iter().map(inside).collect(),
            ports_per_mport: None,
            central: Vec::new(),
            ways: ports.iter().filter_map(way).collect(),
            queues: Vec::new(),
        }
    }
}
