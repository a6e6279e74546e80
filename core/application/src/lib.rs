//! Applications: messages that wait for others, so that run time is a result.
//!
//! A [`Program`] is a list of sends, receives and computations of ranks, and what each waits for.
//! It is made by the generators of [`collectives`] or read from a trace ([`traces`]). [`Replay`]
//! carries it out: it says which messages are due, and is told when they are sent and delivered. It
//! knows no fabric; `core/src/simulation` connects the two.
//!
//! The semantics are those of `docs/applications.md`.

#![forbid(unsafe_code)]

mod check;
pub mod collectives;
mod group;
mod mapping;
pub mod messages;
mod program;
mod replay;
pub mod traces;

pub use group::Group;
pub use program::{Action, After, Dependency, Operation, Program};
pub use replay::{Activity, Awaited, Outgoing, Progress, RankTimes, Replay, Span, Step, slices};

use collectives::Collective;
use hopscope_scenario::catalogue::{Descriptor, Status};
use hopscope_scenario::problem::Problems;
use hopscope_scenario::scenario::{ApplicationKind, ApplicationSpec};
use std::sync::Arc;

/// An application that is ready to run: a program, and the host of each of its ranks.
#[derive(Debug, Clone)]
pub struct Application {
    /// The operations.
    pub program: Arc<Program>,
    /// The host of each rank; no host has two.
    pub hosts: Vec<u32>,
}

impl Application {
    /// The application that `spec` asks for, on a network with `hosts` hosts. `seed` is the
    /// scenario's, and `trace` the text of the trace's file; it is not looked at for other kinds.
    ///
    /// # Errors
    ///
    /// All problems of the application. Places are paths of the scenario such as
    /// `application.ranks`, or lines of the trace.
    pub fn new(
        spec: &ApplicationSpec,
        hosts: u32,
        seed: u64,
        trace: &str,
    ) -> Result<Self, Problems> {
        let program = match Collective::of(spec.kind) {
            Some(collective) => collective.program(spec, hosts)?,
            None => traces::read(trace, spec.format)?,
        };
        let hosts = mapping::hosts_of_ranks(spec, program.ranks, hosts, seed)?;
        Ok(Self { program: Arc::new(program), hosts })
    }
}

/// The descriptors of all kinds of applications.
pub fn all() -> Vec<Descriptor> {
    let collectives = collectives::ALL.iter().map(|collective| collective.descriptor);
    collectives.chain([TRACE]).collect()
}

const TRACE: Descriptor = Descriptor {
    id: "trace",
    name: "Trace",
    summary: "the trace of a program, as GOAL text or VEF",
    parameters: traces::PARAMETERS,
    citation: "",
    status: Status::Experimental,
};

/// The word of a kind in scenario files.
pub fn word(kind: ApplicationKind) -> &'static str {
    Collective::of(kind).map_or(TRACE.id, |collective| collective.descriptor.id)
}
