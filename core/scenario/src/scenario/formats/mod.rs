//! File formats of networks: one file each, with its reading and its writing side by side.
//!
//! A file is read as a whole or not at all; a problem names file and line. What a format cannot say, or the
//! simulator does not model, is told in notes.

mod anynet;
mod attributed;
mod csv;
mod dot;
mod dot_text;
mod graphml;
mod ibnetdiscover;
mod json;
mod parts;
#[cfg(test)]
mod tests;

use super::DrawnNetwork;
use super::limits::MAX_PROBLEMS;
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::problem::Problems;

/// Longest file, bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// Deepest nesting in a file.
pub const MAX_DEPTH: usize = 64;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The scenario file.
    Json,
    /// BookSim's `anynet`.
    Anynet,
    /// Graphviz.
    Dot,
    /// GraphML.
    Graphml,
    /// What `ibnetdiscover` prints.
    Ibnetdiscover,
    /// Table of cables.
    Csv,
}

/// What an importer must be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Hosts put on every switch of a network that comes without any.
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
    /// The network. Its parts fit together; whether it can be run (connected, two hosts) is in the notes if not.
    pub network: DrawnNetwork,
    /// What was left out, made up or is worth knowing.
    pub notes: Vec<String>,
    /// The format it was in.
    pub format: Format,
    /// The file has hosts of its own; if not, [`Options::hosts_per_switch`] tells how many there are.
    pub own_hosts: bool,
}

/// What a format's reader finds.
struct Read {
    network: DrawnNetwork,
    notes: Vec<String>,
    own_hosts: bool,
}

/// A text to read, and what to call it.
#[derive(Clone, Copy)]
struct Source<'a> {
    name: &'a str,
    text: &'a str,
}

impl Source<'_> {
    /// The place of a line, counted from 1.
    fn line(&self, line: usize) -> String {
        format!("{}:{line}", self.name)
    }
}

const HOSTS: Parameter = Parameter {
    id: "hosts_per_switch",
    summary: "hosts put on every switch if the file has none",
    unit: "hosts",
    kind: Kind::Integer { default: 1, min: 0, max: 127 },
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

    /// Its descriptor.
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

    /// File name extensions, the usual one first.
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

    /// Whether networks can be read from it; all can be written.
    pub fn reads(self) -> bool {
        self != Self::Csv
    }

    /// The format called so.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.descriptor().id == id)
    }

    /// The format a file of this name is usually in.
    pub fn by_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        let extension = extension.to_lowercase();
        Self::ALL.into_iter().find(|f| f.extensions().contains(&extension.as_str()))
    }

    /// The format a text seems to be in.
    pub fn by_content(text: &str) -> Option<Self> {
        let lines = || text.lines().map(str::trim_start).filter(|l| !l.is_empty()).take(200);
        let word = |line: &str| {
            line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase()
        };
        match text.trim_start_matches('\u{feff}').trim_start().chars().next()? {
            '{' => return Some(Self::Json),
            '<' => return Some(Self::Graphml),
            _ => {}
        }
        lines().find_map(|line| match word(line).as_str() {
            "strict" | "graph" | "digraph" => Some(Self::Dot),
            "router" | "node" => Some(Self::Anynet),
            "switch" | "ca" | "hca" | "rt" | "vendid" | "switchguid" | "caguid" => {
                Some(Self::Ibnetdiscover)
            }
            _ => None,
        })
    }
}

/// Reads a network; the format is told by the name, or else by the content.
pub fn import(name: &str, text: &str, options: &Options) -> Result<Imported, Problems> {
    match Format::by_name(name).or_else(|| Format::by_content(text)) {
        Some(format) => import_as(format, name, text, options),
        None => {
            let formats: Vec<&str> =
                Format::ALL.iter().filter(|f| f.reads()).map(|f| f.descriptor().id).collect();
            Err(Problems::one(
                name,
                "this is none of the formats that can be read",
                format!("use one of {}", formats.join(", ")),
            ))
        }
    }
}

/// Reads a network in a given format.
pub fn import_as(
    format: Format,
    name: &str,
    text: &str,
    options: &Options,
) -> Result<Imported, Problems> {
    if text.len() > MAX_BYTES {
        return Err(Problems::one(
            name,
            format!("the file has {} bytes", text.len()),
            format!("use at most {MAX_BYTES}"),
        ));
    }
    let source = Source { name, text: text.trim_start_matches('\u{feff}') };
    let Read { network, mut notes, own_hosts } = match format {
        Format::Json => json::read(source)?,
        Format::Anynet => anynet::read(source)?.finish(source, options)?,
        Format::Dot => dot::read(source)?.finish(source, options)?,
        Format::Graphml => graphml::read(source)?.finish(source, options)?,
        Format::Ibnetdiscover => ibnetdiscover::read(source)?.finish(source, options)?,
        Format::Csv => {
            return Err(Problems::one(
                name,
                "tables of cables are written, not read",
                "use the file the table was made from",
            ));
        }
    };
    if let Err(mut problems) = network.build() {
        // What an editor can mend is told; what does not fit together is refused.
        let (mendable, broken): (Vec<_>, Vec<_>) = problems
            .0
            .drain(..)
            .partition(|p| matches!(p.at.as_str(), "network.links" | "network.hosts"));
        let too_many = mendable.iter().any(|p| p.fix.to_string().starts_with("use at most"));
        if !broken.is_empty() || too_many {
            problems.0 = broken.into_iter().chain(mendable).take(MAX_PROBLEMS).collect();
            for problem in &mut problems.0 {
                problem.at = format!("{name}: {}", problem.at);
            }
            return Err(problems);
        }
        notes.extend(
            mendable.into_iter().map(|p| format!("cannot be run as it is: {}; {}", p.why, p.fix)),
        );
    }
    Ok(Imported { network, notes, format, own_hosts })
}

/// Writes a network, with notes on what the format cannot say. But for our own format, the network must be one that
/// can be run.
pub fn export(format: Format, network: &DrawnNetwork) -> Result<(String, Vec<String>), Problems> {
    if format == Format::Json {
        return Ok(json::write(network));
    }
    let built = network.build()?;
    Ok(match format {
        Format::Json => unreachable!("done above"),
        Format::Anynet => anynet::write(&built),
        Format::Dot => dot::write(&built),
        Format::Graphml => graphml::write(&built),
        Format::Ibnetdiscover => ibnetdiscover::write(&built),
        Format::Csv => csv::write(&built),
    })
}
