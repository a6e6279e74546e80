//! Smart routing's balance: one route per pair, so that the most used channel carries as few routes
//! as possible. The original solves a linear program; here routes are moved one at a time until no
//! move helps.

use super::paths::Paths;
use crate::network::ChannelId;

/// Per pass over all pairs: the power of a channel's weight that its price follows.
const POWERS: [u32; 6] = [2, 2, 3, 4, 6, 7];
/// Most passes with the highest power.
const LAST_PASSES: usize = 40;

/// Keeps one path of each pair. `progress` may stop the work, which gives `None`.
pub fn least_maximum(
    paths: &Paths,
    channels: usize,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Option<Paths> {
    let mut choice = Choice::shortest(paths, channels);
    let passes = POWERS.iter().chain(std::iter::repeat_n(&POWERS[5], LAST_PASSES));
    for (done, &power) in passes.enumerate() {
        if !progress(done, POWERS.len() + LAST_PASSES) {
            return None;
        }
        let moved = choice.pass(power);
        if moved == 0 && done >= POWERS.len() {
            break;
        }
    }
    let mut wanted = vec![false; paths.len()];
    for p in choice.chosen.into_iter().flatten() {
        wanted[p] = true;
    }
    Some(paths.keep(|p| wanted[p]))
}

struct Choice<'a> {
    paths: &'a Paths,
    /// Per pair: the path chosen; none if the pair has none.
    chosen: Vec<Option<usize>>,
    /// Per channel: chosen routes through it.
    weight: Vec<u32>,
}

impl<'a> Choice<'a> {
    /// The first candidate of each pair.
    fn shortest(paths: &'a Paths, channels: usize) -> Self {
        let chosen: Vec<Option<usize>> =
            (0..paths.pairs()).map(|pair| paths.of_pair(pair).next()).collect();
        let mut weight = vec![0; channels];
        for c in chosen.iter().flatten().flat_map(|&p| paths.path(p)) {
            weight[c.index()] += 1;
        }
        Self { paths, chosen, weight }
    }

    /// Gives each pair the path that is cheapest when a route more on a channel of weight w costs
    /// (w+1)^power - w^power, and gives the number of pairs that moved. The sum of w^power falls
    /// with every move.
    fn pass(&mut self, power: u32) -> usize {
        let mut moved = 0;
        for pair in 0..self.chosen.len() {
            let Some(now) = self.chosen[pair].filter(|_| self.paths.of_pair(pair).len() > 1) else {
                continue;
            };
            self.take(now, false);
            let cost = |p: &usize| (self.price(self.paths.path(*p), power), *p != now, *p);
            let best = self.paths.of_pair(pair).min_by_key(cost).unwrap_or(now);
            self.take(best, true);
            self.chosen[pair] = Some(best);
            moved += usize::from(best != now);
        }
        moved
    }

    fn take(&mut self, path: usize, add: bool) {
        for c in self.paths.path(path) {
            let w = &mut self.weight[c.index()];
            *w = if add { *w + 1 } else { *w - 1 };
        }
    }

    fn price(&self, path: &[ChannelId], power: u32) -> u128 {
        let price = |w: u32| {
            // 250 001^7 is below 2^128.
            let w = u128::from(w.min(250_000));
            (w + 1).pow(power) - w.pow(power)
        };
        path.iter().map(|c| price(self.weight[c.index()])).sum()
    }
}
