//! The language of the page.

use super::browser;
use crate::text::Language;

/// Gives the page its other language, from the next time it is rendered.
pub fn set_next() {
    let language = match Language::spoken() {
        Language::English => Language::Spanish,
        Language::Spanish => Language::English,
    };
    language.speak();
    browser::save_language(language);
}
