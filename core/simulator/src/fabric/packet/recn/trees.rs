//! The lives of congestion trees, for reports; nothing here changes a run.
//!
//! A tree is all SAQs for one congested point. It lives from the cycle in which the first one is
//! allocated to the one in which the last one is freed.

use crate::engine::Cycle;
use crate::observe::{CongestedPoint, CongestionTree, CongestionTrees};
use std::cmp::Reverse;

/// Most ended trees of which the lives are reported, the longest.
const MOST_REPORTED: usize = 100;

/// A tree that lives.
#[derive(Debug, Clone, Copy)]
struct Alive {
    point: CongestedPoint,
    from: Cycle,
    queues: u32,
    most: u32,
}

/// The trees of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Trees {
    /// Few at a time, one per congested point.
    alive: Vec<Alive>,
    ended: Vec<CongestionTree>,
    formed: u64,
}

impl Trees {
    /// A SAQ for a point is allocated.
    pub fn grow(&mut self, now: Cycle, point: CongestedPoint) {
        let at = self.alive.iter().position(|tree| tree.point == point).unwrap_or_else(|| {
            self.formed += 1;
            self.alive.push(Alive { point, from: now, queues: 0, most: 0 });
            self.alive.len() - 1
        });
        let tree = &mut self.alive[at];
        tree.queues += 1;
        tree.most = tree.most.max(tree.queues);
    }

    /// A SAQ for a point is freed.
    pub fn shrink(&mut self, now: Cycle, point: CongestedPoint) {
        let at = self.alive.iter().position(|tree| tree.point == point);
        let at = at.expect("the queue was allocated");
        let tree = &mut self.alive[at];
        tree.queues -= 1;
        if tree.queues == 0 {
            self.ended.push(tree.life(Some(now)));
            self.alive.swap_remove(at);
            if self.ended.len() > MOST_REPORTED {
                forget_shortest(&mut self.ended);
            }
        }
    }

    /// How many have formed, and the lives that are reported: first of those that have ended.
    pub fn lives(&self) -> CongestionTrees {
        let mut trees = self.ended.clone();
        trees.extend(self.alive.iter().map(|tree| tree.life(None)));
        CongestionTrees { formed: self.formed, trees }
    }
}

/// Of equally short ones, the last.
fn forget_shortest(ended: &mut Vec<CongestionTree>) {
    let cycles = |tree: &CongestionTree| tree.to.map(|to| to - tree.from);
    let key = |tree: &CongestionTree| (Reverse(cycles(tree)), tree.from, tree.channel, tree.level);
    let shortest = (0..ended.len()).max_by_key(|&i| key(&ended[i]));
    shortest.map(|shortest| ended.swap_remove(shortest));
}

impl Alive {
    fn life(&self, to: Option<Cycle>) -> CongestionTree {
        let CongestedPoint { channel, level } = self.point;
        CongestionTree { channel, level, from: self.from, to, queues: self.most }
    }
}
