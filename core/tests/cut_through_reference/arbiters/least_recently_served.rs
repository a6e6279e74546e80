//! The line granted longest ago: a request together with the lane of its packet.

use super::Arbiter;
use std::collections::BTreeMap;

#[derive(Default)]
pub struct LeastRecentlyServed {
    /// Per request and lane: the number of its last grant.
    last: BTreeMap<(usize, usize), usize>,
    grants: usize,
}

impl Arbiter for LeastRecentlyServed {
    fn order(&self, requests: &[Option<usize>]) -> Vec<usize> {
        let there = (0..requests.len()).filter_map(|request| Some((request, requests[request]?)));
        let mut order: Vec<(usize, usize)> =
            there.map(|line| (self.last.get(&line).copied().unwrap_or(0), line.0)).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, request)| request).collect()
    }

    fn granted(&mut self, request: usize, lane: usize) {
        self.grants += 1;
        self.last.insert((request, lane), self.grants);
    }
}
