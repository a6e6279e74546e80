//! The desk of studies: the worker that checks drafts, keeps the results of points, draws the
//! figure and writes files.

use super::browser;
use super::msg::Msg;
use super::parts::Page;
use super::save::save_png_of;
use super::study::{StudyMsg, died, send};
use crate::protocol::study::{FromStudy, StudyFile, ToStudy};
use crate::state::file_name;
use crate::state::study::Phase;
use crate::text::text;
use hopscope_core::problem::Problems;
use std::rc::Rc;
use yew::html::Scope;

/// Time after an edit before the middle point is measured, and between two drawings.
const MEASURE_MS: i32 = 700;
const DRAW_MS: i32 = 150;
/// The space beside a figure, pixels.
const BESIDE: i32 = 58;
/// Bounds of the width of a figure, pixels.
const WIDTHS: (i32, i32) = (280, 1100);

impl Page {
    pub(super) fn on_desk(&mut self, link: &Scope<Page>, answer: FromStudy) {
        let study = &mut self.state.study;
        match answer {
            FromStudy::Checked { number, found } if number == self.studies.check => {
                study.checked = Some(found);
                if std::mem::take(&mut study.run_when_checked) {
                    self.run_draft(link);
                } else if !matches!(study.phase, Phase::Running | Phase::Reading) {
                    let link = link.clone();
                    let measure = Msg::Study(StudyMsg::Measure(number));
                    browser::after_ms(MEASURE_MS, move || link.send_message(measure));
                }
            }
            FromStudy::Drawn { number, drawn } => {
                let link = link.clone();
                let again = move || link.send_message(Msg::Study(StudyMsg::Drawn));
                browser::after_ms(DRAW_MS, again);
                if number != self.studies.current {
                    return;
                }
                match drawn {
                    Ok(drawn) => {
                        study.drawn = Some(Rc::from(drawn));
                        study.not_drawn = None;
                    }
                    Err(problems) => study.not_drawn = Some(problems),
                }
            }
            FromStudy::File { file, content } => match content {
                Ok(content) => self.save_study_file(link, file, &content),
                Err(problems) => study.not_drawn = Some(problems),
            },
            _ => {}
        }
    }

    /// Gives the desk what is current, with its results.
    pub(super) fn open_on_desk(&mut self, link: &Scope<Page>) {
        let study = &self.state.study;
        let number = self.studies.current;
        let opening = study.current.opening(number);
        let results: Vec<String> = study.results.values().cloned().collect();
        let desk = self.studies.desk(link);
        send(desk, opening);
        send(desk, ToStudy::Keep { results });
        self.studies.is_drawing = false;
    }

    /// Has the desk draw the figure, now or as soon as it has drawn the last one.
    pub(super) fn draw_study(&mut self) {
        let study = &self.state.study;
        if !study.is_shown || study.results.is_empty() {
            return;
        }
        let studies = &mut self.studies;
        studies.is_outdated = studies.is_drawing;
        if studies.is_drawing {
            return;
        }
        let Some(space) = browser::document().get_element_by_id("study-main") else { return };
        let space = space.client_width() - BESIDE;
        studies.width = space.clamp(WIDTHS.0, WIDTHS.1) as u32;
        if let Some(desk) = &studies.desk {
            studies.is_drawing = true;
            let look = study.look(self.state.display.theme, studies.width);
            send(desk, ToStudy::Draw { look });
        }
    }

    /// The desk has died: the next one gets the results again. What it was asked may have killed
    /// it, so it is not asked again.
    pub(super) fn replace_desk(&mut self, link: &Scope<Page>, why: String) {
        self.studies.desk = None;
        self.studies.is_drawing = false;
        self.state.study.not_drawn = Some(died(why));
        if self.state.study.checked.is_none() {
            self.state.study.checked = Some(Err(Problems::default()));
        }
        if !self.state.study.results.is_empty() {
            self.open_on_desk(link);
        }
    }

    fn save_study_file(&mut self, link: &Scope<Page>, file: StudyFile, content: &str) {
        let study = &self.state.study;
        let title = study.current.title();
        let stem = if title.is_empty() { "study".to_owned() } else { file_name(title) };
        let (ending, media_type) = file.ending();
        let name = format!("{stem}.{ending}");
        match file {
            StudyFile::Png => save_png_of(content, link, name),
            StudyFile::Citation => self.copy_text(link, content, text().citation_copied),
            _ => self.save_text(link, &name, content, media_type),
        }
    }
}
