//! Reading and writing files, with `-` for standard input and output.

use crate::messages;
use crate::outcome::{Result, print_contents, print_error};
use hopscope_core::fabric::Fabric;
use hopscope_core::message::Message;
use hopscope_core::network::Network;
use hopscope_core::problem::{Place, Problem, Problems};
use hopscope_core::routing::Axes;
use hopscope_core::scenario::limits::MAX_FILE_BYTES;
use hopscope_core::scenario::{Scenario, parse_json};
use hopscope_core::simulation::Simulation;
use hopscope_core::traffic;
use serde_json::Value;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;

/// The text of a file.
pub fn read(path: &Path) -> Result<String> {
    let failed = |error| not_read(path, &error);
    let mut bytes = Vec::new();
    let limit = MAX_FILE_BYTES as u64 + 1;
    if path == Path::new("-") {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        File::open(path)
            .and_then(|file| file.take(limit).read_to_end(&mut bytes))
            .map_err(failed)?;
    }
    text(path, bytes, MAX_FILE_BYTES)
}

/// The contents of a file as text, of at most `most` bytes.
pub fn text(path: &Path, bytes: Vec<u8>, most: usize) -> Result<String> {
    if bytes.len() > most {
        return Err(Problems::one(
            path.display().to_string(),
            messages::file_too_long(),
            messages::use_at_most_bytes(most),
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        Problems::one(
            path.display().to_string(),
            messages::file_not_utf_8(error.to_string()),
            messages::convert_to_utf_8(),
        )
    })
}

/// Writes a file, or to standard output.
pub fn write(path: &Path, text: &str) -> Result<()> {
    if path == Path::new("-") {
        print_contents(text);
        return Ok(());
    }
    std::fs::write(path, text).map_err(|error| not_written(path, &error))
}

/// Writes a text into a file as a whole: it is there complete, or as it was before.
pub fn write_whole(path: &Path, text: &str) -> Result<()> {
    write_whole_with(path, |file| Ok(file.write_all(text.as_bytes())?))
}

/// Why a file was not written: what should be written could not be read, or writing failed.
pub enum Failure {
    /// What is wrong with what should be written.
    Problems(Problems),
    /// Why writing failed.
    Writing(std::io::Error),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Writing(error)
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Self::Problems(problems)
    }
}

/// Writes a file as a whole, without having it in memory: it is there complete, or as it was
/// before.
pub fn write_whole_with(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> std::result::Result<(), Failure>,
) -> Result<()> {
    let part = path.with_extension(format!("part-{}", std::process::id()));
    let written = (|| {
        let mut file = BufWriter::new(File::create(&part)?);
        write(&mut file)?;
        file.flush()?;
        Ok(std::fs::rename(&part, path)?)
    })();
    written.map_err(|failure| {
        // If it cannot be removed either, it was never made.
        let _ = std::fs::remove_file(&part);
        match failure {
            Failure::Problems(problems) => problems,
            Failure::Writing(error) => not_written(path, &error),
        }
    })
}

/// The problem of a file that cannot be read.
pub fn not_read(path: &Path, error: &std::io::Error) -> Problems {
    let why = messages::file_cannot_be_read(error.to_string());
    Problems::one(path.display().to_string(), why, Message::default())
}

/// The problem of a file that cannot be written.
pub fn not_written(path: &Path, error: &std::io::Error) -> Problems {
    let why = messages::file_cannot_be_written(error.to_string());
    Problems::one(path.display().to_string(), why, Message::default())
}

/// A scenario file with changes applied, validated. Problems name the file. Warnings of a scenario
/// that can run go to standard error.
pub fn scenario(path: &Path, set: &[String]) -> Result<Scenario> {
    let scenario = Scenario::parse_with(&read(path)?, set)
        .map_err(|problems| within_changed(path, set, problems))?;
    if let Ok(network) = Simulation::check_scenario(&scenario) {
        tell_warnings(path, set, &scenario, &network);
    }
    Ok(scenario)
}

/// As [`scenario`], for a command that runs it: with its network, after all checks that need no
/// routes.
pub fn runnable(path: &Path, set: &[String]) -> Result<(Scenario, Network)> {
    let (scenario, network) = Scenario::read_with(&read(path)?, set)
        .and_then(|scenario| {
            let network = Simulation::check_scenario(&scenario)?;
            Ok((scenario, network))
        })
        .map_err(|problems| within_changed(path, set, problems))?;
    tell_warnings(path, set, &scenario, &network);
    Ok((scenario, network))
}

