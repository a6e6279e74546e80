//! Connections inside the switches: which channels are at which port, and the numbers of queues.

use crate::engine::numbered::Numbered;
use crate::fabric::packet::lanes::{Lane, QueueId};
use crate::fabric::packet::layout::NONE;
use crate::network::{End, Network};
use crate::queue_schemes::QueueScheme;

/// A port of a switch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Port {
    /// Its switch, and the number of that switch's port 0.
    pub switch: u32,
    pub first: u32,
    /// Its number in the switch.
    pub number: u8,
    /// The channel that arrives and the one that leaves; `NONE` without a cable.
    pub arrives: u32,
    pub leaves: u32,
    /// The number of its pair with output 0.
    first_pair: u32,
    /// The number of its first queue; queues of a lane.
    first_queue: u32,
    queues_per_lane: u32,
}

/// What stays the same during a run. The ports of all switches share one numbering; so do the pairs
/// of an input port and an output port of one switch, and the queues of all input ports.
#[derive(Debug)]
pub(super) struct Wiring {
    /// Per channel: the port it leads to and the port it leaves by; `NONE` at a host.
    pub inputs: Numbered<u32>,
    pub outputs: Numbered<u32>,
    pub ports: Numbered<Port>,
    /// Per switch: the number of its port 0, and its number of ports.
    pub switches: Numbered<(u32, u8)>,
    pub scheme: QueueScheme,
    lanes: u32,
    /// Numbers of pairs and of queues.
    pub pairs: usize,
    pub queues: usize,
}

impl Wiring {
    pub fn new(network: &Network, scheme: QueueScheme, lanes: usize, saqs: u32) -> Self {
        let (mut ports, mut switches) = (Numbered::new(), Numbered::new());
        for (i, switch) in network.switches().iter().enumerate() {
            let first = ports.len() as u32;
            switches.push((first, switch.ports as u8));
            for number in 0..switch.ports as u8 {
                ports.push(Port {
                    switch: i as u32,
                    first,
                    number,
                    arrives: NONE,
                    leaves: NONE,
                    first_pair: 0,
                    first_queue: 0,
                    queues_per_lane: 0,
                });
            }
        }
        let port_at = |end: End| match end {
            End::Host(_) => NONE,
            End::Switch(switch, port) => switches[switch.index()].0 + u32::from(port),
        };
        let inputs: Numbered<u32> = network.channels().iter().map(|c| port_at(c.to)).collect();
        let outputs: Numbered<u32> = network.channels().iter().map(|c| port_at(c.from)).collect();
        let (mut pairs, mut queues) = (0, 0);
        for (channel, (&input, &output)) in (0..).zip(inputs.iter().zip(outputs.iter())) {
            if output != NONE {
                ports[output].leaves = channel;
            }
            if input != NONE {
                let of_switch = &network.switches()[ports[input].switch as usize];
                let port = &mut ports[input];
                port.arrives = channel;
                port.queues_per_lane =
                    scheme.queues_per_lane(of_switch.ports, network.hosts().len()) + saqs;
                (port.first_pair, port.first_queue) = (pairs as u32, queues as u32);
                pairs += usize::from(of_switch.ports);
                queues += lanes * port.queues_per_lane as usize;
            }
        }
        Self { inputs, outputs, ports, switches, scheme, lanes: lanes as u32, pairs, queues }
    }

    /// The channel that leaves by an output of the switch of an input port.
    #[inline]
    pub fn leaves(&self, input: u32, output: u8) -> u32 {
        self.ports[self.ports[input].first + u32::from(output)].leaves
    }

    /// The pair of an input port and an output of its switch.
    #[inline]
    pub fn pair(&self, input: u32, output: u8) -> u32 {
        self.ports[input].first_pair + u32::from(output)
    }

    /// The list of the queues of a lane that want the output of a pair.
    #[inline]
    pub fn line(&self, pair: u32, lane: Lane) -> u32 {
        pair * self.lanes + u32::from(lane.0)
    }

    /// The queue of an input port with this number, where there is one lane.
    #[inline]
    pub fn queue_with_number(&self, input: u32, number: QueueId) -> u32 {
        self.ports[input].first_queue + u32::from(number.0)
    }

    /// The number of a queue at its input port, where there is one lane.
    pub fn number_of_queue(&self, input: u32, queue: u32) -> QueueId {
        QueueId((queue - self.ports[input].first_queue) as u8)
    }

    /// The queues of all lanes at an input port.
    pub fn queues_at(&self, input: u32) -> std::ops::Range<u32> {
        let port = &self.ports[input];
        port.first_queue..port.first_queue + self.lanes * port.queues_per_lane
    }

    /// The queue at an input port of packets on a lane that leave by an output, for a host.
    #[inline]
    pub fn queue(&self, input: u32, lane: Lane, output: u8, to: u16) -> u32 {
        let port = &self.ports[input];
        port.first_queue + self.scheme.index(output, to) * self.lanes + u32::from(lane.0)
    }
}
