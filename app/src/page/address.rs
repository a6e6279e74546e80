//! Where the document lives between visits: always in the address, so that a link holds it, and a copy in the browser,
//! so that a closed tab comes back. Each tab has its own address: two tabs never overwrite each other.

use super::{Dialog, Msg, Page, Tour, browser, tour};
use crate::document::Document;
use crate::text::{fill, text};
use hopscope_core::scenario::Scenario;
use hopscope_core::scenario::share::COMFORTABLE_CHARS;
use yew::html::Scope;

const KEPT: &str = "hopscope.document";
/// Browsers keep longer addresses, but what is passed on should survive mail and chat.
const MAX_CHARS: usize = 4 * COMFORTABLE_CHARS;
const START: &str = "#s=";
const LESSON: &str = "#lesson=";
/// After a lesson's name: nothing but the lesson may be used.
const LOCK: &str = "&lock";

/// What the page opens with.
pub enum Opening {
    /// What the link holds.
    Link(Scenario),
    /// What this browser kept.
    Kept(Scenario),
    /// The first look.
    Welcome,
}

/// What to open with, and what is wrong with the link if anything is.
pub fn opening() -> (Opening, Option<String>) {
    let mut trouble = None;
    match from_address() {
        Some(Ok(scenario)) => return (Opening::Link(scenario), None),
        Some(Err(why)) => trouble = Some(why),
        None => {}
    }
    let kept = browser::storage().and_then(|storage| storage.get_item(KEPT).ok().flatten());
    match kept.and_then(|json| Scenario::read(&json).ok()) {
        Some(scenario) => (Opening::Kept(scenario), trouble),
        None => (Opening::Welcome, trouble),
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
    pub(super) fn keep(&self) {
        let scenario = self.document.scenario();
        let untouched = **scenario == tour::welcome();
        let location = browser::window().location();
        let path = location.pathname().unwrap_or_default() + &location.search().unwrap_or_default();
        let fragment = match &self.class {
            Some(class) => {
                Some(format!("{LESSON}{}{}", class.lesson().id, if class.locked { LOCK } else { "" }))
            }
            None if untouched => None,
            None => fragment(scenario),
        };
        let address = fragment.map_or(path.clone(), |fragment| path + &fragment);
        if let Ok(history) = browser::window().history() {
            history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address)).ok();
        }
        // What was drawn before the lesson stays kept.
        let (Some(storage), None) = (browser::storage(), &self.class) else { return };
        if untouched {
            storage.remove_item(KEPT).ok();
        } else {
            storage.set_item(KEPT, &scenario.to_json()).ok();
        }
    }

    pub(super) fn address_changed(&mut self, link: &Scope<Page>) {
        if let Some((id, locked)) = lesson() {
            return self.begin_lesson_named(&id, locked);
        }
        match from_address() {
            Some(Ok(scenario)) if scenario != **self.document.scenario() => self.open(link, scenario),
            Some(Err(why)) => self.say(link, fill(text().bad_link, &[&why])),
            _ => {}
        }
    }

    /// Puts a link to the document into the clipboard.
    pub(super) fn copy_link(&mut self, link: &Scope<Page>) {
        let Some(fragment) = fragment(self.document.scenario()) else {
            return self.say(link, text().link_too_long.into());
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
        let name = if scenario.name.is_empty() { text().unnamed.to_owned() } else { scenario.name.clone() };
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

    /// Throws away what was kept and begins with the first look.
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
