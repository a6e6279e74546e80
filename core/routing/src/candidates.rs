//! The routes of one pair, for display: those that messages take, and candidates that were not
//! chosen.

use super::compute::Routing;
use super::messages;
use super::paths::{Paths, Wanted};
use super::prepared_network::PreparedNetwork;
use super::report::channel_weights;
use super::table::{Hop, Step};
use super::turn_pool::{TurnPool, turn_pools};
use crate::network::{ChannelId, HostId, Network, SwitchId};
use crate::problem::Problems;
use crate::scenario::{CandidateSet, RoutingSpec};
use serde::{Deserialize, Serialize};

/// The routes of a pair.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PairRoutes {
    /// Those of the table first, then candidates that were not chosen, as many as `max_candidates`
    /// in all.
    pub routes: Vec<PairRoute>,
    /// How many routes of the shortest length there were to choose from.
    pub shortest: u64,
    /// The hosts between which `pools` of the routes lead: the first of each switch.
    pub hosts: Option<[HostId; 2]>,
}

/// A route of a pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairRoute {
    /// The network channels in order.
    pub channels: Vec<ChannelId>,
    /// In-transit stops.
    pub stops: Vec<Stop>,
    /// The route set it is in; none for a candidate that was not chosen.
    pub set: Option<u32>,
    /// Routes over the most used of its channels (see [`channel_weights`]).
    pub heaviest: f64,
    /// Mean over its channels.
    pub mean: f64,
    /// The turns from the first host of its first switch to the first host of its last: one pool,
    /// and one more for each in-transit stop. Empty for a candidate that was not chosen, whose
    /// stops have no hosts.
    pub pools: Vec<TurnPool>,
}

/// An in-transit stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// The channel the route arrives on.
    pub after: ChannelId,
    /// The host; none where no route that was chosen needs one yet.
    pub host: Option<HostId>,
}

impl Routing {
    /// The routes of a pair of switches, for display.
    ///
    /// # Errors
    /// A pair with a switch that does not exist or has no routes.
    pub fn pair(
        &self,
        network: &Network,
        spec: &RoutingSpec,
        from: SwitchId,
        to: SwitchId,
    ) -> Result<PairRoutes, Problems> {
        let count = network.switches().len();
        let known = from.index() < count && to.index() < count;
        let weights = channel_weights(network, &self.table.sets);
        let mut all = PairRoutes::default();
        if known && from != to {
            let first = |switch| network.hosts_of(switch).first().copied();
            all.hosts = first(from).zip(first(to)).map(<[HostId; 2]>::from);
            for (number, set) in self.table.sets.iter().enumerate() {
                for route in set.routes(from, to) {
                    let shown = PairRoute::of(route.steps, Some(number as u32), &weights);
                    let pools = all.hosts.map(|[a, b]| turn_pools(network, route, a, b));
                    all.routes.push(PairRoute { pools: pools.unwrap_or_default(), ..shown });
                }
            }
        }
        if all.routes.is_empty() {
            let why = if !known {
                messages::routing_switches(count)
            } else if from == to {
                messages::pair_of_one_switch()
            } else {
                messages::pair_without_hosts()
            };
            return Err(Problems::one("pair", why, messages::name_two_switches()));
        }
        let prepared = PreparedNetwork::new(network)?;
        let (candidates, shortest) = self.candidates(&prepared, spec, from, to);
        all.shortest = shortest;
        for path in (0..candidates.len()).map(|p| candidates.path(p)) {
            if all.routes.len() >= spec.max_candidates as usize {
                break;
            }
            if all.routes.iter().all(|known| known.channels != path) {
                all.routes.push(
                    PairRoute::of(&self.steps(&prepared, path), None, &weights).without_hosts(),
                );
            }
        }
        Ok(all)
    }

