//! Simple bandwidth table: a weight in packets per service level.

use super::{Choice, Head, LEVELS, Scheduler, ready_after, turn};

pub struct SimpleBandwidthTable {
    weights: Vec<u32>,
    /// What is left of the weights in this round.
    rest: Vec<u32>,
    last_lane: usize,
}

impl SimpleBandwidthTable {
    pub fn new(weights: &[u32], lanes: usize) -> Self {
        let mut weights = weights.to_vec();
        weights.resize(LEVELS, 0);
        Self { rest: weights.clone(), weights, last_lane: lanes - 1 }
    }
}

impl Scheduler for SimpleBandwidthTable {
    fn choose(&mut self, lanes: &[Option<Head>]) -> Choice {
        let ready = ready_after(self.last_lane, lanes);
        if ready.iter().all(|(_, p)| self.rest[p.level] == 0)
            && ready.iter().any(|(_, p)| self.weights[p.level] > 0)
        {
            self.rest = self.weights.clone();
        }
        let with_rest = ready.iter().find(|(_, p)| self.rest[p.level] > 0);
        let &(lane, head) = with_rest.or(ready.first()).expect("a lane is ready");
        self.rest[head.level] = self.rest[head.level].saturating_sub(1);
        self.last_lane = lane;
        turn(lane)
    }
}
