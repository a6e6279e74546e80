//! Edits of a scenario's drawn network. New hosts and links get free ports. Removing a switch also
//! removes its hosts and links, and every index that remains still refers to the same thing.

pub mod application;
pub mod deadlock;
pub mod fabric;
pub mod flows;
pub mod levels;
pub mod load;
pub mod missing;
pub mod numbers;
pub mod ports;
pub mod routing;

use crate::layout::Point;
use crate::text::Text;
use hopscope_core::scenario::{
    DrawnHost, DrawnLink, DrawnNetwork, DrawnSwitch, NetworkSpec, Root, Scenario,
};
use std::collections::{BTreeMap, BTreeSet};

/// Ports of a switch placed by hand.
const PORTS: u16 = 8;

/// The name of a scenario that is a copied piece of a network.
pub const PIECE: &str = "hopscope: copied";

/// A part of the drawn network, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thing {
    /// A switch.
    Switch(u32),
    /// A host.
    Host(u32),
    /// A link or trunk.
    Link(u32),
}

/// The kinds of steps in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Kind {
    AddSwitch,
    AddHosts,
    AddLink,
    Move,
    Remove,
    Duplicate,
    Paste,
    Align,
    Arrange,
    Ports,
    Name,
    Generate,
    Routing,
    Root,
    Load,
    Traffic,
    Flows,
    Application,
    Fabric,
    Rename,
    Open,
}

impl Kind {
    /// Whether it changes a parameter of the run, not the network or what runs on it.
    pub fn is_parameter(self) -> bool {
        use Kind as K;
        matches!(self, K::Routing | K::Root | K::Load | K::Traffic | K::Flows | K::Fabric)
    }

    /// The name of the step in the history.
    pub fn name(self, text: &Text) -> &'static str {
        match self {
            Kind::AddSwitch => text.did_add_switch,
            Kind::AddHosts => text.did_add_hosts,
            Kind::AddLink => text.did_add_link,
            Kind::Move => text.did_move,
            Kind::Remove => text.did_remove,
            Kind::Duplicate => text.did_duplicate,
            Kind::Paste => text.did_paste,
            Kind::Align => text.did_align,
            Kind::Arrange => text.did_arrange,
            Kind::Ports => text.did_ports,
            Kind::Name => text.did_name,
            Kind::Generate => text.did_generate,
            Kind::Routing => text.did_routing,
            Kind::Root => text.did_root,
            Kind::Load => text.did_load,
            Kind::Traffic => text.did_traffic,
            Kind::Flows => text.did_flows,
            Kind::Application => text.did_application,
            Kind::Fabric => text.did_fabric,
            Kind::Rename => text.did_rename,
            Kind::Open => text.did_open,
        }
    }
}

/// A scenario without a network and with the default settings.
pub fn blank() -> Scenario {
    let text = r#"{"hopscope":1,"network":{"switches":[]}}"#;
    Scenario::read(text).expect("every other field has a default")
}

/// The drawn network of a scenario. A generated network becomes a drawn one first, with the
/// positions shown.
pub fn drawn<'a>(
    scenario: &'a mut Scenario,
    shown: &DrawnNetwork,
    switches: &[Point],
) -> &'a mut DrawnNetwork {
    if let NetworkSpec::Generate(_) = scenario.network {
        let mut network = shown.clone();
        stand(&mut network, switches);
        scenario.network = NetworkSpec::Drawn(network);
    }
    match &mut scenario.network {
        NetworkSpec::Drawn(network) => network,
        NetworkSpec::Generate(_) => unreachable!("it was made a drawn one"),
    }
}

/// Sets the positions of the switches.
pub fn stand(network: &mut DrawnNetwork, switches: &[Point]) {
    for (switch, [x, y]) in network.switches.iter_mut().zip(switches) {
        (switch.x, switch.y) = (Some(*x), Some(*y));
    }
}

/// Adds a switch; its index.
pub fn add_switch(network: &mut DrawnNetwork, [x, y]: Point) -> u32 {
    network.switches.push(DrawnSwitch {
        ports: PORTS,
        x: Some(x),
        y: Some(y),
        ..Default::default()
    });
    network.switches.len() as u32 - 1
}

