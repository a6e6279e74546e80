//! What the worker tells the page about routes: [`RoutingFacts`] of a scenario and the
//! [`Aftermath`] of a failure. Switches and channels are given by number.

use hopscope_core::network::{ChannelId, Network, SwitchId};
use hopscope_core::routing::dependencies::Dependencies;
use hopscope_core::routing::report::{CycleBreaking, RouteFigures};
use hopscope_core::routing::{
    Hop, Left, Note, Routing, WhatIf, channel_weights, transitions::Transitions,
};
use serde::{Deserialize, Serialize};

/// The routes of a scenario, as far as the page shows them all at once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoutingFacts {
    /// The figures.
    pub figures: Figures,
    /// Root of the spanning tree, if the routing uses one.
    pub root: Option<u32>,
    /// A cycle of channels, each of which may wait for the next; empty if there is none.
    pub cycle: Vec<u32>,
    /// Notes of the routing algorithm for the user.
    pub notes: Vec<Note>,
    /// Seed that gives the same routes again.
    pub seed: u64,
    /// The up channel of each link, which leads towards the root.
    pub up: Vec<u32>,
    /// The up channels of the links of the spanning tree.
    pub tree: Vec<u32>,
    /// Per network channel: number of routes over it.
    pub weights: Vec<f32>,
    /// Pairs of channels that no route may take one after the other without an ITB.
    pub forbidden: Vec<Turn>,
    /// Pairs of channels that some route takes one after the other: the channel dependency graph.
    pub dependencies: Vec<(u32, u32)>,
}

/// The figures of a routing's report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Figures of the routes.
    pub routes: RouteFigures,
    /// True if the channel dependency graph is acyclic.
    pub acyclic: bool,
    /// Share of turns that are forbidden without an ITB, if the routing fixes them in advance.
    pub forbidden_share: Option<f64>,
    /// ITBs per route of both ways of breaking cycles, if the routing breaks cycles.
    pub cycle_breaking: Option<CycleBreaking>,
}

impl Figures {
    fn of(routing: &Routing) -> Figures {
        let report = &routing.report;
        Figures {
            routes: report.routes.clone(),
            acyclic: report.acyclic,
            forbidden_share: report.forbidden_transition_share,
            cycle_breaking: report.cycle_breaking,
        }
    }
}

/// A turn from one channel into another that is forbidden without an ITB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The channel the message arrives on.
    pub from: u32,
    /// The channel on which it would leave.
    pub to: u32,
    /// True if the turn is allowed with an ITB.
    pub with_itb: bool,
}

impl RoutingFacts {
    /// The facts about a routing of a network.
    pub fn of(network: &Network, routing: &Routing) -> RoutingFacts {
        let number = |channel: &ChannelId| channel.0;
        let tree = routing.orientation.as_ref();
        let up = tree.iter().flat_map(|tree| (0..).zip(&tree.up));
        let dependencies = Dependencies::of(network, &routing.table);
        let channels = (0..network.network_channels()).map(ChannelId::new);
        let turns = Transitions::new(network);
        let forbidden = turns.iter(network).filter(|&(n, _, _)| !routing.transitions.free[n]);
        RoutingFacts {
            figures: Figures::of(routing),
            root: routing.report.root.map(|root| root.0),
            cycle: routing.report.cycle.iter().map(|step| step.channel.0).collect(),
            notes: routing.report.notes.clone(),
            seed: routing.report.seed,
            up: up.filter(|(_, up)| **up).map(|(channel, _)| channel).collect(),
            tree: tree.iter().flat_map(|tree| tree.parent.iter().flatten().map(number)).collect(),
            weights: weights(network, routing),
            forbidden: forbidden
                .map(|(n, from, to)| Turn {
                    from: from.0,
                    to: to.0,
                    with_itb: routing.transitions.usable[n],
                })
                .collect(),
            dependencies: channels
                .flat_map(|x| dependencies.after(x).map(move |y| (x.0, y.0)))
                .collect(),
        }
    }
}

fn weights(network: &Network, routing: &Routing) -> Vec<f32> {
    channel_weights(network, &routing.table.sets).into_iter().map(|weight| weight as f32).collect()
}

/// Largest number of pairs listed in [`Aftermath::examples`].
pub const MAX_MOVED: usize = 100;

/// What a failure would change. Channels have the numbers of the network before the failure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Aftermath {
    /// The figures before.
    pub before: Figures,
    /// The figures after.
    pub after: Figures,
    /// Per network channel: number of routes over it after the failure minus before.
    pub shift: Vec<f32>,
    /// Ordered pairs of switches that had routes before.
    pub pairs: u32,
    /// Pairs whose routes change.
    pub moved: u32,
    /// Pairs whose routes become longer; they count as changed, too.
    pub longer: u32,
    /// Pairs without routes after the failure, because an end has failed.
    pub gone: u32,
    /// Pairs whose routes change, those with longer routes first; at most [`MAX_MOVED`].
    pub examples: Vec<Moved>,
}

