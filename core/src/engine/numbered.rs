//! Lists of what engines know by number: packets, ports, lanes.

use std::ops::{Deref, DerefMut, Index, IndexMut};

/// A list whose places are numbered from 0 on; wherever an engine keeps such a number, it has 32 bits.
///
/// A number an engine uses is one this list gave it, or lies within what its plan has counted. Natively that is checked at every use all
/// the same, as everywhere in Rust: the random cases of the property tests would end with a number that is wrong. A released
/// WebAssembly program does not check again: it is confined to its own memory whatever happens, and is a twentieth faster without
/// (8-ary 3-tree, measured). Built with debug assertions, it checks, too.
#[derive(Debug, Clone)]
pub struct Numbered<T>(Vec<T>);

/// What places are numbered by.
pub trait Number: Copy {
    /// The number of the place.
    fn place(self) -> usize;
}

impl Number for u32 {
    #[inline(always)]
    fn place(self) -> usize {
        self as usize
    }
}

impl Number for usize {
    #[inline(always)]
    fn place(self) -> usize {
        self
    }
}

impl<T> Numbered<T> {
    /// An empty list.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds one and gives its number.
    #[inline]
    pub fn push(&mut self, one: T) -> u32 {
        self.0.push(one);
        self.0.len() as u32 - 1
    }

    /// So many of them, from this one on.
    #[inline]
    pub fn row(&self, first: usize, length: usize) -> &[T] {
        &self.0[first..][..length]
    }

    /// Where a number's place is; whoever looks there knows that it exists.
    #[inline(always)]
    fn place(&self, number: impl Number) -> usize {
        let place = number.place();
        #[cfg(all(target_family = "wasm", not(debug_assertions)))]
        // SAFETY: see [`Numbered`].
        #[allow(unsafe_code)]
        unsafe {
            std::hint::assert_unchecked(place < self.0.len());
        }
        place
    }
}

impl<T, N: Number> Index<N> for Numbered<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, number: N) -> &T {
        &self.0[self.place(number)]
    }
}

impl<T, N: Number> IndexMut<N> for Numbered<T> {
    #[inline(always)]
    fn index_mut(&mut self, number: N) -> &mut T {
        let place = self.place(number);
        &mut self.0[place]
    }
}

impl<T> Extend<T> for Numbered<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, more: I) {
        self.0.extend(more);
    }
}

impl<T> From<Vec<T>> for Numbered<T> {
    fn from(all: Vec<T>) -> Self {
        Self(all)
    }
}

impl<T> FromIterator<T> for Numbered<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        Self(all.into_iter().collect())
    }
}

/// All of them, one after the other.
impl<T> Deref for Numbered<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Numbered<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_given() {
        let mut all: Numbered<char> = Numbered::new();
        assert_eq!([all.push('a'), all.push('b'), all.push('c')], [0, 1, 2]);
        all[1_u32] = 'x';
        assert_eq!((all[1_usize], all[2_u32], all.row(1, 2)), ('x', 'c', &['x', 'c'][..]));
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn no_other_number_is_taken() {
        let all: Numbered<u8> = vec![0; 3].into();
        let _ = all[3_u32];
    }
}
