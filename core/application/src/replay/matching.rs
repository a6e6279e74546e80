//! Which message a receive gets: MPI's rule of posted receives and unexpected messages.

use std::collections::{BTreeMap, VecDeque};

/// Operations, each with its place in the order of posting or arrival.
type Queue = VecDeque<(u64, u32)>;

/// Receives that wait for messages, and messages that wait for receives.
#[derive(Debug, Clone, Default)]
pub(super) struct Matching {
    /// Posted receives by rank, sender and tag, as they are asked for.
    posted: BTreeMap<(u32, Option<u32>, Option<u32>), Queue>,
    /// Messages by receiving rank, sender and tag.
    arrived: BTreeMap<(u32, u32, u32), Queue>,
    /// Places given so far.
    places: u64,
}

impl Matching {
    /// Posts a receive of `rank`. Returns the message that it gets at once, the first that arrived.
    pub fn post(
        &mut self,
        rank: u32,
        from: Option<u32>,
        tag: Option<u32>,
        receive: u32,
    ) -> Option<u32> {
        let least = (rank, from.unwrap_or(0), tag.unwrap_or(0));
        let most = (rank, from.unwrap_or(u32::MAX), tag.unwrap_or(u32::MAX));
        let fits = |key: &(u32, u32, u32)| tag.is_none_or(|tag| tag == key.2);
        let known = self.arrived.range(least..=most).filter(|(key, _)| fits(key));
        let first = known.min_by_key(|(_, queue)| queue.front().map(|&(place, _)| place));
        if let Some((&key, _)) = first {
            return pop(&mut self.arrived, key);
        }
        let place = self.next_place();
        self.posted.entry((rank, from, tag)).or_default().push_back((place, receive));
        None
    }

    /// A message of rank `from` arrives at `rank`. Returns the receive that gets it, the first that
    /// was posted.
    pub fn arrive(&mut self, rank: u32, from: u32, tag: u32, send: u32) -> Option<u32> {
        let asked = [
            (rank, Some(from), Some(tag)),
            (rank, Some(from), None),
            (rank, None, Some(tag)),
            (rank, None, None),
        ];
        let first = |key: &(u32, Option<u32>, Option<u32>)| {
            self.posted.get(key).and_then(|queue| queue.front()).map(|&(place, _)| place)
        };
        let found = asked.into_iter().filter_map(|key| Some((first(&key)?, key))).min();
        if let Some((_, key)) = found {
            return pop(&mut self.posted, key);
        }
        let place = self.next_place();
        self.arrived.entry((rank, from, tag)).or_default().push_back((place, send));
        None
    }

    fn next_place(&mut self) -> u64 {
        self.places += 1;
        self.places
    }
}

/// Takes the first of a queue, and removes the queue with its last.
fn pop<K: Ord>(queues: &mut BTreeMap<K, Queue>, key: K) -> Option<u32> {
    let queue = queues.get_mut(&key)?;
    let (_, first) = queue.pop_front()?;
    if queue.is_empty() {
        queues.remove(&key);
    }
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_goes_to_the_receive_that_was_posted_first() {
        let mut matching = Matching::default();
        assert_eq!(matching.post(3, None, Some(7), 10), None);
        assert_eq!(matching.post(3, Some(1), Some(7), 11), None);
        assert_eq!(matching.post(3, None, None, 12), None);
        assert_eq!(matching.arrive(3, 1, 8, 20), Some(12), "only the last takes any tag");
        assert_eq!(matching.arrive(3, 1, 7, 21), Some(10));
        assert_eq!(matching.arrive(3, 2, 7, 22), None, "the other wants rank 1");
        assert_eq!(matching.arrive(3, 1, 7, 23), Some(11));
    }

    #[test]
    fn a_receive_gets_the_message_that_arrived_first() {
        let mut matching = Matching::default();
        for (from, tag, send) in [(5, 1, 50), (2, 9, 20), (2, 1, 21), (2, 1, 22)] {
            assert_eq!(matching.arrive(0, from, tag, send), None);
        }
        assert_eq!(matching.post(1, None, None, 9), None, "another rank");
        assert_eq!(matching.post(0, Some(2), Some(1), 1), Some(21));
        assert_eq!(matching.post(0, None, Some(1), 2), Some(50));
        assert_eq!(matching.post(0, Some(2), None, 3), Some(20));
        assert_eq!(matching.post(0, None, None, 4), Some(22));
    }
}