/// Adds a host to a switch; its index.
pub fn add_host(network: &mut DrawnNetwork, switch: u32) -> u32 {
    let port = free_port(network, switch);
    network.hosts.push(DrawnHost { switch, port: Some(port), ..Default::default() });
    network.hosts.len() as u32 - 1
}

/// Links two different switches; the link's index.
pub fn add_link(network: &mut DrawnNetwork, a: u32, b: u32) -> Option<u32> {
    if a == b {
        return None;
    }
    let ends = [a, b].map(|switch| (switch, free_port(network, switch)));
    network.links.push(DrawnLink { a: ends[0], b: ends[1], width: 1, delay_cycles: None });
    Some(network.links.len() as u32 - 1)
}

/// The lowest free port; a full switch gets one more. Hosts without a port get theirs first.
fn free_port(network: &mut DrawnNetwork, switch: u32) -> u16 {
    let taken = ports::plugs(network, switch);
    ports::settle_hosts(network, &taken);
    let port = (0..=u16::MAX).find(|port| !taken.contains_key(port));
    let port = port.expect("no switch has 65536 neighbours");
    let switch = &mut network.switches[switch as usize];
    switch.ports = switch.ports.max(port + 1);
    port
}

/// Removes things, and the hosts and links of removed switches. Flows whose listed senders are all
/// gone are removed too, because without a list all hosts would send; returns their indices.
pub fn remove(scenario: &mut Scenario, things: &BTreeSet<Thing>) -> BTreeSet<usize> {
    let NetworkSpec::Drawn(network) = &mut scenario.network else { return BTreeSet::new() };
    let gone = |thing| things.contains(&thing);
    let switches = renumbered(network.switches.len(), |i| !gone(Thing::Switch(i)));
    let hosts = renumbered(network.hosts.len(), |i| {
        !gone(Thing::Host(i)) && switches.contains_key(&network.hosts[i as usize].switch)
    });
    let links = renumbered(network.links.len(), |i| {
        let link = &network.links[i as usize];
        !gone(Thing::Link(i))
            && switches.contains_key(&link.a.0)
            && switches.contains_key(&link.b.0)
    });
    retain(&mut network.switches, &switches);
    retain(&mut network.hosts, &hosts);
    retain(&mut network.links, &links);
    for host in &mut network.hosts {
        host.switch = switches[&host.switch];
    }
    for link in &mut network.links {
        (link.a.0, link.b.0) = (switches[&link.a.0], switches[&link.b.0]);
    }
    if let Root::Switch(root) = scenario.routing.root {
        scenario.routing.root = switches.get(&root).map_or(Root::Auto, |&now| Root::Switch(now));
    }
    let mut without_senders = BTreeSet::new();
    for (i, flow) in scenario.traffic.iter_mut().enumerate() {
        let had_sources = !flow.sources.is_empty();
        flow.sources = flow.sources.iter().filter_map(|host| hosts.get(host).copied()).collect();
        flow.pattern.renumber(&hosts);
        if had_sources && flow.sources.is_empty() {
            without_senders.insert(i);
        }
    }
    let mut flow = 0..;
    scenario.traffic.retain(|_| flow.next().is_some_and(|i| !without_senders.contains(&i)));
    without_senders
}

/// What fails with a part of the drawn network. Cables are numbered as in the core: a link has one
/// per unit of its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// A cable between switches.
    Cable(u32),
    /// A switch.
    Switch(u32),
}

/// The cables and switches that fail when these things do.
pub fn failures(network: &DrawnNetwork, things: &BTreeSet<Thing>) -> Vec<Failed> {
    let mut failed = Vec::new();
    let mut cable = 0;
    for (i, link) in (0..).zip(&network.links) {
        let cables = cable..cable + u32::from(link.width);
        cable = cables.end;
        if things.contains(&Thing::Link(i)) {
            failed.extend(cables.map(Failed::Cable));
        }
    }
    let switches = things.iter().filter_map(|thing| match thing {
        Thing::Switch(switch) => Some(Failed::Switch(*switch)),
        Thing::Host(_) | Thing::Link(_) => None,
    });
    failed.extend(switches);
    failed
}

/// The new indices of those that stay, by their old ones.
fn renumbered(count: usize, stays: impl Fn(u32) -> bool) -> BTreeMap<u32, u32> {
    (0..count as u32).filter(|&i| stays(i)).zip(0..).collect()
}

