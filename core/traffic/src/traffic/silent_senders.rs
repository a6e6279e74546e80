//! Hosts that a flow lists as its senders, and that its pattern never lets send: they get no share
//! of the load, which is worth a warning.

use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::{FlowSpec, Scenario};
use hopscope_scenario::message::first_of;

/// Most hosts that a warning names.
const MAX_NAMED: usize = 8;

/// A warning for each flow of a scenario that can run in which listed hosts send nothing.
pub fn silent_senders(scenario: &Scenario, network: &Network) -> Problems {
    let mut warnings = Problems::default();
    for (flow, spec) in scenario.traffic.iter().enumerate() {
        let silent = silent_in(spec, network);
        // A flow in which no host sends is an error that building the run finds.
        if !silent.is_empty() && silent.len() < spec.sources.len() {
            warnings.add(
                format!("traffic.{flow}.sources"),
                messages::senders_without_destination(first_of(silent, MAX_NAMED)),
                messages::remove_senders_or_change_pattern(),
            );
        }
    }
    warnings
}

/// The hosts of the list that the pattern lets send to none.
fn silent_in(spec: &FlowSpec, network: &Network) -> Vec<u32> {
    let sends = spec.pattern.sends(network);
    spec.sources.iter().copied().filter(|&host| !sends[host as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warned(traffic: &str) -> Vec<String> {
        let text = format!(
            r#"{{ "hopscope": 1, "network": {{ "generate": {{ "kind": "ring" }} }},
                "traffic": [{{ "pattern": {{ "kind": "uniform" }} }}, {traffic}] }}"#
        );
        let scenario = Scenario::read(&text).unwrap_or_else(|why| panic!("{why}"));
        let network = scenario.check().unwrap_or_else(|why| panic!("{why}"));
        let warnings = silent_senders(&scenario, &network);
        warnings.0.iter().map(|warning| format!("{}: {}", warning.at, warning.why)).collect()
    }

    #[test]
    fn listed_hosts_without_a_pair_are_told() {
        let pairs = r#""pattern": { "kind": "pairs", "pairs": [[0, 1], [2, 3]] }"#;
        let told = warned(&format!(r#"{{ "sources": [0, 3, 1], {pairs} }}"#));
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("traffic.1.sources: "), "{told:?}");
        assert!(told[0].contains("3, 1"), "{told:?}");
        assert!(warned(&format!(r#"{{ "sources": [2], {pairs} }}"#)).is_empty());
        assert!(warned(&format!("{{ {pairs} }}")).is_empty());
        assert!(warned(&format!(r#"{{ "sources": [1, 3], {pairs} }}"#)).is_empty());
    }

    #[test]
    fn a_host_that_a_pattern_maps_to_itself_is_told() {
        let bit_reversal = r#"{ "sources": [0, 1], "pattern": { "kind": "bit-reversal" } }"#;
        let told = warned(bit_reversal);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains(" 0 "), "{told:?}");
    }
}
