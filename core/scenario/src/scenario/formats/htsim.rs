//! Topology files of htsim, which describe a fat tree of two or three tiers by the parameters of
//! each tier (`FatTreeTopology::load` in Broadcom's csg-htsim).
//!
//! ```text
//! Nodes 1024
//! Tiers 3
//! Podsize 64
//!
//! Tier 0
//! Downlink_speed_Gbps 100
//! Radix_Down 8
//! Radix_Up 8
//! Downlink_Latency_ns 1000
//! ```
//!
//! Every top-of-rack switch (tier 0) has `Bundle` cables to each switch of tier 1 in its pod, or in
//! the whole network if there are two tiers. Core switch `c` (tier 2) is linked with one switch of
//! tier 1 in every pod, number `c` modulo the switches of tier 1 in a pod. The radices give the
//! number of switches; values that contradict them are refused. Speeds, latencies and queues are
//! not read: the fabric of the scenario has them.

use super::parts::{Cable, Node, Parts};
use super::{Begins, Member, Reads, Source, Writes, messages};
use crate::message::Message;
use crate::network::generators::wiring::{SPACING, row_distance};
use crate::problem::Problems;
use crate::scenario::limits::{MAX_HOSTS, MAX_LINKS, MAX_SWITCHES};

pub(super) const MEMBER: Member = Member {
    descriptor: super::format(
        "htsim",
        "htsim",
        "fat trees of htsim, tier by tier; read only",
        &[],
        "github.com/Broadcom/csg-htsim, fat_tree_topology.cpp",
    ),
    extensions: &["topo", "htsim"],
    begins: Begins::WithWord(&["nodes", "tiers", "podsize"]),
    read: Reads::Parts(read),
    write: Writes::No,
};

/// What the header says.
const HEADER: [&str; 3] = ["Nodes", "Tiers", "Podsize"];
const NODES: usize = 0;
const TIERS: usize = 1;
const POD_SIZE: usize = 2;

/// What is said of a tier.
const TIER: [&str; 9] = [
    "Radix_Down",
    "Radix_Up",
    "Bundle",
    "Downlink_speed_Gbps",
    "Oversubscribed",
    "Downlink_Latency_ns",
    "Switch_Latency_ns",
    "Queue_Down",
    "Queue_Up",
];
const RADIX_DOWN: usize = 0;
const RADIX_UP: usize = 1;
const BUNDLE: usize = 2;
const SPEED: usize = 3;
const OVERSUBSCRIBED: usize = 4;
/// The values of a tier that may be 0: from this one on.
const MAY_BE_ZERO: usize = 5;

/// A value and its line.
type Given = Option<(u32, usize)>;

/// The values of a file.
struct Values<'a> {
    source: Source<'a>,
    header: [Given; HEADER.len()],
    tiers: [[Given; TIER.len()]; 3],
}

fn read(source: Source<'_>) -> Result<Parts, Problems> {
    let mut values = Values { source, header: Default::default(), tiers: Default::default() };
    let mut tier = None;
    for (text, line) in source.text.lines().zip(1..) {
        values.read(text, line, &mut tier)?;
    }
    values.parts()
}

