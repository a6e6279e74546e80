//! What importers collect, and how it becomes a network: hosts told from switches, names made unique, ports given out.

use super::{Options, Read, Source};
use crate::problem::Problems;
use crate::scenario::limits::{
    MAX_HOSTS, MAX_LINKS, MAX_NAME_BYTES, MAX_PORTS, MAX_POSITION, MAX_PROBLEMS, MAX_SWITCHES,
};
use crate::scenario::{DrawnHost, DrawnLink, DrawnNetwork, DrawnSwitch};
use std::collections::{BTreeMap, BTreeSet};

/// A switch or a host, as a file names it.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    pub name: String,
    pub line: usize,
    pub host: bool,
    pub ports: Option<u16>,
    pub position: Option<[f32; 2]>,
}

/// A cable between two nodes, with the ports the file gives.
#[derive(Debug, Clone)]
pub(super) struct Cable {
    pub ends: [(usize, Option<u16>); 2],
    pub width: u16,
    pub delay_cycles: Option<u32>,
    pub line: usize,
}

/// All that a file says.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    pub nodes: Vec<Node>,
    pub cables: Vec<Cable>,
    pub notes: Vec<String>,
}

/// Switches that a host node is cabled to, with the port there.
type Attached = Vec<(u32, Option<u16>)>;

impl Parts {
    /// Whether there is more than any network may have. Importers ask as they go, to stop early.
    pub fn too_many(&self) -> bool {
        self.nodes.len() > MAX_SWITCHES + MAX_HOSTS || self.cables.len() > 2 * MAX_LINKS + MAX_HOSTS
    }

    /// The problem to report then.
    pub fn too_many_problem(source: Source<'_>, line: usize) -> Problems {
        Problems::one(
            source.line(line),
            "the network is larger than can be simulated",
            format!("stay within {MAX_SWITCHES} switches, {MAX_HOSTS} hosts, {MAX_LINKS} cables"),
        )
    }

    /// The network, with notes.
    pub fn finish(mut self, source: Source<'_>, options: &Options) -> Result<Read, Problems> {
        let mut problems = Problems::default();
        let switch_of = self.number_switches();
        self.drop_loops();
        let (links, attached) = self.sort_cables(source, &switch_of, &mut problems);
        let mut hosts = self.hosts(source, &attached, &mut problems);
        if problems.0.len() > MAX_PROBLEMS {
            problems.0.truncate(MAX_PROBLEMS);
        }
        problems.or(())?;
        let names = self.names(false);
        let mut network = DrawnNetwork::default();
        for (node, name) in self.nodes.iter().filter(|n| !n.host).zip(names) {
            network.switches.push(DrawnSwitch {
                name,
                ports: node.ports.unwrap_or(0),
                x: node.position.map(|p| p[0]),
                y: node.position.map(|p| p[1]),
            });
        }
        if network.switches.is_empty() {
            return Err(Problems::one(
                source.name,
                "there is no switch in it",
                "check that this is the right file",
            ));
        }
        let own_hosts = !hosts.is_empty();
        if !own_hosts && options.hosts_per_switch > 0 {
            let each = options.hosts_per_switch;
            self.notes.push(format!("the file has no hosts: every switch was given {each}"));
            let all = (0..network.switches.len() as u32)
                .flat_map(|s| std::iter::repeat_n(s, each as usize));
            hosts = all.map(|switch| DrawnHost { switch, ..Default::default() }).collect();
        }
        network.hosts = hosts;
        self.place(source, &switch_of, links, &mut network)?;
        Ok(Read { network, notes: self.notes, own_hosts })
    }

    /// Per node, its index among switches (or 0).
    fn number_switches(&self) -> Vec<u32> {
        let mut next = 0;
        let mut number = |node: &Node| {
            next += u32::from(!node.host);
            next.saturating_sub(1)
        };
        self.nodes.iter().map(&mut number).collect()
    }

