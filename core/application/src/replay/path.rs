//! The critical path: the chain of operations that made the run as long as it was.

use super::{NEVER, NONE, Replay};
use crate::program::{Action, After};
use hopscope_scenario::Cycle;

/// A message for which a rank waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Awaited {
    /// The sending rank.
    pub from: u32,
    /// Cycles from the start of the receive until all of the message had arrived.
    pub cycles: Cycle,
    /// Route set of its last part.
    pub set: u8,
    /// Route in the set.
    pub route: u32,
}

/// A part of the critical path. Times are cycles from the start of the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A rank computed or paused, or waited for a processor to do so.
    Compute {
        /// The rank.
        rank: u32,
        /// When the operation was ready.
        from: Cycle,
        /// When it completed.
        until: Cycle,
    },
    /// A message was under way, and its receiver waited for it.
    Message {
        /// Sending rank.
        rank: u32,
        /// Receiving rank.
        to: u32,
        /// Payload, bytes.
        bytes: u64,
        /// When the send started.
        from: Cycle,
        /// When all of it had arrived.
        until: Cycle,
        /// Route set of its last part.
        set: u8,
        /// Route in the set.
        route: u32,
    },
    /// An operation waited for a message to leave its rank's NIC.
    Send {
        /// The rank.
        rank: u32,
        /// Receiving rank.
        to: u32,
        /// When the send started.
        from: Cycle,
        /// When its last flit had left.
        until: Cycle,
        /// Route set and route of its last part; `None` until it has arrived.
        route: Option<(u8, u32)>,
    },
}

impl Replay {
    /// The critical path, from its start. It ends with the last operation that completed. Each step
    /// begins when the one before has ended, or while that one goes on if it waits for its start.
    pub fn critical_path(&self) -> Vec<Step> {
        let mut path = Vec::new();
        let mut next = self.last_completed().map(|operation| (operation, After::Completion));
        while let Some((operation, event)) = next {
            let mut at = operation;
            if event == After::Completion {
                let awaited = self.awaited_send(operation);
                at = awaited.unwrap_or(operation);
                path.extend(self.step(at, awaited.is_some()));
            }
            let state = &self.operations[at as usize];
            next = (state.cause != NONE).then_some((state.cause, state.cause_after));
        }
        path.reverse();
        path
    }

    /// The messages of other ranks for which a rank has waited.
    pub fn awaited(&self, rank: u32) -> Vec<Awaited> {
        let mut awaited = Vec::new();
        for (number, about) in (0_u32..).zip(&self.program.operations) {
            let is_receive = matches!(about.action, Action::Receive { .. });
            if about.rank != rank || !is_receive {
                continue;
            }
            let Some(send) = self.awaited_send(number) else { continue };
            let (from, state) =
                (self.program.operations[send as usize].rank, &self.operations[send as usize]);
            if from != rank {
                let cycles = state.arrived - self.operations[number as usize].started;
                awaited.push(Awaited { from, cycles, set: state.set, route: state.route });
            }
        }
        awaited
    }

    /// The send for which a receive waited after it had started.
    fn awaited_send(&self, receive: u32) -> Option<u32> {
        let send = self.matched(receive)?;
        let arrived = self.operations[send as usize].arrived;
        (arrived > self.operations[receive as usize].started).then_some(send)
    }

    /// The part of the path that an operation takes; none if it takes no time.
    fn step(&self, operation: u32, is_awaited: bool) -> Option<Step> {
        let state = &self.operations[operation as usize];
        let about = &self.program.operations[operation as usize];
        let (rank, from) = (about.rank, state.started - self.start);
        if let (Action::Send { to, bytes, .. }, true) = (about.action, is_awaited) {
            let (set, route, until) = (state.set, state.route, state.arrived - self.start);
            // A message to the rank itself does not cross the network.
            return (to != rank).then_some(Step::Message {
                rank,
                to,
                bytes,
                from,
                until,
                set,
                route,
            });
        }
        let until = state.completed - self.start;
        match about.action {
            _ if until == from => None,
            Action::Send { to, .. } => {
                let has_crossed = to != rank && state.arrived != NEVER;
                let route = has_crossed.then_some((state.set, state.route));
                Some(Step::Send { rank, to, from, until, route })
            }
            Action::Compute { .. } => Some(Step::Compute { rank, from, until }),
            Action::Receive { .. } => None,
        }
    }
}
