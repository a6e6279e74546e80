//! The documents that the browser stores in IndexedDB: one per tab, so that a closed tab comes back
//! and tabs do not overwrite each other's documents.
//!
//! The name of a tab is in its session storage, which survives a reload but is copied when the tab
//! is duplicated. A tab therefore holds a lock on its name while it lives; a tab that finds its
//! name locked takes a new one.

use super::browser;
use crate::document::Document;
use crate::state::StoredDocument;
use crate::text::text;
use hopscope_core::scenario::Scenario;
use js_sys::{Array, Function, Object, Promise, Reflect};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbObjectStore, IdbRequest, IdbTransaction, IdbTransactionMode};

const DATABASE: &str = "hopscope";
const STORE: &str = "documents";
const TAB: &str = "hopscope.tab";
/// The number of documents stored; the one changed longest ago is deleted first.
const MAX_STORED: usize = 20;

/// The open database.
pub struct Storage {
    database: IdbDatabase,
    /// The name of this tab.
    tab: String,
    /// When the document that was changed last was, as of when all were read.
    latest_ms: Cell<f64>,
    /// Whether the last document was not stored.
    has_failed: Cell<bool>,
}

impl Storage {
    /// Opens the database; `None` where the browser stores nothing, as in some private windows.
    pub async fn open() -> Option<Storage> {
        let database = open_database(DATABASE, &[STORE]).await?;
        let tab = own_name().await;
        Some(Storage { database, tab, latest_ms: Cell::default(), has_failed: Cell::default() })
    }

    /// The document of this tab from before a reload, else the one changed last in any tab.
    pub async fn last(&self) -> Option<StoredDocument> {
        let mut all = self.all().await;
        let own = all.iter().position(|document| document.tab == self.tab).unwrap_or(0);
        (!all.is_empty()).then(|| all.swap_remove(own))
    }

    /// All stored documents, the one changed last first.
    pub async fn all(&self) -> Vec<StoredDocument> {
        let request = self.store(IdbTransactionMode::Readonly).and_then(|store| store.get_all());
        let Ok(request) = request else { return Vec::new() };
        let found = settled(&request).await.map(|list| Array::from(&list)).unwrap_or_default();
        let mut all: Vec<StoredDocument> =
            found.iter().filter_map(|record| from_record(&record)).collect();
        all.sort_by(|a, b| b.changed_ms.total_cmp(&a.changed_ms));
        self.latest_ms.set(all.first().map_or(0.0, |document| document.changed_ms));
        all
    }

    /// Stores the document of this tab in place of the one before.
    ///
    /// # Errors
    /// The error of the browser, as when its storage is full.
    pub async fn save(&self, name: String, json: String, former: String) -> Result<(), JsValue> {
        // Later than all that were read, even if the clock has gone back. A tab that closes has no
        // time to read them again.
        let changed_ms = js_sys::Date::now().max(self.latest_ms.get() + 1.0);
        let document = StoredDocument { tab: self.tab.clone(), name, changed_ms, json, former };
        let store = self.store(IdbTransactionMode::Readwrite)?;
        store.put_with_key(&to_record(&document), &self.tab.as_str().into())?;
        finished(&store.transaction()).await?;
        for old in self.all().await.into_iter().skip(MAX_STORED) {
            self.store(IdbTransactionMode::Readwrite)?.delete(&old.tab.into())?;
        }
        Ok(())
    }

    fn store(&self, mode: IdbTransactionMode) -> Result<IdbObjectStore, JsValue> {
        self.database.transaction_with_str_and_mode(STORE, mode)?.object_store(STORE)
    }
}

/// Stores the document of the tab whenever it changes.
pub struct Autosave {
    /// The database; `None` until it is open, and where the browser stores nothing.
    pub storage: Option<Rc<Storage>>,
    saved: Rc<Scenario>,
    is_due: bool,
}

impl Autosave {
    /// Takes a scenario as stored already.
    pub fn new(storage: Option<Rc<Storage>>, saved: Rc<Scenario>) -> Autosave {
        Autosave { storage, saved, is_due: false }
    }

    /// Takes a scenario as stored already: it comes from the database.
    pub fn set_saved(&mut self, scenario: &Rc<Scenario>) {
        self.saved = Rc::clone(scenario);
    }

    /// Whether a timer is to be started that ends in [`Autosave::save`]. During a lesson nothing
    /// is stored: the document from before it stays.
    pub fn schedule(&mut self, scenario: &Rc<Scenario>, in_lesson: bool) -> bool {
        let needed = self.storage.is_some() && self.differs(scenario) && !in_lesson;
        needed && !std::mem::replace(&mut self.is_due, true)
    }

