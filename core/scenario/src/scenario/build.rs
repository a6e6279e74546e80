//! Builds the [`Network`] of a drawn or generated one: fills in names and ports, replaces each
//! trunk by its cables, and checks everything.

use super::limits::{MAX_HOSTS, MAX_LINKS, MAX_NAME_BYTES, MAX_PORTS, MAX_POSITION, MAX_SWITCHES};
use super::{DrawnNetwork, NetworkSpec};
use crate::message::{Message, first_of};
use crate::messages;
use crate::network::{Host, Link, Network, Switch, SwitchId};
use crate::problem::Problems;
use std::collections::BTreeMap;

impl NetworkSpec {
    /// The switches, hosts and links, generated if need be, not yet checked.
    ///
    /// # Errors
    /// Wrong parameters of the generator.
    pub fn drawn(&self) -> Result<DrawnNetwork, Problems> {
        match self {
            Self::Generate(generator) => generator.generate(),
            Self::Drawn(drawn) => Ok(drawn.clone()),
        }
    }

    /// The network.
    ///
    /// # Errors
    /// Every problem of the generator's parameters or of the drawing.
    pub fn build(&self) -> Result<Network, Problems> {
        match self {
            Self::Generate(generator) => generator.generate()?.build(),
            Self::Drawn(drawn) => drawn.build(),
        }
    }
}

impl DrawnNetwork {
    /// The network. Hosts without a port get, in the order of the list, the lowest port of their
    /// switch that no link and no other host asks for. Link `i` of the result is cable `i`, counted
    /// over all trunks.
    ///
    /// # Errors
    /// Every problem of the drawing.
    pub fn build(&self) -> Result<Network, Problems> {
        let mut problems = Problems::default();
        check_sizes(self, &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut ports = Ports::new(self);
        for (i, switch) in self.switches.iter().enumerate() {
            let at = format!("network.switches.{i}");
            check_position(&at, switch.x, switch.y, &mut problems);
            if switch.ports == 0 || switch.ports > MAX_PORTS {
                problems.add(
                    format!("{at}.ports"),
                    messages::port_count(switch.ports),
                    messages::use_from_to(1, MAX_PORTS),
                );
            }
        }
        let links = self.place_links(&mut ports, &mut problems);
        let host_ports = self.place_hosts(&mut ports, &mut problems);
        let switch_names = names(
            "switch",
            "network.switches",
            self.switches.iter().map(|s| &*s.name),
            &mut problems,
        );
        let host_names =
            names("host", "network.hosts", self.hosts.iter().map(|h| &*h.name), &mut problems);
        check_connected(self, &switch_names, &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        let switches = self
            .switches
            .iter()
            .zip(switch_names)
            .map(|(s, name)| Switch {
                name,
                ports: s.ports,
                position: s.x.zip(s.y).map(|(x, y)| [x, y]),
            })
            .collect();
        let hosts = self
            .hosts
            .iter()
            .zip(host_names)
            .zip(host_ports)
            .map(|((h, name), port)| Host {
                name,
                switch: SwitchId(h.switch),
                port,
                position: h.x.zip(h.y).map(|(x, y)| [x, y]),
            })
            .collect();
        Ok(Network::new(switches, hosts, links))
    }

    /// Takes the ports of all links and returns the cables.
    fn place_links(&self, ports: &mut Ports, problems: &mut Problems) -> Vec<Link> {
        let mut links = Vec::new();
        for (i, link) in self.links.iter().enumerate() {
            let at = format!("network.links.{i}");
            if link.width == 0 {
                problems.add(
                    format!("{at}.width"),
                    messages::trunk_of_none(),
                    messages::use_1_or_remove_link(),
                );
                continue;
            }
            if link.a.0 == link.b.0 {
                problems.add(
                    &at,
                    messages::link_to_itself(link.a.0),
                    messages::join_two_switches(),
                );
                continue;
            }
            let fits = [("a", link.a), ("b", link.b)]
                .map(|(end, place)| ports.take_range(&at, end, place, link.width, i, problems));
            if fits == [true, true] {
                links.extend((0..link.width).map(|lane| Link {
                    a: (SwitchId(link.a.0), link.a.1 + lane),
                    b: (SwitchId(link.b.0), link.b.1 + lane),
                    delay_cycles: link.delay_cycles,
                }));
            }
        }
        links
    }

    /// Takes the ports of all hosts, given ones first, and returns them.
    fn place_hosts(&self, ports: &mut Ports, problems: &mut Problems) -> Vec<u16> {
        let mut placed = vec![0; self.hosts.len()];
        for (i, host) in self.hosts.iter().enumerate() {
            let at = format!("network.hosts.{i}");
            check_position(&at, host.x, host.y, problems);
            if host.switch as usize >= self.switches.len() {
                problems.add(
                    format!("{at}.switch"),
                    messages::no_such_switch(host.switch),
                    messages::use_from_to(0, self.switches.len() - 1),
                );
            } else if let Some(port) = host.port {
                ports.take(&format!("{at}.port"), host.switch, port, User::Host(i), problems);
                placed[i] = port;
            }
        }
        let mut crowded = BTreeMap::new();
        for (i, host) in self.hosts.iter().enumerate() {
            if host.port.is_some() || host.switch as usize >= self.switches.len() {
                continue;
            }
            match ports.take_lowest_free(host.switch, User::Host(i)) {
                Some(port) => placed[i] = port,
                None => *crowded.entry(host.switch).or_insert(0) += 1,
            }
        }
        for (switch, missing) in crowded {
            let have = self.switches[switch as usize].ports;
            problems.add(
                format!("network.switches.{switch}.ports"),
                messages::hosts_without_port(have, missing),
                messages::give_ports_or_remove(u32::from(have) + missing),
            );
        }
        placed
    }
}

/// What is connected to a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum User {
    Link(usize),
    Host(usize),
}

impl User {
    fn message(self) -> Message {
        match self {
            Self::Link(link) => messages::link_number(link),
            Self::Host(host) => messages::host_number(host),
        }
    }
}

/// The user of each port, by switch and port.
struct Ports(Vec<Vec<Option<User>>>);

impl Ports {
    fn new(drawn: &DrawnNetwork) -> Self {
        Self(
            drawn
                .switches
                .iter()
                .map(|s| vec![None; usize::from(s.ports.min(MAX_PORTS))])
                .collect(),
        )
    }

