//! The command line as scripts see it: output, `--json` keys, exit status.

mod applications;
mod experiments;
mod merges;
mod networks;
mod runs;
mod studies;

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
