//! Ports: which host or link is plugged into each.

use hopscope_core::scenario::DrawnNetwork;
use std::collections::BTreeMap;

/// What is plugged into a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plug {
    /// A host.
    Host(u32),
    /// The first (0) or second (1) end of a link.
    Link(u32, usize),
}

/// The occupied ports of a switch. A host without a port takes the lowest free one.
pub fn plugs(network: &DrawnNetwork, switch: u32) -> BTreeMap<u16, Plug> {
    let mut taken = BTreeMap::new();
    for (i, link) in (0..).zip(&network.links) {
        let ends = [link.a, link.b].into_iter().enumerate();
        for (end, (_, first)) in ends.filter(|(_, (at, _))| *at == switch) {
            taken.extend(
                (first..first.saturating_add(link.width)).map(|port| (port, Plug::Link(i, end))),
            );
        }
    }
    let own = || (0..).zip(&network.hosts).filter(|(_, host)| host.switch == switch);
    taken.extend(own().filter_map(|(i, host)| Some((host.port?, Plug::Host(i)))));
    let mut free = (0..=u16::MAX).filter({
        let taken = taken.clone();
        move |port| !taken.contains_key(port)
    });
    let open = own().filter(|(_, host)| host.port.is_none());
    taken.extend(open.filter_map(|(i, _)| Some((free.next()?, Plug::Host(i)))));
    taken
}

/// Gives hosts without a port the one they are shown at. `taken` is what [`plugs`] says.
pub fn settle_hosts(network: &mut DrawnNetwork, taken: &BTreeMap<u16, Plug>) {
    for (&port, &plug) in taken {
        if let Plug::Host(host) = plug {
            network.hosts[host as usize].port = Some(port);
        }
    }
}

/// Whether a plug is a single cable. The cables of a trunk must stay side by side.
pub fn is_single(network: &DrawnNetwork, plug: Plug) -> bool {
    match plug {
        Plug::Host(_) => true,
        Plug::Link(link, _) => network.links.get(link as usize).is_some_and(|link| link.width == 1),
    }
}

/// Gives a link `width` cables, in adjacent free ports at both ends; full switches get more ports.
/// Nothing changes if there is no such link.
pub fn widen(network: &mut DrawnNetwork, link: usize, width: u16) {
    let Some(spec) = network.links.get(link) else { return };
    let ends = [spec.a.0, spec.b.0];
    for (end, switch) in ends.into_iter().enumerate() {
        let taken = plugs(network, switch);
        let is_ours = |plug: &Plug| *plug == Plug::Link(link as u32, end);
        let is_free = |port: u16| taken.get(&port).is_none_or(is_ours);
        let now = [network.links[link].a.1, network.links[link].b.1][end];
        let fits = |first: &u16| (*first..first.saturating_add(width)).all(is_free);
        let first =
            Some(now).filter(fits).or_else(|| (0..u16::MAX - width).find(fits)).unwrap_or(now);
        settle_hosts(network, &taken);
        let link = &mut network.links[link];
        *[&mut link.a.1, &mut link.b.1][end] = first;
        let switch = &mut network.switches[switch as usize];
        switch.ports = switch.ports.max(first + width);
    }
    network.links[link].width = width;
}

/// Exchanges what is plugged into two ports of a switch. Trunks stay where they are.
pub fn swap(network: &mut DrawnNetwork, switch: u32, from: u16, to: u16) {
    let taken = plugs(network, switch);
    let moves = [(from, to), (to, from)].map(|(from, to)| (taken.get(&from).copied(), to));
    if moves.iter().all(|(plug, _)| plug.is_none_or(|plug| is_single(network, plug))) {
        settle_hosts(network, &taken);
        for (plug, port) in moves {
            match plug {
                Some(Plug::Host(host)) => network.hosts[host as usize].port = Some(port),
                Some(Plug::Link(link, end)) => {
                    let link = &mut network.links[link as usize];
                    *[&mut link.a.1, &mut link.b.1][end] = port;
                }
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> DrawnNetwork {
        let json = r#"{"switches":[{"ports":8},{"ports":8}],"hosts":[{"switch":0},{"switch":0,"port":2},{"switch":1}],
            "links":[{"a":[0,0],"b":[1,0]},{"a":[0,3],"b":[1,4],"width":2}]}"#;
        serde_json::from_str(json).expect("a network")
    }

    #[test]
    fn hosts_without_a_port_take_the_lowest_free_one() {
        use Plug::{Host, Link};
        let taken: Vec<_> = plugs(&sample(), 0).into_iter().collect();
        assert_eq!(
            taken,
            [(0, Link(0, 0)), (1, Host(0)), (2, Host(1)), (3, Link(1, 0)), (4, Link(1, 0))]
        );
    }

    #[test]
    fn single_cables_change_places_and_trunks_do_not() {
        use Plug::{Host, Link};
        let mut network = sample();
        swap(&mut network, 0, 1, 0);
        let taken: Vec<_> = plugs(&network, 0).into_iter().take(3).collect();
        assert_eq!(taken, [(0, Host(0)), (1, Link(0, 0)), (2, Host(1))]);
        swap(&mut network, 0, 2, 7);
        assert_eq!(network.hosts[1].port, Some(7));
        assert_eq!(network.links[0].b, (1, 0), "the other end stays");
        widen(&mut network, 0, 3);
        assert_eq!(
            (network.links[0].a, network.links[0].b, network.links[0].width),
            ((0, 8), (1, 6), 3)
        );
        assert_eq!((network.switches[0].ports, network.switches[1].ports), (11, 9));
        let before = network.clone();
        swap(&mut network, 0, 0, 3);
        assert_eq!(network, before);
    }
}
