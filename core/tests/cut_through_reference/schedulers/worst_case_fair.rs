//! WF2Q+ (Bennett, Zhang, Hierarchical packet fair queueing algorithms, 1997, equations 27 to 29).

use super::minimum_bandwidth::Fraction;
use super::{Choice, Head, Scheduler, ready_after, turn};
use std::cmp::Ordering;

pub struct WorstCaseFair {
    /// Guaranteed rate of each lane, over that of the link.
    rates: Vec<Fraction>,
    virtual_time: Fraction,
    /// S_i and F_i of each lane.
    start: Vec<Fraction>,
    finish: Vec<Fraction>,
    was_ready: Vec<bool>,
    last_unlisted: usize,
}

impl WorstCaseFair {
    pub fn new(weights: &[u32], lanes: usize) -> Self {
        let sum: u32 = weights.iter().sum();
        Self {
            rates: weights.iter().map(|&w| Fraction(w.into(), sum.into())).collect(),
            virtual_time: Fraction::ZERO,
            start: vec![Fraction::ZERO; lanes],
            finish: vec![Fraction::ZERO; lanes],
            was_ready: vec![false; lanes],
            last_unlisted: lanes - 1,
        }
    }
}

fn earliest(times: impl Iterator<Item = Fraction>) -> Option<Fraction> {
    times.min_by(|a, b| a.order(*b))
}

impl Scheduler for WorstCaseFair {
    fn choose(&mut self, lanes: &[Option<Head>], _now: u64) -> Choice {
        let listed: Vec<(usize, Head)> = lanes
            .iter()
            .enumerate()
            .take(self.rates.len())
            .filter_map(|(lane, head)| Some((lane, (*head)?)))
            .collect();
        // Arrivals see the virtual time of those that are backlogged already.
        let backlogged = listed.iter().filter(|(lane, _)| self.was_ready[*lane]);
        if let Some(earliest) = earliest(backlogged.map(|p| self.start[p.0])) {
            self.virtual_time = self.virtual_time.larger(earliest);
        }
        for &(lane, _) in listed.iter().filter(|(lane, _)| !self.was_ready[*lane]) {
            self.start[lane] = self.finish[lane].larger(self.virtual_time);
        }
        self.was_ready = lanes.iter().map(Option::is_some).collect();
        let Some(earliest) = earliest(listed.iter().map(|p| self.start[p.0])) else {
            self.last_unlisted = ready_after(self.last_unlisted, lanes)[0].0;
            return turn(self.last_unlisted);
        };
        self.virtual_time = self.virtual_time.larger(earliest);
        for &(lane, head) in &listed {
            let Fraction(part, whole) = self.rates[lane];
            let time = Fraction(u128::from(head.credits) * whole, part);
            self.finish[lane] = self.start[lane].plus(time);
        }
        let eligible =
            listed.iter().filter(|p| self.start[p.0].order(self.virtual_time) != Ordering::Greater);
        let &(lane, head) = eligible
            .min_by(|a, b| self.finish[a.0].order(self.finish[b.0]).then(a.0.cmp(&b.0)))
            .expect("the lane with the earliest start is eligible");
        self.virtual_time = self.virtual_time.plus(Fraction(head.credits.into(), 1));
        // The others have sent nothing: their last finish is where they start.
        for &(other, _) in listed.iter().filter(|(other, _)| *other != lane) {
            self.finish[other] = self.start[other];
        }
        self.start[lane] = self.finish[lane];
        turn(lane)
    }
}
