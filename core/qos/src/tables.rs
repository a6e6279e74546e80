//! The tables SL2SC, SC2SL and SC2VL and the virtual fabrics, checked, for look-up per packet.

use crate::messages;
use crate::senders::no_sender_on_port;
use hopscope_scenario::network::{ChannelId, End, Network};
use hopscope_scenario::problem::Problems;
use hopscope_scenario::scenario::limits::MAX_MTU_BYTES;
use hopscope_scenario::scenario::{FlowSpec, MANAGEMENT_CHANNEL, MAX_LEVELS, QosSpec, VFabricSpec};

/// Stands for a missing level, channel or lane.
const NONE: u8 = u8::MAX;

type Sc2Vl = [u8; MAX_LEVELS];

/// The tables of a network (Cano-Cano et al. 2022, section 2). The service channel is the only QoS
/// field of a packet: its level follows from SC2SL, its lane from the SC2VL table of the port it
/// leaves by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QosTables {
    sl2sc: Vec<Vec<u8>>,
    sc2sl: [u8; MAX_LEVELS],
    sc2vl: Vec<Sc2Vl>,
    /// Per channel of the network, its sender's table in `sc2vl`.
    table_of: Vec<u16>,
    mtu_bytes: Vec<u32>,
    class: Vec<u8>,
    vfabrics: Vec<VFabricSpec>,
    lanes: usize,
    /// Per table of `sc2vl`, level and position in the level's list of service channels: the lane.
    lanes_of: Vec<u8>,
    /// Length of the longest of these lists.
    positions: usize,
}