fn retain<T>(list: &mut Vec<T>, staying: &BTreeMap<u32, u32>) {
    let mut index = 0;
    list.retain(|_| {
        index += 1;
        staying.contains_key(&(index - 1))
    });
}

/// Switches with their hosts and the links among them, as a network of their own.
pub fn piece(network: &DrawnNetwork, switches: &BTreeSet<u32>) -> DrawnNetwork {
    let kept: BTreeMap<_, _> = switches.iter().copied().zip(0..).collect();
    let switch = |switch: &u32| kept.get(switch).copied();
    let hosts = network.hosts.iter().filter_map(|host| {
        let switch = switch(&host.switch)?;
        Some(DrawnHost { name: String::new(), switch, port: host.port, x: None, y: None })
    });
    let links = network.links.iter().filter_map(|link| {
        let (a, b) = (switch(&link.a.0)?, switch(&link.b.0)?);
        Some(DrawnLink { a: (a, link.a.1), b: (b, link.b.1), ..link.clone() })
    });
    let copied = kept.keys().filter_map(|&old| network.switches.get(old as usize));
    DrawnNetwork {
        hosts: hosts.collect(),
        links: links.collect(),
        switches: copied
            .map(|switch| DrawnSwitch { name: String::new(), ..switch.clone() })
            .collect(),
    }
}

/// Adds a piece at an offset from its own positions; returns the new switches. Hosts and links that
/// refer to switches outside the piece are left out.
pub fn insert(network: &mut DrawnNetwork, piece: DrawnNetwork, aside: Point) -> BTreeSet<Thing> {
    let (first, count) = (network.switches.len() as u32, piece.switches.len() as u32);
    let inside = |switch: u32| (switch < count).then_some(first + switch);
    let moved = |x: Option<f32>, by: f32| x.map(|x| x + by);
    network.hosts.extend(
        piece
            .hosts
            .into_iter()
            .filter_map(|host| Some(DrawnHost { switch: inside(host.switch)?, ..host })),
    );
    network.links.extend(piece.links.into_iter().filter_map(|link| {
        let (a, b) = (inside(link.a.0)?, inside(link.b.0)?);
        Some(DrawnLink { a: (a, link.a.1), b: (b, link.b.1), ..link })
    }));
    network.switches.extend(piece.switches.into_iter().map(|switch| {
        let (x, y) = (moved(switch.x, aside[0]), moved(switch.y, aside[1]));
        DrawnSwitch { x, y, ..switch }
    }));
    (first..first + count).map(Thing::Switch).collect()
}

