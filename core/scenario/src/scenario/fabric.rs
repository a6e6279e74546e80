//! The fabric part of a scenario: the switching technique, and what the rest of the program asks of
//! it.
//!
//! A technique is a struct of its parameters in a file of its own, which implements [`Technique`].
//! Validation, reports, the command line and the page ask [`FabricSpec::technique`];
//! `ARCHITECTURE.md` lists the few places that know which techniques there are.

use super::limits::MAX_MESSAGE_BYTES;
use super::wormhole::WormholeSpec;
use super::{AdmissionSpec, CutThroughSpec, DrawnNetwork, LevelSpec, LoadUnit, Scenario};
use super::{cut_through, wormhole};
use crate::catalogue::Descriptor;
use crate::network::Network;
use crate::problem::Problems;
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

/// Headings that techniques share.
pub(super) const TIMES: &str = "Times";
pub(super) const BUFFERS: &str = "Buffers";
pub(super) const ITBS: &str = "In-transit buffers";

/// What the rest of the program asks of a switching technique.
pub trait Technique {
    /// Its descriptor.
    fn descriptor(&self) -> &'static Descriptor;

    /// Adds what is wrong with its parameters in a scenario, whose network is absent if it cannot
    /// be built.
    fn check(
        &self,
        scenario: &Scenario,
        drawn: &DrawnNetwork,
        network: Option<&Network>,
        problems: &mut Problems,
    );

    /// Length of a cycle, picoseconds.
    fn cycle_ps(&self) -> u64;

    /// Payload bytes of a flit.
    fn flit_bytes(&self) -> u32;

    /// Unit of the load of a flow that names none.
    fn load_unit(&self) -> LoadUnit;

    /// Delay of a link that does not say, cycles.
    fn link_delay_cycles(&self) -> u32;

    /// Buffer of a switch input port.
    fn input_buffer(&self) -> InputBuffer;

    /// Service levels, of which a flow names one by its index; empty if every flow is the same to
    /// the fabric.
    fn levels(&self) -> &[LevelSpec] {
        &[]
    }

    /// Admission control; `None` if every connection may send.
    fn admission(&self) -> Option<&AdmissionSpec> {
        None
    }

    /// Gives the fabric admission control, or none; nothing on a fabric without levels.
    fn set_admission(&mut self, _admission: Option<AdmissionSpec>) {}

    /// Set-aside queues of a port.
    fn saqs(&self) -> u32 {
        0
    }

    /// True if each queue at an input port of a switch has credits of its own.
    fn has_private_credits(&self) -> bool {
        false
    }

    /// The share of a link that each level is guaranteed, 0 to 1, where bandwidth counters hold
    /// levels to it; empty elsewhere.
    fn guaranteed_shares(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Virtual lanes of a channel.
    fn lanes(&self) -> u8 {
        1
    }

    /// The lanes that a level has at any sender, in order; none without levels.
    fn lanes_of_level(&self, _level: usize) -> Vec<u8> {
        Vec::new()
    }

    /// How a header names the route; `None` if switches route by destination.
    fn source_route(&self) -> Option<SourceRoute> {
        None
    }

    /// Chooses lanes without regard to cycles of routes, so that they may deadlock.
    fn let_cycles_be(&mut self) {}

    /// Largest message that an application gives to a NIC unless the scenario says otherwise,
    /// bytes.
    fn application_packet_bytes(&self) -> u32 {
        MAX_MESSAGE_BYTES
    }

    /// True if an in-transit host discards messages that its ITB memory cannot take.
    fn drops_in_transit(&self) -> bool {
        false
    }

    /// A message that waits this long for an output is dropped, cycles; 0 for never. The field of
    /// the scenario is `fabric.timeout_cycles`.
    fn timeout_cycles(&self) -> u64 {
        0
    }
}

/// How a header names the route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceRoute {
    /// A byte for each switch, two that mark each in-transit stop, and two of type (Myrinet).
    Bytes {
        /// Whether they occupy the network.
        counted: bool,
    },
    /// A pool of turns (Advanced Switching).
    TurnPool {
        /// Bits of the pool: those of all turns up to an in-transit stop or the end must fit.
        bits: u32,
    },
}

/// The buffer of a switch input port, in flits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputBuffer {
    /// Capacity.
    pub flits: u32,
    /// Contents at which it sends STOP and GO; `None` with credits.
    pub stop_and_go: Option<[u32; 2]>,
}

impl FabricSpec {
    /// The technique.
    pub fn technique(&self) -> &dyn Technique {
        match self {
            Self::Wormhole(spec) => spec,
            Self::CutThrough(spec) => spec.as_ref(),
        }
    }

    /// The technique, to be changed.
    pub fn technique_mut(&mut self) -> &mut dyn Technique {
        match self {
            Self::Wormhole(spec) => spec,
            Self::CutThrough(spec) => spec.as_mut(),
        }
    }

    /// The technique with this id and its default parameters.
    pub fn with_id(id: &str) -> Option<Self> {
        crate::family::with_id(id)
    }

    /// The id of the technique, which is the `kind` of the scenario file.
    pub fn id(&self) -> &'static str {
        self.technique().descriptor().id
    }

    /// What each of `hosts` hosts that send on `switches` switches sends if a flow has a load of 1,
    /// in flits per cycle.
    pub fn flits_per_cycle_per_host(&self, unit: LoadUnit, switches: usize, hosts: usize) -> f64 {
        unit.flits_per_cycle_per_host(1.0, self.technique().cycle_ps(), switches, hosts)
    }
}

/// Descriptors of all fabrics.
pub fn all() -> &'static [Descriptor] {
    const ALL: &[Descriptor] = &[wormhole::DESCRIPTOR, cut_through::DESCRIPTOR];
    ALL
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Fields with a family of their own, or with lists of their own form.
    const ELSEWHERE: [&str; 6] =
        ["qos", "switch", "arbiter", "scheduler", "lane_shares", "express_levels"];

    #[test]
    fn descriptors_have_every_field_with_its_default() {
        for descriptor in all() {
            let spec: FabricSpec =
                serde_json::from_value(json!({ "kind": descriptor.id })).unwrap();
            let mut written = serde_json::to_value(spec).unwrap();
            let fields = written.as_object_mut().unwrap();
            for parameter in descriptor.parameters {
                let default = parameter.kind.default_value();
                assert_eq!(fields.remove(parameter.id), Some(default), "{}", parameter.id);
            }
            assert_eq!(
                FabricSpec::with_id(descriptor.id).map(|spec| spec.id()),
                Some(descriptor.id)
            );
            fields.retain(|field, _| field != "kind" && !ELSEWHERE.contains(&field.as_str()));
            assert_eq!(written, Value::Object(Default::default()));
        }
    }
}
