//! How a command ends, and printing.
//!
//! Names in files may hold control characters that a terminal obeys, so text for people is printed
//! with control characters escaped. Only the contents of files are printed as they are.

use hopscope_core::json;
use hopscope_core::problem::{Problem, Problems};
use serde::Serialize;
use std::io::Write;
use std::process::exit;

/// How a command that could do its work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Done,
    /// A run deadlocked, dropped messages for good, broke one of the simulator's rules or stopped
    /// before its end.
    Lost,
}

/// What every command returns; problems mean wrong input.
pub type Result<T = Outcome> = std::result::Result<T, Problems>;

/// Prints text for people to standard output.
pub fn print(text: &str) {
    print_contents(&escaped(text));
}

/// Prints text for people and a line break to standard error. A full or closed standard error is
/// ignored: the exit status says how the command ended.
pub fn print_error(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", escaped(text));
}

/// Problems for people. Of those that are alike, the first is told, and how many more there are.
pub fn told(problems: &Problems) -> String {
    let group = |alike: Vec<&Problem>| match alike[..] {
        [first, .., last] if alike.len() > 2 => {
            let more = alike.len() - 1;
            let at = if last.at == first.at { "" } else { &format!(", up to {}", last.at) };
            format!("{first}\n  {more} more like it{at}")
        }
        _ => alike.iter().map(|problem| problem.to_string()).collect::<Vec<_>>().join("\n"),
    };
    problems.alike().into_iter().map(group).collect::<Vec<_>>().join("\n")
}

/// Prints the contents of a file to standard output, unchanged. Ends the program silently if the
/// reader has closed the pipe, as `head` does; any other failure, such as a full disk, is reported
/// and is status 2.
pub fn print_contents(text: &str) {
    let mut out = std::io::stdout().lock();
    end_unless_written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

fn end_unless_written(result: std::io::Result<()>) {
    match result {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => exit(0),
        Err(error) => {
            print_error(&format!("standard output cannot be written: {error}"));
            exit(2);
        }
    }
}

/// Prints help, the version or wrong arguments, and ends the program.
pub fn end_with(told: &clap::Error) -> ! {
    let printed = told.print();
    if !told.use_stderr() {
        end_unless_written(printed.and_then(|()| std::io::stdout().flush()));
    }
    exit(told.exit_code())
}

/// Prints a value as indented JSON.
pub fn print_json(value: &impl Serialize) {
    print_contents(&json::indented(value));
}

/// A share in percent, with two digits that mean something at least unless it is 0.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let digits = if percent > 0.0 { 1.0 - percent.log10().floor() } else { 1.0 };
    let decimals = digits.clamp(1.0, 9.0) as usize;
    format!("{percent:.decimals$} %")
}

/// A level of confidence in percent, with all of its digits.
pub fn confidence_level(level: f64) -> String {
    // Without what 100 times a binary fraction is off.
    format!("{} %", (level * 1e12).round() / 1e10)
}

/// Text with `\u{1b}` and the like instead of control characters, except line breaks and tabs.
fn escaped(text: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && !matches!(c, '\n' | '\t') {
            replaced.extend(c.escape_default());
        } else {
            replaced.push(c);
        }
    }
    replaced
}