    /// Takes `width` consecutive ports, from port `first` on, for one end of a link. Returns false
    /// and adds problems if one of them does not exist or is taken.
    fn take_range(
        &mut self,
        at: &str,
        end: &str,
        (switch, first): (u32, u16),
        width: u16,
        link: usize,
        problems: &mut Problems,
    ) -> bool {
        let Some(ports) = self.0.get(switch as usize) else {
            problems.add(
                format!("{at}.{end}"),
                messages::no_such_switch(switch),
                messages::use_from_to(0, self.0.len() - 1),
            );
            return false;
        };
        let last = u32::from(first) + u32::from(width) - 1;
        if last >= ports.len() as u32 {
            let why = match width {
                1 => messages::switch_has_no_port(switch, first),
                _ => messages::trunk_needs_ports(width, first, last, switch),
            };
            problems.add(format!("{at}.{end}"), why, messages::ports_counted_from_0(ports.len()));
            return false;
        }
        let mut all = true;
        for port in first..=last as u16 {
            all &= self.take(&format!("{at}.{end}"), switch, port, User::Link(link), problems);
        }
        all
    }

    /// Takes one port of an existing switch.
    fn take(
        &mut self,
        at: &str,
        switch: u32,
        port: u16,
        user: User,
        problems: &mut Problems,
    ) -> bool {
        let ports = &mut self.0[switch as usize];
        let count = ports.len();
        match ports.get_mut(usize::from(port)) {
            None => problems.add(
                at,
                messages::switch_has_no_port(switch, port),
                messages::ports_counted_from_0(count),
            ),
            Some(Some(other)) => problems.add(
                at,
                messages::port_taken(port, switch, other.message()),
                match ports.iter().position(Option::is_none) {
                    Some(free) => messages::port_is_free(free),
                    None => messages::more_ports(),
                },
            ),
            Some(place) => {
                *place = Some(user);
                return true;
            }
        }
        false
    }