impl Values<'_> {
    fn problem<T>(&self, line: usize, why: Message, fix: Message) -> Result<T, Problems> {
        Err(Problems::one(self.source.line(line), why, fix))
    }

    /// Reads a line: a word and a number. `tier` is the tier that the line is about.
    fn read(&mut self, text: &str, line: usize, tier: &mut Option<usize>) -> Result<(), Problems> {
        let text = text.split('#').next().unwrap_or_default();
        let mut words = text.split_whitespace();
        let Some(word) = words.next() else { return Ok(()) };
        let is_word = |known: &&str| known.eq_ignore_ascii_case(word);
        let (slot, least) = if word.eq_ignore_ascii_case("Tier") {
            (None, 0)
        } else if let Some(i) = HEADER.iter().position(is_word) {
            (Some(&mut self.header[i]), 1)
        } else if let Some(i) = TIER.iter().position(is_word) {
            let Some(tier) = *tier else {
                let why = messages::htsim_before_tier(TIER[i]);
                return self.problem(line, why, messages::htsim_begin_tier());
            };
            (Some(&mut self.tiers[tier][i]), u32::from(i < MAY_BE_ZERO))
        } else {
            let why = messages::htsim_word_unknown(first_chars(word));
            let known = ["Tier"].into_iter().chain(HEADER).chain(TIER).collect::<Vec<_>>();
            return self.problem(line, why, messages::file_format_choices(known));
        };
        let most = if slot.is_none() { 2 } else { u32::MAX };
        let value = words.next().unwrap_or_default();
        let number = value.parse().ok().filter(|number| (least..=most).contains(number));
        let (Some(number), None) = (number, words.next()) else {
            let why = messages::file_number_wrong(first_chars(word), first_chars(text));
            return self.problem(line, why, messages::file_number_range(least, most));
        };
        match slot {
            None => *tier = Some(number as usize),
            Some(Some((_, first))) => {
                let why = messages::htsim_twice(first_chars(word), *first);
                return self.problem(line, why, messages::htsim_say_it_once());
            }
            Some(slot) => *slot = Some((number, line)),
        }
        Ok(())
    }

    fn header(&self, i: usize) -> Result<(u64, usize), Problems> {
        let missing = || {
            Problems::one(
                self.source.name,
                messages::htsim_missing(HEADER[i]),
                messages::file_check_it_is_right(),
            )
        };
        self.header[i].map(|(value, line)| (value.into(), line)).ok_or_else(missing)
    }

    fn tier(&self, tier: usize, i: usize) -> Result<(u64, usize), Problems> {
        let missing = || {
            Problems::one(
                self.source.name,
                messages::htsim_missing_in_tier(TIER[i], tier),
                messages::file_check_it_is_right(),
            )
        };
        self.tiers[tier][i].map(|(value, line)| (value.into(), line)).ok_or_else(missing)
    }

    /// Cables between a switch of `tier` and one below it.
    fn bundle(&self, tier: usize) -> u64 {
        self.tiers[tier][BUNDLE].map_or(1, |(bundle, _)| bundle.into())
    }

    /// `a / b`, which must be whole. The names are those of the two values.
    fn divide(
        &self,
        (a, line): (u64, usize),
        b: u64,
        [a_name, b_name]: [&str; 2],
    ) -> Result<u64, Problems> {
        if a.is_multiple_of(b) {
            Ok(a / b)
        } else {
            let why = messages::htsim_no_multiple(a_name, a, b_name, b);
            self.problem(line, why, messages::htsim_use_multiple(b))
        }
    }

    /// Checks that switches of `tier` have as many cables down as lead up to them.
    fn check_radix(&self, tier: usize, below: u64) -> Result<(), Problems> {
        let (radix, line) = self.tier(tier, RADIX_DOWN)?;
        let needed = below.saturating_mul(self.bundle(tier));
        if radix == needed {
            return Ok(());
        }
        let why = messages::htsim_radix_wrong(radix, tier, needed);
        self.problem(line, why, messages::htsim_use(needed))
    }

    /// Checks that the speed up from a tier, times its oversubscription, is the speed down.
    fn check_oversubscription(&self, tier: usize) -> Result<(), Problems> {
        let Some((ratio, line)) = self.tiers[tier][OVERSUBSCRIBED] else { return Ok(()) };
        let speed = |tier: usize| u128::from(self.tiers[tier][SPEED].map_or(1, |given| given.0));
        let down = u128::from(self.tier(tier, RADIX_DOWN)?.0) * speed(tier);
        let up = u128::from(self.tier(tier, RADIX_UP)?.0) * speed(tier + 1);
        if up * u128::from(ratio) == down {
            return Ok(());
        }
        let why = messages::htsim_oversubscription_wrong(ratio, down, up);
        self.problem(line, why, messages::htsim_check_oversubscription())
    }

    /// Makes the switches and cables.
    fn parts(&self) -> Result<Parts, Problems> {
        let nodes = self.header(NODES)?;
        let (tiers, tiers_line) = self.header(TIERS)?;
        if !(2..=3).contains(&tiers) {
            let why = messages::file_number_wrong(HEADER[TIERS], tiers);
            return self.problem(tiers_line, why, messages::file_number_range(2, 3));
        }
        let pod_size = self.header(POD_SIZE)?;
        let pods = self.divide(nodes, pod_size.0, [HEADER[NODES], HEADER[POD_SIZE]])?;
        let hosts_per_tor = self.tier(0, RADIX_DOWN)?.0;
        let tors_per_pod =
            self.divide(pod_size, hosts_per_tor, [HEADER[POD_SIZE], TIER[RADIX_DOWN]])?;
        if let Some((bundle, line)) = self.tiers[0][BUNDLE]
            && bundle != 1
        {
            let why = messages::htsim_bundle_of_hosts(bundle);
            return self.problem(line, why, messages::htsim_use(1));
        }
        // Of two tiers, the upper one reaches all pods.
        let tors = pods * tors_per_pod;
        let groups = if tiers == 3 { pods } else { 1 };
        let tors_per_group = tors / groups;
        let names = [TIER[RADIX_UP], TIER[BUNDLE]];
        let aggs_per_group = self.divide(self.tier(0, RADIX_UP)?, self.bundle(1), names)?;
        self.check_radix(1, tors_per_group)?;
        self.check_oversubscription(0)?;
        let cores_per_agg = if tiers == 3 {
            let cores = self.divide(self.tier(1, RADIX_UP)?, self.bundle(2), names)?;
            self.check_radix(2, pods)?;
            self.check_oversubscription(1)?;
            cores
        } else {
            0
        };
        let aggs = groups.saturating_mul(aggs_per_group);
        let cores = aggs_per_group.saturating_mul(cores_per_agg);
        let switches = tors.saturating_add(aggs).saturating_add(cores);
        let cables = (tors.saturating_mul(self.tier(0, RADIX_UP)?.0))
            .saturating_add(cores.saturating_mul(pods).saturating_mul(self.bundle(2)));
        let exceeds = |count: u64, max: usize| count > max as u64;
        if exceeds(nodes.0, MAX_HOSTS)
            || exceeds(switches, MAX_SWITCHES)
            || exceeds(cables, MAX_LINKS)
        {
            return Err(Parts::too_many_problem(self.source, nodes.1));
        }
        // All counts are within the limits from here on.
        let [hosts, tors, aggs, cores] = [nodes.0, tors, aggs, cores].map(|count| count as usize);
        let [hosts_per_tor, tors_per_group, aggs_per_group] =
            [hosts_per_tor, tors_per_group, aggs_per_group].map(|count| count as usize);
        let line = nodes.1;
        let mut parts = Parts::default();
        parts.notes.push(messages::note_htsim_speeds_left_out());
        let longest = tors.max(aggs).max(cores);
        let distance = row_distance(longest as u32, tiers as u32, 3.0).max(1.5);
        for (name, count, row) in [("tor", tors, 0.0), ("agg", aggs, 1.0), ("core", cores, 2.0)] {
            for i in 0..count {
                let x = (i as f32 + 0.5) * longest as f32 / count as f32;
                parts.nodes.push(Node {
                    name: format!("{name} {i}"),
                    line,
                    position: Some([x, -row * distance].map(|at| (at * SPACING).round() + 0.0)),
                    ..Default::default()
                });
            }
        }
        let first_host = parts.nodes.len();
        let mut cable = |a: usize, b: usize, width: u64| {
            let ends = [(a, None), (b, None)];
            // More cables than this are refused later: no switch has the ports.
            let width = u16::try_from(width).unwrap_or(u16::MAX);
            parts.cables.push(Cable { ends, width, delay_cycles: None, line });
        };
        for host in 0..hosts {
            cable(host / hosts_per_tor, first_host + host, 1);
        }
        for tor in 0..tors {
            let group = tor / tors_per_group;
            for agg in 0..aggs_per_group {
                cable(tor, tors + group * aggs_per_group + agg, self.bundle(1));
            }
        }
        for agg in 0..aggs {
            for core in (agg % aggs_per_group..cores).step_by(aggs_per_group) {
                cable(tors + agg, tors + aggs + core, self.bundle(2));
            }
        }
        parts.nodes.extend((0..hosts).map(|_| Node { line, host: true, ..Default::default() }));
        Ok(parts)
    }
}

/// A word of the file for a message, cut off if it is long.
fn first_chars(word: &str) -> String {
    word.trim().chars().take(40).collect()
}
