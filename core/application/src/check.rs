//! Checks of a program that was read: every message has a receive, and no operation waits for
//! itself.
//!
//! The second check carries the program out with messages that take no time. With receives from any
//! rank or of any tag, which message is received depends on times, and so may whether the program
//! gets stuck: then only cycles of the dependencies of a rank are refused, and a run that gets
//! stuck stops with a reason.

use crate::messages;
use crate::program::{Action, Program};
use crate::replay::Replay;
use hopscope_scenario::problem::{Place, Problems};
use hopscope_scenario::scenario::limits::MAX_PROBLEMS;
use std::sync::Arc;

/// Most lines of a cycle that its problem lists.
const MAX_LISTED: usize = 8;

impl Program {
    /// Everything that keeps the program from being carried out, by line of its trace.
    pub fn check(&self) -> Problems {
        let mut problems = Problems::default();
        self.check_pairs(&mut problems);
        if problems.is_empty() {
            self.check_cycles(&mut problems);
        }
        problems.0.truncate(MAX_PROBLEMS);
        problems
    }

    /// Sends and receives with rank and tag given come in pairs. What is left of the sends to a
    /// rank must be what its other receives take.
    fn check_pairs(&self, problems: &mut Problems) {
        let mut sends = Vec::new();
        let mut receives = Vec::new();
        let mut open = vec![0_i64; self.ranks as usize];
        for (number, operation) in self.operations.iter().enumerate() {
            match operation.action {
                Action::Send { to, tag, .. } => sends.push((to, operation.rank, tag, number)),
                Action::Receive { from: Some(from), tag: Some(tag) } => {
                    receives.push((operation.rank, from, tag, number));
                }
                Action::Receive { .. } => open[operation.rank as usize] += 1,
                Action::Compute { .. } => {}
            }
        }
        sends.sort_unstable();
        receives.sort_unstable();
        let key = |&(rank, from, tag, _): &(u32, u32, u32, usize)| (rank, from, tag);
        let (mut lone_sends, mut lone_receives) = (Vec::new(), Vec::new());
        let (mut s, mut r) = (0, 0);
        while s < sends.len() || r < receives.len() {
            let (send, receive) = (sends.get(s), receives.get(r));
            match (send.map(key), receive.map(key)) {
                (Some(a), Some(b)) if a == b => (s, r) = (s + 1, r + 1),
                (Some(a), b) if b.is_none_or(|b| a < b) => {
                    lone_sends.push(sends[s].3);
                    s += 1;
                }
                _ => {
                    lone_receives.push(receives[r].3);
                    r += 1;
                }
            }
        }
        for number in lone_receives {
            self.lone_receive(number, problems);
        }
        lone_sends.sort_unstable();
        for number in lone_sends {
            let Action::Send { to, .. } = self.operations[number].action else { continue };
            open[to as usize] -= 1;
            if open[to as usize] < 0 {
                self.lone_send(number, problems);
            }
        }
        for (number, operation) in self.operations.iter().enumerate().rev() {
            if operation.action.is_wildcard() && open[operation.rank as usize] > 0 {
                open[operation.rank as usize] -= 1;
                self.lone_receive(number, problems);
            }
        }
    }

    /// True if what a receive gets may depend on times.
    pub(crate) fn has_wildcards(&self) -> bool {
        self.operations.iter().any(|operation| operation.action.is_wildcard())
    }

    fn lone_send(&self, number: usize, problems: &mut Problems) {
        let operation = self.operations[number];
        if let Action::Send { to, tag, .. } = operation.action {
            problems.add(
                Place::Line(operation.line),
                messages::send_without_receive(operation.rank, to, tag),
                messages::add_a_receive(),
            );
        }
    }

    fn lone_receive(&self, number: usize, problems: &mut Problems) {
        let operation = self.operations[number];
        if let Action::Receive { from, tag } = operation.action {
            let from = from.map_or_else(messages::any_rank, messages::rank_word);
            let tag = tag.map_or_else(messages::any_tag, messages::tag_word);
            problems.add(
                Place::Line(operation.line),
                messages::receive_without_send(operation.rank, from, tag),
                messages::add_a_send(),
            );
        }
    }

    fn check_cycles(&self, problems: &mut Problems) {
        let mut replay = Replay::new(Arc::new(self.clone()), 1000, u32::MAX, 0);
        replay.run_without_network();
        if replay.is_finished() {
            return;
        }
        let cycle = replay.cycle();
        let rank = |op: &u32| self.operations[*op as usize].rank;
        let is_of_one_rank = cycle.iter().all(|op| Some(rank(op)) == cycle.first().map(rank));
        if self.has_wildcards() && !is_of_one_rank {
            return;
        }
        let Some(&first) = cycle.iter().min_by_key(|&&op| self.operations[op as usize].line) else {
            return;
        };
        let mut lines: Vec<String> =
            cycle.iter().map(|&op| self.operations[op as usize].line.to_string()).collect();
        lines.dedup();
        if lines.len() > MAX_LISTED {
            lines.truncate(MAX_LISTED);
            lines.push("...".into());
        }
        let operation = self.operations[first as usize];
        problems.add(
            Place::Line(operation.line),
            messages::waits_for_ever(operation.rank, lines),
            messages::break_the_cycle(),
        );
    }
}
