//! `study`, and the documents that studies are written into.

use super::*;

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

#[test]
fn a_study_of_nothing_is_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/studies");
    let study = format!("{folder}/thesis-routes.json");
    let none = hopscope(&["study", &study, "--networks", "0"]);
    assert!(problems(&none).starts_with("--networks: 0 networks"), "{none:?}");
    let none = hopscope(&["study", &study, "--switches", "7"]);
    assert!(problems(&none).contains("use one of 8, 16, 32, 64"), "{none:?}");
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
        // No network has so few switches, which is told when everything has been read.
        let output = hopscope(&["study", &format!("{folder}/{study}.json"), "--switches", "1"]);
        assert!(problems(&output).starts_with("--switches: "), "{output:?}");
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
        (small, r#""quantity": "accepted", "at": ["noon"]"#, "rows.0.at: ", "no `noon`"),
        (levels, r#""quantity": "share", "level": "X""#, "rows.0.level: ", "no `X`"),
        (small, r#""quantity": "accepted", "than": {"variant": "a"}"#, "rows.0.than.v", "no `a`"),
        (
            small,
            r#""quantity": "accepted", "mean_of_points": true"#,
            "rows.0.mean_of_points: ",
            "two points",
        ),
        (
            small,
            r#""quantity": "most_accepted", "loads": [1, 2], "mean_of_points": true"#,
            "rows.0.mean_of_points: ",
            "a figure at each",
        ),
        (small, r#""quantity": "accepted", "finding": "9""#, "rows.0.finding: ", "no `9`"),
        (
            small,
            r#""quantity": "accepted", "published": 1, "at_least": 0"#,
            "rows.0.published: ",
            "not both",
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
    let texts = text("fidelity.md") + &text("studies-cut-through.md") + &text("studies-recn.md");
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
    assert!(
        written.contains("| uniform | 0.2 | short | 0.2") && written.contains(" (0.5) |"),
        "{written}"
    );
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
fn a_study_says_which_runs_were_not_steady() {
    let base = serde_json::json!({ "hopscope": 1,
        "network": { "generate": { "kind": "star", "leaves": 3, "hosts_per_switch": 2 } },
        "routing": { "preset": "UD" },
        "fabric": { "kind": "cut-through" },
        "measure": { "warmup_messages": 200, "messages": 1000 } });
    let row = serde_json::json!({ "quantity": "accepted", "loads": [0.05, 2.0] });
    let path = small_study("study-saturated.json", &base, row);
    let output = hopscope(&["study", &path, "--json"]);
    let lines: Value = serde_json::from_str(done(&output)).unwrap();
    assert_eq!([&lines[0]["saturated"], &lines[1]["saturated"]], [0, 3], "{lines}");
    let printed = hopscope(&["study", &path]);
    assert_eq!(text(&printed).matches("SATURATED in 3 of 3").count(), 1, "{printed:?}");
    // As a table, also from saved results.
    let table = file("study-saturated.md", "<!-- study: study-saturated -->\n<!-- end -->\n");
    let results = file("study-saturated.results.json", text(&output));
    let results = ["--results", results.to_str().unwrap()];
    done(&hopscope(&[&["study", &path, "--into", table.to_str().unwrap()], &results[..]].concat()));
    let table = std::fs::read_to_string(&table).unwrap();
    assert!(table.contains("| in the runs |") && table.contains("saturated in 3 of 3"), "{table}");
}

/// A finding that holds, one that fails and one that no row judges, with three runs and with one.
#[test]
fn a_study_says_what_becomes_of_its_findings() {
    let row = |finding: &str, bound: &str, value: f64| {
        serde_json::json!({ "finding": finding, "quantity": "accepted", "title": "all traffic",
            bound: value })
    };
    let study = serde_json::json!({ "name": "x", "networks": 3,
        "base": { "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
            "fabric": { "kind": "cut-through", "qos": { "levels": [
                { "name": "A", "channels": [0] }], "lanes": [0] } },
            "traffic": [{ "load": 0.1 }],
            "measure": { "warmup_messages": 100, "messages": 1000 } },
        "findings": [{ "id": "1", "text": "most is delivered" },
            { "id": "2", "text": "twice as much is delivered" },
            { "id": "3", "text": "it is green" }, { "id": "4", "text": "it ends" }],
        "rows": [row("1", "at_least", 0.05), row("2", "at_least", 0.05), row("2", "at_least", 0.2),
            row("2", "at_least", 0.3),
            { "finding": "4", "quantity": "largest_latency", "level": "A", "at_most": 1e9 }] });
    let path = file("findings.json", &study.to_string());
    let path = path.to_str().unwrap();
    let output = hopscope(&["study", path]);
    let printed = done(&output);
    for part in [
        "\nFindings\n1  holds      most is delivered\n              1 of 1 rows hold\n2  fails ",
        "1 of 3 rows hold, 2 do not\n              fails: all traffic: 0.1",
        ", not ≥ 0.2; and 1 more\n3  not judged it is green\n",
        "4  not judged it ends\n",
        "cannot fail\n",
        "\nCannot fail: ",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    assert!(!printed.contains("Undecided"), "{printed}");
    // One replication has no interval.
    let single = hopscope(&["study", path, "--networks", "1"]);
    let printed = done(&single);
    assert!(printed.contains("\n1  undecided  most"), "{printed}");
    assert!(printed.contains("Undecided: one replication has no confidence interval"), "{printed}");
    assert!(!printed.contains("lies within"), "{printed}");
    // As JSON, and as a document from it.
    let output = hopscope(&["study", path, "--json"]);
    let results: Value = serde_json::from_str(done(&output)).unwrap();
    let verdicts = &results["verdicts"];
    assert_eq!([&verdicts[0]["holds"], &verdicts[1]["holds"]], [true, false], "{results}");
    assert_eq!(verdicts[2]["holds"], Value::Null, "{results}");
    assert_eq!(verdicts[1]["fail"], serde_json::json!([2, 3]), "{results}");
    assert_eq!(results["lines"].as_array().unwrap().len(), 5, "{results}");
    let document = file("findings.md", "<!-- study: findings -->\n<!-- end -->\n");
    let saved = file("findings.results.json", text(&output));
    let into = ["--into", document.to_str().unwrap(), "--results", saved.to_str().unwrap()];
    done(&hopscope(&[&["study", path], &into[..]].concat()));
    let written = std::fs::read_to_string(&document).unwrap();
    assert!(written.contains("| 1 | most is delivered | holds | 1 of 1 rows hold |"), "{written}");
    assert!(written.contains("| 2 | twice as much is delivered | fails | 1 of 3"), "{written}");
}
