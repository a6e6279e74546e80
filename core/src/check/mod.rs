//! Fingerprints: two runs with the same one delivered the same messages in the same cycles.

/// A running hash of 64-bit words; equal on every platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0x243f_6a88_85a3_08d3)
    }
}

impl Fingerprint {
    /// Adds a word.
    #[inline]
    pub fn add(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        self.0 = (product as u64) ^ ((product >> 64) as u64) ^ word.rotate_left(32);
    }

    /// Adds an event, in any order among the events of a run.
    #[inline]
    pub fn add_event(&mut self, a: u64, b: u64) {
        let mut event = Self::default();
        event.add(a);
        event.add(b);
        self.0 = self.0.wrapping_add(event.0);
    }

    /// The hash so far.
    pub fn value(self) -> u64 {
        self.0
    }
}