    fn candidates(
        &self,
        prepared: &PreparedNetwork<'_>,
        spec: &RoutingSpec,
        from: SwitchId,
        to: SwitchId,
    ) -> (Paths, u64) {
        let wanted = Wanted {
            usable: &self.transitions.usable,
            preferred: None,
            longer: self.report.axes.paths == CandidateSet::NearShortest,
            most: spec.max_candidates,
            rule: spec.candidates,
            draw_one: false,
            seed: spec.seed,
        };
        wanted.of_pair(prepared, from, to)
    }

    /// A path with a stop at each transition that is not free; which host serves it is left open.
    fn steps(&self, prepared: &PreparedNetwork<'_>, path: &[ChannelId]) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for (i, &channel) in path.iter().enumerate() {
            if i > 0 && !self.transitions.free[prepared.transitions.number(path[i - 1], channel)] {
                steps.push(Step::in_transit(HostId(0)));
            }
            steps.push(Step::channel(channel));
        }
        steps
    }
}

impl PairRoute {
    fn of(steps: &[Step], set: Option<u32>, weights: &[f64]) -> Self {
        let mut route = Self {
            channels: Vec::new(),
            stops: Vec::new(),
            set,
            heaviest: 0.0,
            mean: 0.0,
            pools: Vec::new(),
        };
        for step in steps {
            match (step.hop(), route.channels.last()) {
                (Hop::Channel(c), _) => {
                    route.heaviest = weights[c.index()].max(route.heaviest);
                    route.mean += weights[c.index()];
                    route.channels.push(c);
                }
                (Hop::InTransit(host), Some(&after)) => {
                    route.stops.push(Stop { after, host: Some(host) })
                }
                (Hop::InTransit(_), None) => {
                    unreachable!("no route stops before its first channel")
                }
            }
        }
        route.mean /= route.channels.len().max(1) as f64;
        route
    }

    fn without_hosts(mut self) -> Self {
        self.stops.iter_mut().for_each(|stop| stop.host = None);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute;
    use crate::network::{Host, Link, Switch};
    use crate::scenario::Preset;

    /// A ring of six switches, each with cables on ports 0 and 1 and hosts on ports 2 and 3.
    fn ring() -> Network {
        let switch = |_| Switch { name: "s".into(), ports: 8, position: None };
        let host = |h: u32| Host {
            name: "h".into(),
            switch: SwitchId(h / 2),
            port: 2 + (h % 2) as u16,
            position: None,
        };
        let link = |s: u32| Link {
            a: (SwitchId(s), 1),
            b: (SwitchId((s + 1) % 6), 0),
            delay_cycles: None,
        };
        Network::new(
            (0..6).map(switch).collect(),
            (0..12).map(host).collect(),
            (0..6).map(link).collect(),
        )
    }

    #[test]
    fn routes_in_use_have_the_turns_between_the_first_hosts_of_the_switches() {
        let network = ring();
        let spec = RoutingSpec { preset: Preset::BMAX_ITB, ..Default::default() };
        let routing = compute(&network, &spec).expect("a ring is connected");
        let (from, to) = (SwitchId(1), SwitchId(4));
        let pair = routing.pair(&network, &spec, from, to).expect("both have hosts");
        assert_eq!(pair.hosts, Some([HostId(2), HostId(8)]));
        let table = routing.table.sets.iter().flat_map(|set| set.routes(from, to));
        let pools: Vec<_> =
            table.map(|route| turn_pools(&network, route, HostId(2), HostId(8))).collect();
        let (used, others): (Vec<_>, Vec<_>) =
            pair.routes.iter().partition(|route| route.set.is_some());
        assert_eq!(
            used.iter().map(|route| &route.pools).collect::<Vec<_>>(),
            pools.iter().collect::<Vec<_>>()
        );
        // A stop at each of the two switches on the way, which are crossed twice each.
        assert_eq!(pools[0].iter().map(|pool| pool.turns.len()).collect::<Vec<_>>(), [2; 3]);
        assert!(!others.is_empty() && others.iter().all(|route| route.pools.is_empty()));
    }
}
