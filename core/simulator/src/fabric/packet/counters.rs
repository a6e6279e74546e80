//! Bandwidth counters (Martínez et al., IEEE TPDS, section 3.1.1): how far each service level at
//! each output port is ahead of its guaranteed rate, in blocks of 64 bytes.
//!
//! A counter is 8 bits wide and stops at its ends. What it loses as time passes is taken off when
//! it is next used. `docs/model-cioq.md` says when it counts.

use crate::arbiters::BLOCK_BYTES;
use crate::engine::Cycle;
use crate::scenario::CutThroughSpec;

/// The bandwidth counters of a network.
#[derive(Debug, Clone)]
pub struct Counters {
    /// Per level: cycles in which its guaranteed rate sends a block.
    periods: Vec<u64>,
    /// Per channel and level.
    values: Vec<Counter>,
}

#[derive(Debug, Clone, Copy)]
struct Counter {
    blocks: i8,
    /// When it had this value.
    since: Cycle,
}

impl Counters {
    /// The counters of a fabric with this number of channels, if its arbiter uses them.
    pub fn of(spec: &CutThroughSpec, channels: usize) -> Option<Self> {
        let shares = spec.switch.shares_of(spec.qos.levels.len());
        spec.arbiter.has_counters().then(|| Self::new(&shares, spec.flit_bytes, channels))
    }

    /// Counters at 0. `shares` are those of the levels in a link, all at least 1.
    fn new(shares: &[u32], flit_bytes: u32, channels: usize) -> Self {
        let sum: u64 = shares.iter().map(|&share| u64::from(share)).sum();
        let period = |&share: &u32| {
            (u64::from(BLOCK_BYTES) * sum).div_ceil(u64::from(flit_bytes) * u64::from(share))
        };
        Self {
            periods: shares.iter().map(period).collect(),
            values: vec![Counter { blocks: 0, since: 0 }; channels * shares.len()],
        }
    }

    /// The counter of a level at the output port of a channel, blocks.
    #[inline]
    pub fn blocks(&self, channel: u32, level: u8, now: Cycle) -> i32 {
        let Counter { blocks, since } = self.values[self.place(channel, level)];
        let period = self.periods[usize::from(level)];
        let passed = (now / period - since / period).min(256);
        (i32::from(blocks) - passed as i32).max(i8::MIN.into())
    }

    /// The counters of all levels at the output port of a channel, bytes.
    pub fn bytes(&self, channel: u32, now: Cycle) -> Vec<i32> {
        let levels = 0..self.periods.len() as u8;
        levels.map(|level| self.blocks(channel, level, now) * BLOCK_BYTES as i32).collect()
    }

    /// A packet of some bytes is scheduled to cross to the output port of a channel.
    pub fn count(&mut self, channel: u32, level: u8, bytes: u32, now: Cycle) {
        let added = i32::try_from(bytes.div_ceil(BLOCK_BYTES)).unwrap_or(i32::MAX);
        let blocks = self.blocks(channel, level, now).saturating_add(added);
        let place = self.place(channel, level);
        self.values[place] = Counter { blocks: blocks.min(i8::MAX.into()) as i8, since: now };
    }

    fn place(&self, channel: u32, level: u8) -> usize {
        channel as usize * self.periods.len() + usize::from(level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_link_is_a_block_every_32_cycles_of_8_bytes() {
        let mut counters = Counters::new(&[1; 4], 8, 2);
        counters.count(1, 2, 65, 31);
        let at = |now| counters.blocks(1, 2, now);
        assert_eq!([31, 32, 63, 64, 96].map(at), [2, 1, 1, 0, -1]);
        assert_eq!(counters.blocks(1, 1, 31), 0);
        assert_eq!(counters.blocks(0, 2, 31), 0);
    }

    #[test]
    fn a_counter_stops_at_its_ends() {
        let mut counters = Counters::new(&[3, 1], 8, 1);
        counters.count(0, 0, 1 << 20, 0);
        assert_eq!(counters.blocks(0, 0, 0), 127);
        // 64 * 4 / (8 * 3) is 10.7 cycles.
        assert_eq!(counters.blocks(0, 0, 11), 126);
        assert_eq!(counters.blocks(0, 0, 1 << 40), -128);
        counters.count(0, 0, 128, 1 << 40);
        assert_eq!(counters.blocks(0, 0, 1 << 40), -126);
    }
}
