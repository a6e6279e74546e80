//! The collective operations of a VEF trace.
//!
//! A trace has no algorithms. These are used: a binomial tree for broadcast and reduce, recursive
//! doubling for all-reduce, direct messages from and to the root for gather and scatter, a ring for
//! all-gather, dissemination for barriers, and pairwise exchange for all-to-all.

use super::records::Part;
use crate::collectives::{Collective, all_to_all_of, part};
use crate::group::Group;
use crate::messages;
use crate::program::Program;
use crate::traces::text::{Found, Wrong, wrong};
use hopscope_scenario::scenario::{Algorithm, ApplicationKind};
use std::collections::{BTreeMap, BTreeSet};

/// Communicators and collectives by their numbers.
#[derive(Default)]
pub struct Collectives {
    communicators: BTreeMap<u32, Vec<u32>>,
    all: BTreeMap<u32, Parts>,
    /// The operation with which each task's part ends, by collective and task.
    ends: BTreeMap<(u32, u32), u32>,
    parts: usize,
}

/// A collective operation: the part of each task.
struct Parts {
    line: u32,
    communicator: u32,
    operation: u32,
    of_task: BTreeMap<u32, (Part, u32)>,
}

impl Collectives {
    /// Adds a communicator.
    pub fn communicator(&mut self, id: u32, tasks: Vec<u32>) -> Result<(), Wrong> {
        let mut seen = BTreeSet::new();
        if let Some(&task) = tasks.iter().find(|&&task| !seen.insert(task)) {
            let why = messages::trace_expected(task, "a task that is not listed before");
            return Err(wrong(why, messages::trace_check_line()));
        }
        match self.communicators.insert(id, tasks) {
            Some(_) => Err(wrong(messages::vef_communicator_twice(id), messages::vef_id_once())),
            None => Ok(()),
        }
    }

    /// Adds the part of a task, which begins with operation `start`.
    pub fn part(&mut self, part: Part, start: u32, line: u32) -> Result<(), Wrong> {
        let Part { id, communicator, operation, task, .. } = part;
        let Some(tasks) = self.communicators.get(&communicator) else {
            let why = messages::vef_no_communicator(communicator);
            return Err(wrong(why, messages::vef_define_communicator()));
        };
        if !tasks.contains(&task) {
            let why = messages::vef_not_in_communicator(task, communicator);
            return Err(wrong(why, messages::trace_check_line()));
        }
        let new = || Parts { line, communicator, operation, of_task: BTreeMap::new() };
        let parts = self.all.entry(id).or_insert_with(new);
        if (parts.communicator, parts.operation) != (communicator, operation) {
            return Err(wrong(messages::vef_differs(id), messages::trace_check_line()));
        }
        self.parts += 1;
        match parts.of_task.insert(task, (part, start)) {
            Some(_) => {
                Err(wrong(messages::vef_task_twice(id, task), messages::vef_one_record_per_task()))
            }
            None => Ok(()),
        }
    }

    /// Number of communicators.
    pub fn communicators(&self) -> usize {
        self.communicators.len()
    }

    /// Number of collectives.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Number of parts of tasks.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// The operation that completes when a task's part in a collective has ended.
    pub fn end(&self, id: u32, task: u32) -> Option<u32> {
        self.ends.get(&(id, task)).copied()
    }

    /// Adds the messages of all collectives to a program. Their tags begin with `tag`.
    pub fn add_to(&mut self, program: &mut Program, mut tag: u32, found: &mut Found) {
        for (&id, parts) in &self.all {
            if found.is_full() || program.is_full() {
                return;
            }
            let tasks = &self.communicators[&parts.communicator];
            if let Some(task) = tasks.iter().find(|task| !parts.of_task.contains_key(task)) {
                let why = messages::vef_missing_task(id, *task);
                found.add(parts.line, why, messages::vef_one_record_per_task());
                continue;
            }
            let of_task = |task: &u32| &parts.of_task[task];
            let Some(root) = parts.root(tasks) else {
                found.add(parts.line, messages::vef_no_root(id), messages::vef_root_sizes());
                continue;
            };
            // The root, if there is one, becomes member 0.
            let members: Vec<u32> = tasks[root..].iter().chain(&tasks[..root]).copied().collect();
            let starts = members.iter().map(|task| vec![of_task(task).1]).collect();
            let sizes =
                members.iter().map(|task| (of_task(task).0.sends, of_task(task).0.receives));
            let sizes: Vec<(u64, u64)> = sizes.collect();
            let mut group = Group::new(program, members.clone(), starts, tag, parts.line);
            parts.add_rounds(&mut group, &sizes);
            tag = group.tag();
            for (task, end) in members.into_iter().zip(group.finish()) {
                self.ends.insert((id, task), end);
            }
        }
    }
}

impl Parts {
    /// The place of the root among the tasks, 0 for operations without one; `None` if the sizes do
    /// not tell. The root of a broadcast or scatter is the only one that sends, that of a reduce or
    /// gather the only one that receives.
    fn root(&self, tasks: &[u32]) -> Option<usize> {
        let is_root = |task: &u32| {
            let (part, _) = &self.of_task[task];
            if matches!(self.operation, 0 | 4) { part.sends > 0 } else { part.receives > 0 }
        };
        if !matches!(self.operation, 0 | 1 | 3 | 4) {
            return Some(0);
        }
        let mut roots = (0..tasks.len()).filter(|&place| is_root(&tasks[place]));
        let root = roots.next()?;
        roots.next().is_none().then_some(root)
    }

    /// `sizes`: bytes that each member sends and receives.
    fn add_rounds(&self, group: &mut Group<'_>, sizes: &[(u64, u64)]) {
        let members = sizes.len();
        let largest = sizes.iter().map(|&(sends, receives)| sends.max(receives)).max().unwrap_or(0);
        let mut build = |kind, algorithm, bytes| {
            if let Some(collective) = Collective::of(kind) {
                collective.add_rounds(algorithm, group, bytes);
            }
        };
        match self.operation {
            0 => build(ApplicationKind::Broadcast, Algorithm::Binomial, largest),
            1 => build(ApplicationKind::Reduce, Algorithm::Binomial, largest),
            2 => build(ApplicationKind::AllReduce, Algorithm::RecursiveDoubling, largest),
            3 => group.round((1..members).map(|member| (member, 0, sizes[member].0))),
            4 => group.round((1..members).map(|member| (0, member, sizes[member].1))),
            5 => build(ApplicationKind::AllGather, Algorithm::Ring, largest),
            6 => build(ApplicationKind::Barrier, Algorithm::Dissemination, 0),
            // `receives` is 1 if the size sent is that of all messages of a member together.
            _ => {
                let sends = sizes.iter().map(|&(sends, _)| sends).max().unwrap_or(0);
                let is_sum = sizes.iter().any(|&(_, receives)| receives == 1);
                all_to_all_of(group, if is_sum { part(sends, members) } else { sends });
            }
        }
    }
}
