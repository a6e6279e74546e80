//! Collective operations and halo exchanges, one file per kind: its descriptor, its algorithms as
//! rounds of transfers, and the run time of each on an idle network.
//!
//! Algorithms and names follow Thakur, Rabenseifner, Gropp, "Optimization of Collective
//! Communication Operations in MPICH" (IJHPCA 2005) and MPI. `bytes` is the size n of each rank's
//! vector. A vector that is divided among P ranks has parts of n / P bytes, rounded up.

mod all_gather;
mod all_reduce;
mod all_to_all;
mod barrier;
mod broadcast;
mod halo_2d;
mod halo_3d;
mod reduce;
mod reduce_scatter;
mod shared;
#[cfg(test)]
mod tests;

use crate::group::Group;
use crate::messages;
use crate::program::Program;
use hopscope_scenario::Cycle;
use hopscope_scenario::catalogue::{Descriptor, Kind, Names, Parameter, Status};
use hopscope_scenario::problem::Problems;
use hopscope_scenario::scenario::limits::{
    MAX_APPLICATION_BYTES, MAX_DEPENDENCIES, MAX_ITERATIONS, MAX_OPERATIONS,
};
use hopscope_scenario::scenario::{Algorithm, ApplicationKind, ApplicationSpec};

pub use all_to_all::all_to_all_of;
pub use shared::part;

/// All kinds, in the order in which lists show them.
pub const ALL: &[&Collective] = &[
    &all_reduce::MEMBER,
    &all_gather::MEMBER,
    &reduce_scatter::MEMBER,
    &all_to_all::MEMBER,
    &broadcast::MEMBER,
    &reduce::MEMBER,
    &barrier::MEMBER,
    &halo_2d::MEMBER,
    &halo_3d::MEMBER,
];

/// A kind of collective operation.
#[derive(Debug)]
pub struct Collective {
    /// Its word.
    pub kind: ApplicationKind,
    /// What it is and takes.
    pub descriptor: Descriptor,
    /// Its algorithms, the default first.
    pub algorithms: &'static [Algorithm],
    /// True if its recursive algorithms fold the other ranks into a power of two, so that they take
    /// any number of ranks.
    folds: bool,
    /// Adds the rounds of one operation to a group.
    build: fn(Algorithm, &mut Group<'_>, u64),
    /// The run time on an idle network; `None` where no formula is known.
    idle_time: fn(Algorithm, &Shape<'_>) -> Option<Cycle>,
}

/// What the run time on an idle network depends on.
pub struct Shape<'a> {
    /// Ranks, P.
    pub ranks: u64,
    /// Size of each rank's vector, bytes.
    pub bytes: u64,
    /// T(m): cycles from the start of a send of m bytes until all has arrived.
    pub latency: &'a dyn Fn(u64) -> Cycle,
    /// G(m): cycles between the starts of two messages of m bytes that a NIC sends one after the
    /// other.
    pub gap: &'a dyn Fn(u64) -> Cycle,
}

impl Collective {
    /// The collective of a kind; `None` for a trace.
    pub fn of(kind: ApplicationKind) -> Option<&'static Self> {
        ALL.iter().copied().find(|collective| collective.kind == kind)
    }

    /// The algorithm that a scenario asks for, or the default.
    ///
    /// # Errors
    ///
    /// The kind has no such algorithm, or that needs another number of ranks.
    pub fn algorithm(&self, spec: &ApplicationSpec, ranks: u32) -> Result<Algorithm, Problems> {
        let algorithm = spec.algorithm.unwrap_or(self.algorithms[0]);
        let known: Vec<&str> = self.algorithms.iter().map(|&known| word(known)).collect();
        let wrong = |why, fix| Err(Problems::one("application.algorithm", why, fix));
        if !self.algorithms.contains(&algorithm) {
            let why = messages::no_such_algorithm(self.descriptor.id, word(algorithm));
            return wrong(why, messages::use_algorithm(known));
        }
        let is_recursive =
            matches!(algorithm, Algorithm::RecursiveDoubling | Algorithm::RecursiveHalving);
        if is_recursive && !self.folds && !ranks.is_power_of_two() {
            return wrong(
                messages::algorithm_needs_power_of_two(word(algorithm), ranks),
                messages::power_of_two_or(known[0]),
            );
        }
        Ok(algorithm)
    }

