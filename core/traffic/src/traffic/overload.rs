//! Flows that offer more than a channel from or to a host carries. That is a legitimate experiment,
//! and also what a load in a wrong unit does, so it is worth a warning.
//!
//! A channel carries a payload flit per cycle at most. What flows offer is their load, shared out
//! among the hosts that send in them, in flits of which the last of a message may be filled in
//! part. Hosts are offered as much as the chances of the patterns say, in the mean over all seeds.
//! Flows that ignore their load do not count. Flows on levels under admission control do not count
//! either: the broker limits what they send.

use super::{Senders, Units};
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::{FlowSpec, ROUNDING, Scenario, rounded_down};
use hopscope_scenario::Cycle;
use hopscope_scenario::message::{Argument, Message, first_of};

/// Most flows that a warning names.
const MAX_NAMED: usize = 8;

/// Chances of destinations that are summed, at most. Beyond, hosts that receive are not looked at.
const MAX_CHANCES: u64 = 1 << 24;

/// A flow with a load.
struct Offering<'a> {
    /// Its index.
    flow: usize,
    spec: &'a FlowSpec,
    /// The hosts that send in it, and what each offers.
    senders: Senders<'a>,
}

impl Offering<'_> {
    /// Adds the flits per cycle, times `factor`, that it offers to the channels from hosts.
    fn add_sent(&self, factor: f64, offered: &mut [f64]) {
        let flits = factor * self.senders.offer.flits_per_cycle();
        for &host in &self.senders.hosts {
            offered[host as usize] += flits;
        }
    }

    /// The same to the channels to hosts.
    fn add_received(&self, factor: f64, offered: &mut [f64]) {
        let flits = factor * self.senders.offer.flits_per_cycle();
        for &host in &self.senders.hosts {
            self.senders.destinations.add_chances(host, flits, offered);
        }
    }

    /// First cycle without messages.
    fn stop(&self) -> Cycle {
        if self.spec.stop_cycle == 0 { Cycle::MAX } else { self.spec.stop_cycle }
    }

    /// Where the load is in the scenario.
    fn at(&self) -> String {
        format!("traffic.{}.load", self.flow)
    }

    fn unit(&self) -> &'static str {
        self.senders.offer.unit.symbol()
    }
}

/// Warnings of a scenario that can run: a flow whose load alone is above what the channels of its
/// hosts carry; and if several flows send from a host, none of them such a flow, and together offer
/// more than its channel carries at some time, one warning for the host to which most is offered.
/// Without any of these, one for the host that is to receive more than its channel carries, if
/// there is one; of several, that which is to receive most. The place is the load of the flow, of
/// several the one that offers most there.
pub fn overload(scenario: &Scenario, network: &Network) -> Problems {
    let mut warnings = Problems::default();
    let hosts = network.hosts().len();
    let offering = offering(scenario, network);
    let (alone, others): (Vec<_>, Vec<_>) = offering
        .into_iter()
        .partition(|flow| flow.senders.offer.flits_per_cycle() > 1.0 + ROUNDING);
    let mut is_warned_of = vec![false; hosts];
    for flow in &alone {
        let flits = flow.senders.offer.flits_per_cycle();
        let (load, unit, senders) = (flow.spec.load, flow.unit(), flow.senders.hosts.len());
        let why = if flits > flow.senders.offer.full_flits_per_cycle() * (1.0 + ROUNDING) {
            messages::load_above_channels_in_part_of_flits(load, unit, times(flits), senders)
        } else {
            messages::load_above_channels(load, unit, times(flits), senders)
        };
        let fills = messages::load_that_fills_channels(rounded_down(load / flits), unit);
        warnings.add(flow.at(), why, fills);
        for &host in &flow.senders.hosts {
            is_warned_of[host as usize] = true;
        }
    }
    if let Some(found) = most_offered(&others, &is_warned_of, Offering::add_sent) {
        found.warn(messages::loads_above_channel, &mut warnings);
    }
    // 32 bits, as WebAssembly has for sizes, may be too few.
    let chances: u64 =
        others.iter().map(|flow| flow.senders.hosts.len() as u64 * hosts as u64).sum();
    if warnings.is_empty() && chances <= MAX_CHANCES {
        let found = most_offered(&others, &is_warned_of, Offering::add_received);
        if let Some(found) = found {
            found.warn(messages::flows_above_receiver, &mut warnings);
        }
    }
    warnings
}

