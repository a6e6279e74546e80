//! Sweeps in parts, interrupted sweeps, long ones, and their figures.

use super::experiments::experiment;
use super::*;
use std::fs;
use std::time::{Duration, Instant};

/// The parts of an experiment of four points, each in a folder of its own.
fn parts(name: &str, of: usize) -> (String, Vec<String>) {
    let (path, folder) = experiment(name);
    let run = |index: usize| {
        let out = format!("{folder}/{index}");
        let shard = format!("{index}/{of}");
        done(&hopscope(&["sweep", &path, "--out", &out, "--shard", &shard]));
        format!("{out}/results-{index}-of-{of}.jsonl")
    };
    let files = (1..=of).map(run).collect();
    (path, files)
}

fn merge(files: &[String], more: &[&str]) -> Output {
    let files: Vec<&str> = files.iter().map(|file| &**file).collect();
    hopscope(&[&["merge"], &files[..], more].concat())
}

#[test]
fn merged_parts_are_the_same_bytes_as_a_whole_sweep() {
    let (path, files) = parts("merge-parts", 3);
    let (_, whole) = experiment("merge-whole");
    let figure = |folder: &str| format!("{folder}/curve.svg");
    done(&hopscope(&["sweep", &path, "--out", &whole, "--figure", &figure(&whole)]));
    let out = format!("{}-out", files[0]);
    let _ = fs::remove_dir_all(&out);
    // In any order of the files, which may be named by their folders.
    let folder = PathBuf::from(&files[1]).parent().unwrap().to_str().unwrap().to_string();
    let named = [files[2].clone(), folder, files[0].clone()];
    done(&merge(&named, &["--out", &out, "--figure", &figure(&out)]));
    for name in ["results.csv", "results.json", "curve.svg"] {
        let [one, other] =
            [&whole, &out].map(|folder| fs::read(format!("{folder}/{name}")).unwrap());
        assert!(one == other, "{name}");
    }
    let results: Value =
        serde_json::from_slice(&fs::read(format!("{out}/results.json")).unwrap()).unwrap();
    let points = results["points"].as_array().unwrap();
    assert_eq!(points.len(), 4);
    assert!(results["version"].is_string() && results["hash"].is_string());
    for (i, point) in points.iter().enumerate() {
        assert_eq!(point["point"], i);
        assert!(point["report"]["fingerprint"].is_string() && point["seed"].is_u64());
        assert!(point["report"]["condition"].is_string());
    }
}

#[test]
fn parts_that_are_no_whole_are_refused() {
    let (_, files) = parts("merge-wrong", 2);
    let out = format!("{}-out", files[0]);
    let refused = |files: &[String]| {
        let output = merge(files, &["--out", &out]);
        let said = problems(&output).to_string();
        assert!(said.contains("(fix: "), "{said}");
        assert!(!PathBuf::from(&out).exists());
        said
    };
    let said = refused(&files[..1]);
    assert!(said.contains("2 points have no result: 1, 3") && said.contains("shard 2/2"), "{said}");
    let said = refused(&[files[0].clone(), files[1].clone(), files[1].clone()]);
    assert!(said.contains(" is in ") && said.contains("results-2-of-2.jsonl too"), "{said}");
    let text = fs::read_to_string(&files[1]).unwrap();
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        let file = format!("{}-changed.jsonl", files[1]);
        fs::write(&file, text.replacen(from, to, 1)).unwrap();
        refused(&[files[0].clone(), file])
    };
    let version = env!("CARGO_PKG_VERSION");
    let said = changed(&format!("\"version\":\"{version}\""), "\"version\":\"0.0.7\"");
    assert!(said.contains("0.0.7") && said.contains(version), "{said}");
    assert!(changed("\"hash\":\"", "\"hash\":\"0").contains("another experiment"));
    let said = changed("\n{\"point\":1", "\n{\"pint\":1");
    assert!(
        said.contains("changed.jsonl: line ") && said.contains("no results of a sweep"),
        "{said}"
    );
    assert!(!said.contains(" at line "), "{said}");
    assert!(changed("\n{\"point\":1", "\n{\"point\":7").contains("0 to 3"));
    assert!(changed("{\"hopscope_results\":1", "{\"hopscope_results\":9").contains("no version 9"));
}

