//! Buffers shared by lanes: each lane has a guaranteed part and a maximum, and all lanes share the
//! rest.

use crate::messages;
use hopscope_scenario::problem::Problems;
use hopscope_scenario::scenario::limits::MAX_BUFFER_CREDITS;
use hopscope_scenario::scenario::{CutThroughSpec, MAX_LEVELS};

/// The division of a buffer among lanes, in credits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Capacity of the whole buffer.
    pub capacity: u32,
    /// Per lane: its guaranteed part.
    pub min: [u16; MAX_LEVELS],
    /// Per lane: the most it may fill.
    pub max: [u16; MAX_LEVELS],
    /// The shared pool: the capacity without the guaranteed parts.
    pub pool: u32,
    /// While all lanes together use no more than this, a packet of any lane fits.
    pub easy: u16,
}

impl Limits {
    /// Divides a buffer of `bytes` as the scenario says. `largest` is the largest packet of each
    /// lane, bytes; `field` names the buffer's size in the scenario.
    pub fn new(
        spec: &CutThroughSpec,
        bytes: u32,
        field: &str,
        largest: &[u32],
        problems: &mut Problems,
    ) -> Self {
        let capacity = bytes / spec.credit_bytes;
        let (mut min, mut max) = ([0; MAX_LEVELS], [0; MAX_LEVELS]);
        if capacity == 0 || capacity > MAX_BUFFER_CREDITS {
            problems.add(
                field,
                messages::credits_of_bytes(capacity, spec.credit_bytes),
                messages::use_between(1, MAX_BUFFER_CREDITS),
            );
            return Self { capacity, min, max, pool: 0, easy: 0 };
        }
        for (lane, &packet) in largest.iter().enumerate() {
            let share = spec.lane_shares.iter().find(|s| s.lane as usize == lane);
            let (guaranteed, most) = match share {
                Some(s) => (capacity * s.guaranteed_percent / 100, s.maximum_percent),
                None => {
                    let all = capacity * spec.lane_guaranteed_percent / 100;
                    (all / largest.len() as u32, spec.lane_maximum_percent)
                }
            };
            min[lane] = guaranteed as u16;
            max[lane] = (capacity * most / 100) as u16;
            let packet = packet.div_ceil(spec.credit_bytes);
            if guaranteed < packet || u32::from(max[lane]) < guaranteed {
                problems.add(
                    field,
                    messages::lane_does_not_fit(lane, guaranteed, max[lane], packet),
                    messages::enlarge_lane(),
                );
            }
        }
        let guaranteed: u32 = min.iter().map(|&m| u32::from(m)).sum();
        if guaranteed > capacity {
            problems.add(field, messages::guarantees_exceed_buffer(), messages::lower_guarantees());
        }
        let pool = capacity.saturating_sub(guaranteed);
        let credits = |bytes: &u32| bytes.div_ceil(spec.credit_bytes);
        // A packet fits in what is guaranteed to its lane if all lanes together leave space for it
        // there, and in the pool if they do so there, even if all that is used is beyond the
        // guaranteed parts.
        let in_guaranteed = largest
            .iter()
            .zip(min)
            .map(|(packet, min)| u32::from(min).saturating_sub(credits(packet)));
        let least_of_max = max[..largest.len()].iter().min().map_or(0, |&most| u32::from(most));
        let packet = largest.iter().map(credits).max().unwrap_or(0);
        let in_pool = least_of_max.min(pool).saturating_sub(packet);
        let easy = in_guaranteed.min().unwrap_or(0).max(in_pool);
        Self { capacity, min, max, pool, easy: easy as u16 }
    }

    /// Credits of each of `queues` queues that share what is guaranteed to a lane evenly.
    pub fn private(&self, lane: usize, queues: u32) -> u32 {
        u32::from(self.min[lane]) / queues.max(1)
    }

    /// Credits of the pool that a lane with `used` credits in use takes.
    #[inline]
    pub fn beyond(&self, lane: u8, used: u16) -> u32 {
        u32::from(used.saturating_sub(self.min[lane as usize]))
    }

    /// True if a packet of `credits` on `lane` fits, while each lane uses `used` credits.
    pub fn fit(&self, used: &[u32], lane: u8, credits: u16) -> bool {
        let after = |l: usize| used[l] + if l == lane as usize { u32::from(credits) } else { 0 };
        let beyond = |l: usize| after(l).saturating_sub(u32::from(self.min[l]));
        after(lane as usize) <= u32::from(self.max[lane as usize])
            && (0..used.len()).map(beyond).sum::<u32>() <= self.pool
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_scenario::random::stream;
    use rand::RngExt;

    #[test]
    fn the_largest_packet_of_every_lane_fits_while_little_is_in_use() {
        let mut random = stream(1, "limits", 0);
        let (mut more_than_pool, mut more_than_guaranteed) = (0, 0);
        for _ in 0..5000 {
            let lanes = random.random_range(1..=8);
            let spec = CutThroughSpec {
                credit_bytes: 64,
                lane_guaranteed_percent: random.random_range(0..=100),
                lane_maximum_percent: random.random_range(20..=100),
                ..CutThroughSpec::default()
            };
            let largest: Vec<u32> = (0..lanes).map(|_| random.random_range(1..=2176)).collect();
            let bytes = random.random_range(64..=40_000);
            let mut problems = Problems::default();
            let limits = Limits::new(&spec, bytes, "buffer", &largest, &mut problems);
            if !problems.is_empty() {
                continue;
            }
            more_than_pool += u32::from(u32::from(limits.easy) > limits.pool);
            more_than_guaranteed += u32::from(limits.easy > limits.min[0]);
            let mut used = vec![0; lanes];
            for _ in 0..limits.easy {
                used[random.random_range(0..lanes)] += 1;
            }
            for (lane, packet) in largest.iter().enumerate() {
                let credits = packet.div_ceil(64) as u16;
                assert!(limits.fit(&used, lane as u8, credits), "{limits:?} {used:?} {lane}");
            }
            // All of it on one lane is the worst case for that lane.
            let lane = random.random_range(0..lanes);
            used = vec![0; lanes];
            used[lane] = limits.easy.into();
            let credits = largest[lane].div_ceil(64) as u16;
            assert!(limits.fit(&used, lane as u8, credits), "{limits:?} {used:?} {lane}");
        }
        assert!(more_than_pool > 100 && more_than_guaranteed > 100, "both bounds are met");
    }
}
