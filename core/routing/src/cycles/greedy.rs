//! Breaking cycles of the channel dependency graph route by route (Flich 2001, chapter 5, read
//! incrementally).
//!
//! The graph starts empty, or with the transitions that are settled. Routes enter it one by one;
//! where the next dependency of a route would close a cycle, the route gets an ITB. A dependency
//! that closed a cycle once always does, and one that did not is in the graph from then on, so each
//! transition is decided once, for all routes.

use crate::dependency_order::DependencyOrder;
use crate::network::{ChannelId, SwitchId};
use crate::paths::{Paths, pair_key};
use crate::prepared_network::PreparedNetwork;
use crate::random::stream;
use crate::shortest::ShortestRoutes;
use rand::RngExt;
use rand::seq::SliceRandom;
use std::collections::BTreeMap;

/// What is known about a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// No route has asked for it.
    Open,
    /// In the graph: made without an ITB.
    Free,
    /// Would close a cycle: needs an ITB.
    Cut,
}

/// How the routes of a pair are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taking {
    /// Routes without ITBs first, and only they if there is one.
    pub prefer_free: bool,
    /// Keep all routes of a pair, not one.
    pub several: bool,
    /// Seed of draws among the routes of a pair.
    pub seed: u64,
}

/// Puts the paths into a graph that holds the `settled` transitions already, and gives the paths
/// taken and the free transitions: those that a route could make without an ITB afterwards.
///
/// Where a path would need an ITB at a switch without hosts, another path of its pair is taken, or
/// the shortest path that needs none there. `settled` must let every pair be reached when switches
/// without hosts make no other transition. `progress` may stop the work, which gives `None`.
pub fn greedy(
    prepared: &PreparedNetwork<'_>,
    paths: &Paths,
    settled: &[bool],
    taking: Taking,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Option<(Paths, Vec<bool>)> {
    let mut breaker = Breaker::new(prepared, settled);
    let mut taken = vec![false; paths.len()];
    let mut lost = Vec::new();
    let ends = prepared.ends.switches();
    for (done, &from) in ends.iter().enumerate() {
        if !progress(done, ends.len()) {
            return None;
        }
        for &to in ends {
            if !breaker.take_pair(paths, from, to, taking, &mut taken) {
                lost.push((to, from));
            }
        }
    }
    lost.sort_unstable();
    let detours = breaker.detours(&lost, taking.seed);
    let taken = paths.with_detours(|p| taken[p], &detours);
    Some((taken, breaker.free()))
}

struct Breaker<'a> {
    prepared: &'a PreparedNetwork<'a>,
    dependencies: DependencyOrder,
    decided: Vec<Decision>,
}

impl<'a> Breaker<'a> {
    fn new(prepared: &'a PreparedNetwork<'a>, settled: &[bool]) -> Self {
        let mut breaker = Self {
            prepared,
            dependencies: DependencyOrder::new(prepared.network.network_channels()),
            decided: vec![Decision::Open; prepared.transitions.len()],
        };
        for (number, x, y) in prepared.transitions.iter(prepared.network).filter(|t| settled[t.0]) {
            let added = breaker.dependencies.add(x, y);
            assert!(added, "settled transitions have no cycle");
            breaker.decided[number] = Decision::Free;
        }
        breaker
    }

    /// Takes one or more paths of a pair, marking them; false if none can be taken.
    fn take_pair(
        &mut self,
        paths: &Paths,
        from: SwitchId,
        to: SwitchId,
        taking: Taking,
        taken: &mut [bool],
    ) -> bool {
        let mut order: Vec<usize> = paths.of(from, to).collect();
        if order.len() > 1 {
            order.shuffle(&mut stream(taking.seed, "routing.cycles", pair_key(from, to)));
        }
        let passes: &[bool] = if taking.prefer_free { &[false, true] } else { &[true] };
        for &may_cut in passes {
            let mut any = false;
            for &p in &order {
                if self.put(paths.path(p), may_cut) {
                    taken[p] = true;
                    any = true;
                    if !taking.several {
                        break;
                    }
                }
            }
            if any {
                return true;
            }
        }
        false
    }

    /// Puts a path into the graph; false if it would need an ITB where it may not have one. The
    /// graph is then as before; only transitions found to close a cycle stay cut.
    fn put(&mut self, path: &[ChannelId], may_cut: bool) -> bool {
        let mut added = Vec::new();
        for hop in path.windows(2) {
            let (x, y) = (hop[0], hop[1]);
            let number = self.prepared.transitions.number(x, y);
            if self.decided[number] == Decision::Open {
                let free = self.dependencies.add(x, y);
                self.decided[number] = if free { Decision::Free } else { Decision::Cut };
                if free {
                    added.push((number, x, y));
                }
            }
            let holds =
                may_cut && self.prepared.can_hold_itb(self.prepared.network.target_switch(x));
            if self.decided[number] == Decision::Cut && !holds {
                for (number, x, y) in added {
                    self.dependencies.remove(x, y);
                    self.decided[number] = Decision::Open;
                }
                return false;
            }
        }
        true
    }

    /// Transitions that need no ITB: those in the graph, and those that no route makes and that go
    /// forward in its order.
    fn free(&self) -> Vec<bool> {
        self.prepared.transitions.where_(self.prepared.network, |x, y| {
            match self.decided[self.prepared.transitions.number(x, y)] {
                Decision::Free => true,
                Decision::Cut => false,
                Decision::Open => self.dependencies.precedes(x, y),
            }
        })
    }

    /// For pairs (to, from) with no path that can be taken: one of the shortest that can, drawn at
    /// random.
    fn detours(
        &mut self,
        lost: &[(SwitchId, SwitchId)],
        seed: u64,
    ) -> BTreeMap<(SwitchId, SwitchId), Vec<ChannelId>> {
        let prepared = self.prepared;
        let mut found = BTreeMap::new();
        if lost.is_empty() {
            return found;
        }
        let usable = prepared.transitions.where_(prepared.network, |x, y| {
            prepared.can_hold_itb(prepared.network.target_switch(x))
                || self.decided[prepared.transitions.number(x, y)] == Decision::Free
        });
        let mut routes = ShortestRoutes::new(prepared, &usable);
        let mut aimed = None;
        for &(to, from) in lost {
            if aimed != Some(to) {
                routes.aim(to);
                aimed = Some(to);
            }
            let mut random = stream(seed, "routing.detours", pair_key(from, to));
            let mut path = Vec::new();
            let length = routes.distance(from);
            let index = random.random_range(0..routes.number(from, length));
            routes.route(from, length, index, &mut path);
            let put = self.put(&path, true);
            assert!(put, "settled transitions reach every pair");
            found.insert((to, from), path);
        }
        found
    }
}
