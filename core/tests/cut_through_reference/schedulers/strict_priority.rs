//! Strict priority: the first level of a list that has something to send.

use super::{Choice, Head, LEVELS, LastLanes, Scheduler, turn};

pub struct StrictPriority {
    /// All levels, highest priority first.
    order: Vec<usize>,
    last_lanes: LastLanes,
}

impl StrictPriority {
    pub fn new(listed: &[u8], lanes: usize) -> Self {
        let mut order: Vec<usize> = listed.iter().map(|&level| level.into()).collect();
        for level in 0..LEVELS {
            if !order.contains(&level) {
                order.push(level);
            }
        }
        Self { order, last_lanes: LastLanes::new(lanes) }
    }
}

impl Scheduler for StrictPriority {
    fn choose(&mut self, lanes: &[Option<Head>], _now: u64) -> Choice {
        for &level in &self.order {
            if let Some((lane, _)) = self.last_lanes.next(level, lanes) {
                self.last_lanes.sent(level, lane);
                return turn(lane);
            }
        }
        panic!("a lane is ready");
    }
}
