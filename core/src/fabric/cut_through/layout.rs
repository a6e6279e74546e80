//! What stays the same during a run: connections, stage times, tables and buffer limits.

use super::layers;
use super::wiring::Wiring;
use crate::engine::numbered::Numbered;
use crate::network::{ChannelId, Network};
use crate::problem::Problems;
use crate::qos::schedulers::Scheduler;
use crate::qos::{Limits, Qos, QosTables};
use crate::routing::{Hop, RouteTable};
use crate::scenario::{ChannelRule, CutThroughSpec};
use std::sync::Arc;

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// A channel and the ports at its ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChannelLayout {
    pub delay: u32,
    /// MPort of the receiving port, counted over the whole network; `NONE` for a host.
    pub in_mport: u32,
    /// MPort of the sending port; `NONE` for a host.
    pub out_mport: u32,
    /// Which of its MPort's central buffers leads to the sending port.
    pub central: u8,
    /// Slot of the receiving port in the arbiters of central buffers, and of output buffers.
    pub slots: [u8; 2],
}

/// Stage times in cycles, and rates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub injection: u64,
    /// From the arrival of the first flit at an input until the packet is a candidate.
    pub input: u64,
    pub buffering: u64,
    pub crossbar: u64,
    /// From a grant until the packet is a candidate at the central buffer.
    pub central: u64,
    /// From a grant until the packet is ready at the output buffer.
    pub output: u64,
    pub itb: u64,
    /// From a scheduler's decision until the first flit is sent.
    pub scheduling: u64,
    mport_rate: Rate,
    central_rate: Rate,
}

/// The reciprocal of flits per cycle, times 2^32: dividing by it is a multiplication.
#[derive(Debug, Clone, Copy)]
struct Rate(u64);

impl Rate {
    fn new(flits_per_cycle: u32) -> Self {
        Self((1_u64 << 32).div_ceil(flits_per_cycle.into()))
    }
}

#[derive(Debug)]
pub(super) struct Layout {
    pub network: Arc<Network>,
    pub table: Arc<RouteTable>,
    pub qos: QosTables,
    pub lanes: usize,
    pub channels: Numbered<ChannelLayout>,
    pub first_of_hosts: u32,
    /// Central buffer `k` is number `channels.len() + k` among crossbar inputs and outputs.
    /// `central_slots[k]` is its slot in the arbiters of output buffers.
    pub central_slots: Numbered<u8>,
    pub central_links: u32,
    pub ports_per_mport: u32,
    /// The inputs at the slots of crossbar output `t` begin at `slots[slot_base[t]]`.
    pub slot_base: Numbered<u32>,
    pub slots: Numbered<u32>,
    pub times: Times,
    pub flit_bytes: u32,
    pub credit_bytes: u32,
    pub input: Limits,
    pub output: Limits,
    pub central: Limits,
    pub nic: Limits,
    pub itb_memory: u32,
    /// Most credits that other packets can reserve in an output buffer in the cycle in which one
    /// does.
    pub concurrent_credits: u32,
    /// Levels whose packets interrupt others, as a bit mask.
    pub express: u32,
    /// With `avoid-cycles`: per route set and step, the position in the level's list of service
    /// channels.
    pub layers: Option<Vec<Vec<u8>>>,
    /// True if lanes are changed so that no cycle closes and no packet waits for ITB memory: no
    /// deadlock can arise.
    pub proven: bool,
    pub scheduler: Scheduler,
    /// Most cycles from scheduling an event to the event.
    pub reach: u64,
}

impl Layout {
    pub fn new(
        network: Arc<Network>,
        table: Arc<RouteTable>,
        spec: &CutThroughSpec,
    ) -> Result<Self, Problems> {
        spec.check(&network)?;
        let Qos { tables, scheduler, express, input, output, central, nic } =
            Qos::new(spec, &network)?;
        let mtu = tables.largest_on_lanes().into_iter().max().unwrap_or(0);
        let layers = match spec.qos.channel_rule {
            ChannelRule::Spread => None,
            ChannelRule::AvoidCycles => {
                Some(layers::assign(&network, &table, spec.qos.levels.iter())?)
            }
        };
        let positions = spec.qos.levels.iter().map(|l| l.channels.len()).min().unwrap_or(0);
        let stops = || {
            table.sets.iter().flat_map(|s| s.steps()).any(|s| matches!(s.hop(), Hop::InTransit(_)))
        };
        let proven = layers.is_some() && tables.lanes_tell_positions(positions) && !stops();
        let delay = |c: usize| {
            network
                .link_of(crate::network::ChannelId::new(c))
                .and_then(|l| network.links()[l.index()].delay_cycles)
        };
        let longest = (0..network.channels().len())
            .filter_map(delay)
            .max()
            .unwrap_or(0)
            .max(spec.link_delay_cycles);
        let times = Times::new(spec);
        let stop = if stops() { times.itb } else { 0 };
        let reach = 2 * u64::from(mtu.div_ceil(spec.flit_bytes))
            + 2 * u64::from(longest)
            + times.sum()
            + stop;
        let wiring = Wiring::new(&network, spec);
        Ok(Self {
            lanes: tables.lanes(),
            channels: wiring.channels.into(),
            first_of_hosts: network.network_channels() as u32,
            central_slots: wiring.central_slots.into(),
            central_links: spec.central_links,
            ports_per_mport: spec.ports_per_mport,
            slot_base: wiring.slot_base.into(),
            slots: wiring.slots.into(),
            times,
            flit_bytes: spec.flit_bytes,
            credit_bytes: spec.credit_bytes,
            input,
            output,
            central,
            nic,
            itb_memory: spec.itb_memory_bytes,
            concurrent_credits: wiring.most_mports.saturating_sub(1)
                * mtu.div_ceil(spec.credit_bytes),
            express,
            layers,
            proven,
            scheduler,
            reach,
            qos: tables,
            network,
            table,
        })
    }

