//! Traces of programs: text in, a program out.
//!
//! Readers refuse by line. They stop after [`MAX_TRACE_PROBLEMS`] problems, and [`check_start`]
//! tells from its first bytes that a text is no trace, so that a caller need not read all of it.

mod goal;
#[cfg(test)]
mod tests;
mod text;
mod vef;

use crate::collectives::check_size;
use crate::messages;
use crate::program::Program;
use hopscope_scenario::catalogue::{Kind, Names, Parameter};
use hopscope_scenario::problem::{Place, Problems};
use hopscope_scenario::scenario::TraceFormat;
use hopscope_scenario::scenario::limits::MAX_TRACE_BYTES;

/// Problems after which a reader stops.
pub const MAX_TRACE_PROBLEMS: usize = 20;

/// What a trace takes.
pub const PARAMETERS: &[Parameter] = &[Parameter::new(
    "format",
    "format of the file; recognised by its first line if omitted",
    "",
    Kind::Choice { default: "", choices: TraceFormat::WORDS, names: Names::Own(&["GOAL", "VEF"]) },
)];

/// The format of a trace, from its beginning: the text may be cut off anywhere.
///
/// # Errors
///
/// It is neither of the formats.
pub fn check_start(text: &str) -> Result<TraceFormat, Problems> {
    let (line, first) = text::first_word(text);
    match first {
        "num_ranks" | "rank" => Ok(TraceFormat::Goal),
        "VEF" => Ok(TraceFormat::Vef),
        "" => Err(Problems::one("file", messages::trace_empty(), messages::trace_formats())),
        other => Err(Problems::one(
            Place::Line(line),
            messages::trace_unknown(text::shortened(other)),
            messages::trace_formats(),
        )),
    }
}

/// Reads a trace; `None` for a format that is recognised by its first line.
///
/// # Errors
///
/// All problems of the text, by line.
pub fn read(text: &str, format: Option<TraceFormat>) -> Result<Program, Problems> {
    if text.len() > MAX_TRACE_BYTES {
        let why = messages::trace_too_long(text.len());
        return Err(Problems::one("file", why, messages::trace_limit(MAX_TRACE_BYTES)));
    }
    let found = check_start(text)?;
    let program = match format.unwrap_or(found) {
        TraceFormat::Goal => goal::read(text),
        TraceFormat::Vef => vef::read(text),
    }?;
    check_size(&program)?;
    program.check().or(program)
}
