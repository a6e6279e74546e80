//! `run` and `saturate`.

use super::*;

#[test]
fn control_characters_of_names_do_not_reach_the_terminal() {
    let path = scenario("control.json", SMALL);
    let name = ["--set", "name=\"\\u001b[31mred\\u009b\""];
    for json in [&[][..], &["--json"]] {
        let output = hopscope(&[&["run", &path], &name[..], json].concat());
        let printed = done(&output);
        assert!(!printed.contains(['\u{1b}', '\u{9b}']), "{printed:?}");
        assert!(!json.is_empty() || printed.contains("\\u{1b}[31mred\\u{9b}"), "{printed:?}");
    }
    // A problem shows words of the file.
    let path = file("control.any", "router 0 \u{1b}[31mred 1\n");
    let output = hopscope(&["convert", path.to_str().unwrap(), "-", "--to", "json"]);
    let printed = problems(&output);
    assert!(printed.contains("\\u{1b}[31mred") && !printed.contains('\u{1b}'), "{printed:?}");
    // The contents of a file stay as they are.
    let path = file("control.dot", "graph { \"a\u{1b}b\" -- c }");
    let output = hopscope(&["convert", path.to_str().unwrap(), "-", "--to", "csv"]);
    assert!(done(&output).contains("link,a b,"), "{output:?}");
}

#[test]
fn run_prints_each_table_as_csv() {
    let path = scenario("tables.json", SMALL);
    let all = ["--set", "measure.pairs=true"];
    let json = hopscope(&[&["run", &path, "--json"], &all[..]].concat());
    let json: Value = serde_json::from_str(done(&json)).unwrap();
    for table in ["flows", "hosts", "pairs", "channels", "distances"] {
        let output = hopscope(&[&["run", &path, "--csv", table], &all[..]].concat());
        let rows = json[table].as_array().map_or(0, Vec::len);
        assert_eq!(done(&output).lines().count(), rows + 1, "{table}");
        assert!(rows > 0, "{table}");
    }
    // Tables that would be empty.
    let pairs = hopscope(&["run", &path, "--csv", "pairs"]);
    assert!(problems(&pairs).contains("say --set measure.pairs=true"), "{pairs:?}");
    let levels = hopscope(&["run", &path, "--csv", "levels"]);
    assert!(problems(&levels).contains("use the fabric `cut-through`"), "{levels:?}");
    let fabric = ["--set", r#"fabric={"kind":"cut-through"}"#, "--set", "routing.preset=UD"];
    let levels = hopscope(&[&["run", &path, "--csv", "levels"], &fabric[..]].concat());
    assert_eq!(done(&levels).lines().count(), 2, "{levels:?}");
    let output = hopscope(&["run", &path, "--csv", "hosts"]);
    assert!(done(&output).starts_with("host,name,offered_flits_per_cycle,"), "{output:?}");
    assert!(problems(&hopscope(&["run", &path, "--csv", "ports"])).contains("channels"));
}

#[test]
fn bounds_that_need_space_in_the_first_switch_say_so_once() {
    let path = scenario("space.json", SMALL);
    let told = |switch: &str, pairs: &str| {
        let fabric = format!(
            r#"fabric={{"kind":"cut-through","lane_guaranteed_percent":100,
                "input_buffer_bytes":65536,"output_buffer_bytes":65536,"nic_buffer_bytes":65536,
                "switch":{{"kind":"{switch}"}},"qos":{{"levels":[{{"channels":[0],"mtu_bytes":64}},
                {{"channels":[1],"mtu_bytes":64}}],"lanes":[0,1]}},
                "scheduler":{{"kind":"min-bw","weights":[1,1],"of":2}}}}"#
        );
        let flow = |level: u32| {
            format!(
                r#"{{"pattern":{{"kind":"pairs","pairs":{pairs}}},"level":{level},"load":0.1,
                    "size":{{"kind":"fixed","bytes":64}},"arrival":{{"kind":"constant"}}}}"#
            )
        };
        let traffic = format!("traffic=[{},{}]", flow(0), flow(1));
        let sets = ["routing.preset=UD", &fabric, &traffic].map(|setting| ["--set", setting]);
        let output = hopscope(&[&["run", &path], sets.as_flattened()].concat());
        let count = |part: &str| done(&output).matches(part).count();
        let routes = count("delay ") - count("no bound");
        [count("wait at the source"), routes, count("hold while the first switch has space")]
    };
    assert_eq!(told("hierarchical", "[[0,1]]"), [2, 0, 1]);
    assert_eq!(told("combined-queues", "[[0,1]]"), [2, 2, 0]);
}

