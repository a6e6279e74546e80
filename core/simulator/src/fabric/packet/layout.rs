//! What stays the same during a run: connections, stage times, tables and buffer limits.

use super::lanes::{Lane, QueueId};
use super::layers;
use super::switch::StageTimes;
use crate::engine::numbered::Numbered;
use crate::network::{ChannelId, Network};
use crate::problem::Problems;
use crate::qos::{Limits, Qos, QosTables, Schedulers};
use crate::routing::{Hop, RouteTable};
use crate::scenario::{ChannelRule, CutThroughSpec, NicQueues};
use std::sync::Arc;

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// Times of NICs and output ports, in cycles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub injection: u64,
    pub itb: u64,
    /// From a scheduler's decision until the first flit is sent.
    pub scheduling: u64,
}

#[derive(Debug)]
pub(super) struct Layout {
    pub network: Arc<Network>,
    pub table: Arc<RouteTable>,
    pub qos: QosTables,
    pub lanes: usize,
    /// Queues of a port.
    pub queues: usize,
    /// Cycles that a flit, or a credit on the way back, needs for a channel.
    pub delays: Numbered<u32>,
    pub first_of_hosts: u32,
    pub times: Times,
    pub switch_times: StageTimes,
    pub flit_bytes: u32,
    pub credit_bytes: u32,
    pub input: Limits,
    pub output: Limits,
    pub nic: Limits,
    pub itb_memory: u32,
    /// NICs have a queue for each level and destination.
    pub queues_per_destination: bool,
    /// Levels whose packets interrupt others, as a bit mask.
    pub express: u32,
    /// With `avoid-cycles`: per route set and step, the position in the level's list of service
    /// channels.
    pub positions: Option<Vec<Vec<u8>>>,
    /// True if lanes are changed so that no cycle closes and no packet waits for ITB memory: no
    /// deadlock can arise.
    pub cannot_deadlock: bool,
    pub schedulers: Schedulers,
    /// A scheduler has to be told of packets that arrive.
    pub tells_arrivals: bool,
    /// Most cycles from scheduling an event to the event.
    pub reach: u64,
}

impl Layout {
    pub fn new(
        network: Arc<Network>,
        table: Arc<RouteTable>,
        spec: &CutThroughSpec,
        qos: Qos,
        switch_times: StageTimes,
        queues: usize,
    ) -> Result<Self, Problems> {
        let Qos { tables, schedulers, express, input, output, nic, .. } = qos;
        let mtu = tables.largest_on_lanes().into_iter().max().unwrap_or(0);
        let positions = match spec.qos.channel_rule {
            ChannelRule::Spread => None,
            ChannelRule::AvoidCycles => {
                Some(layers::assign(&network, &table, spec.qos.levels.iter())?)
            }
        };
        let channels = spec.qos.levels.iter().map(|l| l.channels.len()).min().unwrap_or(0);
        let stops = || {
            table.sets.iter().flat_map(|s| s.steps()).any(|s| matches!(s.hop(), Hop::InTransit(_)))
        };
        let cannot_deadlock =
            positions.is_some() && tables.lanes_tell_positions(channels) && !stops();
        let delay = |c: usize| network.delay_cycles(ChannelId::new(c), spec.link_delay_cycles);
        let delays: Numbered<u32> = (0..network.channels().len()).map(delay).collect();
        let longest = delays.iter().copied().max().unwrap_or(0);
        let times = Times {
            injection: u64::from(spec.injection_cycles),
            itb: u64::from(spec.itb_cycles),
            scheduling: u64::from(spec.scheduling_cycles),
        };
        let stop = if stops() { times.itb } else { 0 };
        let reach = 2 * u64::from(mtu.div_ceil(spec.flit_bytes))
            + 2 * u64::from(longest)
            + times.injection
            + switch_times.sum
            + times.scheduling
            + stop;
        Ok(Self {
            lanes: tables.lanes(),
            queues,
            delays,
            first_of_hosts: network.network_channels() as u32,
            times,
            switch_times,
            flit_bytes: spec.flit_bytes,
            credit_bytes: spec.credit_bytes,
            input,
            output,
            nic,
            itb_memory: spec.itb_memory_bytes,
            queues_per_destination: spec.nic_queues == NicQueues::Destinations,
            express,
            positions,
            cannot_deadlock,
            tells_arrivals: schedulers.see_arrivals(),
            schedulers,
            reach,
            qos: tables,
            network,
            table,
        })
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

    /// The lane of a packet on a channel, by its service level and its position in the level's list
    /// of service channels.
    #[inline]
    pub fn lane(&self, channel: u32, level: u8, position: u8) -> Lane {
        Lane(self.qos.lane_of(ChannelId(channel), level, position))
    }

    /// The index of a queue of an output port among all; those of a port are in a row.
    #[inline]
    pub fn queue(&self, channel: u32, queue: QueueId) -> usize {
        channel as usize * self.queues + queue.0 as usize
    }

    /// The index of a queue of a NIC among those of all NICs.
    #[inline]
    pub fn nic_queue(&self, host: u32, queue: QueueId) -> usize {
        host as usize * self.queues + queue.0 as usize
    }

    /// The index of the application queue of a level among those of all NICs.
    #[inline]
    pub fn application_queue(&self, host: u32, level: u8) -> usize {
        host as usize * self.qos.levels() + usize::from(level)
    }

    /// The credits that so many bytes take.
    #[inline]
    pub fn credits_of(&self, bytes: u32) -> u16 {
        bytes.div_ceil(self.credit_bytes) as u16
    }

    /// True if packets of a level interrupt others.
    #[inline]
    pub fn is_express(&self, level: u8) -> bool {
        self.express >> level & 1 == 1
    }

    /// The limits of the buffer that a channel leaves.
    #[inline]
    pub fn space(&self, channel: u32) -> &Limits {
        if self.sending_host(channel) == NONE { &self.output } else { &self.nic }
    }

    /// The limits of the buffer at the end of a channel.
    #[inline]
    pub fn receiver(&self, channel: u32) -> &Limits {
        if self.receiving_host(channel) == NONE { &self.input } else { &self.nic }
    }
}
