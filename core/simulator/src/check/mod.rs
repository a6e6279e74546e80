//! Fingerprints of runs: equal fingerprints mean that the same messages were delivered in the same
//! cycles.
//!
//! Every result carries one, and the golden table of the tests lists them.

/// A running hash of 64-bit words, equal on every platform.
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
        // Two multiplications with folds spread every bit over the word. Wider products are slow in
        // WebAssembly.
        const ODD: u64 = 0xd6e8_feb8_6659_fd93;
        let mut mixed = (self.0 ^ word.rotate_left(32)).wrapping_mul(ODD);
        mixed = (mixed ^ (mixed >> 32)).wrapping_mul(ODD);
        self.0 = mixed ^ (mixed >> 32) ^ word;
    }

    /// Adds an event; the order in which a run's events are added does not matter.
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
