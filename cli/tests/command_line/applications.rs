//! Applications: `run` with collectives and traces, and `list`.

use super::*;

const RING: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/applications/all-reduce.json");

#[test]
fn the_documented_all_reduce_takes_the_time_of_its_formula() {
    let report: Value = serde_json::from_str(done(&hopscope(&["run", RING, "--json"]))).unwrap();
    let application = &report["application"];
    assert_eq!(application["finished"], true);
    assert_eq!(application["run_time_ns"], application["idle_time_ns"]);
    assert_eq!(application["ranks"].as_array().unwrap().len(), 64);
    let path = application["critical_path"].as_array().unwrap();
    assert_eq!(path.len(), 126);
    assert!(path.iter().all(|step| step["kind"] == "message"));
    let told = hopscope(&["run", RING]);
    let told = done(&told);
    assert!(told.contains("64 ranks: run time 180810 ns"), "{told}");
    assert!(told.contains("this run took 0.00 % more"), "{told}");
    // The results of a run without an application have no such key.
    let path = scenario("without.json", SMALL);
    let report: Value = serde_json::from_str(done(&hopscope(&["run", &path, "--json"]))).unwrap();
    assert!(report.get("application").is_none());
}

const GOAL: &str = "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\nrank 1 {\nrecv 1000b from 0\n}\n";

#[test]
fn a_trace_is_an_option_or_a_field() {
    let path = scenario("traced.json", SMALL);
    let trace = file("pair.goal", GOAL);
    let option = ["run", &path, "--application", trace.to_str().unwrap(), "--json"];
    let field = [
        "run",
        &path,
        "--set",
        "application.kind=trace",
        "--set",
        "application.file=pair.goal",
        "--json",
    ];
    let time = |words: &[&str]| {
        let report: Value = serde_json::from_str(done(&hopscope(words))).unwrap();
        report["application"]["run_time_ns"].as_f64().unwrap()
    };
    assert!(time(&option) > 0.0);
    assert_eq!(time(&option), time(&field));
    // A generated scenario names its traffic, which goes on beside the trace.
    let told = hopscope(&["run", &path, "--application", trace.to_str().unwrap()]);
    assert!(done(&told).contains("trace, 2 ranks: run time"), "{told:?}");
}

#[test]
fn wrong_traces_are_refused_by_line() {
    let path = scenario("refused.json", SMALL);
    for (name, text, expected) in [
        ("lone.goal", &*GOAL.replace("from 0", "from 0 tag 3"), "lone.goal: line 3: rank 0 sends"),
        ("big.goal", &GOAL.replace("num_ranks 2", "num_ranks 5000"), "application: 5000 ranks on"),
        ("nonsense.goal", &"%PDF ".repeat(40_000_000), "line 1: this is no trace"),
        ("empty.vef", "\n", "the trace is empty"),
    ] {
        let trace = file(name, text);
        let start = std::time::Instant::now();
        let output = hopscope(&["run", &path, "--application", trace.to_str().unwrap()]);
        let told = problems(&output);
        assert!(told.contains(expected), "{told}");
        assert!(start.elapsed().as_secs_f64() < 1.0, "{name} took {:?}", start.elapsed());
        std::fs::remove_file(trace).unwrap();
    }
    let output = hopscope(&["run", &path, "--application", "/nowhere.goal"]);
    assert!(problems(&output).contains("/nowhere.goal: the file cannot be read"), "{output:?}");
}

#[test]
fn a_search_for_saturation_refuses_applications() {
    let output = hopscope(&["saturate", RING]);
    assert!(problems(&output).contains("an application has a run time"), "{output:?}");
}

#[test]
fn a_run_becomes_a_perfetto_trace() {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("run.pftrace");
    let out = out.to_str().unwrap();
    let output = hopscope(&["trace", RING, "--out", out, "--cycles", "3000"]);
    let told = done(&output);
    assert!(told.starts_with("3000 cycles, "), "{told}");
    let bytes = std::fs::read(out).unwrap();
    assert!(bytes.len() > 10_000);
    // Field 1 of the file, the packets, in bytes.
    assert_eq!(bytes[0], 1 << 3 | 2);
    let output = hopscope(&["trace", RING, "--out", "/nowhere/x.pftrace", "--cycles", "3"]);
    assert!(problems(&output).contains("/nowhere/x.pftrace: the file cannot be written"));
}

#[test]
fn list_names_the_kinds_of_applications() {
    let output = hopscope(&["list", "applications"]);
    let told = done(&output);
    for kind in ["all-reduce", "barrier", "halo-3d", "trace", "ring, recursive-doubling, tree"] {
        assert!(told.contains(kind), "{kind}: {told}");
    }
}

#[test]
fn a_run_shorter_than_the_formula_is_told_as_such() {
    let network = r#"network={ "generate": { "kind": "k-ary-n-tree", "arity": 4, "levels": 2 } }"#;
    let path = scenario("barrier.json", SMALL);
    let settings =
        [network, "routing={ \"preset\": \"d-mod-k\" }", "traffic=[]", "application.kind=barrier"];
    let sets = settings.map(|setting| ["--set", setting]);
    let output = hopscope(&[&["run", &path], sets.as_flattened()].concat());
    let told = done(&output).lines().find(|line| line.starts_with("idle network")).unwrap();
    assert!(told.ends_with(" % less") && !told.contains('-'), "{told}");
}
