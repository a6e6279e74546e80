//! Opens and saves: links, files, the browser's storage. A file with problems is explained and
//! leaves the document as it was; a network in another format is shown before it is opened.

use super::msg::Msg;
use super::parts::{Page, restored};
use super::save::save_picture;
use super::storage::Storage;
use super::{address, browser};
use crate::document::Document;
use crate::edit::{self, Kind};
use crate::protocol::RunResults;
use crate::stage::{Overlay, image};
use crate::state::{
    Content, Dialog, FileProblems, InsideOf, LessonAction, LessonStep, Linkable, OnLoad,
    PictureFormat, Pin, StoredDocument, Tab, Tour, check_start, file_name, is_welcome, read_file,
    welcome,
};
use crate::text::{fill, message, problems, text};
use address::{Moment, Target};
use hopscope_core::message::Message;
use hopscope_core::problem::Problems;
use hopscope_core::scenario::formats::{self, Format};
use hopscope_core::scenario::limits::MAX_FILE_BYTES;
use hopscope_core::scenario::{DrawnNetwork, Scenario};
use std::rc::Rc;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::File;
use yew::html::Scope;

/// Bytes by which a file is recognised.
const START_BYTES: f64 = 65_536.0;

impl Page {
    /// Opens a scenario, as one step that can be undone.
    pub(super) fn open(&mut self, link: &Scope<Page>, scenario: Scenario) {
        let name = match scenario.name.as_str() {
            "" => text().unnamed.to_owned(),
            name => name.to_owned(),
        };
        let state = &mut self.state;
        state.tour = Tour::Over;
        state.lesson = None;
        state.dialogs.close();
        state.stage.marks.selection.clear();
        state.notices.file = None;
        self.close_views();
        let state = &mut self.state;
        if state.document.change(Kind::Open, scenario) {
            self.document_changed();
            self.state.run.forget_previous();
            self.state.run.on_load.first_cycles = self.state.run.is_loading();
        }
        self.look_into_single_switch();
        self.fit();
        self.recheck_draft(link);
        self.say(link, fill(text().opened, &[&name]));
    }

    /// Begins the tour again, with a document of its own.
    pub(super) fn start_over(&mut self) {
        self.show_stage();
        self.state.tour = Tour::UpDown;
        self.state.run.on_load.play = !browser::reduced_motion();
        self.state.run.on_load.warm_up = true;
        self.state.stage.marks.selection.clear();
        self.replace_document(Document::new(welcome()));
    }

    /// Names the scenario that the page opened with in the language that the page has now, if the
    /// user has not changed it.
    pub(super) fn rename_welcome(&mut self) {
        let document = &mut self.state.document;
        let is_new = document.undoable().is_none() && document.redoable().is_none();
        if is_new && is_welcome(document.scenario()) {
            document.replace(Document::new(welcome()));
            self.autosave.set_saved(document.scenario());
            self.write_address();
        }
    }

    /// Shows the inside of a switch that is the whole network: there is nothing else to see.
    pub(super) fn look_into_single_switch(&mut self) {
        let picture = &self.state.stage.picture;
        if picture.switches.len() == 1 && picture.hosts.len() > 1 {
            self.look_inside(Some(InsideOf { switch: 0, output: None }));
        }
    }

    /// Closes what is shown of the document that is left: the inside of a switch, what is pinned,
    /// details of flows, overlays about a choice that was made in it; and ends picking in it.
    fn close_views(&mut self) {
        self.state.tools.end_picking();
        self.state.display.open_flows.clear();
        self.look_inside(None);
        self.pin(Pin::None);
        self.state.routes.ends = Default::default();
        if matches!(self.state.display.overlay, Overlay::Pair | Overlay::Failure) {
            self.state.display.overlay = Overlay::None;
        }
    }

    fn replace_document(&mut self, document: Document) {
        self.close_views();
        self.state.document.replace(document);
        self.state.run.forget_previous();
        self.document_changed();
        self.fit();
    }

    /// Writes the document or the lesson into the page's address.
    pub(super) fn write_address(&mut self) {
        if self.studies.is_following() {
            return;
        }
        let scenario = self.state.document.scenario();
        let fragment = match &self.state.lesson {
            Some(open) => Some(address::of_lesson(open.lesson().id, open.locked)),
            None => match self.state.study.to_link() {
                study if study.is_empty() && is_welcome(scenario) => Some(String::new()),
                study => {
                    let runs = if self.state.study.is_running() { "&run" } else { "" };
                    // A study that is too long for an address leaves the document in it.
                    let of_study = address::of_shown(scenario, &(study + runs));
                    of_study.or_else(|| address::of_scenario(scenario))
                }
            },
        };
        self.state.notices.set_linkable(fragment.is_some());
        address::replace(&fragment.unwrap_or_default());
    }

