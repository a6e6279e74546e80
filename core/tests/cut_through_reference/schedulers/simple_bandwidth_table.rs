//! Simple bandwidth table: a weight in packets per service level.

use super::{Choice, Head, LEVELS, Scheduler, ready_after, turn};

/// Lanes take turns; weights are restored as soon as no ready lane has any.
pub struct RestoreWhenReady {
    weights: Vec<u32>,
    /// What is left of the weights in this round.
    rest: Vec<u32>,
    last_lane: usize,
}

impl RestoreWhenReady {
    pub fn new(weights: &[u32], lanes: usize) -> Self {
        let mut weights = weights.to_vec();
        weights.resize(LEVELS, 0);
        Self { rest: weights.clone(), weights, last_lane: lanes - 1 }
    }
}

impl Scheduler for RestoreWhenReady {
    fn choose(&mut self, lanes: &[Option<Head>], _now: u64) -> Choice {
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

/// Algorithm 1 of Cano-Cano et al. 2022, line by line.
pub struct Algorithm1 {
    weights: Vec<u32>,
    arbiter_table: Vec<u32>,
    last_vl_selec: usize,
}

impl Algorithm1 {
    pub fn new(weights: &[u32]) -> Self {
        Self { weights: weights.to_vec(), arbiter_table: weights.to_vec(), last_vl_selec: 0 }
    }
}

impl Scheduler for Algorithm1 {
    fn choose(&mut self, lanes: &[Option<Head>], _now: u64) -> Choice {
        let mut vl_w_flits_no_weight = None;
        let mut empty_entries = 0;
        for i in 0..lanes.len() {
            let vl = (self.last_vl_selec + i) % lanes.len();
            let Some(flit) = lanes[vl] else { continue };
            match self.arbiter_table.get_mut(flit.level) {
                Some(weight) if *weight > 0 => {
                    *weight -= 1;
                    self.last_vl_selec = vl;
                    return turn(vl);
                }
                _ => {
                    vl_w_flits_no_weight = Some(vl);
                    empty_entries += 1;
                }
            }
        }
        if empty_entries == self.weights.len() {
            self.arbiter_table.clone_from(&self.weights);
        }
        self.last_vl_selec = vl_w_flits_no_weight.expect("a lane is ready");
        turn(self.last_vl_selec)
    }
}
