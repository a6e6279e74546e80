//! Checks of the workload.

use super::{share, within};
use crate::message::Message;
use crate::messages;
use crate::network::{Network, SwitchId};
use crate::problem::Problems;
use crate::scenario::limits::*;
use crate::scenario::{ArrivalSpec, FabricSpec, FlowSpec, LoadUnit, PatternSpec, SizeSpec};

pub(super) fn check(
    traffic: &[FlowSpec],
    fabric: &FabricSpec,
    network: Option<&Network>,
    problems: &mut Problems,
) {
    if traffic.is_empty() || traffic.len() > MAX_FLOWS {
        problems.add(
            "traffic",
            messages::flow_count(traffic.len()),
            messages::use_from_to(1, MAX_FLOWS),
        );
    }
    for (i, flow) in traffic.iter().take(MAX_FLOWS).enumerate() {
        let at = format!("traffic.{i}");
        if flow.name.len() > MAX_NAME_BYTES {
            problems.add(
                format!("{at}.name"),
                messages::name_has_bytes(flow.name.len()),
                messages::use_at_most(MAX_NAME_BYTES),
            );
        }
        check_size(&flow.size, &format!("{at}.size"), problems);
        check_arrival(flow, &at, problems);
        check_level(flow.level, fabric, &format!("{at}.level"), problems);
        let sane = check_load(flow, &at, problems);
        let Some(network) = network else { continue };
        check_sources(flow, network, &at, problems);
        check_pattern(&flow.pattern, network, &format!("{at}.pattern"), 0, problems);
        if sane {
            check_offered(flow, fabric, network, &at, problems);
        }
    }
}

fn check_size(size: &SizeSpec, at: &str, problems: &mut Problems) {
    let largest = u64::from(MAX_MESSAGE_BYTES);
    let mut bytes =
        |field: &str, value: u32| within(&format!("{at}.{field}"), value, 1..=largest, problems);
    match *size {
        SizeSpec::Fixed { bytes: b } => {
            bytes("bytes", b);
        }
        SizeSpec::Bimodal { short, long, short_share } => {
            bytes("short", short);
            bytes("long", long);
            share(&format!("{at}.short_share"), short_share, problems);
        }
        SizeSpec::Range { min, max } | SizeSpec::Pareto { min, max, .. } => {
            if bytes("min", min) && bytes("max", max) && min > max {
                problems.add(at, messages::min_above_max(min, max), messages::swap_or_equal());
            }
            if let SizeSpec::Pareto { shape, .. } = *size {
                let [least, most] = PARETO_SHAPES;
                if !(least..=most).contains(&shape) {
                    problems.add(
                        format!("{at}.shape"),
                        messages::out_of_range(shape),
                        messages::use_shape(least, most),
                    );
                } else if min < max && share_below(f64::from(max), f64::from(min), shape) < 0.01 {
                    problems.add(
                        at,
                        messages::pareto_above_max(shape, max),
                        messages::raise_max_or_shape(),
                    );
                }
            }
        }
    }
}

/// Share of the draws of a Pareto distribution from `min` on that are at most `max`. The others
/// are drawn again, so a tiny share makes a message slow to draw.
fn share_below(max: f64, min: f64, shape: f64) -> f64 {
    1.0 - libm::pow(min / max, shape)
}

fn check_arrival(flow: &FlowSpec, at: &str, problems: &mut Problems) {
    if let ArrivalSpec::OneShot { messages } = flow.arrival {
        within(
            &format!("{at}.arrival.messages"),
            messages,
            1..=u64::from(MAX_ONE_SHOT_MESSAGES),
            problems,
        );
    }
    within(&format!("{at}.start_cycle"), flow.start_cycle, 0..=MAX_CYCLES, problems);
    within(&format!("{at}.stop_cycle"), flow.stop_cycle, 0..=MAX_CYCLES, problems);
    if flow.stop_cycle != 0 && flow.stop_cycle <= flow.start_cycle {
        problems.add(
            format!("{at}.stop_cycle"),
            messages::stops_before_start(flow.stop_cycle, flow.start_cycle),
            messages::stop_later(),
        );
    }
}

