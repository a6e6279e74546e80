//! The fragment of the page's address: a scenario, so that every link holds the document, and what
//! is shown of the studies; or the name of a lesson.

use super::browser;
use crate::state::study::StudyLink;
use hopscope_core::scenario::Scenario;
use hopscope_core::scenario::share::COMFORTABLE_CHARS;

/// Browsers accept longer addresses, but mail and chat programs cut them.
const MAX_CHARS: usize = 4 * COMFORTABLE_CHARS;
const SCENARIO: &str = "#s=";
const LESSON: &str = "#lesson=";
/// Follows a lesson's name: only the lesson may be used.
const LOCK: &str = "&lock";

/// What an address asks for.
#[derive(Debug, PartialEq)]
pub enum Target {
    /// Nothing.
    Nothing,
    /// A scenario, or why the link is damaged.
    Scenario(Result<Box<Scenario>, String>),
    /// A lesson by its name, and whether everything else is locked.
    Lesson(String, bool),
}

/// What the page's address asks for.
pub fn target() -> Target {
    parse(&browser::window().location().hash().unwrap_or_default())
}

/// What the page's address says of the studies.
pub fn study() -> Option<StudyLink> {
    StudyLink::parse(browser::window().location().hash().ok()?.strip_prefix('#')?)
}

/// What a fragment asks for.
fn parse(fragment: &str) -> Target {
    if let Some(words) = fragment.strip_prefix(SCENARIO) {
        let word = words.split('&').next().unwrap_or_default();
        let scenario = Scenario::from_link(word).map(Box::new);
        return Target::Scenario(scenario.map_err(|problems| problems.to_string()));
    }
    let Some(name) = fragment.strip_prefix(LESSON) else { return Target::Nothing };
    match name.strip_suffix(LOCK) {
        Some(name) => Target::Lesson(name.to_owned(), true),
        None => Target::Lesson(name.to_owned(), false),
    }
}

/// The fragment of a scenario; `None` if it is too long.
pub fn of_scenario(scenario: &Scenario) -> Option<String> {
    of_study(scenario, "")
}

/// The fragment of a scenario and of what the studies show; `None` if it is too long.
pub fn of_study(scenario: &Scenario, study: &str) -> Option<String> {
    let words = scenario.to_link() + study;
    (words.len() <= MAX_CHARS).then(|| format!("{SCENARIO}{words}"))
}

/// The fragment of a lesson.
pub fn of_lesson(id: &str, locked: bool) -> String {
    format!("{LESSON}{id}{}", if locked { LOCK } else { "" })
}

/// Gives the page's address another fragment, without a new entry in the browser's history.
pub fn replace(fragment: &str) {
    let location = browser::window().location();
    let path = location.pathname().unwrap_or_default() + &location.search().unwrap_or_default();
    if let Ok(history) = browser::window().history() {
        let address = path + fragment;
        history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address)).ok();
    }
}

/// The page's address with another fragment.
pub fn link(fragment: &str) -> String {
    let address = browser::window().location().href().unwrap_or_default();
    address.split('#').next().unwrap_or_default().to_owned() + fragment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_and_a_lesson_come_back_from_their_fragments() {
        let scenario = crate::state::welcome();
        let fragment = of_scenario(&scenario).expect("it is short enough");
        let target = Target::Scenario(Ok(Box::new(scenario.clone())));
        assert_eq!(parse(&fragment), target);
        let fragment = of_study(&scenario, "&paper=thesis-torus&small");
        assert_eq!(parse(&fragment.expect("it is short enough")), target);
        for locked in [false, true] {
            let lesson = Target::Lesson("hol".into(), locked);
            assert_eq!(parse(&of_lesson("hol", locked)), lesson);
        }
        assert_eq!(parse(""), Target::Nothing);
        assert_eq!(parse("#drawn"), Target::Nothing);
        assert!(matches!(parse("#s=broken"), Target::Scenario(Err(_))));
    }
}