impl QosTables {
    /// Builds the tables.
    ///
    /// # Errors
    ///
    /// What is wrong with the tables; `at` is their scenario path.
    pub fn new(spec: &QosSpec, network: &Network, at: &str) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        if spec.levels.is_empty() || spec.levels.len() > MAX_LEVELS {
            problems.add(
                format!("{at}.levels"),
                messages::level_count(MAX_LEVELS),
                messages::add_or_remove_levels(),
            );
        }
        let mut sc2sl = [NONE; MAX_LEVELS];
        for (sl, level) in spec.levels.iter().enumerate() {
            check_level(spec, sl, &mut sc2sl, at, &mut problems);
            if level.class as usize >= MAX_LEVELS {
                problems.add(
                    format!("{at}.levels.{sl}.class"),
                    messages::class_above_31(),
                    messages::classes_are_0_to_31(),
                );
            }
        }
        let mut sc2vl =
            vec![lane_table(&spec.lanes, &sc2sl, &format!("{at}.lanes"), &mut problems)];
        let mut table_of = vec![0; network.channels().len()];
        for (i, port) in spec.port_lanes.iter().enumerate() {
            let at = format!("{at}.port_lanes.{i}");
            let sender = |c: &&usize| match network.channels()[**c].from {
                End::Switch(switch, number) => switch.0 == port.switch && number == port.port,
                End::Host(_) => false,
            };
            match (0..network.channels().len()).collect::<Vec<_>>().iter().find(sender) {
                Some(&channel) if table_of[channel] != 0 => problems.add(
                    format!("{at}.port"),
                    messages::port_listed_twice(port.switch, port.port),
                    messages::keep_one(),
                ),
                Some(&channel) => table_of[channel] = sc2vl.len() as u16,
                None => {
                    let (why, fix) = no_sender_on_port(network, port.switch);
                    problems.add(at.clone(), why, fix);
                }
            }
            sc2vl.push(lane_table(&port.lanes, &sc2sl, &format!("{at}.lanes"), &mut problems));
        }
        check_vfabrics(spec, network, at, &mut problems);
        let positions = spec.levels.iter().map(|l| l.channels.len()).max().unwrap_or(0);
        let mut lanes_of = Vec::new();
        for table in &sc2vl {
            for level in &spec.levels {
                let channel = |position: usize| level.channels.get(position).map_or(NONE, |&sc| sc);
                let lane = |sc: u8| table.get(sc as usize).map_or(NONE, |&vl| vl);
                lanes_of.extend((0..positions).map(|position| lane(channel(position))));
            }
        }
        let lanes =
            sc2vl.iter().flatten().filter(|&&vl| vl != NONE).max().map_or(1, |&vl| vl as usize + 1);
        problems.or(Self {
            sl2sc: spec.levels.iter().map(|l| l.channels.clone()).collect(),
            sc2sl,
            sc2vl,
            table_of,
            mtu_bytes: spec.levels.iter().map(|l| l.mtu_bytes).collect(),
            class: spec.levels.iter().map(|l| l.class).collect(),
            vfabrics: spec.vfabrics.clone(),
            lanes,
            lanes_of,
            positions,
        })
    }

    /// Number of service levels.
    pub fn levels(&self) -> usize {
        self.sl2sc.len()
    }

    /// Number of virtual lanes: one more than the highest in use.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// SL2SC: the service channels of a level.
    #[inline]
    pub fn channels(&self, level: u8) -> &[u8] {
        &self.sl2sc[level as usize]
    }

    /// SC2SL: the level of a service channel in use.
    pub fn level(&self, service_channel: u8) -> u8 {
        self.sc2sl[service_channel as usize]
    }

    /// SC2VL of the port that sends on a channel of the network.
    #[inline]
    pub fn lane(&self, channel: ChannelId, service_channel: u8) -> u8 {
        self.sc2vl[self.table_of[channel.index()] as usize][service_channel as usize]
    }

    /// The same for a level and a position in its list of service channels.
    #[inline]
    pub fn lane_of(&self, channel: ChannelId, level: u8, position: u8) -> u8 {
        let row = self.table_of[channel.index()] as usize * self.levels() + level as usize;
        self.lanes_of[row * self.positions + position as usize]
    }

    /// The lanes of each level, at any port.
    pub fn lanes_of_levels(&self) -> Vec<u32> {
        let lane = |sc: u8| {
            self.sc2vl.iter().map(move |table| table[sc as usize]).filter(|&vl| vl != NONE)
        };
        let lanes = |channels: &Vec<u8>| {
            channels.iter().flat_map(|&sc| lane(sc)).fold(0, |set, vl| set | 1 << vl)
        };
        self.sl2sc.iter().map(lanes).collect()
    }

    /// Largest packet of a level, bytes.
    #[inline]
    pub fn mtu_bytes(&self, level: u8) -> u32 {
        self.mtu_bytes[level as usize]
    }

    /// The traffic class of a level.
    pub fn class(&self, level: u8) -> u8 {
        self.class[level as usize]
    }

    /// Largest packet on each lane, bytes.
    pub fn largest_on_lanes(&self) -> Vec<u32> {
        let mut largest = vec![0; self.lanes];
        for table in &self.sc2vl {
            for (sc, &vl) in
                table.iter().enumerate().filter(|(sc, vl)| **vl != NONE && self.sc2sl[*sc] != NONE)
            {
                let mtu = self.mtu_bytes(self.sc2sl[sc]);
                largest[vl as usize] = largest[vl as usize].max(mtu);
            }
        }
        largest
    }

    /// True if, at every port, each lane is used by only one of the first `positions` positions in
    /// the levels' lists of service channels. Then properties of positions, such as freedom from
    /// cycles, hold for lanes too.
    pub fn lanes_tell_positions(&self, positions: usize) -> bool {
        self.sc2vl.iter().all(|table| {
            let mut position_of = [None; MAX_LEVELS];
            self.sl2sc.iter().flat_map(|channels| channels.iter().take(positions).enumerate()).all(
                |(position, &sc)| {
                    let known = position_of[table[sc as usize] as usize].get_or_insert(position);
                    *known == position
                },
            )
        })
    }

    /// True if a host may send with a level and protocol: a virtual fabric has the traffic class of
    /// the level, the host and the protocol, or there are no virtual fabrics. A fabric that lists
    /// no hosts has all, and likewise for protocols.
    pub fn admits(&self, host: u32, level: u8, protocol: &str) -> bool {
        self.vfabrics.is_empty()
            || self.vfabrics.iter().any(|f| {
                f.class == self.class(level)
                    && (f.hosts.is_empty() || f.hosts.contains(&host))
                    && (f.protocols.is_empty() || f.protocols.iter().any(|p| p == protocol))
            })
    }

    /// Checks that each flow's level exists, that a virtual fabric admits its sources, and that the
    /// protocols of virtual fabrics are names of flows; `at` is the flows' path.
    pub fn check_flows(&self, flows: &[FlowSpec], hosts: usize, at: &str) -> Result<(), Problems> {
        let mut problems = Problems::default();
        for (i, fabric) in self.vfabrics.iter().enumerate() {
            for (j, protocol) in fabric.protocols.iter().enumerate() {
                if flows.iter().all(|flow| flow.name != *protocol) {
                    problems.add(
                        format!("fabric.qos.vfabrics.{i}.protocols.{j}"),
                        messages::protocol_without_flow(protocol),
                        messages::name_a_flow(),
                    );
                }
            }
        }
        for (i, flow) in flows.iter().enumerate() {
            if flow.level as usize >= self.levels() {
                problems.add(
                    format!("{at}.{i}.level"),
                    messages::no_such_service_level(flow.level),
                    messages::use_levels_or_add(self.levels() - 1),
                );
                continue;
            }
            let everyone: Vec<u32> = (0..hosts as u32).collect();
            let sources = if flow.sources.is_empty() { &everyone } else { &flow.sources };
            if let Some(host) = sources.iter().find(|&&h| !self.admits(h, flow.level, &flow.name)) {
                problems.add(
                    format!("{at}.{i}"),
                    messages::no_virtual_fabric(self.class(flow.level), *host),
                    messages::add_to_virtual_fabric(),
                );
            }
        }
        problems.or(())
    }
}

