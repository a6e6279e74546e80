//! The command line as scripts see it: output, `--json` keys, exit status.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn hopscope(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hopscope")).args(words).stdin(Stdio::null()).output().unwrap()
}

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn problems(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    std::str::from_utf8(&output.stderr).unwrap()
}

fn done(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    text(output)
}

/// A file in a directory of its own for this test.
fn file(name: &str, content: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// A generated network, saved, with few messages to run.
fn scenario(name: &str, words: &[&str]) -> String {
    let output = hopscope(&[&["generate"], words].concat());
    let mut document: Value = serde_json::from_str(done(&output)).unwrap();
    document["measure"] = serde_json::json!({ "warmup_messages": 200, "messages": 2000 });
    file(name, &document.to_string()).to_str().unwrap().into()
}

const SMALL: &[&str] = &["irregular", "--switches", "8", "--seed", "3"];

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
    for key in ["mean", "sd", "p50", "p90", "p99", "max"] {
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
    problems(&hopscope(&["generate", "ring", "--switches", "5000"]));
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
fn routes_dump_and_run_with_them() {
    let path = scenario("routes.json", SMALL);
    let report: Value =
        serde_json::from_str(done(&hopscope(&["routes", &path, "--json"]))).unwrap();
    assert_eq!(report["acyclic"], true);
    assert!(done(&hopscope(&["routes", &path])).contains("none can arise"));
    let output = hopscope(&["routes", &path, "--dump"]);
    let dump = done(&output);
    assert_eq!(dump.lines().count(), 56);
    assert!(dump.starts_with("route 0 1 : 0 "), "{dump}");
    let dump = file("dump.txt", dump);
    let fingerprint = |words: &[&str]| {
        let report: Value = serde_json::from_str(done(&hopscope(words))).unwrap();
        report["fingerprint"].clone()
    };
    let given = ["run", &path, "--json", "--routes", dump.to_str().unwrap()];
    assert_eq!(fingerprint(&given), fingerprint(&given[..3]));
    let wrong = file("wrong-dump.txt", "route 0 99 : 0 99\n");
    let output = hopscope(&["run", &path, "--routes", wrong.to_str().unwrap()]);
    assert!(problems(&output).contains("wrong-dump.txt:1: there are 8 switches, not 99"));
}

#[test]
fn routes_account_for_lanes_that_packets_change() {
    let torus = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/torus-datelines.json");
    assert!(done(&hopscope(&["routes", torus])).contains("none can arise: packets change lanes"));
    let report: Value =
        serde_json::from_str(done(&hopscope(&["routes", torus, "--json"]))).unwrap();
    assert_eq!((&report["acyclic"], &report["lanes_avoid_cycles"]), (&false.into(), &true.into()));
    let spread = hopscope(&["routes", torus, "--set", "fabric.qos.channel_rule=spread"]);
    assert!(!done(&spread).contains("none can arise"));
}

#[test]
fn routes_are_found_without_failed_links_and_switches() {
    let path = scenario("failures.json", SMALL);
    let report = |words: &[&str]| -> Value {
        let output = hopscope(&[&["routes", path.as_str(), "--json"], words].concat());
        serde_json::from_str(done(&output)).unwrap()
    };
    assert_eq!(report(&[])["changes"], Value::Null);
    let without_link = report(&["--failed-link", "0"]);
    assert_eq!(
        (&without_link["pairs"], &without_link["changes"]["pairs"]),
        (&56.into(), &56.into())
    );
    assert!(!without_link["changes"]["moved"].as_array().unwrap().is_empty());
    let without_switch = report(&["--failed-switch", "3"]);
    assert_eq!(without_switch["pairs"], 42);
    assert_eq!(without_switch["changes"]["gone"].as_array().unwrap().len(), 14);
    let output = hopscope(&["routes", &path, "--failed-link", "99"]);
    assert!(problems(&output).contains("there is no link 99"));
}

#[test]
fn generate_knows_every_kind() {
    let list: Value =
        serde_json::from_str(done(&hopscope(&["list", "topologies", "--json"]))).unwrap();
    for member in list[0]["members"].as_array().unwrap() {
        let kind = member["id"].as_str().unwrap();
        let output = hopscope(&["generate", kind]);
        let document: Value = serde_json::from_str(done(&output)).unwrap();
        assert!(document["network"]["switches"].is_array(), "{kind}");
        assert!(done(&hopscope(&["generate", kind, "--help"])).contains("--parameters"));
        let output = hopscope(&["generate", kind, "--parameters"]);
        let document: Value = serde_json::from_str(done(&output)).unwrap();
        assert_eq!(document["network"]["generate"]["kind"], kind);
    }
    let output = hopscope(&["generate", "torus", "--sides", "4x4", "--hosts_per_switch=2"]);
    assert_eq!(
        serde_json::from_str::<Value>(done(&output)).unwrap()["network"]["hosts"]
            .as_array()
            .unwrap()
            .len(),
        32
    );
}

#[test]
fn list_names_all_families() {
    let output = hopscope(&["list"]);
    for family in ["topologies:", "patterns:", "sizes:", "arrivals:", "schedulers:"] {
        assert!(done(&output).contains(family), "{family}");
    }
}

#[test]
fn list_names_the_fabrics_with_their_parameters() {
    let output = hopscope(&["list", "fabrics"]);
    for words in ["fabrics: ", "  wormhole ", "  cut-through ", "buffer_flits ", "credit_bytes "] {
        assert!(done(&output).contains(words), "{words}: {output:?}");
    }
}

#[test]
fn hosts_per_switch_has_the_bounds_of_its_descriptor() {
    let path = file("no-hosts.dot", "graph { a -- b }");
    let path = path.to_str().unwrap();
    let list: Value =
        serde_json::from_str(done(&hopscope(&["list", "formats", "--json"]))).unwrap();
    let formats = list[0]["members"].as_array().unwrap();
    let parameters = formats.iter().flat_map(|format| format["parameters"].as_array().unwrap());
    let kind = parameters.map(|parameter| &parameter["kind"]).next().unwrap();
    let convert = |hosts: u64| {
        let hosts = hosts.to_string();
        hopscope(&["convert", path, "-", "--to", "dot", "--hosts-per-switch", &hosts])
    };
    done(&convert(kind["min"].as_u64().unwrap() + 1));
    done(&convert(kind["max"].as_u64().unwrap()));
    problems(&convert(kind["max"].as_u64().unwrap() + 1));
}

#[test]
fn convert_goes_there_and_back() {
    let path = scenario("convert.json", SMALL);
    let folder = env!("CARGO_TARGET_TMPDIR");
    let links = |file: &str| {
        let document: Value =
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        document["network"]["links"].as_array().unwrap().len()
    };
    for extension in ["any", "dot", "graphml", "topo"] {
        let (there, back) =
            (format!("{folder}/c.{extension}"), format!("{folder}/c-{extension}.json"));
        done(&hopscope(&["convert", &path, &there]));
        done(&hopscope(&["convert", &there, &back]));
        assert_eq!(links(&back), links(&path), "{extension}");
        done(&hopscope(&[
            "run",
            &back,
            "--set",
            "measure.messages=100",
            "--set",
            "measure.warmup_messages=0",
        ]));
    }
    let table = hopscope(&["convert", &path, "-", "--to", "csv"]);
    assert!(done(&table).starts_with("kind,a,a_port,b,b_port,delay_cycles"));
    assert!(problems(&hopscope(&["convert", &path, "out"])).contains("say --to"));
    let wrong = file("wrong.any", "router 0 router x\n");
    assert!(
        problems(&hopscope(&["convert", wrong.to_str().unwrap(), "-", "--to", "json"]))
            .contains("wrong.any:1: ")
    );
}

/// An experiment of four points in a folder of its own.
fn experiment(name: &str) -> (String, String) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    scenario("sweep-base.json", SMALL);
    let text = serde_json::json!({
        "hopscope_experiment": 1,
        "base": "sweep-base.json",
        "axes": [ { "path": "routing.preset", "values": ["UD", "UD_ITB"] }, { "path": "traffic.0.load", "values": [0.01, 0.1] } ],
    });
    let path = file(&format!("{name}.experiment.json"), &text.to_string());
    (path.to_str().unwrap().into(), folder.to_str().unwrap().into())
}

fn table(folder: &str) -> Vec<String> {
    let text = std::fs::read_to_string(format!("{folder}/results.csv")).unwrap();
    text.lines().map(String::from).collect()
}

#[test]
fn sweep_runs_all_points_whole_in_parts_or_resumed() {
    let (path, whole) = experiment("sweep-whole");
    done(&hopscope(&["sweep", &path, "--out", &whole]));
    let rows = table(&whole);
    assert_eq!(rows.len(), 5);
    assert!(rows[0].starts_with("point,routing.preset,traffic.0.load,"), "{}", rows[0]);
    assert!(problems(&hopscope(&["sweep", &path, "--out", &whole])).contains("--resume"));
    std::fs::remove_file(format!("{whole}/point-000002.json")).unwrap();
    done(&hopscope(&["sweep", &path, "--out", &whole, "--resume", "--threads", "1"]));
    assert_eq!(table(&whole), rows);

    let (path, parts) = experiment("sweep-parts");
    for shard in ["1/3", "2/3", "3/3"] {
        done(&hopscope(&["sweep", &path, "--out", &parts, "--shard", shard]));
    }
    assert_eq!(table(&parts), rows);
    assert!(
        problems(&hopscope(&["sweep", &path, "--out", &parts, "--shard", "4/3"]))
            .contains("no part")
    );
}

/// Two points with the same wrong table and one with another: two distinct warnings.
#[test]
fn warnings_of_points_are_told_once_each_by_sweep_and_study() {
    let wrr = |table: &str| format!(r#"{{"kind":"wrr","table":{table}}}"#);
    let base: Value = serde_json::from_str(
        r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
            "fabric": { "kind": "cut-through", "qos": { "lanes": [0, 1],
                "levels": [{ "channels": [0] }, { "channels": [1] }] } },
            "traffic": [{ "load": 0.1 }, { "load": 0.1, "level": 1 }],
            "measure": { "warmup_messages": 0, "messages": 100 } }"#,
    )
    .unwrap();
    let tables = [wrr("[1]"), wrr("[1]"), wrr("[0]"), wrr("[0,1]")];
    let tables = tables.map(|table| serde_json::from_str::<Value>(&table).unwrap());
    let experiment = serde_json::json!({ "hopscope_experiment": 1, "base": base,
        "axes": [ { "path": "seed", "values": [1, 2] },
            { "path": "fabric.scheduler", "values": tables } ] });
    let path = file("warned.experiment.json", &experiment.to_string());
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("warned");
    let _ = std::fs::remove_dir_all(&out);
    let rows = serde_json::json!([
        { "quantity": "accepted", "title": "a", "loads": [0.1], "set": { "fabric.scheduler": tables[0] } },
        { "quantity": "share", "title": "b", "loads": [0.2], "set": { "fabric.scheduler": tables[1] } },
        { "quantity": "share", "title": "c", "loads": [0.2], "set": { "fabric.scheduler": tables[2] } },
    ]);
    let study =
        serde_json::json!({ "name": "x", "base": base, "networks": 2, "rows": rows }).to_string();
    let study = file("warned.study.json", &study);
    for (words, places) in [
        (
            ["sweep", path.to_str().unwrap(), "--out", out.to_str().unwrap()],
            ["point 0: fabric.scheduler.table: ", "point 2: fabric.scheduler.table: "],
        ),
        (
            ["study", study.to_str().unwrap(), "--threads", "1"],
            ["rows.0: fabric.scheduler.table: ", "rows.2: fabric.scheduler.table: "],
        ),
    ] {
        let output = hopscope(&words);
        done(&output);
        let told = String::from_utf8_lossy(&output.stderr);
        let warnings: Vec<&str> =
            told.lines().filter(|line| line.starts_with("warning: ")).collect();
        assert_eq!(warnings.len(), 2, "{told}");
        for (warning, (place, level)) in warnings.iter().zip(places.iter().zip([0, 1])) {
            assert!(warning.contains(place), "{told}");
            assert!(warning.contains(&format!("service level {level} ")), "{told}");
        }
    }
}

#[test]
fn duplicate_keys_of_files_and_settings_are_refused() {
    let scenario = r#"{ "hopscope": 1, "seed": 1, "seed": 2,
        "network": { "generate": { "kind": "ring", "switches": 4 } } }"#;
    let good = scenario.replace(r#""seed": 2,"#, "");
    let scenario = file("twice.json", scenario);
    let good_file = file("once.json", &good);
    let experiment = |base: &str, axes: &str| {
        format!(r#"{{ "hopscope_experiment": 1, "base": {base}, "axes": [{axes}] }}"#)
    };
    let study = |base: &str, row: &str| {
        format!(r#"{{ "name": "x", "base": {base}, "networks": 1, "rows": [{{ {row} }}] }}"#)
    };
    let axis = r#"{ "path": "seed", "values": [1] }"#;
    let row = r#""quantity": "minimal_routes""#;
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("twice");
    let out = out.to_str().unwrap();
    let twice = r#""set": { "seed": 1, "seed": 2 }"#;
    let settings = r#"{ "name": "x", "settings": [{ "seed": 1, "seed": 2 }] }"#;
    let value = r#"{ "path": "measure", "values": [{ "messages": 1, "messages": 2 }] }"#;
    for (name, text) in [
        ("experiment", experiment(&good, &format!("{axis}], \"axes\": [{axis}"))),
        ("experiment", experiment(&good, settings)),
        ("experiment", experiment(&good, value)),
        ("experiment", experiment(&std::fs::read_to_string(&scenario).unwrap(), axis)),
        ("experiment", experiment(r#""twice.json""#, axis)),
        ("study", study(&good, &format!("{row}, {row}"))),
        ("study", study(&good, &format!("{row}, {twice}"))),
        ("study", study(&std::fs::read_to_string(&scenario).unwrap(), row)),
        ("study", study(r#""twice.json""#, row)),
    ] {
        let path = file(&format!("twice.{name}.json"), &text);
        let path = path.to_str().unwrap();
        let words =
            if name == "study" { vec!["study", path] } else { vec!["sweep", path, "--out", out] };
        let output = hopscope(&words);
        let said = problems(&output);
        assert!(said.contains("duplicate field `") && said.contains(": line "), "{text}: {said}");
        assert!(said.contains("(fix: keep one of them)"), "{text}: {said}");
    }
    let output = hopscope(&["run", scenario.to_str().unwrap()]);
    assert!(problems(&output).contains("duplicate field `seed`"), "{output:?}");
    let set = r#"measure={"messages":1,"messages":2}"#;
    let output = hopscope(&["run", good_file.to_str().unwrap(), "--set", set]);
    let said = problems(&output);
    assert!(said.starts_with("--set measure: duplicate field `messages`"), "{said}");
}

#[test]
fn a_sweep_checks_all_points_before_it_starts() {
    let (path, out) = experiment("sweep-wrong");
    let text = std::fs::read_to_string(&path).unwrap().replace("0.1]", "-0.1]");
    std::fs::write(&path, text).unwrap();
    let output = hopscope(&["sweep", &path, "--out", &out]);
    assert!(problems(&output).contains("point 3: traffic.0.load"));
    assert!(!PathBuf::from(format!("{out}/point-000000.json")).exists());
}

#[test]
fn a_wrong_axis_is_told_in_the_words_of_its_fields() {
    let (path, out) = experiment("sweep-axis");
    let mut document: Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    for (axis, expected) in [
        (
            r#"{ "path": "traffic.0.load", "values": 0.01 }"#,
            "the number 0.01 instead of a list (fix: write a list)",
        ),
        (
            r#"{ "path": "traffic.0.load", "value": [0.01] }"#,
            "unknown field `value`, expected one of `path`, `values`, `name`, `settings` \
             (fix: did you mean `values`, `name`, `path`?)",
        ),
        (
            r#"{ "path": "traffic.0.load", "settings": [{}] }"#,
            "the axis does not have the fields of either form \
             (fix: give it `path` and `values`, or `name` and `settings`, and no other field)",
        ),
        (
            r#"{ "name": "load", "settings": [3] }"#,
            "the number 3 instead of an object (fix: write an object)",
        ),
    ] {
        document["axes"] = serde_json::json!([serde_json::from_str::<Value>(axis).unwrap()]);
        let path = file("sweep-axis.experiment.json", &document.to_string());
        let output = hopscope(&["sweep", path.to_str().unwrap(), "--out", &out]);
        let said = problems(&output).trim();
        assert!(said.contains(": line 1, column ") && said.ends_with(expected), "{said}");
    }
}

#[test]
fn a_study_puts_ours_beside_the_published() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/studies");
    let study = format!("{folder}/thesis-routes.json");
    let output = hopscope(&["study", &study, "--switches", "16", "--networks", "2", "--json"]);
    let rows: Value = serde_json::from_str(done(&output)).unwrap();
    let row = |quantity: &str, preset: &str| {
        let mut rows = rows.as_array().unwrap().iter();
        rows.find(|row| row["quantity"] == quantity && row["preset"] == preset)
            .expect("the study has it")
    };
    // At every intermediate switch an ITB.
    let mean = |row: &Value| row["mean"].as_f64().unwrap();
    let (itbs, length) = (row("itbs_per_route", "BMAX_ITB"), row("route_length", "BMAX_ITB"));
    assert!((mean(itbs) - (mean(length) - 1.0)).abs() < 1e-9, "{itbs} {length}");
    assert_eq!(itbs["within"], Value::Null);
    let row = row("minimal_routes", "UD");
    assert_eq!(row["published"], 89.0);
    let mean = mean(row);
    assert!((80.0..98.0).contains(&mean), "{row}");
    assert_eq!(row["within"], (mean / 89.0 - 1.0).abs() <= row["tolerance"].as_f64().unwrap());
    assert!(
        row["min"].as_f64() <= row["mean"].as_f64() && row["mean"].as_f64() <= row["max"].as_f64()
    );
}

/// Names of the studies in `scenarios/studies/`, which has their base scenarios as well.
fn studies() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/studies");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let text = std::fs::read_to_string(path).unwrap();
            serde_json::from_str::<Value>(&text).unwrap().get("hopscope").is_none()
        })
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn every_study_can_be_read_and_a_wrong_one_is_told() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/studies");
    for study in studies() {
        // No network has so few switches: nothing is run, but everything is read.
        done(&hopscope(&["study", &format!("{folder}/{study}.json"), "--switches", "1"]));
    }
    let small = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } } }"#;
    let levels = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
        "fabric": { "kind": "cut-through" } }"#;
    for (base, row, place, why) in [
        (small, r#""quantity": "speed""#, "rows.0.quantity: ", "unknown choice `speed`"),
        (small, r#""quantity": "throughput", "prest": "UD""#, "rows.0.prest: ", "`preset`"),
        (small, r#""quantity": "throughput", "over": "DFS""#, "rows.0.over: ", "`over`"),
        (small, r#""quantity": "throughput_factor", "over": "UD""#, "rows.0.preset: ", "`preset`"),
        (small, r#""quantity": "accepted", "loads": [0]"#, "rows.0.loads: ", "above 0"),
        (small, r#""quantity": "most_accepted", "loads": [1]"#, "rows.0.loads: ", "two of them"),
        (small, r#""quantity": "route_length", "loads": [1]"#, "rows.0.loads: ", "no load"),
        (small, r#""quantity": "accepted", "published": "x""#, "rows.0.published: ", "one "),
        (small, r#""quantity": "accepted", "tolerance": -1"#, "rows.0.tolerance: ", "negative"),
        (small, r#""quantity": "share""#, "rows.0.quantity: ", "no service levels"),
        (
            levels,
            r#""quantity": "share", "published": [1, 2]"#,
            "rows.0.published: ",
            "1 published",
        ),
        (
            small,
            r#""quantity": "accepted", "set": { "trafic": 1 }"#,
            "rows.0: trafic: ",
            "`traffic`",
        ),
        (small, r#""quantity": "accepted", "loads": [1e9]"#, "rows.0: traffic.0.load: ", "fix: "),
    ] {
        let text =
            format!(r#"{{ "name": "x", "base": {base}, "networks": 1, "rows": [{{ {row} }}] }}"#);
        let path = file("study.json", &text);
        let output = hopscope(&["study", path.to_str().unwrap()]);
        let said = problems(&output);
        assert!(said.contains(&format!("study.json: {place}")) && said.contains(why), "{said}");
    }
}

#[test]
fn every_study_is_in_a_document_and_every_marker_names_a_study() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");
    let text = |name: &str| std::fs::read_to_string(format!("{docs}/{name}")).unwrap();
    let texts = text("fidelity.md") + &text("studies-cut-through.md");
    let marked = texts.lines().filter_map(|line| line.strip_prefix("<!-- study: "));
    let mut marked: Vec<&str> =
        marked.map(|line| line.strip_suffix(" -->").expect("a whole marker")).collect();
    marked.sort_unstable();
    assert_eq!(marked, studies());
    assert_eq!(texts.lines().filter(|line| *line == "<!-- end -->").count(), marked.len());
}

/// Loads, service levels, variants and a document, on one switch.
#[test]
fn a_study_is_written_into_a_document_from_runs_or_their_results() {
    let study = r#"{ "name": "Two levels", "networks": 1,
        "base": { "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
            "fabric": { "kind": "cut-through", "qos": { "levels": [
                { "name": "A", "channels": [0] }, { "name": "B", "channels": [1] }],
                "lanes": [0, 1] } },
            "traffic": [{ "load": 0.1, "level": 0 }, { "load": 0.3, "level": 1 }],
            "measure": { "warmup_messages": 500, "messages": 4000 } },
        "variants": [{ "name": "short" }, { "name": "long", "set": { "measure.messages": 8000 } }],
        "rows": [
            { "quantity": "most_accepted", "title": "uniform", "loads": [0.1, 0.4],
              "published": 0.4, "tolerance": 0.05 },
            { "quantity": "share", "title": "uniform", "loads": [0.2, 0.4],
              "published": [0.25, 0.5], "tolerance": 0.05 },
            { "quantity": "latency_growth", "title": "uniform", "loads": [0.1, 0.2] },
            { "quantity": "latency_rises_at", "title": "uniform", "loads": [0.01, 0.02] }] }"#;
    let study = file("levels.json", study);
    let study = study.to_str().unwrap();
    let output = hopscope(&["study", study, "--json"]);
    let lines: Value = serde_json::from_str(done(&output)).unwrap();
    // Two variants of: one line, two loads of two levels, one line, and one without a figure.
    assert_eq!(lines.as_array().unwrap().len(), 2 * (1 + 4 + 1 + 1), "{lines}");
    assert_eq!(lines[0]["within"], true, "{lines}");
    assert_eq!((&lines[2]["level"], &lines[2]["within"]), (&"A".into(), &true.into()), "{lines}");
    assert_eq!((&lines[3]["level"], &lines[3]["within"]), (&"B".into(), &false.into()), "{lines}");
    assert!(lines[10]["mean"].as_f64().unwrap() >= 1.0, "{lines}");
    assert_eq!(lines[12]["mean"], Value::Null, "{lines}");

    let empty = "# Title\n\n<!-- study: levels -->\n<!-- end -->\n\nThe end.\n";
    let document = file("levels.md", empty);
    let into = ["--into", document.to_str().unwrap()];
    done(&hopscope(&[&["study", study], &into[..]].concat()));
    let written = std::fs::read_to_string(&document).unwrap();
    assert!(written.starts_with("# Title\n") && written.ends_with("The end.\n"), "{written}");
    assert!(written.contains("| uniform | 0.2 | 0.2") && written.contains(" (0.5) |"), "{written}");
    // The same from saved results.
    let results = file("levels.results.json", &lines.to_string());
    file("levels.md", empty);
    let results = ["--results", results.to_str().unwrap()];
    done(&hopscope(&[&["study", study], &into[..], &results].concat()));
    assert_eq!(std::fs::read_to_string(&document).unwrap(), written);
    // Results of other rows, and a document without the markers, are refused.
    let mut other = lines.clone();
    other[1]["label"] = "other".into();
    file("levels.results.json", &other.to_string());
    let output = hopscope(&[&["study", study], &results[..]].concat());
    assert!(problems(&output).contains("levels.results.json: 1: the study has no row"));
    file("levels.md", "no markers");
    let output = hopscope(&[&["study", study], &into[..]].concat());
    assert!(problems(&output).contains("levels.md: it has no place for the study `levels`"));
}

/// A study with one row over a small base.
fn small_study(name: &str, base: &Value, row: Value) -> String {
    let study = serde_json::json!({ "name": "x", "base": base, "networks": 3, "rows": [row] });
    file(name, &study.to_string()).to_str().unwrap().into()
}

#[test]
fn the_networks_of_a_study_differ_though_its_base_has_no_seed() {
    let base = serde_json::json!({ "hopscope": 1,
        "network": { "generate": { "kind": "irregular", "switches": 16 } } });
    let row = serde_json::json!({ "quantity": "minimal_routes", "preset": "UD" });
    let path = small_study("study-seeds.json", &base, row.clone());
    let rows: Value = serde_json::from_str(done(&hopscope(&["study", &path, "--json"]))).unwrap();
    assert!(rows[0]["min"].as_f64() < rows[0]["max"].as_f64(), "{rows}");
    // The same base from its file.
    file("study-base.json", &base.to_string());
    let path = small_study("study-by-name.json", &"study-base.json".into(), row);
    let again: Value = serde_json::from_str(done(&hopscope(&["study", &path, "--json"]))).unwrap();
    assert_eq!(again, rows);
}

#[test]
fn a_study_of_deadlocked_runs_is_not_within_tolerance() {
    let base = serde_json::json!({ "hopscope": 1,
        "network": { "generate": { "kind": "ring", "switches": 6, "hosts_per_switch": 2 } },
        "traffic": [{ "load": 0.1 }],
        "measure": { "warmup_messages": 100, "messages": 5000 } });
    let row = serde_json::json!({ "quantity": "latency_increase", "preset": "minimal",
        "over": "UD", "published": 0, "tolerance": 1e9 });
    let path = small_study("study-deadlock.json", &base, row);
    let output = hopscope(&["study", &path]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output).contains("OUTSIDE tolerance  DEADLOCK in 3 of 3"), "{output:?}");
}

#[test]
fn a_study_with_a_wrong_base_is_refused() {
    let row = serde_json::json!({ "quantity": "minimal_routes", "preset": "UD", "switches": 8 });
    for base in [
        serde_json::json!("no-such-file.json"),
        serde_json::json!(7),
        serde_json::json!({ "hopscope": 1, "network": 7 }),
        serde_json::json!({ "hopscope": 1, "routing": 3,
            "network": { "generate": { "kind": "irregular" } } }),
    ] {
        let path = small_study("study-wrong-base.json", &base, row.clone());
        let output = hopscope(&["study", &path]);
        assert_eq!(output.status.code(), Some(2), "{base}: {output:?}");
    }
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
fn a_deficit_table_is_made_or_refused_with_a_reason() {
    // The five levels of the Omni-Path study.
    let levels = ["10:2:2", "30:4:4", "50:8:8", "5:16:16", "5:16:16"];
    let made = hopscope(&[&["dtable", "--json"], &levels[..]].concat());
    let made: Value = serde_json::from_str(done(&made)).unwrap();
    let totals: Vec<u64> =
        made["levels"].as_array().unwrap().iter().map(|l| l["total"].as_u64().unwrap()).collect();
    assert_eq!(totals, [416, 1248, 2080, 208, 208]);
    assert_eq!(made["scheduler"]["entries"].as_array().unwrap().len(), 128);
    assert!(text(&hopscope(&[&["dtable"], &levels[..]].concat())).contains("50.00 %"));
    // Two levels cannot both have every other entry and a third every fourth.
    let refused = hopscope(&["dtable", "40:2:2", "40:2:2", "20:4:2"]);
    assert!(problems(&refused).contains("dtable"));
    assert!(problems(&hopscope(&["dtable", "40:2"])).contains("SHARE:DISTANCE:MTU"));
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
