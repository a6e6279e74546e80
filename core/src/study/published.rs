//! The studies of `scenarios/studies/`.

use super::{Row, Study};
use crate::gallery;
use crate::problem::Problems;
use crate::scenario::Scenario;
use serde_json::Value;

/// The counts for a first look are so many times smaller.
const SMALLER: u64 = 20;
/// Networks for a first look at findings, which need intervals.
const FEW: u64 = 3;

/// A base that is no scenario of the gallery: its file without `.json`, and its text.
const BENCHMARK: (&str, &str) = (
    "../benchmarks/advanced-switching",
    include_str!("../../../scenarios/benchmarks/advanced-switching.json"),
);

/// A study of `scenarios/studies/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    /// Its file, without `.json`.
    pub id: &'static str,
    text: &'static str,
}

macro_rules! studies {
    ($($id:literal),* $(,)?) => {
        &[$(Published {
            id: $id,
            text: include_str!(concat!("../../../scenarios/studies/", $id, ".json")),
        }),*]
    };
}

/// All of them.
pub fn published() -> &'static [Published] {
    studies![
        "thesis-throughput",
        "thesis-latency",
        "thesis-routes",
        "thesis-torus",
        "omni-path-switch-a",
        "omni-path-switch-b",
        "omni-path-tree-8-3",
        "omni-path-tree-24-2",
        "omni-path-torus-8x8",
        "omni-path-torus-8x8x4",
        "advanced-switching",
        "recn-hot-spot",
        "recn-video",
        "recn-shares",
        "recn-sizes",
    ]
}

impl Published {
    /// Its name.
    pub fn name(&self) -> String {
        let document: Value = serde_json::from_str(self.text).unwrap_or_default();
        document["name"].as_str().unwrap_or_default().to_owned()
    }

    /// The study, with its base. Bases in files of their own are scenarios of the gallery, or that
    /// of the benchmarks.
    ///
    /// # Panics
    ///
    /// The file is no study; tests exclude it.
    ///
    /// # Errors
    ///
    /// Its base is no scenario; tests exclude it.
    pub fn study(&self) -> Result<Study, Problems> {
        let mut study: Study = serde_json::from_str(self.text).expect("the file is a study");
        study.base = base(&study.base)?.to_document();
        for own in study.variants.iter_mut().filter_map(|variant| variant.base.as_mut()) {
            *own = base(own)?.to_document();
        }
        Ok(study)
    }
}

/// A base: itself, or the scenario of the gallery or of the benchmarks that it names by its file.
fn base(document: &Value) -> Result<Scenario, Problems> {
    let file = document.as_str().and_then(|file| file.strip_suffix(".json"));
    if file == Some(BENCHMARK.0) {
        return Scenario::parse(BENCHMARK.1);
    }
    let is_named = |id: &str| {
        let of_studies = id.strip_prefix("studies/");
        file.is_some_and(|file| of_studies == Some(file) || file.strip_prefix("../") == Some(id))
    };
    match gallery::all().iter().find(|item| is_named(item.id)) {
        Some(item) => item.scenario(),
        None => Scenario::from_document(document),
    }
}

impl Study {
    /// The same for a first look: one network per row, or [`FEW`] for findings, and runs of a
    /// twentieth of the messages. Rows and variants that set counts of their own keep them.
    pub fn for_a_first_look(mut self) -> Self {
        self.networks = if self.rows.iter().any(Row::has_bounds) { FEW } else { 1 };
        for count in ["warmup_messages", "messages"] {
            if let Some(count) = self.base["measure"].get_mut(count)
                && let Some(messages) = count.as_u64()
            {
                *count = (messages / SMALLER).into();
            }
        }
        self
    }

    /// Messages that a run counts, but for rows that set another number.
    pub fn messages(&self) -> u64 {
        self.base["measure"]["messages"].as_u64().unwrap_or(0)
    }