    /// The program of a scenario on a network with `hosts` hosts.
    ///
    /// # Errors
    ///
    /// The kind does not take a field, or the program has too many operations.
    pub fn program(&self, spec: &ApplicationSpec, hosts: u32) -> Result<Program, Problems> {
        self.check_fields(spec)?;
        let ranks = if spec.ranks == 0 { hosts } else { spec.ranks };
        if ranks < 2 {
            let why = messages::application_without_messages();
            return Err(Problems::one("application.ranks", why, messages::two_ranks()));
        }
        let algorithm = self.algorithm(spec, ranks)?;
        let mut program = Program::of_ranks(ranks);
        let mut group = Group::of_all(&mut program);
        for _ in 0..spec.iterations {
            if spec.compute_ns > 0 {
                group.compute(spec.compute_ns);
            }
            (self.build)(algorithm, &mut group, spec.bytes);
            if group.is_full() {
                break;
            }
        }
        check_size(&program)?;
        Ok(program)
    }

    /// Cycles that one operation takes on an idle network in which every pair of ranks is equally
    /// far apart; `None` where no formula is known.
    pub fn idle_time(&self, algorithm: Algorithm, shape: &Shape<'_>) -> Option<Cycle> {
        (self.idle_time)(algorithm, shape)
    }

    /// Adds the rounds of one operation to a group. Recursive algorithms that do not fold need a
    /// power of two of members.
    pub fn add_rounds(&self, algorithm: Algorithm, group: &mut Group<'_>, bytes: u64) {
        if group.len() > 1 {
            (self.build)(algorithm, group, bytes);
        }
    }

    fn check_fields(&self, spec: &ApplicationSpec) -> Result<(), Problems> {
        let default = ApplicationSpec::of(spec.kind);
        let given = [
            ("bytes", spec.bytes != default.bytes),
            ("algorithm", spec.algorithm.is_some()),
            ("format", spec.format.is_some()),
            ("file", !spec.file.is_empty()),
            ("text", !spec.text.is_empty()),
        ];
        let takes = |field: &str| self.descriptor.parameters.iter().any(|p| p.id == field);
        let mut problems = Problems::default();
        for (field, _) in given.into_iter().filter(|&(field, given)| given && !takes(field)) {
            problems.add(
                format!("application.{field}"),
                messages::kind_takes_no(self.descriptor.id, field),
                messages::leave_it_out(),
            );
        }
        problems.or(())
    }
}

/// Refuses a program with too many operations or dependencies.
pub(crate) fn check_size(program: &Program) -> Result<(), Problems> {
    let why = if program.operations.len() > MAX_OPERATIONS {
        messages::too_many_operations(MAX_OPERATIONS)
    } else if program.dependencies.len() > MAX_DEPENDENCIES {
        messages::too_many_dependencies(MAX_DEPENDENCIES)
    } else {
        return Ok(());
    };
    Err(Problems::one("application", why, messages::fewer_ranks_or_iterations()))
}

/// The word of an algorithm in scenario files.
pub fn word(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Ring => "ring",
        Algorithm::RecursiveDoubling => "recursive-doubling",
        Algorithm::RecursiveHalving => "recursive-halving",
        Algorithm::Tree => "tree",
        Algorithm::Linear => "linear",
        Algorithm::Pairwise => "pairwise",
        Algorithm::Binomial => "binomial",
        Algorithm::Dissemination => "dissemination",
    }
}

const RANKS: Parameter =
    Parameter::integer("ranks", "ranks; 0 for one on each host", "", (0, 0, u64::MAX));
const BYTES: Parameter = Parameter::integer(
    "bytes",
    "size of each rank's vector",
    "bytes",
    (1 << 20, 0, MAX_APPLICATION_BYTES),
);
const ITERATIONS: Parameter = Parameter::integer(
    "iterations",
    "repetitions, one after the other",
    "",
    (1, 1, MAX_ITERATIONS),
);

/// The choice among algorithms with their names; the first is the default.
const fn algorithms(choices: &'static [&'static str], names: &'static [&'static str]) -> Parameter {
    let kind = Kind::Choice { default: choices[0], choices, names: Names::Own(names) };
    Parameter::new("algorithm", "how it is carried out", "", kind)
}

const fn descriptor(
    id: &'static str,
    name: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
) -> Descriptor {
    let citation = "Thakur, Rabenseifner, Gropp, IJHPCA 2005";
    Descriptor { id, name, summary, parameters, citation, status: Status::Exact }
}
