//! One route per pair, balanced by the standard deviation of channel weights (Flich 2001, chapter 5).
//!
//! All candidates start in; the weight of a channel is the number of routes through it. Among the routes whose
//! pair still has another, the one whose removal leaves the smallest standard deviation goes, until each pair has
//! one.
//!
//! With n channels, weights w, their sum S and W the sum of w over the h channels of a route, n^2 times the
//! variance changes by n(h - 2W) + 2Sh - h^2 when the route goes. So among routes of one length the one with the
//! largest W goes first. Weights only fall, so a heap per length that is put right only at its top suffices.

use super::paths::Paths;
use crate::network::ChannelId;
use std::collections::BinaryHeap;

/// Keeps one path of each pair. `progress` hears how many of how many removals are done and may stop the work,
/// which gives `None`.
pub fn balanced(
    paths: &Paths,
    channels: usize,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Option<Paths> {
    let mut balance = Balance::new(paths, channels);
    let removals = paths.len() - (0..paths.pairs()).filter(|&p| !paths.of_pair(p).is_empty()).count();
    for done in 0..removals {
        if done % 4096 == 0 && !progress(done, removals) {
            return None;
        }
        let path = balance.next().expect("a pair with several routes has one in a heap");
        balance.remove(path);
    }
    Some(paths.keep(|p| balance.alive[p]))
}

struct Balance<'a> {
    paths: &'a Paths,
    /// Per channel: routes through it.
    weight: Vec<u32>,
    /// Sum of the weights.
    sum: i64,
    /// Per path: still in.
    alive: Vec<bool>,
    /// Per path: its pair.
    pair: Vec<u32>,
    /// Per pair: routes left.
    left: Vec<u32>,
    /// Per length: its paths, the largest sum of weights (as of when it was put in) first, then the first path.
    heaps: Vec<BinaryHeap<Entry>>,
}

/// Sum of weights in the upper half, complement of the path's number in the lower.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry(u64);

impl Entry {
    fn new(sum: u64, path: usize) -> Self {
        Self(sum << 32 | u64::from(!(path as u32)))
    }

    fn sum(self) -> u64 {
        self.0 >> 32
    }

    fn path(self) -> usize {
        !(self.0 as u32) as usize
    }
}

impl<'a> Balance<'a> {
    fn new(paths: &'a Paths, channels: usize) -> Self {
        let mut balance = Self {
            paths,
            weight: vec![0; channels],
            sum: 0,
            alive: vec![true; paths.len()],
            pair: vec![0; paths.len()],
            left: Vec::with_capacity(paths.pairs()),
            heaps: Vec::new(),
        };
        for pair in 0..paths.pairs() {
            balance.left.push(paths.of_pair(pair).len() as u32);
            for p in paths.of_pair(pair) {
                balance.pair[p] = pair as u32;
                balance.sum += paths.path(p).len() as i64;
                for c in paths.path(p) {
                    balance.weight[c.index()] += 1;
                }
            }
        }
        let mut by_length: Vec<Vec<Entry>> = Vec::new();
        for p in (0..paths.len()).filter(|&p| balance.left[balance.pair[p] as usize] > 1) {
            let length = paths.path(p).len();
            if by_length.len() <= length {
                by_length.resize_with(length + 1, Vec::new);
            }
            by_length[length].push(Entry::new(balance.sum_over(paths.path(p)), p));
        }
        balance.heaps = by_length.into_iter().map(BinaryHeap::from).collect();
        balance
    }

    fn sum_over(&self, path: &[ChannelId]) -> u64 {
        path.iter().map(|c| u64::from(self.weight[c.index()])).sum()
    }

    /// Takes the path to be removed next out of its heap.
    fn next(&mut self) -> Option<usize> {
        loop {
            // An entry's sum is never too small, so its length can only look too good.
            let best = (0..self.heaps.len())
                .filter_map(|h| self.heaps[h].peek().map(|e| (self.change(h, e.sum()), h)))
                .min()?;
            let entry = self.heaps[best.1].pop()?;
            let path = entry.path();
            if self.left[self.pair[path] as usize] == 1 {
                continue;
            }
            let sum = self.sum_over(self.paths.path(path));
            if sum == entry.sum() {
                return Some(path);
            }
            self.heaps[best.1].push(Entry::new(sum, path));
        }
    }

    /// Change of n^2 times the variance if a route of this length and sum of weights is removed.
    fn change(&self, length: usize, sum: u64) -> i64 {
        let (n, h) = (self.weight.len() as i64, length as i64);
        n * (h - 2 * sum as i64) + 2 * self.sum * h - h * h
    }

    fn remove(&mut self, path: usize) {
        self.alive[path] = false;
        self.left[self.pair[path] as usize] -= 1;
        for c in self.paths.path(path) {
            self.weight[c.index()] -= 1;
        }
        self.sum -= self.paths.path(path).len() as i64;
    }
}
