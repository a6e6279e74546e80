//! How a command ends, and printing to standard output.

use hopscope_core::problem::Problems;
use serde::Serialize;
use std::io::Write;
use std::process::exit;

/// How a command that could do its work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Done,
    /// A deadlock was found, messages were lost, or the simulator broke its own rules.
    Lost,
}

/// What every command returns; problems mean wrong input.
pub type Result<T = Outcome> = std::result::Result<T, Problems>;

/// Prints to standard output. A reader that has gone away ends the program without a word, as in a pipe to `head`.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

/// Prints a value as indented JSON.
pub fn print_json(value: &impl Serialize) {
    let text = serde_json::to_string_pretty(value).expect("plain data has a JSON form");
    print(&(text + "\n"));
}