/// A pair whose routes a failure changes: its first route before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moved {
    /// First switch.
    pub from: u32,
    /// Last switch.
    pub to: u32,
    /// Channels of the route before the failure.
    pub before: Vec<u32>,
    /// Channels of the route after the failure.
    pub after: Vec<u32>,
}

impl Aftermath {
    /// The consequences of a failure in a network with this routing.
    pub fn of(network: &Network, before: &Routing, what_if: &WhatIf) -> Aftermath {
        let WhatIf { left, routing: after, changes } = what_if;
        let mut shift = weights(network, before);
        shift.iter_mut().for_each(|weight| *weight = -*weight);
        for (channel, weight) in weights(&left.network, after).into_iter().enumerate() {
            shift[left.channel_before(ChannelId::new(channel)).index()] += weight;
        }
        let longer = || changes.longer.iter().map(|pair| (pair.from, pair.to));
        let others =
            changes.moved.iter().copied().filter(|pair| !longer().any(|other| other == *pair));
        let examples = longer().chain(others).take(MAX_MOVED);
        Aftermath {
            before: Figures::of(before),
            after: Figures::of(after),
            shift,
            pairs: changes.pairs as u32,
            moved: changes.moved.len() as u32,
            longer: changes.longer.len() as u32,
            gone: changes.gone.len() as u32,
            examples: examples
                .map(|(from, to)| Moved {
                    from: from.0,
                    to: to.0,
                    before: first_route(before, (from, to), None),
                    after: first_route(after, (from, to), Some(left)),
                })
                .collect(),
        }
    }
}

fn first_route(
    routing: &Routing,
    (from, to): (SwitchId, SwitchId),
    left: Option<&Left>,
) -> Vec<u32> {
    let route = routing.table.sets.iter().find_map(|set| set.routes(from, to).next());
    let steps = route.iter().flat_map(|route| route.steps);
    let channels = steps.filter_map(|step| match step.hop() {
        Hop::Channel(channel) => Some(channel),
        Hop::InTransit(_) => None,
    });
    channels.map(|c| left.map_or(c, |left| left.channel_before(c)).0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::network::LinkId;
    use hopscope_core::routing::{Failure, compute, what_if};
    use hopscope_core::scenario::{NetworkSpec, RoutingSpec, Scenario};
    use std::ops::ControlFlow;

    fn sixteen() -> (Network, RoutingSpec, Routing) {
        let json =
            r#"{"hopscope":1,"network":{"generate":{"kind":"irregular","switches":16,"seed":6}}}"#;
        let scenario = Scenario::read(json).expect("a scenario");
        assert!(matches!(scenario.network, NetworkSpec::Generate(_)));
        let network = scenario.network.build().expect("a network");
        let routing = compute(&network, &scenario.routing).expect("routes");
        (network, scenario.routing, routing)
    }

    #[test]
    fn the_facts_of_a_routing_are_consistent() {
        let (network, _, routing) = sixteen();
        let facts = RoutingFacts::of(&network, &routing);
        assert_eq!(facts.up.len(), network.links().len());
        assert_eq!(facts.tree.len(), 15);
        assert!(facts.tree.iter().all(|channel| facts.up.contains(channel)));
        assert!(facts.forbidden.iter().all(|turn| turn.with_itb && !facts.up.contains(&turn.from)));
        let forbidden =
            |pair: &(u32, u32)| facts.forbidden.iter().any(|turn| (turn.from, turn.to) == *pair);
        assert!(!facts.dependencies.is_empty() && !facts.dependencies.iter().any(forbidden));
    }

    #[test]
    fn the_routes_that_a_failure_moves_account_for_its_change_of_weights() {
        let (network, spec, routing) = sixteen();
        let failures = [Failure::Link(LinkId(4))];
        let found =
            what_if(&network, &routing, &spec, &failures, &mut |_| ControlFlow::Continue(()));
        let found = found.expect("still connected").expect("progress never stops it");
        let aftermath = Aftermath::of(&network, &routing, &found);
        assert_eq!(aftermath.pairs, 240);
        assert!(aftermath.longer <= aftermath.moved && aftermath.moved > 0 && aftermath.gone == 0);
        let lengths = |figures: &Figures| figures.routes.distance.mean as f32 * 240.0;
        let grown = lengths(&aftermath.after) - lengths(&aftermath.before);
        assert!((aftermath.shift.iter().sum::<f32>() - grown).abs() < 0.01);
        assert!(
            aftermath.shift[8] < 0.0 || aftermath.shift[9] < 0.0,
            "the failed link carried routes"
        );
        for moved in &aftermath.examples {
            assert!(
                moved.before != moved.after && !moved.after.iter().any(|channel| channel / 2 == 4)
            );
        }
    }
}
