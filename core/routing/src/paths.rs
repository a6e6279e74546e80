//! Routes as lists of channels, before ITBs are put in: first the candidates of each pair, in the
//! end the chosen routes. [`Wanted::list`] finds the candidates.

use super::ends::Ends;
use super::memory;
use super::messages;
use super::prepared_network::PreparedNetwork;
use super::shortest::ShortestRoutes;
use crate::network::graph::UNREACHABLE;
use crate::network::{ChannelId, SwitchId};
use crate::problem::Problems;
use crate::random::{Pcg64Mcg, stream};
use crate::scenario::CandidateRule;
use rand::RngExt;
use rand::seq::IndexedRandom;
use std::collections::BTreeMap;
use std::ops::Range;

/// Routes of every ordered pair of ends as lists of channels. Pairs are kept destination by
/// destination, the order in which they are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    ends: Ends,
    /// Pair `ends.pair(to, from)` has paths `first[pair]..first[pair + 1]`.
    first: Vec<u32>,
    /// Path `p` has channels `begin[p]..begin[p + 1]`.
    begin: Vec<u32>,
    channels: Vec<ChannelId>,
}

impl Paths {
    /// An empty set, to be filled pair by pair, destination by destination.
    pub fn new(ends: Ends) -> Self {
        Self { ends, first: vec![0], begin: vec![0], channels: Vec::new() }
    }

    /// Adds a path to the pair being filled; `write` appends its channels.
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<ChannelId>)) {
        write(&mut self.channels);
        self.begin.push(u32::try_from(self.channels.len()).expect("fewer than 2^32 steps"));
    }

    /// Ends the pair being filled.
    pub fn finish_pair(&mut self) {
        self.first.push(self.len() as u32);
    }

    /// Number of paths.
    pub fn len(&self) -> usize {
        self.begin.len() - 1
    }

    /// Number of pairs.
    pub fn pairs(&self) -> usize {
        self.first.len() - 1
    }

    /// Numbers of the paths of a pair.
    pub fn of(&self, from: SwitchId, to: SwitchId) -> Range<usize> {
        self.ends.pair(to, from).map_or(0..0, |pair| self.of_pair(pair))
    }

    /// Numbers of the paths of a pair given by its place in the filling order.
    pub fn of_pair(&self, pair: usize) -> Range<usize> {
        self.first[pair] as usize..self.first[pair + 1] as usize
    }

    /// The channels of a path.
    pub fn path(&self, number: usize) -> &[ChannelId] {
        &self.channels[self.begin[number] as usize..self.begin[number + 1] as usize]
    }

    /// The same pairs, each with only the paths wanted.
    pub fn keep(&self, wanted: impl FnMut(usize) -> bool) -> Self {
        self.with_detours(wanted, &BTreeMap::new())
    }

    /// The same pairs, each with only the paths wanted and those of `detours`, which are by (to,
    /// from).
    pub fn with_detours(
        &self,
        mut wanted: impl FnMut(usize) -> bool,
        detours: &BTreeMap<(SwitchId, SwitchId), Vec<ChannelId>>,
    ) -> Self {
        let mut kept = Self::new(self.ends.clone());
        for pair in 0..self.pairs() {
            for p in self.of_pair(pair).filter(|&p| wanted(p)) {
                kept.push(|channels| channels.extend_from_slice(self.path(p)));
            }
            if let Some(detour) = detours.get(&self.ends.of_number(pair)) {
                kept.push(|channels| channels.extend_from_slice(detour));
            }
            kept.finish_pair();
        }
        kept
    }
}

/// Which paths of each pair to list.
#[derive(Debug)]
pub struct Wanted<'a> {
    /// Transitions a route may make (with or without an ITB).
    pub usable: &'a [bool],
    /// Transitions preferred: routes that make no others are taken alone, if they are as short.
    pub preferred: Option<&'a [bool]>,
    /// Also routes one channel longer, where the shortest do not fill the number.
    pub longer: bool,
    /// How many of each pair at most.
    pub most: u32,
    /// Which ones, if there are more.
    pub rule: CandidateRule,
    /// Then keep one of them, drawn at random.
    pub draw_one: bool,
    /// Seed of the draws.
    pub seed: u64,
}