/// Standard output is the table alone.
#[test]
fn a_table_of_a_run_that_is_not_steady_is_labelled_on_standard_error() {
    let path = scenario("labelled.json", SMALL);
    let told = |more: &[&str]| {
        let output = hopscope(&[&["run", &path, "--csv", "flows"], more].concat());
        assert_eq!(done(&output).lines().count(), 2, "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(told(&[]), "");
    let saturated = told(&["--set", "traffic.0.load=0.3", "--set", "routing.preset=UD"]);
    assert!(saturated.contains("NOT STEADY, SATURATED: the backlog"), "{saturated}");
    let cut = told(&["--set", "measure.max_cycles=9000"]);
    assert!(cut.contains("NOT FINISHED: the run ended"), "{cut}");
    let wide = told(&["--set", "measure.half_width=0.001", "--set", "measure.max_messages=2000"]);
    assert!(wide.contains("WIDE INTERVALS: the widest is"), "{wide}");
}

#[test]
fn the_condition_comes_first_and_a_saturated_run_has_no_interval_of_latency() {
    let path = scenario("saturated.json", SMALL);
    let words = ["run", &path, "--set", "name=x", "--set", "traffic.0.load=0.3"];
    let words = [&words[..], &["--set", "routing.preset=UD"]].concat();
    let output = hopscope(&words);
    let lines: Vec<&str> = done(&output).lines().collect();
    assert!(lines[0].starts_with("scenario "), "{lines:?}");
    assert!(lines[1].starts_with("NOT STEADY, SATURATED  the backlog"), "{lines:?}");
    let confidence = |output: &str| {
        output.lines().find(|line| line.contains("% confidence ")).map(str::to_owned)
    };
    let of_saturated = confidence(done(&output)).expect("an interval of accepted traffic");
    assert!(of_saturated.contains("accepted +- "), "{of_saturated}");
    assert!(!of_saturated.contains("latency"), "{of_saturated}");
    let steady = hopscope(&["run", &path]);
    assert!(confidence(done(&steady)).unwrap().contains(", total +- "), "{steady:?}");
    let several = hopscope(&[&words[..], &["--replications", "2"]].concat());
    let latency = |line: &&str| line.contains("latency");
    assert!(done(&several).contains("flits/cycle/host   "), "{several:?}");
    let lines: Vec<&str> = done(&several).lines().filter(latency).collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains("+-")), "{lines:?}");
}

