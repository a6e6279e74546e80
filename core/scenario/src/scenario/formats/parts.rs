//! From the nodes and cables that a file names to a network.
//!
//! Formats differ in what they leave out. A reader collects [`Parts`], and [`Parts::into_network`]
//! adds the rest: a host for each cable of a host node, a port for each end of a cable,
//! enough ports on each switch. Port numbers of the file are kept if no two of them collide;
//! otherwise all ports are assigned anew.

use super::names::ReadNames;
use super::{Contents, Options, Source, messages};
use crate::message::Message;
use crate::problem::Problems;
use crate::scenario::limits::{
    MAX_HOSTS, MAX_LINKS, MAX_PORTS, MAX_POSITION, MAX_PROBLEMS, MAX_SWITCHES,
};
use crate::scenario::{DrawnHost, DrawnLink, DrawnNetwork, DrawnSwitch};
use std::collections::BTreeSet;

/// A switch or a host of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    pub name: String,
    pub line: usize,
    pub host: bool,
    pub ports: Option<u16>,
    /// Position in stage units.
    pub position: Option<[f32; 2]>,
}

/// A cable, or a trunk of `width` cables, between two nodes.
#[derive(Debug, Clone)]
pub(super) struct Cable {
    /// Index of the node at each end, and the port there if the file gives one.
    pub ends: [(usize, Option<u16>); 2],
    pub width: u16,
    pub delay_cycles: Option<u32>,
    pub line: usize,
}

/// The nodes and cables of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    pub nodes: Vec<Node>,
    pub cables: Vec<Cable>,
    pub notes: Vec<Message>,
}

/// The switches that a host node is cabled to, each with its port.
type Attachments = Vec<(u32, Option<u16>)>;

impl Parts {
    /// Most nodes of any network.
    pub const MAX_NODES: usize = MAX_SWITCHES + MAX_HOSTS;

    /// True if there are more nodes or cables than any network may have. Readers check this as they
    /// go, so that they stop early.
    pub fn too_many(&self) -> bool {
        self.nodes.len() > Self::MAX_NODES || self.cables.len() > 2 * MAX_LINKS + MAX_HOSTS
    }

    /// The problem to report if there are [too many](Self::too_many).
    pub fn too_many_problem(source: Source<'_>, line: usize) -> Problems {
        Problems::one(
            source.line(line),
            messages::file_network_too_large(),
            messages::file_network_limits(MAX_SWITCHES, MAX_HOSTS, MAX_LINKS),
        )
    }

    /// Makes the network.
    ///
    /// # Errors
    /// Cables between hosts, hosts without a switch, a switch with too many cables, no switch at
    /// all.
    pub fn into_network(
        mut self,
        source: Source<'_>,
        options: &Options,
    ) -> Result<Contents, Problems> {
        let mut problems = Problems::default();
        let switch_of = self.number_switches();
        self.remove_loops();
        let (links, attachments) = self.split_cables(source, &switch_of, &mut problems);
        let (mut switch_names, mut host_names) = (ReadNames::new(false), ReadNames::new(true));
        let mut hosts = self.hosts(source, &attachments, &mut host_names, &mut problems);
        problems.0.truncate(MAX_PROBLEMS);
        problems.or(())?;
        let switches = self.nodes.iter().filter(|node| !node.host);
        let switches: Vec<DrawnSwitch> = switches
            .map(|node| DrawnSwitch {
                name: switch_names.add(&node.name),
                ports: node.ports.unwrap_or(0),
                x: node.position.map(|p| p[0]),
                y: node.position.map(|p| p[1]),
            })
            .collect();
        if switches.is_empty() {
            return Err(Problems::one(
                source.name,
                messages::file_has_no_switch(),
                messages::file_check_it_is_right(),
            ));
        }
        let changed = switch_names.changed + host_names.changed;
        if changed > 0 {
            self.notes.push(messages::note_names_changed_on_reading(changed));
        }
        let own_hosts = !hosts.is_empty();
        if !own_hosts && options.hosts_per_switch > 0 {
            let each = options.hosts_per_switch;
            self.notes.push(messages::note_hosts_added(each));
            hosts = (0..switches.len() as u32)
                .flat_map(|switch| std::iter::repeat_n(switch, each as usize))
                .map(|switch| DrawnHost { switch, ..Default::default() })
                .collect();
        }
        let mut network = DrawnNetwork { switches, hosts, links: Vec::new() };
        let used = self.assign_ports(&switch_of, links, &mut network);
        self.size_switches(source, &used, &mut network)?;
        self.remove_positions_off_stage(&mut network);
        Ok(Contents { network, notes: self.notes, own_hosts })
    }

