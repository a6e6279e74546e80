//! The experiments of `scenarios/experiments/`, to begin with.

use crate::text::Text;
use hopscope_core::experiment::Experiment;

/// A published experiment.
pub struct Published {
    /// Its name.
    pub name: fn(&Text) -> &'static str,
    /// Its file in `scenarios/experiments/`.
    text: &'static str,
    /// The file that its base names; empty if it has its base itself.
    base: &'static str,
}

/// All of them.
pub const PUBLISHED: [Published; 7] = [
    Published {
        name: |t| t.experiment_irregular_16,
        text: include_str!("../../../../scenarios/experiments/irregular-16.json"),
        base: include_str!("../../../../scenarios/first-light.json"),
    },
    Published {
        name: |t| t.experiment_thesis_32,
        text: include_str!("../../../../scenarios/experiments/thesis-32.json"),
        base: "",
    },
    Published {
        name: |t| t.experiment_advanced_switching,
        text: include_str!("../../../../scenarios/experiments/advanced-switching.json"),
        base: include_str!("../../../../scenarios/benchmarks/advanced-switching.json"),
    },
    Published {
        name: |t| t.experiment_organisations,
        text: include_str!("../../../../scenarios/experiments/organisations.json"),
        base: "",
    },
    Published {
        name: |t| t.experiment_recn_thresholds,
        text: include_str!("../../../../scenarios/experiments/recn-thresholds.json"),
        base: include_str!("../../../../scenarios/saqs-run-out.json"),
    },
    Published {
        name: |t| t.experiment_recn_in_transit,
        text: include_str!("../../../../scenarios/experiments/recn-in-transit.json"),
        base: "",
    },
    Published {
        name: |t| t.experiment_all_reduce_bytes,
        text: include_str!("../../../../scenarios/experiments/all-reduce-bytes.json"),
        base: include_str!("../../../../scenarios/ring-all-reduce.json"),
    },
];

impl Published {
    /// The experiment, with its base.
    pub fn experiment(&self) -> Option<Experiment> {
        let mut experiment = Experiment::parse(self.text).ok()?;
        if experiment.base.is_string() {
            experiment.base = serde_json::from_str(self.base).ok()?;
        }
        Some(experiment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_listed_and_can_run() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/experiments");
        let files = std::fs::read_dir(folder).expect("the folder is there");
        assert_eq!(files.count(), PUBLISHED.len());
        for published in &PUBLISHED {
            let experiment = published.experiment().expect("it is an experiment");
            experiment.scenario(experiment.middle_point()).expect("its points are valid");
        }
    }
}
