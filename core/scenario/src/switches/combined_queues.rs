//! The combined input-output queued switch: an input buffer at each port, one crossbar with
//! internal speed-up, and an output buffer with a scheduler at each port.

use super::Parameters;
use crate::catalogue::{Descriptor, Kind, Names, Parameter, Status};
use crate::congestion::CongestionSpec;
use crate::messages;
use crate::network::{End, Network};
use crate::problem::Problems;
use crate::queue_schemes::QueueScheme;
use crate::scenario::limits::MAX_STAGE_CYCLES;
use crate::scenario::{ArbiterSpec, CutThroughSpec, SourceRoute};
use serde::{Deserialize, Serialize};

/// Most lanes: the 8 bypassable, 8 ordered and 4 multicast virtual channels of Advanced Switching.
const MAX_LANES: u64 = 20;
/// Most memory for the queues of all input ports, bytes.
pub const MAX_QUEUE_BYTES: u64 = 1 << 29;

/// Memory of a set-aside queue at both ends of a channel, with its CAM lines, bytes.
pub const SAQ_BYTES: u64 = 200;

/// Speed-ups, per cent of the rate of a link.
const SPEEDUPS: [u64; 2] = [100, 400];
/// Largest share of a level.
const MAX_SHARE: u32 = 1000;
/// Bits of the turn pool of a header in Advanced Switching Core 1.0.
pub const TURN_POOL_BITS: u32 = 31;
/// Most bits of a turn pool, for what-if questions.
const MAX_TURN_POOL_BITS: u64 = 4096;
/// Longest way of a header through the switch, nanoseconds.
const MAX_CROSSING_NS: u64 = 10_000;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "combined-queues",
    name: "Combined input and output queues",
    summary: "one crossbar with speed-up between input and output buffers, as in Advanced Switching",
    parameters: &[
        Parameter::new(
            "queues",
            "queues of a lane at an input: one, one per output or one per destination",
            "",
            Kind::Choice {
                default: "voq-switch",
                choices: QueueScheme::IDS,
                names: Names::OfFamily { family: "queue-schemes" },
            },
        )
        .named("Queues of a lane"),
        Parameter::new(
            "credits",
            "whether the queues of a lane share its credits; those per destination can have their own",
            "",
            Kind::Choice {
                default: "shared",
                choices: &["shared", "private"],
                names: Names::Own(&["Shared by the queues of a lane", "Each queue has its own"]),
            },
        )
        .named("Credits"),
        Parameter::integer(
            "speedup_percent",
            "speed-up: rate of a connection through the crossbar; that of a link is 100 %",
            "%",
            (150, SPEEDUPS[0], SPEEDUPS[1]),
        )
        .named("Speed-up"),
        Parameter::integer(
            "crossing_ns",
            "from the arrival of a header until it is sent on, in an idle switch",
            "ns",
            (145, 1, MAX_CROSSING_NS),
        )
        .named("Crossing the switch"),
        Parameter::integer(
            "turn_pool_bits",
            "bits of the turn pool of a header; longer routes are refused",
            "bits",
            (TURN_POOL_BITS as u64, TURN_POOL_BITS as u64, MAX_TURN_POOL_BITS),
        )
        .named("Turn pool"),
        Parameter::new(
            "shares",
            "shares of a link guaranteed to the levels, for arbiters by counters; empty: all alike",
            "",
            Kind::Integers { default: &[], min: 1, max: MAX_SHARE as u64, may_be_empty: true },
        )
        .named("Shares of the levels"),
    ],
    citation: "Martínez et al., Providing Quality of Service over Advanced Switching",
    status: Status::Exact,
};

/// Which queues of a lane at an input port share credits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueCredits {
    /// All of them share the lane's.
    #[default]
    Shared,
    /// Each has an equal part of what is guaranteed to the lane, for itself.
    Private,
}

/// One crossbar, with queues at its inputs and at its outputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CombinedQueues {
    /// Queues of a lane at an input port.
    pub queues: QueueScheme,
    /// Which of these queues share credits.
    pub credits: QueueCredits,
    /// Rate of a connection through the crossbar, per cent of the rate of a link.
    pub speedup_percent: u32,
    /// From the arrival of a header until it is sent on, in an idle switch, nanoseconds.
    pub crossing_ns: u32,
    /// Bits of the turn pool of a header, without a congestion management that has its own.
    pub turn_pool_bits: u32,
    /// Shares of a link guaranteed to the service levels, for arbiters by bandwidth counters: parts
    /// of their sum. Empty if all levels have the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<u32>,
    /// Congestion management.
    #[serde(skip_serializing_if = "CongestionSpec::is_unmanaged")]
    pub congestion: CongestionSpec,
}