fn check_level(level: u8, fabric: &FabricSpec, at: &str, problems: &mut Problems) {
    match fabric {
        FabricSpec::Wormhole(_) if level > 0 => {
            problems.add(at, messages::wormhole_has_no_level(level), messages::use_0_or_lanes())
        }
        FabricSpec::Wormhole(_) => {}
        FabricSpec::CutThrough(fabric) => {
            let levels = fabric.qos.levels.len();
            if usize::from(level) >= levels {
                problems.add(
                    at,
                    messages::fabric_has_no_level(levels, level),
                    messages::use_or_add_level(),
                );
            }
        }
    }
}

fn check_sources(flow: &FlowSpec, network: &Network, at: &str, problems: &mut Problems) {
    let mut seen = vec![false; network.hosts().len()];
    for (i, &host) in flow.sources.iter().enumerate() {
        let at = format!("{at}.sources.{i}");
        match seen.get_mut(host as usize) {
            None => no_host(&at, host, network, problems),
            Some(true) => {
                problems.add(at, messages::host_twice(host), messages::list_once());
            }
            Some(first) => *first = true,
        }
    }
}

fn no_host(at: &str, host: u32, network: &Network, problems: &mut Problems) {
    problems.add(
        at,
        messages::no_such_host(host),
        messages::use_from_to(0, network.hosts().len() - 1),
    );
}

fn check_pattern(
    pattern: &PatternSpec,
    network: &Network,
    at: &str,
    depth: u32,
    problems: &mut Problems,
) {
    let hosts = network.hosts().len() as u32;
    let bits = |pattern: Message, even: bool, problems: &mut Problems| {
        if !hosts.is_power_of_two() || (even && hosts.ilog2() % 2 == 1) {
            let why = match even {
                true => messages::needs_even_power_of_two(pattern, hosts),
                false => messages::needs_power_of_two(pattern, hosts),
            };
            problems.add(at, why, messages::change_hosts_or_pattern(nearest(hosts, even)));
        }
    };
    match pattern {
        PatternSpec::Uniform | PatternSpec::Neighbour | PatternSpec::Permutation { .. } => {}
        PatternSpec::Local { distance } => {
            let most = u64::from(MAX_LOCAL_DISTANCE);
            if within(&format!("{at}.distance"), *distance, 0..=most, problems)
                && !someone_near(network, *distance)
            {
                problems.add(
                    format!("{at}.distance"),
                    messages::none_within(*distance),
                    messages::larger_distance(),
                );
            }
        }
        PatternSpec::Hotspot { host, share: s } => {
            if *host >= hosts {
                no_host(&format!("{at}.host"), *host, network, problems);
            }
            share(&format!("{at}.share"), *s, problems);
        }
        PatternSpec::BitReversal => bits(messages::bit_reversal(), false, problems),
        PatternSpec::BitComplement => bits(messages::bit_complement(), false, problems),
        PatternSpec::Shuffle => bits(messages::perfect_shuffle(), false, problems),
        PatternSpec::Transpose => bits(messages::transpose(), true, problems),
        PatternSpec::Pairs { pairs } => check_pairs(pairs, network, at, problems),
        PatternSpec::Combined { patterns } => {
            if patterns.is_empty() || patterns.len() > MAX_COMBINED {
                problems.add(
                    at,
                    messages::pattern_count(patterns.len()),
                    messages::use_from_to(1, MAX_COMBINED),
                );
            } else if depth >= 3 {
                problems.add(at, messages::combined_too_deep(), messages::list_in_one());
            } else {
                for (i, pattern) in patterns.iter().enumerate() {
                    check_pattern(
                        pattern,
                        network,
                        &format!("{at}.patterns.{i}"),
                        depth + 1,
                        problems,
                    );
                }
            }
        }
    }
}

/// The power of two, or of four, nearest to a number of hosts.
fn nearest(hosts: u32, even: bool) -> u64 {
    let step = if even { 2 } else { 1 };
    let powers = (1..=32 / step).map(|e| 1u64 << (e * step));
    powers.min_by_key(|p| p.abs_diff(u64::from(hosts))).unwrap_or(2)
}

