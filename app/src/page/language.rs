//! The language of the page.

use super::browser;
use super::msg::Msg;
use crate::text::{self, Language};
use yew::Callback;

/// Gives the page its other language. Once the words of that language are fetched, `loaded` is
/// called.
pub fn set_next(loaded: Callback<Msg>) {
    let language = match Language::spoken() {
        Language::English => Language::Spanish,
        Language::Spanish => Language::English,
    };
    language.speak();
    browser::save_language(language);
    wasm_bindgen_futures::spawn_local(async move {
        if load().await {
            loaded.emit(Msg::LanguageLoaded);
        }
    });
}

/// Fetches the words that only the current language needs. True if they were not there before.
pub async fn load() -> bool {
    if Language::spoken() != Language::Spanish || text::knows_spanish() {
        return false;
    }
    let words = browser::file(text::SPANISH_FILE).await;
    words.map(text::learn_spanish).is_some()
}