    /// Opens what the edited address asks for.
    pub(super) fn on_address_changed(&mut self, link: &Scope<Page>) {
        let (followed, moment) = (address::study(), Moment::of_address());
        let bad_step = Moment::bad_step();
        match address::target() {
            Target::Lesson(id, locked) => {
                if !self.begin_lesson_named(&id, locked) {
                    self.say(link, bad_lesson(&id));
                }
            }
            Target::Scenario(Ok(scenario)) if *scenario != **self.state.scenario() => {
                self.open(link, *scenario);
            }
            Target::Scenario(Err(why)) => self.say(link, fill(text().bad_link, &[&why])),
            Target::Scenario(Ok(_)) | Target::Nothing => {}
        }
        if let Some(followed) = followed {
            self.follow_study_link(link, followed);
        }
        if let Some(moment) = moment {
            self.show_moment(link, moment);
        }
        self.tell_bad_step(link, bad_step);
    }

    /// Tells of a step in a link that no lesson has.
    pub(super) fn tell_bad_step(&mut self, link: &Scope<Page>, word: Option<String>) {
        if let (Some(word), true) = (word, self.state.lesson.is_some()) {
            self.say(link, fill(text().no_such_step, &[&word]));
        }
    }

    /// Goes to a moment of the run, shown as a link says.
    pub(super) fn show_moment(&mut self, link: &Scope<Page>, moment: Moment) {
        let Moment { cycle, pin, speed, overlay, step } = moment;
        let runs = self.state.lesson.as_ref().map(|taken| taken.lesson().runs.len());
        let exists = |step: &LessonStep| match step {
            LessonStep::Run(run) => runs.is_some_and(|runs| *run < runs),
            LessonStep::Predict | LessonStep::Explain => runs.is_some(),
        };
        match (step, runs) {
            (Some(step), Some(runs)) if exists(&step) => {
                if step == LessonStep::Explain {
                    // What is explained after the last run is shown beside that run.
                    self.on_lesson(LessonAction::Step(LessonStep::Run(runs - 1)));
                }
                self.on_lesson(LessonAction::Step(step));
            }
            (Some(LessonStep::Run(run)), Some(_)) => {
                self.say(link, fill(text().no_such_run, &[&(run + 1)]));
            }
            _ => {}
        }
        if pin.exists(&self.state.stage.picture) {
            self.pin(pin);
        }
        self.set_speed(speed);
        self.state.display.overlay = overlay;
        if self.state.run.is_loading() {
            self.state.run.on_load = OnLoad { replay_to: cycle, ..OnLoad::default() };
        } else {
            self.seek(cycle);
        }
    }

    /// Copies a link to the document, and to the study if one is shown, to the clipboard.
    pub(super) fn copy_link(&mut self, link: &Scope<Page>) {
        let study = self.state.study.to_link();
        if let Some(address) = self.link_to(&study) {
            copy(link, &address, text().link_copied, text().link_not_copied);
        }
    }

    /// Copies a link to the cycle shown, with all that is shown of it: speed, overlay, what is
    /// pinned, the step of the lesson.
    pub(super) fn copy_moment(&mut self, link: &Scope<Page>) {
        let taken = self.state.lesson.as_ref();
        let moment = Moment {
            cycle: self.state.run.stats.cycle,
            pin: self.state.inspection.pin,
            speed: self.state.run.speed(),
            overlay: self.state.display.overlay,
            step: taken.map(|taken| taken.step),
        };
        let of_lesson = taken.map(|taken| address::of_lesson(taken.lesson().id, taken.locked));
        let address = match of_lesson {
            Some(lesson) => Some(address::link(&(lesson + &moment.to_link()))),
            None => self.link_to(&moment.to_link()),
        };
        if let Some(address) = address {
            copy(link, &address, text().moment_copied, text().not_copied);
        }
    }

