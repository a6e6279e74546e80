//! Files that are about to be opened: scenarios, networks in other formats, and their problems.

use crate::edit;
use crate::text::problems;
use hopscope_core::application::traces;
use hopscope_core::experiment::Experiment;
use hopscope_core::message::Message;
use hopscope_core::problem::{Place, Problems};
use hopscope_core::scenario::formats::{self, Format, Imported, Options};
use hopscope_core::scenario::{NetworkSpec, Scenario};
use std::rc::Rc;

/// Problems of a file that was not opened.
#[derive(Debug, Clone, PartialEq)]
pub struct FileProblems {
    /// The file's name.
    pub name: String,
    /// At least one problem.
    pub problems: Problems,
}

/// A network read from a file in another format, not opened yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// The file's name.
    pub name: String,
    text: Rc<str>,
    /// Hosts to add to every switch if the file has none.
    pub hosts_per_switch: u32,
    /// The network, and notes on what the format does not say.
    pub read: Imported,
}

/// The formats of a picture of the stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// The network alone, scalable and editable.
    Svg,
    /// The stage as it is seen, worms included.
    Png,
}

/// The content of a file.
pub enum Content {
    /// A scenario.
    Scenario(Box<Scenario>),
    /// A network in another format.
    Network(Box<Import>),
    /// An experiment.
    Experiment(Box<Experiment>),
    /// The trace of an application, which has been read without problems.
    Trace,
}

impl Import {
    fn new(name: &str, text: Rc<str>, hosts_per_switch: u32) -> Result<Import, Problems> {
        let read = formats::import(name, &text, &Options { hosts_per_switch })?;
        Ok(Import { name: name.to_owned(), text, hosts_per_switch, read })
    }

    /// The same file with another number of hosts per switch.
    ///
    /// # Errors
    /// The number of hosts exceeds what a scenario may have.
    pub fn with_hosts(&self, hosts_per_switch: u32) -> Result<Import, Problems> {
        Import::new(&self.name, Rc::clone(&self.text), hosts_per_switch)
    }

    /// A scenario of the network with the default settings.
    pub fn scenario(&self) -> Scenario {
        let stem = self.name.rsplit_once('.').map_or(&*self.name, |(stem, _)| stem);
        Scenario {
            name: stem.to_owned(),
            network: NetworkSpec::Drawn(self.read.network.clone()),
            ..edit::blank()
        }
    }
}

/// Refuses a file of which only the start is known, if it is nothing that can be opened.
///
/// # Errors
/// Which formats there are.
pub fn check_start(name: &str, start: &str) -> Result<(), Problems> {
    if Format::of_file(name, start).is_some() || traces::check_start(start).is_ok() {
        return Ok(());
    }
    formats::import(name, start, &Options::default()).map(drop)
}

/// Reads a file: a scenario, an experiment, a trace, or a network in another format.
///
/// # Errors
/// The problems of the file, each with its place in it.
pub fn read(name: &str, content: &str) -> Result<Content, Problems> {
    let is_json =
        [Format::by_content(content), Format::by_name(name)].contains(&Some(Format::Json));
    if !is_json && traces::check_start(content).is_ok() {
        traces::read(content, None)?;
        return Ok(Content::Trace);
    }
    if !is_json {
        let import = Import::new(name, content.into(), Options::default().hosts_per_switch)?;
        return Ok(Content::Network(Box::new(import)));
    }
    let within =
        |problems: Problems| problems.map_places(|at| Place::File(name.into(), Box::new(at)));
    if is_experiment(content) {
        let experiment = Experiment::parse(content).map_err(within)?;
        return Ok(Content::Experiment(Box::new(experiment)));
    }
    let scenario = Scenario::read(content).map_err(within)?;
    Ok(Content::Scenario(Box::new(scenario)))
}