/// The flows that count. One in which no host sends is an error that building the run finds.
fn offering<'a>(scenario: &'a Scenario, network: &Network) -> Vec<Offering<'a>> {
    let units = Units::of(&scenario.fabric);
    let admission = scenario.fabric.technique().admission();
    let is_admitted = |level| admission.is_some_and(|admission| admission.levels.contains(&level));
    let flows = scenario.traffic.iter().enumerate();
    flows
        .filter(|(_, spec)| spec.arrival.follows_load() && !is_admitted(spec.level))
        .map(|(flow, spec)| Offering { flow, spec, senders: Senders::of(spec, network, units) })
        .filter(|offering| !offering.senders.hosts.is_empty())
        .collect()
}

/// The channel to which most is offered at some time.
struct Most<'a> {
    /// The host at its end.
    host: usize,
    /// Flits per cycle.
    flits: f64,
    /// The flows that offer them, with the flits per cycle of each.
    flows: Vec<(&'a Offering<'a>, f64)>,
}

impl Most<'_> {
    /// Adds a warning; `why` names several flows.
    fn warn(&self, why: impl Fn(Argument, String, usize) -> Message, warnings: &mut Problems) {
        let Some((largest, _)) = self.flows.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)) else {
            return;
        };
        let load = rounded_down(largest.spec.load / self.flits);
        if let [(flow, _)] = self.flows[..] {
            let why = messages::flow_above_receiver(flow.flow, times(self.flits), self.host);
            warnings.add(flow.at(), why, messages::load_that_fills_channels(load, flow.unit()));
            return;
        }
        let flows: Vec<usize> = self.flows.iter().map(|(flow, _)| flow.flow).collect();
        let part = rounded_down(1.0 / self.flits);
        let fix = messages::loads_that_fill_channel(part, load, largest.unit());
        warnings.add(
            largest.at(),
            why(first_of(flows, MAX_NAMED), times(self.flits), self.host),
            fix,
        );
    }
}

/// The channel to which flows offer most at some time, if that is more than it carries. `add` adds
/// what a flow offers to each channel. Hosts with `is_left_out` do not count.
fn most_offered<'a>(
    flows: &'a [Offering<'a>],
    is_left_out: &[bool],
    add: fn(&Offering<'a>, f64, &mut [f64]),
) -> Option<Most<'a>> {
    // Starts and stops in the order of time. At equal times, stops are first.
    let mut changes: Vec<(Cycle, bool, &Offering<'_>)> = Vec::new();
    for flow in flows {
        changes.push((flow.spec.start_cycle, true, flow));
        changes.push((flow.stop(), false, flow));
    }
    changes.sort_by_key(|&(cycle, starts, flow)| (cycle, starts, flow.flow));
    let mut offered = vec![0.0; is_left_out.len()];
    let mut most: Option<(Cycle, usize, f64)> = None;
    for at_once in changes.chunk_by(|a, b| a.0 == b.0) {
        for &(_, starts, flow) in at_once {
            add(flow, if starts { 1.0 } else { -1.0 }, &mut offered);
        }
        for (host, &flits) in offered.iter().enumerate() {
            let before = most.map_or(1.0 + ROUNDING, |(_, _, flits)| flits + ROUNDING);
            if flits > before && !is_left_out[host] {
                most = Some((at_once[0].0, host, flits));
            }
        }
    }
    let (start, host, flits) = most?;
    let sends = |flow: &&Offering<'_>| flow.spec.start_cycle <= start && start < flow.stop();
    let offers = |flow| {
        let mut offered = vec![0.0; is_left_out.len()];
        add(flow, 1.0, &mut offered);
        (flow, offered[host])
    };
    let flows = flows.iter().filter(sends).map(offers).filter(|(_, flits)| *flits > 0.0);
    Some(Most { host, flits, flows: flows.collect() })
}

