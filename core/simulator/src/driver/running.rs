//! What the driver asks of the application of a run.

use crate::engine::Cycle;
use crate::fabric::{Message, NewMessage};
use hopscope_application::Replay;
use std::fmt::Debug;

/// An application in the middle of its run.
pub trait Running: Debug + Send + Sync {
    /// A copy, for a checkpoint.
    fn boxed_clone(&self) -> Box<dyn Running>;
    /// Time of the next event that needs no delivery.
    fn next(&self) -> Option<Cycle>;
    /// True if all operations of all ranks are complete.
    fn is_finished(&self) -> bool;
    /// True if what is left waits for messages that will never come.
    fn is_stuck(&self) -> bool;
    /// Handles all events up to time `now`; adds the sources that are to generate then.
    fn advance(&mut self, now: Cycle, sources: &mut Vec<u32>);
    /// The message that a source is to generate now, and whether it has another one. `message` is
    /// its number.
    fn generate(&mut self, source: u32, message: u32) -> (NewMessage, bool);
    /// The last flit of a message has left its source.
    fn sent(&mut self, message: u32);
    /// A message has arrived.
    fn delivered(&mut self, message: &Message);
    /// A message was dropped by time-out.
    fn dropped(&mut self, message: u32);
    /// The host of each rank.
    fn hosts(&self) -> &[u32];
    /// The program, which knows what the results are made of.
    fn replay(&self) -> &Replay;
}

impl Clone for Box<dyn Running> {
    fn clone(&self) -> Self {
        self.as_ref().boxed_clone()
    }
}
