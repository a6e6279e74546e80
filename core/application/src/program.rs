//! The neutral form of an application: operations of ranks, and what each waits for.
//!
//! Generators and readers of traces make it; [`crate::Replay`] carries it out. Operations are
//! numbered over all ranks. A dependency joins operations of one rank; ranks wait for each other
//! through messages only.

use hopscope_scenario::scenario::limits::{MAX_DEPENDENCIES, MAX_OPERATIONS};

/// Operations of ranks with their dependencies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// Number of ranks (processes).
    pub ranks: u32,
    /// All operations. Those of a rank are in the order of its list.
    pub operations: Vec<Operation>,
    /// What they wait for.
    pub dependencies: Vec<Dependency>,
}

/// An operation of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// The rank.
    pub rank: u32,
    /// What it does.
    pub action: Action,
    /// Line of the trace it comes from; 0 if it was generated.
    pub line: u32,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Sends a message. Completes when its last byte has left the NIC.
    Send {
        /// Receiving rank.
        to: u32,
        /// Payload, bytes.
        bytes: u64,
        /// Tag, which the receive must have.
        tag: u32,
    },
    /// Receives a message. Completes when all of it has arrived.
    Receive {
        /// Sending rank; `None` for any.
        from: Option<u32>,
        /// Tag; `None` for any.
        tag: Option<u32>,
    },
    /// Computes.
    Compute {
        /// How long, nanoseconds.
        ns: u64,
        /// The processor of the rank that does nothing else meanwhile; `None` for a pause, which
        /// occupies no processor.
        cpu: Option<u8>,
    },
}

/// An operation waits for another one of its rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependency {
    /// The operation that waits.
    pub operation: u32,
    /// The one it waits for.
    pub on: u32,
    /// For what it waits.
    pub after: After,
}

/// The event of an operation for which another waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// It has completed.
    Completion,
    /// It has started.
    Start,
}

impl Action {
    /// True for a receive from any rank or of any tag.
    pub fn is_wildcard(&self) -> bool {
        matches!(self, Self::Receive { from: None, .. } | Self::Receive { tag: None, .. })
    }
}

impl Program {
    /// A program without operations.
    pub fn of_ranks(ranks: u32) -> Self {
        Self { ranks, ..Self::default() }
    }

    /// Adds an operation; returns its number.
    pub fn add(&mut self, rank: u32, action: Action, line: u32) -> u32 {
        let number = u32::try_from(self.operations.len()).expect("is_full() is far below 2^32");
        self.operations.push(Operation { rank, action, line });
        number
    }

    /// Has `operation` wait for `on`.
    pub fn wait(&mut self, operation: u32, on: u32, after: After) {
        self.dependencies.push(Dependency { operation, on, after });
    }

    /// True if the program has as many operations or dependencies as it may have. Who adds in a
    /// loop stops then.
    pub fn is_full(&self) -> bool {
        self.operations.len() > MAX_OPERATIONS || self.dependencies.len() > MAX_DEPENDENCIES
    }
}
