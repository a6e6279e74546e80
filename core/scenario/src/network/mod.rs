//! Networks: switches, hosts, links, and the directed channels of links and hosts.
//!
//! Channels have dense numbers by a fixed rule (see [`Network`]). [`graph`] shows a network to
//! petgraph; [`generators`] make networks.

pub mod generators;
pub mod graph;
mod ids;
pub use ids::{ChannelId, HostId, LinkId, SwitchId};

/// A switch.
#[derive(Debug, Clone, PartialEq)]
pub struct Switch {
    /// Shown to people; unique.
    pub name: String,
    /// Number of ports; ports are `0..ports`.
    pub ports: u16,
    /// Position on the stage, if the user or an importer gave one.
    pub position: Option<[f32; 2]>,
}

/// A host (its NIC), on one port of one switch.
#[derive(Debug, Clone, PartialEq)]
pub struct Host {
    /// Shown to people; unique.
    pub name: String,
    /// Its switch.
    pub switch: SwitchId,
    /// The port of that switch.
    pub port: u16,
    /// Position on the stage, if any.
    pub position: Option<[f32; 2]>,
}

/// A bidirectional cable between two switch ports. A trunk of the scenario (`width` above 1) is as
/// many cables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// First end: switch and port.
    pub a: (SwitchId, u16),
    /// Second end: switch and port.
    pub b: (SwitchId, u16),
    /// Cycles from sending a flit to its arrival; `None` takes the fabric's default.
    pub delay_cycles: Option<u32>,
}

/// One end of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A port of a switch.
    Switch(SwitchId, u16),
    /// A host's NIC.
    Host(HostId),
}

/// A directed channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channel {
    /// Where flits enter it.
    pub from: End,
    /// Where flits leave it.
    pub to: End,
}

/// A validated network. Channel numbers are dense and fixed by this rule: link `l` has channels
/// `2l` (a to b) and `2l + 1` (b to a); after all links, host `h` has its injection channel
/// (host to switch) and then its ejection channel (switch to host).
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    switches: Vec<Switch>,
    hosts: Vec<Host>,
    links: Vec<Link>,
    channels: Vec<Channel>,
    /// Per switch: network channels that leave it, in port order.
    out: Vec<Vec<(ChannelId, SwitchId)>>,
    /// Per switch: its hosts, ascending.
    hosts_of: Vec<Vec<HostId>>,
}

impl Network {
    /// Builds the derived tables. The parts must be consistent (ids and ports in range, no port
    /// used twice); `scenario::validate` checks them.
    pub fn new(switches: Vec<Switch>, hosts: Vec<Host>, links: Vec<Link>) -> Self {
        let mut channels = Vec::with_capacity(2 * (links.len() + hosts.len()));
        let mut out: Vec<Vec<(u16, ChannelId, SwitchId)>> = vec![Vec::new(); switches.len()];
        let mut hosts_of = vec![Vec::new(); switches.len()];
        for link in &links {
            let (a, b) = (End::Switch(link.a.0, link.a.1), End::Switch(link.b.0, link.b.1));
            out[link.a.0.index()].push((link.a.1, ChannelId::new(channels.len()), link.b.0));
            channels.push(Channel { from: a, to: b });
            out[link.b.0.index()].push((link.b.1, ChannelId::new(channels.len()), link.a.0));
            channels.push(Channel { from: b, to: a });
        }
        for (i, host) in hosts.iter().enumerate() {
            let (h, s) = (End::Host(HostId::new(i)), End::Switch(host.switch, host.port));
            channels.push(Channel { from: h, to: s });
            channels.push(Channel { from: s, to: h });
            hosts_of[host.switch.index()].push(HostId::new(i));
        }
        let out = out
            .into_iter()
            .map(|mut ports| {
                ports.sort_unstable();
                ports.into_iter().map(|(_, c, s)| (c, s)).collect()
            })
            .collect();
        Self { switches, hosts, links, channels, out, hosts_of }
    }

    /// All switches; index with `SwitchId::index`.
    pub fn switches(&self) -> &[Switch] {
        &self.switches
    }

    /// Ports of the largest switch; 0 if there is no switch.
    pub fn most_ports(&self) -> u16 {
        self.switches.iter().map(|switch| switch.ports).max().unwrap_or(0)
    }

    /// All hosts; index with `HostId::index`.
    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// The name of a switch or host.
    pub fn name(&self, end: End) -> &str {
        match end {
            End::Switch(switch, _) => &self.switches[switch.index()].name,
            End::Host(host) => &self.hosts[host.index()].name,
        }
    }

    /// All links; index with `LinkId::index`.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// All channels; index with `ChannelId::index`.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Number of channels between switches; these are channels `0..n`.
    pub fn network_channels(&self) -> usize {
        2 * self.links.len()
    }

    /// The channel from a host to its switch.
    #[inline]
    pub fn injection(&self, host: HostId) -> ChannelId {
        ChannelId::new(2 * (self.links.len() + host.index()))
    }

    /// The channel from a host's switch to it.
    pub fn ejection(&self, host: HostId) -> ChannelId {
        ChannelId::new(2 * (self.links.len() + host.index()) + 1)
    }

    /// The channel in the opposite direction of the same cable.
    pub fn reverse(&self, channel: ChannelId) -> ChannelId {
        ChannelId::new(channel.index() ^ 1)
    }

    /// The link a network channel belongs to, `None` for host channels.
    pub fn link_of(&self, channel: ChannelId) -> Option<LinkId> {
        (channel.index() < self.network_channels()).then(|| LinkId::new(channel.index() / 2))
    }

    /// The delay of a channel, in cycles: that of its link, or `default` for a link or host channel
    /// without a delay of its own.
    pub fn delay_cycles(&self, channel: ChannelId, default: u32) -> u32 {
        let link = self.link_of(channel).map(|link| &self.links[link.index()]);
        link.and_then(|link| link.delay_cycles).unwrap_or(default)
    }

    /// The host a host channel belongs to, `None` for network channels.
    pub fn host_of(&self, channel: ChannelId) -> Option<HostId> {
        (channel.index() >= self.network_channels())
            .then(|| HostId::new((channel.index() - self.network_channels()) / 2))
    }

    /// Network channels that leave a switch with the switch they lead to, in port order.
    pub fn neighbours(&self, switch: SwitchId) -> &[(ChannelId, SwitchId)] {
        &self.out[switch.index()]
    }

    /// Hosts of a switch, ascending.
    pub fn hosts_of(&self, switch: SwitchId) -> &[HostId] {
        &self.hosts_of[switch.index()]
    }

    /// The switch a network channel comes from. Panics for injection channels.
    pub fn source_switch(&self, channel: ChannelId) -> SwitchId {
        match self.channels[channel.index()].from {
            End::Switch(s, _) => s,
            End::Host(_) => panic!("an injection channel comes from a host"),
        }
    }

    /// The switch a network channel leads to. Panics for ejection channels.
    pub fn target_switch(&self, channel: ChannelId) -> SwitchId {
        match self.channels[channel.index()].to {
            End::Switch(s, _) => s,
            End::Host(_) => panic!("an ejection channel leads to a host"),
        }
    }
}
