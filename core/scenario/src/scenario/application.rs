//! The application of a scenario: messages that wait for others, so that run time is a result.
//!
//! This is what the user writes. `core/application` makes a program of it: operations of ranks and
//! what each waits for.

use num_traits::One;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What runs on the hosts: a collective operation, a halo exchange, or a trace of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApplicationSpec {
    /// The operation, or `trace`.
    pub kind: ApplicationKind,
    /// How the operation is carried out; omitted for the first algorithm of the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Algorithm>,
    /// Ranks (processes); 0 for one on each host. A trace has its own number.
    #[serde(default)]
    pub ranks: u32,
    /// Size of each rank's vector, bytes. For halo exchanges: of the message to each neighbour.
    #[serde(default = "default_bytes")]
    pub bytes: u64,
    /// How often the operation is repeated, one after the other.
    #[serde(default = "One::one", skip_serializing_if = "One::is_one")]
    pub iterations: u32,
    /// Computation of every rank before each repetition, nanoseconds.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub compute_ns: u64,
    /// Which rank runs on which host.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub mapping: Mapping,
    /// The host of each rank, for the mapping `list`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<u32>,
    /// Service level of the messages.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub level: u8,
    /// Cycle in which all ranks start.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub start_cycle: u64,
    /// Largest message given to a NIC, bytes; longer ones are cut. 0 for the default of the fabric.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub packet_bytes: u32,
    /// Format of the trace; omitted to recognise it by its first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<TraceFormat>,
    /// Name of the trace's file, relative to the scenario's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Text of the trace. If it is empty, who runs the scenario reads the file.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub text: Arc<str>,
}

/// Kinds of applications.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApplicationKind {
    /// Every rank gets the sum of all vectors.
    AllReduce,
    /// Every rank gets the parts of all ranks.
    AllGather,
    /// Every rank gets its part of the sum of all vectors.
    ReduceScatter,
    /// Every rank sends a part of its vector to every other rank.
    AllToAll,
    /// Rank 0 sends its vector to all.
    Broadcast,
    /// Rank 0 gets the sum of all vectors.
    Reduce,
    /// No rank leaves before all have entered.
    Barrier,
    /// Exchange with the four neighbours in a periodic grid.
    #[serde(rename = "halo-2d")]
    Halo2d,
    /// Exchange with the six neighbours in a periodic grid.
    #[serde(rename = "halo-3d")]
    Halo3d,
    /// The trace of a program.
    Trace,
}

/// Algorithms of collective operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "documented at the operations that have them")]
pub enum Algorithm {
    Ring,
    RecursiveDoubling,
    RecursiveHalving,
    Tree,
    Linear,
    Pairwise,
    Binomial,
    Dissemination,
}

/// Rules that map ranks to hosts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mapping {
    /// Rank r runs on host r.
    #[default]
    Linear,
    /// Hosts are drawn with the scenario's seed.
    Random,
    /// The hosts are listed in `hosts`.
    List,
}

/// Formats of traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TraceFormat {
    /// GOAL, as text (LogGOPSim, ATLAHS).
    Goal,
    /// VEF traces.
    Vef,
}

impl TraceFormat {
    /// The words of all formats.
    pub const WORDS: &'static [&'static str] = &["goal", "vef"];
}

impl ApplicationSpec {
    /// An application with defaults for all but its kind.
    pub fn of(kind: ApplicationKind) -> Self {
        Self {
            kind,
            algorithm: None,
            ranks: 0,
            bytes: default_bytes(),
            iterations: 1,
            compute_ns: 0,
            mapping: Mapping::default(),
            hosts: Vec::new(),
            level: 0,
            start_cycle: 0,
            packet_bytes: 0,
            format: None,
            file: String::new(),
            text: Arc::default(),
        }
    }

    /// The trace in a file.
    pub fn trace(file: String) -> Self {
        Self { file, ..Self::of(ApplicationKind::Trace) }
    }
}

fn default_bytes() -> u64 {
    1 << 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_formats_are_those_of_the_file() {
        let unknown = serde_json::from_str::<TraceFormat>("\"none\"").expect_err("it is none");
        let known = TraceFormat::WORDS.iter().map(|word| format!("`{word}`"));
        let known = known.collect::<Vec<_>>().join(" or ");
        let expected = format!("unknown variant `none`, expected {known}");
        assert!(unknown.to_string().starts_with(&expected), "{unknown}");
    }
}
