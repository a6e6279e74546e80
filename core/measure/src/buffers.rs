//! How full buffers are, looked at from time to time.

use hopscope_scenario::Cycle;

/// Looks at the buffer at the end of each channel.
#[derive(Debug, Clone, Default)]
pub struct BufferSamples {
    /// Cycles between two looks; 0 for none.
    every: Cycle,
    /// Cycle of the next look.
    next: Cycle,
    /// Looks so far.
    looks: u64,
    /// Per channel: the sum of what was found, flits.
    sums: Vec<u64>,
    /// Per channel: the most that was found, flits.
    most: Vec<u32>,
}

impl BufferSamples {
    /// No looks yet at the buffers of some channels, the first one after `every` cycles from cycle
    /// `start` on; never if `every` is 0.
    pub fn new(start: Cycle, every: Cycle, channels: usize) -> Self {
        let channels = if every > 0 { channels } else { 0 };
        Self {
            every,
            next: (start + every).saturating_sub(1),
            looks: 0,
            sums: vec![0; channels],
            most: vec![0; channels],
        }
    }

    /// Cycle of the next look, at its end; `None` if there will be none.
    pub fn next(&self) -> Option<Cycle> {
        (self.every > 0).then_some(self.next)
    }

    /// Counts the flits found in the buffer at the end of each channel.
    pub fn add(&mut self, flits: impl Iterator<Item = u32>) {
        self.looks += 1;
        self.next += self.every;
        for ((sum, most), found) in self.sums.iter_mut().zip(&mut self.most).zip(flits) {
            *sum += u64::from(found);
            *most = (*most).max(found);
        }
    }

    /// Mean and most flits found in the buffer at the end of a channel; `None` without a look.
    pub fn of(&self, channel: usize) -> Option<(f64, u32)> {
        let mean = *self.sums.get(channel)? as f64 / self.looks as f64;
        (self.looks > 0).then(|| (mean, self.most[channel]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_every_so_many_cycles_from_the_start() {
        let mut samples = BufferSamples::new(1000, 10, 2);
        assert_eq!((samples.next(), samples.of(0)), (Some(1009), None));
        samples.add([3, 0].into_iter());
        samples.add([6, 1].into_iter());
        assert_eq!(samples.next(), Some(1029));
        assert_eq!([samples.of(0), samples.of(1)], [Some((4.5, 6)), Some((0.5, 1))]);
    }

    #[test]
    fn without_an_interval_there_are_no_looks() {
        let samples = BufferSamples::new(1000, 0, 2);
        assert_eq!((samples.next(), samples.of(0)), (None, None));
    }
}
