//! Connections inside the switches: which port belongs to which MPort, and the slots of arbiters.

use super::stages::Stages;
use crate::engine::numbered::Numbered;
use crate::fabric::packet::layout::NONE;
use crate::network::{End, Network};
use crate::qos::{Limits, Qos};
use crate::scenario::CutThroughSpec;

/// Where a channel is connected in the switches at its ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Port {
    /// MPort of the receiving port, counted over the whole network; `NONE` for a host.
    pub in_mport: u32,
    /// MPort of the sending port; `NONE` for a host.
    pub out_mport: u32,
    /// Which of its MPort's central buffers leads to the sending port.
    pub central: u8,
    /// Slot of the receiving port in the arbiters of central buffers, and of output buffers.
    pub slots: [u8; 2],
}

/// What stays the same during a run: the ports of all channels, the slots of all arbiters, stage
/// times, and the division of central buffers.
#[derive(Debug)]
pub(super) struct Wiring {
    /// Per channel.
    pub ports: Numbered<Port>,
    /// Central buffer `k` is number `ports.len() + k` among crossbar inputs and outputs.
    /// `central_slots[k]` is its slot in the arbiters of output buffers.
    central_slots: Numbered<u8>,
    /// The inputs at the slots of crossbar output `t` begin at `slots[slot_base[t]]`.
    slot_base: Numbered<u32>,
    slots: Numbered<u32>,
    pub central_links: u32,
    pub ports_per_mport: u32,
    pub central: Limits,
    pub stages: Stages,
    /// Most credits that other packets can reserve in an output buffer in the cycle in which one
    /// does.
    pub concurrent_credits: u32,
}

impl Wiring {
    pub fn new(network: &Network, spec: &CutThroughSpec, qos: &Qos) -> Self {
        let (size, links) = (spec.ports_per_mport as usize, spec.central_links as usize);
        let mports: Vec<usize> =
            network.switches().iter().map(|s| (s.ports as usize).div_ceil(size)).collect();
        let first: Vec<usize> =
            mports.iter().scan(0, |sum, &n| Some(std::mem::replace(sum, *sum + n))).collect();
        let centrals = |switch: usize| if mports[switch] > 1 { mports[switch] * links } else { 0 };
        let mut ports = Vec::new();
        // Per MPort and port in it: the channel that arrives there.
        let mut arriving = vec![NONE; mports.iter().sum::<usize>() * size];
        for (c, channel) in network.channels().iter().enumerate() {
            let mut port_of = Port { in_mport: NONE, out_mport: NONE, central: 0, slots: [0; 2] };
            match channel.from {
                End::Host(_) => {}
                End::Switch(s, port) => {
                    port_of.out_mport = (first[s.index()] + port as usize / size) as u32;
                    port_of.central = (u32::from(port) % spec.central_links) as u8;
                }
            }
            match channel.to {
                End::Host(_) => {}
                End::Switch(s, port) => {
                    let mport = first[s.index()] + port as usize / size;
                    let within = port as usize % size;
                    port_of.in_mport = mport as u32;
                    port_of.slots = [within as u8, (centrals(s.index()) + within) as u8];
                    arriving[mport * size + within] = c as u32;
                }
            }
            ports.push(port_of);
        }
        let mut central_slots = Vec::new();
        for n in &mports {
            central_slots.extend((0..n * links).map(|k| k as u8));
        }
        // The output buffers of one MPort share a list of slots: the central buffers of the switch,
        // then the input ports of the MPort. The latter are the slots of its central buffers.
        let (mut of_outputs, mut of_centrals, mut slots) = (Vec::new(), Vec::new(), Vec::new());
        for (switch, &n) in mports.iter().enumerate() {
            let base = ports.len() + first[switch] * links;
            for mport in first[switch]..first[switch] + n {
                of_outputs.push(slots.len() as u32);
                slots.extend((0..centrals(switch)).map(|k| (base + k) as u32));
                of_centrals.extend(vec![slots.len() as u32; links]);
                slots.extend(&arriving[mport * size..][..size]);
            }
        }
        let of_output =
            |port: &Port| of_outputs.get(port.out_mport as usize).copied().unwrap_or(NONE);
        let slot_base = ports.iter().map(of_output).chain(of_centrals).collect();
        let most_mports = mports.into_iter().max().unwrap_or(0) as u32;
        let mtu = qos.tables.largest_on_lanes().into_iter().max().unwrap_or(0);
        Self {
            ports: ports.into(),
            central_slots: central_slots.into(),
            slot_base,
            slots: slots.into(),
            central_links: spec.central_links,
            ports_per_mport: spec.ports_per_mport,
            central: qos.switch[0].clone(),
            stages: Stages::new(spec),
            concurrent_credits: most_mports.saturating_sub(1) * mtu.div_ceil(spec.credit_bytes),
        }
    }

    /// Number of crossbar inputs, and of outputs: one per channel and one per central buffer.
    pub fn nodes(&self) -> usize {
        self.ports.len() + self.central_slots.len()
    }

    /// True if a crossbar input or output is a central buffer.
    #[inline]
    pub fn is_central(&self, node: u32) -> bool {
        node as usize >= self.ports.len()
    }

    /// The number of a central buffer among central buffers.
    #[inline]
    pub fn central(&self, node: u32) -> u32 {
        node - self.ports.len() as u32
    }

    /// The crossbar output wanted by a packet that arrives on one channel and leaves on another,
    /// and the slot of the input port there.
    #[inline]
    pub fn output(&self, arrives: u32, leaves: u32) -> (u32, u8) {
        let (arrives, l) = (&self.ports[arrives], &self.ports[leaves]);
        if arrives.in_mport == l.out_mport {
            (leaves, arrives.slots[1])
        } else {
            let central = arrives.in_mport * self.central_links + u32::from(l.central);
            (self.ports.len() as u32 + central, arrives.slots[0])
        }
    }

    /// The crossbar input at a slot of an output.
    #[inline]
    pub fn input(&self, output: u32, slot: u8) -> u32 {
        self.slots[self.slot_base[output] + u32::from(slot)]
    }

    /// The slot of a central buffer in the arbiters of output buffers.
    #[inline]
    pub fn central_slot(&self, node: u32) -> u8 {
        self.central_slots[self.central(node)]
    }
}
