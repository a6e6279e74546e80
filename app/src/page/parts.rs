//! What the page's component consists of.

use super::browser::Listener;
use super::canvas::Canvas;
use super::storage::{Autosave, Storage};
use super::study::Studies;
use super::worker_link::WorkerLink;
use crate::action::Action;
use crate::document::Document;
use crate::former::Former;
use crate::panels::view::Elements;
use crate::stage::gesture::Gesture;
use crate::state::{State, StoredDocument, is_welcome};
use hopscope_core::scenario::Scenario;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// The page.
pub struct Page {
    pub(super) state: State,
    pub(super) actions: Callback<Action>,
    pub(super) elements: Elements,
    pub(super) worker: WorkerLink,
    /// Computes what a failure would change, beside the simulation.
    pub(super) what_if_worker: Option<WorkerLink>,
    /// The workers and the storage of studies.
    pub(super) studies: Studies,
    pub(super) canvas: Canvas,
    pub(super) gesture: Gesture,
    pub(super) autosave: Autosave,
    /// The element that had the keyboard focus before the open dialog took it.
    pub(super) focus_before: Option<Element>,
    /// What has the keyboard focus after the next rendering: the first of these CSS selectors that
    /// finds an element. Empty if the focus stays.
    pub(super) focus_next: Vec<String>,
    /// The id of the element that is scrolled into view once it is rendered.
    pub(super) scroll_next: Option<String>,
    pub(super) _listeners: Vec<Listener>,
}

/// What the page starts with.
#[derive(Clone, Default, Properties)]
pub struct Opened {
    /// The browser's storage.
    pub(super) storage: Option<Rc<Storage>>,
    /// The document of the last visit.
    pub(super) last: Option<StoredDocument>,
}

impl PartialEq for Opened {
    fn eq(&self, other: &Opened) -> bool {
        self.last == other.last
    }
}

/// The document of the last visit, unless it is the one that every page opens with.
pub(super) fn restored(last: Option<&StoredDocument>) -> Option<Document> {
    read(last).filter(|document| !is_welcome(document.scenario()))
}

/// A scenario as a document; if it is that of the last visit, with what its choices had before.
pub(super) fn opened(scenario: Scenario, last: Option<&StoredDocument>) -> Document {
    let is_it = |document: &Document| {
        let last = document.scenario();
        **last == scenario || is_welcome(last) && is_welcome(&scenario)
    };
    match read(last).filter(is_it) {
        Some(document) => Document::with_former(scenario, Former::clone(document.former())),
        None => Document::new(scenario),
    }
}

fn read(last: Option<&StoredDocument>) -> Option<Document> {
    let StoredDocument { json, former, .. } = last?;
    let scenario = Scenario::read(json).ok()?;
    Some(Document::with_former(scenario, Former::from_json(former)))
}
