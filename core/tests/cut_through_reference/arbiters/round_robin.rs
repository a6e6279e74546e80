//! The first request after the one last granted, in cyclic order.

use super::Arbiter;

#[derive(Default)]
pub struct RoundRobin {
    last: Option<usize>,
}

impl Arbiter for RoundRobin {
    fn order(&self, requests: &[Option<usize>]) -> Vec<usize> {
        let first = self.last.map_or(0, |last| last + 1);
        let all = (0..requests.len()).map(|i| (first + i) % requests.len());
        all.filter(|&i| requests[i].is_some()).collect()
    }

    fn granted(&mut self, request: usize, _: usize) {
        self.last = Some(request);
    }
}