fn tell_warnings(path: &Path, set: &[String], scenario: &Scenario, network: &Network) {
    let [of_parameters, of_loads] = warnings(scenario, network);
    warn(within_changed(path, set, of_parameters));
    warn(within_changed(path, set, of_loads));
}

/// The warnings of a scenario that can run: those of its fabric, its routing and its lists of
/// senders, and of flows that offer more than channels carry.
fn warnings(scenario: &Scenario, network: &Network) -> [Problems; 2] {
    let mut of_parameters = Fabric::warnings(scenario);
    let axes = Axes::asked(&scenario.routing);
    of_parameters.0.extend(axes.warnings(&scenario.routing).0);
    of_parameters.0.extend(traffic::silent_senders(scenario, network).0);
    [of_parameters, traffic::overload(scenario, network)]
}

fn warn(warnings: Problems) {
    for warning in warnings.0 {
        print_error(&format!("warning: {}", Problems(vec![warning])));
    }
}

/// The warnings of the scenarios that a file describes.
///
/// Scenarios whose flows offer more than channels carry are told together: experiments and studies
/// have several of them on purpose, each with a load of its own. The first is told in full.
#[derive(Default)]
pub struct Warnings {
    /// Place in the scenario, reason and fix of those told.
    told: Vec<Problem>,
    /// Scenarios with overload.
    overloaded: usize,
}

impl Warnings {
    /// Prints those of a scenario that no earlier one had. `place` names the scenario in the file
    /// `path`. A scenario that cannot run has none: the caller tells what is wrong.
    pub fn tell(&mut self, path: &Path, place: &str, scenario: &Scenario) {
        let Ok(network) = Simulation::check_scenario(scenario) else { return };
        let [of_parameters, of_loads] = warnings(scenario, &network);
        for warning in of_parameters.0 {
            if !self.told.contains(&warning) {
                self.told.push(warning.clone());
                warn_at(path, place, warning);
            }
        }
        if let Some(warning) = of_loads.0.into_iter().next() {
            self.overloaded += 1;
            if self.overloaded == 1 {
                warn_at(path, place, warning);
            }
        }
    }

    /// Prints how many scenarios have overload besides the one told. To be called after the last
    /// scenario.
    pub fn finish(self, path: &Path) {
        if self.overloaded > 1 {
            let why = messages::more_with_overload(self.overloaded - 1);
            warn(within(path, Problems::one("file", why, Message::default())));
        }
    }
}

/// Prints a warning of the scenario `place` in the file `path`.
fn warn_at(path: &Path, place: &str, warning: Problem) {
    let at = format!("{place}: {}", warning.at).into();
    warn(within(path, Problems(vec![Problem { at, ..warning }])));
}

/// The base of an experiment or a study in the file `path`, which is a document or the name of a
/// scenario file beside it.
pub fn base(path: &Path, base: Value) -> Result<Value> {
    let Value::String(name) = &base else { return Ok(base) };
    let file = path.parent().unwrap_or(Path::new(".")).join(name);
    json(&file, &messages::base_is_a_scenario())
}

/// The JSON document in a file, in which no object has a key twice. `fix` says what the file should
/// be.
pub fn json(path: &Path, fix: &Message) -> Result<Value> {
    parse_json(&read(path)?).map_err(|problems| within(path, problems.or_fix(fix)))
}

/// As [`within`], for a file changed by `--set`. A problem of a field that an option has set names
/// the option.
pub fn within_changed(path: &Path, set: &[String], problems: Problems) -> Problems {
    let is_set = |at: &str| {
        set.iter().any(|assignment| {
            let field = assignment.split_once('=').map_or(&**assignment, |(field, _)| field);
            at.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    problems.map_places(|at| {
        if is_set(&at.to_string()) { format!("--set {at}").into() } else { in_file(path, &at) }
    })
}

/// Puts the name of a file in front of the places of problems.
pub fn within(path: &Path, problems: Problems) -> Problems {
    problems.map_places(|at| in_file(path, &at))
}

/// A place in a file; `file` is all of it.
fn in_file(path: &Path, at: &Place) -> Place {
    let file = path.display();
    if at.path() == "file" { file.to_string().into() } else { format!("{file}: {at}").into() }
}
