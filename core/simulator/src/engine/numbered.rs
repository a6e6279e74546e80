//! Vectors indexed by the 32-bit numbers by which an engine knows its packets, ports and lanes.

use std::ops::{Deref, DerefMut, Index, IndexMut};

/// A vector indexed by `u32` or `usize`. Like every index in Rust, an index out of bounds panics.
#[derive(Debug, Clone)]
pub struct Numbered<T>(Vec<T>);

/// A type that indexes a [`Numbered`].
pub trait Number: Copy {
    /// The index.
    fn index(self) -> usize;
}

impl Number for u32 {
    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}

impl Number for usize {
    #[inline]
    fn index(self) -> usize {
        self
    }
}

impl<T> Numbered<T> {
    /// An empty list.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Appends an element and returns its number.
    #[inline]
    pub fn push(&mut self, element: T) -> u32 {
        self.0.push(element);
        self.0.len() as u32 - 1
    }

    /// The `length` elements from `first` on.
    #[inline]
    pub fn row(&self, first: usize, length: usize) -> &[T] {
        &self.0[first..][..length]
    }
}

impl<T, N: Number> Index<N> for Numbered<T> {
    type Output = T;

    #[inline]
    fn index(&self, number: N) -> &T {
        &self.0[number.index()]
    }
}

impl<T, N: Number> IndexMut<N> for Numbered<T> {
    #[inline]
    fn index_mut(&mut self, number: N) -> &mut T {
        &mut self.0[number.index()]
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
    fn push_returns_the_index() {
        let mut all: Numbered<char> = Numbered::new();
        assert_eq!([all.push('a'), all.push('b'), all.push('c')], [0, 1, 2]);
        all[1_u32] = 'x';
        assert_eq!((all[1_usize], all[2_u32], all.row(1, 2)), ('x', 'c', &['x', 'c'][..]));
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn an_index_out_of_bounds_panics() {
        let all: Numbered<u8> = vec![0; 3].into();
        let _ = all[3_u32];
    }
}
