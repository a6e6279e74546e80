//! What does not change during a run: who is connected to whom, times, tables, limits.

use super::layers;
use super::room::Limits;
use crate::network::{End, Network};
use crate::problem::Problems;
use crate::qos::QosTables;
use crate::qos::schedulers::Scheduler;
use crate::routing::RouteTable;
use crate::scenario::{ChannelRule, CutThroughSpec};
use std::sync::Arc;

/// No index.
pub(super) const NONE: u32 = u32::MAX;
/// Longest time of any stage and longest link, cycles.
const MAX_CYCLES: u32 = 10_000;
/// Most slots of an arbiter.
const MAX_SLOTS: usize = 64;

/// A channel and the ports at its ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChannelPlan {
    pub delay: u64,
    /// The host that sends on it, or `NONE`.
    pub from_host: u32,
    /// The host it leads to, or `NONE`.
    pub to_host: u32,
    /// MPort of the receiving port, counted over the whole network; `NONE` for a host.
    pub in_mport: u32,
    /// MPort of the sending port; `NONE` for a host.
    pub out_mport: u32,
    /// Which of its MPort's central buffers leads to the sending port.
    pub central: u32,
    /// Slot of the receiving port in the arbiters of central buffers, and of output buffers.
    pub slots: [u8; 2],
}

/// Times of the stages, and rates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub injection: u64,
    /// From a first flit's arrival at an input until its packet is a candidate.
    pub input: u64,
    pub buffering: u64,
    pub crossbar: u64,
    /// From a grant until the packet is a candidate at the central buffer.
    pub central: u64,
    /// From a grant until the packet is ready at the output buffer.
    pub output: u64,
    pub itb: u64,
    pub mport_rate: u32,
    pub central_rate: u32,
}

#[derive(Debug)]
pub(super) struct Plan {
    pub network: Arc<Network>,
    pub table: Arc<RouteTable>,
    pub qos: QosTables,
    pub lanes: usize,
    pub channels: Vec<ChannelPlan>,
    /// Central buffer `k` has number `channels.len() + k` among sources and targets; `slots` is its slot at output buffers.
    pub central_slots: Vec<u8>,
    pub central_links: u32,
    /// Target `t` has slots `slot_base[t]..slot_base[t + 1]` in `slots`: the sources.
    pub slot_base: Vec<u32>,
    pub slots: Vec<u32>,
    pub times: Times,
    pub flit_bytes: u32,
    pub credit_bytes: u32,
    pub input: Limits,
    pub output: Limits,
    pub central: Limits,
    pub nic: Limits,
    pub itb_memory: u32,
    /// Levels whose packets interrupt others.
    pub express: u32,
    /// With `avoid-cycles`, per route set and step the position in the level's list of service channels.
    pub layers: Option<Vec<Vec<u8>>>,
    pub scheduler: Scheduler,
    /// The longest time from scheduling an event to its cycle.
    pub reach: u64,
}

impl Plan {
    pub fn new(
        network: Arc<Network>,
        table: Arc<RouteTable>,
        spec: &CutThroughSpec,
    ) -> Result<Self, Problems> {
        let mut problems = check_numbers(spec);
        check_links(&network, spec, &mut problems);
        problems.or(())?;
        let mut problems = Problems::default();
        let qos = QosTables::new(&spec.qos, &network, "fabric.qos");
        let scheduler = Scheduler::new(&spec.scheduler, "fabric.scheduler");
        let (qos, scheduler) = match (qos, scheduler) {
            (Ok(q), Ok(s)) => (q, s),
            (q, s) => {
                let lists = q.err().into_iter().chain(s.err());
                return Err(Problems(lists.flat_map(|p| p.0).collect()));
            }
        };
        let mut express = 0;
        for &level in &spec.express_levels {
            if level as usize >= qos.levels() {
                problems.add(
                    "fabric.express_levels",
                    format!("there is no level {level}"),
                    "name levels in use",
                );
            } else {
                express |= 1 << level;
            }
        }
        let largest = qos.largest_on_lanes();
        let mut limits = |bytes, field| Limits::new(spec, bytes, field, &largest, &mut problems);
        let input = limits(spec.input_buffer_bytes, "fabric.input_buffer_bytes");
        let output = limits(spec.output_buffer_bytes, "fabric.output_buffer_bytes");
        let central = limits(spec.central_buffer_bytes / spec.central_links, "fabric.central_buffer_bytes");
        let nic = limits(spec.nic_buffer_bytes, "fabric.nic_buffer_bytes");
        let mtu = largest.iter().copied().max().unwrap_or(0);
        if spec.itb_memory_bytes < mtu.next_multiple_of(spec.credit_bytes) {
            problems.add("fabric.itb_memory_bytes", "smaller than the largest packet", "enlarge it");
        }
        let layers = match spec.qos.channel_rule {
            ChannelRule::Spread => None,
            ChannelRule::AvoidCycles => match layers::assign(&network, &table, spec.qos.levels.iter()) {
                Ok(layers) => Some(layers),
                Err(more) => return Err(Problems(problems.0.into_iter().chain(more.0).collect())),
            },
        };
        problems.or(())?;
        let delay = |c: usize| {
            network
                .link_of(crate::network::ChannelId::new(c))
                .and_then(|l| network.links()[l.index()].delay_cycles)
        };
        let longest =
            (0..network.channels().len()).filter_map(delay).max().unwrap_or(0).max(spec.link_delay_cycles);
        let times = Times::new(spec);
        let reach = 2 * u64::from(mtu.div_ceil(spec.flit_bytes)) + 2 * u64::from(longest) + times.sum();
        let wiring = Wiring::new(&network, spec);
        Ok(Self {
            lanes: qos.lanes(),
            channels: wiring.channels,
            central_slots: wiring.central_slots,
            central_links: spec.central_links,
            slot_base: wiring.slot_base,
            slots: wiring.slots,
            times,
            flit_bytes: spec.flit_bytes,
            credit_bytes: spec.credit_bytes,
            input,
            output,
            central,
            nic,
            itb_memory: spec.itb_memory_bytes,
            express,
            layers,
            scheduler,
            reach,
            qos,
            network,
            table,
        })
    }

