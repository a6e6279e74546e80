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
        let packet = largest.iter().max().map_or(0, |bytes| bytes.div_ceil(spec.credit_bytes));
        // The bound holds even if the packet's own lane uses all of it, or all of it is beyond the
        // guaranteed parts.
        let easy =
            largest.iter().zip(&max).map(|(_, &most)| u32::from(most)).min().unwrap_or(0).min(pool);
        Self { capacity, min, max, pool, easy: easy.saturating_sub(packet) as u16 }
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
