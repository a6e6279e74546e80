//! The wormhole fabric of a scenario: switches with Stop & Go, and NICs with in-transit buffers.

use super::fabric::{BUFFERS, ITBS, InputBuffer, SourceRoute, TIMES, Technique};
use super::limits::{MAX_BUFFER_FLITS, MAX_CYCLE_PS, MAX_CYCLES, MAX_DELAY_CYCLES};
use super::{DrawnNetwork, LoadUnit, Scenario, validate};
use crate::catalogue::{Descriptor, Kind, Names, Parameter, Status};
use crate::network::Network;
use crate::problem::Problems;
use serde::{Deserialize, Serialize};

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

/// Largest packet of GM, the message layer of Myrinet, bytes.
const GM_PACKET_BYTES: u32 = 4096;

impl Technique for WormholeSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn check(
        &self,
        scenario: &Scenario,
        drawn: &DrawnNetwork,
        _: Option<&Network>,
        problems: &mut Problems,
    ) {
        validate::wormhole::check(self, scenario, drawn, problems);
    }

    fn cycle_ps(&self) -> u64 {
        self.cycle_ps
    }

    fn flit_bytes(&self) -> u32 {
        1
    }

    fn load_unit(&self) -> LoadUnit {
        LoadUnit::FlitsPerNsPerSwitch
    }

    fn source_route(&self) -> Option<SourceRoute> {
        Some(SourceRoute::Bytes { counted: self.count_header })
    }

    fn link_delay_cycles(&self) -> u32 {
        self.link_delay_cycles
    }

    fn input_buffer(&self) -> InputBuffer {
        let stop_and_go = Some([self.stop_flits, self.go_flits]);
        InputBuffer { flits: self.buffer_flits, stop_and_go }
    }

    fn application_packet_bytes(&self) -> u32 {
        GM_PACKET_BYTES
    }

    fn drops_in_transit(&self) -> bool {
        self.itb_overflow == ItbOverflow::Drop
    }

    fn timeout_cycles(&self) -> u64 {
        self.timeout_cycles
    }
}

const MAX_DELAY: u64 = MAX_DELAY_CYCLES as u64;
const MAX_BUFFER: u64 = MAX_BUFFER_FLITS as u64;

/// The descriptor of the wormhole fabric. Validation takes the bounds from here. The least buffer
/// and marks are those of the slack rule for links of one cycle.
pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "wormhole",
    name: "Wormhole, Stop & Go",
    summary: "worms of flits held back by Stop and Go marks, as in Myrinet",
    parameters: &[
        Parameter::integer("cycle_ps", "length of a cycle", "ps", (6250, 1, MAX_CYCLE_PS))
            .named("Cycle")
            .in_group(TIMES),
        Parameter::integer(
            "link_delay_cycles",
            "from sending a flit to its arrival, for links that do not say",
            "cycles",
            (8, 1, MAX_DELAY),
        )
        .named("Link delay")
        .in_group(TIMES),
        Parameter::integer(
            "routing_cycles",
            "from inspecting a header to requesting its output",
            "cycles",
            (23, 1, MAX_DELAY),
        )
        .named("Routing time")
        .in_group(TIMES),
        Parameter::integer(
            "buffer_flits",
            "buffer of a switch input, and of a NIC",
            "flits",
            (80, 4, MAX_BUFFER),
        )
        .named("Input buffer")
        .in_group(BUFFERS),
        Parameter::integer(
            "stop_flits",
            "contents of a buffer at which STOP is sent",
            "flits",
            (56, 3, MAX_BUFFER - 1),
        )
        .named("STOP at")
        .in_group(BUFFERS),
        Parameter::integer(
            "go_flits",
            "contents of a buffer at which GO is sent",
            "flits",
            (40, 2, MAX_BUFFER - 2),
        )
        .named("GO at")
        .in_group(BUFFERS),
        Parameter::integer(
            "itb_detection_cycles",
            "from a mark byte's arrival until the message may be injected again",
            "cycles",
            (44, 1, MAX_DELAY),
        )
        .named("ITB detection")
        .in_group(ITBS),
        Parameter::integer(
            "itb_dma_cycles",
            "from choosing an in-transit message to its first flit",
            "cycles",
            (32, 0, MAX_DELAY),
        )
        .named("DMA programming")
        .in_group(ITBS),
        Parameter::integer(
            "itb_memory_bytes",
            "ITB memory of each NIC",
            "bytes",
            (512 * 1024, 1, MAX_BUFFER),
        )
        .named("ITB memory")
        .in_group(ITBS),
        Parameter::new(
            "itb_overflow",
            "what a NIC does with an in-transit message that its ITB memory cannot take",
            "",
            Kind::Choice {
                default: "wait",
                choices: &["wait", "drop"],
                names: Names::Own(&["Wait in the network", "Drop and send again"]),
            },
        )
        .named("When the ITB memory is full")
        .in_group(ITBS),
        Parameter::new(
            "count_header",
            "route, mark, type, CRC and GAP bytes occupy the network",
            "",
            Kind::Flag { default: true },
        )
        .named("Header bytes occupy the network")
        .in_group("Headers"),
        Parameter::integer(
            "timeout_cycles",
            "a message whose header waits this long for an output is dropped; 0 for never",
            "cycles",
            (0, 0, MAX_CYCLES),
        )
        .named("Drop after blocked (0: never)")
        .in_group(TIMES),
    ],
    citation: "J. Flich, doctoral thesis, Universidad Politécnica de Valencia, 2001",
    status: Status::Exact,
};
