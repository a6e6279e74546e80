//! Output that cannot be written ends every command with status 2 and a reason on standard error.
//! Whether a text reached the disk is what scripts read from the exit status.
//!
//! Linux only: `/dev/full` stands for a full disk behind standard output, and a limit on the length
//! of files for a full disk behind a folder.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().into()
}

const SCENARIO: &str = r#"{ "hopscope": 1,
    "network": { "generate": { "kind": "ring", "switches": 4 } },
    "traffic": [{ "load": 0.02 }],
    "measure": { "warmup_messages": 0, "messages": 100 } }"#;

/// With admission control.
const LIMITED: &str = r#"{ "hopscope": 1,
    "network": { "generate": { "kind": "single", "hosts": 2 } }, "routing": { "preset": "UD" },
    "fabric": { "kind": "cut-through",
        "qos": { "admission": { "levels": [0], "share_percent": 50 } } },
    "traffic": [{ "load": 0.1, "arrival": { "kind": "cbr", "rate_kbps": 100000 } }] }"#;

const STUDY: &str = r#"{ "name": "x", "base": "scenario.json", "networks": 1,
    "rows": [{ "quantity": "minimal_routes", "preset": "UD" }] }"#;

const EXPERIMENT: &str = r#"{ "hopscope_experiment": 1, "base": "scenario.json",
    "axes": [{ "path": "seed", "values": [1, 2] }] }"#;

const DOCUMENT: &str = "# Title\n<!-- study: study -->\nold\n<!-- end -->\n";

fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap()
}

fn hopscope(words: &[&str]) -> Output {
    run(Command::new(env!("CARGO_BIN_EXE_hopscope")).args(words))
}

/// Runs a command that cannot write more than the empty file.
fn without_space(words: &[&str]) -> Output {
    let script = r#"trap "" XFSZ; ulimit -f 0; exec "$0" "$@""#;
    run(Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_hopscope")]).args(words))
}

/// Names of all subcommands, as the help lists them.
fn subcommands() -> Vec<String> {
    let help = String::from_utf8(hopscope(&["--help"]).stdout).unwrap();
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let words = list.lines().take_while(|line| !line.is_empty());
    words.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn standard_output_to_a_full_disk_is_an_error_of_every_command() {
    let folder = folder("full-output");
    let scenario = &*file(&folder, "scenario.json", SCENARIO);
    let limited = &*file(&folder, "limited.json", LIMITED);
    let study = &*file(&folder, "study.json", STUDY);
    let experiment = &*file(&folder, "experiment.json", EXPERIMENT);
    let out = folder.to_str().unwrap();
    let trace = folder.join("run.pftrace");
    let trace = trace.to_str().unwrap();
    let cases: &[&[&str]] = &[
        &["run", scenario],
        &["run", scenario, "--json"],
        // The problems of wrong input, as JSON.
        &["run", scenario, "--json", "--set", "seed=x"],
        &["trace", scenario, "--out", trace],
        &["routes", scenario],
        &["routes", scenario, "--json"],
        &["routes", scenario, "--dump"],
        &["saturate", scenario],
        &["saturate", scenario, "--json"],
        &["saturate", scenario, "--csv"],
        &["study", study],
        &["study", study, "--json"],
        &["generate", "torus"],
        &["generate", "torus", "--parameters"],
        &["generate", "torus", "--help"],
        &["generate", "--help"],
        &["convert", scenario, "-", "--to", "dot"],
        &["dtable", "10:2:2"],
        &["dtable", "10:2:2", "--json"],
        &["admit", limited],
        &["admit", limited, "--json"],
        &["cost", scenario],
        &["cost", scenario, "--json"],
        &["list"],
        &["list", "sizes", "--json"],
        &["sweep", "--help"],
        &["merge", "--help"],
        &["compare", scenario, scenario],
        &["compare", scenario, scenario, "--json"],
        &["cluster", "slurm", experiment, "--out", out],
        &["help"],
        &["help", "run"],
        &["--help"],
        &["--version"],
    ];
    let all = subcommands();
    assert!(all.contains(&"run".to_owned()) && all.contains(&"list".to_owned()), "{all:?}");
    for subcommand in all {
        assert!(cases.iter().any(|words| words[0] == subcommand), "no case for `{subcommand}`");
    }
    for words in cases {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = run(Command::new(env!("CARGO_BIN_EXE_hopscope"))
            .args(*words)
            .stdout(full)
            .stderr(Stdio::piped()));
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
        assert!(told.contains("standard output cannot be written: No space"), "{words:?}: {told}");
    }
}

#[test]
fn a_full_standard_error_does_not_change_the_status() {
    let folder = folder("full-error");
    let scenario = &*file(&folder, "scenario.json", SCENARIO);
    for (words, status) in [
        (&["run", "no such file"][..], 2),
        (&["run", scenario, "--set", "seed=x"], 2),
        (&["convert", scenario, "-", "--to", "dot"], 0),
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_hopscope"));
        let status_found =
            command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(full).status();
        assert_eq!(status_found.unwrap().code(), Some(status), "{words:?}");
    }
}

/// The command fails, and what it says begins with the file that it could not write.
fn fails_to_write(words: &[&str], file: &str) {
    let output = without_space(words);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
    assert!(told.contains(&format!("{file}: the file cannot be written: ")), "{words:?}: {told}");
}

#[test]
fn files_that_cannot_be_written_are_an_error_and_leave_no_parts() {
    let folder = folder("full-files");
    let scenario = &*file(&folder, "scenario.json", SCENARIO);
    let study = &*file(&folder, "study.json", STUDY);
    let experiment = &*file(&folder, "experiment.json", EXPERIMENT);
    let document = &*file(&folder, "document.md", DOCUMENT);
    let out = folder.join("results");
    let out_path = out.to_str().unwrap();

    let converted = folder.join("converted.dot");
    fails_to_write(&["convert", scenario, converted.to_str().unwrap()], "converted.dot");
    fails_to_write(&["convert", scenario, "/dev/full", "--to", "dot"], "/dev/full");
    // A document that cannot be written again keeps what it has.
    fails_to_write(&["study", study, "--into", document], "document.md");
    assert_eq!(fs::read_to_string(document).unwrap(), DOCUMENT);

    let sweep = ["sweep", experiment, "--out", out_path, "--resume", "--threads", "1"];
    let results = out.join("results.jsonl");
    fails_to_write(&sweep, "results.jsonl");
    assert_eq!(hopscope(&sweep).status.code(), Some(0));
    // Without its second result, of which a part is no result either.
    let text = fs::read_to_string(&results).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let first = lines[..2].concat();
    fs::write(&results, &first).unwrap();
    fails_to_write(&sweep, "results.jsonl");
    assert_eq!(fs::read_to_string(&results).unwrap(), first);
    assert_eq!(hopscope(&sweep).status.code(), Some(0));
    fails_to_write(&sweep, "results.csv");
    let svg = out.join("figure.svg");
    fails_to_write(&["merge", out_path, "--figure", svg.to_str().unwrap()], "figure.svg");
    assert_eq!(hopscope(&["merge", out_path, "--out", out_path]).status.code(), Some(0));

    let parts = |folder: &Path| {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().contains("part")).count()
    };
    assert_eq!((parts(&folder), parts(&out)), (0, 0));
}
