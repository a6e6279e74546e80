//! The cut-through fabric of a scenario: switches, lanes with credits, NICs.

use super::fabric::{BUFFERS, ITBS, InputBuffer, SourceRoute, TIMES, Technique};
use super::limits::{
    MAX_BUFFER_CREDITS, MAX_BUFFER_FLITS, MAX_CREDIT_BYTES, MAX_CYCLE_PS, MAX_FLIT_BYTES,
    MAX_PER_MPORT, MAX_STAGE_CYCLES,
};
use super::{
    AdmissionSpec, ArbiterSpec, ChannelRule, DrawnNetwork, LevelSpec, LoadUnit, PortLanes, QosSpec,
    Scenario, SchedulerSpec, SwitchSpec, validate,
};
use crate::catalogue::{Descriptor, Kind, Names, Parameter, Status};
use crate::network::{End, HostId, Network, SwitchId};
use crate::problem::Problems;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Virtual cut-through fabric (Cano-Cano et al. 2022). The defaults are an Omni-Path switch at
/// 100 Gb/s. Times are in cycles unless their names say otherwise. `docs/model-cut-through.md`
/// describes each parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CutThroughSpec {
    /// Length of a cycle in picoseconds; used only to convert cycles to time.
    pub cycle_ps: u64,
    /// Bytes of a flit; a port moves one flit per cycle.
    pub flit_bytes: u32,
    /// Bytes of a credit, the unit of buffer space; a multiple of the flit.
    pub credit_bytes: u32,
    /// Cycles from sending a flit to its arrival, for links that do not say.
    pub link_delay_cycles: u32,
    /// Cycles from entering the NIC's queue until a packet may be sent.
    pub injection_cycles: u32,
    /// Cycles of routing, headers only.
    pub routing_cycles: u32,
    /// Cycles of buffering, at an input and again at an output.
    pub buffering_cycles: u32,
    /// Cycles of arbitration, at an input and again at a central buffer.
    pub arbitration_cycles: u32,
    /// Cycles to cross one crossbar.
    pub crossbar_cycles: u32,
    /// Ports of an MPort.
    pub ports_per_mport: u32,
    /// Links, each with its buffer, from an MPort to the central crossbar.
    pub central_links: u32,
    /// Flits per cycle on a connection through an MPort's crossbar.
    pub mport_flits_per_cycle: u32,
    /// Flits per cycle on a connection through the central crossbar; at least
    /// `mport_flits_per_cycle`.
    pub central_flits_per_cycle: u32,
    /// Buffer of a switch input port, bytes.
    pub input_buffer_bytes: u32,
    /// Buffer of a switch output port, bytes.
    pub output_buffer_bytes: u32,
    /// Buffer of an MPort at the central crossbar, bytes; its links share it evenly.
    pub central_buffer_bytes: u32,
    /// Send buffer of a NIC, and its receive buffer, bytes each.
    pub nic_buffer_bytes: u32,
    /// Which messages wait behind each other at their NIC.
    pub nic_queues: NicQueues,
    /// Percentage of every buffer that is guaranteed to its lanes, in equal shares; lanes share the
    /// rest on demand.
    pub lane_guaranteed_percent: u32,
    /// Largest percentage of a buffer that one lane may fill.
    pub lane_maximum_percent: u32,
    /// Exceptions for single lanes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lane_shares: Vec<LaneShare>,
    /// Service levels, channels and lanes.
    pub qos: QosSpec,
    /// Which request goes first at an input and at an output of a crossbar.
    pub arbiter: ArbiterSpec,
    /// Which lane of an output port sends next, at switches and NICs.
    pub scheduler: SchedulerSpec,
    /// Schedulers of single switch ports, where they differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub port_schedulers: Vec<PortScheduler>,
    /// Schedulers of the NICs of single hosts, where they differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub host_schedulers: Vec<HostScheduler>,
    /// Cycles a scheduler needs to turn to another packet or, with a table of weights or quanta, to
    /// another entry or level. The link is idle meanwhile. 0 if the scheduler decides while the
    /// preceding packet is transmitted.
    pub scheduling_cycles: u32,
    /// Packet preemption: packets of these levels interrupt packets of other levels on a link.
    /// Empty for no preemption.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub express_levels: Vec<u8>,
    /// Cycles an in-transit host needs from a packet's first flit until it may be injected again.
    pub itb_cycles: u32,
    /// ITB memory of each NIC, bytes.
    pub itb_memory_bytes: u32,
    /// The switches. The stage times and the numbers of MPorts and central links are those of
    /// hierarchical ones; other switches have parameters of their own.
    pub switch: SwitchSpec,
}

