//! What can happen to the page: what the user does, what the worker says, what the browser does.

use super::storage::Storage;
use super::study::StudyMsg;
use super::worker_link::Event;
use crate::action::Action;
use crate::state::{FileProblems, StoredDocument};
use std::rc::Rc;

/// What can happen to the page.
pub enum Msg {
    /// The user does something.
    Action(Action),
    /// The simulation's worker says something.
    Worker(Event),
    /// The worker that computes failures says something.
    WhatIf(Event),
    /// Something happens to a study.
    Study(StudyMsg),
    /// It is time to draw.
    AnimationFrame,
    /// The stage is to be drawn again.
    Redraw,
    /// The stage has another size, or the screen another resolution.
    Resized,
    /// The browser prefers another theme.
    ThemeChanged,
    /// A file cannot be read.
    FileProblems(FileProblems),
    /// The address was edited, or the user went back.
    AddressChanged,
    /// The page that shows this one in a frame sends a message: its origin, and the message as
    /// JSON.
    Host(String, String),
    /// It is time to store the document.
    Autosave,
    /// The browser's storage has been opened, with the document of the last visit.
    StorageOpened(Rc<Storage>, Option<StoredDocument>),
    /// The stored documents have been read.
    StoredDocuments(Vec<StoredDocument>),
    /// The browser can load the page without a network; `true` for a newer build than this one.
    OfflineReady(bool),
    /// Show a notice.
    Say(String),
    /// The notice of this number has been shown long enough.
    ClearNotice(u32),
}
