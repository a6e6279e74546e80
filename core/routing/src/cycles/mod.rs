//! ITBs where cycles of the channel dependency graph must be broken: route by route as in the
//! thesis ([`greedy`]), or by a search for few ITBs ([`fewest`]). [`Task::run`] does either and
//! counts both.

mod fewest;
mod greedy;

pub use greedy::Taking;

use super::paths::Paths;
use super::prepared_network::PreparedNetwork;
use super::report::CycleBreaking;

/// Routes, and the transitions they make without ITBs.
#[derive(Debug)]
pub struct Broken {
    /// The routes.
    pub paths: Paths,
    /// Free transitions.
    pub free: Vec<bool>,
    /// ITBs per route of both methods.
    pub counts: CycleBreaking,
}

/// What to break.
#[derive(Debug)]
pub struct Task<'a> {
    /// Candidates: all that are to be kept, or those one is to be taken from.
    pub paths: &'a Paths,
    /// Transitions that are in the graph already: those of other route sets, and enough at switches
    /// without hosts to reach every pair.
    pub settled: &'a [bool],
    /// How the routes of a pair are taken.
    pub taking: Taking,
    /// The search, not the thesis's method.
    pub fewest: bool,
}

impl Task<'_> {
    /// Breaks the cycles. `progress` may stop the work, which gives `None`.
    pub fn run(
        &self,
        prepared: &PreparedNetwork<'_>,
        mut progress: impl FnMut(usize, usize) -> bool,
    ) -> Option<Broken> {
        let (taken, by_greedy) =
            greedy::greedy(prepared, self.paths, self.settled, self.taking, &mut progress)?;
        let mut few = |paths: &Paths, free: &[bool]| {
            fewest::fewest(prepared, paths, free, self.settled, self.taking.seed, &mut progress)
        };
        let by_search = few(&taken, &by_greedy)?;
        let counts = CycleBreaking {
            greedy: itbs_per_route(prepared, &taken, &by_greedy),
            fewest: itbs_per_route(prepared, &taken, &by_search),
        };
        if !self.fewest {
            return Some(Broken { paths: taken, free: by_greedy, counts });
        }
        let mut broken = Broken { paths: taken, free: by_search, counts };
        if !self.taking.prefer_free || self.taking.several {
            return Some(broken);
        }
        // With a free choice among candidates, better routes give a better order and the reverse.
        loop {
            let paths = self.with_fewest(prepared, &broken);
            let free = few(&paths, &broken.free)?;
            let now = itbs_per_route(prepared, &paths, &free);
            if now >= broken.counts.fewest {
                return Some(broken);
            }
            broken = Broken { paths, free, counts: CycleBreaking { fewest: now, ..counts } };
        }
    }

    /// Of each pair the candidate with the fewest ITBs; the route it has if none is better.
    fn with_fewest(&self, prepared: &PreparedNetwork<'_>, broken: &Broken) -> Paths {
        let mut better = std::collections::BTreeMap::new();
        for (from, to) in prepared.ends.pairs() {
            let Some(now) = broken.paths.of(from, to).next() else { continue };
            let itbs = |path| itbs(prepared, path, &broken.free);
            let best =
                self.paths.of(from, to).map(|p| self.paths.path(p)).min_by_key(|path| itbs(path));
            let path = best.filter(|path| itbs(path) < itbs(broken.paths.path(now)));
            better.insert((to, from), path.unwrap_or(broken.paths.path(now)).to_vec());
        }
        broken.paths.with_detours(|_| false, &better)
    }
}

/// ITBs of a path; 2^32 for one at a switch without hosts.
fn itbs(prepared: &PreparedNetwork<'_>, path: &[crate::network::ChannelId], free: &[bool]) -> u64 {
    let cut = |hop: &&[_]| !free[prepared.transitions.number(hop[0], hop[1])];
    let cost = |hop: &[_]| {
        if prepared.can_hold_itb(prepared.network.target_switch(hop[0])) { 1 } else { 1 << 32 }
    };
    path.windows(2).filter(cut).map(cost).sum()
}

fn itbs_per_route(prepared: &PreparedNetwork<'_>, paths: &Paths, free: &[bool]) -> f64 {
    // Routes of a switch to itself have no channels and do not count.
    let routes = (0..paths.len()).filter(|&p| !paths.path(p).is_empty());
    let (count, sum) =
        routes.fold((0u64, 0), |(n, sum), p| (n + 1, sum + itbs(prepared, paths.path(p), free)));
    if count == 0 { 0.0 } else { sum as f64 / count as f64 }
}
