//! File formats of networks: one file per format, with its reader and its writer side by side.
//!
//! A reader turns the text of a file into a [`DrawnNetwork`]. It reads the whole file or returns
//! [`Problems`] that name the file and the line; it never returns a part of the network. Notes tell
//! what was left out because the format cannot express it or the simulator does not model it.
//!
//! [`import`] chooses the format by the file's name or content, [`import_as`] takes it as given,
//! and [`export`] writes. `parts.rs` adds what a format lacks: hosts and ports. `names.rs` makes
//! names unique and expressible.
//! `attributed.rs` gives the attributes of DOT and GraphML their meaning.

mod anynet;
mod attributed;
mod csv;
mod dot;
mod dot_text;
mod graphml;
mod hpcc;
mod htsim;
mod ibnetdiscover;
mod json;
pub(crate) mod messages;
mod names;
mod parts;
#[cfg(test)]
mod tests;

use super::DrawnNetwork;
use super::limits::{MAX_HOSTS, MAX_HOSTS_PER_SWITCH, MAX_LINKS, MAX_PROBLEMS, MAX_SWITCHES};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::family::words;
use crate::message::Message;
use crate::network::Network;
use crate::problem::{Problem, Problems};
use parts::Parts;
use std::borrow::Cow;

/// Longest file, in bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// Deepest nesting of elements or subgraphs.
pub const MAX_DEPTH: usize = 64;

words! {
    /// A file format.
    #[serde(rename_all = "kebab-case")]
    pub enum Format: Member {
        /// The scenario file.
        json::Json,
        /// Network files of BookSim's `anynet`.
        anynet::Anynet,
        /// The DOT language of Graphviz.
        dot::Dot,
        /// GraphML.
        graphml::Graphml,
        /// Topology files of `ibnetdiscover`.
        ibnetdiscover::Ibnetdiscover,
        /// Fat trees of htsim.
        htsim::Htsim,
        /// Topology files of HPCC and SimAI.
        hpcc::Hpcc,
        /// A table of cables.
        csv::Csv,
    }
}

/// What a format is.
struct Member {
    descriptor: Descriptor,
    /// File name extensions without the dot, the usual one first.
    extensions: &'static [&'static str],
    begins: Begins,
    read: Reads,
    write: Writes,
}

/// What a text in the format begins with.
enum Begins {
    /// A character.
    With(char),
    /// One of these words, at the beginning of a line.
    WithWord(&'static [&'static str]),
    /// A line of at least so many words, the first ones whole numbers.
    WithNumbers(usize),
    /// Nothing that tells the format.
    Unknown,
}

/// The reader of a format.
enum Reads {
    /// Gives the network.
    Network(fn(Source<'_>) -> Result<Contents, Problems>),
    /// Gives switches and links; hosts and ports are added.
    Parts(fn(Source<'_>) -> Result<Parts, Problems>),
    /// There is none.
    No,
}

/// The writer of a format. It returns the text and notes on what the format cannot express.
enum Writes {
    /// Writes any network.
    Drawn(fn(&DrawnNetwork) -> (String, Vec<Message>)),
    /// Writes a network that can be run.
    Built(fn(&Network) -> (String, Vec<Message>)),
    /// There is none.
    No,
}

/// What the user chooses for an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Hosts on every switch, if the file has no hosts.
    pub hosts_per_switch: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { hosts_per_switch: 1 }
    }
}

/// A network that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The network. Its parts fit together; the notes tell if it cannot be run yet because it is
    /// not connected or has fewer than two hosts.
    pub network: DrawnNetwork,
    /// What was left out, added or changed.
    pub notes: Vec<Message>,
    /// The format of the file.
    pub format: Format,
    /// True if the file has hosts, false if [`Options::hosts_per_switch`] gave every switch its
    /// hosts.
    pub own_hosts: bool,
}

/// What the reader of a format returns.
struct Contents {
    network: DrawnNetwork,
    notes: Vec<Message>,
    own_hosts: bool,
}

/// A file that is being read.
#[derive(Clone, Copy)]
struct Source<'a> {
    name: &'a str,
    text: &'a str,
}

impl Source<'_> {
    /// `file:line`, the location of a problem; lines are counted from 1.
    fn line(&self, line: usize) -> String {
        format!("{}:{line}", self.name)
    }
}

/// The parameter of formats whose files may have no hosts.
const HOSTS: Parameter = Parameter::integer(
    "hosts_per_switch",
    "hosts put on every switch if the file has none",
    "hosts",
    (1, 0, MAX_HOSTS_PER_SWITCH as u64),
);

const fn format(
    id: &'static str,
    name: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
    citation: &'static str,
) -> Descriptor {
    Descriptor { id, name, summary, parameters, citation, status: Status::CrossChecked }
}

