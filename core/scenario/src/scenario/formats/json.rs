//! Our own JSON: a scenario file, of which the network is taken, or a network alone.

use super::{Read, Source};
use crate::catalogue::Descriptor;
use crate::problem::Problems;
use crate::scenario::{DrawnNetwork, NetworkSpec, Scenario, parse};
use serde_json::json;

pub(super) const FORMAT: Descriptor = super::format(
    "json",
    "Scenario",
    "the scenario file; of others' settings only the network is taken",
    &[],
    "",
);

pub(super) fn read(source: Source<'_>) -> Result<Read, Problems> {
    let within = |mut problems: Problems| {
        for problem in &mut problems.0 {
            problem.at = match problem.at.strip_prefix("line ") {
                Some(place) => format!("{}:{}", source.name, place.replace(", column ", ":")),
                None => format!("{}: {}", source.name, problem.at),
            };
        }
        problems
    };
    let mut document = parse::document(source.text).map_err(within)?;
    let whole = document.get("hopscope").is_some() || document.get("network").is_some();
    let mut notes = Vec::new();
    if whole {
        notes.push("only the network of the scenario was taken".into());
    } else {
        document = json!({ "hopscope": 1, "network": document });
    }
    let scenario = Scenario::from_document(&document).map_err(within)?;
    if matches!(scenario.network, NetworkSpec::Generate(_)) {
        notes.push("the network was made by its generator".into());
    }
    let network = scenario.network.drawn().map_err(within)?;
    Ok(Read { own_hosts: !network.hosts.is_empty(), network, notes })
}

pub(super) fn write(network: &DrawnNetwork) -> (String, Vec<String>) {
    (Scenario::of(NetworkSpec::Drawn(network.clone())).to_json(), Vec::new())
}
