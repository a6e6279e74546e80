//! The application of a run, as the driver knows it: a program ([`Replay`]) on its hosts.

use crate::engine::Cycle;
use crate::fabric::{Message, NewMessage};
use hopscope_application::Replay;

/// An application in the middle of its run. A clone is a checkpoint.
#[derive(Debug, Clone)]
pub struct OnHosts {
    replay: Replay,
    /// The host of each rank.
    hosts: Vec<u32>,
    /// The source of rank 0; rank r has `first_source + r`.
    first_source: u32,
    /// The flow and the level of all messages.
    flow: u32,
    level: u8,
    /// Whether each rank's source has a generation event.
    is_due: Vec<bool>,
    ready: Vec<u32>,
}

impl OnHosts {
    /// The program of `replay` on these hosts, one for each rank. Its messages belong to `flow` and
    /// `level`, and the source of rank r is `first_source + r`.
    pub fn new(replay: Replay, hosts: Vec<u32>, first_source: u32, flow: u32, level: u8) -> Self {
        let is_due = vec![false; hosts.len()];
        Self { replay, hosts, first_source, flow, level, is_due, ready: Vec::new() }
    }

    /// The program, which knows when it goes on and what the results are made of.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// The host of each rank.
    pub fn hosts(&self) -> &[u32] {
        &self.hosts
    }

    /// Handles all events up to time `now`; adds the sources that are to generate then.
    pub fn advance(&mut self, now: Cycle, sources: &mut Vec<u32>) {
        self.replay.advance(now, &mut self.ready);
        for rank in self.ready.drain(..) {
            if !std::mem::replace(&mut self.is_due[rank as usize], true) {
                sources.push(self.first_source + rank);
            }
        }
    }

    /// The message that a source is to generate now, and whether it has another one. `message` is
    /// its number.
    pub(super) fn generate(&mut self, source: u32, message: u32) -> (NewMessage, bool) {
        let rank = source - self.first_source;
        let outgoing = self.replay.take(rank, message).expect("a source that is due has a message");
        self.is_due[rank as usize] = outgoing.more;
        let new = NewMessage {
            from: self.hosts[rank as usize],
            to: self.hosts[outgoing.to as usize],
            payload: outgoing.bytes,
            flow: self.flow,
            level: self.level,
        };
        (new, outgoing.more)
    }

    /// The last flit of a message has left its source.
    pub(super) fn sent(&mut self, message: u32) {
        self.replay.sent(message);
    }

    /// A message has arrived.
    pub(super) fn delivered(&mut self, message: &Message) {
        self.replay.delivered(message.id, message.set, message.route);
    }

    /// A message was dropped by time-out.
    pub(super) fn dropped(&mut self, message: u32) {
        self.replay.dropped(message);
    }
}
