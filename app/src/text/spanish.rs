//! Spanish for words of the core: what it finds wrong, and its notes on files. They are in a file
//! of their own, `app/static/es.txt`, that only those who speak Spanish download.

use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Its name.
pub const FILE: &str = "es.txt";

/// The file as it is looked up.
struct Known {
    /// Spanish by English.
    whole: BTreeMap<&'static str, &'static str>,
    /// English and Spanish with gaps, `{}`, for anything.
    patterns: Vec<(&'static str, &'static str)>,
}

thread_local! {
    static KNOWN: OnceCell<Known> = const { OnceCell::new() };
}

/// Takes the file in: after a heading, a line of English and a line of Spanish in turn.
pub fn learn(file: String) {
    // Once, for as long as the page lives.
    let mut lines = Box::leak(file.into_boxed_str()).lines().skip(1);
    let pairs = std::iter::from_fn(|| Some((lines.next()?, lines.next()?.trim_start())));
    let (patterns, whole): (Vec<_>, Vec<_>) =
        pairs.partition(|(english, _)| english.contains("{}"));
    KNOWN.with(|known| known.set(Known { whole: whole.into_iter().collect(), patterns }).ok());
}

/// Whether it is there.
pub fn is_known() -> bool {
    KNOWN.with(|known| known.get().is_some())
}

/// The Spanish of words that have no gaps; none if nobody has translated them.
pub fn word(english: &str) -> Option<&'static str> {
    KNOWN.with(|known| known.get()?.whole.get(english).copied())
}

/// The Spanish of words made by a pattern.
pub fn sentence(english: &str) -> Option<String> {
    KNOWN.with(|known| {
        let fitting = known.get()?.patterns.iter();
        let fitting = fitting
            .filter_map(|(pattern, spanish)| Some((pattern, spanish, gaps(pattern, english)?)));
        // The more words of its own a pattern has, the better it fits.
        let (_, spanish, gaps) = fitting.max_by_key(|(pattern, ..)| pattern.len())?;
        let gaps: Vec<&str> = gaps.into_iter().map(|gap| word(gap).unwrap_or(gap)).collect();
        let values: Vec<&dyn std::fmt::Display> =
            gaps.iter().map(|gap| gap as &dyn std::fmt::Display).collect();
        Some(super::fill(spanish, &values))
    })
}

/// What stands in the gaps of a pattern, if the words are of that pattern.
fn gaps<'a>(pattern: &str, words: &'a str) -> Option<Vec<&'a str>> {
    let mut parts = pattern.split("{}");
    let mut rest = words.strip_prefix(parts.next()?)?;
    let mut gaps = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        // The last part ends the words.
        let at = if parts.peek().is_none() {
            if part.is_empty() { Some(rest.len()) } else { rest.strip_suffix(part).map(str::len) }
        } else {
            rest.find(part)
        }?;
        gaps.push(&rest[..at]);
        rest = &rest[at + part.len()..];
    }
    rest.is_empty().then_some(gaps)
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// The file as it is downloaded.
    const DOWNLOADED: &str = include_str!("../../static/es.txt");

    fn spanish(english: &str) -> Option<String> {
        learn(DOWNLOADED.into());
        word(english).map(str::to_owned).or_else(|| sentence(english))
    }

    #[test]
    fn patterns_keep_their_gaps() {
        let lines: Vec<&str> = DOWNLOADED.lines().skip(1).collect();
        assert!(lines.len().is_multiple_of(2));
        for pair in lines.chunks(2) {
            assert_eq!(pair[0].matches("{}").count(), pair[1].matches("{}").count(), "{}", pair[0]);
            assert!(!pair[0].starts_with(' ') && pair[1].starts_with("  "), "{}", pair[0]);
        }
        let told = spanish("port 3 of switch 0 is already taken by host 7");
        assert_eq!(told.as_deref(), Some("el puerto 3 del conmutador 0 ya lo ocupa host 7"));
        assert_eq!(spanish("there is no switch 9").as_deref(), Some("no existe el conmutador 9"));
        assert_eq!(spanish("something else"), None);
        let inner = spanish("`]` where the end of the file was expected");
        assert_eq!(inner.as_deref(), Some("`]` donde se esperaba el fin del archivo"));
    }
}