/// Puts switches in a row at their mean height or, if `column`, in a column.
pub fn align(network: &mut DrawnNetwork, switches: &BTreeSet<u32>, column: bool) {
    let place = |switch: &DrawnSwitch| if column { switch.x } else { switch.y }.unwrap_or(0.0);
    let chosen = || switches.iter().filter_map(|&i| network.switches.get(i as usize));
    let mean = (chosen().map(place).sum::<f32>() / chosen().count().max(1) as f32).round();
    for &i in switches {
        if let Some(switch) = network.switches.get_mut(i as usize) {
            *(if column { &mut switch.x } else { &mut switch.y }) = Some(mean);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::{FlowSpec, PatternSpec};
    use hopscope_core::traffic::patterns::Pairs;

    fn sample() -> Scenario {
        let mut scenario = blank();
        let network = drawn(&mut scenario, &DrawnNetwork::default(), &[]);
        for i in 0..4 {
            add_switch(network, [i as f32, 0.0]);
            add_host(network, i);
        }
        for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
            add_link(network, a, b);
        }
        scenario
    }

    fn network(scenario: &Scenario) -> &DrawnNetwork {
        match &scenario.network {
            NetworkSpec::Drawn(network) => network,
            NetworkSpec::Generate(_) => panic!("drawn"),
        }
    }

    #[test]
    fn every_new_host_gets_a_port_of_its_own() {
        let mut scenario = sample();
        let network = drawn(&mut scenario, &DrawnNetwork::default(), &[]);
        for _ in 0..9 {
            add_host(network, 2);
        }
        assert_eq!(ports::plugs(network, 2).len(), 12);
        assert_eq!(network.switches[2].ports, 12);
        assert_eq!(add_link(network, 1, 1), None);
    }

    #[test]
    fn removing_a_switch_removes_its_hosts_and_links_and_renumbers_the_rest() {
        let mut scenario = sample();
        scenario.routing.root = Root::Switch(3);
        scenario.traffic[0].sources = vec![0, 1, 3];
        scenario.traffic[0].pattern =
            PatternSpec::Pairs(Pairs { pairs: vec![(0, 1), (0, 3), (3, 2)] });
        let flows = remove(&mut scenario, &BTreeSet::from([Thing::Switch(1)]));
        assert_eq!(flows, BTreeSet::new());
        let left = network(&scenario);
        assert_eq!((left.switches.len(), left.hosts.len(), left.links.len()), (3, 3, 2));
        assert_eq!(left.links.iter().map(|l| (l.a.0, l.b.0)).collect::<Vec<_>>(), [(1, 2), (2, 0)]);
        assert_eq!(left.hosts.iter().map(|h| h.switch).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(scenario.routing.root, Root::Switch(2));
        assert_eq!(scenario.traffic[0].sources, [0, 2]);
        assert_eq!(
            scenario.traffic[0].pattern,
            PatternSpec::Pairs(Pairs { pairs: vec![(0, 2), (2, 1)] })
        );
    }

    #[test]
    fn flows_whose_only_senders_are_removed_are_removed_and_named() {
        let mut scenario = sample();
        let flow = |name: &str, sources: &[u32]| FlowSpec {
            name: name.into(),
            sources: sources.into(),
            ..FlowSpec::default()
        };
        scenario.traffic =
            vec![flow("a", &[1]), flow("b", &[1, 2]), flow("c", &[]), flow("d", &[1])];
        let flows = remove(&mut scenario, &BTreeSet::from([Thing::Host(1)]));
        assert_eq!(flows, BTreeSet::from([0, 3]));
        assert_eq!(scenario.traffic, [flow("b", &[1]), flow("c", &[])]);
    }

    #[test]
    fn a_trunk_fails_with_all_its_cables() {
        let mut scenario = sample();
        let network = drawn(&mut scenario, &DrawnNetwork::default(), &[]);
        network.links[1].width = 3;
        let things =
            BTreeSet::from([Thing::Link(1), Thing::Link(3), Thing::Host(0), Thing::Switch(2)]);
        let cables = [1, 2, 3, 5].map(Failed::Cable);
        assert_eq!(failures(network, &things), [&cables[..], &[Failed::Switch(2)]].concat());
    }

    #[test]
    fn a_copy_has_the_hosts_and_the_links_among_its_switches() {
        let mut scenario = sample();
        let network = drawn(&mut scenario, &DrawnNetwork::default(), &[]);
        let copied = piece(network, &BTreeSet::from([0, 1]));
        let copies = insert(network, copied, [10.0, 20.0]);
        assert_eq!(copies, BTreeSet::from([Thing::Switch(4), Thing::Switch(5)]));
        assert_eq!((network.switches.len(), network.hosts.len(), network.links.len()), (6, 6, 5));
        assert_eq!((network.links[4].a.0, network.links[4].b.0), (4, 5));
        assert_eq!((network.switches[5].x, network.switches[5].y), (Some(11.0), Some(20.0)));
    }

    #[test]
    fn a_damaged_piece_adds_only_its_valid_parts() {
        let mut scenario = sample();
        let network = drawn(&mut scenario, &DrawnNetwork::default(), &[]);
        let mut wrong = piece(network, &BTreeSet::from([0, 1, 77]));
        wrong.hosts[0].switch = 9;
        wrong.links[0].b.0 = 5;
        insert(network, wrong, [0.0, 0.0]);
        assert_eq!((network.switches.len(), network.hosts.len(), network.links.len()), (6, 5, 4));
    }

    #[test]
    fn aligned_switches_stand_in_one_line() {
        let mut scenario = sample();
        let network = drawn(&mut scenario, &DrawnNetwork::default(), &[]);
        align(network, &BTreeSet::from([0, 2, 3, 99]), true);
        let columns: Vec<_> = network.switches.iter().map(|switch| switch.x).collect();
        assert_eq!(columns, [Some(2.0), Some(1.0), Some(2.0), Some(2.0)]);
    }
}
