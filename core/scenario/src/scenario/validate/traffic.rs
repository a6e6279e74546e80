//! Checks of the workload.

use super::{check_name, within};
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::limits::*;
use crate::scenario::{FabricSpec, FlowSpec, ROUNDING, rounded_down, rounded_up};
use crate::traffic::arrivals::Offer;

pub(super) fn check(
    traffic: &[FlowSpec],
    fewest: usize,
    fabric: &FabricSpec,
    network: Option<&Network>,
    problems: &mut Problems,
) {
    if traffic.len() < fewest || traffic.len() > MAX_FLOWS {
        problems.add(
            "traffic",
            messages::flow_count(traffic.len()),
            messages::use_from_to(fewest, MAX_FLOWS),
        );
    }
    let mut count = StreamCount::default();
    for (i, flow) in traffic.iter().take(MAX_FLOWS).enumerate() {
        let at = format!("traffic.{i}");
        let found = problems.0.len();
        check_name(&flow.name, &format!("{at}.name"), problems);
        flow.size.check(&format!("{at}.size"), problems);
        flow.arrival.check(&format!("{at}.arrival"), problems);
        check_times(flow, &at, problems);
        check_level(flow.level, fabric, &format!("{at}.level"), problems);
        let sane = check_load(flow, &at, problems);
        let Some(network) = network else { continue };
        let before = problems.0.len();
        check_sources(flow, network, &at, problems);
        flow.pattern.check(network, &format!("{at}.pattern"), problems);
        if !sane || problems.0.len() > before {
            continue;
        }
        let technique = fabric.technique();
        let (cycle_ps, flit_bytes) = (technique.cycle_ps(), technique.flit_bytes());
        let senders = senders(flow, network);
        // A fabric without time or flits, and a flow without senders, have problems of their own.
        if cycle_ps == 0 || flit_bytes == 0 || senders == 0 {
            continue;
        }
        let unit = flow.load_unit.unwrap_or(technique.load_unit());
        let switches = network.switches().len();
        let flits = unit.flits_per_cycle_per_host(flow.load, cycle_ps, switches, senders);
        let bytes_per_cycle = flits * f64::from(flit_bytes);
        let (load, sizes) = (flow.load, &flow.size);
        let offer = Offer { load, unit, bytes_per_cycle, flit_bytes, cycle_ps, sizes };
        let per_load = unit.flits_per_cycle_per_host(1.0, cycle_ps, switches, senders);
        check_offered(flow, &offer, per_load, &at, problems);
        if problems.0.len() == found {
            check_streams(flow, &offer, senders, &at, &mut count, problems);
        }
    }
}

fn check_times(flow: &FlowSpec, at: &str, problems: &mut Problems) {
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

pub(super) fn check_level(level: u8, fabric: &FabricSpec, at: &str, problems: &mut Problems) {
    let levels = fabric.technique().levels().len();
    if levels == 0 && level > 0 {
        problems.add(at, messages::no_level_at_all(level), messages::use_0_or_lanes());
    } else if levels > 0 && usize::from(level) >= levels {
        problems.add(
            at,
            messages::fabric_has_no_level(levels, level),
            messages::use_or_add_level(),
        );
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

pub(super) fn no_host(at: &str, host: u32, network: &Network, problems: &mut Problems) {
    problems.add(
        at,
        messages::no_such_host(host),
        messages::use_from_to(0, network.hosts().len() - 1),
    );
}

/// Whether the load is a number above 0. False also for flows that ignore it.
fn check_load(flow: &FlowSpec, at: &str, problems: &mut Problems) -> bool {
    if !flow.arrival.follows_load() {
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

impl FlowSpec {
    /// How many hosts of a network send in the flow: those of [`Self::sources`], or all, that the
    /// pattern lets send. `None` if the sources or the pattern do not suit the network.
    pub fn senders(&self, network: &Network) -> Option<usize> {
        let mut problems = Problems::default();
        check_sources(self, network, "sources", &mut problems);
        self.pattern.check(network, "pattern", &mut problems);
        problems.is_empty().then(|| senders(self, network))
    }
}

/// How many hosts send in a flow whose hosts and pattern suit the network.
fn senders(flow: &FlowSpec, network: &Network) -> usize {
    let sends = flow.pattern.sends(network);
    match &*flow.sources {
        [] => sends.into_iter().filter(|&sends| sends).count(),
        sources => sources.iter().filter(|&&host| sends[host as usize]).count(),
    }
}

/// The load of each host that sends must not be far above what its channel carries, and its
/// messages not too rare for the times of a run. With a load of 1 it sends `per_load` flits per
/// cycle.
fn check_offered(
    flow: &FlowSpec,
    offer: &Offer<'_>,
    per_load: f64,
    at: &str,
    problems: &mut Problems,
) {
    let at = format!("{at}.load");
    let flit_bytes = f64::from(offer.flit_bytes);
    let flits = offer.full_flits_per_cycle();
    // A burst is sent at once.
    let bytes_at_once = offer.sizes.mean() * flow.arrival.messages_per_destination() as f64;
    let slowest = bytes_at_once / MAX_INTERVAL_CYCLES;
    if flits > MAX_FLITS_PER_CYCLE_PER_HOST {
        problems.add(
            at,
            messages::offers_too_much(rounded_down(flits)),
            messages::load_that_fills_link(rounded_down(1.0 / per_load), offer.unit.symbol()),
        );
    } else if offer.bytes_per_cycle < slowest * (1.0 - ROUNDING) {
        let least = rounded_up(slowest / flit_bytes / per_load);
        problems.add(
            at,
            messages::sends_too_rarely(format!("{:.1e}", bytes_at_once / offer.bytes_per_cycle)),
            messages::more_or_one_shot(format!("{least:e}"), offer.unit.symbol()),
        );
    }
}

/// The streams of the flows checked so far.
#[derive(Default)]
struct StreamCount {
    streams: u64,
    /// Sources that have them, each as many as its load takes, rounded up.
    sources: u64,
}

/// Checks the arrival process with what each of the `senders` is to offer. Adds to `count` the
/// streams of the flow: there may be [`MAX_STREAMS`] in a workload.
fn check_streams(
    flow: &FlowSpec,
    offer: &Offer<'_>,
    senders: usize,
    at: &str,
    count: &mut StreamCount,
    problems: &mut Problems,
) {
    flow.arrival.check_offer(offer, at, problems);
    let more = flow.arrival.streams(offer).saturating_mul(senders as u64);
    if more == 0 {
        return;
    }
    count.streams = count.streams.saturating_add(more);
    count.sources += senders as u64;
    if count.streams > MAX_STREAMS {
        // Of faster streams, each source may have one more than in proportion.
        let fewer = MAX_STREAMS.saturating_sub(count.sources).max(1);
        let times = rounded_up(count.streams as f64 / fewer as f64);
        problems.add(
            format!("{at}.arrival.rate_kbps"),
            messages::streams_in_all(count.streams, count.streams * STREAM_BYTES / 1_000_000),
            messages::fewer_streams(MAX_STREAMS, times),
        );
    }
}
