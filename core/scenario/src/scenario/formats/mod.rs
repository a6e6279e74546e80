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
mod ibnetdiscover;
mod json;
pub(crate) mod messages;
mod names;
mod parts;
#[cfg(test)]
mod tests;

use super::DrawnNetwork;
use super::limits::{MAX_HOSTS, MAX_HOSTS_PER_SWITCH, MAX_LINKS, MAX_PROBLEMS, MAX_SWITCHES};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::message::Message;
use crate::problem::{Problem, Problems};
use std::borrow::Cow;

/// Longest file, in bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// Deepest nesting of elements or subgraphs.
pub const MAX_DEPTH: usize = 64;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The scenario file.
    Json,
    /// Network files of BookSim's `anynet`.
    Anynet,
    /// The DOT language of Graphviz.
    Dot,
    /// GraphML.
    Graphml,
    /// Topology files of `ibnetdiscover`.
    Ibnetdiscover,
    /// A table of cables.
    Csv,
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
const HOSTS: Parameter = Parameter {
    id: "hosts_per_switch",
    summary: "hosts put on every switch if the file has none",
    unit: "hosts",
    kind: Kind::Integer { default: 1, min: 0, max: MAX_HOSTS_PER_SWITCH as u64 },
};

const fn format(
    id: &'static str,
    name: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
    citation: &'static str,
) -> Descriptor {
    Descriptor { id, name, summary, parameters, citation, status: Status::CrossChecked }
}

/// Descriptors of all formats.
pub fn all() -> &'static [Descriptor] {
    const ALL: &[Descriptor] = &[
        json::FORMAT,
        anynet::FORMAT,
        dot::FORMAT,
        graphml::FORMAT,
        ibnetdiscover::FORMAT,
        csv::FORMAT,
    ];
    ALL
}

impl Format {
    /// All formats, in the order of [`all`].
    pub const ALL: [Self; 6] =
        [Self::Json, Self::Anynet, Self::Dot, Self::Graphml, Self::Ibnetdiscover, Self::Csv];

    /// The format's descriptor.
    pub fn descriptor(self) -> &'static Descriptor {
        match self {
            Self::Json => &json::FORMAT,
            Self::Anynet => &anynet::FORMAT,
            Self::Dot => &dot::FORMAT,
            Self::Graphml => &graphml::FORMAT,
            Self::Ibnetdiscover => &ibnetdiscover::FORMAT,
            Self::Csv => &csv::FORMAT,
        }
    }

    /// File name extensions without the dot, the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Json => &["json"],
            Self::Anynet => &["any", "anynet"],
            Self::Dot => &["dot", "gv"],
            Self::Graphml => &["graphml", "xml"],
            Self::Ibnetdiscover => &["topo", "ibnetdiscover", "ibnd", "lst"],
            Self::Csv => &["csv"],
        }
    }

    /// True if networks can be read in this format; all formats can be written.
    pub fn reads(self) -> bool {
        self != Self::Csv
    }

    /// The format with a descriptor's `id`.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.descriptor().id == id)
    }

    /// The format that the extension of a file name stands for.
    pub fn by_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        let extension = extension.to_lowercase();
        Self::ALL.into_iter().find(|format| format.extensions().contains(&extension.as_str()))
    }

    /// The format that a text seems to be in, judged by its first character or by the first words
    /// of its lines.
    pub fn by_content(text: &str) -> Option<Self> {
        let text = normalized(text);
        let text = text.trim_start();
        match text.chars().next()? {
            '{' => return Some(Self::Json),
            '<' => return Some(Self::Graphml),
            _ => {}
        }
        let lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty()).take(200);
        let first_word = |line: &str| {
            line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase()
        };
        lines.map(first_word).find_map(|word| match word.as_str() {
            "strict" | "graph" | "digraph" => Some(Self::Dot),
            "router" | "node" => Some(Self::Anynet),
            "switch" | "ca" | "hca" | "rt" | "vendid" | "switchguid" | "caguid" => {
                Some(Self::Ibnetdiscover)
            }
            _ => None,
        })
    }
}

/// Reads a network from the text of a file. The extension of `name` chooses the format; if it is
/// unknown, the content does.
///
/// # Errors
/// What is wrong with the file, with `name` and the line.
pub fn import(name: &str, text: &str, options: &Options) -> Result<Imported, Problems> {
    match Format::by_name(name).or_else(|| Format::by_content(text)) {
        Some(format) => import_as(format, name, text, options),
        None => {
            let formats = Format::ALL.into_iter().filter(|format| format.reads());
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
    let Contents { network, mut notes, own_hosts } = match format {
        Format::Json => json::read(source)?,
        Format::Anynet => anynet::read(source)?.into_network(source, options)?,
        Format::Dot => dot::read(source)?.into_network(source, options)?,
        Format::Graphml => graphml::read(source)?.into_network(source, options)?,
        Format::Ibnetdiscover => ibnetdiscover::read(source)?.into_network(source, options)?,
        Format::Csv => {
            return Err(Problems::one(
                name,
                messages::file_table_is_written_only(),
                messages::file_use_source_of_table(),
            ));
        }
    };
    if let Err(Problems(problems)) = network.build() {
        // The user can connect switches and add hosts in the editor, so a lack of either is a note.
        let incomplete = |p: &Problem| matches!(p.at.as_str(), "network.links" | "network.hosts");
        let (incomplete, broken): (Vec<_>, Vec<_>) = problems.into_iter().partition(incomplete);
        if !broken.is_empty() || exceeds_limits(&network) {
            let problems = broken.into_iter().chain(incomplete).take(MAX_PROBLEMS);
            let name_file = |p: Problem| Problem { at: format!("{name}: {}", p.at), ..p };
            return Err(Problems(problems.map(name_file).collect()));
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
/// Why the network cannot be run. Scenario files can hold any network.
pub fn export(format: Format, network: &DrawnNetwork) -> Result<(String, Vec<Message>), Problems> {
    if format == Format::Json {
        return Ok(json::write(network));
    }
    let built = network.build()?;
    Ok(match format {
        Format::Json => unreachable!("written above"),
        Format::Anynet => anynet::write(&built),
        Format::Dot => dot::write(&built),
        Format::Graphml => graphml::write(&built),
        Format::Ibnetdiscover => ibnetdiscover::write(&built),
        Format::Csv => csv::write(&built),
    })
}
