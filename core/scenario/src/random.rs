//! Named random streams: each purpose of each host draws from its own, so that one never shifts another.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// A stream of random numbers, fixed by seed, purpose and index.
#[derive(Debug, Clone)]
pub struct Stream(Pcg64Mcg);

impl Stream {
    /// The stream of `purpose` number `index` (a host, a flow, a pair ...) under `seed`.
    pub fn new(seed: u64, purpose: &str, index: u64) -> Self {
        // FNV-1a over the three parts, then splitmix64 to fill the state.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let parts =
            seed.to_le_bytes().into_iter().chain(purpose.bytes()).chain(index.to_le_bytes());
        for byte in parts {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let mut state = [0u8; 16];
        for half in state.chunks_mut(8) {
            hash = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = hash;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            half.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes());
        }
        Self(Pcg64Mcg::from_seed(state))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in `0..n`, without bias; `n` must not be 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        debug_assert!(n > 0);
        // Lemire's method.
        let mut product = u128::from(self.bits()) * u128::from(n);
        if (product as u64) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u64) < threshold {
                product = u128::from(self.bits()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// True with probability `share / 2^32`.
    #[inline]
    pub fn chance(&mut self, share: u64) -> bool {
        (self.bits() >> 32) < share
    }

    /// A random order of the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}