    /// Number of sources, and of targets: one per channel, one per central buffer.
    pub fn nodes(&self) -> usize {
        self.channels.len() + self.central_slots.len()
    }

    /// Whether a source or target is a central buffer.
    #[inline]
    pub fn is_central(&self, node: u32) -> bool {
        node as usize >= self.channels.len()
    }

    /// The target at a switch of a packet that arrived on one channel and leaves on another.
    #[inline]
    pub fn target(&self, arrived: u32, leaves: u32) -> u32 {
        let (a, l) = (&self.channels[arrived as usize], &self.channels[leaves as usize]);
        if a.in_mport == l.out_mport {
            leaves
        } else {
            self.channels.len() as u32 + a.in_mport * self.central_links + l.central
        }
    }

    /// The limits of a target's buffer.
    #[inline]
    pub fn space(&self, target: u32) -> &Limits {
        if self.is_central(target) {
            &self.central
        } else if self.channels[target as usize].from_host != NONE {
            &self.nic
        } else {
            &self.output
        }
    }

    /// The limits of the buffer at the end of a channel.
    #[inline]
    pub fn receiver(&self, channel: u32) -> &Limits {
        if self.channels[channel as usize].to_host == NONE { &self.input } else { &self.nic }
    }
}

impl Times {
    fn new(spec: &CutThroughSpec) -> Self {
        let [sb, rt, at, x] =
            [spec.buffering_cycles, spec.routing_cycles, spec.arbitration_cycles, spec.crossbar_cycles]
                .map(u64::from);
        Self {
            injection: u64::from(spec.injection_cycles),
            input: sb + rt + at,
            buffering: sb,
            crossbar: x,
            central: x + at,
            output: x + sb,
            itb: u64::from(spec.itb_cycles),
            mport_rate: spec.mport_flits_per_cycle,
            central_rate: spec.central_flits_per_cycle,
        }
    }

    fn sum(&self) -> u64 {
        self.injection + self.input + self.central + self.output + self.itb
    }
}

fn check_numbers(spec: &CutThroughSpec) -> Problems {
    let mut problems = Problems::default();
    let mut within = |field: &str, value: u32, min: u32, max: u32| {
        if value < min || value > max {
            problems.add(
                format!("fabric.{field}"),
                format!("{value} is out of bounds"),
                format!("use {min} to {max}"),
            );
        }
    };
    within("flit_bytes", spec.flit_bytes, 1, 1024);
    within("credit_bytes", spec.credit_bytes, 1, 4096);
    within("link_delay_cycles", spec.link_delay_cycles, 1, MAX_CYCLES);
    within("injection_cycles", spec.injection_cycles, 0, MAX_CYCLES);
    within("routing_cycles", spec.routing_cycles, 0, MAX_CYCLES);
    within("buffering_cycles", spec.buffering_cycles, 0, MAX_CYCLES);
    within("arbitration_cycles", spec.arbitration_cycles, 0, MAX_CYCLES);
    within("crossbar_cycles", spec.crossbar_cycles, 1, MAX_CYCLES);
    within("itb_cycles", spec.itb_cycles, 1, MAX_CYCLES);
    within("ports_per_mport", spec.ports_per_mport, 1, 64);
    within("central_links", spec.central_links, 1, 64);
    within("mport_flits_per_cycle", spec.mport_flits_per_cycle, 1, 64);
    within("central_flits_per_cycle", spec.central_flits_per_cycle, spec.mport_flits_per_cycle.min(64), 64);
    within("lane_guaranteed_percent", spec.lane_guaranteed_percent, 1, 100);
    within("lane_maximum_percent", spec.lane_maximum_percent, 1, 100);
    for (i, share) in spec.lane_shares.iter().enumerate() {
        within(&format!("lane_shares.{i}.guaranteed_percent"), share.guaranteed_percent, 0, 100);
        within(&format!("lane_shares.{i}.maximum_percent"), share.maximum_percent, 0, 100);
        within(&format!("lane_shares.{i}.lane"), u32::from(share.lane), 0, 31);
    }
    if spec.cycle_ps == 0 {
        problems.add("fabric.cycle_ps", "a cycle takes time", "625 is 100 Gb/s with flits of 8 bytes");
    }
    if spec.flit_bytes != 0 && !spec.credit_bytes.is_multiple_of(spec.flit_bytes) {
        problems.add("fabric.credit_bytes", "not a multiple of the flit", "use 64 with flits of 8 bytes");
    }
    problems
}

