//! Hosts at which packets of a level stop in transit. There they are sent before those of the host
//! (`docs/model-cut-through.md`, "In-transit stops"), so the host's own packets wait for traffic
//! that its arrivals do not count.

use crate::admission::fixed_route;
use crate::network::{HostId, Network};
use crate::routing::{Hop, Route, RouteSet, RouteTable, Step};
use crate::scenario::{Scenario, Selection};
use crate::traffic::{Senders, Units};
use std::collections::BTreeSet;

/// The stops on all routes that messages of a level may take.
pub(super) fn of_level(
    scenario: &Scenario,
    network: &Network,
    (table, selection): (&RouteTable, Selection),
    units: Units,
    level: usize,
) -> BTreeSet<u32> {
    let mut stops = BTreeSet::new();
    if table.sets.iter().flat_map(RouteSet::steps).all(|&step| stop(step).is_none()) {
        return stops;
    }
    let switch = |host: HostId| network.hosts()[host.0 as usize].switch;
    for flow in scenario.traffic.iter().filter(|flow| usize::from(flow.level) == level) {
        let senders = Senders::of(flow, network, units);
        for (from, to) in senders.pairs(network.hosts().len()) {
            let mut add = |route: Route<'_>| {
                stops.extend(route.steps.iter().filter_map(|&step| stop(step)));
            };
            match fixed_route(selection, table, network, (from, to)) {
                Some(route) => add(route),
                None => {
                    let sets = table.sets.iter();
                    sets.flat_map(|set| set.routes(switch(from), switch(to))).for_each(add);
                }
            }
        }
    }
    stops
}

/// The host of a stop; `None` for a channel.
fn stop(step: Step) -> Option<u32> {
    match step.hop() {
        Hop::InTransit(host) => Some(host.0),
        Hop::Channel(_) => None,
    }
}
