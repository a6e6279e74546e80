//! Replications of a scenario, run by several workers: which run each of them does, and what is
//! found.

use hopscope_core::experiment::{self, EndedRun};
use hopscope_core::json;
use hopscope_core::problem::Problems;
use hopscope_core::scenario::Scenario;
use std::rc::Rc;

/// Runs of a scenario with its seed and those after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Replications {
    /// The scenario.
    pub scenario: Rc<Scenario>,
    /// How many runs were asked for.
    pub count: usize,
    /// What they found, once they have ended.
    pub found: Option<Result<experiment::Replications, Problems>>,
    /// The runs in the order of their seeds, as far as they have begun; `None` until one has ended.
    runs: Vec<Option<EndedRun>>,
    /// Whether each worker has a run.
    is_busy: Vec<bool>,
}

impl Replications {
    /// So many runs, by so many workers.
    pub fn new(scenario: Rc<Scenario>, count: usize, workers: usize) -> Replications {
        Replications {
            scenario,
            count,
            found: None,
            runs: Vec::new(),
            is_busy: vec![false; workers],
        }
    }

    /// The run that a worker without one does next, by what is added to the seed. None while it has
    /// one, and once all have begun.
    pub fn next(&mut self, worker: usize) -> Option<u64> {
        let is_busy = self.is_busy.get_mut(worker)?;
        let run = self.runs.len();
        if self.found.is_some() || *is_busy || run == self.count {
            return None;
        }
        *is_busy = true;
        self.runs.push(None);
        Some(run as u64)
    }

    /// Takes what a worker has found. One run that is refused ends all.
    pub fn take(&mut self, worker: usize, run: u64, ended: Result<EndedRun, Problems>) {
        if let Some(is_busy) = self.is_busy.get_mut(worker) {
            *is_busy = false;
        }
        if self.found.is_some() {
            return;
        }
        match (ended, self.runs.get_mut(run as usize)) {
            (Ok(ended), Some(run)) => *run = Some(ended),
            (Err(problems), _) => self.found = Some(Err(problems)),
            _ => {}
        }
        if self.found.is_none() && self.done() == self.count {
            self.finish();
        }
    }

    /// Ends them. What is found is of the runs before the first one that goes on: means over all
    /// that have ended would favour those that end early. False if there are fewer than two.
    pub fn stop(&mut self) -> bool {
        let has_ended = self.runs.iter().take_while(|run| run.is_some()).count();
        if has_ended >= 2 && self.found.is_none() {
            self.finish();
        }
        self.found.is_some()
    }

    fn finish(&mut self) {
        let runs = std::mem::take(&mut self.runs).into_iter().map_while(|run| run);
        let runs: Vec<EndedRun> = runs.collect();
        self.found = Some(Ok(experiment::Replications::of(&runs, &self.scenario)));
    }

    /// How many runs have ended.
    pub fn done(&self) -> usize {
        match &self.found {
            Some(Ok(found)) => found.runs.len(),
            _ => self.runs.iter().flatten().count(),
        }
    }

    /// What they found as `hopscope run --replications --json` prints it, once they have ended.
    pub fn json(&self) -> Option<String> {
        let found = self.found.as_ref()?.as_ref().ok()?;
        Some(json::indented(&experiment::Found::new(&self.scenario, found)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::experiment::ReplicationRunner;

    const COUNT: usize = 5;

    fn scenario() -> Rc<Scenario> {
        let text = r#"{ "hopscope": 1, "seed": 7, "traffic": [{ "load": 0.1 }],
            "network": { "generate": { "kind": "single", "hosts": 4 } },
            "measure": { "warmup_messages": 20, "messages": 200 } }"#;
        Rc::new(Scenario::parse(text).expect("right"))
    }

    fn by_one(count: usize) -> experiment::Replications {
        let scenario = scenario();
        let runner = ReplicationRunner::new(&scenario).expect("right");
        let runs: Vec<EndedRun> =
            (0..count as u64).map(|run| runner.run(run).expect("right")).collect();
        experiment::Replications::of(&runs, &scenario)
    }

    #[test]
    fn what_is_found_does_not_depend_on_the_workers_and_the_order_in_which_runs_end() {
        let runner = ReplicationRunner::new(&scenario()).expect("right");
        for workers in [1, 2, 8] {
            let mut replications = Replications::new(scenario(), COUNT, workers);
            let mut running = Vec::new();
            while replications.found.is_none() {
                for worker in 0..workers {
                    running.extend(replications.next(worker).map(|run| (worker, run)));
                    assert_eq!(replications.next(worker), None, "it has a run, or all have begun");
                }
                let (worker, run) = running.pop().expect("one that is not over has runs");
                replications.take(worker, run, runner.run(run));
            }
            assert!(running.is_empty());
            assert_eq!(replications.found, Some(Ok(by_one(COUNT))));
        }
    }

    #[test]
    fn what_is_found_when_they_are_ended_early_is_of_the_first_runs() {
        let runner = ReplicationRunner::new(&scenario()).expect("right");
        let mut replications = Replications::new(scenario(), COUNT, 4);
        let begun: Vec<u64> =
            (0..4).map(|worker| replications.next(worker).expect("a run")).collect();
        assert_eq!(begun, [0, 1, 2, 3]);
        assert!(!replications.stop(), "none has ended");
        for run in [3, 0] {
            replications.take(run as usize, run, runner.run(run));
        }
        assert!(!replications.stop(), "only one has ended before those that go on");
        replications.take(1, 1, runner.run(1));
        assert_eq!((replications.done(), replications.json()), (3, None));
        assert!(replications.stop());
        assert_eq!(replications.done(), 2);
        assert_eq!(replications.found, Some(Ok(by_one(2))));
        assert_eq!(replications.next(1), None);
    }

    #[test]
    fn a_run_that_is_refused_ends_all() {
        let mut replications = Replications::new(scenario(), COUNT, 2);
        let run = replications.next(0).expect("a run");
        let why = Problems::one("traffic", Default::default(), Default::default());
        replications.take(0, run, Err(why.clone()));
        assert_eq!((replications.found.clone(), replications.next(1)), (Some(Err(why)), None));
    }

    #[test]
    fn control_characters_of_names_are_escaped_in_the_json_as_on_the_command_line() {
        let mut scenario = (*scenario()).clone();
        scenario.name = "red\u{9b}".into();
        let runner = ReplicationRunner::new(&scenario).expect("right");
        let mut replications = Replications::new(Rc::new(scenario), 1, 1);
        let run = replications.next(0).expect("a run");
        replications.take(0, run, runner.run(run));
        let json = replications.json().expect("it has ended");
        assert!(json.contains("red\\u009b") && !json.contains('\u{9b}'), "{json}");
    }

    /// `tests/e2e/study.spec.ts` compares the same file with what the page saves, and
    /// `cli/tests/command_line/runs.rs` with what `hopscope run` prints. `HOPSCOPE_BLESS=1` accepts
    /// results that are meant to change.
    #[test]
    fn the_json_is_that_of_the_command_line() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/e2e/star.replications.json");
        let star = include_str!("../../../../scenarios/star.json");
        let star = Rc::new(Scenario::read(star).expect("right"));
        let runner = ReplicationRunner::new(&star).expect("right");
        let mut replications = Replications::new(star, 3, 1);
        while let Some(run) = replications.next(0) {
            replications.take(0, run, runner.run(run));
        }
        let json = replications.json().expect("they have ended");
        if std::env::var_os("HOPSCOPE_BLESS").is_some() {
            std::fs::write(path, &json).expect("tests can be written");
        }
        assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), json);
    }
}
