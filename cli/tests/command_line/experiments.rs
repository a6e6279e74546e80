//! `sweep`, and experiment files.

use super::*;

/// An experiment of four points in a folder of its own.
pub fn experiment(name: &str) -> (String, String) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    // A base of its own: tests run at the same time.
    let base = format!("{name}.base.json");
    scenario(&base, SMALL);
    let text = serde_json::json!({
        "hopscope_experiment": 1,
        "base": base,
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
    let outputs = ["results.csv", "results.json"];
    let bytes =
        |folder: &str| outputs.map(|name| std::fs::read(format!("{folder}/{name}")).unwrap());
    let at_once = bytes(&whole);
    // As if the sweep had been killed while it wrote its third result.
    let file = format!("{whole}/results.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 5);
    std::fs::write(&file, lines[..3].concat() + &lines[3][..lines[3].len() / 2]).unwrap();
    outputs.iter().for_each(|name| std::fs::remove_file(format!("{whole}/{name}")).unwrap());
    let output = hopscope(&["sweep", &path, "--out", &whole, "--resume", "--threads", "1"]);
    done(&output);
    assert!(String::from_utf8_lossy(&output.stderr).contains("2 points, about"), "{output:?}");
    assert_eq!(bytes(&whole), at_once);

    let (path, parts) = experiment("sweep-parts");
    for shard in ["1/3", "2/3", "3/3"] {
        done(&hopscope(&["sweep", &path, "--out", &parts, "--shard", shard]));
    }
    assert_eq!(table(&parts), rows);
    assert_eq!(bytes(&parts), at_once);
    assert!(
        problems(&hopscope(&["sweep", &path, "--out", &parts, "--shard", "4/3"]))
            .contains("no part")
    );
}

/// Two points with tables that are wrong in the same way and one with another: two distinct
/// warnings.
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
    let tables = [wrr("[1]"), wrr("[1,1]"), wrr("[0]"), wrr("[0,1]")];
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

/// Experiments overload networks on purpose, so the first point is told and the others are counted.
#[test]
fn overload_is_told_by_a_run_and_once_by_a_sweep() {
    let base = serde_json::json!({ "hopscope": 1,
        "network": { "generate": { "kind": "single", "hosts": 4 } },
        "fabric": { "kind": "cut-through" }, "traffic": [{ "load": 1.25 }],
        "measure": { "warmup_messages": 0, "messages": 100 } });
    let run = file("overload.json", &base.to_string());
    let told = |words: &[&str]| -> Vec<String> {
        let output = hopscope(words);
        done(&output);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        told.lines().filter(|line| line.starts_with("warning: ")).map(String::from).collect()
    };
    let lines = told(&["run", run.to_str().unwrap()]);
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    let whole = line.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(whole.contains("traffic.0.load: a load of 1.25 flits/cycle/host is 1.250 times"));
    assert!(whole.contains("(fix: a load of 1 flits/cycle/host fills the channels)"), "{whole}");
    let experiment = serde_json::json!({ "hopscope_experiment": 1, "base": base,
        "axes": [{ "path": "traffic.0.load", "values": [0.5, 1, 1.1, 1.2, 1.3] }] });
    let path = file("overload.experiment.json", &experiment.to_string());
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("overload");
    let _ = std::fs::remove_dir_all(&out);
    let lines = told(&["sweep", path.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    let [first, rest] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(first.contains("point 2: traffic.0.load: a load of 1.1 "), "{first}");
    assert!(rest.contains("in 2 more of its scenarios"), "{rest}");
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
    assert!(!PathBuf::from(format!("{out}/results.jsonl")).exists());
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
fn levels_and_flows_of_a_sweep_have_tables_that_parts_and_merges_share() {
    let two_levels = |name: &str| {
        let (path, folder) = experiment(name);
        file(
            &format!("{name}.base.json"),
            r#"{ "hopscope": 1, "routing": { "preset": "UD" },
              "network": { "generate": { "kind": "ring", "switches": 4, "hosts_per_switch": 2 } },
              "fabric": { "kind": "cut-through", "qos": { "lanes": [0, 1], "levels": [
                { "name": "calls", "channels": [0] }, { "name": "bulk", "channels": [1] }] } },
              "traffic": [{ "load": 0.05 }, { "name": "large", "load": 0.04, "level": 1 },
                { "load": 0.02, "level": 1 }],
              "measure": { "warmup_messages": 100, "messages": 1000 } }"#,
        );
        (path, folder)
    };
    let names = ["levels.csv", "flows.csv", "results.csv", "results.json"];
    let bytes = |folder: &str| names.map(|name| std::fs::read(format!("{folder}/{name}")).unwrap());
    let (path, whole) = two_levels("sweep-levels");
    done(&hopscope(&["sweep", &path, "--out", &whole]));
    let lines = |name: &str| -> Vec<String> {
        let text = std::fs::read_to_string(format!("{whole}/{name}")).unwrap();
        text.lines().map(String::from).collect()
    };
    let levels = lines("levels.csv");
    assert_eq!(levels.len(), 1 + 4 * 2);
    let head = "point,routing.preset,traffic.0.load,condition,level,level_name,accepted_flits";
    assert!(levels[0].starts_with(head), "{}", levels[0]);
    assert!(levels[0].contains(",total_latency_ns.p99,"), "{}", levels[0]);
    assert!(levels[0].ends_with(",delivered,scenario,version,seed"), "{}", levels[0]);
    assert!(levels[4].starts_with("1,UD,0.1,steady,1,bulk,"), "{}", levels[4]);
    let flows = lines("flows.csv");
    assert_eq!(flows.len(), 1 + 4 * 3);
    let head = "point,routing.preset,traffic.0.load,condition,flow,flow_name,level,offered_flits";
    assert!(flows[0].starts_with(head), "{}", flows[0]);
    assert!(flows[8].starts_with("2,UD_ITB,0.01,steady,1,large,1,"), "{}", flows[8]);
    let text = std::fs::read_to_string(format!("{whole}/results.json")).unwrap();
    let results: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(results["points"][3]["flows"][1]["name"], "large");

    let (path, parts) = two_levels("sweep-levels-parts");
    for shard in ["1/2", "2/2"] {
        done(&hopscope(&["sweep", &path, "--out", &parts, "--shard", shard]));
    }
    assert!(bytes(&parts) == bytes(&whole));
    names.iter().for_each(|name| std::fs::remove_file(format!("{parts}/{name}")).unwrap());
    done(&hopscope(&["merge", &parts, "--out", &parts]));
    assert!(bytes(&parts) == bytes(&whole));

    // Tables of other results do not stay.
    let (path, folder) = experiment("sweep-one-flow");
    std::fs::create_dir_all(&folder).unwrap();
    names[..2].iter().for_each(|name| std::fs::write(format!("{folder}/{name}"), "old").unwrap());
    let written = |path: &str| {
        done(&hopscope(&["sweep", path, "--out", &folder]));
        let written = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut written: Vec<_> = written.collect();
        written.sort();
        std::fs::remove_dir_all(&folder).unwrap();
        written
    };
    assert_eq!(written(&path), ["results.csv", "results.json", "results.jsonl"]);

    // A single flow is not all beside an application.
    file(
        "sweep-one-flow.base.json",
        r#"{ "hopscope": 1, "network": { "generate": { "kind": "ring", "switches": 4 } },
          "routing": { "preset": "UD" }, "traffic": [{ "load": 0.02 }],
          "application": { "kind": "barrier", "iterations": 2 } }"#,
    );
    assert_eq!(written(&path), ["flows.csv", "results.csv", "results.json", "results.jsonl"]);
}

/// The files with which the page's test compares what the page saves (`tests/e2e/study.spec.ts`).
#[test]
fn the_page_is_compared_with_what_a_sweep_writes() {
    let file =
        |name: &str| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/e2e").join(name);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sweep-of-the-page");
    let _ = std::fs::remove_dir_all(&folder);
    let (experiment, figure) = (file("study.experiment.json"), folder.join("figure.svg"));
    let words = ["sweep", experiment.to_str().unwrap(), "--out", folder.to_str().unwrap()];
    std::fs::create_dir_all(&folder).unwrap();
    done(&hopscope(&[&words[..], &["--figure", figure.to_str().unwrap()]].concat()));
    for (ours, pages) in [
        ("results.json", "study.results.json"),
        ("results.csv", "study.results.csv"),
        ("figure.svg", "study.figure.svg"),
    ] {
        let text = std::fs::read_to_string(folder.join(ours)).unwrap();
        assert!(text == std::fs::read_to_string(file(pages)).unwrap(), "{pages} is outdated");
    }
}