#[test]
fn a_killed_sweep_goes_on_where_it_was() {
    let (path, folder) = experiment("sweep-killed");
    let text = fs::read_to_string(&path).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["axes"][1]["values"] = (1..=40).map(|i| f64::from(i) / 500.0).collect();
    fs::write(&path, document.to_string()).unwrap();
    let words = ["sweep", &path, "--out", &folder, "--threads", "1"];
    let mut sweep = Command::new(env!("CARGO_BIN_EXE_hopscope"))
        .args(words)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let file = format!("{folder}/results.jsonl");
    let lines = || fs::read_to_string(&file).unwrap_or_default().lines().count();
    let start = Instant::now();
    while lines() < 4 {
        assert!(start.elapsed() < Duration::from_secs(60), "no results");
        std::thread::sleep(Duration::from_millis(2));
    }
    sweep.kill().unwrap();
    sweep.wait().unwrap();
    assert!(lines() < 81, "it ended before it was killed");
    assert!(!PathBuf::from(format!("{folder}/results.csv")).exists());
    assert!(problems(&hopscope(&words)).contains("--resume"));
    done(&hopscope(&[&words[..], &["--resume"]].concat()));
    let (_, whole) = experiment("sweep-not-killed");
    fs::write(&path, document.to_string()).unwrap();
    done(&hopscope(&["sweep", &path, "--out", &whole]));
    for name in ["results.csv", "results.json"] {
        let [one, other] = [&folder, &whole].map(|dir| fs::read(format!("{dir}/{name}")).unwrap());
        assert!(one == other, "{name}");
    }
}

#[test]
fn results_of_another_version_or_process_are_left_alone() {
    let (path, folder) = experiment("sweep-version");
    done(&hopscope(&["sweep", &path, "--out", &folder]));
    let file = format!("{folder}/results.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let words = ["sweep", &path, "--out", &folder, "--resume"];
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    fs::write(&file, text.replacen(&version, "\"version\":\"0.0.7\"", 1)).unwrap();
    let output = hopscope(&words);
    let said = problems(&output);
    assert!(said.contains("0.0.7") && said.contains(env!("CARGO_PKG_VERSION")), "{said}");
    fs::write(&file, text).unwrap();
    let lock = fs::OpenOptions::new().append(true).open(&file).unwrap();
    lock.lock().unwrap();
    assert!(problems(&hopscope(&words)).contains("another process writes to it"));
}

#[test]
fn a_million_points_are_not_started_unasked() {
    let (path, folder) = experiment("sweep-million");
    let text = fs::read_to_string(&path).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["axes"] = serde_json::json!([
        { "path": "seed", "values": (0..1000).collect::<Vec<u32>>() },
        { "path": "traffic.0.load", "values": (1..=1000).map(|i| 0.01 + f64::from(i) / 1e6).collect::<Vec<f64>>() },
    ]);
    fs::write(&path, document.to_string()).unwrap();
    let output = hopscope(&["sweep", &path, "--out", &folder]);
    let said = problems(&output);
    assert!(said.contains("1000000 points take about ") && said.contains("--yes"), "{said}");
    let shard = ["sweep", &path, "--out", &folder, "--shard", "7/50000", "--yes"];
    done(&hopscope(&shard));
}

#[test]
fn figures_are_written_in_the_format_of_their_name() {
    let (path, folder) = experiment("sweep-figures");
    let name = |end: &str| format!("{folder}/figure.{end}");
    fs::create_dir_all(&folder).unwrap();
    // Without --out nothing but figures is left.
    let (svg, csv, json) = (name("svg"), name("csv"), name("json"));
    let files = ["--figure", &svg, "--figure", &csv, "--figure", &json];
    done(&hopscope(&[&["sweep", &path][..], &files].concat()));
    let mut left: Vec<_> = fs::read_dir(&folder).unwrap().map(|f| f.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["figure.csv", "figure.json", "figure.svg"]);
    let read = |end: &str| fs::read_to_string(name(end)).unwrap();
    let figure: Value = serde_json::from_str(&read("json")).unwrap();
    let series = figure["series"].as_array().unwrap();
    assert_eq!(series.len(), 2);
    assert_eq!(read("csv").lines().count(), 1 + 4);
    let fingerprint = figure["provenance"]["fingerprint"].as_str().unwrap();
    assert!(read("svg").contains(fingerprint) && read("csv").contains(fingerprint));
    assert!(read("svg").contains("UD_ITB"));
    for kind in [
        "percentiles",
        "throughput",
        "channels",
        "histogram",
        "traffic-over-time",
        "latency-over-time",
    ] {
        let words = ["sweep", &path, "--figure", &svg, "--figure-kind", kind];
        done(&hopscope(&words));
        assert!(read("svg").starts_with("<svg "));
    }
    let output = hopscope(&["sweep", &path, "--figure", &svg, "--figure-kind", "levels"]);
    assert!(problems(&output).contains("no service levels"));
    let output = hopscope(&["sweep", &path, "--figure", "figure.png"]);
    let said = problems(&output);
    assert!(said.starts_with("--figure figure.png: ") && said.contains(".svg"), "{said}");
}

#[test]
fn axes_of_unknown_fields_or_with_a_value_twice_are_refused() {
    let (path, folder) = experiment("sweep-fields");
    let text = fs::read_to_string(&path).unwrap();
    for (from, to, place) in [
        ("traffic.0.load", "traffic.0.laod", "point 0: traffic.0.laod: unknown field `laod`"),
        ("traffic.0.load", "traffic.3.load", "point 0: traffic.3.load: "),
        ("[0.01,0.1]", "[0.01,0.01]", "axes.1.values.1: it repeats axes.1.values.0"),
        ("[0.01,0.1]", "[]", "axes.1: the axis has no steps"),
    ] {
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replace(from, to)).unwrap();
        let output = hopscope(&["sweep", &path, "--out", &folder]);
        let said = problems(&output);
        assert!(said.contains(place) && said.contains("(fix: "), "{said}");
    }
}

