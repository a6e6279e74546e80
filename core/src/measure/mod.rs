//! Measuring a run: latency, throughput, channel use. Watches and never steers.

mod histogram;
mod report;

pub use histogram::{Histogram, Summary};
pub use report::{MessageCounts, Report, Spread};

use crate::engine::Cycle;

/// What is counted about delivered messages between two moments.
#[derive(Debug, Clone, Default)]
pub struct Window {
    /// First cycle counted.
    pub start: Cycle,
    /// Last cycle counted, so far.
    pub end: Cycle,
    /// Messages delivered.
    pub delivered: u64,
    /// Payload delivered, bytes.
    pub payload: u64,
    /// Messages generated.
    pub generated: u64,
    /// Payload generated, bytes.
    pub payload_generated: u64,
    /// Cycles from injection to delivery.
    pub network_latency: Histogram,
    /// Cycles from generation to delivery.
    pub total_latency: Histogram,
    /// In-transit stops made.
    pub itbs: u64,
    /// Messages whose route was minimal.
    pub minimal: u64,
}

/// A delivered message, as far as measuring goes.
#[derive(Debug, Clone, Copy)]
pub struct Delivery {
    /// Message number.
    pub id: u64,
    /// Cycle of generation.
    pub generated: Cycle,
    /// Cycle of injection.
    pub injected: Cycle,
    /// Cycle of delivery.
    pub delivered: Cycle,
    /// Payload, bytes.
    pub payload: u32,
    /// In-transit stops.
    pub itbs: u16,
    /// Whether its route was minimal.
    pub minimal: bool,
}

impl Window {
    /// Counts a generated message.
    pub fn generate(&mut self, payload: u32) {
        self.generated += 1;
        self.payload_generated += u64::from(payload);
    }

    /// Counts a delivered message.
    #[inline]
    pub fn deliver(&mut self, delivery: &Delivery) {
        self.delivered += 1;
        self.payload += u64::from(delivery.payload);
        self.network_latency.add(delivery.delivered - delivery.injected);
        self.total_latency.add(delivery.delivered - delivery.generated);
        self.itbs += u64::from(delivery.itbs);
        self.minimal += u64::from(delivery.minimal);
    }

    /// Cycles counted.
    pub fn cycles(&self) -> u64 {
        self.end.saturating_sub(self.start) + 1
    }
}
