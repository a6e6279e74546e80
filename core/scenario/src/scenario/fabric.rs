//! The fabric part of a scenario: switches, links and NICs.

use super::CutThroughSpec;
use serde::{Deserialize, Serialize};

/// The switching technique and its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum FabricSpec {
    /// Wormhole switching with Stop & Go and in-transit buffers (Myrinet).
    Wormhole(WormholeSpec),
    /// Virtual cut-through with lanes, service levels and credits (Omni-Path).
    CutThrough(Box<CutThroughSpec>),
}

impl Default for FabricSpec {
    fn default() -> Self {
        Self::Wormhole(WormholeSpec::default())
    }
}

/// What a NIC does when its ITB memory has no space for an in-transit message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ItbOverflow {
    /// The NIC stops reading until there is space. This may deadlock; a run reports it.
    #[default]
    Wait,
    /// The message is discarded, counted, and sent again by its source.
    Drop,
}

/// Wormhole fabric (Flich 2001). The defaults are Myrinet's. Times are in cycles, sizes in flits of
/// one byte.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WormholeSpec {
    /// Length of a cycle in picoseconds; used only to convert cycles to time.
    pub cycle_ps: u64,
    /// Cycles from sending a flit to its arrival, for links that do not say.
    pub link_delay_cycles: u32,
    /// Cycles from inspecting a header to requesting its output.
    pub routing_cycles: u32,
    /// Capacity of a switch input (slack) buffer, and of a NIC's.
    pub buffer_flits: u32,
    /// STOP is sent when the buffer fills to this.
    pub stop_flits: u32,
    /// GO is sent when the buffer drains to this.
    pub go_flits: u32,
    /// Cycles from a mark byte's arrival at a NIC until the message may be injected again.
    pub itb_detection_cycles: u32,
    /// Cycles of DMA programming between choosing an in-transit message and its first flit.
    pub itb_dma_cycles: u32,
    /// ITB memory of each NIC, bytes.
    pub itb_memory_bytes: u32,
    /// What happens when the ITB memory is full.
    pub itb_overflow: ItbOverflow,
    /// Whether route, mark, type, CRC and GAP bytes occupy the network.
    pub count_header: bool,
    /// A message whose header waits this long for an output is dropped; 0 turns that off.
    pub timeout_cycles: u64,
}

impl Default for WormholeSpec {
    fn default() -> Self {
        Self {
            cycle_ps: 6250,
            link_delay_cycles: 8,
            routing_cycles: 23,
            buffer_flits: 80,
            stop_flits: 56,
            go_flits: 40,
            itb_detection_cycles: 44,
            itb_dma_cycles: 32,
            itb_memory_bytes: 512 * 1024,
            itb_overflow: ItbOverflow::Wait,
            count_header: true,
            timeout_cycles: 0,
        }
    }
}