/// Reads a file as a scenario; a network in another format gets the default settings.
///
/// # Errors
/// The problems of the file, each with its place in it.
pub fn read_scenario(name: &str, content: &str) -> Result<Scenario, Problems> {
    match read(name, content)? {
        Content::Scenario(scenario) => Ok(*scenario),
        Content::Network(import) => Ok(import.scenario()),
        Content::Experiment(_) => {
            Err(Problems::one(name, problems::is_an_experiment(), Message::default()))
        }
        Content::Trace => Err(Problems::one(name, problems::is_a_trace(), Message::default())),
    }
}

/// Whether a JSON text is meant as an experiment.
fn is_experiment(content: &str) -> bool {
    let document: Option<serde_json::Value> = serde_json::from_str(content).ok();
    document.is_some_and(|document| document.get("hopscope_experiment").is_some())
}

/// A file name for a scenario of this name: lower-case words joined by hyphens.
pub fn file_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || c == '-' { c } else { ' ' };
    let words: String = name.chars().map(safe).collect();
    let name = words.split_whitespace().collect::<Vec<_>>().join("-").to_lowercase();
    if name.is_empty() { "network".into() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_of_a_file_names_the_file_and_the_line() {
        let Err(problems) = read("net.json", "{\n  \"hopscope\": 1,\n  \"network\": {]\n}") else {
            panic!("it is bad");
        };
        let place = Place::File("net.json".into(), Box::new(Place::Position(3, 15)));
        assert_eq!(problems.0[0].at, place);
        let content = read("x", r#"{"hopscope":1,"network":{"switches":[]}}"#);
        assert!(matches!(content, Ok(Content::Scenario(_))));
    }

    #[test]
    fn a_network_in_another_format_is_recognised_by_name_or_content() {
        for name in ["net.dot", "pasted text"] {
            let Ok(Content::Network(import)) = read(name, "graph { a -- b; b -- c }") else {
                panic!("{name} is DOT");
            };
            assert!(!import.read.own_hosts);
            let import = import.with_hosts(3).expect("as before");
            assert_eq!(import.read.network.hosts.len(), 9);
            assert!(import.scenario().validate().0.is_empty());
        }
        let Err(problems) = read("net.graphml", "<graphml>\n<graph>\n<node/>") else {
            panic!("it is cut off")
        };
        assert!(problems.0[0].at.path().starts_with("net.graphml"), "{problems}");
        assert!(read("x", "what is this").is_err());
    }

    #[test]
    fn a_trace_is_recognised_by_its_content_and_refused_by_line() {
        let goal = "num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\n}\n";
        for name in ["app.goal", "app.txt", "pasted text"] {
            assert!(matches!(read(name, goal), Ok(Content::Trace)), "{name}");
        }
        assert!(read_scenario("app.goal", goal).is_err());
        let Err(problems) = read("app.goal", &goal.replace("to 1", "to 7")) else {
            panic!("there is no rank 7")
        };
        assert_eq!(problems.0[0].at, Place::Line(3));
    }

    #[test]
    fn nonsense_is_refused_by_its_start() {
        for (name, start) in [
            ("app.goal", "num_ranks 2\nrank 0 {\nsend 1b t"),
            ("app.vef", "VEF 2 2 1 0 0 0\nC0 0 1\n0 0 1 10"),
            ("net.json", "{ \"hopscope\": 1, \"netwo"),
            ("pasted text", "graph { a -- b; b -- "),
            ("net.any", "router 0 node 0 rou"),
        ] {
            assert_eq!(check_start(name, start), Ok(()), "{name}");
        }
        for nonsense in ["what is this", "", "\u{fffd}\u{fffd}"] {
            let problems = check_start("big.bin", nonsense).expect_err(nonsense);
            assert!(problems.0[0].at.path().starts_with("big.bin"), "{problems}");
        }
    }

    #[test]
    fn file_names_have_only_letters_digits_and_hyphens() {
        assert_eq!(file_name("My: net/work 8×8"), "my-net-work-8-8");
        assert_eq!(file_name("  "), "network");
    }
}
