//! What a link says of the studies, as parts of an address's fragment: `&study=` and the draft, or
//! `&paper=` and the name of a published study; then whether its counts are small or full, if it
//! was run, and whether it runs; and a scenario after each `&with=` with which that of the stage is
//! compared.

use super::comparison::MOST_COMPARED;
use super::{Phase, Study};
use crate::protocol::papers::Paper;
use crate::text::problems_in_words;
use hopscope_core::scenario::Scenario;
use hopscope_core::scenario::share::{from_word, to_word};
use hopscope_core::study::published;
use std::rc::Rc;

/// Precedes a scenario that is compared.
const WITH: &str = "with=";

/// What a link says of the studies.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyLink {
    /// What is shown.
    pub shown: LinkShown,
    /// Whether its points run.
    pub runs: bool,
    /// The scenarios with which that of the stage is compared.
    pub compared: Vec<Rc<Scenario>>,
}

/// What a link shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkShown {
    /// A draft, as [`super::Draft::to_link`] writes it, or why it cannot be read.
    Draft(Result<String, String>),
    /// A published study, by its index, and whether it was run with small counts.
    Paper(usize, Option<bool>),
}

impl StudyLink {
    /// Reads a fragment. `None` if it says nothing of studies.
    pub fn parse(fragment: &str) -> Option<StudyLink> {
        let part = |name: &str| fragment.split('&').find_map(|part| part.strip_prefix(name));
        let has = |word: &str| part(word) == Some("");
        let shown = if let Some(word) = part("study=") {
            LinkShown::Draft(from_word(word).map_err(|problems| problems_in_words(&problems)))
        } else {
            let id = part("paper=")?;
            let index = published().iter().position(|study| study.id == id)?;
            LinkShown::Paper(index, has("small").then_some(true).or(has("full").then_some(false)))
        };
        let words = fragment.split('&').filter_map(|part| part.strip_prefix(WITH));
        let compared = words.filter_map(|word| Scenario::from_link(word).ok()).map(Rc::new);
        let compared = compared.take(MOST_COMPARED - 1).collect();
        Some(StudyLink { shown, runs: has("run"), compared })
    }
}

impl Study {
    /// What a link says of the studies; nothing while they are not shown.
    pub fn to_link(&self) -> String {
        if !self.is_shown {
            return String::new();
        }
        let chosen = self.paper.as_ref().map(|chosen| chosen.index);
        let name = |index: usize| published().get(index).map_or("", |study| study.id);
        match (self.current.paper, chosen) {
            (Some(Paper { index, is_small }), _) => {
                format!("&paper={}&{}", name(index), if is_small { "small" } else { "full" })
            }
            (None, Some(index)) if self.phase == Phase::Idle => format!("&paper={}", name(index)),
            _ => format!("&study={}", to_word(&self.draft.to_link())) + &self.compared_to_link(),
        }
    }

    /// The scenarios with which that of the stage is compared.
    fn compared_to_link(&self) -> String {
        let others = self.comparison.iter().flat_map(|comparison| &comparison.scenarios[1..]);
        others.map(|other| format!("&{WITH}{}", other.to_link())).collect()
    }

    /// Whether points run, or will.
    pub fn is_running(&self) -> bool {
        matches!(self.phase, Phase::Reading | Phase::Running | Phase::Asking)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Comparison, Draft};
    use super::*;
    use crate::state::welcome;

    fn shown(study: &Study) -> Option<LinkShown> {
        StudyLink::parse(&format!("s=1abc{}", study.to_link())).map(|link| link.shown)
    }

    #[test]
    fn a_draft_and_a_published_study_come_back_from_a_link() {
        let draft = Draft::load_sweep(&welcome(), None);
        let mut study = Study { draft, ..Study::default() };
        assert_eq!(shown(&study), None, "the stage is shown");
        study.is_shown = true;
        assert_eq!(shown(&study), Some(LinkShown::Draft(Ok(study.draft.to_link()))));
        let other = Rc::new(Scenario { seed: 7, ..welcome() });
        study.comparison = Some(Comparison::of(&Rc::new(welcome()), &[Rc::clone(&other)]));
        let link = StudyLink::parse(&format!("s=1abc{}", study.to_link())).expect("it is a study");
        let seed = welcome().seed;
        assert_eq!(link.compared, [Rc::new(Scenario { seed, ..(*other).clone() })]);
        study.choose_paper(1);
        assert_eq!(shown(&study), Some(LinkShown::Paper(1, None)));
        for is_small in [true, false] {
            assert!(study.begin_paper(Paper { index: 3, is_small }));
            assert_eq!(shown(&study), Some(LinkShown::Paper(3, Some(is_small))));
        }
    }

    #[test]
    fn other_words_say_nothing_of_studies_and_damaged_ones_say_why() {
        assert_eq!(StudyLink::parse("s=1abc"), None);
        assert_eq!(StudyLink::parse("paper=no-such-study"), None);
        let link = StudyLink::parse("study=broken&run").expect("it is of a study");
        assert!(link.runs && matches!(link.shown, LinkShown::Draft(Err(_))));
    }
}