    /// Copies the element that shows the document in a frame of a web page; or the lesson, locked.
    pub(super) fn copy_frame(&mut self, link: &Scope<Page>) {
        let address = match &self.state.lesson {
            Some(taken) => Some(address::link(&address::of_lesson(taken.lesson().id, true))),
            None => self.link_to(&self.state.study.to_link()),
        };
        if let Some(address) = address {
            // The address has no character that would end the attribute: browsers encode them.
            let address = address.replace('&', "&amp;");
            let element = format!(
                "<iframe src=\"{address}\" title=\"Hopscope\" width=\"100%\" height=\"640\" \
                 allow=\"clipboard-write\"></iframe>"
            );
            copy(link, &element, text().frame_copied, text().not_copied);
        }
    }

    /// The address of the document and of what is shown of it. If it would be too long, the page
    /// offers a file instead.
    fn link_to(&mut self, shown: &str) -> Option<String> {
        let fragment = address::of_shown(self.state.document.scenario(), shown);
        if fragment.is_none() {
            self.state.notices.linkable = Linkable::TooLarge;
        }
        Some(address::link(&fragment?))
    }

    /// Copies a text to the clipboard, and says so.
    pub(super) fn copy_text(&self, link: &Scope<Page>, words: &str, done: &'static str) {
        copy(link, words, done, text().not_copied);
    }

    /// Saves the results of the measurement, or those so far, as the command line prints them.
    pub(super) fn save_results(&mut self, link: &Scope<Page>, results: RunResults) {
        let stem = file_name(&self.state.document.scenario().name);
        let (name, json, words) = match results.measured {
            Some(json) => (format!("{stem}.results.json"), json, text().saved),
            None => (format!("{stem}.so-far.json"), results.now, text().saved_so_far),
        };
        let words = fill(words, &[&name]);
        self.save_text_saying(link, &name, &json, "application/json", words);
    }

    /// The browser's storage opened after the page: the page stores documents from now on, and
    /// restores the last one if the user has not begun anything else.
    pub(super) fn on_storage_opened(&mut self, storage: Rc<Storage>, last: Option<StoredDocument>) {
        self.autosave.storage = Some(storage);
        let state = &self.state;
        let untouched = state.document.undoable().is_none()
            && state.lesson.is_none()
            && state.tour == Tour::UpDown
            && !matches!(address::target(), Target::Scenario(Ok(_)));
        if let (true, Some(document)) = (untouched, restored(last.as_ref())) {
            self.state.tour = Tour::CameBack;
            self.state.run.on_load.warm_up = false;
            self.replace_document(document);
            self.autosave.set_saved(self.state.document.scenario());
        }
    }

    /// Reads the stored documents for the gallery.
    pub(super) fn read_stored_documents(&self, link: &Scope<Page>) {
        if let Some(storage) = &self.autosave.storage {
            let (storage, link) = (Rc::clone(storage), link.clone());
            spawn_local(async move {
                link.send_message(Msg::StoredDocuments(storage.all().await));
            });
        }
    }

    /// Reads a file, then opens it.
    pub(super) fn read_file(&mut self, link: &Scope<Page>, file: File) {
        let link = link.clone();
        spawn_local(async move {
            let name = file.name();
            link.send_message(match text_of(&name, &file).await {
                Ok(content) => Msg::Action(crate::action::Action::OpenText(name, content)),
                Err(problems) => Msg::FileProblems(FileProblems { name, problems }),
            });
        });
    }

    /// Opens the text of a file, or shows its problems.
    pub(super) fn open_text(&mut self, link: &Scope<Page>, name: &str, content: &str) {
        match read_file(name, content) {
            Ok(Content::Scenario(piece)) if piece.name == edit::PIECE => self.paste(*piece),
            Ok(Content::Scenario(scenario)) => self.open(link, *scenario),
            Ok(Content::Experiment(experiment)) => self.open_experiment(link, &experiment, false),
            Ok(Content::Trace) => self.open_trace(link, name, content),
            Ok(Content::Network(import)) => {
                self.state.notices.file = None;
                self.state.dialogs.import = Some(*import);
                self.state.dialogs.open = Dialog::Import;
            }
            Err(problems) => self.show_file_problems(name.to_owned(), problems),
        }
    }

    /// Makes a trace the application of the document. A lesson ends.
    fn open_trace(&mut self, link: &Scope<Page>, name: &str, content: &str) {
        let state = &mut self.state;
        let mut scenario = (**state.document.scenario()).clone();
        edit::application::open_trace(&mut scenario, name, content);
        state.tour = Tour::Over;
        state.lesson = None;
        state.notices.file = None;
        state.dialogs.close();
        state.display.tab = Tab::APPLICATION;
        if state.document.change(Kind::Application, scenario) {
            self.document_changed();
        }
        self.say(link, fill(text().trace_opened, &[&name]));
    }