fn check_pairs(pairs: &[(u32, u32)], network: &Network, at: &str, problems: &mut Problems) {
    if pairs.is_empty() || pairs.len() > MAX_PAIRS {
        problems.add(
            format!("{at}.pairs"),
            messages::pair_count(pairs.len()),
            messages::use_pairs(MAX_PAIRS),
        );
        return;
    }
    let mut sends = vec![false; network.hosts().len()];
    for (i, &(from, to)) in pairs.iter().enumerate() {
        let at = format!("{at}.pairs.{i}");
        for host in [from, to] {
            if host as usize >= sends.len() {
                no_host(&at, host, network, problems);
            }
        }
        if from == to {
            problems.add(&at, messages::sends_to_itself(from), messages::two_different_hosts());
        }
        match sends.get_mut(from as usize) {
            Some(true) => {
                problems.add(at, messages::has_a_destination(from), messages::another_flow())
            }
            Some(first) => *first = true,
            None => {}
        }
    }
}

/// Whether any host has another host within `distance` switch hops.
fn someone_near(network: &Network, distance: u32) -> bool {
    let with_hosts = |s: usize| !network.hosts_of(SwitchId::new(s)).is_empty();
    if (0..network.switches().len()).any(|s| network.hosts_of(SwitchId::new(s)).len() > 1) {
        return true;
    }
    // Every switch has at most one host: search breadth-first from each.
    (0..network.switches().len()).filter(|&s| with_hosts(s)).any(|start| {
        let mut hops = vec![u32::MAX; network.switches().len()];
        hops[start] = 0;
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            if at != start && with_hosts(at) {
                return true;
            }
            for &(_, next) in network.neighbours(SwitchId::new(at)) {
                if hops[next.index()] == u32::MAX && hops[at] < distance {
                    hops[next.index()] = hops[at] + 1;
                    queue.push_back(next.index());
                }
            }
        }
        false
    })
}

/// Whether the load is a number above 0. False for one-shot flows, which ignore it.
fn check_load(flow: &FlowSpec, at: &str, problems: &mut Problems) -> bool {
    if matches!(flow.arrival, ArrivalSpec::OneShot { .. }) {
        return false;
    }
    let sane = flow.load.is_finite() && flow.load > 0.0;
    if !sane {
        problems.add(
            format!("{at}.load"),
            messages::a_load_of(flow.load),
            messages::load_above_0(),
        );
    }
    sane
}

/// The load that each host offers must lie between what a channel can be asked to carry and what
/// gives a message in a run.
fn check_offered(
    flow: &FlowSpec,
    fabric: &FabricSpec,
    network: &Network,
    at: &str,
    problems: &mut Problems,
) {
    let at = format!("{at}.load");
    let (cycle_ns, unit) = match fabric {
        FabricSpec::Wormhole(f) => (f.cycle_ps as f64 / 1000.0, LoadUnit::FlitsPerNsPerSwitch),
        FabricSpec::CutThrough(f) => (f.cycle_ps as f64 / 1000.0, LoadUnit::FlitsPerCyclePerHost),
    };
    let hosts = network.hosts().len();
    let senders = if flow.sources.is_empty() { hosts } else { flow.sources.len() } as f64;
    let per_load = match flow.load_unit.unwrap_or(unit) {
        LoadUnit::FlitsPerCyclePerHost => 1.0,
        LoadUnit::FlitsPerNsPerSwitch => cycle_ns * network.switches().len() as f64 / senders,
    };
    let offered = flow.load * per_load;
    let slowest = f64::from(MAX_MESSAGE_BYTES) / MAX_INTERVAL_CYCLES;
    if offered > MAX_FLITS_PER_CYCLE_PER_HOST {
        problems.add(
            at,
            messages::offers_too_much(format!("{offered:.3e}")),
            messages::use_at_most(format!("{:.3e}", MAX_FLITS_PER_CYCLE_PER_HOST / per_load)),
        );
    } else if offered < slowest {
        problems.add(
            at,
            messages::offers_too_little(format!("{offered:.3e}")),
            messages::more_or_one_shot(format!("{:.3e}", slowest / per_load)),
        );
    }
}