fn check_links(network: &Network, spec: &CutThroughSpec, problems: &mut Problems) {
    for (i, link) in network.links().iter().enumerate() {
        if link.delay_cycles.is_some_and(|d| d == 0 || d > MAX_CYCLES) {
            problems.add(format!("network.links.{i}.delay_cycles"), "out of bounds", "use 1 to 10000 cycles");
        }
    }
    if spec.ports_per_mport == 0 {
        return;
    }
    for (i, switch) in network.switches().iter().enumerate() {
        let mports = u32::from(switch.ports).div_ceil(spec.ports_per_mport);
        let slots = u64::from(spec.ports_per_mport) + u64::from(mports) * u64::from(spec.central_links);
        if mports > 1 && slots > MAX_SLOTS as u64 {
            problems.add(
                format!("network.switches.{i}.ports"),
                format!("its output arbiters would have {slots} inputs, more than {MAX_SLOTS}"),
                "use fewer ports, larger MPorts or fewer central links",
            );
        }
    }
}

/// Who is connected to whom inside the switches.
struct Wiring {
    channels: Vec<ChannelPlan>,
    central_slots: Vec<u8>,
    slot_base: Vec<u32>,
    slots: Vec<u32>,
}

impl Wiring {
    fn new(network: &Network, spec: &CutThroughSpec) -> Self {
        let (size, links) = (spec.ports_per_mport as usize, spec.central_links as usize);
        let mports: Vec<usize> =
            network.switches().iter().map(|s| (s.ports as usize).div_ceil(size)).collect();
        let first: Vec<usize> =
            mports.iter().scan(0, |sum, &n| Some(std::mem::replace(sum, *sum + n))).collect();
        let centrals = |switch: usize| if mports[switch] > 1 { mports[switch] * links } else { 0 };
        let mut channels = Vec::new();
        // Per MPort and port in it: the channel that arrives there.
        let mut arriving = vec![NONE; mports.iter().sum::<usize>() * size];
        for (c, channel) in network.channels().iter().enumerate() {
            let id = crate::network::ChannelId::new(c);
            let own = network.link_of(id).and_then(|l| network.links()[l.index()].delay_cycles);
            let mut plan = ChannelPlan {
                delay: u64::from(own.unwrap_or(spec.link_delay_cycles)),
                from_host: NONE,
                to_host: NONE,
                in_mport: NONE,
                out_mport: NONE,
                central: 0,
                slots: [0; 2],
            };
            match channel.from {
                End::Host(h) => plan.from_host = h.0,
                End::Switch(s, port) => {
                    plan.out_mport = (first[s.index()] + port as usize / size) as u32;
                    plan.central = u32::from(port) % spec.central_links;
                }
            }
            match channel.to {
                End::Host(h) => plan.to_host = h.0,
                End::Switch(s, port) => {
                    let mport = first[s.index()] + port as usize / size;
                    let within = port as usize % size;
                    plan.in_mport = mport as u32;
                    plan.slots = [within as u8, (centrals(s.index()) + within) as u8];
                    arriving[mport * size + within] = c as u32;
                }
            }
            channels.push(plan);
        }
        let mut central_slots = Vec::new();
        for n in &mports {
            central_slots.extend((0..n * links).map(|k| k as u8));
        }
        let (mut slot_base, mut slots) = (vec![0], Vec::new());
        let switch_of = |end: End| match end {
            End::Switch(s, _) => s.index(),
            End::Host(_) => unreachable!("only asked for switch ports"),
        };
        for (c, plan) in channels.iter().enumerate() {
            if plan.out_mport != NONE {
                let switch = switch_of(network.channels()[c].from);
                let base = channels.len() + first[switch] * links;
                slots.extend((0..centrals(switch)).map(|k| (base + k) as u32));
                slots.extend(&arriving[plan.out_mport as usize * size..][..size]);
            }
            slot_base.push(slots.len() as u32);
        }
        for central in 0..central_slots.len() {
            slots.extend(&arriving[central / links * size..][..size]);
            slot_base.push(slots.len() as u32);
        }
        Self { channels, central_slots, slot_base, slots }
    }
}
