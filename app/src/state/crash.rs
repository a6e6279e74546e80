//! The death of a worker: where the run goes on, and the report for the authors of the program.
//!
//! Checkpoints die with the worker that holds them. They cannot be kept elsewhere cheaply: a clone
//! of a simulation has no form outside its memory. So the next worker loads the same scenario and
//! repeats the run up to the cycle that the page saw last. Runs are deterministic, so it is the
//! same run. [`Deaths::next`] says where that ends, so that a run that always dies in the same
//! place does not die for ever.

use crate::protocol::Replay;
use hopscope_core::scenario::Scenario;
use serde_json::Value;
use std::fmt::Write;

/// After this many deaths in a row a scenario that kills its worker on loading is given up.
const MAX_DEATHS: u32 = 3;

/// What a worker was doing when it died.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// It loaded the scenario.
    Loading,
    /// It repeated the run up to the cycle of an earlier death.
    Replaying,
    /// It ran, or stood still.
    Running,
}

/// The deaths of workers on one scenario.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deaths {
    /// Those in a row at about the same place.
    in_a_row: u32,
    /// The latest cycle that any of the workers reached.
    furthest: u64,
}

impl Deaths {
    /// Takes note of a death in a cycle, and says what the next worker does. `play` says whether
    /// the run is to go on playing. `None` if there is to be no next worker.
    ///
    /// The run plays on by itself only if it came more than twice as far as when it died before.
    /// So it dies a few times at most before it waits for the user, and all repetitions together
    /// take as long as the run.
    pub fn next(&mut self, cycle: u64, doing: Doing, play: bool) -> Option<Replay> {
        let again = self.in_a_row > 0 && cycle <= self.furthest.saturating_mul(2);
        self.in_a_row = if again { self.in_a_row + 1 } else { 1 };
        self.furthest = self.furthest.max(cycle);
        match (doing, self.in_a_row) {
            (Doing::Loading, MAX_DEATHS..) => None,
            (_, 1) => Some(Replay { to: cycle, play }),
            (Doing::Running, _) => Some(Replay { to: cycle, play: false }),
            (Doing::Loading | Doing::Replaying, _) => Some(Replay { to: 0, play: false }),
        }
    }

    /// Whether the last death is not the first at about its place. The page then sends the next
    /// worker nothing but the scenario, because what it asked may be what kills it.
    pub fn is_repeated(&self) -> bool {
        self.in_a_row > 1
    }
}

/// What the user asks of a worker's death.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashAction {
    /// Copy the report to the clipboard.
    Copy,
    /// Save the report as a file.
    Save,
    /// Say no more about it.
    Dismiss,
    /// Load the scenario once more although it kills its workers.
    Retry,
}

/// The death of a worker.
#[derive(Debug, Clone, PartialEq)]
pub struct Crash {
    /// Why it died, and the calls that led there.
    pub why: String,
    /// The last cycle that the page saw.
    pub cycle: u64,
    /// The scenario that it ran.
    pub scenario: Option<Scenario>,
    /// Whether the run waits for the user because it has died at about this place before.
    pub waits: bool,
}

impl Crash {
    /// Why it died, in a line. A panic's first line only says where it was.
    pub fn summary(&self) -> String {
        let mut lines = self.why.lines();
        let first = lines.next().unwrap_or_default();
        let rest = lines.next().filter(|_| first.ends_with(':'));
        rest.map_or(first.to_owned(), |rest| format!("{first} {rest}"))
    }

    /// All that the authors need in order to repeat it, as text.
    pub fn report(&self, version: &str, browser: &str, link: Option<&str>) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| _ = writeln!(text, "{name:<9} {value}");
        line("program", &format!("Hopscope {version}"));
        line("browser", browser);
        line("cycle", &self.cycle.to_string());
        if let Some(scenario) = &self.scenario {
            line("seeds", &seeds(scenario));
            line("link", link.unwrap_or("(the scenario is too long for a link)"));
        }
        text += &format!("\nMessage:\n{}\n", self.why.trim_end());
        if let Some(scenario) = &self.scenario {
            text += &format!("\nScenario:\n{}\n", scenario.to_json());
        }
        text
    }
}

