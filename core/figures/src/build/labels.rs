//! Names of steps, for legends and categories.

use hopscope_core::experiment::{Axis, AxisRole, Experiment};
use serde_json::Value;

/// Longest name of a step.
const MAX_CHARS: usize = 28;

/// The compared axes.
pub(super) fn compared_axes(experiment: &Experiment) -> Vec<&Axis> {
    experiment.axes.iter().filter(|axis| axis.role() == AxisRole::Compared).collect()
}

/// The name of a combination of steps of axes.
pub(super) fn combination(axes: &[&Axis], steps: &[usize]) -> String {
    let names = axes.iter().zip(steps).map(|(axis, &step)| step_name(axis, step, axes.len() > 1));
    names.collect::<Vec<_>>().join(", ")
}

/// The name of a step. A number among other names says what it counts.
fn step_name(axis: &Axis, step: usize, among_others: bool) -> String {
    match axis {
        Axis::Values { path, values } => {
            let kinds: Vec<Option<&str>> = values.iter().map(kind).collect();
            let own = kinds[step]
                .filter(|own| kinds.iter().filter(|kind| **kind == Some(own)).count() == 1);
            let text = own.map_or_else(|| plain(&values[step]), String::from);
            let field = path.trim().rsplit('.').next().unwrap_or_default();
            let bare = matches!(values[step], Value::String(_)) || own.is_some();
            if bare || !among_others { text } else { format!("{field} {text}") }
        }
        Axis::Settings { settings, .. } => {
            let texts: Vec<String> = settings[step].values().map(plain).collect();
            shortened(&texts.join(" "))
        }
    }
}

/// The kind of a value with parameters, or of the only thing in it.
fn kind(value: &Value) -> Option<&str> {
    let fields = value.as_object()?;
    match fields.get("kind") {
        Some(kind) => kind.as_str(),
        None if fields.len() == 1 => kind(fields.values().next()?),
        None => None,
    }
}

fn plain(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), String::from);
    shortened(&text)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARS) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn steps_are_named_by_what_tells_them_apart() {
        let values = |path: &str, values: serde_json::Value| Axis::Values {
            path: path.into(),
            values: values.as_array().unwrap().clone(),
        };
        let preset = values("routing.preset", json!(["UD", "UD_ITB"]));
        let size = values("network.generate.switches", json!([8, 16]));
        let scheduler = values(
            "fabric.scheduler",
            json!([{ "kind": "wrr", "table": [1] }, { "kind": "dtable" }]),
        );
        let tables = values("x", json!([{ "kind": "wrr", "t": 1 }, { "kind": "wrr", "t": 2 }]));
        assert_eq!(combination(&[&preset], &[1]), "UD_ITB");
        assert_eq!(combination(&[&size], &[1]), "16");
        assert_eq!(combination(&[&preset, &size], &[0, 1]), "UD, switches 16");
        assert_eq!(combination(&[&scheduler], &[0]), "wrr");
        let network = values("network", json!([{ "generate": { "kind": "torus", "x": 1 } }]));
        assert_eq!(combination(&[&network], &[0]), "torus");
        assert_eq!(combination(&[&tables], &[1]), r#"{"kind":"wrr","t":2}"#);
        let set = json!({ "routing.preset": "UD", "seed": 2 });
        let set =
            Axis::Settings { name: "x".into(), settings: vec![set.as_object().unwrap().clone()] };
        assert_eq!(combination(&[&set], &[0]), "UD 2");
        assert_eq!(plain(&json!("x".repeat(99))).chars().count(), MAX_CHARS + 3);
    }
}
