//! Dimension order on meshes and tori: a route corrects the first coordinate, then the second, and
//! so on (Dally and Seitz 1987).
//!
//! A network has no coordinates, so they are found: switches must be numbered along the first
//! dimension, then the second, as the generators and most files do. On a torus the rings close
//! cycles, which lanes have to break (`fabric.qos.channel_rule: avoid-cycles`).

use super::messages;
use super::note::Note;
use super::prepared_network::PreparedNetwork;
use super::table::{RouteSet, Step};
use crate::network::{ChannelId, Network, SwitchId};
use crate::problem::Problems;
use crate::scenario::Halfway;
use std::collections::BTreeMap;

/// A mesh or torus found in a network.
#[derive(Debug, PartialEq, Eq)]
pub struct Grid {
    sides: Vec<usize>,
    /// Per dimension: its ends are linked.
    closed: Vec<bool>,
    /// Per switch and neighbour: the cables of their trunk.
    cables: Vec<BTreeMap<usize, Vec<ChannelId>>>,
}

impl Grid {
    /// Finds the sides of the grid a network is.
    ///
    /// # Errors
    /// A network that is no mesh or torus.
    pub fn of(network: &Network) -> Result<Self, Problems> {
        let count = network.switches().len();
        let mut cables = vec![BTreeMap::<usize, Vec<ChannelId>>::new(); count];
        for (s, to) in cables.iter_mut().enumerate() {
            for &(channel, next) in network.neighbours(SwitchId::new(s)) {
                to.entry(next.index()).or_default().push(channel);
            }
        }
        let mut sides = Vec::new();
        let found = factorise(count, &mut sides, &mut |sides| {
            let closed = Self::closed(sides, &cables);
            closed.map(|closed| (sides.to_vec(), closed))
        });
        match found {
            Some((sides, closed)) => Ok(Self { sides, closed, cables }),
            None => {
                Err(Problems::one("routing.preset", messages::not_a_grid(), messages::use_a_grid()))
            }
        }
    }

    /// Which dimensions are closed, if all links are those of a grid with these sides.
    fn closed(sides: &[usize], cables: &[BTreeMap<usize, Vec<ChannelId>>]) -> Option<Vec<bool>> {
        let mut stride = 1;
        let mut closed = Vec::new();
        let mut expected = vec![0; cables.len()];
        for &side in sides {
            let linked = |a: usize, b: usize| cables[a].contains_key(&b);
            let wraps = side > 2 && linked(0, (side - 1) * stride);
            for (s, expected) in expected.iter_mut().enumerate() {
                let at = s / stride % side;
                let next = if at + 1 < side { s + stride } else { s - at * stride };
                if at + 1 < side || wraps {
                    if !linked(s, next) {
                        return None;
                    }
                    *expected += 1;
                }
                *expected += usize::from(at > 0 || wraps);
            }
            closed.push(wraps);
            stride *= side;
        }
        let complete = cables.iter().zip(&expected).all(|(to, &n)| to.len() == n);
        complete.then_some(closed)
    }

    /// What the network is seen as, for people.
    pub fn note(&self) -> Note {
        Note::Grid { torus: self.closed.contains(&true), sides: self.sides.clone() }
    }

    /// The routes: of each pair as many as the widest trunk has cables, the n-th over the n-th
    /// cable of every trunk.
    pub fn routes(&self, prepared: &PreparedNetwork<'_>, halfway: Halfway) -> RouteSet {
        let mut set = RouteSet::between(prepared.ends.clone());
        for (a, b) in prepared.ends.pairs() {
            let hops = self.hops(a.index(), b.index(), halfway);
            let trunks: Vec<&Vec<ChannelId>> =
                hops.iter().map(|(at, next)| &self.cables[*at][next]).collect();
            let widest = trunks.iter().map(|t| t.len()).max().unwrap_or(1);
            for cable in 0..widest {
                set.push_route(
                    trunks.iter().map(|trunk| Step::channel(trunk[cable % trunk.len()])),
                );
            }
            set.finish_pair();
        }
        set
    }

    /// The switches on the way, each with the next.
    fn hops(&self, from: usize, to: usize, halfway: Halfway) -> Vec<(usize, usize)> {
        let (mut at, mut stride, mut hops) = (from, 1, Vec::new());
        for (&side, &closed) in self.sides.iter().zip(&self.closed) {
            let (start, goal) = (from / stride % side, to / stride % side);
            let ahead = (goal + side - start) % side;
            let up = if !closed {
                goal > start
            } else if 2 * ahead == side {
                halfway == Halfway::Up || start.is_multiple_of(2)
            } else {
                2 * ahead < side
            };
            for _ in 0..if up { ahead } else { (side - ahead) % side } {
                let here = at / stride % side;
                let there = if up { here + 1 } else { here + side - 1 } % side;
                let next = at - here * stride + there * stride;
                hops.push((at, next));
                at = next;
            }
            stride *= side;
        }
        hops
    }
}