    /// For each node its index among the switches; meaningless for hosts.
    fn number_switches(&self) -> Vec<u32> {
        let mut switches = 0;
        let number = |node: &Node| {
            let index = switches;
            switches += u32::from(!node.host);
            index
        };
        self.nodes.iter().map(number).collect()
    }

    fn remove_loops(&mut self) {
        let before = self.cables.len();
        self.cables.retain(|cable| cable.ends[0].0 != cable.ends[1].0);
        let loops = before - self.cables.len();
        if loops > 0 {
            self.notes.push(messages::note_loops_left_out(loops));
        }
    }

    /// Cables between switches, and for each node the attachments of a host.
    fn split_cables(
        &self,
        source: Source<'_>,
        switch_of: &[u32],
        problems: &mut Problems,
    ) -> (Vec<Cable>, Vec<Attachments>) {
        let mut links = Vec::new();
        let mut attachments = vec![Vec::new(); self.nodes.len()];
        for cable in &self.cables {
            let [a, b] = cable.ends;
            match [a.0, b.0].map(|node| self.nodes[node].host) {
                [false, false] => links.push(cable.clone()),
                [true, false] => attachments[a.0].push((switch_of[b.0], b.1)),
                [false, true] => attachments[b.0].push((switch_of[a.0], a.1)),
                [true, true] => problems.add(
                    source.line(cable.line),
                    messages::file_cable_between_hosts(
                        &self.nodes[a.0].name,
                        &self.nodes[b.0].name,
                    ),
                    messages::file_link_hosts_to_switches(),
                ),
            }
        }
        (links, attachments)
    }

    /// One host for each cable of a host node, in the order of nodes.
    fn hosts(
        &mut self,
        source: Source<'_>,
        attachments: &[Attachments],
        names: &mut ReadNames,
        problems: &mut Problems,
    ) -> Vec<DrawnHost> {
        let mut hosts = Vec::new();
        let mut split = 0;
        let nodes = self.nodes.iter().zip(attachments).filter(|(node, _)| node.host);
        for (node, attachments) in nodes {
            if attachments.is_empty() {
                problems.add(
                    source.line(node.line),
                    messages::file_host_without_switch(&node.name),
                    messages::file_link_or_remove(),
                );
            }
            let single = attachments.len() == 1;
            split += usize::from(attachments.len() > 1);
            for (n, &(switch, port)) in attachments.iter().enumerate() {
                let name = if single { &node.name } else { &format!("{} [{n}]", node.name) };
                // Hosts made of one node would lie on top of each other.
                let position = node.position.filter(|_| n == 0);
                let [x, y] = [0, 1].map(|axis| position.map(|p| p[axis]));
                hosts.push(DrawnHost { name: names.add(name), switch, port, x, y });
            }
        }
        if split > 0 {
            self.notes.push(messages::note_hosts_split(split));
        }
        hosts
    }

    /// Gives every host and every end of a link a port, and adds the links to the network. Returns
    /// the ports in use.
    fn assign_ports(
        &mut self,
        switch_of: &[u32],
        mut links: Vec<Cable>,
        network: &mut DrawnNetwork,
    ) -> UsedPorts {
        let switches = network.switches.len();
        let mut used = UsedPorts::new(switches);
        if !used.reserve_given(&links, switch_of, &network.hosts) {
            self.notes.push(messages::note_ports_renumbered());
            used = UsedPorts::new(switches);
            network.hosts.iter_mut().for_each(|host| host.port = None);
            links.iter_mut().flat_map(|link| &mut link.ends).for_each(|(_, port)| *port = None);
        }
        for host in network.hosts.iter_mut().filter(|host| host.port.is_none()) {
            host.port = Some(used.reserve_free(host.switch, 1));
        }
        for Cable { ends, width, delay_cycles, .. } in links {
            let [a, b] = ends.map(|(node, port)| {
                let switch = switch_of[node];
                (switch, port.unwrap_or_else(|| used.reserve_free(switch, width)))
            });
            network.links.push(DrawnLink { a, b, width, delay_cycles });
        }
        used
    }

