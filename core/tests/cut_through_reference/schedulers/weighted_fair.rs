//! WFQ (Parekh, Gallager 1993): cycle by cycle, the ideal server divides the link among the lanes
//! that have something there. Virtual time is a whole number of parts, rounded down; work that is
//! less than a part is kept. A packet that it is not told of arrives when it is seen.

use super::{Choice, Head, Scheduler, ready_after, turn};
use std::collections::VecDeque;

pub struct WeightedFair {
    /// Divided by their greatest common divisor.
    weights: Vec<u128>,
    /// Parts of virtual time per credit, while all lanes are served.
    multiple: u128,
    flits_per_credit: u128,
    /// The next cycle in which the ideal server works.
    cycle: u64,
    /// Work that is left over.
    work: u128,
    virtual_time: u128,
    /// Of each lane: the tag of the last packet that arrived, and those of the packets that wait.
    last: Vec<u128>,
    tags: Vec<VecDeque<u128>>,
    last_unlisted: usize,
}

fn divisor(a: u128, b: u128) -> u128 {
    (1..=a.min(b)).rev().find(|n| a.is_multiple_of(*n) && b.is_multiple_of(*n)).unwrap_or(a.max(b))
}

impl WeightedFair {
    pub fn new(weights: &[u32], lanes: usize, flits_per_credit: u32) -> Self {
        let common = weights.iter().fold(0, |common, &w| divisor(common, w.into()));
        let weights: Vec<u128> = weights.iter().map(|&w| u128::from(w) / common).collect();
        let multiple = weights.iter().fold(1, |multiple, &w| multiple / divisor(multiple, w) * w);
        Self {
            multiple,
            flits_per_credit: flits_per_credit.into(),
            cycle: 0,
            work: 0,
            virtual_time: 0,
            last: vec![0; weights.len()],
            tags: vec![VecDeque::new(); weights.len()],
            weights,
            last_unlisted: lanes - 1,
        }
    }

    fn sum(&self) -> u128 {
        self.weights.iter().sum()
    }

    /// The cycles before `now`.
    fn work_until(&mut self, now: u64) {
        while self.cycle < now {
            self.cycle += 1;
            self.work += self.multiple * self.sum();
            loop {
                let served = |lane: &usize| self.last[*lane] > self.virtual_time;
                let served: Vec<usize> = (0..self.last.len()).filter(served).collect();
                let Some(next) = served.iter().map(|&lane| self.last[lane]).min() else {
                    self.work = 0;
                    break;
                };
                let weight: u128 = served.iter().map(|&lane| self.weights[lane]).sum();
                let price = weight * self.flits_per_credit;
                let parts = (self.work / price).min(next - self.virtual_time);
                self.virtual_time += parts;
                self.work -= parts * price;
                if self.virtual_time < next {
                    break;
                }
            }
        }
    }
}

impl Scheduler for WeightedFair {
    fn arrives(&mut self, lane: usize, credits: u32, now: u64) {
        self.work_until(now);
        if lane < self.weights.len() {
            let length = u128::from(credits) * self.multiple * self.sum() / self.weights[lane];
            self.last[lane] = self.last[lane].max(self.virtual_time) + length;
            self.tags[lane].push_back(self.last[lane]);
        }
    }

    fn choose(&mut self, lanes: &[Option<Head>], now: u64) -> Choice {
        let listed: Vec<(usize, Head)> = lanes
            .iter()
            .enumerate()
            .take(self.weights.len())
            .filter_map(|(lane, head)| Some((lane, (*head)?)))
            .collect();
        for &(lane, head) in &listed {
            if self.tags[lane].is_empty() {
                self.arrives(lane, head.credits, now);
            }
        }
        let foremost = listed.iter().map(|&(lane, _)| (self.tags[lane][0], lane)).min();
        let Some((_, lane)) = foremost else {
            self.last_unlisted = ready_after(self.last_unlisted, lanes)[0].0;
            return turn(self.last_unlisted);
        };
        self.tags[lane].pop_front();
        turn(lane)
    }
}
