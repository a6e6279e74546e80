//! What descriptors say about the fields of a document.

use crate::catalogue::{Descriptor, Parameter};
use crate::network::generators;
use crate::routing::{descriptors, placements};
use crate::traffic::{arrivals, patterns, sizes};
use crate::{arbiters, congestion, schedulers, switches};
use serde_json::Value;

/// The smallest and the largest number that a field takes, if a descriptor has them. The keys and
/// indices `path` lead to the field from `part`, which stands at `at` in the document.
pub(super) fn whole_range(part: &Value, at: &str, path: &[String]) -> Option<(u64, u64)> {
    let is_field = |key: &&str| key.parse::<usize>().is_err();
    let mut field = at.rsplit('.').find(is_field).unwrap_or_default();
    let (mut node, mut keys) = (part, path.iter());
    // The parameters of the innermost choice, and the keys below it.
    let mut innermost = None;
    loop {
        if let Some(parameters) = parameters(field, node) {
            innermost = Some((parameters, keys.as_slice()));
        }
        let Some(key) = keys.next() else { break };
        node = match node {
            Value::Array(list) => list.get(key.parse::<usize>().ok()?)?,
            object => object.get(key)?,
        };
        if is_field(&key.as_str()) {
            field = key;
        }
    }
    let (parameters, below) = innermost?;
    let id = below.iter().map(String::as_str).filter(is_field).collect::<Vec<_>>().join(".");
    parameters.iter().find(|parameter| parameter.id == id)?.kind.whole_range()
}

/// The parameters of what stands in a field.
fn parameters(field: &str, node: &Value) -> Option<&'static [Parameter]> {
    if field == "measure" {
        return Some(super::measure::MEASURE.parameters);
    }
    let members: &'static [Descriptor] = match field {
        "arbiter" => arbiters::all(),
        "arrival" => arrivals::all(),
        "congestion" => congestion::all(),
        "fabric" => super::fabric::all(),
        "generate" => generators::all(),
        "pattern" | "patterns" => patterns::all(),
        "placement" => placements::all(),
        "scheduler" => schedulers::all(),
        "selection" => descriptors::selections(),
        "size" => sizes::all(),
        "switch" => switches::all(),
        _ => return None,
    };
    let kind = node.get("kind")?.as_str()?;
    Some(members.iter().find(|member| member.id == kind)?.parameters)
}