    fn show_file_problems(&mut self, name: String, problems: Problems) {
        self.state.notices.file = Some(FileProblems { name, problems });
        // They are shown on the stage.
        self.state.study.is_shown = false;
    }

    /// Gives every switch of the network about to be imported this many hosts.
    pub(super) fn set_import_hosts(&mut self, hosts_per_switch: u32) {
        let Some(import) = &self.state.dialogs.import else { return };
        match import.with_hosts(hosts_per_switch) {
            Ok(import) => self.state.dialogs.import = Some(import),
            Err(problems) => {
                let name = import.name.clone();
                self.state.dialogs.close();
                self.show_file_problems(name, problems);
            }
        }
    }

    /// Opens the network about to be imported.
    pub(super) fn open_import(&mut self, link: &Scope<Page>) {
        if let Some(import) = self.state.dialogs.import.take() {
            self.open(link, import.scenario());
        }
    }

    /// Saves the document as a scenario file.
    pub(super) fn save(&mut self, link: &Scope<Page>) {
        let scenario = self.state.document.scenario();
        let name = format!("{}.hopscope.json", file_name(&scenario.name));
        let json = scenario.to_json();
        self.save_text(link, &name, &json, "application/json");
    }

    /// The network with its positions on the stage.
    fn network_shown(&self) -> DrawnNetwork {
        let mut scenario = (**self.state.document.scenario()).clone();
        let picture = &self.state.stage.picture;
        let network = edit::drawn(&mut scenario, &picture.network, &picture.switches);
        edit::stand(network, &picture.switches);
        network.clone()
    }

    /// Saves the network in a format, and says what the format leaves out.
    pub(super) fn export(&mut self, link: &Scope<Page>, format: Format) {
        let stem = file_name(&self.state.document.scenario().name);
        let name = format!("{stem}.{}", format.extensions()[0]);
        self.state.dialogs.close();
        match formats::export(format, &self.network_shown()) {
            Ok((content, notes)) => {
                let notes = notes.iter().map(message);
                let said = std::iter::once(fill(text().saved, &[&name])).chain(notes);
                let words = said.collect::<Vec<_>>().join(". ");
                self.save_text_saying(link, &name, &content, "text/plain", words);
            }
            Err(problems) => self.show_file_problems(name, problems),
        }
    }

    /// Saves a picture of the stage.
    pub(super) fn save_picture(&mut self, link: &Scope<Page>, format: PictureFormat) {
        self.state.dialogs.close();
        let scenario = self.state.document.scenario();
        let stem = file_name(&scenario.name);
        match format {
            PictureFormat::Svg => {
                let name = format!("{stem}.svg");
                let svg = image::svg(&self.state.stage.picture, &scenario.name);
                self.save_text(link, &name, &svg, "image/svg+xml");
            }
            PictureFormat::Png => {
                self.state.stage.png(&save_picture(link, format!("{stem}.png")));
            }
        }
    }
}

/// What the page says of a link to a lesson that does not exist.
pub(super) fn bad_lesson(id: &str) -> String {
    fill(text().bad_link, &[&fill(text().no_such_lesson, &[&id])])
}

fn copy(link: &Scope<Page>, words: &str, done: &'static str, failed: &'static str) {
    let (words, link) = (words.to_owned(), link.clone());
    spawn_local(async move {
        let said = if browser::copy(&words).await { done } else { failed };
        link.send_message(Msg::Say(said.into()));
    });
}

/// The text of a file. Of one that cannot be opened only the start is read.
async fn text_of(name: &str, file: &File) -> Result<String, Problems> {
    let refused = |why| Problems::one(name, why, Message::default());
    let failed = |why| refused(problems::file_not_read(format!("{why:?}")));
    if file.size() > START_BYTES {
        let start = file.slice_with_f64_and_f64(0.0, START_BYTES).map_err(failed)?;
        let start = JsFuture::from(start.text()).await.map_err(failed)?;
        check_start(name, &start.as_string().unwrap_or_default())?;
    }
    if file.size() > MAX_FILE_BYTES as f64 {
        return Err(refused(problems::file_too_large(MAX_FILE_BYTES >> 20)));
    }
    let content = JsFuture::from(file.text()).await.map_err(failed)?;
    Ok(content.as_string().unwrap_or_default())
}