    fn take_lowest_free(&mut self, switch: u32, user: User) -> Option<u16> {
        let ports = &mut self.0[switch as usize];
        let port = ports.iter().position(Option::is_none)?;
        ports[port] = Some(user);
        Some(port as u16)
    }
}

fn check_sizes(drawn: &DrawnNetwork, problems: &mut Problems) {
    let cables: usize = drawn.links.iter().map(|l| usize::from(l.width)).sum();
    let (switches, hosts) = (drawn.switches.len(), drawn.hosts.len());
    let cables = cables.max(drawn.links.len());
    for (at, why, count, least, most) in [
        ("network.switches", messages::switch_count(switches), switches, 1, MAX_SWITCHES),
        ("network.hosts", messages::host_count(hosts), hosts, 2, MAX_HOSTS),
        ("network.links", messages::cable_count(cables), cables, 0, MAX_LINKS),
    ] {
        if count < least {
            problems.add(at, why, messages::add_at_least(least - count));
        } else if count > most {
            problems.add(at, why, messages::use_at_most(most));
        }
    }
}

fn check_position(at: &str, x: Option<f32>, y: Option<f32>, problems: &mut Problems) {
    for (axis, value) in [("x", x), ("y", y)] {
        if value.is_some_and(|v| !(-MAX_POSITION..=MAX_POSITION).contains(&v)) {
            problems.add(
                format!("{at}.{axis}"),
                messages::off_the_stage(),
                messages::use_from_to(f64::from(-MAX_POSITION), f64::from(MAX_POSITION)),
            );
        }
    }
    if x.is_some() != y.is_some() {
        problems.add(at, messages::half_a_position(), messages::both_or_none());
    }
}

/// The given names, with `kind` and the index for each omitted one. Adds a problem for each name
/// that is too long or not unique.
fn names<'a>(
    kind: &str,
    at: &str,
    given: impl Iterator<Item = &'a str>,
    problems: &mut Problems,
) -> Vec<String> {
    let mut seen = BTreeMap::new();
    let mut names = Vec::new();
    for (i, name) in given.enumerate() {
        let name = if name.is_empty() { format!("{kind} {i}") } else { name.to_string() };
        if name.len() > MAX_NAME_BYTES {
            problems.add(
                format!("{at}.{i}.name"),
                messages::name_has_bytes(name.len()),
                messages::use_at_most(MAX_NAME_BYTES),
            );
        }
        if let Some(other) = seen.insert(name.clone(), i) {
            problems.add(
                format!("{at}.{i}.name"),
                match kind {
                    "switch" => messages::switch_called_so(other, &name),
                    _ => messages::host_called_so(other, &name),
                },
                messages::own_name_or_none(),
            );
        }
        names.push(name);
    }
    names
}

