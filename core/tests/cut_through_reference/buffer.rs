//! Buffers shared by lanes.

use hopscope_core::scenario::CutThroughSpec;

/// How a buffer is divided, in credits.
#[derive(Clone)]
pub struct Limits {
    capacity: u32,
    min: Vec<u32>,
    max: Vec<u32>,
}

impl Limits {
    pub fn new(spec: &CutThroughSpec, bytes: u32, lanes: usize) -> Self {
        let capacity = bytes / spec.credit_bytes;
        let (mut min, mut max) = (Vec::new(), Vec::new());
        for lane in 0..lanes {
            match spec.lane_shares.iter().find(|s| s.lane as usize == lane) {
                Some(share) => {
                    min.push(capacity * share.guaranteed_percent / 100);
                    max.push(capacity * share.maximum_percent / 100);
                }
                None => {
                    min.push(capacity * spec.lane_guaranteed_percent / 100 / lanes as u32);
                    max.push(capacity * spec.lane_maximum_percent / 100);
                }
            }
        }
        Self { capacity, min, max }
    }
}

/// The fill of a buffer.
pub struct Buffer {
    limits: Limits,
    used: Vec<u32>,
    /// Space that will be free: cycle, lane, credits.
    later: Vec<(u64, u8, u32)>,
}

impl Buffer {
    pub fn new(limits: Limits) -> Self {
        let used = vec![0; limits.min.len()];
        Self { limits, used, later: Vec::new() }
    }

    pub fn fits(&self, lane: u8, credits: u32) -> bool {
        let mut used = self.used.clone();
        used[lane as usize] += credits;
        let beyond: u32 =
            used.iter().zip(&self.limits.min).map(|(u, m)| u.saturating_sub(*m)).sum();
        used[lane as usize] <= self.limits.max[lane as usize]
            && beyond <= self.limits.capacity - self.limits.min.iter().sum::<u32>()
    }

    /// What is guaranteed to a lane.
    pub fn guaranteed(&self, lane: u8) -> u32 {
        self.limits.min[lane as usize]
    }

    pub fn take(&mut self, lane: u8, credits: u32) {
        assert!(self.fits(lane, credits));
        self.used[lane as usize] += credits;
        assert!(self.used.iter().sum::<u32>() <= self.limits.capacity);
    }

    pub fn give(&mut self, lane: u8, credits: u32) {
        self.used[lane as usize] =
            self.used[lane as usize].checked_sub(credits).expect("space was taken");
    }

    /// The space is free from cycle `t` on.
    pub fn give_at(&mut self, t: u64, lane: u8, credits: u32) {
        self.later.push((t, lane, credits));
    }

    /// Frees what is due.
    pub fn settle(&mut self, t: u64) {
        let due: Vec<_> = self.later.iter().copied().filter(|l| l.0 <= t).collect();
        self.later.retain(|l| l.0 > t);
        for (_, lane, credits) in due {
            self.give(lane, credits);
        }
    }
}
