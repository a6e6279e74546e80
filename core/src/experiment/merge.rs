//! Whether files of partial results make one complete experiment.

use super::{RESULTS_VERSION, ResultsHeader, Shard};
use crate::messages;
use crate::problem::Problems;
use std::collections::BTreeSet;

/// Missing points and shards that a problem lists.
const LISTED: usize = 10;

/// Files of results, seen one after another: they must be of one experiment and version, and hold
/// every point once.
#[derive(Debug, Default)]
pub struct Merge {
    /// The header of the first file.
    header: Option<ResultsHeader>,
    /// Names of the files.
    files: Vec<String>,
    /// Number of parts of the files' shards.
    shards: BTreeSet<usize>,
    /// For each point the number of its file, counted from 1; 0 if it has no result.
    file_of: Vec<u32>,
}

impl Merge {
    /// The header of the first file.
    pub fn header(&self) -> Option<&ResultsHeader> {
        self.header.as_ref()
    }

    /// Adds a file by its header. Its points follow.
    ///
    /// # Errors
    ///
    /// The file has another format, or its results are of another version or experiment than those
    /// of the first.
    pub fn add_file(&mut self, name: &str, header: &ResultsHeader) -> Result<(), Problems> {
        if header.hopscope_results != RESULTS_VERSION {
            let why = messages::no_results_version(header.hopscope_results);
            return Err(Problems::one(name, why, messages::use_version(RESULTS_VERSION)));
        }
        if let Some(first) = &self.header {
            let first_name = &self.files[0];
            if first.version != header.version {
                let why =
                    messages::results_of_versions(&header.version, &first.version, first_name);
                return Err(Problems::one(name, why, messages::run_with_one_version()));
            }
            if first.hash != header.hash {
                let why = messages::results_of_experiments(first_name);
                return Err(Problems::one(name, why, messages::name_one_experiment()));
            }
        } else {
            self.file_of = vec![0; header.experiment.points()];
            self.header = Some(header.clone());
        }
        self.files.push(name.into());
        self.shards.insert(header.shard.of);
        Ok(())
    }

    /// Adds a point of the last file.
    ///
    /// # Errors
    ///
    /// The experiment does not have the point, or it has been added before.
    ///
    /// # Panics
    ///
    /// No file has been added.
    pub fn add_point(&mut self, point: usize) -> Result<(), Problems> {
        let name = self.files.last().expect("a file comes before its points");
        let points = self.file_of.len();
        let Some(file) = self.file_of.get_mut(point) else {
            let why = messages::point_out_of_range(points.saturating_sub(1));
            return Err(Problems::one(&**name, why, messages::remove_the_line()));
        };
        if *file != 0 {
            let why = messages::point_in_two_files(point, &self.files[*file as usize - 1]);
            return Err(Problems::one(&**name, why, messages::name_each_file_once()));
        }
        *file = self.files.len() as u32;
        Ok(())
    }

    /// Whether every point has a result.
    pub fn is_complete(&self) -> bool {
        self.file_of.iter().all(|&file| file != 0)
    }

    /// Checks that every point has a result.
    ///
    /// # Errors
    ///
    /// Points are missing; the fix names the shards that have them.
    pub fn check_complete(&self) -> Result<(), Problems> {
        let missing: Vec<usize> =
            (0..self.file_of.len()).filter(|&point| self.file_of[point] == 0).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let listed = |words: Vec<String>| {
            let more = if words.len() > LISTED { ", ..." } else { "" };
            words.into_iter().take(LISTED).collect::<Vec<_>>().join(", ") + more
        };
        let why = messages::points_missing(
            missing.len(),
            listed(missing.iter().take(LISTED + 1).map(usize::to_string).collect()),
        );
        let of = self.shards.iter().next().copied().filter(|&of| of > 1 && self.shards.len() == 1);
        let fix = of.map_or_else(messages::run_the_rest, |of| {
            let open: BTreeSet<usize> =
                missing.iter().map(|&point| Shard::with(point, of).index).collect();
            let open = open.into_iter().map(|index| Shard { index, of }.to_string());
            messages::run_the_shards(listed(open.collect()))
        });
        Err(Problems::one(self.files.join(", "), why, fix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use serde_json::json;

    fn header(seeds: &[u32], shard: &str) -> ResultsHeader {
        let text = json!({ "hopscope_experiment": 1, "axes": [{ "path": "seed", "values": seeds }],
            "base": { "hopscope": 1, "network": { "generate": { "kind": "ring", "switches": 4 } } } });
        let experiment = Experiment::parse(&text.to_string()).unwrap();
        ResultsHeader::new(&experiment, shard.parse().unwrap())
    }

    #[test]
    fn files_make_an_experiment_if_every_point_is_there_once() {
        let mut merge = Merge::default();
        for (name, shard, points) in [("a", "1/2", [0, 2]), ("b", "2/2", [1, 3])] {
            merge.add_file(name, &header(&[1, 2, 3, 4], shard)).unwrap();
            assert!(!merge.is_complete());
            points.iter().for_each(|&point| merge.add_point(point).unwrap());
        }
        assert!(merge.is_complete());
        merge.check_complete().unwrap();
        let twice = merge.add_point(2).unwrap_err().to_string();
        assert!(twice.starts_with("b: point 2 is in a too (fix: "), "{twice}");
        let outside = merge.add_point(4).unwrap_err().to_string();
        assert!(outside.contains("0 to 3"), "{outside}");
    }

    #[test]
    fn missing_points_are_told_with_their_shards() {
        let mut merge = Merge::default();
        merge.add_file("a", &header(&[1, 2, 3, 4, 5, 6], "1/3")).unwrap();
        merge.add_point(0).unwrap();
        merge.add_point(4).unwrap();
        let said = merge.check_complete().unwrap_err().to_string();
        assert!(said.contains("4 points have no result: 1, 2, 3, 5"), "{said}");
        assert!(said.ends_with("shard 1/3, 2/3, 3/3)"), "{said}");
    }

    #[test]
    fn results_of_another_version_or_experiment_are_refused() {
        let mut merge = Merge::default();
        merge.add_file("a", &header(&[1, 2], "1/2")).unwrap();
        let other = ResultsHeader { version: "9.9.9".into(), ..header(&[1, 2], "2/2") };
        let said = merge.add_file("b", &other).unwrap_err().to_string();
        let ours = crate::experiment::PROGRAM_VERSION;
        assert!(said.starts_with("b: ") && said.contains("9.9.9") && said.contains(ours), "{said}");
        let said = merge.add_file("b", &header(&[1, 3], "2/2")).unwrap_err().to_string();
        assert!(said.contains("another experiment"), "{said}");
        let other = ResultsHeader { hopscope_results: 7, ..header(&[1, 2], "2/2") };
        assert!(merge.add_file("b", &other).unwrap_err().to_string().contains("no version 7"));
    }
}