impl Wanted<'_> {
    /// True if one route of each pair is drawn from all of them, however many candidates are asked
    /// for: one of an unbiased sample is one of all.
    pub fn draws_from_all(&self) -> bool {
        self.draw_one && !self.longer && self.rule == CandidateRule::Sample
    }

    /// Lists the shortest routes of every pair of ends. `progress` is told how many of how many
    /// destinations are done and may stop the work, which gives `None`.
    ///
    /// # Errors
    /// A pair that no usable route joins, or more routes than memory should hold.
    pub fn list(
        &self,
        prepared: &PreparedNetwork<'_>,
        mut progress: impl FnMut(usize, usize) -> bool,
    ) -> Result<Option<Paths>, Problems> {
        let mut paths = Paths::new(prepared.ends.clone());
        let mut all = ShortestRoutes::new(prepared, self.usable);
        let mut preferred = self.preferred.map(|set| ShortestRoutes::new(prepared, set));
        let ends = prepared.ends.switches();
        for (place, &to) in ends.iter().enumerate() {
            if self.longer {
                all.aim_longer(to)
            } else {
                all.aim(to)
            }
            if let Some(preferred) = &mut preferred {
                preferred.aim(to);
            }
            for &from in ends {
                if from == to {
                    paths.push(|_| ());
                } else {
                    let distance = all.distance(from);
                    if distance == UNREACHABLE {
                        return Err(no_route(prepared, from, to));
                    }
                    let routes =
                        preferred.as_ref().filter(|p| p.distance(from) == distance).unwrap_or(&all);
                    self.draw(routes, from, to, &mut paths);
                }
                paths.finish_pair();
            }
            memory::check((paths.len(), paths.channels.len()), place + 1, ends.len())?;
            if !progress(place + 1, ends.len()) {
                return Ok(None);
            }
        }
        Ok(Some(paths))
    }

    /// Routes of one pair, and the number of shortest routes it has; none if there is no route.
    pub fn of_pair(
        &self,
        prepared: &PreparedNetwork<'_>,
        from: SwitchId,
        to: SwitchId,
    ) -> (Paths, u64) {
        let mut paths = Paths::new(Ends::default());
        let mut routes = ShortestRoutes::new(prepared, self.usable);
        if self.longer {
            routes.aim_longer(to)
        } else {
            routes.aim(to)
        }
        let distance = routes.distance(from);
        if from == to || distance == UNREACHABLE {
            return (paths, 0);
        }
        self.draw(&routes, from, to, &mut paths);
        let count = routes.number(from, distance);
        (paths, count)
    }

    /// Adds the paths of one pair.
    fn draw(&self, routes: &ShortestRoutes<'_>, from: SwitchId, to: SwitchId, paths: &mut Paths) {
        let mut random = stream(self.seed, "routing.candidates", pair_key(from, to));
        let mut route = Vec::new();
        let shortest = routes.distance(from);
        let mut picked = self.pick(shortest, routes.number(from, shortest), self.most, &mut random);
        let left = self.most - picked.len() as u32;
        if self.longer && left > 0 {
            picked.extend(self.pick(
                shortest + 1,
                routes.number(from, shortest + 1),
                left,
                &mut random,
            ));
        }
        if self.longer {
            // Where not all transitions are usable a longer route may go round in a circle.
            picked.retain(|&(length, index)| {
                route.clear();
                routes.route(from, length, index, &mut route);
                length == shortest || visits_once(routes.prepared(), &route)
            });
        }
        if self.draw_one {
            picked = picked.choose(&mut random).copied().into_iter().collect();
        }
        for (length, index) in picked {
            paths.push(|channels| routes.route(from, length, index, channels));
        }
    }

    /// Numbers of the routes taken from those of one length.
    fn pick(&self, length: u32, number: u64, most: u32, random: &mut Pcg64Mcg) -> Vec<(u32, u64)> {
        let most = u64::from(most);
        let picked: Vec<u64> = if number <= most {
            (0..number).collect()
        } else if self.rule == CandidateRule::First {
            (0..most).collect()
        } else if self.draws_from_all() {
            vec![random.random_range(0..number)]
        } else {
            sample(number, most, random)
        };
        picked.into_iter().map(|index| (length, index)).collect()
    }
}

fn visits_once(prepared: &PreparedNetwork<'_>, route: &[ChannelId]) -> bool {
    let mut switches: Vec<SwitchId> =
        route.iter().map(|&c| prepared.network.source_switch(c)).collect();
    switches.sort_unstable();
    switches.windows(2).all(|w| w[0] != w[1])
}

/// Index of the random stream of a pair: the same whatever else is in the network.
pub fn pair_key(from: SwitchId, to: SwitchId) -> u64 {
    u64::from(from.0) << 32 | u64::from(to.0)
}

/// `most` different numbers below `number`, ascending, each subset as likely (Floyd's method).
fn sample(number: u64, most: u64, random: &mut Pcg64Mcg) -> Vec<u64> {
    let mut picked: Vec<u64> = Vec::with_capacity(most as usize);
    for last in number - most..number {
        let draw = random.random_range(0..=last);
        picked.push(if picked.contains(&draw) { last } else { draw });
    }
    picked.sort_unstable();
    picked
}

fn no_route(prepared: &PreparedNetwork<'_>, from: SwitchId, to: SwitchId) -> Problems {
    let (from, to) = (prepared.name(from), prepared.name(to));
    Problems::one("routing", messages::no_legal_route(from, to), messages::give_a_host_between())
}
