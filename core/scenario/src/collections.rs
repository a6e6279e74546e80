//! Sets and maps that are filled item by item, and lists that are sorted by their positions.
//!
//! The standard library's sort is compiled anew for every type and order, and is a large part of
//! the page's download. `collect` into a set or map sorts the items first, so the functions here
//! insert one by one; and they sort the positions in a list, by one sort for all lists. Both take n
//! log n steps as well. Where a run spends its time, lists are sorted by the standard library.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Sorts a list; equal items keep their order.
pub fn sort_by<T>(items: &mut Vec<T>, order: impl Fn(&T, &T) -> Ordering) {
    let positions = positions(items.len(), &|a, b| order(&items[a], &items[b]));
    let mut taken: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(positions.into_iter().filter_map(|position| taken[position].take()));
}

/// Sorts a list by a key; items with equal keys keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// The positions of so many items in their order.
fn positions(count: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..count).collect();
    positions.sort_by(|&a, &b| order(a, b));
    positions
}

/// A set of the items.
pub fn set_of<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(items);
    set
}

/// A map of the entries. Of entries with equal keys, the last one stays.
pub fn map_of<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(entries);
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_as_by_the_standard_library() {
        let items: Vec<(u32, usize)> = (0..100).map(|i| (i as u32 * 37 % 10, i)).collect();
        let mut expected = items.clone();
        expected.sort_by_key(|item| item.0);
        let mut found = items.clone();
        sort_by_key(&mut found, |item| item.0);
        assert_eq!(found, expected);
        let mut found = items;
        sort_by(&mut found, |a, b| b.0.cmp(&a.0));
        expected.sort_by_key(|item| std::cmp::Reverse(item.0));
        assert_eq!(found, expected);
    }

    #[test]
    fn they_equal_what_is_collected() {
        let items = [(3, 'a'), (1, 'b'), (3, 'c'), (2, 'b')];
        assert_eq!(set_of(items), items.into_iter().collect());
        assert_eq!(map_of(items), items.into_iter().collect());
    }
}
