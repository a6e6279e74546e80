//! How simulated time follows the clock: [`Pace`] says which cycle is due, [`Chunk`] how many
//! cycles to simulate between two readings of the clock.

/// The worker simulates for this long before it handles messages.
pub const SLICE_MS: f64 = 24.0;
/// The same at full speed, when frames are further apart. Commands are still answered within 50 ms.
const FULL_SPEED_SLICE_MS: f64 = 40.0;
/// Target time between two readings of the clock.
const CHUNK_MS: f64 = 4.0;

/// A clock that never goes back, on one that may: a run would stand still until the other clock is
/// back where it was.
#[derive(Debug, Default)]
pub struct Clock {
    last_ms: f64,
    /// What the other clock has gone back in all.
    gone_back_ms: f64,
}

impl Clock {
    /// The time, given that of the other clock.
    pub fn read(&mut self, other_ms: f64) -> f64 {
        let now = other_ms + self.gone_back_ms;
        self.gone_back_ms += (self.last_ms - now).max(0.0);
        self.last_ms = now.max(self.last_ms);
        self.last_ms
    }
}

/// A speed, and the time and cycle from which it holds.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// `None` is as fast as possible.
    cycles_per_second: Option<f64>,
    since_ms: f64,
    since_cycle: u64,
}

impl Pace {
    /// This speed, from this time and cycle on.
    pub fn new(cycles_per_second: Option<f64>, now_ms: f64, cycle: u64) -> Pace {
        Pace { cycles_per_second, since_ms: now_ms, since_cycle: cycle }
    }

    /// The cycle that is due at a time.
    pub fn due(&self, now_ms: f64) -> u64 {
        let Some(speed) = self.cycles_per_second else { return u64::MAX };
        let passed = ((now_ms - self.since_ms).max(0.0) * speed / 1000.0) as u64;
        self.since_cycle.saturating_add(passed)
    }

    /// How long to simulate before messages are handled, milliseconds.
    pub fn slice_ms(&self) -> f64 {
        if self.cycles_per_second.is_some() { SLICE_MS } else { FULL_SPEED_SLICE_MS }
    }

    /// Milliseconds until the cycle after `cycle` is due; 0 if it is due already.
    pub fn wait_ms(&self, cycle: u64, now_ms: f64) -> f64 {
        let Some(speed) = self.cycles_per_second else { return 0.0 };
        let cycles = (cycle + 1).saturating_sub(self.since_cycle) as f64;
        (self.since_ms + cycles * 1000.0 / speed - now_ms).max(0.0)
    }
}

/// The number of cycles to simulate between two readings of the clock, adapted to their duration.
#[derive(Debug)]
pub struct Chunk(u64);

impl Default for Chunk {
    fn default() -> Chunk {
        Chunk(64)
    }
}

impl Chunk {
    /// Calls `advance` with increasing cycles, until it reaches `due`, the slice of time is
    /// over or it returns false.
    pub fn run(
        &mut self,
        slice_ms: f64,
        from: u64,
        due: u64,
        now_ms: impl Fn() -> f64,
        mut advance: impl FnMut(u64) -> bool,
    ) {
        let start = now_ms();
        let (mut cycle, mut before) = (from, start);
        while cycle < due && before - start < slice_ms {
            let cycles = self.0.min(due - cycle);
            cycle += cycles;
            if !advance(cycle) {
                return;
            }
            let after = now_ms();
            let took = after - before;
            if took > 2.0 * CHUNK_MS {
                self.0 = ((cycles as f64 * CHUNK_MS / took) as u64).max(1);
            } else if took < CHUNK_MS && cycles == self.0 {
                // Only after a full chunk: at a low speed few cycles are due at a time, and their
                // duration says little about that of many.
                self.0 = (self.0 * 2).min(1 << 20);
            }
            before = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_goes_on_when_the_other_goes_back() {
        let mut clock = Clock::default();
        let read = [100.0, 130.0, 20.0, 25.0, 5.0, 15.0].map(|now| clock.read(now));
        assert_eq!(read, [100.0, 130.0, 130.0, 135.0, 135.0, 145.0]);
    }
    use std::cell::Cell;

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

    /// Runs a slice of cycles that take `ms_per_cycle` each; returns its duration in milliseconds.
    fn slice(chunk: &mut Chunk, clock: &Cell<f64>, due: u64, ms_per_cycle: f64) -> f64 {
        let (start, at) = (clock.get(), Cell::new(0));
        let advance = |cycle| {
            clock.set(clock.get() + (cycle - at.replace(cycle)) as f64 * ms_per_cycle);
            true
        };
        chunk.run(SLICE_MS, 0, due, || clock.get(), advance);
        assert!(at.get() > 0);
        clock.get() - start
    }

    #[test]
    fn a_slice_ends_in_time_however_slow_a_cycle_is() {
        for ms_per_cycle in [0.0001, 0.1, 5.0] {
            let (clock, mut chunk) = (Cell::new(0.0), Chunk::default());
            (0..30).for_each(|_| _ = slice(&mut chunk, &clock, u64::MAX, ms_per_cycle));
            let took = slice(&mut chunk, &clock, u64::MAX, ms_per_cycle);
            assert!(took < SLICE_MS + 2.0 * ms_per_cycle + 2.0 * CHUNK_MS, "{took}");
        }
    }

    #[test]
    fn a_slice_ends_in_time_after_slices_of_few_cycles() {
        let (clock, mut chunk) = (Cell::new(0.0), Chunk::default());
        (0..60).for_each(|_| _ = slice(&mut chunk, &clock, 3, 0.1));
        let took = slice(&mut chunk, &clock, u64::MAX, 0.1);
        assert!(took < 2.0 * SLICE_MS, "{took}");
    }
}