/// Tries the ways to write a number as a product of sides of at least 2, until one is taken.
fn factorise<T>(
    rest: usize,
    sides: &mut Vec<usize>,
    take: &mut impl FnMut(&[usize]) -> Option<T>,
) -> Option<T> {
    if rest == 1 {
        return take(sides);
    }
    for side in (2..=rest).filter(|side| rest.is_multiple_of(*side)) {
        sides.push(side);
        let found = factorise(rest / side, sides, take);
        sides.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependencies::{Dependencies, Verdict};
    use crate::scenario::{NetworkSpec, Preset, RoutingSpec};
    use crate::{RouteTable, compute};

    fn network(kind: &str, sides: &str, width: u32) -> Network {
        let text = format!(
            r#"{{"generate":{{"kind":"{kind}","sides":{sides},"hosts_per_switch":1,"width":{width}}}}}"#
        );
        serde_json::from_str::<NetworkSpec>(&text).unwrap().build().unwrap()
    }

    #[test]
    fn finds_the_sides() {
        for (kind, sides) in [
            ("mesh", vec![4, 4]),
            ("mesh", vec![2, 3, 4]),
            ("mesh", vec![7]),
            ("torus", vec![3, 5]),
            ("torus", vec![4, 4]),
            ("torus", vec![8, 8, 4]),
            ("torus", vec![5, 2]),
        ] {
            let grid = Grid::of(&network(kind, &format!("{sides:?}"), 2)).unwrap();
            assert_eq!(grid.sides, sides);
            assert_eq!(
                grid.closed,
                sides.iter().map(|&s| kind == "torus" && s > 2).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn refuses_other_networks() {
        let text = r#"{"generate":{"kind":"star","leaves":5,"hosts_per_switch":1}}"#;
        let star = serde_json::from_str::<NetworkSpec>(text).unwrap().build().unwrap();
        let spec = RoutingSpec { preset: Preset::DimensionOrder, ..Default::default() };
        assert!(compute(&star, &spec).unwrap_err().to_string().contains("mesh or torus"));
    }

    #[test]
    fn routes_are_minimal_ordered_and_as_many_as_cables() {
        let network = network("torus", "[4, 5]", 3);
        let prepared = PreparedNetwork::new(&network).unwrap();
        let set = Grid::of(&network).unwrap().routes(&prepared, Halfway::Alternate);
        let switches = (0..20).map(SwitchId::new);
        for (a, b) in switches.clone().flat_map(|a| switches.clone().map(move |b| (a, b))) {
            let distance = network.distances(&[a])[b.index()] as usize;
            assert_eq!(set.routes(a, b).count(), if a == b { 1 } else { 3 });
            for route in set.routes(a, b) {
                assert!(RouteSet::follows(&network, a, b, route.steps));
                assert_eq!(route.distance(), distance);
            }
        }
    }

    #[test]
    fn halfway_around_a_ring_is_up_or_alternates() {
        let network = network("torus", "[8]", 1);
        let grid = Grid::of(&network).unwrap();
        let ups = |halfway| {
            let is_up =
                |from: usize| grid.hops(from, (from + 4) % 8, halfway)[0].1 == (from + 1) % 8;
            (0..8).map(is_up).collect::<Vec<_>>()
        };
        assert_eq!(ups(Halfway::Up), [true; 8]);
        assert_eq!(ups(Halfway::Alternate), [true, false, true, false, true, false, true, false]);
        assert_eq!(grid.hops(0, 5, Halfway::Up).len(), 3, "only ties go up");
    }

    #[test]
    fn a_mesh_has_no_cycle_and_a_torus_has() {
        for (kind, acyclic) in [("mesh", true), ("torus", false)] {
            let network = network(kind, "[5, 5]", 1);
            let set = Grid::of(&network)
                .unwrap()
                .routes(&PreparedNetwork::new(&network).unwrap(), Halfway::Up);
            let verdict =
                Dependencies::of(&network, &RouteTable::new(&network, vec![set])).verdict();
            assert_eq!(matches!(verdict, Verdict::Acyclic(_)), acyclic, "{kind}");
        }
    }
}
