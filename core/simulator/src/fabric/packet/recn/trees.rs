//! The lives of congestion trees, for reports; nothing here changes a run.
//!
//! A tree is all SAQs for one congested point. It lives from the cycle in which the first one is
//! allocated to the one in which the last one is freed.

use crate::engine::Cycle;
use crate::observe::{CongestedPoint, CongestionTree, CongestionTrees};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Most ended trees of which the lives are reported, the longest.
const MOST_REPORTED: usize = 100;

/// A tree that lives.
#[derive(Debug, Clone, Copy)]
struct Alive {
    from: Cycle,
    queues: u32,
    most: u32,
}

/// The trees of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Trees {
    alive: BTreeMap<CongestedPoint, Alive>,
    ended: Vec<CongestionTree>,
    formed: u64,
}

impl Trees {
    /// A SAQ for a point is allocated.
    pub fn grow(&mut self, now: Cycle, point: CongestedPoint) {
        let tree = self.alive.entry(point).or_insert_with(|| {
            self.formed += 1;
            Alive { from: now, queues: 0, most: 0 }
        });
        tree.queues += 1;
        tree.most = tree.most.max(tree.queues);
    }

    /// A SAQ for a point is freed.
    pub fn shrink(&mut self, now: Cycle, point: CongestedPoint) {
        let tree = self.alive.get_mut(&point).expect("the queue was allocated");
        tree.queues -= 1;
        if tree.queues == 0 {
            let life = tree.life(point, Some(now));
            self.alive.remove(&point);
            self.ended.push(life);
            if self.ended.len() == 2 * MOST_REPORTED {
                keep_longest(&mut self.ended);
            }
        }
    }

    /// How many have formed, and the lives that are reported, in order of their first cycles.
    pub fn lives(&self) -> CongestionTrees {
        let alive = self.alive.iter().map(|(&point, tree)| tree.life(point, None));
        let mut trees = self.ended.clone();
        keep_longest(&mut trees);
        trees.extend(alive);
        trees.sort_unstable_by_key(|tree| (tree.from, tree.channel, tree.level));
        CongestionTrees { formed: self.formed, trees }
    }
}

fn keep_longest(ended: &mut Vec<CongestionTree>) {
    let cycles = |tree: &CongestionTree| tree.to.map(|to| to - tree.from);
    ended.sort_unstable_by_key(|tree| (Reverse(cycles(tree)), tree.from, tree.channel, tree.level));
    ended.truncate(MOST_REPORTED);
}

impl Alive {
    fn life(self, point: CongestedPoint, to: Option<Cycle>) -> CongestionTree {
        let CongestedPoint { channel, level } = point;
        CongestionTree { channel, level, from: self.from, to, queues: self.most }
    }
}