    fn drop_loops(&mut self) {
        let before = self.cables.len();
        self.cables.retain(|c| c.ends[0].0 != c.ends[1].0);
        let loops = before - self.cables.len();
        if loops > 0 {
            self.notes.push(format!(
                "{loops} cables lead from a switch back to itself and were left out"
            ));
        }
    }

    /// Cables between switches, and per node the cables of a host.
    fn sort_cables(
        &self,
        source: Source<'_>,
        switch_of: &[u32],
        problems: &mut Problems,
    ) -> (Vec<Cable>, Vec<Attached>) {
        let mut links = Vec::new();
        let mut attached = vec![Vec::new(); self.nodes.len()];
        for cable in &self.cables {
            let [a, b] = cable.ends;
            match [a.0, b.0].map(|n| self.nodes[n].host) {
                [false, false] => links.push(cable.clone()),
                [true, false] => attached[a.0].push((switch_of[b.0], b.1)),
                [false, true] => attached[b.0].push((switch_of[a.0], a.1)),
                [true, true] => problems.add(
                    source.line(cable.line),
                    format!(
                        "a cable between hosts: `{}` and `{}`",
                        self.nodes[a.0].name, self.nodes[b.0].name
                    ),
                    "link hosts to switches only",
                ),
            }
        }
        (links, attached)
    }

    /// One host per cable of every host node.
    fn hosts(
        &mut self,
        source: Source<'_>,
        attached: &[Attached],
        problems: &mut Problems,
    ) -> Vec<DrawnHost> {
        let mut hosts = Vec::new();
        let mut split = 0;
        let names = self.names(true);
        let nodes = self.nodes.iter().enumerate().filter(|(_, n)| n.host);
        for ((i, node), name) in nodes.zip(names) {
            let cables = &attached[i];
            if cables.is_empty() {
                problems.add(
                    source.line(node.line),
                    format!("host `{}` is on no switch", node.name),
                    "link it to one, or remove it",
                );
            }
            split += usize::from(cables.len() > 1);
            for (n, &(switch, port)) in cables.iter().enumerate() {
                let name =
                    if cables.len() == 1 { name.clone() } else { format!("{} [{n}]", node.name) };
                let [x, y] = [0, 1].map(|axis| node.position.filter(|_| n == 0).map(|p| p[axis]));
                hosts.push(DrawnHost { name, switch, port, x, y });
            }
        }
        if split > 0 {
            self.notes
                .push(format!("{split} hosts have several cables: one host was made of each"));
        }
        hosts
    }

    /// Names of the switches or of the hosts: without control characters, not too long, unique; empty for the usual one.
    fn names(&self, hosts: bool) -> Vec<String> {
        let word = if hosts { "host" } else { "switch" };
        let mut seen = BTreeSet::new();
        let mut copies = BTreeMap::new();
        let mut names = Vec::new();
        for (i, node) in self.nodes.iter().filter(|n| n.host == hosts).enumerate() {
            let usual = format!("{word} {i}");
            let mut name: String =
                node.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            while name.len() > MAX_NAME_BYTES - 16 {
                name.pop();
            }
            if name.trim().is_empty() {
                name = usual.clone();
            }
            let plain = name.clone();
            while !seen.insert(name.clone()) {
                let copy = copies.entry(plain.clone()).or_insert(1);
                *copy += 1;
                name = format!("{plain} ({copy})");
            }
            names.push(if name == usual { String::new() } else { name });
        }
        names
    }

    /// Gives out ports, those the file names first.
    fn place(
        &mut self,
        source: Source<'_>,
        switch_of: &[u32],
        links: Vec<Cable>,
        network: &mut DrawnNetwork,
    ) -> Result<(), Problems> {
        let mut taken = Taken::new(network.switches.len());
        if !taken.take_given(&links, switch_of, &network.hosts) {
            self.notes.push(
                "port numbers of the file contradict each other or are too large: new ones were given".into(),
            );
            taken = Taken::new(network.switches.len());
            for host in &mut network.hosts {
                host.port = None;
            }
            return self.place_all(source, switch_of, links, network, taken, false);
        }
        self.place_all(source, switch_of, links, network, taken, true)
    }

