//! Starting the page with what the browser kept and, for those who speak another language, its words.

use super::keep::Keeper;
use super::{Msg, Page, Tour, address, browser};
use crate::document::Document;
use crate::text::Language;
use std::cell::RefCell;
use std::rc::Rc;
use yew::Properties;
use yew::html::Scope;

/// The page does not wait longer for the browser to open its store; a slow one may still do so later.
const PATIENCE_MS: i32 = 1500;

/// Starts the page, with what the browser kept.
pub fn run() {
    let page: Rc<RefCell<Option<yew::AppHandle<Page>>>> = Rc::default();
    let start = move |opened: Opened| {
        let mut page = page.borrow_mut();
        match (&*page, opened.keeper) {
            (None, keeper) => {
                *page =
                    Some(yew::Renderer::with_props(Opened { keeper, kept: opened.kept }).render());
            }
            (Some(page), Some(keeper)) => page.send_message(Msg::KeeperOpened(keeper, opened.kept)),
            (Some(_), None) => {}
        }
    };
    browser::language().speak();
    let without = start.clone();
    browser::after_ms(PATIENCE_MS, move || without(Opened::default()));
    wasm_bindgen_futures::spawn_local(async move {
        let keeper = Keeper::open().await.map(Rc::new);
        let kept = match &keeper {
            Some(keeper) => keeper.last().await.map(|kept| kept.json),
            None => None,
        };
        learn().await;
        start(Opened { keeper, kept });
    });
}

/// Fetches the words that only the language spoken needs; true if there are some that were not there before.
async fn learn() -> bool {
    if Language::spoken() != Language::Spanish || crate::text::knows_spanish() {
        return false;
    }
    let words = browser::file(crate::text::SPANISH_FILE).await;
    words.map(crate::text::learn_spanish).is_some()
}

/// What the page starts with.
#[derive(Clone, Default, Properties)]
pub struct Opened {
    /// Where documents are kept.
    pub(super) keeper: Option<Rc<Keeper>>,
    /// The document kept last.
    pub(super) kept: Option<String>,
}

impl PartialEq for Opened {
    fn eq(&self, other: &Opened) -> bool {
        self.kept == other.kept
    }
}

impl Page {
    /// The place where documents are kept came late: for what is drawn from now on, and for what was kept if nobody has
    /// begun anything else.
    pub(super) fn keeper_opened(&mut self, keeper: Rc<Keeper>, kept: Option<String>) {
        self.keeper = Some(keeper);
        let begun =
            self.document.undoable().is_some() || self.class.is_some() || self.tour != Tour::UpDown;
        if let (false, (address::Opening::Kept(scenario), _)) =
            (begun, address::opening(kept.as_deref()))
        {
            self.document = Document::new(scenario);
            self.kept_last = Rc::clone(self.document.scenario());
            self.tour = Tour::CameBack;
            self.run.warm_when_loaded = false;
            self.document_changed();
            self.forget_previous();
            self.fit();
        }
    }

    /// Sets the language of everything.
    pub(super) fn speak(&mut self, link: &Scope<Page>, language: Language) {
        language.speak();
        browser::keep_language(language);
        self.ask_for_words(link);
    }

    /// Has the words fetched that only this language needs.
    fn ask_for_words(&self, link: &Scope<Page>) {
        let link = link.clone();
        wasm_bindgen_futures::spawn_local(async move {
            if learn().await {
                link.send_message(Msg::Learnt);
            }
        });
    }
}
