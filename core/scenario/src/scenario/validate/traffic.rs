//! Checks of the workload.

use super::{share, within};
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
            format!("{} flows", traffic.len()),
            format!("use 1 to {MAX_FLOWS}"),
        );
    }
    for (i, flow) in traffic.iter().take(MAX_FLOWS).enumerate() {
        let at = format!("traffic.{i}");
        if flow.name.len() > MAX_NAME_BYTES {
            problems.add(
                format!("{at}.name"),
                format!("the name has {} bytes", flow.name.len()),
                format!("use at most {MAX_NAME_BYTES}"),
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
                problems.add(
                    at,
                    format!("the smallest size {min} is above the largest {max}"),
                    "swap them, or make them equal",
                );
            }
            if let SizeSpec::Pareto { shape, .. } = *size
                && !(0.01..=100.0).contains(&shape)
            {
                problems.add(
                    format!("{at}.shape"),
                    format!("{shape} is out of range"),
                    "use 0.01 to 100; 1 to 2 is usual",
                );
            }
        }
    }
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
            format!("the flow stops at {} and starts at {}", flow.stop_cycle, flow.start_cycle),
            "stop later than start, or 0 for never",
        );
    }
}

fn check_level(level: u8, fabric: &FabricSpec, at: &str, problems: &mut Problems) {
    match fabric {
        FabricSpec::Wormhole(_) if level > 0 => problems.add(
            at,
            format!("the wormhole fabric has no service level {level}"),
            "use 0, or a fabric with lanes",
        ),
        FabricSpec::Wormhole(_) => {}
        FabricSpec::CutThrough(fabric) => {
            let levels = fabric.qos.levels.len();
            if usize::from(level) >= levels {
                problems.add(
                    at,
                    format!("the fabric has {levels} service levels, none with number {level}"),
                    "use one of them, or add it to fabric.qos.levels",
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
                problems.add(at, format!("host {host} is listed twice"), "list it once");
            }
            Some(first) => *first = true,
        }
    }
}

fn no_host(at: &str, host: u32, network: &Network, problems: &mut Problems) {
    problems.add(
        at,
        format!("there is no host {host}"),
        format!("use 0 to {}", network.hosts().len() - 1),
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
    let bits = |word: &str, even: bool, problems: &mut Problems| {
        if !hosts.is_power_of_two() || (even && hosts.ilog2() % 2 == 1) {
            let kind = if even { "an even power of two" } else { "a power of two" };
            problems.add(
                at,
                format!("{word} needs {kind} of hosts; the network has {hosts}"),
                format!(
                    "add or remove hosts ({} would do), or choose another pattern",
                    nearest(hosts, even)
                ),
            );
        }
    };
    match pattern {
        PatternSpec::Uniform | PatternSpec::Neighbour | PatternSpec::Permutation { .. } => {}
        PatternSpec::Local { distance } => {
            if !someone_near(network, *distance) {
                problems.add(
                    format!("{at}.distance"),
                    format!("no host has another one within {distance} switch hops"),
                    "use a larger distance",
                );
            }
        }
        PatternSpec::Hotspot { host, share: s } => {
            if *host >= hosts {
                no_host(&format!("{at}.host"), *host, network, problems);
            }
            share(&format!("{at}.share"), *s, problems);
        }
        PatternSpec::BitReversal => bits("bit reversal", false, problems),
        PatternSpec::BitComplement => bits("bit complement", false, problems),
        PatternSpec::Shuffle => bits("perfect shuffle", false, problems),
        PatternSpec::Transpose => bits("transpose", true, problems),
        PatternSpec::Pairs { pairs } => check_pairs(pairs, network, at, problems),
        PatternSpec::Combined { patterns } => {
            if patterns.is_empty() || patterns.len() > MAX_COMBINED {
                problems.add(
                    at,
                    format!("{} patterns", patterns.len()),
                    format!("use 1 to {MAX_COMBINED}"),
                );
            } else if depth >= 3 {
                problems.add(
                    at,
                    "combined patterns inside combined patterns, too deep",
                    "list them in one",
                );
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
            format!("{} pairs", pairs.len()),
            format!("use 1 to {MAX_PAIRS}, as [from, to]"),
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
            problems.add(&at, format!("host {from} sends to itself"), "name two different hosts");
        }
        match sends.get_mut(from as usize) {
            Some(true) => problems.add(
                at,
                format!("host {from} has a destination already"),
                "use another flow for its second destination",
            ),
            Some(first) => *first = true,
            None => {}
        }
    }
}

/// Whether any host has another one within some switch hops.
fn someone_near(network: &Network, distance: u32) -> bool {
    let with_hosts = |s: usize| !network.hosts_of(SwitchId::new(s)).is_empty();
    if (0..network.switches().len()).any(|s| network.hosts_of(SwitchId::new(s)).len() > 1) {
        return true;
    }
    // One host per switch at most: is there a pair of them near enough?
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

/// Whether the load is a number above 0, where it matters at all.
fn check_load(flow: &FlowSpec, at: &str, problems: &mut Problems) -> bool {
    if matches!(flow.arrival, ArrivalSpec::OneShot { .. }) {
        return false;
    }
    let sane = flow.load.is_finite() && flow.load > 0.0;
    if !sane {
        problems.add(
            format!("{at}.load"),
            format!("a load of {}", flow.load),
            "use a number above 0, or remove the flow",
        );
    }
    sane
}

/// What each host offers must be within reach of its channel and of a run.
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
            format!("each host would offer {offered:.3e} flits per cycle; its channel carries 1"),
            format!("use at most {:.3e}", MAX_FLITS_PER_CYCLE_PER_HOST / per_load),
        );
    } else if offered < slowest {
        problems.add(
            at,
            format!("each host would offer only {offered:.3e} flits per cycle"),
            format!("use at least {:.3e}, or a one-shot flow", slowest / per_load),
        );
    }
}