fn check_level(
    spec: &QosSpec,
    sl: usize,
    sc2sl: &mut [u8; MAX_LEVELS],
    at: &str,
    problems: &mut Problems,
) {
    let level = &spec.levels[sl];
    let at = format!("{at}.levels.{sl}");
    if level.channels.is_empty() {
        problems.add(
            format!("{at}.channels"),
            messages::level_without_channel(),
            messages::give_a_channel(),
        );
    }
    if !(1..=MAX_MTU_BYTES).contains(&level.mtu_bytes) {
        problems.add(
            format!("{at}.mtu_bytes"),
            messages::out_of_range(level.mtu_bytes),
            messages::use_mtu_bytes(MAX_MTU_BYTES),
        );
    }
    for &sc in &level.channels {
        if sc as usize >= MAX_LEVELS {
            problems.add(
                format!("{at}.channels"),
                messages::no_such_service_channel(sc),
                messages::use_between(0, 31),
            );
        } else if sc == MANAGEMENT_CHANNEL && level.channels.len() > 1 {
            problems.add(
                format!("{at}.channels"),
                messages::management_channel(),
                messages::management_channel_alone(),
            );
        } else if sc2sl[sc as usize] != NONE {
            problems.add(
                format!("{at}.channels"),
                messages::channel_taken(sc, sc2sl[sc as usize]),
                messages::channels_of_their_own(),
            );
        } else {
            sc2sl[sc as usize] = sl as u8;
        }
    }
}

fn lane_table(lanes: &[u8], sc2sl: &[u8; MAX_LEVELS], at: &str, problems: &mut Problems) -> Sc2Vl {
    let mut table = [NONE; MAX_LEVELS];
    if lanes.len() > MAX_LEVELS {
        problems.add(at, messages::too_many_channels(), messages::list_32_lanes());
    }
    for (sc, &vl) in lanes.iter().enumerate().take(MAX_LEVELS) {
        if vl as usize >= MAX_LEVELS {
            problems.add(
                format!("{at}.{sc}"),
                messages::no_such_lane(vl),
                messages::lanes_are_0_to_31(),
            );
        } else {
            table[sc] = vl;
        }
    }
    for sc in (0..MAX_LEVELS).filter(|&sc| sc2sl[sc] != NONE && sc >= lanes.len()) {
        problems.add(at, messages::channel_without_lane(sc), messages::list_a_lane());
    }
    table
}

