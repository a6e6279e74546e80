//! Lessons: predict, run, explain.
//!
//! A lesson is a file in `scenarios/lessons/`: a question with answers, the runs that decide it,
//! and an explanation with gaps that the measured numbers fill. A test runs every lesson and checks
//! that its right answer is right.

mod quantity;
mod words;

pub use quantity::{Quantity, Unit};
pub use words::Words;

use crate::problem::Problems;
use crate::scenario::Scenario;
use crate::simulation::{Simulation, State};
use serde::Deserialize;
use serde_json::Value;

/// A lesson.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// Name of its file, without `.json`.
    #[serde(skip)]
    pub id: &'static str,
    /// Version of the format.
    pub lesson: u32,
    /// Title, for people.
    pub title: Words,
    /// Summary, in a sentence.
    pub about: Words,
    /// Minutes that it takes, about.
    pub minutes: u32,
    /// The question, whose answer the learner predicts.
    pub question: Words,
    /// The answers to choose from.
    pub answers: Vec<Words>,
    /// Index of the right answer.
    pub right: usize,
    /// The scenario that all runs start from.
    scenario: Value,
    /// The runs, in order.
    pub runs: Vec<Run>,
    /// The quantities measured in each run.
    pub measures: Vec<Measure>,
    /// The claims about the results that make the right answer right.
    because: Vec<Claim>,
    /// The explanation. A gap such as `{accepted@1}` stands for the value of run 1, and
    /// `{accepted@1/0}` for the value of run 1 divided by that of run 0.
    pub explain: Words,
}

/// One run.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Title.
    pub name: Words,
    /// Hint for what to watch.
    pub look: Words,
    /// Changes to the scenario, in the syntax of `--set`.
    #[serde(default)]
    set: Vec<String>,
    /// Speed at which the page plays the run, simulated cycles per second.
    pub cycles_per_second: f64,
    /// The overlay of the stage.
    #[serde(default)]
    pub show: Show,
}

/// The overlay of the stage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Show {
    /// Nothing.
    #[default]
    Nothing,
    /// Share of time in which each channel is busy.
    Busy,
    /// Share of time in which each channel is blocked.
    Blocked,
    /// The spanning tree and the up direction of each link.
    Tree,
    /// Turns that need an ITB or are forbidden.
    Turns,
    /// Number of routes over each channel.
    Weights,
    /// The channel dependency graph.
    Dependencies,
    /// Which message waits for which.
    Waits,
    /// Congestion trees.
    Trees,
}

/// A quantity measured in each run.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// Id, used in gaps and claims.
    pub id: String,
    /// Name, for people.
    pub name: Words,
    /// The quantity.
    pub what: Quantity,
}

/// The results of one run: a value per measure, `None` where there is nothing to measure.
pub type Results = Vec<Option<f64>>;

/// A bound on the results of the runs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    measure: String,
    run: usize,
    /// If set, the value is divided by the value of this run.
    over: Option<usize>,
    at_least: Option<f64>,
    at_most: Option<f64>,
    /// True if there must be nothing to measure.
    #[serde(default)]
    absent: bool,
}

macro_rules! lessons {
    ($($id:literal),* $(,)?) => {
        [$(($id, include_str!(concat!("../../../scenarios/lessons/", $id, ".json")))),*]
    };
}

/// All lessons, in the order to take them.
pub fn all() -> Vec<Lesson> {
    let read = |(id, text)| Lesson { id, ..serde_json::from_str(text).expect("tested") };
    lessons![
        "blocking",
        "deadlock",
        "up-down",
        "itb",
        "datelines",
        "balance",
        "trees",
        "latency",
        "shares",
        "fairness",
        "head-of-line",
        "slowest-link"
    ]
    .map(read)
    .into()
}

impl Lesson {
    /// The scenario of a run.
    ///
    /// # Errors
    ///
    /// A change of the run that does not fit the scenario, or what is wrong with the result.
    pub fn scenario(&self, run: usize) -> Result<Scenario, Problems> {
        let mut document = self.scenario.clone();
        for assignment in &self.runs[run].set {
            Scenario::apply_set(&mut document, assignment)?;
        }
        Scenario::from_document(&document)
    }

    /// The quantities of all measures, in order.
    pub fn quantities(&self) -> Vec<Quantity> {
        self.measures.iter().map(|measure| measure.what).collect()
    }

