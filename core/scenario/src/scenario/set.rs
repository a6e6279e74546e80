//! Single fields of a scenario changed by text such as `traffic.0.load=0.03`: what `--set` does.

use super::unique::Unique;
use super::{FabricSpec, NetworkSpec, Scenario, explain_json};
use crate::messages;
use crate::network::generators::{GeneratorSpec, Irregular};
use crate::problem::Problems;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Deepest path.
const MAX_DEPTH: usize = 32;

impl Scenario {
    /// Changes one field of a scenario document.
    ///
    /// The path consists of field names and list indices. The value is JSON; what is not JSON is
    /// taken as text. Omitted fields on the path are added with their defaults. Setting another
    /// `kind` removes the fields of the former one. Unknown fields and values that do not fit are
    /// found when the document is read.
    ///
    /// # Errors
    ///
    /// A path that leads into a single value or to an element that the list does not have, or a
    /// value in which an object has a key twice.
    pub fn apply_set(document: &mut Value, assignment: &str) -> Result<(), Problems> {
        let Some((path, text)) = assignment.split_once('=') else {
            return Err(Problems::one(
                assignment,
                messages::no_equals_sign(),
                messages::write_path_equals_value(),
            ));
        };
        let (path, text) = (path.trim(), text.trim());
        let segments: Vec<&str> = path.split('.').collect();
        if segments.iter().any(|s| s.is_empty()) || segments.len() > MAX_DEPTH {
            return Err(Problems::one(path, messages::not_a_path(), messages::join_by_dots()));
        }
        let defaults = defaults(&document["fabric"]["kind"]);
        let mut node = document;
        let mut default = Some(&defaults);
        for (depth, segment) in segments.iter().enumerate() {
            let last = depth + 1 == segments.len();
            let here = segments[..depth].join(".");
            default = below(default, segment);
            node = match node {
                Value::Object(fields) => {
                    let kind = serde_json::from_str::<String>(text).unwrap_or(text.into());
                    if last && *segment == "kind" && fields.get("kind").is_some_and(|k| *k != kind)
                    {
                        fields.clear();
                    }
                    let omitted = || {
                        default.cloned().unwrap_or(if last {
                            Value::Null
                        } else {
                            Map::new().into()
                        })
                    };
                    fields.entry(*segment).or_insert_with(omitted)
                }
                Value::Array(list) => {
                    let count = list.len();
                    segment.parse().ok().and_then(|i: usize| list.get_mut(i)).ok_or_else(|| {
                        Problems::one(
                            path,
                            messages::list_has_no(&here, count, *segment),
                            match count {
                                0 => messages::set_as_a_whole(&here),
                                _ => messages::use_elements(&here, count - 1),
                            },
                        )
                    })?
                }
                _ => {
                    return Err(Problems::one(
                        path,
                        messages::single_value_has_no(&here, *segment),
                        messages::set_itself(&here),
                    ));
                }
            };
        }
        let text_wanted = node.is_string() || default.is_some_and(Value::is_string);
        *node = match serde_json::from_str(text) {
            Ok(Unique(value)) if value.is_string() || !text_wanted => value,
            Err(error) if error.is_data() && !text_wanted => {
                let (why, fix) = explain_json(&error);
                return Err(Problems::one(path, why, fix));
            }
            _ => text.into(),
        };
        Ok(())
    }
}

/// A scenario with every default, as a document. Its fabric is of this kind, if there is such a
/// kind.
fn defaults(fabric: &Value) -> Value {
    let scenario =
        Scenario::of(NetworkSpec::Generate(GeneratorSpec::Irregular(Irregular::default())));
    let mut document = scenario.to_document();
    document["description"] = "".into();
    document["traffic"][0]["name"] = "".into();
    document["network"] = Value::Null;
    if let Ok(fabric) = FabricSpec::deserialize(json!({ "kind": fabric })) {
        document["fabric"] = json!(fabric);
    }
    document
}

/// The default of a field below a node; all elements of a list have the default of the first.
fn below<'a>(node: Option<&'a Value>, segment: &str) -> Option<&'a Value> {
    match node? {
        Value::Object(fields) => fields.get(segment),
        Value::Array(list) => list.first(),
        _ => None,
    }
    .filter(|v| !v.is_null())
}

#[cfg(test)]
mod tests {
    use crate::scenario::{FabricSpec, PatternSpec, Scenario};
    use crate::traffic::patterns::Hotspot;
    use serde_json::Value;

    const SMALL: &str =
        r#"{ "hopscope": 1, "network": { "generate": { "kind": "irregular", "switches": 8 } } }"#;

    fn set(assignments: &[&str]) -> Result<Scenario, String> {
        Scenario::parse_with(SMALL, assignments).map_err(|p| p.to_string())
    }

    #[test]
    fn fields_are_set_whether_the_file_has_them_or_not() {
        let s = set(&[
            "traffic.0.load=0.03",
            "routing.preset=BMAX_ITB",
            "routing.root=switch 3",
            "fabric.buffer_flits=200",
            "name=42",
            "traffic.0.pattern.kind=hotspot",
            "traffic.0.pattern.host=3",
            "traffic.0.pattern.share=0.05",
            "traffic.0.size={\"kind\":\"fixed\",\"bytes\":32}",
            "routing.selection.kind=share",
            "network.generate.switches=9",
        ])
        .unwrap();
        assert_eq!(s.traffic[0].load, 0.03);
        assert_eq!(s.name, "42");
        assert_eq!(s.traffic[0].pattern, PatternSpec::Hotspot(Hotspot { host: 3, share: 0.05 }));
        let FabricSpec::Wormhole(fabric) = &s.fabric else { panic!("the default is wormhole") };
        assert_eq!((fabric.buffer_flits, fabric.stop_flits), (200, 56));
        assert_eq!(s.network.build().unwrap().switches().len(), 9);
    }

