//! A hint to the processor's cache: the only unsafe code of the workspace. Without it the DTable
//! row of `cargo xtask speed` takes over a tenth more time (`fabric/packet/prefetch.rs`).

/// Asks for the cache line in which `value` begins, without waiting for it. Does nothing where the
/// processor has no such instruction, as in WebAssembly.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has SSE, and a prefetch reads and changes nothing.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
