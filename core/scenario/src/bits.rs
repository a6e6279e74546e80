//! Sets as bit masks.

use num_traits::PrimInt;

/// The numbers of the bits of a mask that are set, ascending.
#[inline]
pub fn bits<M: PrimInt>(mut mask: M) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let first = (!mask.is_zero()).then(|| mask.trailing_zeros() as u8)?;
        mask = mask & (mask - M::one());
        Some(first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_numbered_from_the_lowest() {
        assert!(bits(0_u32).next().is_none());
        assert!(bits(0b1001_0110_u8).eq([1, 2, 4, 7]));
        assert!(bits(1_u128 << 127 | 1).eq([0, 127]));
        assert!(bits(u64::MAX).eq(0..64));
    }
}