impl Format {
    /// File name extensions without the dot, the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        self.member().extensions
    }

    /// True if networks can be read in this format.
    pub fn reads(self) -> bool {
        !matches!(self.member().read, Reads::No)
    }

    /// True if networks can be written in this format.
    pub fn writes(self) -> bool {
        !matches!(self.member().write, Writes::No)
    }

    /// The format with a descriptor's `id`.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.descriptor().id == id)
    }

    /// True if the extension of a file name stands for this format.
    fn has_name(self, name: &str) -> bool {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
        extension.is_some_and(|extension| self.extensions().contains(&extension.as_str()))
    }

    /// The first format that the extension of a file name stands for.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.has_name(name))
    }

    /// The format of a file: the one that the extension of its name stands for. If that is none or
    /// several formats, the content decides.
    pub fn of_file(name: &str, text: &str) -> Option<Self> {
        let named = Self::by_name(name);
        let by_content = Self::by_content(text);
        match named {
            Some(_) => by_content.filter(|format| format.has_name(name)).or(named),
            None => by_content,
        }
    }

    /// The format that a text seems to be in, judged by its first character, its first line or the
    /// first words of its lines.
    pub fn by_content(text: &str) -> Option<Self> {
        let text = normalized(text);
        let text = text.trim_start();
        let first = text.chars().next()?;
        let of_character =
            |format: &Self| matches!(format.member().begins, Begins::With(c) if c == first);
        let of_word = |word: String| {
            let begins_with = |format: &Self| {
                let begins = &format.member().begins;
                matches!(begins, Begins::WithWord(words) if words.contains(&word.as_str()))
            };
            Self::ALL.iter().copied().find(begins_with)
        };
        let lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty()).take(200);
        let first_word = |line: &str| {
            line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase()
        };
        let first_words = text.lines().next().unwrap_or_default().split_whitespace();
        let numbers = first_words.take_while(|word| word.parse::<u64>().is_ok()).count();
        let of_numbers = |format: &Self| matches!(format.member().begins, Begins::WithNumbers(count) if count <= numbers);
        let begins_so = |format: &Self| of_character(format) || of_numbers(format);
        let found = Self::ALL.iter().copied().find(begins_so);
        found.or_else(|| lines.map(first_word).find_map(of_word))
    }
}

/// Reads a network from the text of a file, whose format is [that of the file](Format::of_file).
///
/// # Errors
/// What is wrong with the file, with `name` and the line.
pub fn import(name: &str, text: &str, options: &Options) -> Result<Imported, Problems> {
    match Format::of_file(name, text) {
        Some(format) => import_as(format, name, text, options),
        None => {
            let formats = Format::ALL.iter().filter(|format| format.reads());
            let ids: Vec<&str> = formats.map(|format| format.descriptor().id).collect();
            Err(Problems::one(
                name,
                messages::file_format_unknown(),
                messages::file_format_choices(ids),
            ))
        }
    }
}

/// Reads a network from the text of a file in a given format; `name` is for problems only.
///
/// # Errors
/// What is wrong with the file, with `name` and the line.
pub fn import_as(
    format: Format,
    name: &str,
    text: &str,
    options: &Options,
) -> Result<Imported, Problems> {
    if text.len() > MAX_BYTES {
        return Err(Problems::one(
            name,
            messages::file_has_bytes(text.len()),
            messages::file_bytes_limit(MAX_BYTES),
        ));
    }
    let source = Source { name, text: &normalized(text) };
    let Contents { network, mut notes, own_hosts } = match format.member().read {
        Reads::Network(read) => read(source)?,
        Reads::Parts(read) => read(source)?.into_network(source, options)?,
        Reads::No => {
            return Err(Problems::one(
                name,
                messages::file_table_is_written_only(),
                messages::file_use_source_of_table(),
            ));
        }
    };
    if let Err(Problems(problems)) = network.build() {
        // The user can connect switches and add hosts in the editor, so a lack of either is a note.
        let incomplete = |p: &Problem| matches!(p.at.path(), "network.links" | "network.hosts");
        let (incomplete, broken): (Vec<_>, Vec<_>) = problems.into_iter().partition(incomplete);
        if !broken.is_empty() || exceeds_limits(&network) {
            let problems = broken.into_iter().chain(incomplete).take(MAX_PROBLEMS);
            let problems = Problems(problems.collect());
            return Err(problems.map_places(|at| format!("{name}: {at}").into()));
        }
        notes.extend(incomplete.into_iter().map(|p| messages::note_cannot_be_run(p.why, p.fix)));
    }
    Ok(Imported { network, notes, format, own_hosts })
}

/// A text without byte order mark, whose lines end with a line feed as on Unix.
fn normalized(text: &str) -> Cow<'_, str> {
    let text = text.trim_start_matches('\u{feff}');
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n").into()
    } else {
        text.into()
    }
}

/// True if a network has more parts than can be simulated.
fn exceeds_limits(network: &DrawnNetwork) -> bool {
    let cables: usize = network.links.iter().map(|link| usize::from(link.width)).sum();
    network.switches.len() > MAX_SWITCHES || network.hosts.len() > MAX_HOSTS || cables > MAX_LINKS
}

/// Writes a network; returns the text and notes on what the format cannot express.
///
/// # Errors
/// Why the network cannot be run (scenario files can hold any network), or that networks are not
/// written in this format.
pub fn export(format: Format, network: &DrawnNetwork) -> Result<(String, Vec<Message>), Problems> {
    Ok(match format.member().write {
        Writes::Drawn(write) => write(network),
        Writes::Built(write) => write(&network.build()?),
        Writes::No => {
            let writes = Format::ALL.iter().filter(|format| format.writes());
            let ids: Vec<&str> = writes.map(|format| format.descriptor().id).collect();
            return Err(Problems::one(
                format.descriptor().id,
                messages::file_is_read_only(),
                messages::file_format_choices(ids),
            ));
        }
    })
}