    /// Gives switches without a number of ports as many as the busiest switch uses, and others at
    /// least as many as they use.
    fn size_switches(
        &mut self,
        source: Source<'_>,
        used: &UsedPorts,
        network: &mut DrawnNetwork,
    ) -> Result<(), Problems> {
        let most = used.needed().max().unwrap_or(0).clamp(1, MAX_PORTS);
        let mut raised = 0;
        let mut problems = Problems::default();
        let nodes = self.nodes.iter().filter(|node| !node.host);
        for ((switch, node), needed) in network.switches.iter_mut().zip(nodes).zip(used.needed()) {
            if switch.ports == 0 {
                switch.ports = most;
            } else if switch.ports < needed {
                switch.ports = needed;
                raised += 1;
            }
            if needed > MAX_PORTS && problems.0.len() < MAX_PROBLEMS {
                problems.add(
                    source.line(node.line),
                    messages::file_ports_needed(&node.name, needed),
                    messages::file_ports_limit(MAX_PORTS),
                );
            }
        }
        if raised > 0 {
            self.notes.push(messages::note_ports_added(raised));
        }
        problems.or(())
    }

    fn remove_positions_off_stage(&mut self, network: &mut DrawnNetwork) {
        let off_stage = |value: Option<f32>| {
            value.is_some_and(|value| !(-MAX_POSITION..=MAX_POSITION).contains(&value))
        };
        let switches = network.switches.iter_mut().map(|s| (&mut s.x, &mut s.y));
        let hosts = network.hosts.iter_mut().map(|h| (&mut h.x, &mut h.y));
        let mut removed = 0;
        for (x, y) in switches.chain(hosts) {
            if off_stage(*x) || off_stage(*y) {
                (*x, *y) = (None, None);
                removed += 1;
            }
        }
        if removed > 0 {
            self.notes.push(messages::note_positions_left_out(removed));
        }
    }
}

/// The ports in use on each switch.
struct UsedPorts(Vec<BTreeSet<u16>>);

impl UsedPorts {
    fn new(switches: usize) -> Self {
        Self(vec![BTreeSet::new(); switches])
    }

    /// Number of ports that each switch needs.
    fn needed(&self) -> impl Iterator<Item = u16> {
        self.0.iter().map(|ports| ports.last().map_or(0, |last| last + 1))
    }

    /// Reserves all ports that the file gives; false if two ends share a port or a port is too
    /// large.
    fn reserve_given(&mut self, links: &[Cable], switch_of: &[u32], hosts: &[DrawnHost]) -> bool {
        let of_links = links
            .iter()
            .flat_map(|link| link.ends.map(|(node, port)| (switch_of[node], port, link.width)));
        let of_hosts = hosts.iter().map(|host| (host.switch, host.port, 1));
        of_links.chain(of_hosts).all(|(switch, first, width)| {
            let Some(first) = first.map(u32::from) else { return true };
            let mut ports = first..first + u32::from(width);
            ports.all(|port| {
                port < u32::from(MAX_PORTS) && self.0[switch as usize].insert(port as u16)
            })
        })
    }

    /// Reserves the lowest `width` consecutive free ports and returns the first of them.
    fn reserve_free(&mut self, switch: u32, width: u16) -> u16 {
        let ports = &mut self.0[switch as usize];
        let mut first = 0u16;
        for &port in ports.iter() {
            if port >= first.saturating_add(width) {
                break;
            }
            first = port.saturating_add(1);
        }
        // A switch that needs more than `MAX_PORTS` is refused later, so ports far beyond that
        // limit are not recorded.
        let end = first.saturating_add(width.min(MAX_PORTS + 1)).min(2 * MAX_PORTS);
        ports.extend(first..end);
        first
    }
}
