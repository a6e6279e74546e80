//! Sets and maps that are filled item by item.
//!
//! `collect` sorts the items first, by a sort that is compiled anew for every type and is a large
//! part of the page's download. Inserting one by one takes n log n steps as well.

use std::collections::{BTreeMap, BTreeSet};

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
    fn they_equal_what_is_collected() {
        let items = [(3, 'a'), (1, 'b'), (3, 'c'), (2, 'b')];
        assert_eq!(set_of(items), items.into_iter().collect());
        assert_eq!(map_of(items), items.into_iter().collect());
    }
}
