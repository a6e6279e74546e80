//! RECN with service levels: a congested point is an output and a service level, so that RECN keeps
//! levels apart without virtual channels. `docs/model-recn.md` says what happens in every cycle.

use super::recn::{DETECTION, POOL, PROPAGATION, Recn, SAQS, XOFF, XON};
use super::{Parameters, recn};
use crate::arbiters::MAX_COUNTER_BYTES;
use crate::catalogue::{Descriptor, Kind, Names, Parameter, Status};
use crate::messages;
use crate::network::End;
use crate::problem::Problems;
use crate::queue_schemes::QueueScheme;
use crate::scenario::{ArbiterSpec, CutThroughSpec, PlacedScheduler, SchedulerSpec};
use crate::schedulers::Levels;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "recn-qos",
    name: "RECN with service levels",
    summary: "RECN that sets aside the packets of levels which exceed their share of an output",
    parameters: &[
        SAQS,
        DETECTION,
        PROPAGATION,
        XOFF,
        XON,
        POOL,
        Parameter::integer(
            "counter_bytes",
            "a level whose bandwidth counter is above this exceeds its share",
            "bytes",
            (4096, 0, MAX_COUNTER_BYTES),
        )
        .named("Counter threshold"),
        Parameter::new(
            "claims",
            "when an input sets packets aside that its output does: arrival, with the next one that arrives; crossing, with the next one that has crossed",
            "",
            Kind::Choice {
                default: "arrival",
                choices: &["arrival", "crossing"],
                names: Names::Own(&[
                    "With the next that arrives",
                    "With the next that has crossed",
                ]),
            },
        )
        .named("An input sets aside"),
        Parameter::new(
            "output_order",
            "which queue of an output sends next: counters, that of the level with the smallest counter; turns, each in turn",
            "",
            Kind::Choice {
                default: "counters",
                choices: &["counters", "turns"],
                names: Names::Own(&["The smallest counter first", "Each in turn"]),
            },
        )
        .named("Queues of an output"),
    ],
    citation: "Martínez et al., A Switch Architecture Guaranteeing QoS Provision and HOL Blocking Elimination, IEEE TPDS",
    status: Status::Exact,
};

/// When an input claims a set-aside queue for packets that an output of its switch sets aside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claims {
    /// When such a packet arrives for that output.
    #[default]
    Arrival,
    /// When such a packet has crossed to that output, and its queue there holds too much.
    Crossing,
}

/// Which of its queues an output port serves first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutputOrder {
    /// That of the level with the smallest bandwidth counter.
    #[default]
    Counters,
    /// Each in turn.
    Turns,
}

/// Regional explicit congestion notification with service levels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecnQos {
    /// Set-aside queues of a port.
    pub saqs: u32,
    /// A standard or detection queue that holds more bytes is congested.
    pub detection_bytes: u32,
    /// A set-aside queue that holds more bytes is told upstream.
    pub propagation_bytes: u32,
    /// A set-aside queue that holds more bytes stops those upstream.
    pub xoff_bytes: u32,
    /// A set-aside queue that holds this or less lets those upstream go on.
    pub xon_bytes: u32,
    /// Bits of the turn pool of a header.
    pub pool_bits: u32,
    /// A level whose bandwidth counter is above these bytes exceeds its share.
    pub counter_bytes: u32,
    /// When inputs claim a set-aside queue.
    pub claims: Claims,
    /// Which of its queues an output port serves first.
    pub output_order: OutputOrder,
}

impl Default for RecnQos {
    fn default() -> Self {
        let Recn { saqs, detection_bytes, propagation_bytes, xoff_bytes, xon_bytes, pool_bits } =
            Recn::default();
        Self {
            saqs,
            detection_bytes,
            propagation_bytes,
            xoff_bytes,
            xon_bytes,
            pool_bits,
            counter_bytes: 4096,
            claims: Claims::default(),
            output_order: OutputOrder::default(),
        }
    }
}

impl RecnQos {
    /// What it has in common with RECN.
    pub fn recn(&self) -> Recn {
        Recn {
            saqs: self.saqs,
            detection_bytes: self.detection_bytes,
            propagation_bytes: self.propagation_bytes,
            xoff_bytes: self.xoff_bytes,
            xon_bytes: self.xon_bytes,
            pool_bits: self.pool_bits,
        }
    }
}

impl Parameters for RecnQos {
    fn saqs(&self) -> u32 {
        self.saqs
    }

    fn pool_bits(&self) -> Option<u32> {
        Some(self.pool_bits)
    }

    fn check_relations(
        &self,
        queues: QueueScheme,
        fabric: &CutThroughSpec,
        problems: &mut Problems,
    ) {
        recn::check(&self.recn(), queues, fabric, problems);
        if !fabric.arbiter.has_counters() {
            problems.add(
                "fabric.arbiter",
                messages::levels_need_counters(),
                messages::use_counters_or(ArbiterSpec::with_counters(), recn::DESCRIPTOR.id),
            );
        }
        let levels = Levels::of(fabric);
        let of_nics = |placed: &PlacedScheduler<'_>| !matches!(placed.of, Some(End::Switch(..)));
        for placed in fabric.schedulers().filter(of_nics) {
            if placed.spec.names_lanes() {
                problems.add(
                    placed.at(),
                    messages::nics_share_among_levels(),
                    messages::use_scheduler_of_levels(SchedulerSpec::for_levels(&levels)),
                );
            }
        }
    }
}