impl Default for CombinedQueues {
    fn default() -> Self {
        Self {
            queues: QueueScheme::default(),
            credits: QueueCredits::default(),
            speedup_percent: 150,
            crossing_ns: 145,
            turn_pool_bits: TURN_POOL_BITS,
            shares: Vec::new(),
            congestion: CongestionSpec::default(),
        }
    }
}

impl CombinedQueues {
    /// The way of a header through an idle switch in cycles of `cycle_ps` picoseconds, at least 1.
    pub fn crossing_cycles(&self, cycle_ps: u64) -> u64 {
        (u64::from(self.crossing_ns) * 1000).div_ceil(cycle_ps).max(1)
    }

    fn check_shares(&self, fabric: &CutThroughSpec, problems: &mut Problems) {
        let levels = fabric.qos.levels.len();
        let at = "fabric.switch.shares";
        if self.shares.is_empty() {
            return;
        }
        if !fabric.arbiter.has_counters() {
            problems.add(
                at,
                messages::shares_need_counters(),
                messages::no_shares_or_counters(ArbiterSpec::with_counters()),
            );
        } else if self.shares.len() != levels {
            let why = messages::shares_of_levels(self.shares.len(), levels);
            problems.add(at, why, messages::list_shares(levels, MAX_SHARE));
        }
    }
}

