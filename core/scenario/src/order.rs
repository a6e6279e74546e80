//! Sorting and gathering where speed does not matter: one small algorithm, compiled once for all types.
//!
//! The standard library's are faster, and take some five kilobytes for each type and order, which every visitor of the page
//! downloads. What simulates uses those; all else uses these.

use std::cmp::Ordering;

/// Sorting; equal ones stay in their order.
pub trait Order<T> {
    /// Sorts by a comparison.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by what a function makes of each.
    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }

    /// Sorts.
    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

impl<T> Order<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut order =
            order(self.len(), &mut |a, b| compare(&self[a as usize], &self[b as usize]));
        for start in 0..order.len() {
            // Each place gets its own, and gives what it had to the place that one came from.
            let mut place = start;
            loop {
                let from = std::mem::replace(&mut order[place], place as u32) as usize;
                if from == start {
                    break;
                }
                self.swap(place, from);
                place = from;
            }
        }
    }
}

/// The numbers from 0 in order: by merging ever longer stretches.
#[inline(never)]
fn order(count: usize, compare: &mut dyn FnMut(u32, u32) -> Ordering) -> Vec<u32> {
    let mut list: Vec<u32> = (0..count as u32).collect();
    let mut merged = list.clone();
    let mut length = 1;
    while length < count {
        for start in (0..count).step_by(2 * length) {
            let (middle, end) = ((start + length).min(count), (start + 2 * length).min(count));
            let (mut left, mut right) = (start, middle);
            for place in &mut merged[start..end] {
                let from = if left < middle
                    && (right == end || compare(list[left], list[right]) != Ordering::Greater)
                {
                    &mut left
                } else {
                    &mut right
                };
                *place = list[*from];
                *from += 1;
            }
        }
        std::mem::swap(&mut list, &mut merged);
        length *= 2;
    }
    list
}

/// A collection of these, one after the other: `collect` of an ordered one would sort first.
pub fn gathered<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}

#[cfg(test)]
mod tests {
    use super::Order;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_the_standard_library(list in prop::collection::vec((0_u8..20, any::<u8>()), 0..200)) {
            let (mut ours, mut theirs) = (list.clone(), list.clone());
            ours.order();
            theirs.sort();
            prop_assert_eq!(&ours, &theirs);
            (ours, theirs) = (list.clone(), list);
            ours.order_by_key(|(key, _)| std::cmp::Reverse(*key));
            theirs.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
            prop_assert_eq!(ours, theirs);
        }
    }
}
