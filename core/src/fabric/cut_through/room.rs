//! Buffers shared by lanes: each lane has a guaranteed part and a maximum, the rest goes to whoever needs it.

use crate::problem::Problems;
use crate::scenario::{CutThroughSpec, MAX_LEVELS};

/// How a kind of buffer is divided, in credits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Limits {
    /// Room of the whole buffer.
    pub capacity: u32,
    /// Guaranteed to each lane.
    pub min: [u16; MAX_LEVELS],
    /// Most a lane may fill.
    pub max: [u16; MAX_LEVELS],
    /// What is guaranteed to nobody.
    pub pool: u32,
}

impl Limits {
    /// Divides a buffer of `bytes` as the scenario says. `largest` is the largest packet of each lane, bytes; `field` names the
    /// buffer's size in the scenario.
    pub fn new(
        spec: &CutThroughSpec,
        bytes: u32,
        field: &str,
        largest: &[u32],
        problems: &mut Problems,
    ) -> Self {
        let capacity = bytes / spec.credit_bytes;
        let (mut min, mut max) = ([0; MAX_LEVELS], [0; MAX_LEVELS]);
        if capacity == 0 || capacity > 1 << 15 {
            problems.add(
                field,
                format!("{capacity} credits of {} bytes", spec.credit_bytes),
                "use 1 to 32768 credits",
            );
            return Self { capacity, min, max, pool: 0 };
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
                    format!(
                        "lane {lane} is guaranteed {guaranteed} credits and may fill {}, but its largest packet needs {packet}",
                        max[lane]
                    ),
                    "enlarge the buffer, raise the lane's guaranteed or maximum percentage, or lower the MTU",
                );
            }
        }
        let guaranteed: u32 = min.iter().map(|&m| u32::from(m)).sum();
        if guaranteed > capacity {
            problems.add(
                field,
                "more is guaranteed to the lanes than there is",
                "lower the guaranteed percentages",
            );
        }
        Self { capacity, min, max, pool: capacity.saturating_sub(guaranteed) }
    }

    /// What a lane that uses `used` takes from the pool.
    #[inline]
    fn beyond(&self, lane: u8, used: u16) -> u32 {
        u32::from(used.saturating_sub(self.min[lane as usize]))
    }
}

/// The fill of many buffers.
#[derive(Debug, Clone)]
pub(super) struct Rooms {
    lanes: usize,
    used: Vec<u16>,
    /// Taken from the pool.
    pooled: Vec<u32>,
}

impl Rooms {
    pub fn new(buffers: usize, lanes: usize) -> Self {
        Self { lanes, used: vec![0; buffers * lanes], pooled: vec![0; buffers] }
    }

    /// Credits a lane uses.
    pub fn used(&self, buffer: u32, lane: u8) -> u16 {
        self.used[buffer as usize * self.lanes + lane as usize]
    }

    /// Whether a packet fits.
    #[inline]
    pub fn fits(&self, limits: &Limits, buffer: u32, lane: u8, credits: u16) -> bool {
        let used = self.used(buffer, lane);
        let after = used + credits;
        after <= limits.max[lane as usize]
            && self.pooled[buffer as usize] + limits.beyond(lane, after) - limits.beyond(lane, used)
                <= limits.pool
    }

    /// Takes the room of a packet, which must fit.
    #[inline]
    pub fn take(&mut self, limits: &Limits, buffer: u32, lane: u8, credits: u16) {
        debug_assert!(self.fits(limits, buffer, lane, credits));
        let used = &mut self.used[buffer as usize * self.lanes + lane as usize];
        self.pooled[buffer as usize] += limits.beyond(lane, *used + credits) - limits.beyond(lane, *used);
        *used += credits;
    }

    /// Gives the room of a packet back.
    #[inline]
    pub fn give(&mut self, limits: &Limits, buffer: u32, lane: u8, credits: u16) {
        let used = &mut self.used[buffer as usize * self.lanes + lane as usize];
        debug_assert!(*used >= credits, "more room given back than taken");
        self.pooled[buffer as usize] -= limits.beyond(lane, *used) - limits.beyond(lane, *used - credits);
        *used -= credits;
    }
}
