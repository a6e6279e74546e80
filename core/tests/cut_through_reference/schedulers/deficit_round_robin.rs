//! Deficit round robin (Shreedhar, Varghese 1996): a quantum of credits per service level and
//! round.

use super::{Choice, Head, LEVELS, LastLanes, Scheduler};

pub struct DeficitRoundRobin {
    quanta: Vec<u32>,
    deficits: [u32; LEVELS],
    /// The level in service; the last one at first.
    level: usize,
    last_lanes: LastLanes,
}

impl DeficitRoundRobin {
    pub fn new(quanta: &[u32], lanes: usize) -> Self {
        let mut quanta = quanta.to_vec();
        quanta.resize(LEVELS, 1);
        let last_lanes = LastLanes::new(lanes);
        Self { quanta, deficits: [0; LEVELS], level: LEVELS - 1, last_lanes }
    }
}

impl Scheduler for DeficitRoundRobin {
    fn choose(&mut self, lanes: &[Option<Head>], _now: u64) -> Choice {
        let mut goes_on = true;
        loop {
            match self.last_lanes.next(self.level, lanes) {
                None => self.deficits[self.level] = 0,
                Some((lane, head)) if head.credits <= self.deficits[self.level] => {
                    self.deficits[self.level] -= head.credits;
                    self.last_lanes.sent(self.level, lane);
                    return Choice { lane, goes_on };
                }
                Some(_) => {}
            }
            goes_on = false;
            self.level = (self.level + 1) % LEVELS;
            self.deficits[self.level] += self.quanta[self.level];
        }
    }
}
