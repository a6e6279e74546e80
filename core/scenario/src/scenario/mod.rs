//! The scenario file, version 1: what the user drew and chose, as plain serde types.
//!
//! Every omitted field has the default documented at its type. [`Scenario::parse`] reads and
//! validates a file, so the network, routing and fabrics only ever see valid scenarios.
//! [`Scenario::read`] leaves out validation, for editors. [`Scenario::apply_set`] changes single
//! fields, [`share`] makes links, and [`formats`] reads network files of other programs.
//!
//! Families that a file chooses from are modules of their own. Other crates find their types of the
//! file here.

mod application;
mod build;
mod cut_through;
mod described;
mod explain;
mod fabric;
pub mod formats;
mod layout;
pub mod limits;
mod measure;
mod network;
mod parse;
mod qos;
mod read;
mod routing;
mod set;
pub mod share;
mod traffic;
mod unique;
mod validate;
mod wormhole;

pub use crate::arbiters::{
    ArbiterSpec, CounterThreshold, Islip, LeastRecentlyServed, SmallestCounter, WeightedRandom,
};
pub use crate::congestion::{Claims, CongestionSpec, OutputOrder, Recn, RecnQos};
pub use crate::queue_schemes::QueueScheme;
pub use crate::routing::placements::Placement;
pub use crate::routing::presets::Preset;
pub use crate::schedulers::{
    AsDtableSpec, DrrSpec, DtableGoals, DtableLevel, DtableSpec, MinBwSpec, Restore, SbtSpec,
    SchedulerSpec, StrictPrioritySpec, Wf2qPlusSpec, WfqSpec, WrrSpec,
};
pub use crate::switches::{CombinedQueues, QueueCredits, SwitchSpec};
pub use crate::traffic::arrivals::ArrivalSpec;
pub use crate::traffic::patterns::PatternSpec;
pub use crate::traffic::sizes::SizeSpec;
pub use application::{Algorithm, ApplicationKind, ApplicationSpec, Mapping, TraceFormat};
pub use cut_through::{
    CutThroughSpec, HostScheduler, LaneShare, NicQueues, PlacedScheduler, PortScheduler,
};
pub use explain::explain_json;
pub use fabric::{FabricSpec, InputBuffer, SourceRoute, Technique, all as fabrics};
pub use measure::{MEASURE, MeasureSpec};
pub use network::{DrawnHost, DrawnLink, DrawnNetwork, DrawnSwitch, NetworkSpec};
pub use parse::parse_json;
pub use qos::{
    AdmissionSpec, BypassQueue, ChannelRule, LevelSpec, MANAGEMENT_CHANNEL, MAX_LEVELS, PortLanes,
    QosSpec, VFabricSpec,
};
pub use read::read as read_part;
pub use routing::{
    CandidateRule, CandidateSet, Choice, Halfway, ItbHost, Orientation, Root, RoutingSpec,
    Selection,
};
pub use traffic::{FlowSpec, LoadUnit, ROUNDING, rounded_down, rounded_up};
pub use wormhole::{ItbOverflow, WormholeSpec};

use serde::{Deserialize, Serialize};

/// Version of the scenario file this program writes. Older versions always open.
pub const SCHEMA_VERSION: u32 = 1;

/// A scenario: everything that determines a run, to the bit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Schema version; 1.
    pub hopscope: u32,
    /// Title for people.
    #[serde(default)]
    pub name: String,
    /// What to observe, for people; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Seed of every random stream of the run. Generator and routing have seeds of their own.
    #[serde(default = "one")]
    pub seed: u64,
    /// The network: drawn, or made by a generator.
    pub network: NetworkSpec,
    /// Routing and ITB placement.
    #[serde(default)]
    pub routing: RoutingSpec,
    /// Switches, links and NICs.
    #[serde(default)]
    pub fabric: FabricSpec,
    /// The workload: a list of flows. Default: one uniform flow; none beside an application.
    #[serde(default = "default_traffic")]
    pub traffic: Vec<FlowSpec>,
    /// Messages that wait for others. The run ends when it is finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<ApplicationSpec>,
    /// When to start and stop counting.
    #[serde(default)]
    pub measure: MeasureSpec,
}

impl Scenario {
    /// A scenario with a network, and defaults for the rest.
    pub fn of(network: NetworkSpec) -> Self {
        Self {
            hopscope: SCHEMA_VERSION,
            name: String::new(),
            description: String::new(),
            seed: one(),
            network,
            routing: RoutingSpec::default(),
            fabric: FabricSpec::default(),
            traffic: default_traffic(),
            application: None,
            measure: MeasureSpec::default(),
        }
    }
}

fn one() -> u64 {
    1
}

fn default_traffic() -> Vec<FlowSpec> {
    vec![FlowSpec::default()]
}
