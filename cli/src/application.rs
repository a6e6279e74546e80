//! The application of a run: its trace, and its results as text.

use crate::files;
use crate::outcome::Result;
use hopscope_core::application::{Application, traces, word};
use hopscope_core::network::Network;
use hopscope_core::scenario::limits::MAX_TRACE_BYTES;
use hopscope_core::scenario::{ApplicationKind, Scenario};
use hopscope_core::simulation::{ApplicationReport, PathChannel, PathWhat};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of a trace from which its format is recognised.
const START_BYTES: u64 = 64 << 10;

/// Assignments to a scenario, and those that make a trace its application, if there is one.
pub fn with_trace(set: &[String], trace: Option<&Path>) -> Vec<String> {
    let mut set = set.to_vec();
    if let Some(trace) = trace {
        let name = serde_json::Value::String(trace.display().to_string());
        set.extend(["application.kind=trace".into(), format!("application.file={name}")]);
    }
    set
}

/// The application that a scenario in the file `path` asks for. `trace` replaces the file that it
/// names, which is relative to `path`.
pub fn of(
    scenario: &Scenario,
    network: &Network,
    path: &Path,
    trace: Option<&Path>,
) -> Result<Option<Application>> {
    let Some(spec) = &scenario.application else { return Ok(None) };
    let hosts = network.hosts().len() as u32;
    let is_described = spec.kind != ApplicationKind::Trace || !spec.text.is_empty();
    if is_described && trace.is_none() {
        let made = Application::new(spec, hosts, scenario.seed, &spec.text);
        return made.map(Some).map_err(|problems| files::within(path, problems));
    }
    let beside = || path.parent().unwrap_or(Path::new("")).join(&spec.file);
    let trace: PathBuf = trace.map_or_else(beside, Path::to_path_buf);
    let file = File::open(&trace).map_err(|error| files::not_read(&trace, &error))?;
    let text = read(&trace, file)?;
    let made = Application::new(spec, hosts, scenario.seed, &text);
    made.map(Some).map_err(|problems| files::within(&trace, problems))
}

/// The text of a trace. The rest of a file that does not begin like one is not read.
fn read(path: &Path, mut file: impl Read) -> Result<String> {
    let failed = |error| files::not_read(path, &error);
    let mut bytes = Vec::new();
    file.by_ref().take(START_BYTES).read_to_end(&mut bytes).map_err(failed)?;
    let start = String::from_utf8_lossy(&bytes);
    traces::check_start(&start).map_err(|problems| files::within(path, problems))?;
    let limit = MAX_TRACE_BYTES as u64 + 1 - START_BYTES;
    file.take(limit).read_to_end(&mut bytes).map_err(failed)?;
    files::text(path, bytes, MAX_TRACE_BYTES)
}

/// The results for people. `idle_ns` is the run time by the formula.
pub fn describe(scenario: &Scenario, report: &ApplicationReport, idle_ns: Option<f64>) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<22} {value}");
    };
    let Some(spec) = &scenario.application else { return text };
    let run_time = report.run_time_ns;
    let share = |ns: f64| 100.0 * ns / run_time.max(f64::MIN_POSITIVE);
    let ends = if report.finished { "run time" } else { "NOT FINISHED after" };
    let ranks = report.ranks.len();
    line("application", format!("{}, {ranks} ranks: {ends} {run_time:.0} ns", word(spec.kind)));
    if let Some(idle) = idle_ns {
        let mut told = format!("{idle:.0} ns by the formula");
        if report.finished {
            let more = 100.0 * (run_time / idle.max(f64::MIN_POSITIVE) - 1.0);
            let (more, word) = (more.abs(), if run_time < idle { "less" } else { "more" });
            let _ = write!(told, "; this run took {more:.2} % {word}");
        }
        line("idle network", told);
    }
    let total: f64 = report.ranks.iter().map(|rank| rank.waiting_ns).sum();
    line("ranks waited", format!("{:.1} % of the time on average", share(total) / ranks as f64));
    if let Some(most) = report.ranks.iter().max_by(|a, b| a.waiting_ns.total_cmp(&b.waiting_ns)) {
        let waited = share(most.waiting_ns);
        line("", format!("rank {} on host {} waited {waited:.1} %", most.rank, most.host));
    }
    line("critical path", path(report));
    if let Some((channel, times, messages)) = most_crossed(report) {
        let PathChannel { channel, from, to } = channel;
        line(
            "",
            format!("{times} of its {messages} messages cross channel {channel}, {from} -> {to}"),
        );
    }
    text
}

/// How the time of the critical path is spent.
fn path(report: &ApplicationReport) -> String {
    let (mut messages, mut computing, mut sending) = (0.0, 0.0, 0.0);
    for step in &report.critical_path {
        let time = step.until_ns - step.from_ns;
        match step.what {
            PathWhat::Message { .. } => messages += time,
            PathWhat::Compute { .. } => computing += time,
            PathWhat::Send { .. } => sending += time,
        }
    }
    format!(
        "{messages:.0} ns in messages, {sending:.0} ns leaving NICs, {computing:.0} ns computing"
    )
}

/// The channel between switches that most messages of the critical path cross, with their number
/// and that of all messages of the path; a channel of a host if there is no other.
fn most_crossed(report: &ApplicationReport) -> Option<(PathChannel, usize, usize)> {
    let mut crossed: BTreeMap<(bool, &PathChannel), usize> = BTreeMap::new();
    let mut messages = 0;
    for step in &report.critical_path {
        if let PathWhat::Message { channels, .. } = &step.what {
            messages += 1;
            let last = channels.len().saturating_sub(1);
            for (place, channel) in channels.iter().enumerate() {
                *crossed.entry((0 < place && place < last, channel)).or_default() += 1;
            }
        }
    }
    let (&(_, channel), &times) =
        crossed.iter().max_by_key(|((is_between, _), times)| (*is_between, **times))?;
    Some((channel.clone(), times, messages))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes without end, and how many of them were read.
    struct Endless(&'static [u8], usize);

    impl Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            for byte in &mut *into {
                *byte = self.0[self.1 % self.0.len()];
                self.1 += 1;
            }
            Ok(into.len())
        }
    }

    #[test]
    fn of_nonsense_only_the_start_is_read() {
        for nonsense in [&b"what is this\n"[..], b"\xff\xfe\x00", b"# a comment\n", b"x"] {
            let mut file = Endless(nonsense, 0);
            let problems = read(Path::new("app.goal"), &mut file).expect_err("it is no trace");
            assert!(problems.0[0].at.path().starts_with("app.goal"), "{problems}");
            assert!(file.1 as u64 <= START_BYTES, "{} bytes were read", file.1);
        }
    }
}