    /// Stores the scenario of a document and what its choices had before, if it is not stored yet.
    /// Says so when that fails for the first time.
    pub fn save(
        &mut self,
        document: &Document,
        in_lesson: bool,
        say: impl FnOnce(&'static str) + 'static,
    ) {
        self.is_due = false;
        let scenario = document.scenario();
        if in_lesson || !self.differs(scenario) {
            return;
        }
        if let Some(storage) = &self.storage {
            self.saved = Rc::clone(scenario);
            let storage = Rc::clone(storage);
            let (name, json) = (scenario.name.clone(), scenario.to_json());
            let former = document.former().to_json();
            wasm_bindgen_futures::spawn_local(async move {
                let has_failed = storage.save(name, json, former).await.is_err();
                if has_failed && !storage.has_failed.replace(has_failed) {
                    say(text().not_stored);
                }
                storage.has_failed.set(has_failed);
            });
        }
    }

    fn differs(&self, scenario: &Rc<Scenario>) -> bool {
        !Rc::ptr_eq(&self.saved, scenario)
    }
}

fn to_record(document: &StoredDocument) -> JsValue {
    let StoredDocument { tab, name, changed_ms, json, former } = document;
    let [tab, name, json, former] = [tab, name, json, former].map(|words| JsValue::from_str(words));
    Array::of5(&tab, &name, &(*changed_ms).into(), &json, &former).into()
}

fn from_record(record: &JsValue) -> Option<StoredDocument> {
    let record: &Array = record.dyn_ref()?;
    let words = |i| record.get(i).as_string();
    Some(StoredDocument {
        tab: words(0)?,
        name: words(1)?,
        changed_ms: record.get(2).as_f64()?,
        json: words(3)?,
        former: words(4).unwrap_or_default(),
    })
}

/// Opens a database, and makes its stores when it is new; `None` where the browser stores nothing.
pub(super) async fn open_database(
    name: &str,
    stores: &'static [&'static str],
) -> Option<IdbDatabase> {
    let request = browser::window().indexed_db().ok()??.open_with_u32(name, 1).ok()?;
    let opened = request.clone();
    let first = Closure::once_into_js(move || {
        let database: Option<IdbDatabase> =
            opened.result().ok().and_then(|result| result.dyn_into().ok());
        if let Some(database) = database {
            stores.iter().for_each(|store| drop(database.create_object_store(store)));
        }
    });
    request.set_onupgradeneeded(Some(first.unchecked_ref()));
    settled(&request).await.ok()?.dyn_into().ok()
}

/// The result of a request, once it has one.
pub(super) async fn settled(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |done: Function, failed: Function| {
        request.set_onsuccess(Some(&done));
        request.set_onerror(Some(&failed));
    });
    JsFuture::from(promise).await?;
    request.result()
}

/// Waits until a transaction is complete: until then, a full storage may still undo it.
async fn finished(transaction: &IdbTransaction) -> Result<(), JsValue> {
    let promise = Promise::new(&mut |done: Function, failed: Function| {
        transaction.set_oncomplete(Some(&done));
        transaction.set_onabort(Some(&failed));
    });
    JsFuture::from(promise).await.map(drop)
}

/// The name of this tab from before a reload, unless another tab holds its lock; else a new one.
async fn own_name() -> String {
    let session = browser::window().session_storage().ok().flatten();
    let before = session.as_ref().and_then(|session| session.get_item(TAB).ok().flatten());
    if let Some(name) = before
        && is_locked_for_us(&name).await
    {
        return name;
    }
    let name = crate::random::name();
    session.iter().for_each(|session| drop(session.set_item(TAB, &name)));
    is_locked_for_us(&name).await;
    name
}

/// Whether this tab holds the lock of a name from now on, until it is closed; `false` too where the
/// browser has no locks.
async fn is_locked_for_us(name: &str) -> bool {
    // The web-sys crate has no stable binding of the Web Locks API.
    let ask = |granted: &Function| -> Result<(), JsValue> {
        let locks = Reflect::get(&browser::window().navigator(), &"locks".into())?;
        let request: Function = Reflect::get(&locks, &"request".into())?.dyn_into()?;
        let options = Object::new();
        Reflect::set(&options, &"ifAvailable".into(), &true.into())?;
        request.call3(&locks, &format!("{TAB}.{name}").into(), &options, granted)?;
        Ok(())
    };
    let answer = Promise::new(&mut |done: Function, _| {
        let told = done.clone();
        let granted = Closure::once_into_js(move |lock: JsValue| -> JsValue {
            told.call1(&JsValue::NULL, &(!lock.is_null()).into()).ok();
            // The browser holds the lock until this promise settles, which it never does.
            Promise::new(&mut |_, _| {}).into()
        });
        if ask(granted.unchecked_ref()).is_err() {
            done.call1(&JsValue::NULL, &false.into()).ok();
        }
    });
    JsFuture::from(answer).await.is_ok_and(|answer| answer.is_truthy())
}
