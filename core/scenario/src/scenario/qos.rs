//! Quality of service in a scenario: service levels, service channels, virtual lanes, and output
//! schedulers.

use serde::{Deserialize, Serialize};

/// Most service levels, service channels, virtual lanes and traffic classes there may be.
pub const MAX_LEVELS: usize = 32;

/// The service channel kept for management; no service level of a scenario may use it.
pub const MANAGEMENT_CHANNEL: u8 = 15;

/// The tables of the Omni-Path architecture (Cano-Cano et al. 2022, section 2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QosSpec {
    /// Service levels; a flow names one by its index.
    pub levels: Vec<LevelSpec>,
    /// SC2VL: the virtual lane of each service channel, by index; a channel not listed has no lane.
    pub lanes: Vec<u8>,
    /// SC2VL of single ports, where it differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub port_lanes: Vec<PortLanes>,
    /// How the service channel of a packet is chosen among those of its level.
    pub channel_rule: ChannelRule,
    /// Virtual fabrics; none means that every host may use every level.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vfabrics: Vec<VFabricSpec>,
}

impl Default for QosSpec {
    /// One level on one channel on one lane.
    fn default() -> Self {
        Self {
            levels: vec![LevelSpec::default()],
            lanes: vec![0],
            port_lanes: Vec::new(),
            channel_rule: ChannelRule::default(),
            vfabrics: Vec::new(),
        }
    }
}

/// A service level: what a flow asks for. It never changes end to end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LevelSpec {
    /// Title for people, such as `voice`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// SL2SC: its service channels. No two levels share a channel, so a packet's channel determines
    /// its level.
    pub channels: Vec<u8>,
    /// Largest packet, bytes; longer messages are cut.
    pub mtu_bytes: u32,
    /// The traffic class it belongs to.
    pub class: u8,
}

impl Default for LevelSpec {
    fn default() -> Self {
        Self { name: String::new(), channels: vec![0], mtu_bytes: 1024, class: 0 }
    }
}

/// The SC2VL table of one output port.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortLanes {
    /// Index of the switch.
    pub switch: u32,
    /// Its port.
    pub port: u16,
    /// The virtual lane of each service channel, by index.
    pub lanes: Vec<u8>,
}

/// How the service channel of a packet is chosen among those of its level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChannelRule {
    /// The source takes them in turn, packet by packet; it stays the same end to end.
    #[default]
    Spread,
    /// At each channel of the route, the lowest service channel that closes no cycle of
    /// dependencies: deadlock freedom by changing lanes, as with datelines in tori.
    AvoidCycles,
}

/// A virtual fabric: hosts and protocols bound to a traffic class.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VFabricSpec {
    /// Title for people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The traffic class it is bound to.
    pub class: u8,
    /// Indices of its hosts; all when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<u32>,
    /// Its protocols, as the names of flows; all when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub protocols: Vec<String>,
}

/// The scheduler of every output port: which lane sends next.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SchedulerSpec {
    /// One packet of each level in turn.
    #[default]
    RoundRobin,
    /// Simple bandwidth table.
    Sbt {
        /// Packets per round of each service level; a level not listed has none.
        weights: Vec<u32>,
        /// Where the search for a lane begins, and when weights are restored.
        #[serde(default, skip_serializing_if = "Restore::is_default")]
        restore: Restore,
    },
    /// Deficit table.
    Dtable(DtableSpec),
    /// Table arbitration of InfiniBand and Advanced Switching: one packet per entry.
    Wrr {
        /// A virtual lane per entry.
        table: Vec<u8>,
    },
    /// Deficit round robin.
    Drr {
        /// Credits per round of each service level; a level not listed has 1.
        quanta: Vec<u32>,
    },
    /// The first level of the list that has something to send.
    StrictPriority {
        /// Levels, highest priority first; those not listed follow in ascending order.
        order: Vec<u8>,
    },
}

/// The rules of a simple bandwidth table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restore {
    /// Algorithm 1 of Cano-Cano et al. 2022: the search begins at the lane chosen last; weights are
    /// restored when as many lanes are ready as the table has entries, and none has weight.
    #[default]
    Spent,
    /// The search begins at the lane after the last; weights are restored as soon as no ready lane
    /// has any.
    Ready,
}

impl Restore {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A deficit table: its entries, or the goals from which they are computed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DtableSpec {
    /// `[level, weight in credits]`, in table order; empty to have the table configured.
    #[serde(default)]
    pub entries: Vec<(u8, u32)>,
    /// The goals from which the table is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configure: Option<DtableGoals>,
}

/// Goals of a deficit table: the input of its configuration method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DtableGoals {
    /// Number of entries N, a power of two.
    pub entries: u32,
    /// General MTU, credits.
    pub general_mtu: u32,
    /// Decoupling parameter w: an entry's weight is at most w general MTUs.
    pub w: u32,
    /// Decoupling parameter k, at most w: the pool of weight is k general MTUs per entry.
    pub k: u32,
    /// The levels served.
    pub levels: Vec<DtableLevel>,
}

impl Default for DtableGoals {
    fn default() -> Self {
        Self { entries: 128, general_mtu: 16, w: 8, k: 2, levels: Vec::new() }
    }
}

/// Goals of one service level in a deficit table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DtableLevel {
    /// The service level.
    pub level: u8,
    /// Latency need: most entries between two of its entries. The power of two at or below it is
    /// used.
    pub distance: u32,
    /// Its share of the bandwidth, relative to the sum over all levels.
    pub share: u32,
    /// Its MTU, credits.
    pub mtu: u32,
}
