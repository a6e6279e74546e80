//! Round robin: one packet of each service level in turn, whatever its size.

use super::{Choice, Head, Scheduler, ready_after, turn};

pub struct RoundRobin {
    /// Levels that have sent in this round.
    sent: Vec<usize>,
    last_lane: usize,
}

impl RoundRobin {
    pub fn new(lanes: usize) -> Self {
        Self { sent: Vec::new(), last_lane: lanes - 1 }
    }
}

impl Scheduler for RoundRobin {
    fn choose(&mut self, lanes: &[Option<Head>], _now: u64) -> Choice {
        let ready = ready_after(self.last_lane, lanes);
        let next = |sent: &[usize]| ready.iter().find(|(_, p)| !sent.contains(&p.level));
        if next(&self.sent).is_none() {
            // All that are ready have sent: a new round.
            self.sent.clear();
        }
        let &(lane, head) = next(&self.sent).expect("a lane is ready");
        self.sent.push(head.level);
        self.last_lane = lane;
        turn(lane)
    }
}
