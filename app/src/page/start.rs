//! Starts the page with the document of the last visit, in the language of that visit.

use super::browser;
use super::msg::Msg;
use super::parts::{Opened, Page};
use super::storage::Storage;
use std::cell::RefCell;
use std::rc::Rc;

/// The page waits no longer than this for the browser to open its storage.
const STORAGE_MS: i32 = 1500;

/// Starts the page.
pub fn run() {
    let page: Rc<RefCell<Option<yew::AppHandle<Page>>>> = Rc::default();
    let start = move |opened: Opened| {
        let mut page = page.borrow_mut();
        match (&*page, opened.storage) {
            (None, storage) => {
                let opened = Opened { storage, last: opened.last };
                *page = Some(yew::Renderer::with_props(opened).render());
            }
            // The storage opened after the page had started without it.
            (Some(page), Some(storage)) => {
                page.send_message(Msg::StorageOpened(storage, opened.last));
            }
            (Some(_), None) => {}
        }
    };
    browser::language().speak();
    let start_without = start.clone();
    browser::after_ms(STORAGE_MS, move || start_without(Opened::default()));
    wasm_bindgen_futures::spawn_local(async move {
        let storage = Storage::open().await.map(Rc::new);
        let last = match &storage {
            Some(storage) => storage.last().await,
            None => None,
        };
        start(Opened { storage, last });
    });
}
