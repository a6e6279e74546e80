//! Named random streams.
//!
//! Every purpose of every host, flow or pair of switches draws from a stream of its own, so a
//! change in the number of draws of one purpose never shifts the draws of another. [`stream`]
//! gives the generator; the draws themselves are those of `rand` and `rand_distr`, which give the
//! same values on every platform.

use rand_pcg::rand_core::SeedableRng;

/// The generator of every draw: PCG XSL 128/64 (MCG).
pub use rand_pcg::Pcg64Mcg;

/// The stream of `purpose` number `index` (a host, a flow, a pair of switches) under `seed`.
pub fn stream(seed: u64, purpose: &str, index: u64) -> Pcg64Mcg {
    // FNV-1a: its definition is fixed, while the standard library's hash may change.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let parts = seed.to_le_bytes().into_iter().chain(purpose.bytes()).chain(index.to_le_bytes());
    for byte in parts {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    Pcg64Mcg::seed_from_u64(hash)
}
