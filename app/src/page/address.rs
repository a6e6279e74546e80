//! Where the document lives between visits: always in the address, so that a link holds it, and a copy in the browser
//! (see [`super::keep`]), so that a closed tab comes back. Each tab has its own of both.

use super::{Dialog, Msg, Page, Tour, browser, tour};
use crate::document::Document;
use crate::text::{fill, text};
use hopscope_core::scenario::Scenario;
use hopscope_core::scenario::share::COMFORTABLE_CHARS;
use std::rc::Rc;
use yew::html::Scope;

/// A change is kept after this long, together with those that follow it at once.
const KEEP_MS: i32 = 300;
/// Browsers keep longer addresses, but what is passed on should survive mail and chat.
const MAX_CHARS: usize = 4 * COMFORTABLE_CHARS;
const START: &str = "#s=";
const LESSON: &str = "#lesson=";
/// After a lesson's name: nothing but the lesson may be used.
const LOCK: &str = "&lock";

/// Whether a link can hold the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linkable {
    /// It can.
    Yes,
    /// It cannot: a file is offered.
    TooLarge,
    /// It cannot, and the user knows.
    Known,
}

/// What the page opens with.
pub enum Opening {
    /// What the link holds.
    Link(Scenario),
    /// What this browser kept.
    Kept(Scenario),
    /// The first look.
    Welcome,
}

/// What to open with, given what the browser kept, and what is wrong with the link if anything is.
pub fn opening(kept: Option<&str>) -> (Opening, Option<String>) {
    let mut trouble = None;
    match from_address() {
        Some(Ok(scenario)) => return (Opening::Link(scenario), None),
        Some(Err(why)) => trouble = Some(why),
        None => {}
    }
    match kept.and_then(|json| Scenario::read(json).ok()) {
        Some(scenario) if scenario != tour::welcome() => (Opening::Kept(scenario), trouble),
        _ => (Opening::Welcome, trouble),
    }
}

/// The lesson the address names, and whether everything else is locked.
pub fn lesson() -> Option<(String, bool)> {
    let fragment = browser::window().location().hash().ok()?;
    let name = fragment.strip_prefix(LESSON)?;
    Some(match name.strip_suffix(LOCK) {
        Some(name) => (name.to_owned(), true),
        None => (name.to_owned(), false),
    })
}

fn from_address() -> Option<Result<Scenario, String>> {
    let fragment = browser::window().location().hash().ok()?;
    let word = fragment.strip_prefix(START)?;
    Some(Scenario::from_link(word).map_err(|problems| problems.to_string()))
}

fn fragment(scenario: &Scenario) -> Option<String> {
    let word = scenario.to_link();
    (word.len() <= MAX_CHARS).then(|| format!("{START}{word}"))
}

impl Page {
    /// Writes the document down where it is found again.
    pub(super) fn keep(&mut self) {
        let scenario = self.document.scenario();
        let untouched = **scenario == tour::welcome();
        let location = browser::window().location();
        let path = location.pathname().unwrap_or_default() + &location.search().unwrap_or_default();
        let fragment = match &self.class {
            Some(class) => Some(format!(
                "{LESSON}{}{}",
                class.lesson().id,
                if class.locked { LOCK } else { "" }
            )),
            None if untouched => Some(String::new()),
            None => fragment(scenario),
        };
        // What a link could hold before is worth a word when it no longer can.
        let held = self.linkable;
        self.linkable = match fragment {
            Some(_) => Linkable::Yes,
            None if held == Linkable::Yes => Linkable::TooLarge,
            None => held,
        };
        let address = path + &fragment.unwrap_or_default();
        if let Ok(history) = browser::window().history() {
            history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address)).ok();
        }
    }

    /// Has the browser keep the document soon, if it keeps another one.
    pub(super) fn ask_to_keep(&mut self, link: &Scope<Page>) {
        // What was drawn before a lesson stays kept.
        let is_kept = Rc::ptr_eq(&self.kept_last, self.document.scenario()) || self.class.is_some();
        if !is_kept && !self.keeping_asked && self.keeper.is_some() {
            self.keeping_asked = true;
            let link = link.clone();
            browser::after_ms(KEEP_MS, move || link.send_message(Msg::Keep));
        }
    }

    /// Has the browser keep the document.
    pub(super) fn keep_now(&mut self) {
        self.keeping_asked = false;
        let scenario = self.document.scenario();
        if self.class.is_some() || Rc::ptr_eq(&self.kept_last, scenario) {
            return;
        }
        if let Some(keeper) = &self.keeper {
            self.kept_last = Rc::clone(scenario);
            let (keeper, name, json) =
                (Rc::clone(keeper), scenario.name.clone(), scenario.to_json());
            wasm_bindgen_futures::spawn_local(async move {
                // A browser that is out of room keeps what it has; the document is in the address, too.
                keeper.keep(name, json).await.ok();
            });
        }
    }

    /// Asks for the documents the browser keeps.
    pub(super) fn ask_for_kept(&self, link: &Scope<Page>) {
        if let Some(keeper) = &self.keeper {
            let (keeper, link) = (Rc::clone(keeper), link.clone());
            wasm_bindgen_futures::spawn_local(async move {
                link.send_message(Msg::KeptFound(keeper.all().await))
            });
        }
    }

    pub(super) fn address_changed(&mut self, link: &Scope<Page>) {
        if let Some((id, locked)) = lesson() {
            return self.begin_lesson_named(&id, locked);
        }
        match from_address() {
            Some(Ok(scenario)) if scenario != **self.document.scenario() => {
                self.open(link, scenario)
            }
            Some(Err(why)) => self.say(link, fill(text().bad_link, &[&why])),
            _ => {}
        }
    }

    /// Puts a link to the document into the clipboard.
    pub(super) fn copy_link(&mut self, link: &Scope<Page>) {
        let Some(fragment) = fragment(self.document.scenario()) else {
            self.linkable = Linkable::TooLarge;
            return;
        };
        let location = browser::window().location();
        let address = location.href().unwrap_or_default();
        let address = address.split('#').next().unwrap_or_default().to_owned() + &fragment;
        let copied = browser::window().navigator().clipboard().write_text(&address);
        let link = link.clone();
        wasm_bindgen_futures::spawn_local(async move {
            let words = match wasm_bindgen_futures::JsFuture::from(copied).await {
                Ok(_) => text().link_copied,
                Err(_) => text().not_copied,
            };
            link.send_message(Msg::Say(words.into()));
        });
    }

    /// Makes a scenario the document, as one step that can be undone.
    pub(super) fn open(&mut self, link: &Scope<Page>, scenario: Scenario) {
        let name = if scenario.name.is_empty() {
            text().unnamed.to_owned()
        } else {
            scenario.name.clone()
        };
        self.tour = Tour::Over;
        self.class = None;
        self.dialog = Dialog::None;
        self.stage.marks.selection.clear();
        self.file = None;
        self.fit_asked = true;
        if self.document.change(crate::edit::Kind::Open, scenario) {
            self.document_changed();
            self.forget_previous();
        }
        self.fit();
        self.say(link, fill(text().opened, &[&name]));
    }

    /// Begins with the first look.
    pub(super) fn start_over(&mut self) {
        self.document = Document::new(tour::welcome());
        self.tour = Tour::UpDown;
        self.run.play_when_loaded = !browser::reduced_motion();
        self.run.warm_when_loaded = true;
        self.stage.marks.selection.clear();
        self.fit_asked = true;
        self.forget_previous();
        self.document_changed();
        self.fit();
    }
}
