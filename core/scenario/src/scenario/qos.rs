//! Quality of service in a scenario: service levels, service channels and virtual lanes.

use serde::{Deserialize, Serialize};

/// Most service levels, service channels, virtual lanes and traffic classes there may be.
pub const MAX_LEVELS: usize = 32;

/// The service channel kept for management: the only one of a level for management, if there is
/// such a level.
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
    /// Virtual channels with a bypass queue: two lanes that schedulers see as one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bypass: Vec<BypassQueue>,
    /// How the service channel of a packet is chosen among those of its level.
    pub channel_rule: ChannelRule,
    /// Virtual fabrics; none means that every host may use every level.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vfabrics: Vec<VFabricSpec>,
    /// Admission control; none admits every connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admission: Option<AdmissionSpec>,
}

/// Admission control by a bandwidth broker (Martínez et al., Providing Quality of Service over
/// Advanced Switching, section 5): a connection enters if every link of its route has its mean rate
/// left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdmissionSpec {
    /// Levels whose connections ask to be admitted; all others send as they like.
    pub levels: Vec<u8>,
    /// Percentage of every link that may be reserved.
    pub share_percent: u32,
}

impl Default for AdmissionSpec {
    fn default() -> Self {
        Self { levels: Vec::new(), share_percent: 100 }
    }
}

impl Default for QosSpec {
    /// One level on one channel on one lane.
    fn default() -> Self {
        Self {
            levels: vec![LevelSpec::default()],
            lanes: vec![0],
            port_lanes: Vec::new(),
            bypass: Vec::new(),
            channel_rule: ChannelRule::default(),
            vfabrics: Vec::new(),
            admission: None,
        }
    }
}

impl QosSpec {
    /// The lane that schedulers see for a lane: itself, or the one whose bypass queue it is.
    pub fn lane_of_scheduler(&self, lane: u8) -> u8 {
        self.bypass.iter().find(|queue| queue.lane == lane).map_or(lane, |queue| queue.of)
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
    /// its level. A level with [`MANAGEMENT_CHANNEL`] has no other.
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

/// A bypassable virtual channel (Martínez et al., Providing Quality of Service over Advanced
/// Switching, section 2): packets marked bypass have a lane of their own, with its credits and
/// buffers, but share the virtual channel's part of the link with the ordered ones. They overtake
/// ordered packets that lack credits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BypassQueue {
    /// The lane of the packets marked bypass.
    pub lane: u8,
    /// The lane of the ordered packets, which names the virtual channel to schedulers.
    pub of: u8,
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
