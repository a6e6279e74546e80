//! One route per pair, balanced by the standard deviation of channel weights (Flich 2001, chapter
//! 5).
//!
//! The weight of a channel is the number of routes through it. All candidates are in at first. Of
//! the routes whose pair has another route, the one whose removal leaves the smallest standard
//! deviation is removed, until each pair has one.
//!
//! With n channels, weights w, their sum S and W the sum of w over the h channels of a route, n^2
//! times the variance changes by n(h - 2W) + 2Sh - h^2 when the route is removed. So among routes
//! of one length the one with the largest W comes first. Weights only fall, so a queue per length
//! whose entries are brought up to date only at its top suffices.

use super::paths::Paths;
use crate::network::ChannelId;
use std::collections::BinaryHeap;

/// Keeps one path of each pair. `progress` is told how many of how many removals are done and may
/// stop the work, which gives `None`.
pub fn balanced(
    paths: &Paths,
    channels: usize,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Option<Paths> {
    let (mut balance, mut queues) = Balance::new(paths, channels);
    let removals =
        paths.len() - (0..paths.pairs()).filter(|&p| !paths.of_pair(p).is_empty()).count();
    for done in 0..removals {
        if done % 4096 == 0 && !progress(done, removals) {
            return None;
        }
        let path =
            balance.next(&mut queues).expect("a pair with several routes has one in a queue");
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
}

/// Paths of one length, the largest sum of weights first, then the first path. A sum is as of when
/// the path was put in, so it is never too small. Most paths lie unsorted in buckets of similar
/// sums; only the highest bucket is a heap.
#[derive(Default)]
struct Queue {
    top: BinaryHeap<Entry>,
    /// Bucket b has the paths whose sum was in `b << shift .. (b + 1) << shift`; buckets at or
    /// above the level of the heap are empty.
    buckets: Vec<Vec<u32>>,
    shift: u32,
}

/// Buckets of a queue at most.
const BUCKETS: u64 = 1 << 20;

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
    /// The start, with all candidates in, and a queue per length.
    fn new(paths: &'a Paths, channels: usize) -> (Self, Vec<Queue>) {
        let mut balance = Self {
            paths,
            weight: vec![0; channels],
            sum: 0,
            alive: vec![true; paths.len()],
            pair: vec![0; paths.len()],
            left: Vec::with_capacity(paths.pairs()),
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
        let mut queues = Vec::new();
        for p in (0..paths.len()).filter(|&p| balance.left[balance.pair[p] as usize] > 1) {
            let path = paths.path(p);
            if queues.len() <= path.len() {
                queues.resize_with(path.len() + 1, Queue::default);
            }
            queues[path.len()].top.push(Entry::new(balance.sum_over(path), p));
        }
        queues.iter_mut().for_each(Queue::spread);
        (balance, queues)
    }

    fn sum_over(&self, path: &[ChannelId]) -> u64 {
        path.iter().map(|c| u64::from(self.weight[c.index()])).sum()
    }

    /// Takes the path to be removed next out of its queue.
    fn next(&self, queues: &mut [Queue]) -> Option<usize> {
        loop {
            // A sum is never too small, so a length can only look too good.
            let bounds = queues.iter_mut().enumerate();
            let best = bounds
                .filter_map(|(h, queue)| Some((self.change(h, queue.bound(self)?), h)))
                .min()?;
            let queue = &mut queues[best.1];
            let entry = queue.top.pop()?;
            if let Some(sum) = self.sum_if_removable(entry.path()) {
                if sum == entry.sum() {
                    return Some(entry.path());
                }
                queue.put(sum, entry.path(), entry.sum() >> queue.shift);
            }
        }
    }

    /// The sum of weights of a path whose pair has another.
    fn sum_if_removable(&self, path: usize) -> Option<u64> {
        (self.left[self.pair[path] as usize] > 1).then(|| self.sum_over(self.paths.path(path)))
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

impl Queue {
    /// Moves all paths from the heap into buckets.
    fn spread(&mut self) {
        let Some(largest) = self.top.peek().map(|e| e.sum()) else { return };
        while largest >> self.shift >= BUCKETS {
            self.shift += 1;
        }
        self.buckets.resize((largest >> self.shift) as usize + 1, Vec::new());
        for entry in std::mem::take(&mut self.top).into_vec() {
            self.buckets[(entry.sum() >> self.shift) as usize].push(entry.path() as u32);
        }
    }

    /// Puts a path into the heap, if it is of the heap's level, or a bucket.
    fn put(&mut self, sum: u64, path: usize, level: u64) {
        if sum >> self.shift == level {
            self.top.push(Entry::new(sum, path));
        } else {
            self.buckets[(sum >> self.shift) as usize].push(path as u32);
        }
    }

    /// A sum that none of the paths exceeds; `None` if there are no paths.
    fn bound(&mut self, balance: &Balance<'_>) -> Option<u64> {
        while self.top.is_empty() {
            let bucket = self.buckets.pop()?;
            let level = self.buckets.len() as u64;
            for path in bucket {
                if let Some(sum) = balance.sum_if_removable(path as usize) {
                    self.put(sum, path as usize, level);
                }
            }
        }
        self.top.peek().map(|e| e.sum())
    }
}