    /// Cycles that a run measures, where it counts no messages.
    pub fn cycles(&self) -> u64 {
        self.base["measure"]["cycles"].as_u64().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Found, Line, Plan};
    use super::*;
    use crate::simulation::Simulation;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn every_file_with_rows_is_a_study_whose_jobs_can_run() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/studies");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let has_rows = |path: &std::path::PathBuf| {
            let document: Value =
                serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            document.get("rows").is_some()
        };
        assert_eq!(files.filter(has_rows).count(), published().len());
        for item in published() {
            let study = item.study().unwrap_or_else(|problems| panic!("{}: {problems}", item.id));
            let full = study.messages();
            let study = study.for_a_first_look();
            assert_eq!(study.messages(), full / SMALLER, "{}", item.id);
            let plan = Plan::new(&study, study.networks, |_| true);
            for (_, job) in &plan.jobs {
                let scenario = job.scenario(&study).unwrap();
                Simulation::check_scenario(&scenario).unwrap();
            }
        }
    }

    #[test]
    fn what_a_study_judges_belongs_to_a_finding_if_it_has_findings() {
        for item in published() {
            let study = item.study().unwrap();
            let named: BTreeSet<&str> =
                study.rows.iter().filter_map(|row| row.finding.as_deref()).collect();
            let findings: BTreeSet<&str> =
                study.findings.iter().map(|claim| claim.id.as_str()).collect();
            assert_eq!(named, findings, "{}", item.id);
            assert_eq!(findings.len(), study.findings.len(), "{}", item.id);
            let is_judged = |row: &&Row| row.has_bounds() || !row.published.is_null();
            for row in study.rows.iter().filter(is_judged).filter(|_| !findings.is_empty()) {
                assert!(row.finding.is_some(), "{}: {}", item.id, row.label());
                assert!(row.label().starts_with(row.finding.as_deref().unwrap()));
            }
        }
    }

    /// The file with which the page's test compares what the page finds
    /// (`tests/e2e/study.spec.ts`).
    #[test]
    fn the_page_is_compared_with_a_first_look_at_routes() {
        let item = published().iter().find(|item| item.id == "thesis-routes").unwrap();
        let study = item.study().unwrap().for_a_first_look();
        let plan = Plan::new(&study, study.networks, |_| true);
        let jobs = plan.jobs.iter();
        let found: Vec<Found> =
            jobs.map(|(_, job)| job.run(&job.scenario(&study).unwrap()).unwrap()).collect();
        let lines = plan.lines(&study, &|job| found.get(job));
        let told = lines.iter().map(|(line, _)| {
            let Line { quantity, label, switches, mean, within, .. } = line;
            serde_json::to_string(&(quantity, label, switches, mean, within)).unwrap()
        });
        let told = format!("[\n{}\n]\n", told.collect::<Vec<_>>().join(",\n"));
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/e2e/thesis-routes.lines.json");
        let expected = std::fs::read_to_string(file).unwrap_or_default();
        assert!(told == expected, "{file} is outdated: {told}");
    }

    #[test]
    fn lines_appear_when_all_their_jobs_have_been_measured() {
        let item = published().iter().find(|item| item.id == "thesis-latency").unwrap();
        let study = item.study().unwrap().for_a_first_look();
        let plan = Plan::new(&study, study.networks, |row| row.switches == Some(16));
        assert_eq!((plan.jobs.len(), plan.series.len()), (4, 2));
        let mut found: BTreeMap<usize, Found> = BTreeMap::new();
        let lines = |found: &BTreeMap<usize, Found>| -> Vec<Line> {
            let lines = plan.lines(&study, &|job| found.get(&job));
            lines.into_iter().map(|(line, _)| line).collect()
        };
        for (job, (_, what)) in plan.jobs.iter().enumerate() {
            assert_eq!(lines(&found).len(), job / 2);
            let measured = what.run(&what.scenario(&study).unwrap()).unwrap();
            // As it is kept.
            let text = serde_json::to_string(&measured).unwrap();
            assert_eq!(serde_json::from_str::<Found>(&text).unwrap(), measured);
            found.insert(job, measured);
        }
        let lines = lines(&found);
        assert_eq!(lines[0].published, Some(10.84));
        let mean = lines[0].mean.unwrap();
        assert!((0.0..30.0).contains(&mean), "{mean}");
        assert_eq!(lines[0].within, Some((mean - 10.84).abs() <= lines[0].tolerance));
    }
}