fn check_vfabrics(spec: &QosSpec, network: &Network, at: &str, problems: &mut Problems) {
    for (i, fabric) in spec.vfabrics.iter().enumerate() {
        let at = format!("{at}.vfabrics.{i}");
        if !spec.levels.iter().any(|l| l.class == fabric.class) {
            problems.add(
                format!("{at}.class"),
                messages::class_without_level(fabric.class),
                messages::bind_to_class(),
            );
        }
        if let Some(host) = fabric.hosts.iter().find(|&&h| h as usize >= network.hosts().len()) {
            problems.add(
                format!("{at}.hosts"),
                messages::host_missing(*host),
                messages::name_hosts(),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_scenario::network::{Host, Switch, SwitchId};
    use hopscope_scenario::scenario::{LevelSpec, PortLanes};

    fn network() -> Network {
        let switch = Switch { name: "s".into(), ports: 4, position: None };
        let host =
            |port| Host { name: format!("h{port}"), switch: SwitchId(0), port, position: None };
        Network::new(vec![switch], vec![host(0), host(1)], vec![])
    }

    fn level(channels: &[u8], class: u8) -> LevelSpec {
        LevelSpec { channels: channels.to_vec(), class, ..Default::default() }
    }

    /// Configuration B of the OPASim study.
    fn sample() -> QosSpec {
        QosSpec {
            levels: vec![level(&[0, 1], 0), level(&[2], 1), level(&[3], 1)],
            lanes: vec![0, 1, 2, 2],
            ..Default::default()
        }
    }

    fn refuse(change: impl FnOnce(&mut QosSpec)) -> String {
        let mut spec = sample();
        change(&mut spec);
        QosTables::new(&spec, &network(), "fabric.qos").expect_err("refused").to_string()
    }

    #[test]
    fn tables_map_levels_to_lanes_and_service_channels_to_levels() {
        let tables = QosTables::new(&sample(), &network(), "fabric.qos").expect("valid");
        assert_eq!(tables.channels(0), [0, 1]);
        assert_eq!([0, 1, 2, 3].map(|sc| tables.level(sc)), [0, 0, 1, 2]);
        assert_eq!([0, 1, 2, 3].map(|sc| tables.lane(ChannelId(0), sc)), [0, 1, 2, 2]);
        assert_eq!(tables.lanes(), 3);
    }

    #[test]
    fn a_port_may_have_its_own_lanes() {
        let mut spec = sample();
        spec.port_lanes = vec![PortLanes { switch: 0, port: 1, lanes: vec![3, 3, 3, 3] }];
        let network = network();
        let tables = QosTables::new(&spec, &network, "fabric.qos").expect("valid");
        let [other, changed] =
            [0, 1].map(|h| network.ejection(hopscope_scenario::network::HostId(h)));
        assert_eq!(
            [tables.lane(other, 2), tables.lane(changed, 2), tables.lanes() as u8],
            [2, 3, 4]
        );
    }

    #[test]
    fn lanes_may_tell_positions() {
        let mut spec = QosSpec {
            levels: vec![level(&[0, 1], 0), level(&[2, 3], 0)],
            lanes: vec![0, 1, 0, 1],
            ..Default::default()
        };
        let told = |spec: &QosSpec, positions| {
            QosTables::new(spec, &network(), "fabric.qos")
                .expect("valid")
                .lanes_tell_positions(positions)
        };
        assert!(told(&spec, 2));
        spec.lanes = vec![0, 1, 1, 2];
        assert!(!told(&spec, 2), "lane 1 is second for level 0 and first for level 1");
        assert!(told(&spec, 1), "no level uses the second position");
    }

    #[test]
    fn wrong_tables_are_refused() {
        assert!(refuse(|s| s.levels.clear()).contains("1 to 32 service levels"));
        assert!(refuse(|s| s.levels.resize(33, level(&[9], 0))).contains("1 to 32 service levels"));
        assert!(refuse(|s| s.levels[1].channels = vec![0]).contains("belongs to level 0 already"));
        assert!(refuse(|s| s.levels[1].channels = vec![15, 16]).contains("management"));
        assert!(refuse(|s| s.levels[1].channels = vec![40]).contains("no service channel 40"));
        assert!(refuse(|s| s.levels[1].channels = vec![]).contains("has no service channel"));
        assert!(refuse(|s| s.levels[1].class = 32).contains("above 31"));
        assert!(refuse(|s| s.levels[1].mtu_bytes = 0).contains("0 is out of range"));
        assert!(refuse(|s| s.lanes = vec![0, 1]).contains("has no lane"));
        assert!(refuse(|s| s.lanes[0] = 32).contains("no lane 32"));
        let port = PortLanes { switch: 0, port: 3, lanes: vec![0; 4] };
        assert!(refuse(|s| s.port_lanes = vec![port]).contains("no cable"));
        let fabric = VFabricSpec { class: 7, hosts: vec![9], ..Default::default() };
        let text = refuse(|s| s.vfabrics = vec![fabric]);
        assert!(text.contains("traffic class 7") && text.contains("no host 9"), "{text}");
    }

    #[test]
    fn virtual_fabrics_admit_flows() {
        let mut spec = sample();
        let fabric = VFabricSpec {
            class: 1,
            hosts: vec![0],
            protocols: vec!["mpi".into()],
            ..Default::default()
        };
        spec.vfabrics = vec![fabric];
        let tables = QosTables::new(&spec, &network(), "fabric.qos").expect("valid");
        let flow = |level, host, name: &str| FlowSpec {
            level,
            sources: vec![host],
            name: name.into(),
            ..Default::default()
        };
        let check = |flow| tables.check_flows(&[flow], 2, "traffic").is_ok();
        assert!(check(flow(1, 0, "mpi")) && check(flow(2, 0, "mpi")));
        assert!(!check(flow(1, 1, "mpi")), "host 1 is not in it");
        assert!(!check(flow(1, 0, "storage")), "another protocol");
        assert!(!check(flow(0, 0, "mpi")), "no virtual fabric has class 0");
        assert!(!check(flow(3, 0, "mpi")), "no such level");
    }
}
