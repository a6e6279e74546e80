//! The bounds that descriptors show are those that validation keeps: for every number of every
//! member of a family but applications, also in lists, the least and the largest value are
//! accepted, and the values next to them outside are refused with the place of the parameter. The
//! same for numbers whose limits are constants.

use hopscope_core::catalogue::{Descriptor, Kind, Parameter};
use hopscope_core::families;
use hopscope_core::problem::Problems;
use hopscope_core::qos::schedulers::dtable;
use hopscope_core::scenario::limits::MAX_MTU_BYTES;
use hopscope_core::scenario::{MANAGEMENT_CHANNEL, MAX_LEVELS, Scenario};
use hopscope_core::simulation::Simulation;
use serde_json::{Map, Value, json};

const BASE: &str = r#"{ "hopscope": 1,
    "network": { "generate": { "kind": "single", "hosts": 4 } },
    "traffic": [{ "load": 0.01, "load_unit": "flits-per-cycle-per-host" }] }"#;

const TWO_LANES: &str =
    r#"fabric.qos={"lanes":[0,1],"levels":[{"channels":[0]},{"channels":[1]}]}"#;

const QUEUES_PER_OUTPUT: &str =
    r#"fabric={"kind":"cut-through","switch":{"kind":"combined-queues","queues":"voq-switch"}}"#;

/// The choice of a member, as a document: its kind, with the default of each parameter.
fn choice(member: &Descriptor) -> Value {
    if member.id == "dtable" {
        let level = json!({ "level": 0, "distance": 1, "share": 1, "mtu": 1 });
        return json!({ "kind": "dtable", "configure": { "levels": [level] } });
    }
    let mut fields = Map::from_iter([("kind".to_owned(), json!(member.id))]);
    for parameter in member.parameters {
        fields.insert(parameter.id.into(), parameter.kind.default_value());
    }
    fields.into()
}

