//! A program carried out without a network, and why it gets stuck.

use super::{NEVER, Replay};
use crate::program::Action;
use std::collections::BTreeMap;

impl Replay {
    /// Carries the program out with messages that take no time, until it is finished or stuck.
    pub(crate) fn run_without_network(&mut self) {
        let (mut now, mut message, mut ready) = (0, 0_u32, Vec::new());
        loop {
            self.advance(now, &mut ready);
            while let Some(rank) = ready.pop() {
                while self.take(rank, message).is_some() {
                    self.sent(message);
                    self.delivered(message, 0, 0);
                    message = message.wrapping_add(1);
                }
            }
            if !self.has_reports() {
                match self.next() {
                    Some(time) => now = time,
                    None => return,
                }
            }
        }
    }

    /// Operations of a stuck program that wait for each other in a cycle; empty if the search ends
    /// at a receive for which no send is left.
    pub(crate) fn cycle(&self) -> Vec<u32> {
        let mut waits_for: BTreeMap<u32, u32> = BTreeMap::new();
        for dependency in &self.program.dependencies {
            let on = &self.operations[dependency.on as usize];
            if on.completed == NEVER {
                waits_for.entry(dependency.operation).or_insert(dependency.on);
            }
        }
        let first = (0_u32..).zip(&self.operations).find(|(_, state)| state.completed == NEVER);
        let mut path = Vec::new();
        let mut place = BTreeMap::new();
        let mut next = first.map(|(number, _)| number);
        while let Some(operation) = next {
            if let Some(&start) = place.get(&operation) {
                return path.split_off(start);
            }
            place.insert(operation, path.len());
            path.push(operation);
            next = match self.operations[operation as usize].started {
                NEVER => waits_for.get(&operation).copied(),
                _ => self.missing_send(operation),
            };
        }
        Vec::new()
    }

    /// The first send that has not started and that an open receive would take.
    fn missing_send(&self, receive: u32) -> Option<u32> {
        let about = &self.program.operations[receive as usize];
        let Action::Receive { from, tag } = about.action else { return None };
        let fits = |send: &crate::program::Operation| match send.action {
            Action::Send { to, tag: sent, .. } => {
                to == about.rank
                    && from.is_none_or(|from| from == send.rank)
                    && tag.is_none_or(|tag| tag == sent)
            }
            _ => false,
        };
        let all = (0_u32..).zip(self.operations.iter().zip(&self.program.operations));
        let mut waiting = all.filter(|(_, (state, _))| state.started == NEVER);
        waiting.find(|(_, (_, send))| fits(send)).map(|(number, _)| number)
    }
}
