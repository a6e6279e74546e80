//! The routes of one pair, for display: those that messages take, and candidates that were not
//! chosen.

use super::compute::Routing;
use super::messages;
use super::paths::{Paths, Wanted};
use super::prepared_network::PreparedNetwork;
use super::report::channel_weights;
use super::table::{Hop, Step};
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
        for (number, set) in self.table.sets.iter().enumerate().filter(|_| known && from != to) {
            for route in set.routes(from, to) {
                all.routes.push(PairRoute::of(route.steps, Some(number as u32), &weights));
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
            usable: &self.turns.usable,
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
            if i > 0 && !self.turns.free[prepared.transitions.number(path[i - 1], channel)] {
                steps.push(Step::in_transit(HostId(0)));
            }
            steps.push(Step::channel(channel));
        }
        steps
    }
}

impl PairRoute {
    fn of(steps: &[Step], set: Option<u32>, weights: &[f64]) -> Self {
        let mut route =
            Self { channels: Vec::new(), stops: Vec::new(), set, heaviest: 0.0, mean: 0.0 };
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