    fn place_all(
        &mut self,
        source: Source<'_>,
        switch_of: &[u32],
        links: Vec<Cable>,
        network: &mut DrawnNetwork,
        mut taken: Taken,
        keep: bool,
    ) -> Result<(), Problems> {
        for host in &mut network.hosts {
            if host.port.is_none() {
                host.port = Some(taken.take_free(host.switch, 1));
            }
        }
        for cable in links {
            let [a, b] = cable.ends.map(|(node, port)| {
                let switch = switch_of[node];
                (
                    switch,
                    port.filter(|_| keep).unwrap_or_else(|| taken.take_free(switch, cable.width)),
                )
            });
            network.links.push(DrawnLink {
                a,
                b,
                width: cable.width,
                delay_cycles: cable.delay_cycles,
            });
        }
        let most = taken.0.iter().map(|ports| ports.last().map_or(0, |p| p + 1)).max().unwrap_or(0);
        let switches = self.nodes.iter().filter(|n| !n.host);
        let mut raised = 0;
        let mut problems = Problems::default();
        for ((switch, node), ports) in network.switches.iter_mut().zip(switches).zip(&taken.0) {
            let needed = ports.last().map_or(0, |p| p + 1);
            raised += usize::from(switch.ports != 0 && switch.ports < needed);
            switch.ports =
                if switch.ports == 0 { most.clamp(1, MAX_PORTS) } else { switch.ports.max(needed) };
            if needed > MAX_PORTS && problems.0.len() < MAX_PROBLEMS {
                problems.add(
                    source.line(node.line),
                    format!("`{}` needs {needed} ports", node.name),
                    format!("a switch has at most {MAX_PORTS}"),
                );
            }
        }
        if raised > 0 {
            self.notes.push(format!(
                "{raised} switches have fewer ports than cables: they were given more"
            ));
        }
        let off = |x: &Option<f32>| x.is_some_and(|x| !(-MAX_POSITION..=MAX_POSITION).contains(&x));
        let mut dropped = 0;
        for (x, y) in network
            .switches
            .iter_mut()
            .map(|s| (&mut s.x, &mut s.y))
            .chain(network.hosts.iter_mut().map(|h| (&mut h.x, &mut h.y)))
        {
            if off(x) || off(y) {
                (*x, *y) = (None, None);
                dropped += 1;
            }
        }
        if dropped > 0 {
            self.notes.push(format!("{dropped} positions are off the stage and were left out"));
        }
        problems.or(())
    }
}

/// Ports in use, per switch.
struct Taken(Vec<BTreeSet<u16>>);

impl Taken {
    fn new(switches: usize) -> Self {
        Self(vec![BTreeSet::new(); switches])
    }

    /// Takes all ports the file names; false if they cannot all be had.
    fn take_given(&mut self, links: &[Cable], switch_of: &[u32], hosts: &[DrawnHost]) -> bool {
        let of_links =
            links.iter().flat_map(|c| c.ends.map(|(n, port)| (switch_of[n], port, c.width)));
        let of_hosts = hosts.iter().map(|h| (h.switch, h.port, 1));
        for (switch, first, width) in of_links.chain(of_hosts) {
            let Some(first) = first else { continue };
            for port in u32::from(first)..u32::from(first) + u32::from(width) {
                if port >= u32::from(MAX_PORTS) || !self.0[switch as usize].insert(port as u16) {
                    return false;
                }
            }
        }
        true
    }

    /// Takes the lowest run of free ports.
    fn take_free(&mut self, switch: u32, width: u16) -> u16 {
        let ports = &mut self.0[switch as usize];
        let mut first = 0u16;
        for &port in ports.iter() {
            if port >= first.saturating_add(width) {
                break;
            }
            first = port.saturating_add(1);
        }
        // Beyond the limit nothing more is kept than that it was exceeded.
        for port in first..first.saturating_add(width.min(MAX_PORTS + 1)).min(2 * MAX_PORTS) {
            ports.insert(port);
        }
        first
    }
}
