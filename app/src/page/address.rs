//! The fragment of the page's address: a scenario, so that every link holds the document, and what
//! is shown of the studies or a moment of the run; or the text of a file; or the name of a lesson.

use super::browser;
use crate::state::read_scenario;
use crate::state::study::StudyLink;
use crate::text::{problems, text};
use hopscope_core::scenario::Scenario;
use hopscope_core::scenario::share::{COMFORTABLE_CHARS, MAX_CHARS as MAX_READ_CHARS};

/// Browsers accept longer addresses, but mail and chat programs cut them.
const MAX_CHARS: usize = 4 * COMFORTABLE_CHARS;
const SCENARIO: &str = "#s=";
/// The text of a file in any format that can be opened, percent-encoded.
const FILE: &str = "#open=";
/// Follows the text of a file: its name, which tells the format where the text does not.
const NAME: &str = "name=";
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
    if fragment.starts_with(FILE) {
        return Target::Scenario(scenario_of_file(&fragment[1..]).map(Box::new));
    }
    let Some(name) = fragment.strip_prefix(LESSON) else { return Target::Nothing };
    match name.strip_suffix(LOCK) {
        Some(name) => Target::Lesson(name.to_owned(), true),
        None => Target::Lesson(name.to_owned(), false),
    }
}

/// The value of a part of the fragment, such as `12` for `at=` in `s=word&at=12`.
fn part<'a>(fragment: &'a str, name: &str) -> Option<&'a str> {
    fragment.split('&').find_map(|part| part.strip_prefix(name))
}

/// The scenario of a file whose text is in the fragment, or why it cannot be opened.
fn scenario_of_file(fragment: &str) -> Result<Scenario, String> {
    if fragment.len() > MAX_READ_CHARS {
        return Err(problems::file_too_large(MAX_READ_CHARS >> 20).to_string());
    }
    let decoded = |name: &str| browser::percent_decoded(part(fragment, name).unwrap_or_default());
    let name = decoded(NAME).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| text().link.into());
    let content = decoded(&FILE[1..]).ok_or_else(|| problems::not_percent_encoded().to_string())?;
    read_scenario(&name, &content).map_err(|problems| problems.to_string())
}

/// A moment of a run, which a link can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The cycle.
    pub cycle: u64,
    /// The message that is pinned.
    pub message: Option<u32>,
}

impl Moment {
    /// What the page's address says of a moment.
    pub fn of_address() -> Option<Moment> {
        Moment::parse(&browser::window().location().hash().ok()?)
    }

    fn parse(fragment: &str) -> Option<Moment> {
        let cycle = part(fragment, "at=")?.parse().ok()?;
        Some(Moment { cycle, message: part(fragment, "pin=").and_then(|pin| pin.parse().ok()) })
    }

    /// What follows the scenario in a fragment.
    pub fn to_link(self) -> String {
        let pin = self.message.map(|message| format!("&pin={message}")).unwrap_or_default();
        format!("&at={}{pin}", self.cycle)
    }
}

/// The fragment of a scenario; `None` if it is too long.
pub fn of_scenario(scenario: &Scenario) -> Option<String> {
    of_shown(scenario, "")
}

/// The fragment of a scenario, followed by a moment of its run or by what the studies show; `None`
/// if it is too long.
pub fn of_shown(scenario: &Scenario, shown: &str) -> Option<String> {
    let words = scenario.to_link() + shown;
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
        let moment = Moment { cycle: 1 << 40, message: Some(7) };
        for shown in ["&paper=thesis-torus&small", &moment.to_link()] {
            let fragment = of_shown(&scenario, shown);
            assert_eq!(parse(&fragment.expect("it is short enough")), target);
        }
        let parsed = |moment: Moment| Moment::parse(&format!("#s=1abc{}", moment.to_link()));
        assert_eq!(parsed(moment), Some(moment));
        let unpinned = Moment { message: None, ..moment };
        assert_eq!(parsed(unpinned), Some(unpinned));
        for other in ["#s=1abc", "#s=1abc&pin=7", "#s=1abc&at=", "#s=1abc&at=-1"] {
            assert_eq!(Moment::parse(other), None);
        }
        for locked in [false, true] {
            let lesson = Target::Lesson("hol".into(), locked);
            assert_eq!(parse(&of_lesson("hol", locked)), lesson);
        }
        assert_eq!(parse(""), Target::Nothing);
        assert_eq!(parse("#drawn"), Target::Nothing);
        assert!(matches!(parse("#s=broken"), Target::Scenario(Err(_))));
    }
}
