//! Failures: a network without some links or switches ([`without`]), routed again ([`what_if`]),
//! and the pairs whose routes moved or got longer ([`diff`]).

use super::compute::{Progress, Routing, compute_with};
use super::ends::Ends;
use super::messages;
use super::table::{Hop, RouteSet, Step};
use crate::network::{ChannelId, End, HostId, Link, LinkId, Network, SwitchId};
use crate::problem::Problems;
use crate::scenario::RoutingSpec;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Something that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// A cable between switches.
    Link(LinkId),
    /// A switch, with its hosts and all its cables.
    Switch(SwitchId),
}

/// What differs between two routings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// Ordered pairs of different switches that had routes before.
    pub pairs: usize,
    /// Pairs with other routes than before, by their numbers before.
    pub moved: Vec<(SwitchId, SwitchId)>,
    /// Pairs whose routes are longer than before (on the mean, where there are several).
    pub longer: Vec<Longer>,
    /// Pairs that have no routes any more, since a switch or its hosts are gone.
    pub gone: Vec<(SwitchId, SwitchId)>,
}

/// A pair whose routes got longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Longer {
    /// Where the routes begin.
    pub from: SwitchId,
    /// Where they end.
    pub to: SwitchId,
    /// Channels between switches of the longest route before.
    pub before: u32,
    /// The same after.
    pub after: u32,
}

/// The network, its routing and what changed after failures.
#[derive(Debug, Clone, PartialEq)]
pub struct WhatIf {
    /// What is left.
    pub left: Left,
    /// Its routing.
    pub routing: Routing,
    /// Against the routing before.
    pub changes: Changes,
}

/// What failures leave of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct Left {
    /// The network. A failed switch stays in it without hosts and cables, so switches keep their
    /// numbers; hosts, links and channels do not.
    pub network: Network,
    /// Per link of what is left: the link it was.
    pub links: Vec<LinkId>,
    /// Per host of what is left: the host it was.
    pub hosts: Vec<HostId>,
}

impl Left {
    /// The channel between switches that a channel was before.
    pub fn channel_before(&self, channel: ChannelId) -> ChannelId {
        ChannelId::new(2 * self.links[channel.index() / 2].index() + channel.index() % 2)
    }
}

/// Takes links and switches away and routes again. A listener that stops the work gives `None`.
///
/// # Errors
/// Failures that do not exist, or a network that cannot be routed without them.
pub fn what_if(
    network: &Network,
    before: &Routing,
    spec: &RoutingSpec,
    failures: &[Failure],
    listener: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Option<WhatIf>, Problems> {
    let left = without(network, failures)?;
    let Some(routing) = compute_with(&left.network, spec, listener)? else { return Ok(None) };
    let changes = diff((network, before), (&left.network, &routing));
    Ok(Some(WhatIf { left, routing, changes }))
}

/// The network without some links and switches.
///
/// # Errors
/// Failures that do not exist.
pub fn without(network: &Network, failures: &[Failure]) -> Result<Left, Problems> {
    let mut problems = Problems::default();
    for failure in failures {
        let (links, switches) = (network.links().len(), network.switches().len());
        match *failure {
            Failure::Link(link) if link.index() >= links => {
                let why = messages::failed_link_does_not_exist(link.0, links);
                problems.add("failure", why, messages::name_a_link());
            }
            Failure::Switch(switch) if switch.index() >= switches => {
                let why = messages::failed_switch_does_not_exist(switch.0, switches);
                problems.add("failure", why, messages::name_a_switch());
            }
            Failure::Link(_) | Failure::Switch(_) => {}
        }
    }
    let dead = |s: SwitchId| failures.contains(&Failure::Switch(s));
    let cut = |l: LinkId, link: &Link| {
        failures.contains(&Failure::Link(l)) || dead(link.a.0) || dead(link.b.0)
    };
    let hosts: Vec<HostId> = (0..network.hosts().len()).map(HostId::new).collect();
    let hosts: Vec<HostId> =
        hosts.into_iter().filter(|h| !dead(network.hosts()[h.index()].switch)).collect();
    let links: Vec<LinkId> = (0..network.links().len()).map(LinkId::new).collect();
    let links: Vec<LinkId> =
        links.into_iter().filter(|&l| !cut(l, &network.links()[l.index()])).collect();
    let network = Network::new(
        network.switches().to_vec(),
        hosts.iter().map(|h| network.hosts()[h.index()].clone()).collect(),
        links.iter().map(|l| network.links()[l.index()]).collect(),
    );
    problems.or(Left { network, links, hosts })
}

/// Compares two routings of networks whose switches are the same where they have the same name.
pub fn diff(before: (&Network, &Routing), after: (&Network, &Routing)) -> Changes {
    let names = after.0.switches().iter().enumerate();
    let names: BTreeMap<_, _> = names.map(|(i, s)| (s.name.as_str(), SwitchId::new(i))).collect();
    let now: Vec<Option<SwitchId>> =
        before.0.switches().iter().map(|s| names.get(s.name.as_str()).copied()).collect();
    let mut changes = Changes::default();
    for pair in Ends::of(before.0).pairs().filter(|(from, to)| from != to) {
        let old = Routes::of(before, pair);
        if old.ports.is_empty() {
            continue;
        }
        changes.pairs += 1;
        let new = now[pair.0.index()].zip(now[pair.1.index()]).map(|pair| Routes::of(after, pair));
        match new.filter(|new| !new.ports.is_empty()) {
            None => changes.gone.push(pair),
            Some(new) => {
                if new.ports != old.ports {
                    changes.moved.push(pair);
                }
                if new.distances * old.ports.len() > old.distances * new.ports.len() {
                    changes.longer.push(Longer {
                        from: pair.0,
                        to: pair.1,
                        before: old.longest,
                        after: new.longest,
                    });
                }
            }
        }
    }
    changes
}

/// The routes of a pair in terms that mean the same in another network.
struct Routes {
    /// Per route: the ports it leaves by, of switches and in-transit hosts.
    ports: Vec<Vec<Port>>,
    /// Sum of the distances.
    distances: usize,
    longest: u32,
}

#[derive(PartialEq, Eq)]
enum Port {
    Channel(u16),
    Host(u16),
}

impl Routes {
    fn of((network, routing): (&Network, &Routing), (from, to): (SwitchId, SwitchId)) -> Self {
        let mut all = Self { ports: Vec::new(), distances: 0, longest: 0 };
        for route in routing.table.sets.iter().flat_map(|set: &RouteSet| set.routes(from, to)) {
            all.ports.push(route.steps.iter().map(|&step| port(network, step)).collect());
            all.distances += route.distance();
            all.longest = all.longest.max(route.distance() as u32);
        }
        all
    }
}

/// The port a step leaves its switch by: with the switch the route began at, ports say where it
/// goes.
fn port(network: &Network, step: Step) -> Port {
    match step.hop() {
        Hop::InTransit(host) => Port::Host(network.hosts()[host.index()].port),
        Hop::Channel(c) => Port::Channel(port_of(network, c)),
    }
}

fn port_of(network: &Network, channel: ChannelId) -> u16 {
    match network.channels()[channel.index()].from {
        End::Switch(_, port) => port,
        End::Host(_) => unreachable!("routes take network channels"),
    }
}
