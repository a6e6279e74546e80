//! Reading ahead: what will be needed soon is asked for, so that it is in the cache by then.

/// Asks for the cache line in which `of` begins and does not wait for it; gives 0. Where no instruction does that (in WebAssembly),
/// it is read, and what was read of it is given, for [`ahead_of_all`] to keep.
#[inline(always)]
pub fn ahead<T>(of: &T, read: impl FnOnce(&T) -> u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let _ = read;
        // SAFETY: every x86-64 processor has SSE, and to prefetch any address is allowed and changes nothing.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(of).cast());
        }
        0
    }
    #[cfg(not(target_arch = "x86_64"))]
    read(of)
}

/// The same for something of each. Nothing is done with what is read, but the compiler does not know.
#[inline(always)]
pub fn ahead_of_all<T: Copy>(all: &[T], of: impl Fn(T) -> u32) {
    std::hint::black_box(all.iter().fold(0, |sum, &one| sum ^ of(one)));
}
