//! Spanish for what the core finds wrong, and for the notes it makes on files: patterns, in a file of their own that only
//! those who speak Spanish download.

use std::cell::OnceCell;

/// Its name.
pub const FILE: &str = "problems.es.txt";

thread_local! {
    static KNOWN: OnceCell<String> = const { OnceCell::new() };
}

/// Takes the file in.
pub fn learn(patterns: String) {
    KNOWN.with(|known| known.set(patterns).ok());
}

/// Whether it is there.
pub fn is_known() -> bool {
    KNOWN.with(|known| known.get().is_some())
}

/// English and Spanish: a line each, after a heading.
fn patterns(file: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut lines = file.lines().skip(1);
    std::iter::from_fn(move || Some((lines.next()?, lines.next()?.trim_start())))
}

/// The Spanish of a reason, a remedy or a note; none if nobody has translated it.
pub fn spanish(english: &str) -> Option<String> {
    KNOWN.with(|known| translated(known.get()?, english))
}

fn translated(file: &str, english: &str) -> Option<String> {
    let fitting =
        patterns(file).filter_map(|(pattern, spanish)| Some((pattern, spanish, gaps(pattern, english)?)));
    // The more words of its own a pattern has, the better it fits.
    let (_, spanish, gaps) = fitting.max_by_key(|(pattern, ..)| pattern.len())?;
    let said = |gap: &str| {
        patterns(file).find(|(whole, _)| *whole == gap).map_or(gap.to_owned(), |(_, said)| said.to_owned())
    };
    let gaps: Vec<String> = gaps.into_iter().map(said).collect();
    let values: Vec<&dyn std::fmt::Display> = gaps.iter().map(|gap| gap as &dyn std::fmt::Display).collect();
    Some(super::fill(spanish, &values))
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
    use hopscope_core::scenario::Scenario;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// The file as it is downloaded.
    fn learnt() -> &'static str {
        let file = include_str!("../../static/problems.es.txt");
        learn(file.into());
        file
    }

    #[test]
    fn patterns_keep_their_gaps() {
        for (english, spanish) in patterns(learnt()) {
            assert_eq!(english.matches("{}").count(), spanish.matches("{}").count(), "{english}");
        }
        let told = spanish("port 3 of switch 0 is already taken by host 7");
        assert_eq!(told.as_deref(), Some("el puerto 3 del conmutador 0 ya lo ocupa host 7"));
        assert_eq!(spanish("there is no switch 9").as_deref(), Some("no existe el conmutador 9"));
        assert_eq!(spanish("something else"), None);
        let inner = spanish("`]` where the end of the file was expected");
        assert_eq!(inner.as_deref(), Some("`]` donde se esperaba el fin del archivo"));
    }

    /// What people run into while they draw: found by the core itself, told in Spanish.
    #[test]
    fn what_goes_wrong_while_drawing_is_told_in_spanish() {
        learnt();
        let two = r#"{"hopscope":1,"network":{"switches":[{"ports":4},{"ports":4}],"hosts":[{"switch":0},{"switch":1}],"links":[]}}"#;
        let full = r#"{"hopscope":1,"network":{"switches":[{"ports":2}],"hosts":[{"switch":0},{"switch":0},{"switch":0}]}}"#;
        let empty = r#"{"hopscope":1,"network":{"switches":[]}}"#;
        let slow = r#"{"hopscope":1,"network":{"generate":{"kind":"ring","switches":4}},"fabric":{"kind":"wormhole","link_delay_cycles":200}}"#;
        let heavy =
            r#"{"hopscope":1,"network":{"generate":{"kind":"ring","switches":4}},"traffic":[{"load":50}]}"#;
        for text in [two, full, empty, slow, heavy] {
            let scenario = Scenario::read(text).expect("it can be read");
            let problems = scenario.check().expect_err("it cannot run");
            for problem in &problems.0 {
                for words in [&problem.why, &problem.fix] {
                    assert!(words.is_empty() || spanish(words).is_some(), "{words}");
                }
            }
        }
    }
}
