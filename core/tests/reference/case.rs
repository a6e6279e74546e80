//! A case two simulators are compared on, as text short enough to paste into a test.

use hopscope_core::engine::Cycle;
use hopscope_core::fabric::wormhole::trace::MessageSpec;
use hopscope_core::network::{ChannelId, Host, HostId, Link, Network, Switch, SwitchId};
use hopscope_core::routing::{Hop, Step};
use hopscope_core::scenario::{ItbOverflow, WormholeSpec};
use std::fmt;

/// Network, parameters, messages, and where to stop.
#[derive(Debug, Clone)]
pub struct Case {
    pub spec: WormholeSpec,
    pub max_cycles: Cycle,
    /// Hosts of each switch, in a row: switch by switch.
    pub hosts: Vec<u16>,
    /// Hosts are on the ports after the links, not before.
    pub hosts_last: bool,
    /// Links: two switches and a delay. They take the ports of a switch in this order.
    pub links: Vec<(u32, u32, u32)>,
    pub messages: Vec<MessageSpec>,
}

impl Case {
    pub fn network(&self) -> Network {
        let (switches, hosts, links) = (self.hosts.len(), &self.hosts, &self.links);
        let degree = |s: usize| {
            links.iter().map(|l| u16::from(l.0 as usize == s) + u16::from(l.1 as usize == s)).sum()
        };
        let mut link_port: Vec<u16> =
            if self.hosts_last { vec![0; switches] } else { hosts.clone() };
        let mut host_port: Vec<u16> =
            if self.hosts_last { (0..switches).map(degree).collect() } else { vec![0; switches] };
        let ports: Vec<u16> = (0..switches).map(|s| hosts[s] + degree(s)).collect();
        let take = |ports: &mut Vec<u16>, s: u32| {
            ports[s as usize] += 1;
            (SwitchId(s), ports[s as usize] - 1)
        };
        let links = links.iter().map(|&(a, b, delay)| {
            let (a, b) = (take(&mut link_port, a), take(&mut link_port, b));
            Link { a, b, delay_cycles: Some(delay) }
        });
        let links = links.collect();
        let places = (0..).zip(hosts).flat_map(|(s, &n)| std::iter::repeat_n(s, n.into()));
        let hosts = places.enumerate().map(|(h, s): (usize, u32)| {
            let (switch, port) = take(&mut host_port, s);
            Host { name: format!("host {h}"), switch, port, position: None }
        });
        let hosts = hosts.collect();
        let switches = ports.iter().enumerate();
        let switches = switches.map(|(s, &ports)| Switch {
            name: format!("switch {s}"),
            ports,
            position: None,
        });
        Network::new(switches.collect(), hosts, links)
    }

    /// Reads what `Display` writes.
    pub fn parse(text: &str) -> Self {
        let mut case = Self {
            spec: WormholeSpec::default(),
            max_cycles: 100_000,
            hosts: Vec::new(),
            hosts_last: false,
            links: Vec::new(),
            messages: Vec::new(),
        };
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (line, route) = line.split_once(':').unwrap_or((line, ""));
            let mut words = line.split_whitespace();
            let keyword = words.next().expect("a keyword");
            let numbers: Vec<u64> = words
                .map(|w| w.parse().unwrap_or_else(|_| panic!("`{w}` in `{line}` is no number")))
                .collect();
            let small = |i: usize| u32::try_from(numbers[i]).expect("a small number");
            let spec = &mut case.spec;
            match keyword {
                "until" => case.max_cycles = numbers[0],
                "delay" => spec.link_delay_cycles = small(0),
                "routing" => spec.routing_cycles = small(0),
                "buffer_stop_go" => {
                    [spec.buffer_flits, spec.stop_flits, spec.go_flits] = [0, 1, 2].map(small)
                }
                "detection_dma" => {
                    [spec.itb_detection_cycles, spec.itb_dma_cycles] = [0, 1].map(small)
                }
                "memory" => spec.itb_memory_bytes = small(0),
                "drop" => spec.itb_overflow = ItbOverflow::Drop,
                "no_header" => spec.count_header = false,
                "timeout" => spec.timeout_cycles = numbers[0],
                "hosts" => case.hosts = numbers.iter().map(|n| *n as u16).collect(),
                "hosts_last" => case.hosts_last = true,
                "link" => case.links.push((small(0), small(1), small(2))),
                "message" => case.messages.push(MessageSpec {
                    generated: numbers[0],
                    from: HostId(small(1)),
                    to: HostId(small(2)),
                    payload: small(3),
                    steps: route.split_whitespace().map(parse_step).collect(),
                }),
                _ => panic!("`{keyword}` is no keyword"),
            }
        }
        case
    }
}

fn parse_step(word: &str) -> Step {
    let number = word[1..].parse().expect("a number");
    match &word[..1] {
        "c" => Step::channel(ChannelId(number)),
        "h" => Step::in_transit(HostId(number)),
        _ => panic!("`{word}` is no step"),
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let spec = &self.spec;
        writeln!(f, "until {}", self.max_cycles)?;
        writeln!(f, "delay {}\nrouting {}", spec.link_delay_cycles, spec.routing_cycles)?;
        writeln!(f, "buffer_stop_go {} {} {}", spec.buffer_flits, spec.stop_flits, spec.go_flits)?;
        writeln!(f, "detection_dma {} {}", spec.itb_detection_cycles, spec.itb_dma_cycles)?;
        writeln!(f, "memory {}", spec.itb_memory_bytes)?;
        if spec.itb_overflow == ItbOverflow::Drop {
            writeln!(f, "drop")?;
        }
        if !spec.count_header {
            writeln!(f, "no_header")?;
        }
        writeln!(f, "timeout {}", spec.timeout_cycles)?;
        let hosts: String = self.hosts.iter().map(|n| format!(" {n}")).collect();
        writeln!(f, "hosts{hosts}")?;
        if self.hosts_last {
            writeln!(f, "hosts_last")?;
        }
        for (a, b, delay) in &self.links {
            writeln!(f, "link {a} {b} {delay}")?;
        }
        for MessageSpec { generated, from, to, payload, steps } in &self.messages {
            write!(f, "message {generated} {} {} {payload} :", from.0, to.0)?;
            for step in steps {
                match step.hop() {
                    Hop::Channel(c) => write!(f, " c{}", c.0)?,
                    Hop::InTransit(h) => write!(f, " h{}", h.0)?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
