//! Opens what a link shows of the studies.

use super::parts::Page;
use crate::protocol::papers::Paper;
use crate::state::study::{Draft, LinkShown, StudyLink};
use crate::text::{fill, text};
use yew::html::Scope;

impl Page {
    /// Shows what a link says of the studies. Its points run if they ran when it was made.
    pub(super) fn follow_study_link(&mut self, link: &Scope<Page>, followed: StudyLink) {
        if !self.studies.is_opened {
            self.studies.link = Some(followed);
            return self.show_study(link);
        }
        self.show_study(link);
        let study = &mut self.state.study;
        study.only_shows = !followed.runs;
        match followed.shown {
            LinkShown::Paper(index, counts) => {
                if study.paper.as_ref().is_none_or(|chosen| chosen.index != index) {
                    study.choose_paper(index);
                }
                if let Some(is_small) = counts {
                    self.begin_paper(link, Paper { index, is_small });
                }
            }
            LinkShown::Draft(draft) => {
                let draft = draft.and_then(|text| {
                    Draft::from_link(&text).map_err(|problem| problem.to_string())
                });
                match draft {
                    Ok(draft) => {
                        study.draft = draft;
                        study.run_when_checked = true;
                        self.check_draft(link);
                        if !followed.compared.is_empty() {
                            self.state.study.others.kept = followed.compared;
                            self.compare(link);
                        }
                    }
                    Err(why) => self.say(link, fill(text().bad_link, &[&why])),
                }
            }
        }
    }
}
