//! How simulated time follows the clock.

/// The longest the worker simulates before it looks for messages, which takes most of a millisecond: commands are answered well
/// within 50 ms.
const SLICE_MS: f64 = 16.0;

/// Follows the clock at a speed, from the moment and cycle it was set.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// None is as fast as possible.
    cycles_per_second: Option<f64>,
    since_ms: f64,
    since_cycle: u64,
}

impl Pace {
    /// From now on, at this speed.
    pub fn new(cycles_per_second: Option<f64>, now_ms: f64, cycle: u64) -> Pace {
        Pace { cycles_per_second, since_ms: now_ms, since_cycle: cycle }
    }

    /// The cycle that should have been reached by now.
    pub fn due(&self, now_ms: f64) -> u64 {
        let Some(speed) = self.cycles_per_second else { return u64::MAX };
        let passed = ((now_ms - self.since_ms).max(0.0) * speed / 1000.0) as u64;
        self.since_cycle.saturating_add(passed)
    }

    /// Milliseconds until the cycle after this one is due; 0 if it is due already.
    pub fn wait_ms(&self, cycle: u64, now_ms: f64) -> f64 {
        let Some(speed) = self.cycles_per_second else { return 0.0 };
        let cycles = (cycle + 1).saturating_sub(self.since_cycle) as f64;
        (self.since_ms + cycles * 1000.0 / speed - now_ms).max(0.0)
    }
}

/// How many cycles to simulate between two looks at the clock: as many as take about a millisecond.
#[derive(Debug)]
pub struct Chunk(u64);

impl Default for Chunk {
    fn default() -> Chunk {
        Chunk(64)
    }
}

impl Chunk {
    /// Calls `advance` with ever later cycles until `due` is reached, the slice of time is over, or it returns false.
    pub fn run(
        &mut self,
        from: u64,
        due: u64,
        now_ms: impl Fn() -> f64,
        mut advance: impl FnMut(u64) -> bool,
    ) {
        let start = now_ms();
        let (mut cycle, mut before) = (from, start);
        while cycle < due && before - start < SLICE_MS {
            cycle = cycle.saturating_add(self.0).min(due);
            if !advance(cycle) {
                return;
            }
            let after = now_ms();
            self.0 = if after - before > 2.0 { (self.0 / 2).max(1) } else { (self.0 * 2).min(1 << 20) };
            before = after;
        }
    }
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use std::cell::Cell;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn cycles_come_due_at_their_speed() {
        let pace = Pace::new(Some(10.0), 1000.0, 50);
        assert_eq!(pace.due(1000.0), 50);
        assert_eq!(pace.due(1099.0), 50);
        assert_eq!(pace.due(1100.0), 51);
        assert_eq!(pace.due(500.0), 50, "a clock that goes back does not take time back");
        assert_eq!(pace.wait_ms(50, 1040.0), 60.0);
        assert_eq!(pace.wait_ms(50, 1140.0), 0.0);
        assert_eq!(Pace::new(None, 0.0, 0).due(0.0), u64::MAX);
    }

    #[test]
    fn a_slice_ends_in_time_however_slow_a_cycle_is() {
        for ms_per_cycle in [0.0001, 0.1, 5.0] {
            let clock = Cell::new(0.0);
            let mut chunk = Chunk::default();
            let mut at = 0;
            for _ in 0..30 {
                let start = clock.get();
                chunk.run(
                    at,
                    u64::MAX,
                    || clock.get(),
                    |cycle| {
                        clock.set(clock.get() + (cycle - at) as f64 * ms_per_cycle);
                        at = cycle;
                        true
                    },
                );
                assert!(clock.get() > start);
            }
            let start = clock.get();
            chunk.run(
                at,
                u64::MAX,
                || clock.get(),
                |cycle| {
                    clock.set(clock.get() + (cycle - at) as f64 * ms_per_cycle);
                    at = cycle;
                    true
                },
            );
            assert!(clock.get() - start < SLICE_MS + 2.0 * ms_per_cycle + 4.0, "{ms_per_cycle}");
        }
    }
}
