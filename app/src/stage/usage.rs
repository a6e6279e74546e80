//! How busy and how blocked each channel was of late, from the counters of successive frames.

use hopscope_core::observe::Snapshot;

/// Older than about this many cycles counts little.
pub const WINDOW_CYCLES: f32 = 2000.0;

/// Shares of time, 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Share {
    /// Flits were sent.
    pub busy: f32,
    /// Blocked, as the core counts it.
    pub blocked: f32,
}

/// Per channel.
#[derive(Debug, Default)]
pub struct Usage {
    shares: Vec<Share>,
    counters: Vec<(u64, u64)>,
    cycle: u64,
}

impl Usage {
    /// In the order of channels.
    pub fn shares(&self) -> &[Share] {
        &self.shares
    }

    /// Takes in the next frame; one of an earlier cycle or another network starts anew.
    pub fn see(&mut self, frame: &Snapshot) {
        let counters = frame.channels.iter().map(|channel| (channel.busy_cycles, channel.blocked_cycles));
        if frame.cycle < self.cycle || self.counters.len() != frame.channels.len() {
            // What happened before the first frame counts as its mean.
            self.cycle = 0;
            self.counters = vec![(0, 0); frame.channels.len()];
            self.shares = vec![Share::default(); frame.channels.len()];
        }
        let passed = (frame.cycle - self.cycle) as f32;
        if passed > 0.0 {
            let weight = 1.0 - (-passed / WINDOW_CYCLES).exp();
            for ((share, before), now) in self.shares.iter_mut().zip(&self.counters).zip(counters.clone()) {
                let mean = |now: u64, before: u64| now.saturating_sub(before) as f32 / passed;
                share.busy += (mean(now.0, before.0) - share.busy) * weight;
                share.blocked += (mean(now.1, before.1) - share.blocked) * weight;
            }
        }
        self.counters.clear();
        self.counters.extend(counters);
        self.cycle = frame.cycle;
    }
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use hopscope_core::observe::ChannelState;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn frame(cycle: u64, busy_cycles: u64) -> Snapshot {
        let channel = ChannelState { busy_cycles, ..Default::default() };
        Snapshot { cycle, channels: vec![channel], ..Default::default() }
    }

    #[test]
    fn follows_what_happens_and_forgets_what_was() {
        let mut usage = Usage::default();
        usage.see(&frame(0, 0));
        usage.see(&frame(100_000, 50_000));
        assert!((usage.shares()[0].busy - 0.5).abs() < 0.01);
        for i in 1..100 {
            usage.see(&frame(100_000 + i * 100, 50_000 + i * 100));
        }
        assert!(usage.shares()[0].busy > 0.97, "{:?}", usage.shares());
        usage.see(&frame(50, 0));
        assert!(usage.shares()[0].busy < 0.01);
    }
}