    /// Fills the gaps of a text with results. `say` formats a value; the unit of a ratio is `None`.
    /// A gap without a value becomes a dash.
    pub fn fill(
        &self,
        text: &str,
        results: &[Results],
        say: impl Fn(f64, Option<Unit>) -> String,
    ) -> String {
        let mut whole = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (gap, after) = after.split_once('}').unwrap_or((after, ""));
            whole += before;
            whole += &self.gap(gap, results, &say).unwrap_or_else(|| "–".into());
            // The full stop of an abbreviated unit is also that of its sentence.
            rest =
                if whole.ends_with('.') { after.strip_prefix('.').unwrap_or(after) } else { after };
        }
        whole + rest
    }

    fn gap(
        &self,
        gap: &str,
        results: &[Results],
        say: impl Fn(f64, Option<Unit>) -> String,
    ) -> Option<String> {
        let (id, runs) = gap.split_once('@')?;
        let index = self.measures.iter().position(|measure| measure.id == id)?;
        let value = |run: &str| *results.get(run.parse::<usize>().ok()?)?.get(index)?;
        Some(match runs.split_once('/') {
            Some((run, over)) => say(value(run)? / value(over)?, None),
            None => say(value(runs)?, Some(self.measures[index].what.unit())),
        })
    }

    /// Checks the claims that make the right answer right.
    ///
    /// # Errors
    ///
    /// The first claim that does not hold, with the value.
    pub fn check(&self, results: &[Results]) -> Result<(), String> {
        for claim in &self.because {
            let index = self.measures.iter().position(|measure| measure.id == claim.measure);
            let index = index.ok_or_else(|| format!("nothing is called {}", claim.measure))?;
            let value =
                |run: usize| results.get(run).and_then(|list| list.get(index).copied().flatten());
            let shown = match claim.over {
                Some(over) => value(claim.run).zip(value(over)).map(|(a, b)| a / b),
                None => value(claim.run),
            };
            let holds = match shown {
                None => claim.absent,
                Some(value) => {
                    !claim.absent
                        && claim.at_least.is_none_or(|least| value >= least)
                        && claim.at_most.is_none_or(|most| value <= most)
                }
            };
            if !holds {
                return Err(format!("{claim:?} does not hold: {shown:?}"));
            }
        }
        Ok(())
    }
}