/// Queues of a NIC in which messages wait.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NicQueues {
    /// One for each service level.
    #[default]
    Levels,
    /// One for each service level and destination host, which take turns; the send buffer has space
    /// for a packet of each.
    Destinations,
}

/// The scheduler of one output port of a switch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortScheduler {
    /// Index of the switch.
    pub switch: u32,
    /// Its port.
    pub port: u16,
    /// The scheduler, with its own table.
    pub scheduler: SchedulerSpec,
}

/// The scheduler of the NIC of one host.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostScheduler {
    /// Index of the host.
    pub host: u32,
    /// The scheduler, with its own table.
    pub scheduler: SchedulerSpec,
}

/// A scheduler of a fabric, with its place in the scenario.
#[derive(Debug, Clone)]
pub struct PlacedScheduler<'a> {
    /// The path of the part of the scenario that it is in.
    pub place: String,
    /// The sender that it is for; `None` for all that have none of their own.
    pub of: Option<End>,
    /// Its parameters.
    pub spec: &'a SchedulerSpec,
}

impl PlacedScheduler<'_> {
    /// The path of its parameters.
    pub fn at(&self) -> String {
        format!("{}.scheduler", self.place)
    }
}

impl CutThroughSpec {
    /// The numbers that mean nothing to the switch and differ from their defaults, by their paths
    /// in the fabric.
    pub fn unused_numbers(&self) -> Vec<String> {
        let differing = |own: &Value, defaults: &Value, fields: &[&str]| -> Vec<String> {
            let differs = |field: &&&str| own[**field] != defaults[**field];
            fields.iter().filter(differs).map(ToString::to_string).collect()
        };
        let mut unused =
            differing(&json!(self), &json!(Self::default()), self.switch.unused_fields());
        let defaults = json!(SwitchSpec::with_id(self.switch.descriptor().id));
        let of_switch = differing(&json!(self.switch), &defaults, self.switch.unused_parameters());
        unused.extend(of_switch.into_iter().map(|field| format!("switch.{field}")));
        unused
    }

    /// All schedulers: that of most senders, then those of single ports and of single hosts.
    pub fn schedulers(&self) -> impl Iterator<Item = PlacedScheduler<'_>> {
        let all = PlacedScheduler { place: "fabric".into(), of: None, spec: &self.scheduler };
        let ports = self.port_schedulers.iter().enumerate().map(|(i, port)| PlacedScheduler {
            place: format!("fabric.port_schedulers.{i}"),
            of: Some(End::Switch(SwitchId(port.switch), port.port)),
            spec: &port.scheduler,
        });
        let hosts = self.host_schedulers.iter().enumerate().map(|(i, host)| PlacedScheduler {
            place: format!("fabric.host_schedulers.{i}"),
            of: Some(End::Host(HostId(host.host))),
            spec: &host.scheduler,
        });
        std::iter::once(all).chain(ports).chain(hosts)
    }

    /// SC2VL at a sender; all tables of the scenario for `None`.
    pub fn lane_tables(&self, of: Option<End>) -> impl Iterator<Item = &Vec<u8>> {
        let is_own = move |port: &&PortLanes| match of {
            None => true,
            Some(end) => end == End::Switch(SwitchId(port.switch), port.port),
        };
        let own = self.qos.port_lanes.iter().filter(is_own).map(|port| &port.lanes);
        let has_own = of.is_some() && self.qos.port_lanes.iter().any(|port| is_own(&port));
        own.chain((!has_own).then_some(&self.qos.lanes))
    }

    /// The parameters of all schedulers.
    pub fn schedulers_mut(&mut self) -> impl Iterator<Item = &mut SchedulerSpec> {
        let ports = self.port_schedulers.iter_mut().map(|port| &mut port.scheduler);
        let hosts = self.host_schedulers.iter_mut().map(|host| &mut host.scheduler);
        std::iter::once(&mut self.scheduler).chain(ports).chain(hosts)
    }
}

/// The buffer share of one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaneShare {
    /// The virtual lane.
    pub lane: u8,
    /// Percentage of every buffer that is guaranteed to it.
    pub guaranteed_percent: u32,
    /// Largest percentage of a buffer that it may fill.
    pub maximum_percent: u32,
}