/// Every seed of a scenario with its place in the file. Seeds that the file leaves out are there
/// too, because a default may change from version to version.
fn seeds(scenario: &Scenario) -> String {
    let mut found = vec![
        ("seed".to_owned(), scenario.seed.into()),
        ("routing.seed".to_owned(), scenario.routing.seed.into()),
    ];
    collect_seeds("", &scenario.to_document(), &mut found);
    let named: Vec<String> = found.iter().map(|(at, seed)| format!("{at}={seed}")).collect();
    named.join(" ")
}

fn collect_seeds(at: &str, value: &Value, found: &mut Vec<(String, Value)>) {
    let within = |name: &str| if at.is_empty() { name.into() } else { format!("{at}.{name}") };
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let place = within(name);
                if name != "seed" {
                    collect_seeds(&place, field, found);
                } else if found.iter().all(|(other, _)| *other != place) {
                    found.push((place, field.clone()));
                }
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                collect_seeds(&within(&i.to_string()), item, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Doing::{Loading, Replaying, Running};

    /// What follows deaths in these cycles, all of a run that plays: where to, and whether it plays
    /// on; nothing if it is given up.
    fn after(deaths: &[(u64, Doing)]) -> Vec<Option<(u64, bool)>> {
        let mut all = Deaths::default();
        let next = |&(cycle, doing): &(u64, Doing)| all.next(cycle, doing, true);
        deaths.iter().map(next).map(|next| next.map(|replay| (replay.to, replay.play))).collect()
    }

    #[test]
    fn a_run_that_dies_in_the_same_place_again_waits_there() {
        let deaths = after(&[(900, Running), (950, Running), (940, Running), (10, Running)]);
        let waits = |cycle| Some((cycle, false));
        assert_eq!(deaths, [Some((900, true)), waits(950), waits(940), waits(10)]);
    }

    #[test]
    fn a_run_that_dies_much_further_on_plays_on() {
        let deaths = after(&[(900, Running), (5000, Running), (20_000, Running)]);
        assert_eq!(deaths, [Some((900, true)), Some((5000, true)), Some((20_000, true))]);
    }

    #[test]
    fn a_run_that_dies_on_the_way_back_waits_at_its_start() {
        let deaths = after(&[(900, Running), (800, Replaying), (900, Running), (3, Replaying)]);
        let start = Some((0, false));
        assert_eq!(deaths, [Some((900, true)), start, Some((900, false)), start]);
    }

    #[test]
    fn a_scenario_that_kills_its_worker_on_loading_is_given_up() {
        let deaths = after(&[(0, Loading), (0, Loading), (0, Loading)]);
        assert_eq!(deaths, [Some((0, true)), Some((0, false)), None]);
        let deaths = after(&[(7, Running), (0, Loading), (0, Loading)]);
        assert_eq!(deaths, [Some((7, true)), Some((0, false)), None]);
    }

    #[test]
    fn a_run_that_stood_still_stands_still_again() {
        let replay = Deaths::default().next(900, Running, false);
        assert_eq!(replay, Some(Replay { to: 900, play: false }));
    }

    #[test]
    fn a_report_has_version_browser_cycle_seeds_message_and_scenario() {
        let json = r#"{"hopscope":1,"seed":7,
            "network":{"generate":{"kind":"irregular","switches":8,"seed":5}},
            "routing":{"seed":6}}"#;
        let scenario = Scenario::read(json).expect("a scenario");
        let crash = Crash {
            why: "panicked at core/x.rs:1:2:\nindex out of bounds\n  at wasm-function[3]\n".into(),
            cycle: 1234,
            scenario: Some(scenario.clone()),
            waits: false,
        };
        assert_eq!(crash.summary(), "panicked at core/x.rs:1:2: index out of bounds");
        let report = crash.report("0.1.0 build 12ab", "Firefox 150", Some("http://h/#s=word"));
        let (head, json) = report.split_once("\nScenario:\n").expect("it has the scenario");
        assert_eq!(
            head,
            "program   Hopscope 0.1.0 build 12ab\nbrowser   Firefox 150\ncycle     1234\n\
             seeds     seed=7 routing.seed=6 network.generate.seed=5\nlink      http://h/#s=word\n\
             \nMessage:\npanicked at core/x.rs:1:2:\nindex out of bounds\n  at wasm-function[3]\n"
        );
        assert_eq!(Scenario::read(json).expect("it can be opened"), scenario);
        let without = Crash { scenario: None, ..crash };
        assert!(!without.report("0.1.0", "Firefox", None).contains("Scenario"));
    }
}