#[test]
fn intervals_of_latency_that_are_too_narrow_are_told_below_them() {
    let path = scenario("narrow.json", SMALL);
    let run = |arrival: &str, more: &[&str]| {
        let arrival = format!(r#"traffic.0.arrival={{"kind":"{arrival}"}}"#);
        done(&hopscope(&[&["run", &path, "--set", &arrival], more].concat())).to_owned()
    };
    let told = run("constant", &[]);
    let mut lines = told.lines().skip_while(|line| !line.starts_with("95 % confidence"));
    assert!(lines.next().unwrap().contains("latency +- "), "{told}");
    let note = "latency: may be too narrow, since sources or connections keep their phases";
    assert!(lines.next().unwrap().trim().starts_with(note), "{told}");
    let found: Value = serde_json::from_str(&run("constant", &["--json"])).unwrap();
    assert_eq!(found["confidence"]["latency_too_narrow"], true);
    assert!(!run("poisson", &[]).contains(note));
    // No interval of latency is printed of a saturated run.
    let overload = ["--set", "traffic.0.load=0.3", "--set", "routing.preset=UD"];
    assert!(!run("constant", &overload).contains(note));
}

#[test]
fn flows_that_send_nothing_while_measuring_are_named_with_the_reason() {
    let path = scenario("silent.json", SMALL);
    let run = |flow: &str| {
        let flows = format!(r#"traffic=[{{"load":0.01}},{{{flow}}}]"#);
        done(&hopscope(&["run", &path, "--set", &flows])).to_owned()
    };
    for (flow, why) in [
        (r#""start_cycle":1000000000"#, " (starts at cycle 1000000000, after that)"),
        (r#""stop_cycle":1"#, " (stops at cycle 1, before that)"),
        (r#""arrival":{"kind":"one-shot","messages":1}"#, " (sends all its messages before that)"),
        // A message in millions of cycles.
        (r#""load":1e-6,"sources":[0]"#, ""),
    ] {
        let told = run(flow);
        let line = told.lines().find(|line| line.starts_with("SILENT FLOWS ")).expect("a label");
        let end = format!("nothing was sent while measuring by traffic.1{why}");
        assert!(line.ends_with(&end), "{told}");
    }
    assert!(!run("").contains("SILENT"));
    let unmeasured =
        ["--set", "measure.max_cycles=3000", "--set", "measure.warmup_messages=100000"];
    let told = hopscope(&[&["run", &path], &unmeasured[..]].concat());
    assert!(!done(&told).contains("SILENT"), "nothing was measured: {told:?}");
}

#[test]
fn what_was_not_measured_is_not_printed_as_zero() {
    let path = scenario("unmeasured.json", SMALL);
    let run = |more: &[&str]| {
        let words = ["run", &path, "--set", "traffic.0.stop_cycle=3000"];
        let words = [&words[..], &["--set", "measure.warmup_messages=100000"], more].concat();
        done(&hopscope(&words)).to_owned()
    };
    let told = run(&[]);
    for name in ["offered", "accepted", "header latency", "network latency", "total latency"] {
        let line = told.lines().find(|line| line.starts_with(name)).expect(name);
        assert!(line.ends_with(" –"), "{line}");
    }
    assert!(!told.contains("minimal routes") && told.contains("the whole run"), "{told}");
    let found: Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!(found["total_latency_ns"]["mean"], Value::Null);
    assert_eq!(found["flows"][0]["network_latency_ns"]["p99.9"], Value::Null);
    assert_eq!(found["hosts"][0]["total_latency_ns"], Value::Null);
    let hosts = run(&["--csv", "hosts"]);
    let row: Vec<&str> = hosts.lines().nth(1).unwrap().split(',').collect();
    let head: Vec<&str> = hosts.lines().next().unwrap().split(',').collect();
    for column in ["accepted_flits_per_cycle", "header_latency_ns", "total_latency_max_ns"] {
        let at = head.iter().position(|name| *name == column).expect(column);
        assert_eq!(row[at], "", "{column}: {row:?}");
    }
}

#[test]
fn what_cannot_run_is_refused_without_warnings() {
    let path = scenario("no-warnings.json", &["single", "--hosts", "4"]);
    let levels = r#"{"kind":"cut-through","scheduler":{"kind":"wrr","table":TABLE},
        "qos":{"lanes":[0,1],"levels":[{"channels":[0]},{"channels":[1]}]}}"#;
    let on = |fabric: &str, traffic: &str| {
        let words = [format!("fabric={fabric}"), format!("traffic={traffic}")];
        let output = hopscope(&["run", &path, "--set", &words[0], "--set", &words[1]]);
        problems(&output).to_owned()
    };
    let overloaded = r#"[{"load":3}]"#;
    let empty = on(&levels.replace("TABLE", "[]"), overloaded);
    assert!(empty.contains("0 entries") && !empty.contains("warning"), "{empty}");
    let silent = r#"[{"load":0.1,"pattern":{"kind":"pairs","pairs":[[0,1]]},"sources":[2]}]"#;
    let silent = on(r#"{"kind":"cut-through"}"#, silent);
    assert!(silent.contains("no host sends") && !silent.contains("warning"), "{silent}");
}

#[test]
fn run_prints_the_promised_keys() {
    let path = scenario("keys.json", SMALL);
    let output = hopscope(&["run", &path, "--json", "--set", "traffic.0.load=0.02"]);
    let report: Value = serde_json::from_str(done(&output)).unwrap();
    for key in [
        "accepted_flits_per_ns_per_switch",
        "accepted_flits_per_cycle_per_host",
        "offered_flits_per_ns_per_switch",
        "offered_flits_per_cycle_per_host",
        "network_latency_ns",
        "total_latency_ns",
        "itbs_per_message",
        "minimal_route_share",
        "accepted_gbps_per_host",
        "accepted_share_of_link",
        "header_latency_ns",
        "jitter_ns",
        "fairness",
        "confidence",
        "condition",
        "warmup",
        "version",
        "seed",
        "scenario",
        "flows",
        "hosts",
        "channels",
        "distances",
        "latency_histogram",
        "channel_utilisation",
        "channel_blocked",
        "messages",
        "steady",
        "deadlock",
        "flit_hops",
        "cycles",
        "fingerprint",
    ] {
        assert!(report.get(key).is_some(), "{key}");
    }
    for key in ["level", "accepted", "network_latency_ns", "total_latency_ns"] {
        assert!(report["confidence"][key].is_number(), "{key}");
    }
    for key in ["mean", "sd", "p50", "p90", "p99", "p99.9", "max"] {
        assert!(
            report["network_latency_ns"][key].is_number()
                && report["total_latency_ns"][key].is_number()
        );
    }
    for key in ["generated", "delivered", "in_network", "waiting", "dropped"] {
        assert!(report["messages"][key].is_u64(), "{key}");
    }
    let offered = report["offered_flits_per_ns_per_switch"].as_f64().unwrap();
    assert!((offered - 0.02).abs() < 0.002, "{offered}");
}

#[test]
fn results_hold_what_repeats_them() {
    let path = scenario("repeat.json", SMALL);
    let first = done(&hopscope(&["run", &path, "--json", "--set", "seed=7"])).to_owned();
    let report: Value = serde_json::from_str(&first).unwrap();
    let again = file("again.json", &report["scenario"].to_string());
    assert_eq!(done(&hopscope(&["run", again.to_str().unwrap(), "--json"])), first);
}

#[test]
fn replications_are_averaged_by_condition() {
    let path = scenario("replications.json", SMALL);
    let run = |more: &[&str]| {
        let mut arguments = vec!["run", &path, "--replications", "4"];
        arguments.extend(more);
        hopscope(&arguments)
    };
    let found: Value = serde_json::from_str(done(&run(&["--json"]))).unwrap();
    assert_eq!(found["runs"].as_array().unwrap().len(), 4);
    assert_eq!(found["groups"][0]["condition"], "steady");
    assert!(found["groups"][0]["network_latency_ns"]["half_width"].as_f64().unwrap() > 0.0);
    // The first run is the scenario's own.
    let own: Value = serde_json::from_str(done(&hopscope(&["run", &path, "--json"]))).unwrap();
    assert_eq!([&found["version"], &found["seed"]], [&own["version"], &own["seed"]]);
    let again = file("replications-again.json", &found["scenario"].to_string());
    let again = hopscope(&["run", again.to_str().unwrap(), "--json"]);
    let again: Value = serde_json::from_str(done(&again)).unwrap();
    assert_eq!(again["fingerprint"], own["fingerprint"]);
    assert_eq!(found["runs"][0]["fingerprint"], own["fingerprint"]);
    let overloaded = run(&["--set", "traffic.0.load=0.3", "--set", "routing.preset=UD"]);
    let told = done(&overloaded);
    assert!(told.contains("4 of 4 runs saturated"), "{told}");
    let one = hopscope(&["run", &path, "--replications", "1"]);
    let told = problems(&one);
    assert!(told.contains("--replications") && told.contains("use 2 to 1000"), "{told}");
}

/// `app/src/state/study/replications.rs` makes the same file.
#[test]
fn replications_are_printed_as_the_page_saves_them() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/star.json");
    let output = hopscope(&["run", path, "--replications", "3", "--json"]);
    assert_eq!(done(&output), include_str!("../../../tests/e2e/star.replications.json"));
}

/// Changes that give a scenario two levels and three flows.
const TWO_LEVELS: &[&str] = &[
    "--set",
    r#"fabric={"kind":"cut-through","qos":{"lanes":[0,1],
        "levels":[{"name":"calls","channels":[0]},{"name":"bulk","channels":[1]}]}}"#,
    "--set",
    r#"traffic=[{"name":"small","load":0.02,"level":1},{"name":"voice","load":0.05},
        {"load":0.04,"level":1}]"#,
];

#[test]
fn replications_have_intervals_of_each_level_and_flow() {
    let path = scenario("replications-levels.json", SMALL);
    let run =
        |words: &[&str]| done(&hopscope(&[&["run", &path], TWO_LEVELS, words].concat())).to_owned();
    let json = |words: &[&str]| -> Value {
        serde_json::from_str(&run(&[words, &["--json"]].concat())).unwrap()
    };
    let found = json(&["--replications", "2"]);
    let group = &found["groups"][0];
    assert_eq!(group["runs"], 2, "{group}");
    let single = ["seed=1", "seed=2"].map(|seed| json(&["--set", seed]));
    for (table, names) in [("levels", &["calls", "bulk"][..]), ("flows", &["small", "voice", ""])] {
        assert_eq!(group[table].as_array().unwrap().len(), names.len());
        for (index, name) in names.iter().enumerate() {
            let part = &group[table][index];
            assert_eq!(part["name"], *name);
            assert_eq!(part["runs_with_latency"], 2);
            let check = |key: &str, of_run: fn(&Value) -> &Value| {
                let [a, b] = single.each_ref().map(|run| of_run(&run[table][index][key]).as_f64());
                let (a, b) = (a.unwrap(), b.unwrap());
                assert!(a != b, "{table} {index} {key}");
                let mean = part[key]["mean"].as_f64().unwrap();
                assert!((mean / (a + b) - 0.5).abs() < 1e-12, "{key}: {mean} of {a} and {b}");
                // Of two values: 12.706 times half of their difference.
                let width = part[key]["half_width"].as_f64().unwrap();
                assert!((width / (6.353 * (a - b).abs()) - 1.0).abs() < 1e-3, "{key}: {width}");
            };
            check("accepted_flits_per_cycle_per_host", |of| of);
            check("network_latency_ns", |of| &of["mean"]);
            check("total_latency_ns", |of| &of["mean"]);
        }
    }

    let told = run(&["--replications", "2"]);
    let lines: Vec<&str> = told.lines().map(str::trim).collect();
    let starts: Vec<&str> =
        lines[lines.len() - 7..].iter().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(starts, ["level", "0 calls", "1 bulk", "flow", "0 small", "1 voice", "2"], "{told}");
    let one = ["--set", r#"traffic=[{"load":0.05}]"#, "--set", r#"fabric={"kind":"cut-through"}"#];
    let told = run(&[&one[..], &["--replications", "2"]].concat());
    assert!(!told.contains("level") && !told.contains("flow "), "{told}");
    // Beside an application, the figures of a single flow are not those of all.
    let application = ["--set", r#"application={"kind":"barrier","iterations":2}"#];
    let told = run(&[&one[..], &application, &["--replications", "2"]].concat());
    assert!(!told.contains("level") && told.contains("flow "), "{told}");
}

#[test]
fn a_run_that_is_cut_off_says_so() {
    let path = scenario("cut.json", SMALL);
    let output = hopscope(&["run", &path, "--set", "measure.max_cycles=100"]);
    let printed = done(&output);
    assert!(
        printed.contains("NOT FINISHED") && printed.contains(", 0 of them measured"),
        "{printed}"
    );
    assert!(!printed.contains("NOT STEADY"), "{printed}");
    assert!(printed.contains("raise measure.max_cycles"), "{printed}");
    let ending = ["traffic.0.stop_cycle=5000", "measure.messages=1000000"];
    let output = hopscope(&["run", &path, "--set", ending[0], "--set", ending[1]]);
    let printed = done(&output);
    assert!(printed.contains("the traffic ended before all messages"), "{printed}");
    assert!(!printed.contains("raise measure.max_cycles"), "{printed}");
    let cut = ["saturate", &path, "--set", "measure.max_cycles=100"];
    assert!(problems(&hopscope(&cut)).contains("measure.max_cycles"));
}

#[test]
fn intervals_that_stay_wide_are_told_with_advice_that_helps() {
    let path = scenario("wide.json", SMALL);
    let run = |change: &str, more: &[&str]| {
        let mut arguments = vec!["run", &path, "--set", change];
        arguments.extend(["--set", "measure.half_width=0.001"]);
        arguments.extend(["--set", "traffic.0.load=0.05", "--set", "measure.warmup_messages=100"]);
        arguments.extend(["--set", "measure.messages=1000", "--set", "measure.max_messages=2000"]);
        arguments.extend(more);
        done(&hopscope(&arguments)).to_owned()
    };
    let whole = run("measure.max_cycles=0", &[]);
    assert!(whole.contains("and not +- 0.10 %, after all messages that may be"), "{whole}");
    assert!(whole.contains("raise measure.max_messages"), "{whole}");
    let cut = run("measure.max_cycles=100000", &[]);
    let wide = cut.lines().find(|line| line.contains("WIDE INTERVALS")).expect("wide intervals");
    assert!(wide.contains("at the last cycle of the run: raise measure.max_cycles"), "{cut}");
    assert!(!cut.contains("raise measure.max_messages"), "{cut}");
    let several = run("measure.max_cycles=0", &["--replications", "2"]);
    let told = "WIDE INTERVALS: 2 of these runs ended before their own intervals were +- 0.10 %";
    assert!(several.contains(told), "{several}");
    let several = run("measure.max_cycles=0", &["--replications", "2", "--json"]);
    let found: Value = serde_json::from_str(&several).unwrap();
    assert_eq!(found["groups"][0]["wide"], 2, "{found}");
}

#[test]
fn problems_that_are_alike_are_told_once() {
    let path = scenario("many-lanes.json", &["single", "--hosts", "2"]);
    let of_lanes = |count: usize| {
        let levels: Vec<String> = (0..count).map(|l| format!(r#"{{"channels":[{l}]}}"#)).collect();
        let lanes: Vec<String> = (0..count).map(|lane| lane.to_string()).collect();
        let fabric = format!(
            r#"fabric={{"kind":"cut-through","nic_buffer_bytes":64,
                "qos":{{"levels":[{}],"lanes":[{}]}}}}"#,
            levels.join(","),
            lanes.join(","),
        );
        let output = hopscope(&["run", &path, "--set", &fabric]);
        assert_eq!(output.status.code(), Some(2));
        problems(&output).to_owned()
    };
    let told = of_lanes(12);
    assert!(told.contains("  11 more like it\n"), "{told}");
    assert!(told.lines().count() < 12, "{told}");
    assert!(!of_lanes(2).contains("more like it"));
}

#[test]
fn a_level_left_out_of_a_table_is_a_warning_on_standard_error() {
    let path = scenario("starves.json", &["single", "--hosts", "4"]);
    let fabric = r#"fabric={"kind":"cut-through","scheduler":{"kind":"wrr","table":[1]},
        "qos":{"lanes":[0,1],"levels":[{"channels":[0]},{"channels":[1]}]}}"#;
    let output = hopscope(&["run", &path, "--json", "--set", fabric]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("warning: --set fabric.scheduler.table: service level 0"), "{told}");
    assert!(serde_json::from_str::<Value>(done(&output)).is_ok());
}

#[test]
fn a_choice_of_in_transit_hosts_without_any_is_a_warning_on_standard_error() {
    let path = scenario("itb-host.json", SMALL);
    let told = |preset: &str| {
        let preset = format!("routing.preset={preset}");
        let changes = ["--set", &preset, "--set", "routing.itb_host=round-robin"];
        let output = hopscope(&[&["routes", &path][..], &changes].concat());
        done(&output);
        String::from_utf8_lossy(&output.stderr).contains("warning: --set routing.itb_host: ")
    };
    assert_eq!(["UD", "UD_ITB"].map(told), [true, false]);
}

#[test]
fn a_deadlock_is_status_1() {
    let path = scenario("ring.json", &["ring", "--switches", "5", "--hosts-per-switch", "2"]);
    let output =
        hopscope(&["run", &path, "--set", "routing.preset=minimal", "--set", "traffic.0.load=0.2"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output).contains("DEADLOCK"));
}

#[test]
fn wrong_input_is_status_2_and_says_where() {
    assert!(problems(&hopscope(&["run", "no such file"])).starts_with("no such file: "));
    let broken = file("broken.json", "{\n \"hopscope\": }");
    let broken = broken.to_str().unwrap();
    assert!(problems(&hopscope(&["run", broken])).contains("broken.json: line 2, column 14: "));
    let path = scenario("wrong.json", SMALL);
    let output = hopscope(&["run", &path, "--json", "--set", "traffic.0.lod=1"]);
    assert!(problems(&output).contains("did you mean `load`"));
    let document: Value = serde_json::from_str(text(&output)).unwrap();
    let problem = &document["problems"][0];
    assert!(problem["where"].as_str().unwrap().ends_with("traffic.0.lod"));
    assert!(problem["why"].as_str().unwrap().starts_with("unknown field `lod`"), "{problem}");
    assert!(problem["fix"].as_str().unwrap().starts_with("did you mean `load`"), "{problem}");
    problems(&hopscope(&["fly"]));
    problems(&hopscope(&["generate", "moebius"]));
    problems(&hopscope(&["generate", "ring", "--switches", "many"]));
    problems(&hopscope(&["generate", "ring", "--switches", "20000"]));
    problems(&hopscope(&["list", "dragons"]));
}

/// The routes of this ring need more memory than there is, which is found later.
#[test]
fn buffers_are_checked_before_routes_and_the_file_is_named() {
    let words = ["ring", "--switches", "2048", "--hosts-per-switch", "1", "--parameters"];
    let path = scenario("buffers.json", &words);
    let mut document: Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    document["fabric"] = serde_json::json!({ "kind": "cut-through", "central_buffer_bytes": 7 });
    file("buffers.json", &document.to_string());
    for line in problems(&hopscope(&["run", &path])).lines() {
        assert!(line.starts_with(&format!("{path}: fabric.central_buffer_bytes: ")), "{line}");
    }
}

#[test]
fn a_run_larger_than_the_memory_at_hand_is_refused_with_the_estimate() {
    let path = scenario("memory.json", &["irregular", "--switches", "256", "--seed", "1"]);
    for command in ["run", "admit"] {
        let output = hopscope(&[command, &path, "--memory", "0.001"]);
        let said = problems(&output);
        assert!(said.contains("memory.json: network: a run would take about"), "{said}");
        assert!(
            said.contains("and 1 MB are at hand (fix: use fewer switches with hosts"),
            "{said}"
        );
    }
    let output = hopscope(&["routes", &path, "--memory", "0.001"]);
    assert!(problems(&output).contains("its routes would take about"), "{output:?}");
    assert!(problems(&hopscope(&["run", &path, "--memory", "0"])).contains("--memory"));
}

#[test]
fn saturate_refuses_traffic_that_ends() {
    let path = scenario("saturate-ends.json", SMALL);
    for change in [
        r#"traffic.0.arrival={"kind":"one-shot","messages":3}"#,
        "traffic.0.stop_cycle=3000",
        "fabric.timeout_cycles=1000",
    ] {
        let (field, _) = change.split_once('=').unwrap();
        let output = hopscope(&["saturate", &path, "--set", change]);
        assert!(problems(&output).starts_with(&format!("--set {field}: ")), "{output:?}");
    }
}

#[test]
fn a_flow_in_which_no_host_sends_is_refused() {
    let path = scenario("no-sender.json", SMALL);
    let pairs = r#"traffic.0.pattern={"kind":"pairs","pairs":[[0,1]]}"#;
    for command in ["run", "saturate"] {
        let output = hopscope(&[command, &path, "--set", pairs, "--set", "traffic.0.sources=[2]"]);
        assert!(
            problems(&output).contains("no-sender.json: traffic.0: no host sends"),
            "{output:?}"
        );
    }
}

#[test]
fn saturate_prints_what_repeats_it() {
    let path = scenario("search.json", SMALL);
    let output = hopscope(&["saturate", &path, "--tolerance", "0.5", "--json"]);
    let found: Value = serde_json::from_str(done(&output)).unwrap();
    assert_eq!(found["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(found["seed"], found["scenario"]["seed"]);
    let point = found["points"][0].clone();
    let load = found["scenario"]["traffic"][0]["load"].as_f64().unwrap();
    let load = load * point["factor"].as_f64().unwrap();
    let load = format!("traffic.0.load={load}");
    let run = hopscope(&["run", &path, "--json", "--set", &load]);
    let run: Value = serde_json::from_str(done(&run)).unwrap();
    assert_eq!(run["fingerprint"], point["fingerprint"]);
    let again = file("again.json", &found["scenario"].to_string());
    let again = hopscope(&["saturate", again.to_str().unwrap(), "--tolerance", "0.5", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(done(&again)).unwrap(), found);
}

#[test]
fn saturate_tells_to_how_much_the_load_is_known() {
    let path = scenario("bracket.json", SMALL);
    let search = |tolerance: &str, more: &[&str]| {
        let mut arguments = vec!["saturate", &path, "--set", "measure.messages=500"];
        arguments.extend(["--set", "measure.warmup_messages=100", "--tolerance", tolerance]);
        arguments.extend(more);
        done(&hopscope(&arguments)).to_owned()
    };
    let found: Value = serde_json::from_str(&search("0.001", &["--json"])).unwrap();
    let [least, most, tolerance] =
        ["keeps_up_with", "overloaded_at", "tolerance"].map(|key| found[key].as_f64().unwrap());
    assert!(least < most && (most / least - 1.0 - tolerance).abs() < 1e-12, "{found}");
    let told = search("0.001", &[]);
    let percent = format!(", to {:.3} %\n", 100.0 * tolerance);
    assert!(told.contains("\n  keeps up with ") && told.contains(&percent), "{percent}: {told}");
}

#[test]
fn saturate_finds_the_largest_load_that_can_be_run() {
    let path = scenario("largest-load.json", &["single", "--hosts", "2"]);
    let search = |more: &[&str]| {
        let mut arguments = vec!["saturate", &path];
        for change in [
            "traffic.0.load=0.4",
            "traffic.0.load_unit=flits-per-cycle-per-host",
            r#"traffic.0.arrival={"kind":"on-off","on_us":30,"off_us":30}"#,
            "measure.messages=4000",
            "measure.warmup_messages=100",
        ] {
            arguments.extend(["--set", change]);
        }
        arguments.extend(more);
        done(&hopscope(&arguments)).to_owned()
    };
    let told = search(&[]);
    assert!(told.contains("  keeps up with all loads that can be run, up to 1.2"), "{told}");
    assert!(told.contains(" times the scenario's load cannot be run: traffic.0.load: "), "{told}");
    let found: Value = serde_json::from_str(&search(&["--json"])).unwrap();
    assert_eq!(found["refused"][0]["where"], "traffic.0.load", "{found}");
    // Sources that send half of the time send at most half of what a link carries.
    let [least, most] = ["keeps_up_with", "refused_at"].map(|key| found[key].as_f64().unwrap());
    assert!(least <= 0.5 / 0.4 && 0.5 / 0.4 < most && most / least < 1.021, "{found}");
    assert!(found["accepted_flits_per_cycle_per_host"].as_f64().unwrap() > 0.47, "{found}");
}

#[test]
fn saturate_warns_of_a_flow_that_sends_nothing() {
    let path = scenario("silent.json", SMALL);
    let search = |more: &[&str]| {
        let mut arguments = vec!["saturate", &path, "--tolerance", "0.5"];
        // The second flow sends so seldom that it sends nothing in runs of 600 messages.
        arguments.extend(["--set", r#"traffic=[{"load": 0.05}, {"load": 2e-5}]"#]);
        arguments.extend(["--set", r#"traffic.1.size={"kind": "fixed", "bytes": 16384}"#]);
        arguments.extend(["--set", "measure.messages=500", "--set", "measure.warmup_messages=100"]);
        arguments.extend(more);
        done(&hopscope(&arguments)).to_owned()
    };
    let told = search(&[]);
    assert!(
        told.contains("  runs, offered and accepted in flits/ns/switch:\n  offered "),
        "{told}"
    );
    assert!(told.contains("  WARNING: traffic.1 sent nothing while measuring, at "), "{told}");
    let found: Value = serde_json::from_str(&search(&["--json"])).unwrap();
    let points = found["points"].as_array().unwrap();
    assert!(points.iter().all(|point| point["silent_flow"] == 1), "{found}");
}

#[test]
fn saturate_warns_of_a_flow_whose_connections_are_all_refused() {
    let path = scenario("refused.json", &["single", "--hosts", "4"]);
    let search = |more: &[&str]| {
        let mut arguments = vec!["saturate", &path, "--tolerance", "0.5"];
        arguments.extend([
            "--set",
            r#"fabric={"kind":"cut-through","qos":{"levels":[{"channels":[0]},{"channels":[1]}],
                "lanes":[0,1],"admission":{"levels":[1],"share_percent":1}}}"#,
            "--set",
            r#"traffic=[{}, {"level":1,"load":0.5,"arrival":{"kind":"cbr","rate_kbps":10000000}}]"#,
        ]);
        arguments.extend(["--set", "measure.messages=500", "--set", "measure.warmup_messages=100"]);
        arguments.extend(more);
        done(&hopscope(&arguments)).to_owned()
    };
    let told = search(&[]);
    let why = "  WARNING: admission control refuses all connections of traffic.1, at ";
    assert!(told.contains(why) && !told.contains("sent nothing"), "{told}");
    let found: Value = serde_json::from_str(&search(&["--json"])).unwrap();
    let points = found["points"].as_array().unwrap();
    // At some loads the last connection of a host is slow enough to be admitted.
    assert!(points.iter().any(|point| point["refused_flow"] == 1), "{found}");
    assert!(points.iter().all(|point| point["silent_flow"].is_null()), "{found}");
}

#[test]
fn saturate_names_the_loads_that_fill_itb_memory() {
    let path = scenario("itb-memory.json", &["irregular", "--switches", "16", "--seed", "1"]);
    let mut words = vec!["saturate", &*path, "--tolerance", "0.05"];
    for change in ["routing.preset=BMAX_ITB", "fabric.itb_memory_bytes=2200"] {
        words.extend(["--set", change]);
    }
    words.extend(["--set", "fabric.itb_overflow=drop"]);
    let said = hopscope(&words);
    assert!(done(&said).contains("  ITB MEMORY FULL, does not keep up"), "{said:?}");
    assert!(done(&said).contains("\n  filled ITB memory and did not keep up at "), "{said:?}");
    let found = hopscope(&[&words[..], &["--json"]].concat());
    let found: Value = serde_json::from_str(done(&found)).unwrap();
    let points = found["points"].as_array().unwrap();
    let first = points.iter().find(|point| point["itb_memory_full"] == true).unwrap();
    assert_eq!(found["itb_memory_full_at"], first["factor"]);
    let rows = hopscope(&[&words[..], &["--csv"]].concat());
    let rows: Vec<&str> = done(&rows).lines().collect();
    assert_eq!(rows.len(), 1 + points.len());
    assert!(rows[0].contains(",deadlocked,itb_memory_full,"), "{}", rows[0]);
}

#[test]
fn a_run_tells_of_itb_memory_if_it_was_used() {
    let path = scenario("itb-memory-of-a-run.json", &["irregular", "--switches", "16"]);
    let run = |preset: &str, bytes: u32, more: &[&str]| {
        let [preset, bytes] =
            [format!("routing.preset={preset}"), format!("fabric.itb_memory_bytes={bytes}")];
        let words = ["run", &path, "--set", &preset, "--set", &bytes];
        let overflow = ["--set", "fabric.itb_overflow=drop", "--set", "traffic.0.load=0.05"];
        done(&hopscope(&[&words[..], &overflow, more].concat())).to_owned()
    };
    assert!(!run("UD", 1000, &[]).contains("ITB memory"));
    let enough = run("UD_ITB", 1 << 24, &[]);
    assert!(enough.contains("\nITB memory ") && !enough.contains("found no space"), "{enough}");
    let found: Value = serde_json::from_str(&run("UD_ITB", 1000, &["--json"])).unwrap();
    let [peak, without] = ["itb_memory_peak_bytes", "itb_overflows"].map(|field| &found[field]);
    let told = format!(" {peak} bytes at most at a host, {without} messages found no space");
    assert!(without.as_u64() > Some(0) && run("UD_ITB", 1000, &[]).contains(&told), "{told}");
}

#[test]
fn a_cut_through_run_tells_of_every_level() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/service-levels.json");
    let output = hopscope(&["run", path, "--json"]);
    let report: Value = serde_json::from_str(done(&output)).unwrap();
    let shares: Vec<f64> = report["levels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l["accepted_share"].as_f64().unwrap())
        .collect();
    for (share, configured) in shares.iter().zip([0.5, 0.3, 0.2]) {
        assert!((share - configured).abs() < 0.01, "{shares:?}");
    }
}

#[test]
fn a_run_under_recn_tells_of_its_set_aside_queues() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/congestion-tree-recn.json");
    let few = ["--set", "measure.messages=12000"];
    let output = hopscope(&[&["run", path], &few[..]].concat());
    let told = done(&output);
    assert!(told.contains("set-aside queues") && told.contains(" allocated, 0 refused"), "{told}");
    let output = hopscope(&[&["run", path, "--json"], &few[..]].concat());
    let report: Value = serde_json::from_str(done(&output)).unwrap();
    let (all, ports) = (&report["saqs"]["all"], report["saqs"]["ports"].as_array().unwrap());
    let sum: u64 = ports.iter().map(|port| port["counts"]["allocations"].as_u64().unwrap()).sum();
    assert!(sum > 100 && all["allocations"] == sum, "{all}");
    assert!(ports.iter().any(|port| port["at_receiver"] == true), "{all}");
    let without = r#"fabric.switch.congestion={"kind":"unmanaged"}"#;
    let output = hopscope(&["run", path, "--json", "--set", without, "--set", few[1]]);
    let report: Value = serde_json::from_str(done(&output)).unwrap();
    assert_eq!(report.get("saqs"), None);
}

#[test]
fn the_list_says_what_a_scenario_has_to_give() {
    let output = hopscope(&["list", "arrivals"]);
    let printed = done(&output);
    assert!(printed.contains("mean ON period, µs [required, such as 100; 0.1 to 10000000]"));
    assert!(printed.contains("distribution of the periods [default exponential; exponential,"));
    let output = hopscope(&["list", "schedulers"]);
    let printed = done(&output);
    assert!(
        printed.contains("each entry, up to 1024 [required, such as 0; each 0 to 31]"),
        "{printed}"
    );
    assert!(printed.contains("in ascending order [required; each 0 to 31, or empty]"), "{printed}");
    let document: Value =
        serde_json::from_str(done(&hopscope(&["list", "arrivals", "--json"]))).unwrap();
    let members = document[0]["members"].as_array().unwrap();
    let on_off = members.iter().find(|member| member["id"] == "on-off").unwrap();
    let [on, shape] = [&on_off["parameters"][0], &on_off["parameters"][3]];
    assert_eq!((&on["required"], &on["kind"]["example"]), (&true.into(), &100.0.into()));
    assert!(on["kind"].get("default").is_none(), "{on}");
    assert_eq!((&shape["required"], &shape["kind"]["default"]), (&false.into(), &1.5.into()));
}

#[test]
fn a_run_that_ends_in_its_warm_up_has_dashes_for_channels() {
    let path = scenario("warming-up.json", SMALL);
    let output = hopscope(&["run", &path, "--set", "measure.max_cycles=100"]);
    for name in ["offered", "accepted", "channels used", "channels blocked"] {
        assert!(done(&output).contains(&format!("{name:<22} –\n")), "{output:?}");
    }
}
