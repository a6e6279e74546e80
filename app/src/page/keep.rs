//! The documents this browser keeps in IndexedDB: one for each tab, so that a closed tab comes back and no tab writes
//! over what another one keeps.
//!
//! A tab's name is in its session storage, which is still there when the tab is loaded again, but is copied when the
//! tab is duplicated. So a tab holds a lock on its name as long as it lives; whoever finds it locked takes a new one.

use super::browser;
use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbObjectStore, IdbRequest, IdbTransactionMode};

const DATABASE: &str = "hopscope";
const STORE: &str = "documents";
const TAB: &str = "hopscope.tab";
/// Documents kept; the one not touched for longest is forgotten first.
const MAX_KEPT: usize = 20;

/// Where the documents are kept.
pub struct Keeper {
    database: IdbDatabase,
    /// The name of this tab.
    tab: String,
}

/// A document that is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// The tab that keeps it.
    pub tab: String,
    /// Its name.
    pub name: String,
    /// When it was last changed, milliseconds since 1970.
    pub changed_ms: f64,
    /// The scenario file.
    pub json: String,
}

impl Keeper {
    /// Opens the store; none where the browser keeps nothing, as in some private windows.
    pub async fn open() -> Option<Keeper> {
        let request = browser::window().indexed_db().ok()??.open_with_u32(DATABASE, 1).ok()?;
        let opened = request.clone();
        let first = Closure::once_into_js(move || {
            let database: Option<IdbDatabase> =
                opened.result().ok().and_then(|result| result.dyn_into().ok());
            database.iter().for_each(|database| drop(database.create_object_store(STORE)));
        });
        request.set_onupgradeneeded(Some(first.unchecked_ref()));
        let database = settled(&request).await.ok()?.dyn_into().ok()?;
        Some(Keeper { database, tab: own_name().await })
    }

    /// What this tab kept before it was loaded again, else what was changed last in any.
    pub async fn last(&self) -> Option<Kept> {
        let mut all = self.all().await;
        let own = all.iter().position(|kept| kept.tab == self.tab).unwrap_or(0);
        (!all.is_empty()).then(|| all.swap_remove(own))
    }

    /// All documents kept, the one changed last first.
    pub async fn all(&self) -> Vec<Kept> {
        let request = self.store(IdbTransactionMode::Readonly).and_then(|store| store.get_all());
        let Ok(request) = request else { return Vec::new() };
        let found = settled(&request).await.map(|list| Array::from(&list)).unwrap_or_default();
        let mut all: Vec<Kept> = found.iter().filter_map(|record| Kept::read(&record)).collect();
        all.sort_by(|a, b| b.changed_ms.total_cmp(&a.changed_ms));
        all
    }

    /// Keeps the document of this tab, instead of what it kept before.
    pub async fn keep(&self, name: String, json: String) -> Result<(), JsValue> {
        let kept = Kept { tab: self.tab.clone(), name, changed_ms: js_sys::Date::now(), json };
        let store = self.store(IdbTransactionMode::Readwrite)?;
        settled(&store.put_with_key(&kept.record(), &self.tab.as_str().into())?).await?;
        for old in self.all().await.into_iter().skip(MAX_KEPT) {
            self.store(IdbTransactionMode::Readwrite)?.delete(&old.tab.into())?;
        }
        Ok(())
    }

    fn store(&self, mode: IdbTransactionMode) -> Result<IdbObjectStore, JsValue> {
        self.database.transaction_with_str_and_mode(STORE, mode)?.object_store(STORE)
    }
}

impl Kept {
    fn record(&self) -> JsValue {
        let [tab, name, json] =
            [&self.tab, &self.name, &self.json].map(|words| JsValue::from_str(words));
        Array::of4(&tab, &name, &self.changed_ms.into(), &json).into()
    }

    fn read(record: &JsValue) -> Option<Kept> {
        let record: &Array = record.dyn_ref()?;
        let words = |i| record.get(i).as_string();
        Some(Kept {
            tab: words(0)?,
            name: words(1)?,
            changed_ms: record.get(2).as_f64()?,
            json: words(3)?,
        })
    }
}

/// The result of a request, once it is there.
async fn settled(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |done: Function, failed: Function| {
        request.set_onsuccess(Some(&done));
        request.set_onerror(Some(&failed));
    });
    JsFuture::from(promise).await?;
    request.result()
}

/// The name this tab had before it was loaded again, unless another one goes by it; else a new one.
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

/// Whether this tab has the lock of a name now, until it is closed; false too where the browser has no locks.
async fn is_locked_for_us(name: &str) -> bool {
    // The web-sys crate has no stable binding of them.
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
            // The lock is held until this promise is kept, which is never.
            Promise::new(&mut |_, _| {}).into()
        });
        if ask(granted.unchecked_ref()).is_err() {
            done.call1(&JsValue::NULL, &false.into()).ok();
        }
    });
    JsFuture::from(answer).await.is_ok_and(|answer| answer.is_truthy())
}