    /// Number of crossbar inputs, and of outputs: one per channel and one per central buffer.
    pub fn nodes(&self) -> usize {
        self.channels.len() + self.central_slots.len()
    }

    /// The host that sends on a channel, or `NONE`. Host channels come last, two per host:
    /// injection, ejection.
    #[inline]
    pub fn sending_host(&self, channel: u32) -> u32 {
        let of_hosts = channel.wrapping_sub(self.first_of_hosts);
        if channel >= self.first_of_hosts && of_hosts & 1 == 0 { of_hosts / 2 } else { NONE }
    }

    /// The host a channel leads to, or `NONE`.
    #[inline]
    pub fn receiving_host(&self, channel: u32) -> u32 {
        let of_hosts = channel.wrapping_sub(self.first_of_hosts);
        if channel >= self.first_of_hosts && of_hosts & 1 == 1 { of_hosts / 2 } else { NONE }
    }

    /// The ejection channel of a host.
    #[inline]
    pub fn ejection(&self, host: u32) -> u32 {
        self.first_of_hosts + 2 * host + 1
    }

    /// True if a crossbar input or output is a central buffer.
    #[inline]
    pub fn is_central(&self, node: u32) -> bool {
        node as usize >= self.channels.len()
    }

    /// The crossbar output wanted by a packet that arrives on one channel and leaves on another,
    /// and the slot of the input port there.
    #[inline]
    pub fn output(&self, arrives: &ChannelLayout, leaves: u32) -> (u32, u8) {
        let l = &self.channels[leaves];
        if arrives.in_mport == l.out_mport {
            (leaves, arrives.slots[1])
        } else {
            let central = arrives.in_mport * self.central_links + u32::from(l.central);
            (self.channels.len() as u32 + central, arrives.slots[0])
        }
    }

    /// The crossbar input at a slot of an output.
    #[inline]
    pub fn input(&self, output: u32, slot: u8) -> u32 {
        self.slots[self.slot_base[output] + u32::from(slot)]
    }

    /// The slot of a central buffer in the arbiters of output buffers.
    #[inline]
    pub fn central_slot(&self, central: u32) -> u8 {
        self.central_slots[central as usize - self.channels.len()]
    }

    /// The lane of a packet on a channel, by its service level and its position in the level's list
    /// of service channels.
    #[inline]
    pub fn lane(&self, channel: u32, level: u8, position: u8) -> u8 {
        self.qos.lane_of(ChannelId(channel), level, position)
    }

    /// The limits of the buffer at a crossbar output.
    #[inline]
    pub fn space(&self, output: u32) -> &Limits {
        if self.is_central(output) {
            &self.central
        } else if self.sending_host(output) != NONE {
            &self.nic
        } else {
            &self.output
        }
    }

    /// The limits of the buffer at the end of a channel.
    #[inline]
    pub fn receiver(&self, channel: u32) -> &Limits {
        if self.receiving_host(channel) == NONE { &self.input } else { &self.nic }
    }
}

impl Times {
    fn new(spec: &CutThroughSpec) -> Self {
        let [sb, rt, at, x] = [
            spec.buffering_cycles,
            spec.routing_cycles,
            spec.arbitration_cycles,
            spec.crossbar_cycles,
        ]
        .map(u64::from);
        Self {
            injection: u64::from(spec.injection_cycles),
            input: sb + rt + at,
            buffering: sb,
            crossbar: x,
            central: x + at,
            output: x + sb,
            itb: u64::from(spec.itb_cycles),
            scheduling: u64::from(spec.scheduling_cycles),
            mport_rate: Rate::new(spec.mport_flits_per_cycle),
            central_rate: Rate::new(spec.central_flits_per_cycle),
        }
    }

    /// Cycles from the crossing of a packet's first flit to that of its last, at full rate. Exact,
    /// since both numbers are below 2^16.
    #[inline]
    pub fn crossing(&self, from_central: bool, flits: u16) -> u64 {
        let Rate(inverse) = if from_central { self.central_rate } else { self.mport_rate };
        (u64::from(flits - 1) * inverse) >> 32
    }

    /// The sum of all stages but the in-transit stop.
    fn sum(&self) -> u64 {
        self.injection + self.input + self.central + self.output + self.scheduling
    }
}
