//! Changing the switching technique, and back without loss.

use super::load::{CONVERTED_DIGITS, rounded};
use hopscope_core::scenario::{FabricSpec, FlowSpec, Scenario};

/// Changes the technique to that with the id `wanted`. `former` is the scenario before the last
/// change of the technique: if it had the one wanted now, its fabric and the levels of its flows
/// come back. Every flow keeps its load as a share of what the channel of a host carries.
pub fn choose(scenario: &mut Scenario, wanted: &str, former: Option<&Scenario>) {
    if scenario.fabric.id() == wanted {
        return;
    }
    let former = former.filter(|former| former.fabric.id() == wanted);
    let fabric = former.map(|former| former.fabric.clone()).or_else(|| FabricSpec::with_id(wanted));
    let Some(fabric) = fabric else { return };
    let (switches, hosts) = size(scenario);
    let per_host = |fabric: &FabricSpec| {
        fabric.flits_per_cycle_per_host(fabric.technique().load_unit(), switches, hosts)
    };
    let convert = |load: f64, from: &FabricSpec, to: &FabricSpec| {
        rounded(load * per_host(from) / per_host(to), CONVERTED_DIGITS)
    };
    let levels = fabric.technique().levels().len();
    let mut rest: Vec<Option<&FlowSpec>> =
        former.map(|former| former.traffic.iter().map(Some).collect()).unwrap_or_default();
    for (i, flow) in scenario.traffic.iter_mut().enumerate() {
        let before = take_flow(&mut rest, i, flow);
        if flow.load_unit.is_none() {
            let load = convert(flow.load, &scenario.fabric, &fabric);
            // A load that has only been converted comes back with all its digits.
            flow.load = match before {
                Some(before)
                    if before.load_unit.is_none()
                        && convert(before.load, &fabric, &scenario.fabric) == flow.load =>
                {
                    before.load
                }
                _ => load,
            };
        }
        let level = before.map_or(0, |before| before.level);
        flow.level = if usize::from(level) < levels { level } else { 0 };
    }
    scenario.fabric = fabric;
}

/// Takes the former flow that a flow was: one that is equal but for load and level, else the one at
/// its place.
fn take_flow<'a>(
    rest: &mut [Option<&'a FlowSpec>],
    place: usize,
    flow: &FlowSpec,
) -> Option<&'a FlowSpec> {
    let same = |other: &FlowSpec| {
        let FlowSpec { load, level, load_unit, .. } = *flow;
        FlowSpec { load, level, load_unit, ..other.clone() } == *flow
    };
    let here = rest.get(place).copied().flatten().filter(|other| same(other)).map(|_| place);
    let equal = || rest.iter().position(|other| other.is_some_and(same));
    let at = here.or_else(equal).or(Some(place))?;
    rest.get_mut(at)?.take()
}

/// Numbers of switches and hosts, at least 1 each.
pub fn size(scenario: &Scenario) -> (usize, usize) {
    let network = scenario.network.drawn().unwrap_or_default();
    (network.switches.len().max(1), network.hosts.len().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three levels, every field of the fabric changed, one flow for each level.
    fn scenario() -> Scenario {
        let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 8 } },
            "fabric": { "kind": "cut-through", "routing_cycles": 7, "input_buffer_bytes": 32768,
                "qos": { "levels": [{ "channels": [0] }, { "channels": [1], "name": "bulk" },
                    { "channels": [2] }], "lanes": [0, 1, 2] },
                "scheduler": { "kind": "wrr", "table": [0, 0, 1, 2] } },
            "traffic": [{ "level": 2, "load": 0.123456 }, { "level": 1, "name": "b", "load": 0.5 },
                { "level": 0, "size": { "kind": "fixed", "bytes": 64 } }] }"#;
        Scenario::parse(text).expect("a scenario")
    }

    #[test]
    fn there_and_back_gives_back_every_field() {
        let before = scenario();
        let mut now = before.clone();
        choose(&mut now, "wormhole", None);
        assert!(now.validate().is_empty(), "{}", now.validate());
        assert!(now.traffic.iter().all(|flow| flow.level == 0));
        let mut wormhole = now.clone();
        let FabricSpec::Wormhole(spec) = &mut wormhole.fabric else { panic!("wormhole") };
        spec.timeout_cycles = 5000;
        spec.itb_overflow = hopscope_core::scenario::ItbOverflow::Drop;
        let mut back = wormhole.clone();
        choose(&mut back, "cut-through", Some(&before));
        assert_eq!(back, before);
        choose(&mut back, "wormhole", Some(&wormhole));
        assert_eq!(back, wormhole);
    }

    #[test]
    fn flows_keep_their_levels_when_one_was_removed_or_changed_between() {
        let before = scenario();
        let mut now = before.clone();
        choose(&mut now, "wormhole", None);
        now.traffic.remove(0);
        now.traffic[0].load *= 2.0;
        choose(&mut now, "cut-through", Some(&before));
        let flows: Vec<(u8, f64)> =
            now.traffic.iter().map(|flow| (flow.level, flow.load)).collect();
        assert_eq!(flows, [(1, 1.0), (0, before.traffic[2].load)]);
    }

    #[test]
    fn without_a_former_fabric_defaults_come() {
        let mut now = scenario();
        choose(&mut now, "wormhole", Some(&scenario()));
        assert_eq!(now.fabric, FabricSpec::default());
    }
}