    #[test]
    fn parts_that_a_file_leaves_out_have_the_defaults_of_its_fabric() {
        let kind = "fabric.kind=cut-through";
        let found = set(&[kind, "fabric.qos.levels.0.mtu_bytes=512"]).unwrap();
        let FabricSpec::CutThrough(fabric) = &found.fabric else { panic!("it is cut-through") };
        assert_eq!((fabric.qos.levels[0].mtu_bytes, &fabric.qos.lanes[..]), (512, &[0][..]));
        for path in ["fabric.arbiter.weights", "fabric.switch.saqs", "fabric.scheduler.quanta"] {
            let message = set(&[kind, &format!("{path}=2")]).unwrap_err();
            assert!(message.starts_with(&format!("{path}: ")), "{message}");
            assert!(!message.contains("missing"), "{message}");
        }
    }

    #[test]
    fn setting_the_same_kind_again_keeps_its_fields() {
        for kind in ["irregular", "\"irregular\""] {
            let scenario = set(&[&format!("network.generate.kind={kind}")]).unwrap();
            assert_eq!(scenario.network.build().unwrap().switches().len(), 8, "{kind}");
        }
    }

    #[test]
    fn unknown_paths_name_the_nearest() {
        for (wrong, place, near) in [
            ("trafic.0.load=1", "trafic", "`traffic`"),
            ("traffic.0.lod=1", "traffic.0.lod", "`load`"),
            ("fabric.bufer_flits=1", "fabric.bufer_flits", "`buffer_flits`"),
            ("routing.preset=UDITB", "routing.preset", "`UD_ITB`"),
            ("traffic.1.load=1", "traffic.1.load", "use `traffic.0`"),
            ("seed.x=1", "seed.x", "set `seed` itself"),
            ("network.generate.swiches=4", "network.generate.swiches", "`switches`"),
            ("traffic.0.pattern.share=1", "traffic.0.pattern.share", "takes no `share`"),
            ("seed", "seed", "there is no `=`"),
            ("a..b=1", "a..b", "no path"),
        ] {
            let message = set(&[wrong]).unwrap_err();
            assert!(
                message.starts_with(&format!("{place}: ")) && message.contains(near),
                "{wrong}: {message}"
            );
        }
    }

    /// Every object of a document, by its path.
    fn objects(node: &Value, path: &str, found: &mut Vec<String>) {
        let join = |key: &str| if path.is_empty() { key.into() } else { format!("{path}.{key}") };
        match node {
            Value::Object(fields) => {
                found.push(path.to_owned());
                for (key, value) in fields {
                    objects(value, &join(key), found);
                }
            }
            Value::Array(list) => {
                for (i, value) in list.iter().enumerate() {
                    objects(value, &join(&i.to_string()), found);
                }
            }
            _ => {}
        }
    }

    #[test]
    fn null_for_an_unknown_field_is_refused_in_every_object() {
        let mut seen = 0;
        for fields in [
            r#""fabric": { "kind": "wormhole" }, "traffic": [
                { "pattern": { "kind": "combined", "patterns": [
                    { "kind": "uniform" }, { "kind": "hotspot", "host": 0, "share": 0.5 },
                    { "kind": "combined", "patterns": [{ "kind": "transpose" }] },
                    { "kind": "pairs", "pairs": [[0, 1]] }] },
                  "size": { "kind": "fixed", "bytes": 32 }, "arrival": { "kind": "poisson" } },
                { "pattern": { "kind": "permutation", "seed": 2 },
                  "size": { "kind": "pareto", "min": 1, "max": 9, "shape": 1 },
                  "arrival": { "kind": "one-shot", "messages": 1 } }],
              "routing": { "selection": { "kind": "random" } }, "measure": {}"#,
            r#""fabric": { "kind": "cut-through", "scheduler": { "kind": "round-robin" },
                "lane_shares": [{ "lane": 0, "guaranteed_percent": 1, "maximum_percent": 2 }],
                "qos": { "levels": [{ "channels": [0] }], "vfabrics": [{ "class": 0 }],
                    "port_lanes": [{ "switch": 0, "port": 0, "lanes": [0] }] } },
              "routing": { "selection": { "kind": "share", "plain": 1 } }"#,
            r#""fabric": { "kind": "cut-through", "scheduler": { "kind": "dtable", "configure":
                { "levels": [{ "level": 0, "distance": 1, "share": 1, "mtu": 1 }] } } }"#,
            r#""fabric": { "kind": "cut-through", "scheduler": { "kind": "sbt", "weights": [1] } }"#,
        ] {
            let network = r#"{ "generate": { "kind": "irregular", "switches": 8 } }"#;
            let drawn = r#"{ "switches": [{ "ports": 4 }],
                "hosts": [{ "switch": 0 }, { "switch": 0 }], "links": [] }"#;
            for network in [network, drawn] {
                let text = format!(r#"{{ "hopscope": 1, "network": {network}, {fields} }}"#);
                Scenario::read(&text).expect("the fields exist");
                let document = serde_json::from_str(&text).expect("JSON");
                let mut paths = Vec::new();
                objects(&document, "", &mut paths);
                for path in paths {
                    let path = if path.is_empty() { "zzz".into() } else { format!("{path}.zzz") };
                    let wrong = Scenario::read_with(&text, &[format!("{path}=null")]);
                    let problems = wrong.expect_err(&path);
                    assert!(
                        problems.0.iter().any(|problem| problem.at.path() == path),
                        "{problems}"
                    );
                    assert!(problems.0.iter().all(|problem| !problem.fix.is_empty()), "{problems}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 60, "{seen}");
    }
}
