//! Share links: a scenario as a word for the fragment of an address.
//!
//! The word is `1`, the version of this encoding, and the scenario file without spaces, deflated,
//! in URL-safe base64 ([`to_word`]). Defaults are written out, so an old link keeps its meaning
//! when a default changes.

use super::Scenario;
use crate::messages;
use crate::problem::{Place, Problems};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// Longest link, characters, that mail programs and chats pass on unharmed; beyond it, offer a
/// file.
pub const COMFORTABLE_CHARS: usize = 8_000;
/// Longest link that is read, characters.
pub const MAX_CHARS: usize = 4 << 20;
/// Largest scenario a link may unfold to, bytes.
pub const MAX_INFLATED_BYTES: usize = 8 << 20;

const VERSION: char = '1';

impl Scenario {
    /// The scenario as a word of letters, digits, `-` and `_`. Its length grows with the drawing:
    /// see [`COMFORTABLE_CHARS`].
    pub fn to_link(&self) -> String {
        to_word(&self.to_document().to_string())
    }

    /// The scenario of a link, read but not validated.
    ///
    /// # Errors
    /// A link that is damaged, too long, or not of a scenario.
    pub fn from_link(link: &str) -> Result<Self, Problems> {
        Self::read(&from_word(link)?)
    }
}

/// A text as a word for an address, as the scenario of a link.
pub fn to_word(text: &str) -> String {
    format!("{VERSION}{}", URL_SAFE_NO_PAD.encode(compress_to_vec(text.as_bytes(), 10)))
}

/// The text of a word that [`to_word`] made.
///
/// # Errors
/// A word that is damaged or too long.
pub fn from_word(word: &str) -> Result<String, Problems> {
    let wrong = |why| Problems::one(Place::Link, why, messages::ask_for_the_link_again());
    if word.len() > MAX_CHARS {
        return Err(wrong(messages::link_too_long(word.len(), MAX_CHARS)));
    }
    let Some(word) = word.trim().strip_prefix(VERSION) else {
        return Err(wrong(messages::not_a_link()));
    };
    let deflated = URL_SAFE_NO_PAD
        .decode(word.trim_end_matches('='))
        .map_err(|_| wrong(messages::link_has_other_characters()))?;
    let text = decompress_to_vec_with_limit(&deflated, MAX_INFLATED_BYTES).map_err(|error| {
        wrong(match error.status {
            miniz_oxide::inflate::TINFLStatus::HasMoreOutput => messages::link_too_large(),
            _ => messages::link_damaged_or_cut(),
        })
    })?;
    String::from_utf8(text).map_err(|_| wrong(messages::link_damaged()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bombs_are_refused() {
        let bomb = compress_to_vec(&vec![b' '; MAX_INFLATED_BYTES + 1], 10);
        let problems =
            Scenario::from_link(&format!("1{}", URL_SAFE_NO_PAD.encode(bomb))).unwrap_err();
        assert!(problems.0[0].why.to_string().contains("too large"), "{problems}");
        assert!(Scenario::from_link(&"1".repeat(MAX_CHARS + 1)).is_err());
        assert!(Scenario::from_link(&"1".repeat(1 << 20)).is_err());
    }

    #[test]
    fn other_words_are_refused() {
        for word in ["", "1", "2abc", "1ä", "scenario", "1AAAA"] {
            assert!(Scenario::from_link(word).is_err(), "{word}");
        }
    }

    proptest! {
        #[test]
        fn damaged_links_are_refused_or_read(at in 0usize..600, with in "[A-Za-z0-9_-]{0,3}", cut in 0usize..3) {
            let text = r#"{"hopscope":1,"name":"links","network":{"generate":{"kind":"torus"}},"routing":{"preset":"UD_ITB"}}"#;
            let link = Scenario::read(text).unwrap().to_link();
            let at = at.min(link.len());
            let damaged = format!("{}{with}{}", &link[..at], &link[(at + cut).min(link.len())..]);
            if let Ok(scenario) = Scenario::from_link(&damaged) {
                prop_assert!(Scenario::from_link(&scenario.to_link()).is_ok());
            }
        }

        #[test]
        fn nonsense_never_panics(word in "\\PC{0,300}", bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Scenario::from_link(&word);
            let _ = Scenario::from_link(&format!("1{}", URL_SAFE_NO_PAD.encode(bytes)));
        }
    }
}