/// Adds a problem that lists the connected components unless there is exactly one.
fn check_connected(drawn: &DrawnNetwork, names: &[String], problems: &mut Problems) {
    let n = drawn.switches.len();
    let mut neighbours = vec![Vec::new(); n];
    for link in &drawn.links {
        let (a, b) = (link.a.0 as usize, link.b.0 as usize);
        if a < n && b < n {
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
    }
    let mut seen = vec![false; n];
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for start in 0..n {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut part = vec![start];
        let mut next = 0;
        while next < part.len() {
            for &other in &neighbours[part[next]] {
                if !std::mem::replace(&mut seen[other], true) {
                    part.push(other);
                }
            }
            next += 1;
        }
        part.sort_unstable();
        parts.push(part);
    }
    if parts.len() < 2 {
        return;
    }
    let list = |part: &Vec<usize>| {
        let names: Vec<&str> = part.iter().map(|&switch| &*names[switch]).collect();
        messages::part(first_of(names, 4))
    };
    problems.add(
        "network.links",
        messages::unconnected(parts.len(), first_of(parts.iter().map(list).collect(), 6)),
        messages::link_both(&names[parts[0][0]], &names[parts[1][0]]),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::End;
    use crate::scenario::{DrawnHost, DrawnLink, DrawnSwitch};

    fn switches(n: usize, ports: u16) -> Vec<DrawnSwitch> {
        vec![DrawnSwitch { ports, ..Default::default() }; n]
    }

    fn host(switch: u32, port: Option<u16>) -> DrawnHost {
        DrawnHost { switch, port, ..Default::default() }
    }

    fn link(a: (u32, u16), b: (u32, u16), width: u16) -> DrawnLink {
        DrawnLink { a, b, width, delay_cycles: None }
    }

    /// Places of all problems of a network.
    fn places(drawn: &DrawnNetwork) -> Vec<String> {
        drawn.build().unwrap_err().0.into_iter().map(|p| p.at.to_string()).collect()
    }

    #[test]
    fn names_ports_and_trunks_are_filled_in() {
        let drawn = DrawnNetwork {
            switches: switches(2, 6),
            hosts: vec![host(0, None), host(0, Some(0)), host(1, None)],
            links: vec![link((0, 1), (1, 3), 3)],
        };
        let network = drawn.build().unwrap();
        assert_eq!(network.switches()[1].name, "switch 1");
        assert_eq!(network.hosts()[2].name, "host 2");
        let ports: Vec<u16> = network.hosts().iter().map(|h| h.port).collect();
        assert_eq!(ports, [4, 0, 0]);
        assert_eq!(network.links().len(), 3);
        assert_eq!(network.links()[2].a, (SwitchId(0), 3));
        assert_eq!(network.links()[2].b, (SwitchId(1), 5));
        assert_eq!(network.channels()[0].from, End::Switch(SwitchId(0), 1));
    }

    #[test]
    fn all_problems_are_listed() {
        let mut drawn = DrawnNetwork {
            switches: switches(4, 2),
            hosts: vec![host(0, Some(0)), host(0, Some(0)), host(9, None), host(0, Some(7))],
            links: vec![link((0, 1), (1, 0), 1), link((1, 1), (1, 2), 1), link((1, 1), (2, 0), 4)],
        };
        drawn.switches[0].name = "same".into();
        drawn.switches[3].name = "same".into();
        drawn.switches[2].ports = 0;
        drawn.switches[2].x = Some(f32::INFINITY);
        assert_eq!(
            places(&drawn),
            [
                "network.switches.2.x",
                "network.switches.2",
                "network.switches.2.ports",
                "network.links.1",
                "network.links.2.a",
                "network.links.2.b",
                "network.hosts.1.port",
                "network.hosts.2.switch",
                "network.hosts.3.port",
                "network.switches.3.name",
                "network.links",
            ]
        );
    }

    #[test]
    fn the_parts_of_a_broken_network_are_named() {
        let drawn = DrawnNetwork {
            switches: switches(5, 4),
            hosts: vec![host(0, None), host(4, None)],
            links: vec![link((0, 0), (1, 0), 1), link((2, 0), (3, 0), 1)],
        };
        let problems = drawn.build().unwrap_err();
        assert_eq!(problems.0.len(), 1);
        assert!(problems.0[0].why.to_string().contains("3 unconnected parts"), "{problems}");
        assert!(problems.0[0].why.to_string().contains("{switch 2, switch 3}"), "{problems}");
    }

    #[test]
    fn too_few_ports_say_how_many_would_do() {
        let drawn = DrawnNetwork {
            switches: switches(2, 2),
            hosts: vec![host(0, None), host(0, None), host(0, None), host(1, None)],
            links: vec![link((0, 0), (1, 0), 1)],
        };
        let problems = drawn.build().unwrap_err();
        assert_eq!(problems.0[0].at.path(), "network.switches.0.ports");
        assert!(problems.0[0].fix.to_string().contains("give it 4 ports"), "{problems}");
    }

    #[test]
    fn sizes_are_limited() {
        let nothing = DrawnNetwork::default();
        assert_eq!(places(&nothing), ["network.switches", "network.hosts"]);
        let huge = DrawnNetwork {
            switches: switches(MAX_SWITCHES + 1, 1),
            hosts: vec![host(0, None); MAX_HOSTS + 1],
            links: vec![link((0, 0), (1, 0), u16::MAX); 5],
        };
        assert_eq!(places(&huge), ["network.switches", "network.hosts", "network.links"]);
    }
}