impl Parameters for CombinedQueues {
    fn arbiters(&self) -> &'static [&'static str] {
        &["round-robin", "islip", "smallest-counter", "counter-threshold", "least-recently-served"]
    }

    fn unused_fields(&self) -> &'static [&'static str] {
        &[
            "routing_cycles",
            "buffering_cycles",
            "arbitration_cycles",
            "crossbar_cycles",
            "ports_per_mport",
            "central_links",
            "mport_flits_per_cycle",
            "central_flits_per_cycle",
            "central_buffer_bytes",
        ]
    }

    fn unused_parameters(&self) -> &'static [&'static str] {
        if self.congestion.pool_bits().is_some() { &["turn_pool_bits"] } else { &[] }
    }

    fn check_relations(&self, fabric: &CutThroughSpec, problems: &mut Problems) {
        let cycles = self.crossing_cycles(fabric.cycle_ps.max(1));
        if cycles > MAX_STAGE_CYCLES.into() && u64::from(self.crossing_ns) <= MAX_CROSSING_NS {
            problems.add(
                "fabric.switch.crossing_ns",
                messages::crossing_takes_cycles(cycles, MAX_STAGE_CYCLES),
                messages::shorter_or_longer_cycle(),
            );
        }
        if self.has_private_credits() && !self.queues.is_per_host() {
            problems.add(
                "fabric.switch.credits",
                messages::private_credits_need_destinations(),
                messages::use_queues_or_shared(QueueScheme::ids_where(QueueScheme::is_per_host)),
            );
        }
        self.check_shares(fabric, problems);
        self.congestion.check(self.queues, fabric, problems);
    }

    fn congestion(&self) -> Option<&CongestionSpec> {
        Some(&self.congestion)
    }

    fn shares_of(&self, levels: usize) -> Vec<u32> {
        if self.shares.is_empty() { vec![1; levels] } else { self.shares.clone() }
    }

    fn arbiter_decides_shares(&self) -> bool {
        self.speedup_percent <= 100
    }

    fn has_private_credits(&self) -> bool {
        self.credits == QueueCredits::Private
    }

    /// A queue takes 16 bytes, with credits of its own 18, and each input port has a list of 8
    /// bytes for every lane and output, with what the arbiter keeps of it, and 8 bytes more for
    /// every output. A set-aside queue has [`SAQ_BYTES`] at an input port and at the output port
    /// before it.
    fn queue_bytes(&self, network: &Network, arbiter: &ArbiterSpec, lanes: u64) -> u64 {
        let of_line = 8 + arbiter.bytes_of_line();
        let of_input = |end: End| match end {
            End::Host(_) => 0,
            End::Switch(switch, _) => {
                let ports = network.switches()[switch.index()].ports;
                let queues = self.queues.queues_per_lane(ports, network.hosts().len());
                let of_queue = if self.has_private_credits() { 18 } else { 16 };
                of_queue * lanes * u64::from(queues)
                    + of_line * lanes * u64::from(ports)
                    + 8 * u64::from(ports)
                    + u64::from(self.congestion.saqs()) * SAQ_BYTES
            }
        };
        network.channels().iter().map(|channel| of_input(channel.to)).sum()
    }

    fn bounded_crossing_cycles(&self, cycle_ps: u64) -> Option<u64> {
        self.congestion.is_unmanaged().then(|| self.crossing_cycles(cycle_ps))
    }

    fn source_route(&self) -> Option<SourceRoute> {
        let bits = self.congestion.pool_bits().unwrap_or(self.turn_pool_bits);
        Some(SourceRoute::TurnPool { bits })
    }

    fn check_network(&self, fabric: &CutThroughSpec, network: &Network, problems: &mut Problems) {
        let count = |lanes: &[u8]| lanes.iter().max().map_or(1, |&lane| u64::from(lane) + 1);
        let of_ports = fabric.qos.port_lanes.iter().enumerate();
        let of_ports =
            of_ports.map(|(i, port)| (format!("fabric.qos.port_lanes.{i}"), &port.lanes));
        let tables = std::iter::once(("fabric.qos".to_owned(), &fabric.qos.lanes)).chain(of_ports);
        let mut lanes = 1;
        for (at, table) in tables {
            let named = count(table);
            if named > MAX_LANES {
                problems.add(
                    format!("{at}.lanes"),
                    messages::lanes_of_combined(named, MAX_LANES),
                    messages::number_lanes_below(MAX_LANES),
                );
            }
            lanes = lanes.max(named);
        }
        let bytes = self.queue_bytes(network, &fabric.arbiter, lanes);
        if bytes > MAX_QUEUE_BYTES {
            problems.add(
                "fabric.switch.queues",
                messages::queues_take_memory(bytes >> 20, MAX_QUEUE_BYTES >> 20),
                messages::fewer_queues(QueueScheme::ids_where(|scheme| !scheme.is_per_host())),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use crate::scenario::limits::MAX_PORTS;

    fn problems(settings: &[&str]) -> Vec<(String, String)> {
        let base = r#"{ "hopscope": 1,
            "network": { "generate": { "kind": "single", "hosts": 4 } },
            "fabric": { "kind": "cut-through", "switch": { "kind": "combined-queues" } } }"#;
        match Scenario::parse_with(base, settings) {
            Ok(_) => Vec::new(),
            Err(problems) => {
                problems.0.into_iter().map(|p| (p.at.to_string(), p.why.to_string())).collect()
            }
        }
    }

    #[test]
    fn more_lanes_than_virtual_channels_are_refused() {
        let with_lane = |lane: u64| {
            let ports = format!(r#"[{{"switch":0,"port":1,"lanes":[{lane}]}}]"#);
            let all = format!(r#"fabric.qos={{"levels":[{{"channels":[0]}}],"lanes":[{lane}]}}"#);
            let one = format!(
                r#"fabric.qos={{"levels":[{{"channels":[0]}}],"lanes":[0],"port_lanes":{ports}}}"#
            );
            [(all, "fabric.qos.lanes"), (one, "fabric.qos.port_lanes.0.lanes")].map(
                |(qos, place)| {
                    problems(&[&qos]).iter().any(|(at, why)| {
                        at == place && why.contains("switches with combined queues have 20")
                    })
                },
            )
        };
        assert_eq!([with_lane(MAX_LANES - 1), with_lane(MAX_LANES)], [[false; 2], [true; 2]]);
    }

    #[test]
    fn what_the_switch_cannot_be_is_refused_with_its_place() {
        assert_eq!(problems(&[]), []);
        assert_eq!(problems(&[&format!("network.generate.hosts={MAX_PORTS}")]), []);
        for (settings, at, why) in [
            (&["fabric.switch.speedup_percent=99"][..], "fabric.switch.speedup_percent", "99"),
            (&["fabric.switch.speedup_percent=401"], "fabric.switch.speedup_percent", "401"),
            (&["fabric.cycle_ps=1"], "fabric.switch.crossing_ns", "145000 cycles"),
            (&["fabric.input_buffer_bytes=0"], "fabric.input_buffer_bytes", "0"),
            (&["fabric.arbiter.kind=weighted-random"], "fabric.arbiter", "weighted-random"),
            (&["fabric.switch.credits=private"], "fabric.switch.credits", "per destination"),
            (
                &[
                    r#"network.generate={"kind":"irregular","switches":1024,"hosts_per_switch":40,"ports":64}"#,
                    "fabric.switch.queues=voq-network",
                ],
                "fabric.switch.queues",
                "MB",
            ),
        ] {
            let found = problems(settings);
            assert!(
                found.iter().any(|(place, text)| place == at && text.contains(why)),
                "{settings:?}: {found:?}"
            );
        }
    }

    #[test]
    fn what_recn_cannot_be_is_refused_with_its_place() {
        let recn = "fabric.switch.congestion.kind=recn";
        assert_eq!(problems(&[recn]), []);
        for (setting, at, why) in [
            ("fabric.switch.congestion.saqs=0", "fabric.switch.congestion.saqs", "0"),
            ("fabric.switch.congestion.saqs=65", "fabric.switch.congestion.saqs", "65"),
            ("fabric.switch.congestion.pool_bits=65", "fabric.switch.congestion.pool_bits", "65"),
            (
                "fabric.output_buffer_bytes=4096",
                "fabric.switch.congestion.detection_bytes",
                "the smaller buffer of a port has 4096",
            ),
            (
                "fabric.switch.congestion.propagation_bytes=65536",
                "fabric.switch.congestion.propagation_bytes",
                "65536 bytes",
            ),
            (
                "fabric.switch.congestion.xoff_bytes=65536",
                "fabric.switch.congestion.xoff_bytes",
                "65536 bytes",
            ),
            (
                "fabric.switch.congestion.xon_bytes=4097",
                "fabric.switch.congestion.xon_bytes",
                "above the 4096 bytes",
            ),
            ("fabric.switch.queues=none", "fabric.switch.queues", "one queue per output"),
            ("fabric.qos.lanes=[0,1]", "fabric.qos.lanes", "one lane"),
            ("fabric.express_levels=[0]", "fabric.express_levels", "express"),
        ] {
            let found = problems(&[recn, setting]);
            assert!(
                found.iter().any(|(place, text)| place == at && text.contains(why)),
                "{setting}: {found:?}"
            );
        }
    }

    #[test]
    fn what_recn_with_levels_and_counters_cannot_be_is_refused_with_its_place() {
        let counters = "fabric.arbiter.kind=smallest-counter";
        let levels = "fabric.switch.congestion.kind=recn-qos";
        assert_eq!(problems(&[levels, counters]), []);
        for (settings, at, why) in [
            (&[levels][..], "fabric.arbiter", "bandwidth counters"),
            (
                &[levels, counters, "fabric.switch.congestion.counter_bytes=8129"],
                "fabric.switch.congestion.counter_bytes",
                "8129",
            ),
            (
                &[levels, counters, "fabric.switch.congestion.xon_bytes=4097"],
                "fabric.switch.congestion.xon_bytes",
                "above the 4096 bytes",
            ),
            (
                &[levels, counters, r#"fabric.scheduler={"kind":"wrr","table":[0]}"#],
                "fabric.scheduler",
                "knows lanes",
            ),
            (&["fabric.switch.shares=[1]"], "fabric.switch.shares", "bandwidth counters"),
            (&[counters, "fabric.switch.shares=[1,2]"], "fabric.switch.shares", "2 shares for 1"),
            (
                &[counters, "fabric.switch.shares=[0]"],
                "fabric.switch.shares.0",
                "0 is out of range",
            ),
        ] {
            let found = problems(settings);
            assert!(
                found.iter().any(|(place, text)| place == at && text.contains(why)),
                "{settings:?}: {found:?}"
            );
        }
        let two_levels =
            r#"fabric.qos={"levels":[{"channels":[0]},{"channels":[1]}],"lanes":[0,0]}"#;
        assert_eq!(problems(&[counters, two_levels, "fabric.switch.shares=[3,1]"]), []);
    }

    #[test]
    fn the_crossing_takes_whole_cycles_rounded_up() {
        let switch = CombinedQueues::default();
        assert_eq!(
            [32_000, 4000, 145_000, 625].map(|ps| switch.crossing_cycles(ps)),
            [5, 37, 1, 232]
        );
    }
}