/// The tasks of the job array, run here as Slurm would; `tests/slurm.sh` runs them on a real one.
#[test]
fn tasks_of_a_job_array_make_the_whole_experiment() {
    let (path, folder) = experiment("cluster");
    let (_, whole) = experiment("cluster-whole");
    let out = format!("{folder}/it's here");
    let output =
        hopscope(&["cluster", "slurm", &path, "--out", &out, "--tasks", "3", "--cpus", "2"]);
    let script = done(&output);
    for line in ["#SBATCH --array=1-3", "#SBATCH --cpus-per-task=2", "#SBATCH --requeue"] {
        assert!(script.lines().any(|of| of == line), "{script}");
    }
    let job = file("cluster.sh", script);
    for task in ["1", "2", "3", "2"] {
        let mut bash = Command::new("bash");
        // A job starts in any folder.
        bash.arg(&job).current_dir("/").env("SLURM_ARRAY_TASK_ID", task);
        let output = bash.env("SLURM_CPUS_PER_TASK", "2").output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    done(&hopscope(&["sweep", &path, "--out", &whole]));
    for name in ["results.csv", "results.json"] {
        let [one, other] = [&out, &whole].map(|dir| fs::read(format!("{dir}/{name}")).unwrap());
        assert!(one == other, "{name}");
    }
    // An hour per task, three hours allowed; an array is not longer than its points.
    let with = |more: &[&str]| {
        let words = ["cluster", "slurm", &path, "--out", &out];
        hopscope(&[&words[..], more].concat())
    };
    let output = with(&["--point-seconds", "3600"]);
    let script = done(&output);
    assert!(script.contains("--array=1-4\n") && script.contains("--time=0-03:00:00\n"), "{script}");
    for (wrong, place) in [
        (["--tasks", "0"], "--tasks: "),
        (["--cpus", "0"], "--cpus: "),
        (["--point-seconds", "0"], "--point-seconds: "),
    ] {
        let output = with(&wrong);
        assert!(problems(&output).starts_with(place), "{output:?}");
    }
}

#[test]
fn compared_scenarios_tell_their_fields_before_their_results() {
    let first = scenario("compare-first.json", SMALL);
    let mut document: Value = serde_json::from_str(&fs::read_to_string(&first).unwrap()).unwrap();
    document["routing"] = serde_json::json!({ "preset": "UD" });
    document["name"] = "another name".into();
    let second = file("compare-second.json", &document.to_string());
    let second = second.to_str().unwrap();
    let output = hopscope(&["compare", &first, second, &first, "--json"]);
    let compared: Value = serde_json::from_str(done(&output)).unwrap();
    let fields = compared[0]["fields"].as_array().unwrap();
    assert!(fields.iter().any(|field| field["path"] == "routing.preset"), "{fields:?}");
    assert!(fields.iter().all(|field| field["path"] != "name"), "{fields:?}");
    let own: Value = serde_json::from_str(done(&hopscope(&["run", second, "--json"]))).unwrap();
    let accepted = &compared[0]["results"][0];
    assert_eq!(accepted["quantity"], "accepted_flits_per_ns_per_switch");
    assert_eq!(accepted["second"], own["accepted_flits_per_ns_per_switch"]);
    assert_eq!(compared[0]["fingerprints"][1], own["fingerprint"]);
    // The first beside itself.
    assert!(compared[1]["fields"].as_array().unwrap().is_empty());
    let results = compared[1]["results"].as_array().unwrap();
    assert!(results.iter().all(|result| result["difference"] == 0.0), "{results:?}");
    let output = hopscope(&["compare", &first, second]);
    let text = done(&output);
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what}: {text}"));
    assert!(at("routing.preset: ") < at("accepted_flits_per_ns_per_switch"));
    let output = hopscope(&["compare", &first, second, "--set", "seed=x"]);
    assert!(problems(&output).contains("--set seed"));
    assert_eq!(hopscope(&["compare", &first]).status.code(), Some(2));
}
