//! Ranks that carry out a collective operation in rounds.

use super::program::{Action, After, Program};

/// The members of a collective operation, and what the next operation of each waits for.
///
/// A round is a list of transfers. Each member begins its part of a round when its own part of the
/// round before is complete, sends included; there is no barrier between rounds.
#[derive(Debug)]
pub struct Group<'a> {
    program: &'a mut Program,
    /// The rank of each member.
    members: Vec<u32>,
    /// Per member: the operations that its next ones wait for.
    ends: Vec<Vec<u32>>,
    /// The tag of the next round. Every round has a tag of its own.
    tag: u32,
    line: u32,
}

impl<'a> Group<'a> {
    /// A group that starts when the `ends` of its members are complete. Its tags begin with `tag`;
    /// `line` is where the trace asks for it.
    pub fn new(
        program: &'a mut Program,
        members: Vec<u32>,
        ends: Vec<Vec<u32>>,
        tag: u32,
        line: u32,
    ) -> Self {
        Self { program, members, ends, tag, line }
    }

    /// All ranks of a program, at its start.
    pub fn of_all(program: &'a mut Program) -> Self {
        let members: Vec<u32> = (0..program.ranks).collect();
        let ends = vec![Vec::new(); members.len()];
        Self::new(program, members, ends, 0, 0)
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// True if there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// True if the program may have no more operations.
    pub fn is_full(&self) -> bool {
        self.program.is_full()
    }

    /// The tag of the next round.
    pub fn tag(&self) -> u32 {
        self.tag
    }

    /// A round: transfers from a member to another, of so many bytes. Those from a member to itself
    /// are left out. A member sends in the order of the list.
    pub fn round(&mut self, transfers: impl IntoIterator<Item = (usize, usize, u64)>) {
        let mut ends = vec![Vec::new(); self.len()];
        for (from, to, bytes) in transfers {
            if self.is_full() {
                return;
            }
            if from != to {
                let (sender, receiver) = (self.members[from], self.members[to]);
                let tag = self.tag;
                let send = self.add(from, Action::Send { to: receiver, bytes, tag });
                ends[from].push(send);
                let receive = Action::Receive { from: Some(sender), tag: Some(tag) };
                let receive = self.add(to, receive);
                ends[to].push(receive);
            }
        }
        self.tag += 1;
        for (member, ends) in ends.into_iter().enumerate() {
            if !ends.is_empty() {
                self.ends[member] = ends;
                self.join_many(member);
            }
        }
    }

    /// Has all members compute.
    pub fn compute(&mut self, ns: u64) {
        for member in 0..self.len() {
            self.ends[member] = vec![self.add(member, Action::Compute { ns, cpu: Some(0) })];
        }
    }

    /// An operation of each member that completes with the group's last ones.
    pub fn finish(mut self) -> Vec<u32> {
        let join = Action::Compute { ns: 0, cpu: None };
        (0..self.len()).map(|member| self.add(member, join)).collect()
    }

    /// Replaces many ends by one, so that the operations of the next round do not each wait for all
    /// of this one.
    fn join_many(&mut self, member: usize) {
        if self.ends[member].len() > 2 {
            self.ends[member] = vec![self.add(member, Action::Compute { ns: 0, cpu: None })];
        }
    }

    fn add(&mut self, member: usize, action: Action) -> u32 {
        let operation = self.program.add(self.members[member], action, self.line);
        for &end in &self.ends[member] {
            self.program.wait(operation, end, After::Completion);
        }
        operation
    }
}
