//! What descriptors say of parameters that are left out is what scenarios do: one with a default
//! then has that value, and a required one is missed.

use hopscope_core::application::collectives::Collective;
use hopscope_core::catalogue::{Descriptor, Parameter};
use hopscope_core::families;
use hopscope_core::problem::Problems;
use hopscope_core::scenario::formats::Options;
use hopscope_core::scenario::{Scenario, SwitchSpec};
use serde_json::{Value, json};

const BASE: &str = r#"{ "hopscope": 1,
    "network": { "generate": { "kind": "single", "hosts": 4 } },
    "traffic": [{ "load": 0.01, "load_unit": "flits-per-cycle-per-host" }] }"#;

/// What the base needs for a member.
fn surroundings(family: &str, member: &str) -> Vec<String> {
    let combined = r#"fabric={"kind":"cut-through","switch":{"kind":"combined-queues"}}"#;
    let hierarchical = r#"fabric={"kind":"cut-through"}"#;
    let fabric = match family {
        "schedulers" | "switches" => hierarchical,
        "arbiters" if SwitchSpec::default().arbiters().contains(&member) => hierarchical,
        "congestion" | "queue-schemes" | "arbiters" => combined,
        _ => return Vec::new(),
    };
    let mut settings = vec![fabric.to_owned()];
    if member == "recn-qos" {
        settings.push(r#"fabric.switch.congestion={"kind":"recn-qos"}"#.into());
        settings.push(r#"fabric.arbiter={"kind":"smallest-counter"}"#.into());
    }
    settings
}

/// The fields that a member needs and that are no parameters, because they are lists of their own.
fn lists(member: &str) -> Value {
    match member {
        "dtable" => json!({ "configure": { "levels": [
            { "level": 0, "distance": 1, "share": 1, "mtu": 1 },
        ] } }),
        "trace" => json!({ "text": "num_ranks 1\nrank 0 {\n}\n" }),
        _ => json!({}),
    }
}

/// The scenario with a member of a family, whose parameters are those given.
fn scenario(
    family: &str,
    path: &str,
    member: &Descriptor,
    given: &[&Parameter],
) -> Result<Scenario, Problems> {
    let mut settings = surroundings(family, member.id);
    let place = match path.rsplit_once('.') {
        // These are words; parameters of presets and axes are fields beside them.
        Some((place, _))
            if family == "queue-schemes"
                || (path.starts_with("routing.") && family != "selections") =>
        {
            let word = member.id.replace("switch N", "switch 0");
            settings.push(format!("{path}={}", json!(word)));
            place
        }
        _ => {
            let mut choice = lists(member.id);
            choice["kind"] = json!(member.id);
            for parameter in given {
                let mut place = &mut choice;
                for name in parameter.id.split('.') {
                    place = &mut place[name];
                }
                *place = parameter.kind.default_value();
            }
            settings.push(format!("{path}={choice}"));
            return Scenario::parse_with(BASE, &settings);
        }
    };
    for parameter in given {
        settings.push(format!("{place}.{}={}", parameter.id, parameter.kind.default_value()));
    }
    Scenario::parse_with(BASE, &settings)
}

/// A scenario whose application names its algorithm, which a file may leave to its kind.
fn with_algorithm(mut scenario: Scenario) -> Scenario {
    if let Some(spec) = &mut scenario.application {
        let collective = Collective::of(spec.kind);
        spec.algorithm = collective.and_then(|one| one.algorithm(spec, 4).ok());
    }
    scenario
}

#[test]
fn parameters_that_are_left_out_have_their_defaults_and_required_ones_are_missed() {
    let mut wrong = Vec::new();
    let [mut optional, mut required] = [0, 0];
    for family in families::all().into_iter().chain([families::applications()]) {
        // The parameter of the formats is an option of the import, not a field.
        if family.path.is_empty() {
            let mut parameters = family.members.iter().flat_map(|member| member.parameters);
            let default = json!(Options::default().hosts_per_switch);
            assert!(parameters.all(|one| !one.required && one.kind.default_value() == default));
            continue;
        }
        let path = family.path.replace(".N.", ".0.");
        for member in &family.members {
            let parsed = |given: &[&Parameter]| scenario(family.id, &path, member, given);
            let needed: Vec<&Parameter> =
                member.parameters.iter().filter(|parameter| parameter.required).collect();
            let least = match parsed(&needed) {
                Ok(least) => with_algorithm(least),
                Err(problems) => {
                    wrong.push(format!("{} needs more: {problems}", member.id));
                    continue;
                }
            };
            for parameter in member.parameters {
                let name = format!("{}.{}.{}", family.id, member.id, parameter.id);
                if parameter.required {
                    required += 1;
                    let others: Vec<&Parameter> =
                        needed.iter().copied().filter(|other| other.id != parameter.id).collect();
                    let missed = format!("`{}`", parameter.id);
                    match parsed(&others) {
                        Err(problems) if problems.to_string().contains(&missed) => {}
                        Err(problems) => wrong.push(format!("{name}: {problems}")),
                        Ok(_) => wrong.push(format!("{name} may be left out")),
                    }
                } else if parameter.kind.default_value() != json!("") {
                    optional += 1;
                    let given: Vec<&Parameter> =
                        needed.iter().copied().chain([parameter]).collect();
                    match parsed(&given).map(with_algorithm) {
                        Ok(with) if with == least => {}
                        Ok(with) => wrong.push(format!("{name}: {with:?} is not {least:?}")),
                        Err(problems) => wrong.push(format!("{name}: {problems}")),
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(optional > 100 && required > 30, "{optional} with a default, {required} required");
}
