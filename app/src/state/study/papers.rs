//! Published studies in the page: what there is to know of one before it runs, and its way into the
//! current study.

use super::{Current, Study};
use crate::protocol::papers::Paper;
use crate::protocol::study::{Checked, LookChosen};
use hopscope_core::study::published;

/// A published study that the user looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaperChosen {
    /// Its index in [`published`].
    pub index: usize,
    /// What was published.
    pub citation: String,
    /// How much there is to measure with small counts, and with full ones.
    pub sizes: [PaperSize; 2],
}

/// How much there is to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaperSize {
    /// The study, with its counts.
    pub paper: Paper,
    /// Number of measurements.
    pub jobs: usize,
    /// Replications per row.
    pub networks: u64,
    /// Whether each of them draws another network.
    pub draws_networks: bool,
    /// Messages that a run counts; 0 if it measures a number of cycles.
    pub messages: u64,
    /// Cycles that such a run measures.
    pub cycles: u64,
}

impl PaperSize {
    fn of(paper: Paper) -> Option<PaperSize> {
        let (study, plan) = paper.plan()?;
        let (jobs, networks) = (plan.jobs.len(), study.networks);
        let (messages, cycles) = (study.messages(), study.cycles());
        let draws_networks = study.draws_networks();
        Some(PaperSize { paper, jobs, networks, draws_networks, messages, cycles })
    }
}

impl PaperChosen {
    /// A study by its index. `None` if there is no such study.
    pub fn of(index: usize) -> Option<PaperChosen> {
        let citation = published().get(index)?.study().ok()?.paper;
        let small = PaperSize::of(Paper { index, is_small: true })?;
        let full = PaperSize::of(Paper { index, is_small: false })?;
        Some(PaperChosen { index, citation, sizes: [small, full] })
    }
}

impl PaperChosen {
    /// The counts to choose from: only the full ones if the small ones are the same.
    pub fn choices(&self) -> impl Iterator<Item = &PaperSize> {
        let [small, full] = &self.sizes;
        let are_same = PaperSize { paper: full.paper, ..*small } == *full;
        self.sizes.iter().skip(usize::from(are_same))
    }
}

impl Study {
    /// Looks at a published study, or at none if it is looked at already.
    pub fn choose_paper(&mut self, index: usize) {
        let is_chosen = self.paper.as_ref().is_some_and(|chosen| chosen.index == index);
        self.paper = if is_chosen { None } else { PaperChosen::of(index) };
    }

    /// Makes a published study the current one. Its jobs are the points. False if there is no such
    /// study.
    pub fn begin_paper(&mut self, paper: Paper) -> bool {
        let Some(size) = PaperSize::of(paper) else { return false };
        let checked = Checked { points: size.jobs, key: paper.key(), ..Checked::default() };
        let current = Current { checked, paper: Some(paper), ..Current::default() };
        self.make_current(current, LookChosen::default());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::Phase;
    use super::*;
    use crate::protocol::study::ToStudy;
    use crate::state::welcome;

    fn index(id: &str) -> usize {
        published().iter().position(|item| item.id == id).expect("the study is published")
    }

    #[test]
    fn every_published_study_has_a_citation_and_small_counts_are_smaller() {
        for (index, item) in published().iter().enumerate() {
            let PaperChosen { citation, sizes: [small, full], .. } =
                PaperChosen::of(index).unwrap_or_else(|| panic!("{}", item.id));
            assert!(!citation.is_empty(), "{}", item.id);
            assert!(0 < small.jobs && small.jobs <= full.jobs, "{}", item.id);
            match full.messages {
                0 => assert!(full.cycles > 0, "{}", item.id),
                messages => assert!(small.messages < messages, "{}", item.id),
            }
        }
        let sizes = PaperChosen::of(index("thesis-latency")).expect("it is published").sizes;
        let short = PaperChosen::of(index("recn-hot-spot")).expect("it is published");
        assert_eq!(short.choices().map(|size| size.paper.is_small).collect::<Vec<_>>(), [false]);
        let jobs_and_networks = sizes.map(|size| (size.jobs, size.networks, size.messages));
        assert_eq!(jobs_and_networks, [(12, 1, 2500), (120, 10, 50_000)]);
    }

    #[test]
    fn a_second_choice_of_a_study_closes_it() {
        let mut study = Study::default();
        study.choose_paper(2);
        assert_eq!(study.paper.as_ref().map(|chosen| chosen.index), Some(2));
        study.choose_paper(1);
        assert_eq!(study.paper.as_ref().map(|chosen| chosen.index), Some(1));
        study.choose_paper(1);
        assert_eq!(study.paper, None);
        study.choose_paper(published().len());
        assert_eq!(study.paper, None);
    }

    #[test]
    fn a_study_that_was_cancelled_goes_on_and_one_with_other_counts_begins_anew() {
        let mut study = Study { workers: 2, ..Study::default() };
        let paper = Paper { index: index("thesis-latency"), is_small: true };
        assert!(study.begin_paper(paper));
        study.take_stored([]);
        assert_eq!((study.phase, study.sweep.points), (Phase::Running, 12));
        assert_eq!(study.current.opening(7), ToStudy::OpenPaper { number: 7, paper });
        assert_eq!([study.sweep.next(0), study.sweep.next(1)], [Some(0), Some(1)]);
        assert!(study.sweep.finish(1, 1, 0.5));
        study.results.insert(1, "found".into());
        study.sweep.stop();
        assert!(study.begin_paper(paper));
        study.take_stored([]);
        assert_eq!((study.sweep.done, study.sweep.open(), study.sweep.next(0)), (1, 11, Some(0)));
        assert!(study.begin_paper(Paper { is_small: false, ..paper }));
        study.take_stored([]);
        assert_eq!((study.sweep.done, study.sweep.points), (0, 120));
        assert!(!study.begin_paper(Paper { index: published().len(), is_small: true }));
    }

    #[test]
    fn an_experiment_after_a_study_is_an_experiment() {
        let mut study = Study::default();
        assert!(study.begin_paper(Paper { index: 0, is_small: true }));
        let checked = Checked { points: 3, key: "a".into(), ..Checked::default() };
        study.checked = Some(Ok(checked));
        study.begin(&welcome());
        assert_eq!(study.current.paper, None);
        assert!(matches!(study.current.opening(1), ToStudy::Open { number: 1, .. }));
    }
}