/// Settings of other fields that a bound of this one needs.
fn companions(member: &str, parameter: &str, is_max: bool) -> Vec<String> {
    let settings: &[&str] = match (member, parameter, is_max) {
        ("hotspot", "host", true) => {
            &[r#"network={"generate":{"kind":"ring","switches":1024,"hosts_per_switch":64}}"#]
        }
        ("bimodal", "short", true) => {
            &["traffic.0.size.long=16777216", "fabric.itb_memory_bytes=1073741824"]
        }
        ("bimodal", "long", false) => &["traffic.0.size.short=1"],
        (_, "bytes" | "short" | "long", true) => &["fabric.itb_memory_bytes=1073741824"],
        ("range" | "pareto", "min", true) => {
            &["traffic.0.size.max=16777216", "fabric.itb_memory_bytes=1073741824"]
        }
        ("range" | "pareto", "max", true) => &["fabric.itb_memory_bytes=1073741824"],
        ("range" | "pareto", "max", false) => &["traffic.0.size.min=1"],
        ("cbr", "rate_kbps", true) => &["fabric.cycle_ps=1"],
        ("video", "rate_kbps", true) => &["fabric.cycle_ps=1", "traffic.0.arrival.frame_ms=0.1"],
        ("video", "rate_kbps" | "frame_ms", false) => &["traffic.0.size.bytes=1"],
        ("video", "p_to_i" | "b_to_i", false) => &["traffic.0.arrival.peak_to_mean=100"],
        ("video", "peak_to_mean", false) => &["traffic.0.arrival.gop_frames=1"],
        ("on-off", "on_us", false) => &["traffic.0.load=0.4", "traffic.0.arrival.off_us=0.1"],
        ("on-off", "off_us", true) => &["traffic.0.arrival.on_us=1e7"],
        ("wrr" | "as-dtable", "table", true) => {
            &[r#"fabric.qos={"lanes":[31],"levels":[{"channels":[0],"mtu_bytes":64}]}"#]
        }
        ("sbt", "weights", false) => &[TWO_LANES],
        ("min-bw", "weights", true) => &["fabric.scheduler.of=10000"],
        ("combined-queues", "shares", _) => &[r#"fabric.arbiter={"kind":"smallest-counter"}"#],
        ("dtable", "configure.w", false) => &["fabric.scheduler.configure.k=1"],
        ("dtable", "configure.k", true) => &["fabric.scheduler.configure.w=1024"],
        ("as-dtable", "mtu", false) => {
            &[r#"fabric.qos={"lanes":[0],"levels":[{"channels":[0],"mtu_bytes":64}]}"#]
        }
        ("min-bw", "management_rate", true) => {
            &[TWO_LANES, "fabric.scheduler.of=10000", "fabric.scheduler.management_depth=32768"]
        }
        ("min-bw", "management_depth", true) => {
            &[TWO_LANES, "fabric.scheduler.of=2", "fabric.scheduler.management_rate=1"]
        }
        ("wormhole", "link_delay_cycles", true) => {
            &["fabric.go_flits=2000000", "fabric.stop_flits=2000001", "fabric.buffer_flits=4000000"]
        }
        ("wormhole", "buffer_flits", false) => {
            &["fabric.link_delay_cycles=1", "fabric.go_flits=2", "fabric.stop_flits=3"]
        }
        ("wormhole", "stop_flits", false) => &["fabric.link_delay_cycles=1", "fabric.go_flits=2"],
        ("wormhole", "go_flits", false) => &["fabric.link_delay_cycles=1"],
        ("wormhole", "stop_flits", true) => {
            &["fabric.link_delay_cycles=1", "fabric.buffer_flits=1073741824"]
        }
        ("wormhole", "go_flits", true) => &[
            "fabric.link_delay_cycles=1",
            "fabric.stop_flits=1073741823",
            "fabric.buffer_flits=1073741824",
        ],
        // Only a message that stops in transit has to fit.
        ("wormhole", "itb_memory_bytes", false) => &["routing.preset=UD"],
        ("cut-through", "itb_memory_bytes", false) => {
            &[r#"fabric.qos={"lanes":[0],"levels":[{"channels":[0],"mtu_bytes":1}]}"#]
        }
        ("cut-through", "mport_flits_per_cycle", true) => &["fabric.central_flits_per_cycle=64"],
        ("cut-through", "central_flits_per_cycle", false) => &["fabric.mport_flits_per_cycle=1"],
        ("combined-queues", "crossing_ns", true) => &["fabric.cycle_ps=1000"],
        ("recn" | "recn-qos", "xoff_bytes", false) => &["fabric.switch.congestion.xon_bytes=0"],
        ("recn" | "recn-qos", "xon_bytes", true) => {
            &["fabric.switch.congestion.xoff_bytes=134217727"]
        }
        ("islip" | "counter-threshold", ..) => &["fabric.switch.kind=combined-queues"],
        ("cut-through", "credit_bytes", false) => &["fabric.flit_bytes=1"],
        ("cut-through", "flit_bytes", true) => &["fabric.credit_bytes=4096"],
        _ => &[],
    };
    let mut settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    if (member, parameter, is_max) == ("strict-priority", "order", true) {
        settings.push(all_levels(MAX_LEVELS));
    }
    if member == "cut-through" {
        // Buffers of 32768 credits: every share of them holds a packet.
        let credit = match (parameter, is_max) {
            ("credit_bytes", false) => 1,
            ("credit_bytes" | "flit_bytes", true) => 4096,
            (buffer, true) if buffer.ends_with("_buffer_bytes") => 4096,
            (size, false) if size.ends_with("_buffer_bytes") || size == "itb_memory_bytes" => {
                settings.push("fabric.flit_bytes=1".into());
                1
            }
            _ => 64,
        };
        settings.push(format!("fabric.credit_bytes={credit}"));
        for buffer in ["input", "output", "central", "nic"] {
            settings.push(format!("fabric.{buffer}_buffer_bytes={}", credit * 32768));
        }
        if parameter == "lane_maximum_percent" && !is_max {
            settings.push("fabric.lane_guaranteed_percent=1".into());
        }
    }
    if ["recn", "recn-qos"].contains(&member) && is_max {
        // Thresholds are below the size of a buffer.
        settings.push("fabric.credit_bytes=4096".into());
        let buffers = ["input", "output", "nic"];
        settings.extend(buffers.map(|buffer| format!("fabric.{buffer}_buffer_bytes=134217728")));
    }
    settings
}

/// The setting of so many service levels, all on lane 0.
fn all_levels(count: usize) -> String {
    let others = (0..MAX_LEVELS as u8).filter(|&channel| channel != MANAGEMENT_CHANNEL);
    let channels = others.chain([MANAGEMENT_CHANNEL]).chain(MAX_LEVELS as u8..).take(count);
    let levels: Vec<Value> = channels.map(|channel| json!({ "channels": [channel] })).collect();
    format!("fabric.qos={}", json!({ "lanes": vec![0; MAX_LEVELS], "levels": levels }))
}

/// Everything that is wrong with the base after these settings: its fields, and if `builds`, what
/// is found when tables and buffers are built.
fn problems(settings: &[String], builds: bool) -> Problems {
    match Scenario::parse_with(BASE, settings) {
        Ok(scenario) if builds => Simulation::check_scenario(&scenario).err().unwrap_or_default(),
        Ok(_) => Problems::default(),
        Err(problems) => problems,
    }
}

/// Values just outside the bounds, and the bounds, least first. Lists have one such number.
fn values(parameter: &Parameter) -> Option<[Option<String>; 4]> {
    let text = |value: Value| Some(value.to_string());
    let whole = |min: u64, max: u64| {
        let below = min.checked_sub(1).map_or(json!(-1), |below| json!(below));
        [Some(below), Some(json!(min)), Some(json!(max)), max.checked_add(1).map(|n| json!(n))]
    };
    match parameter.kind {
        Kind::Integer { min, max, .. } => Some(whole(min, max).map(|value| text(value?))),
        Kind::Integers { min, max, .. } => Some(whole(min, max).map(|value| text(json!([value?])))),
        Kind::Real { min, max, .. } => {
            Some([min.next_down(), min, max, max.next_up()].map(|value| text(json!(value))))
        }
        Kind::Choice { .. } | Kind::Flag { .. } | Kind::Values { .. } => None,
    }
}

#[test]
fn bounds_of_descriptors_are_those_of_validation() {
    let mut checked = Vec::new();
    let mut wrong = Vec::new();
    for family in families::all() {
        // The parameter of the formats is an option of the import, not a field.
        if family.path.is_empty() {
            continue;
        }
        let path = family.path.replace(".N.", ".0.");
        for member in &family.members {
            let (choice, place) = match &*path {
                "routing.preset" => (json!(member.id), "routing".to_owned()),
                _ => (choice(member), path.clone()),
            };
            for parameter in member.parameters {
                let Some([below, least, largest, above]) = values(parameter) else { continue };
                let field = format!("{place}.{}", parameter.id);
                let inside = format!("{field}.");
                let is_there = |at: &str| at == field || at.starts_with(&inside);
                let settings = |value: String, is_max: bool| {
                    let mut settings = Vec::new();
                    if ["schedulers", "arbiters", "switches"].contains(&family.id) {
                        settings.push(r#"fabric={"kind":"cut-through"}"#.to_owned());
                    }
                    if family.id == "congestion" {
                        settings.push(QUEUES_PER_OUTPUT.to_owned());
                    }
                    if member.id == "recn-qos" {
                        settings.push(r#"fabric.arbiter={"kind":"smallest-counter"}"#.to_owned());
                    }
                    settings.push(format!("{path}={choice}"));
                    settings.extend(companions(member.id, parameter.id, is_max));
                    settings.push(format!("{field}={value}"));
                    settings
                };
                for (value, is_max) in [(least, false), (largest, true)] {
                    let value = value.expect("there are bounds");
                    // Some level has a weight.
                    let value = if member.id == "sbt" && !is_max { "[0,1]".into() } else { value };
                    let settings = settings(value, is_max);
                    // One byte holds no packet, and one number can make a network too large: only
                    // the number itself is looked at.
                    let builds = is_max || !parameter.id.ends_with("_buffer_bytes");
                    let mut found = problems(&settings, builds);
                    if family.id == "topologies" {
                        found.0.retain(|problem| problem.why.id == "out_of_range");
                    }
                    if !found.is_empty() {
                        wrong.push(format!("{settings:?} is refused: {found}"));
                    }
                }
                for (value, is_max) in [(below, false), (above, true)] {
                    let Some(value) = value else { continue };
                    let settings = settings(value, is_max);
                    if !problems(&settings, true)
                        .0
                        .iter()
                        .any(|problem| is_there(problem.at.path()))
                    {
                        wrong.push(format!("{settings:?} is accepted"));
                    }
                }
                if let Kind::Integers { may_be_empty, .. } = parameter.kind {
                    let settings = settings("[]".into(), false);
                    let mut found = problems(&settings, true);
                    found.0.retain(|problem| is_there(problem.at.path()));
                    if found.is_empty() != may_be_empty {
                        wrong.push(format!("{settings:?}, which may be empty or not: {found}"));
                    }
                }
                checked.push(format!("{}.{}.{}", family.id, member.id, parameter.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all = checked.join(" ");
    for expected in [
        "topologies.ring.switches",
        "routings.UD.max_candidates",
        "selections.by-length.threshold_bytes",
        "selections.when-loaded.handicap",
        "patterns.local.distance",
        "patterns.hotspot.host",
        "sizes.pareto.shape",
        "arrivals.one-shot.messages",
        "arrivals.cbr.rate_kbps",
        "arrivals.bursts.messages",
        "arrivals.video.peak_to_mean",
        "arrivals.on-off.off_us",
        "schedulers.dtable.configure.w",
        "schedulers.min-bw.management_rate",
        "switches.combined-queues.speedup_percent",
        "switches.combined-queues.crossing_ns",
        "arbiters.islip.iterations",
        "fabrics.wormhole.buffer_flits",
        "fabrics.cut-through.input_buffer_bytes",
        "topologies.mesh.sides",
        "schedulers.wrr.table",
        "schedulers.strict-priority.order",
        "arbiters.weighted-random.weights",
        "switches.combined-queues.shares",
    ] {
        assert!(all.contains(expected), "{expected} is not among {all}");
    }
}

#[test]
fn limits_that_are_no_parameters_are_those_of_validation() {
    let cut_through = r#"fabric={"kind":"cut-through"}"#.to_owned();
    let mtu = |bytes: u32| {
        let levels = json!([{ "channels": [0], "mtu_bytes": bytes }]);
        vec![cut_through.clone(), format!("fabric.qos.levels={levels}")]
    };
    let goal = |share: u64, distance: u64| {
        let level = json!({ "level": 0, "distance": distance, "share": share, "mtu": 1 });
        let scheduler =
            json!({ "kind": "dtable", "configure": { "entries": 1, "levels": [level] } });
        vec![cut_through.clone(), format!("fabric.scheduler={scheduler}")]
    };
    let entry = |weight: u32| {
        let scheduler = json!({ "kind": "dtable", "entries": [[0, weight]] });
        vec![cut_through.clone(), format!("fabric.scheduler={scheduler}")]
    };
    let levels = |count: usize| vec![cut_through.clone(), all_levels(count)];
    let weight = dtable::MAX_ENTRY_WEIGHT;
    for (accepted, refused) in [
        (vec![mtu(1), mtu(MAX_MTU_BYTES)], vec![mtu(0), mtu(MAX_MTU_BYTES + 1)]),
        (
            vec![goal(1, 1), goal(dtable::MAX_SHARE.into(), u32::MAX.into())],
            vec![goal(0, 1), goal(u64::from(dtable::MAX_SHARE) + 1, 1), goal(1, 0)],
        ),
        (vec![entry(1), entry(weight)], vec![entry(0), entry(weight + 1)]),
        (vec![levels(1), levels(MAX_LEVELS)], vec![levels(0), levels(MAX_LEVELS + 1)]),
    ] {
        for settings in accepted {
            let found = problems(&settings, true);
            assert!(found.is_empty(), "{settings:?} is refused: {found}");
        }
        for settings in refused {
            assert!(!problems(&settings, true).is_empty(), "{settings:?} is accepted");
        }
    }
}

#[test]
fn validation_and_the_fabric_agree_on_the_largest_buffer() {
    for buffer in ["input", "output", "central", "nic"] {
        for (credit, largest) in [(64, 64 * 32768), (32, 32 * 32768)] {
            let bytes = |bytes: u32| {
                let size = format!("fabric.{buffer}_buffer_bytes={bytes}");
                [
                    r#"fabric={"kind":"cut-through"}"#.to_owned(),
                    format!("fabric.credit_bytes={credit}"),
                    size,
                ]
            };
            let found = problems(&bytes(largest), true);
            assert!(found.is_empty(), "{found}");
            // Found by validation, before anything is built.
            let found = problems(&bytes(largest + credit), false);
            let field = format!("fabric.{buffer}_buffer_bytes");
            assert!(found.0.iter().any(|problem| problem.at.path() == field), "{field}: {found}");
        }
    }
}
