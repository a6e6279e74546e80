//! Each check, by the assignment that trips it and the place it must name.

use crate::message::Argument;
use crate::problem::{Place, Problem};
use crate::scenario::Scenario;
use proptest::prelude::*;
use serde_json::{Value, json};

const SMALL: &str = r#"{ "hopscope": 1,
  "network": { "switches": [{"ports": 6}, {"ports": 6}, {"ports": 6}],
               "hosts": [{"switch": 0}, {"switch": 0}, {"switch": 1}, {"switch": 2}, {"switch": 2}],
               "links": [{"a": [0, 0], "b": [1, 0]}, {"a": [1, 1], "b": [2, 0], "delay_cycles": 4}] } }"#;

/// The problems a change causes, one per line.
fn after(assignments: &[&str]) -> String {
    match Scenario::parse_with(SMALL, assignments) {
        Ok(_) => String::new(),
        Err(problems) => problems.to_string(),
    }
}

#[test]
fn the_base_is_valid_and_survives_its_own_file() {
    let scenario = Scenario::parse(SMALL).unwrap();
    assert_eq!(Scenario::parse(&scenario.to_json()).unwrap(), scenario);
}

#[test]
fn coordinates_are_written_with_few_digits() {
    let changed = ["network.switches.0.x=0.1", "network.switches.0.y=-190.25"];
    let scenario = Scenario::parse_with(SMALL, &changed).unwrap();
    assert_eq!(Scenario::parse(&scenario.to_json()).unwrap(), scenario);
    let switch = &scenario.to_document()["network"]["switches"][0];
    assert_eq!(switch.to_string(), r#"{"ports":6,"x":0.1,"y":-190.25}"#);
}

#[test]
fn every_check_names_its_place() {
    for (assignment, place, word) in [
        ("hopscope=2", "hopscope", "newer"),
        ("hopscope=0", "hopscope", "no version"),
        ("routing.root=switch 3", "routing.root", "switch 2"),
        ("routing.max_candidates=0", "routing.max_candidates", "1 to 256"),
        (
            "routing.selection={\"kind\":\"share\",\"plain\":1.5}",
            "routing.selection.plain",
            "0 to 1",
        ),
        ("fabric.cycle_ps=0", "fabric.cycle_ps", "1 to"),
        ("fabric.routing_cycles=0", "fabric.routing_cycles", "1 to"),
        ("fabric.itb_detection_cycles=0", "fabric.itb_detection_cycles", "1 to"),
        ("fabric.link_delay_cycles=0", "fabric.link_delay_cycles", "1 to"),
        ("fabric.link_delay_cycles=13", "fabric.link_delay_cycles", "buffer_flits of at least 81"),
        ("fabric.link_delay_cycles=21", "fabric.link_delay_cycles", "go_flits of at least 42"),
        ("fabric.stop_flits=66", "fabric.link_delay_cycles", "stop_flits at most 65"),
        ("fabric.go_flits=56", "fabric.go_flits", "at most 55"),
        (
            "network.links.1.delay_cycles=40",
            "network.links.1.delay_cycles",
            "go_flits of at least 80",
        ),
        ("network.links.1.delay_cycles=0", "network.links.1.delay_cycles", "1 to"),
        ("fabric.itb_memory_bytes=512", "traffic.0.size", "at least 516"),
        ("traffic=[]", "traffic", "0 flows"),
        ("traffic.0.load=0", "traffic.0.load", "above 0"),
        ("traffic.0.load=-1", "traffic.0.load", "above 0"),
        ("traffic.0.load=1e9", "traffic.0.load", "at most"),
        ("traffic.0.load=1e308", "traffic.0.load", "at most"),
        ("traffic.0.load=1e-300", "traffic.0.load", "at least"),
        ("traffic.0.load=1e-320", "traffic.0.load", "at least"),
        (
            "traffic=[{\"load\":101,\"load_unit\":\"flits-per-cycle-per-host\"}]",
            "traffic.0.load",
            "offer 101 flits",
        ),
        // Only host 1 sends the load of all switches.
        (
            "traffic=[{\"load\":10,\"pattern\":{\"kind\":\"pairs\",\"pairs\":[[1,2]]}}]",
            "traffic.0.load",
            "at most 0.05333 flits/ns/switch",
        ),
        ("traffic.0.level=1", "traffic.0.level", "service level"),
        ("traffic.0.size.bytes=0", "traffic.0.size.bytes", "1 to"),
        ("traffic.0.size={\"kind\":\"range\",\"min\":9,\"max\":8}", "traffic.0.size", "swap"),
        (
            "traffic.0.size={\"kind\":\"bimodal\",\"short\":9,\"long\":8,\"short_share\":0.5}",
            "traffic.0.size",
            "swap",
        ),
        (
            "traffic.0.size={\"kind\":\"pareto\",\"min\":1,\"max\":8,\"shape\":0}",
            "traffic.0.size.shape",
            "0.01 to 100",
        ),
        (
            "traffic.0.size={\"kind\":\"pareto\",\"min\":1000,\"max\":1001,\"shape\":0.01}",
            "traffic.0.size",
            "raise",
        ),
        (
            "traffic.0.arrival={\"kind\":\"one-shot\",\"messages\":0}",
            "traffic.0.arrival.messages",
            "1 to",
        ),
        (
            "traffic.0.arrival={\"kind\":\"cbr\",\"rate_kbps\":0}",
            "traffic.0.arrival.rate_kbps",
            "1 to",
        ),
        (
            "traffic.0.arrival={\"kind\":\"cbr\",\"rate_kbps\":1300000}",
            "traffic.0.arrival.rate_kbps",
            "at most 1280000",
        ),
        (
            "traffic=[{\"load\":1,\"arrival\":{\"kind\":\"cbr\",\"rate_kbps\":1}}]",
            "traffic.0.arrival.rate_kbps",
            "24000000 streams",
        ),
        (
            "traffic=[{\"load\":0.5,\"arrival\":{\"kind\":\"cbr\",\"rate_kbps\":1}},\
             {\"load\":0.5,\"arrival\":{\"kind\":\"cbr\",\"rate_kbps\":1}}]",
            "traffic.1.arrival.rate_kbps",
            "1.431 times as fast",
        ),
        (
            "traffic.0.arrival={\"kind\":\"bursts\",\"messages\":0}",
            "traffic.0.arrival.messages",
            "1 to",
        ),
        (
            "traffic.0.arrival={\"kind\":\"on-off\",\"on_us\":10,\"off_us\":990}",
            "traffic.0.load",
            "at most 0.002666 flits/ns/switch",
        ),
        (
            "traffic=[{\"load\":1e-5,\"arrival\":{\"kind\":\"on-off\",\"on_us\":10,\"off_us\":10}}]",
            "traffic.0.arrival.on_us",
            "at least 75.34 µs, or a load of at least 4.267e-5 flits",
        ),
        ("traffic.0.start_cycle=5 ", "", ""),
        ("traffic.0.sources=[1,1]", "traffic.0.sources.1", "twice"),
        ("traffic.0.sources=[5]", "traffic.0.sources.0", "0 to 4"),
        ("traffic.0.pattern.kind=bit-reversal", "traffic.0.pattern", "power of two"),
        ("traffic.0.pattern.kind=transpose", "traffic.0.pattern", "4 would do"),
        (
            "traffic.0.pattern={\"kind\":\"hotspot\",\"host\":5,\"share\":0.1}",
            "traffic.0.pattern.host",
            "0 to 4",
        ),
        (
            "traffic.0.pattern={\"kind\":\"hotspot\",\"host\":4,\"share\":-1}",
            "traffic.0.pattern.share",
            "0 to 1",
        ),
        (
            "traffic.0.pattern={\"kind\":\"pairs\",\"pairs\":[[1,1]]}",
            "traffic.0.pattern.pairs.0",
            "itself",
        ),
        (
            "traffic.0.pattern={\"kind\":\"pairs\",\"pairs\":[[1,2],[1,3]]}",
            "traffic.0.pattern.pairs.1",
            "already",
        ),
        (
            "traffic.0.pattern={\"kind\":\"combined\",\"patterns\":[]}",
            "traffic.0.pattern",
            "0 patterns",
        ),
        (
            "traffic.0.pattern={\"kind\":\"combined\",\"patterns\":[{\"kind\":\"shuffle\"}]}",
            "traffic.0.pattern.patterns.0",
            "power of two",
        ),
        ("measure.messages=0", "measure.messages", "1 to"),
        ("network.hosts.0.switch=7", "network.hosts.0.switch", "0 to 2"),
    ] {
        let said = after(&[assignment]);
        let named = said.lines().any(|line| {
            line.split_once(": ").is_some_and(|(at, rest)| at == place && rest.contains(word))
        });
        assert!(named || (place.is_empty() && said.is_empty()), "{assignment}:\n{said}");
    }
}

#[test]
fn connections_of_very_long_intervals_are_refused() {
    let said = after(&[
        "fabric.cycle_ps=1000",
        "traffic.0.size.bytes=500000",
        r#"traffic.0.arrival={"kind":"cbr","rate_kbps":1}"#,
    ]);
    assert!(said.starts_with("traffic.0.arrival.rate_kbps: "), "{said}");
    assert!(said.contains("at least 4 kb/s"), "{said}");
}

/// The problems of a flow on four hosts of a switch, virtual cut-through.
fn of_flow(flow: &Value) -> String {
    let text = json!({ "hopscope": 1, "fabric": { "kind": "cut-through" },
        "network": { "generate": { "kind": "single", "hosts": 4 } }, "traffic": [flow] });
    match Scenario::parse(&text.to_string()) {
        Ok(_) => String::new(),
        Err(problems) => problems.to_string(),
    }
}

#[test]
fn one_voice_or_video_stream_of_a_host_is_accepted() {
    let size = |bytes: u32| json!({ "kind": "fixed", "bytes": bytes });
    let voice = json!({ "kind": "cbr", "rate_kbps": 64 });
    let video = json!({ "kind": "video", "rate_kbps": 750, "frame_ms": 40, "gop_frames": 12,
        "anchor_distance": 3, "p_to_i": 0.375, "b_to_i": 0.1875, "peak_to_mean": 4.37,
        "variation": 0.3 });
    // A channel carries 8 bytes in .625 ns, 102.4 Gb/s.
    for flow in [
        json!({ "load": 64e3 / 102.4e9, "size": size(128), "arrival": voice }),
        json!({ "load": 16e3 / 102.4e9, "size": size(128), "arrival": voice }),
        json!({ "load": 750e3 / 102.4e9, "size": size(1024), "arrival": video }),
        json!({ "load": 1e-9, "size": size(1), "arrival": { "kind": "poisson" } }),
    ] {
        assert_eq!(of_flow(&flow), "", "{flow}");
    }
}

#[test]
fn loads_with_very_rare_messages_are_refused() {
    let flow = |load: f64, arrival: &str, messages: u32| {
        let mut arrival = json!({ "kind": arrival });
        if messages > 0 {
            arrival["messages"] = messages.into();
        }
        of_flow(
            &json!({ "load": load, "size": { "kind": "fixed", "bytes": 8 }, "arrival": arrival }),
        )
    };
    assert_eq!(flow(1.1e-12, "constant", 0), "");
    let said = flow(0.9e-12, "constant", 0);
    assert!(said.starts_with("traffic.0.load: each host would send only every 1.1e12 "), "{said}");
    assert!(said.contains("at least 1e-12 flits/cycle/host"), "{said}");
    // A burst is sent at once, so bursts are rarer than messages.
    assert_eq!(flow(6.1e-11, "bursts", 60), "");
    let said = flow(5.9e-11, "bursts", 60);
    assert!(said.contains("at least 6e-11 flits/cycle/host"), "{said}");
}

#[test]
fn video_has_frames_of_some_packets() {
    let video = |changes: &[&str]| {
        let stream = r#"traffic.0.arrival={"kind":"video","rate_kbps":750,"frame_ms":40,
            "gop_frames":12,"anchor_distance":3,"p_to_i":0.375,"b_to_i":0.1875,
            "peak_to_mean":4.37,"variation":0.3}"#;
        after(&[&[stream], changes].concat())
    };
    assert_eq!(video(&[]), "");
    for (changes, place, word) in [
        (&["traffic.0.arrival.rate_kbps=0"][..], "traffic.0.arrival.rate_kbps", "1 to"),
        (
            &["traffic.0.arrival.rate_kbps=1.3e6", "traffic.0.arrival.frame_ms=10"],
            "traffic.0.arrival.rate_kbps",
            "at most 1280000",
        ),
        (&["traffic.0.arrival.rate_kbps=2e6"], "traffic.0.arrival.rate_kbps", "at most 1280000"),
        (&["traffic.0.arrival.rate_kbps=10"], "traffic.0.size.bytes", "50 bytes on average"),
        (&["traffic.0.size.bytes=4000"], "traffic.0.size.bytes", "at most 3750"),
        (
            &["traffic.0.arrival.rate_kbps=75000", "traffic.0.size.bytes=10"],
            "traffic.0.size.bytes",
            "at least 26",
        ),
        (
            &[r#"traffic.0.size={"kind":"range","min":64,"max":512}"#],
            "traffic.0.size",
            "kind `fixed`",
        ),
        (&["traffic.0.arrival.peak_to_mean=3.3"], "traffic.0.arrival.peak_to_mean", "3.32"),
        (
            &["traffic.0.arrival.rate_kbps=1e6", "traffic.0.arrival.frame_ms=1000"],
            "traffic.0.arrival",
            "at most 16777216 bytes",
        ),
        (&["traffic.0.load=1e-5"], "traffic.0.load", "less than a packet"),
        (
            &["traffic.0.load=1", "traffic.0.arrival.rate_kbps=1", "traffic.0.size.bytes=1"],
            "traffic.0.arrival.rate_kbps",
            "MB of memory",
        ),
    ] {
        let said = video(changes);
        let named = said.lines().any(|line| {
            line.split_once(": ").is_some_and(|(at, rest)| at == place && rest.contains(word))
        });
        assert!(named, "{changes:?}:\n{said}");
    }
}

#[test]
fn problems_of_all_sections_come_together() {
    let said = after(&[
        "seed=-1",
        "routing.preset=X",
        "fabric.speed=1",
        "traffic.0.load=no",
        "measure.messages=many",
    ]);
    for place in ["seed", "routing.preset", "fabric.speed", "traffic.0.load", "measure.messages"] {
        assert!(
            said.lines().any(|line| line.starts_with(&format!("{place}: "))),
            "{place}:\n{said}"
        );
    }
    let said = after(&[
        "traffic.0.load=-1",
        "measure.messages=0",
        "network.hosts.0.switch=7",
        "fabric.cycle_ps=0",
    ]);
    assert_eq!(said.lines().count(), 4, "{said}");
}

#[test]
fn local_traffic_needs_a_neighbour() {
    let lonely = SMALL.replace(
        "{\"switch\": 0}, {\"switch\": 0}, {\"switch\": 1}, {\"switch\": 2}, ",
        "{\"switch\": 0}, ",
    );
    let near = |d| {
        Scenario::parse_with(
            &lonely,
            &[format!("traffic.0.pattern={{\"kind\":\"local\",\"distance\":{d}}}")],
        )
    };
    assert!(near(1).is_err());
    assert!(near(2).is_ok());
}

#[test]
fn syntax_errors_name_line_and_column() {
    let problems = Scenario::parse("{\n  \"hopscope\": 1,,\n}").unwrap_err();
    assert_eq!(problems.0[0].at, Place::Position(2, 17));
    for text in
        ["", "[]", "7", "{}", "nonsense", "{\"hopscope\": 1}", "\u{feff}{", "{\"hopscope\": 1e99}"]
    {
        assert!(Scenario::parse(text).is_err(), "{text}");
    }
}

#[test]
fn a_key_that_stands_twice_is_refused() {
    let twice =
        SMALL.replace("\"hosts\": [{\"switch\": 0}", "\"hosts\": [{\"switch\": 1, \"switch\": 0}");
    let said = Scenario::parse(&twice).unwrap_err().to_string();
    assert_eq!(said, "line 3, column 51: duplicate field `switch` (fix: keep one of them)");
}

#[test]
fn a_field_that_a_choice_does_not_take_is_refused_whatever_its_value() {
    for value in ["null", "[]", "7"] {
        let said = after(&[&format!("traffic.0.pattern.zzz={value}")]);
        assert!(said.starts_with("traffic.0.pattern.zzz: \"uniform\" takes no `zzz`"), "{said}");
    }
}

#[test]
fn a_megabyte_of_nonsense_is_answered() {
    let deep = "[".repeat(1 << 20);
    assert!(Scenario::parse(&deep).is_err());
    let wide = format!(
        "{{\"hopscope\":1,\"network\":{{\"switches\":[{}{{}}]}}}}",
        "{\"ports\":1},".repeat(80_000)
    );
    assert!(Scenario::parse(&wide).is_err());
}

#[test]
fn on_periods_that_just_fill_the_link_are_accepted() {
    let on_off = |on: u32, off: u32, bytes: u32, load: f64| {
        let arrival = json!({ "kind": "on-off", "on_us": on, "off_us": off });
        of_flow(&json!({ "load": load, "arrival": arrival,
            "size": { "kind": "fixed", "bytes": bytes } }))
    };
    for (on, off) in [(7, 1), (3, 7), (1, 9), (50, 50), (11, 2)] {
        let share = f64::from(on) / f64::from(on + off);
        assert_eq!(on_off(on, off, 512, share), "", "{on} {off}");
        assert_ne!(on_off(on, off, 512, share * 1.0001), "", "{on} {off}");
    }
    let said = Scenario::parse_with(
        SMALL,
        &[
            r#"network={"generate":{"kind":"ring","switches":4,"hosts_per_switch":2}}"#,
            r#"traffic=[{"load":0.28,"arrival":{"kind":"on-off","on_us":7,"off_us":1}}]"#,
        ],
    );
    assert!(said.is_ok(), "{said:?}");
}

#[test]
fn on_periods_need_the_flits_that_messages_fill_in_part() {
    // Each message of a byte takes a flit of 8.
    let on_off = |load: f64| {
        let arrival = json!({ "kind": "on-off", "on_us": 50, "off_us": 50 });
        let size = json!({ "kind": "fixed", "bytes": 1 });
        of_flow(&json!({ "load": load, "arrival": arrival, "size": size }))
    };
    assert_eq!(on_off(0.0625), "");
    let said = on_off(0.1);
    assert!(said.contains(" 1.6 times") && said.contains("at most 0.0625 "), "{said}");
    let said = on_off(0.06251);
    assert!(said.contains(" 1.001 times"), "{said}");
}

#[test]
fn the_most_messages_by_default_are_told_as_such() {
    let many = ["measure.messages=200000000", "measure.half_width=0.01"];
    let said = after(&many);
    assert!(said.starts_with("measure.messages: without `max_messages` up to 20 times"), "{said}");
    assert!(said.contains("use at most 100000000, or give `max_messages`"), "{said}");
    assert_eq!(after(&["measure.messages=100000000", many[1]]), "");
    assert_eq!(after(&[many[0], many[1], "measure.max_messages=2000000000"]), "");
    let said = after(&[many[1], "measure.messages=1000", "measure.max_messages=999"]);
    assert!(said.starts_with("measure.max_messages: 999 is out of range"), "{said}");
}

/// Takes the fix of a problem of the only flow of a scenario.
fn take(problem: &Problem, traffic: &mut Value) {
    let given = |name: &str| {
        let found = problem.fix.arguments.iter().find(|(known, _)| known == name);
        match found {
            Some((_, Argument::Text(text))) => text.parse::<f64>().expect("a number"),
            other => panic!("{other:?}"),
        }
    };
    let (field, value) = match &*problem.fix.id {
        "more_or_one_shot" | "load_that_fills_link" | "lower_load_or_more_on" => {
            ("/load", given("load"))
        }
        "use_load_at_least" => ("/load", given("least")),
        "longer_on_or_more_load" => ("/arrival/on_us", given("us")),
        "faster_stream_or_shorter" => ("/arrival/rate_kbps", given("rate")),
        "fewer_streams" => {
            let rate = traffic["arrival"]["rate_kbps"].as_f64().expect("a rate");
            ("/arrival/rate_kbps", rate * given("times"))
        }
        other => panic!("{other}: {problem:?}"),
    };
    *traffic.pointer_mut(field).expect("a field") = value.into();
}

proptest! {
    #[test]
    fn fixes_of_flows_are_accepted(
        (load, size, periods) in (-15_f64..3.0, 0_f64..6.0, (-1_f64..4.0, -1_f64..4.0)),
        (rate_kbps, cycle_ps, hosts, kind) in (0_f64..5.0, 1_u64..5000, 1_usize..9, 0_usize..6),
        per_switch in any::<bool>(),
    ) {
        let power = |exponent: f64| 10_f64.powf(exponent);
        let (on_us, off_us) = (power(periods.0), power(periods.1));
        let (arrival, size) = match kind {
            0 => (json!({ "kind": "constant" }), size),
            1 => (json!({ "kind": "bursts", "messages": 7 }), size),
            2 => (json!({ "kind": "cbr", "rate_kbps": power(rate_kbps) }), size),
            3 => (json!({ "kind": "video", "rate_kbps": 750, "frame_ms": 40, "gop_frames": 12,
                    "anchor_distance": 3, "p_to_i": 0.375, "b_to_i": 0.1875, "peak_to_mean": 4.37,
                    "variation": 0.3 }), size.clamp(1.0, 3.0)),
            _ => (json!({ "kind": "on-off", "on_us": on_us, "off_us": off_us }), size),
        };
        let unit = if per_switch { "flits-per-ns-per-switch" } else { "flits-per-cycle-per-host" };
        let mut flow = json!({ "load": power(load), "load_unit": unit, "arrival": arrival,
            "size": { "kind": "fixed", "bytes": power(size) as u32 } });
        let mut taken = Vec::new();
        loop {
            let text = json!({ "hopscope": 1,
                "fabric": { "kind": "cut-through", "cycle_ps": cycle_ps },
                "network": { "generate": { "kind": "single", "hosts": hosts + 1 } },
                "traffic": [flow] });
            let Err(problems) = Scenario::parse(&text.to_string()) else { break };
            for problem in &problems.0 {
                prop_assert!(!taken.contains(&problem.why.id), "again {problem:?} for {flow}");
                taken.push(problem.why.id.clone());
                take(problem, &mut flow);
            }
        }
    }

    #[test]
    fn damaged_files_never_panic(at in 0usize..400, with in "[0-9a-z{}\\[\\],:\" .-]{0,4}", cut in 0usize..4) {
        let text: Vec<char> = SMALL.chars().collect();
        let at = at.min(text.len());
        let rest = (at + cut).min(text.len());
        let damaged: String = text[..at].iter().copied().chain(with.chars()).chain(text[rest..].iter().copied()).collect();
        if let Ok(scenario) = Scenario::parse(&damaged) {
            prop_assert_eq!(Scenario::parse(&scenario.to_json()).unwrap(), scenario);
        }
    }
}

#[test]
fn names_have_so_many_characters_in_any_alphabet() {
    let named = |length: usize| of_flow(&json!({ "load": 0.1, "name": "ñ".repeat(length) }));
    assert_eq!(named(200), "");
    let said = named(201);
    assert!(said.contains("traffic.0.name: the name has 201 characters"), "{said}");
    assert_eq!(after(&[&format!("name={}", "ñ".repeat(200))]), "");
}