impl Default for CutThroughSpec {
    fn default() -> Self {
        Self {
            cycle_ps: 625,
            flit_bytes: 8,
            credit_bytes: 64,
            link_delay_cycles: 8,
            injection_cycles: 0,
            routing_cycles: 32,
            buffering_cycles: 50,
            arbitration_cycles: 16,
            crossbar_cycles: 2,
            ports_per_mport: 4,
            central_links: 2,
            mport_flits_per_cycle: 3,
            central_flits_per_cycle: 4,
            input_buffer_bytes: 64 * 1024,
            output_buffer_bytes: 64 * 1024,
            central_buffer_bytes: 128 * 1024,
            nic_buffer_bytes: 32 * 1024,
            nic_queues: NicQueues::default(),
            lane_guaranteed_percent: 50,
            lane_maximum_percent: 100,
            lane_shares: Vec::new(),
            qos: QosSpec::default(),
            arbiter: ArbiterSpec::default(),
            scheduler: SchedulerSpec::default(),
            port_schedulers: Vec::new(),
            host_schedulers: Vec::new(),
            scheduling_cycles: 0,
            express_levels: Vec::new(),
            itb_cycles: 760,
            itb_memory_bytes: 512 * 1024,
            switch: SwitchSpec::default(),
        }
    }
}

impl Technique for CutThroughSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn check(
        &self,
        _: &Scenario,
        _: &DrawnNetwork,
        network: Option<&Network>,
        problems: &mut Problems,
    ) {
        validate::cut_through::check(self, network, problems);
    }

    fn cycle_ps(&self) -> u64 {
        self.cycle_ps
    }

    fn flit_bytes(&self) -> u32 {
        self.flit_bytes
    }

    fn load_unit(&self) -> LoadUnit {
        LoadUnit::FlitsPerCyclePerHost
    }

    fn link_delay_cycles(&self) -> u32 {
        self.link_delay_cycles
    }

    fn input_buffer(&self) -> InputBuffer {
        InputBuffer { flits: self.input_buffer_bytes / self.flit_bytes.max(1), stop_and_go: None }
    }

    fn levels(&self) -> &[LevelSpec] {
        &self.qos.levels
    }

    fn admission(&self) -> Option<&AdmissionSpec> {
        self.qos.admission.as_ref()
    }

    fn set_admission(&mut self, admission: Option<AdmissionSpec>) {
        self.qos.admission = admission;
    }

    fn saqs(&self) -> u32 {
        self.switch.saqs()
    }

    fn has_private_credits(&self) -> bool {
        self.switch.has_private_credits()
    }

    fn guaranteed_shares(&self) -> Vec<f64> {
        if !self.arbiter.has_counters() {
            return Vec::new();
        }
        let shares = self.switch.shares_of(self.qos.levels.len());
        let sum = f64::from(shares.iter().sum::<u32>().max(1));
        shares.into_iter().map(|share| f64::from(share) / sum).collect()
    }

    fn let_cycles_be(&mut self) {
        self.qos.channel_rule = ChannelRule::Spread;
    }

    fn source_route(&self) -> Option<SourceRoute> {
        self.switch.source_route()
    }

    fn lanes(&self) -> u8 {
        self.qos.lanes.iter().max().map_or(1, |lane| lane.saturating_add(1))
    }

    fn lanes_of_level(&self, level: usize) -> Vec<u8> {
        let lanes = |&sc: &u8| {
            self.lane_tables(None).filter_map(move |lanes| lanes.get(usize::from(sc)).copied())
        };
        let channels = self.qos.levels.get(level).map_or(&[][..], |level| &level.channels);
        let mut lanes: Vec<u8> = channels.iter().flat_map(lanes).collect();
        lanes.sort_unstable();
        lanes.dedup();
        lanes
    }
}

/// A stage, in cycles.
const fn stage(id: &'static str, summary: &'static str, default: u64, least: u64) -> Parameter {
    Parameter::integer(id, summary, "cycles", (default, least, MAX_STAGE_CYCLES as u64))
        .in_group(TIMES)
}

/// A buffer. Its bounds in bytes are those of the largest credit; validation counts credits.
const fn buffer(id: &'static str, summary: &'static str, default: u64) -> Parameter {
    let most = MAX_BUFFER_CREDITS as u64 * MAX_CREDIT_BYTES as u64;
    Parameter::integer(id, summary, "bytes", (default, 1, most)).in_group(BUFFERS)
}

const fn per_mport(
    id: &'static str,
    summary: &'static str,
    unit: &'static str,
    default: u64,
) -> Parameter {
    Parameter::integer(id, summary, unit, (default, 1, MAX_PER_MPORT as u64)).in_group("Crossbars")
}

