//! What a drawn network lacks before anything can run on it.

use hopscope_core::scenario::DrawnNetwork;
use petgraph::algo::connected_components;
use petgraph::graphmap::UnGraphMap;

/// How far a drawn network is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Switches.
    pub switches: usize,
    /// Hosts.
    pub hosts: usize,
    /// Groups of switches that no link joins to each other.
    pub parts: usize,
}

impl Progress {
    /// The progress of a network.
    pub fn of(network: &DrawnNetwork) -> Progress {
        let mut graph = UnGraphMap::<u32, ()>::new();
        for switch in 0..network.switches.len() as u32 {
            graph.add_node(switch);
        }
        for link in &network.links {
            graph.add_edge(link.a.0, link.b.0, ());
        }
        let parts = connected_components(&graph);
        Progress { switches: network.switches.len(), hosts: network.hosts.len(), parts }
    }

    /// Whether there are hosts that can send to each other.
    pub fn is_enough(self) -> bool {
        self.hosts >= 2 && self.parts == 1
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;
    use crate::edit::{add_host, add_link, add_switch};
    use hopscope_core::scenario::DrawnNetwork;

    #[test]
    fn a_network_is_enough_once_two_hosts_are_joined() {
        let progress = |network: &DrawnNetwork| {
            let Progress { switches, hosts, parts } = Progress::of(network);
            (switches, hosts, parts, Progress::of(network).is_enough())
        };
        let mut network = DrawnNetwork::default();
        assert_eq!(progress(&network), (0, 0, 0, false));
        add_switch(&mut network, [0.0, 0.0]);
        add_host(&mut network, 0);
        assert_eq!(progress(&network), (1, 1, 1, false));
        add_host(&mut network, 0);
        assert_eq!(progress(&network), (1, 2, 1, true));
        add_switch(&mut network, [9.0, 0.0]);
        assert_eq!(progress(&network), (2, 2, 2, false));
        add_link(&mut network, 1, 0);
        assert_eq!(progress(&network), (2, 2, 1, true));
    }
}