/// The results of a run, once the measurement is over: all measured messages are counted, or the
/// run cannot go on. `None` before.
pub fn measured(simulation: &Simulation, quantities: &[Quantity]) -> Option<Results> {
    (simulation.state() != State::Running)
        .then(|| quantities.iter().map(|quantity| quantity.of(simulation)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{ChannelId, SwitchId};
    use crate::observe::Snapshot;
    use crate::scenario::FabricSpec;

    fn run(lesson: &Lesson) -> Vec<Results> {
        let run = |run| {
            let scenario =
                lesson.scenario(run).unwrap_or_else(|why| panic!("{}: {why}", lesson.id));
            scenario.check().unwrap_or_else(|why| panic!("{}: {why}", lesson.id));
            let mut simulation = Simulation::new(&scenario).unwrap();
            simulation.run_to_end();
            simulation.check().unwrap();
            let results = measured(&simulation, &lesson.quantities()).expect("the run is over");
            simulation.run_until(simulation.now() + 100_000);
            let later = measured(&simulation, &lesson.quantities());
            assert_eq!(later.as_ref(), Some(&results), "{}: what is measured stays", lesson.id);
            results
        };
        (0..lesson.runs.len()).map(run).collect()
    }

    #[test]
    fn the_right_answer_of_every_lesson_is_what_its_runs_show() {
        for lesson in all() {
            let results = run(&lesson);
            assert!(lesson.right < lesson.answers.len(), "{}", lesson.id);
            lesson
                .check(&results)
                .unwrap_or_else(|why| panic!("{}: {why}\n{results:?}", lesson.id));
            for text in [&lesson.explain.en, &lesson.explain.es] {
                let said = lesson.fill(text, &results, |value, unit| format!("<{value} {unit:?}>"));
                assert!(!said.contains(['{', '}', '–']), "{}: {said}", lesson.id);
                assert!(said.matches('<').count() >= 3, "{}: it explains with numbers", lesson.id);
            }
        }
    }

    #[test]
    fn a_run_that_stops_before_its_measurement_has_no_rates_and_no_latency() {
        let run = finished("deadlock", 0);
        assert_eq!(run.report().measured_cycles, 0);
        for what in [Quantity::Accepted, Quantity::Offered, Quantity::TotalLatency] {
            assert_eq!(what.of(&run), None, "{what:?}");
        }
    }

    #[test]
    fn an_abbreviated_unit_and_its_sentence_have_one_full_stop() {
        let lesson = all().into_iter().find(|lesson| lesson.id == "deadlock").unwrap();
        let results = vec![vec![Some(1.0); lesson.measures.len()]];
        let fill = |text: &str| lesson.fill(text, &results, |_, _| "1 conm.".into());
        assert_eq!(
            fill("It took {when@0}. It took {when@0}, no more."),
            "It took 1 conm. It took 1 conm., no more."
        );
    }

    /// A run of a lesson, at its end.
    fn finished(id: &str, run: usize) -> Simulation {
        let lesson = all().into_iter().find(|lesson| lesson.id == id).unwrap();
        let mut simulation = Simulation::new(&lesson.scenario(run).unwrap()).unwrap();
        simulation.run_to_end();
        simulation
    }

    // What texts say without a gap that a number fills.

    #[test]
    fn the_worms_of_host_1_stand_still_most_of_the_time() {
        let run = finished("blocking", 1);
        let first = run.channel_shares().unwrap()[0];
        // Two flows take turns on the channel, and each sends for the same time.
        let still = first.blocked / (first.blocked + first.busy / 2.0);
        assert!(still > 0.6, "{still} of the time that they hold the channel");
        let [host_2, host_3] = [2, 3].map(|host| Quantity::Received { host }.of(&run).unwrap());
        assert!((host_3 / 4.0 - host_2).abs() < 0.01, "host 1 has a quarter of host 3");
    }

    #[test]
    fn most_detours_of_up_down_lead_past_the_root() {
        let (detours, past_root) = crate::gallery::tests::detours(&finished("up-down", 0));
        assert!(detours > 20 && 2 * past_root > detours, "{past_root} of {detours}");
        let edge = finished("up-down", 1);
        let network = edge.network();
        let shares = &edge.channel_shares().unwrap()[..network.network_channels()];
        let most = |i: &usize, j: &usize| shares[*i].busy.total_cmp(&shares[*j].busy);
        let busiest = ChannelId::new((0..shares.len()).max_by(most).unwrap());
        let root = edge.routing().report.root.unwrap();
        assert!(![network.source_switch(busiest), network.target_switch(busiest)].contains(&root));
        let degree = |switch| network.neighbours(SwitchId::new(switch)).len();
        assert!((0..16).map(degree).max() > Some(network.neighbours(root).len()), "fewer links");
    }

    #[test]
    fn a_stop_costs_475_ns() {
        let FabricSpec::Wormhole(fabric) = finished("itb", 1).scenario().fabric.clone() else {
            panic!("it is a wormhole network")
        };
        let cycles = u64::from(fabric.itb_detection_cycles + fabric.itb_dma_cycles);
        assert_eq!(cycles * fabric.cycle_ps, 475_000);
    }

    #[test]
    fn most_packets_use_the_first_lane_unless_they_take_both_by_turns() {
        let first_lane = |run: usize| {
            let simulation = finished("datelines", run);
            let between = simulation.network().network_channels() as u32;
            let mut seen = Snapshot::default();
            simulation.snapshot(&mut seen);
            let spans = seen.spans.iter().filter(|span| span.channel < between);
            let flits = spans.map(|span| (span.lane, f64::from(span.flits)));
            let (first, all) = flits.fold((0.0, 0.0), |(first, all), (lane, flits)| {
                (first + if lane == 0 { flits } else { 0.0 }, all + flits)
            });
            first / all
        };
        let (by_turns, dateline) = (first_lane(1), first_lane(2));
        assert!((0.4..0.6).contains(&by_turns) && dateline > 0.8, "{by_turns} and {dateline}");
    }

    #[test]
    fn hosts_of_the_tree_offer_nearly_four_fifths_of_their_link() {
        let offered = finished("trees", 2).report().offered_flits_per_cycle_per_host.unwrap();
        assert!((0.77..0.8).contains(&offered), "{offered}");
    }

    #[test]
    fn an_all_reduce_of_eight_ranks_has_14_rounds() {
        assert_eq!(finished("slowest-link", 0).counts().delivered, 14 * 8);
    }

    #[test]
    fn a_claim_that_does_not_hold_is_an_error() {
        let lesson = &all()[0];
        let mut results = run(lesson);
        results.swap(0, 1);
        assert!(lesson.check(&results).is_err());
        assert!(lesson.check(&[]).is_err());
    }

    #[test]
    fn both_languages_have_all_texts_and_the_same_gaps() {
        let gaps = |text: &str| {
            let mut gaps: Vec<String> = text.split('{').skip(1).map(|gap| gap.to_owned()).collect();
            gaps.iter_mut().for_each(|gap| gap.truncate(gap.find('}').expect("it ends")));
            gaps.sort_unstable();
            gaps
        };
        for lesson in all() {
            assert_eq!(gaps(&lesson.explain.en), gaps(&lesson.explain.es), "{}", lesson.id);
            let texts = [&lesson.title, &lesson.about, &lesson.question];
            let runs = lesson.runs.iter().flat_map(|run| [&run.name, &run.look]);
            let measures = lesson.measures.iter().map(|measure| &measure.name);
            for words in texts.into_iter().chain(&lesson.answers).chain(runs).chain(measures) {
                assert!(!words.en.is_empty() && !words.es.is_empty(), "{}: {words:?}", lesson.id);
            }
        }
    }

    #[test]
    fn every_lesson_takes_one_to_twenty_minutes() {
        for lesson in all() {
            assert!((1..=20).contains(&lesson.minutes), "{}: {}", lesson.id, lesson.minutes);
        }
    }

    #[test]
    fn every_file_is_a_lesson() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/lessons");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let id = name.strip_suffix(".json").unwrap_or(&name);
            assert!(all().iter().any(|lesson| lesson.id == id), "{name} is not listed");
        }
    }
}
