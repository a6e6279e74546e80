//! `hopscope merge`: the parts of a sweep joined.

use crate::outcome::{Outcome, Result, print_error};
use crate::sweep::output::{FigureOptions, Store};
use crate::sweep::partial::Folder;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// Files `results*.jsonl` of the parts of one sweep, or folders with them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Folder for results.csv, results.json and so on, which are those of a sweep that ran as a
    /// whole
    #[arg(long, value_name = "DIR", required_unless_present = "figure")]
    out: Option<PathBuf>,
    #[command(flatten)]
    figures: FigureOptions,
}

pub fn run(arguments: &Arguments) -> Result {
    arguments.figures.check()?;
    let mut files = Vec::new();
    for path in &arguments.files {
        if path.is_dir() {
            files.extend(Folder::open(Some(path))?.files()?);
        } else {
            files.push(path.clone());
        }
    }
    let store = Store::read(&files)?;
    store.check_complete()?;
    if let Some(out) = &arguments.out {
        Folder::open(Some(out))?;
    }
    store.write(arguments.out.as_deref(), &arguments.figures)?;
    print_error(&format!("{} points of {} files", store.len(), files.len()));
    Ok(Outcome::Done)
}
