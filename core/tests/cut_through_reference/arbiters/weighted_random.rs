//! A lottery without replacement, in which each request has as many tickets as its lane has weight.

use super::Arbiter;
use hopscope_core::engine::random::{Pcg64Mcg, stream};
use hopscope_core::fabric::packet::trace::SEED;
use rand::{RngExt, SeedableRng};

pub struct Lottery {
    weights: Vec<u32>,
    stream: Pcg64Mcg,
    decision: u64,
}

impl Lottery {
    pub fn new(weights: &[u32], purpose: &str, number: usize) -> Self {
        let mut stream = stream(SEED, purpose, number as u64);
        let decision = stream.random();
        Self { weights: weights.to_vec(), stream, decision }
    }
}

impl Arbiter for Lottery {
    fn order(&self, requests: &[Option<usize>]) -> Vec<usize> {
        // A box with a ticket per unit of weight.
        let mut tickets: Vec<usize> = Vec::new();
        for (request, lane) in requests.iter().enumerate() {
            if let Some(lane) = lane {
                let weight = self.weights.get(*lane).copied().unwrap_or(1);
                tickets.extend((0..weight).map(|_| request));
            }
        }
        let mut order = Vec::new();
        while !tickets.is_empty() {
            let seed = self.decision.wrapping_add(order.len() as u64);
            let drawn = Pcg64Mcg::seed_from_u64(seed).random_range(0..tickets.len() as u32);
            let request = tickets[drawn as usize];
            tickets.retain(|&other| other != request);
            order.push(request);
        }
        order
    }

    fn granted(&mut self, _: usize, _: usize) {
        self.decision = self.stream.random();
    }
}
