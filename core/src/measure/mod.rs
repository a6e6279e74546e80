//! What a run measures: latency, throughput, channel use.
//!
//! Measuring never changes a run. A [`Window`] counts what happens between two cycles, and a
//! [`Report`] is made of it.

mod histogram;
mod report;
mod trend;

pub use histogram::{Histogram, Summary};
pub use report::{LevelReport, MessageCounts, Report, Spread};
pub use trend::Trend;

use crate::engine::Cycle;

/// The measured part of a run.
#[derive(Debug, Clone)]
pub struct Window {
    /// First cycle counted.
    pub start: Cycle,
    /// Last cycle counted, so far.
    pub end: Cycle,
    /// Per service level.
    pub levels: Vec<Tally>,
    /// In-transit stops made.
    pub itbs: u64,
    /// Messages whose route was minimal.
    pub minimal: u64,
    /// Whether the latency from generation keeps its mean.
    pub trend: Trend,
}

/// Counts over the messages of one service level, or of all.
#[derive(Debug, Clone, Default)]
pub struct Tally {
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
}

/// What is measured of a delivered message.
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
    /// Service level.
    pub level: u8,
    /// In-transit stops.
    pub itbs: u32,
    /// Whether its route was minimal.
    pub minimal: bool,
}

impl Window {
    /// An empty window that begins with cycle `start` and is to count `messages` deliveries.
    pub fn new(start: Cycle, levels: usize, messages: u64) -> Self {
        Self {
            start,
            end: 0,
            levels: vec![Tally::default(); levels],
            itbs: 0,
            minimal: 0,
            trend: Trend::over(messages),
        }
    }

    /// Counts a generated message.
    #[inline]
    pub fn generate(&mut self, payload: u32, level: u8) {
        let tally = &mut self.levels[level as usize];
        tally.generated += 1;
        tally.payload_generated += u64::from(payload);
    }

    /// Counts a delivered message.
    #[inline]
    pub fn deliver(&mut self, delivery: &Delivery) {
        let tally = &mut self.levels[delivery.level as usize];
        tally.delivered += 1;
        tally.payload += u64::from(delivery.payload);
        tally.network_latency.add(delivery.delivered - delivery.injected);
        tally.total_latency.add(delivery.delivered - delivery.generated);
        self.itbs += u64::from(delivery.itbs);
        self.minimal += u64::from(delivery.minimal);
        self.trend.add(delivery.delivered - delivery.generated);
    }

    /// Cycles counted.
    pub fn cycles(&self) -> u64 {
        self.end.saturating_sub(self.start) + 1
    }

    /// All levels together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        for tally in &self.levels {
            total.delivered += tally.delivered;
            total.payload += tally.payload;
            total.generated += tally.generated;
            total.payload_generated += tally.payload_generated;
            total.network_latency.merge(&tally.network_latency);
            total.total_latency.merge(&tally.total_latency);
        }
        total
    }
}