/// A number of times above 1, with three decimals, or as many as tell it from 1.
fn times(flits: f64) -> String {
    let decimals = (1.0 - (flits - 1.0).log10().floor()).clamp(3.0, 12.0) as usize;
    format!("{flits:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The warnings of flows on eight hosts on four switches, as place and the numbers told.
    fn warned(fabric: &Value, traffic: &Value) -> Vec<(String, Vec<String>)> {
        let text = json!({ "hopscope": 1, "fabric": fabric, "traffic": traffic,
            "network": { "generate": { "kind": "ring", "switches": 4, "hosts_per_switch": 2 } } });
        let scenario = Scenario::read(&text.to_string()).unwrap_or_else(|why| panic!("{why}"));
        let network = scenario.check().unwrap_or_else(|why| panic!("{why}"));
        let told = overload(&scenario, &network).0.into_iter().map(|warning| {
            let words = format!("{} {}", warning.why, warning.fix);
            let words = words.split([' ', ';', ',', '(', ')']);
            let number = |word: &&str| word.parse::<f64>().is_ok();
            (warning.at.to_string(), words.filter(number).map(str::to_owned).collect())
        });
        told.collect()
    }

    fn one(at: &str, numbers: &[&str]) -> Vec<(String, Vec<String>)> {
        vec![(at.to_owned(), numbers.iter().map(|&number| number.to_owned()).collect())]
    }

    fn cut_through() -> Value {
        json!({ "kind": "cut-through" })
    }

    #[test]
    fn a_load_that_just_fills_channels_is_not_warned_about() {
        for traffic in [
            json!([{ "load": 1.0 }]),
            json!([{ "load": 0.7 }, { "load": 0.1 }, { "load": 0.2 }]),
            json!([{ "load": 1.0, "sources": [0] }, { "load": 1.0, "sources": [1] }]),
            json!([{ "load": 0.9, "stop_cycle": 50 }, { "load": 0.9, "start_cycle": 50 }]),
            json!([{ "load": 9.0, "arrival": { "kind": "one-shot", "messages": 100 } }]),
            json!([{ "load": 0.1, "pattern": { "kind": "pairs", "pairs": [[0, 1]] } }]),
            json!([{ "load": 9.0, "pattern": { "kind": "pairs", "pairs": [[0, 1]] }, "sources": [5] }]),
        ] {
            assert_eq!(warned(&cut_through(), &traffic), [], "{traffic}");
        }
    }

    #[test]
    fn a_load_above_a_channel_is_told_with_the_load_that_fills_it() {
        let traffic = json!([{ "load": 0.2 }, { "load": 1.25, "sources": [0, 3, 5] }]);
        let told = warned(&cut_through(), &traffic);
        assert_eq!(told, one("traffic.1.load", &["1.25", "1.250", "3", "1"]));
        // 1 flit/ns/switch is 4 flits per 6.25 ns, for 8 hosts 3.125 flits per cycle.
        let told = warned(&json!({ "kind": "wormhole" }), &json!([{ "load": 1.0 }]));
        assert_eq!(told, one("traffic.0.load", &["1", "3.125", "8", "0.32"]));
        // A load that is told fills the channel and is not above it.
        let full = |load: f64| {
            warned(&json!({ "kind": "wormhole", "cycle_ps": 7777 }), &json!([{ "load": load }]))
        };
        let fills = full(1.0)[0].1.last().expect("a load").parse().expect("a number");
        assert_eq!(full(fills), []);
        assert_eq!(full(fills * 1.001).len(), 1);
    }

    #[test]
    fn a_load_just_above_a_channel_is_not_told_as_once() {
        let told = warned(&cut_through(), &json!([{ "load": 1.000_156 }]));
        assert_eq!(told, one("traffic.0.load", &["1.000156", "1.00016", "8", "1"]));
    }

    /// A load per switch is shared out among the hosts that the pattern lets send.
    #[test]
    fn pairs_share_a_load_per_switch_among_their_senders() {
        let traffic = |pairs: Value| {
            json!([{ "load": 0.1,
            "load_unit": "flits-per-ns-per-switch",
            "pattern": { "kind": "pairs", "pairs": pairs } }])
        };
        let wormhole = json!({ "kind": "wormhole" });
        let told = warned(&wormhole, &traffic(json!([[0, 1], [2, 1]])));
        assert_eq!(told, one("traffic.0.load", &["0.1", "1.250", "2", "0.08"]));
        assert_eq!(warned(&wormhole, &traffic(json!([[0, 1], [2, 0], [3, 2]]))), []);
    }

    #[test]
    fn flits_that_messages_fill_in_part_count_in_full() {
        let small = |load: f64| {
            let size = json!({ "kind": "fixed", "bytes": 3 });
            warned(&cut_through(), &json!([{ "load": load, "size": size }]))
        };
        assert_eq!(small(0.7), one("traffic.0.load", &["0.7", "1.867", "8", "0.375"]));
        assert_eq!(small(0.375), []);
    }

    #[test]
    fn hosts_that_are_to_receive_more_than_a_channel_carries_are_told() {
        let pairs = |pairs: Value| json!({ "kind": "pairs", "pairs": pairs });
        let to_seven = json!([{ "load": 0.6, "pattern": pairs(json!([[0, 7], [1, 7], [2, 7]])) }]);
        let told = warned(&cut_through(), &to_seven);
        assert_eq!(told, one("traffic.0.load", &["0", "1.800", "7", "0.3333"]));
        let flow = |from: u32, load: f64, start: u64, stop: u64| {
            json!({ "load": load, "pattern": pairs(json!([[from, 7]])), "start_cycle": start,
                "stop_cycle": stop })
        };
        let two = json!([flow(0, 0.9, 0, 50), flow(1, 0.8, 50, 90), flow(2, 0.4, 60, 0)]);
        let told = warned(&cut_through(), &two);
        assert_eq!(told, one("traffic.1.load", &["1", "2", "1.200", "7", "0.8333", "0.6666"]));
        let apart = json!([flow(0, 0.9, 0, 50), flow(1, 0.8, 50, 90), flow(2, 0.4, 90, 0)]);
        assert_eq!(warned(&cut_through(), &apart), []);
        // Host 3 gets a fifth of the messages of seven hosts, and its part of the rest.
        let hotspot = json!({ "kind": "hotspot", "host": 3, "share": 0.2 });
        let hot =
            |load: f64| warned(&cut_through(), &json!([{ "load": load, "pattern": hotspot }]));
        assert_eq!((hot(0.4), hot(0.7).len()), (vec![], 1));
        // What the hosts that send are warned of is told alone.
        let above = json!([{ "load": 1.2, "pattern": pairs(json!([[0, 7], [1, 7]])) }]);
        assert_eq!(warned(&cut_through(), &above).len(), 1);
    }

    #[test]
    fn flows_that_together_exceed_a_channel_are_told_once() {
        let traffic = json!([{ "load": 0.4 }, { "load": 0.8, "sources": [3, 4] },
            { "load": 0.05, "sources": [4] }, { "load": 0.9, "stop_cycle": 10, "start_cycle": 1,
              "sources": [1] }, { "load": 0.3, "sources": [6], "level": 0 }]);
        let told = warned(&cut_through(), &traffic);
        // Host 1 is offered 1.3 for a while, host 4 1.25, host 3 1.2.
        assert_eq!(told, one("traffic.3.load", &["0", "3", "1.300", "1", "0.7692", "0.6923"]));
    }

    #[test]
    fn connections_that_the_broker_limits_do_not_count() {
        let fabric = json!({ "kind": "cut-through",
            "qos": { "levels": [{ "channels": [0] }, { "channels": [1] }], "lanes": [0, 1],
                     "admission": { "levels": [1] } } });
        let cbr = json!({ "kind": "cbr", "rate_kbps": 1_000_000.0 });
        let traffic = json!([{ "load": 1.5, "level": 1, "arrival": cbr }, { "load": 0.9 }]);
        assert_eq!(warned(&fabric, &traffic), []);
        let traffic = json!([{ "load": 1.5, "arrival": cbr }]);
        assert_eq!(warned(&fabric, &traffic).len(), 1);
    }
}