/// The descriptor of the cut-through fabric. Validation takes the bounds from here.
pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "cut-through",
    name: "Virtual cut-through",
    summary: "packets with credits, lanes and service levels, as in Omni-Path or Advanced Switching",
    parameters: &[
        Parameter::integer("cycle_ps", "length of a cycle", "ps", (625, 1, MAX_CYCLE_PS))
            .named("Cycle")
            .in_group(TIMES),
        Parameter::integer("flit_bytes", "size of a flit", "bytes", (8, 1, MAX_FLIT_BYTES as u64))
            .named("Flit")
            .in_group("Flits and credits"),
        Parameter::integer(
            "credit_bytes",
            "size of a credit, the unit of buffer space; a multiple of the flit",
            "bytes",
            (64, 1, MAX_CREDIT_BYTES as u64),
        )
        .named("Credit")
        .in_group("Flits and credits"),
        stage(
            "link_delay_cycles",
            "from sending a flit to its arrival, for links that do not say",
            8,
            1,
        )
        .named("Link delay"),
        stage("injection_cycles", "from entering a NIC's queue until a packet may be sent", 0, 0)
            .named("Before injection"),
        stage("routing_cycles", "routing of a header", 32, 0).named("Routing time"),
        stage("buffering_cycles", "buffering, at an input and again at an output", 50, 0)
            .named("Buffering, in and out"),
        stage(
            "arbitration_cycles",
            "arbitration, at an input and again at a central buffer",
            16,
            0,
        )
        .named("Arbitration"),
        stage("crossbar_cycles", "crossing one crossbar", 2, 1).named("Crossing a crossbar"),
        per_mport("ports_per_mport", "ports of an MPort", "ports", 4).named("Ports of an MPort"),
        per_mport("central_links", "links from an MPort to the central crossbar", "links", 2)
            .named("Links from an MPort to the centre"),
        per_mport(
            "mport_flits_per_cycle",
            "rate of a connection through an MPort's crossbar",
            "flits per cycle",
            3,
        )
        .named("Rate through an MPort"),
        per_mport(
            "central_flits_per_cycle",
            "rate of a connection through the central crossbar; not below that of an MPort",
            "flits per cycle",
            4,
        )
        .named("Rate through the centre"),
        buffer("input_buffer_bytes", "input buffer; up to 32768 credits", 64 * 1024)
            .named("Input buffer"),
        buffer("output_buffer_bytes", "output buffer; up to 32768 credits", 64 * 1024)
            .named("Output buffer"),
        buffer(
            "central_buffer_bytes",
            "buffers of an MPort at the central crossbar; up to 32768 credits",
            128 * 1024,
        )
        .named("Central buffers of an MPort"),
        buffer(
            "nic_buffer_bytes",
            "send buffer of a NIC, and its receive buffer; up to 32768 credits each",
            32 * 1024,
        )
        .named("Buffer of a NIC, each way"),
        Parameter::new(
            "nic_queues",
            "queues of a NIC: one per level, or one per level and destination",
            "",
            Kind::Choice {
                default: "levels",
                choices: &["levels", "destinations"],
                names: Names::Own(&["One per level", "One per level and destination"]),
            },
        )
        .named("Queues of a NIC")
        .in_group(BUFFERS),
        Parameter::integer(
            "lane_guaranteed_percent",
            "part of every buffer that is guaranteed to its lanes",
            "%",
            (50, 1, 100),
        )
        .named("Guaranteed to all lanes together"),
        Parameter::integer(
            "lane_maximum_percent",
            "most of a buffer that one lane may fill",
            "%",
            (100, 1, 100),
        )
        .named("Most of a buffer for one lane"),
        stage("scheduling_cycles", "a scheduler's turn, while the link is idle", 0, 0)
            .named("A scheduler's turn, link idle"),
        stage("itb_cycles", "from a packet's first flit until it may be injected again", 760, 1)
            .named("Until injected again")
            .in_group(ITBS),
        Parameter::integer(
            "itb_memory_bytes",
            "ITB memory of each NIC",
            "bytes",
            (512 * 1024, 1, MAX_BUFFER_FLITS as u64),
        )
        .named("ITB memory")
        .in_group(ITBS),
    ],
    citation: "Cano-Cano et al., Providing quality of service in Omni-Path networks, J. Supercomputing 2022",
    status: Status::Exact,
};
