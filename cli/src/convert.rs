//! `hopscope convert`: a network from one file format to another.

use crate::files;
use crate::messages;
use crate::outcome::{Outcome, Result, print_error};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::formats::{self, Format, Options};
use hopscope_core::scenario::limits::MAX_HOSTS_PER_SWITCH;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// File to read, or - for standard input
    input: PathBuf,
    /// File to write, or - for standard output
    output: PathBuf,
    /// Format of the input; told by its name or content if omitted
    #[arg(long)]
    from: Option<String>,
    /// Format of the output; told by its name if omitted
    #[arg(long)]
    to: Option<String>,
    /// Hosts put on every switch if the input has none
    #[arg(long, default_value_t = Options::default().hosts_per_switch, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_HOSTS_PER_SWITCH)))]
    hosts_per_switch: u32,
}

pub fn run(arguments: &Arguments) -> Result {
    let options = Options { hosts_per_switch: arguments.hosts_per_switch };
    let to = match &arguments.to {
        Some(id) => by_id("--to", id, Format::writes)?,
        None => by_name(&arguments.output)?,
    };
    let text = files::read(&arguments.input)?;
    let name = arguments.input.display().to_string();
    let read = match &arguments.from {
        Some(id) => {
            formats::import_as(by_id("--from", id, Format::reads)?, &name, &text, &options)?
        }
        None => formats::import(&name, &text, &options)?,
    };
    let (text, notes) = formats::export(to, &read.network)
        .map_err(|problems| files::within(&arguments.input, problems))?;
    files::write(&arguments.output, &text)?;
    for note in read.notes.iter().chain(&notes) {
        print_error(&format!("note: {note}"));
    }
    Ok(Outcome::Done)
}

/// The formats that can be read, or written.
fn ids(can: fn(Format) -> bool) -> Vec<&'static str> {
    Format::ALL.iter().filter(|format| can(**format)).map(|format| format.descriptor().id).collect()
}

fn by_id(option: &str, id: &str, can: fn(Format) -> bool) -> Result<Format> {
    Format::by_id(id).ok_or_else(|| {
        Problems::one(option, messages::no_such_format(id), messages::use_one_of(ids(can)))
    })
}

fn by_name(path: &Path) -> Result<Format> {
    let name = path.display().to_string();
    Format::by_name(&name).ok_or_else(|| {
        Problems::one(
            &name,
            messages::name_tells_no_format(),
            messages::say_to(ids(Format::writes)),
        )
    })
}
