//! The fragment of the page's address: a scenario, so that every link holds the document, and what
//! is shown of the studies or a moment of the run; or the text of a file; or the name of a lesson.

use super::browser;
use crate::stage::{OVERLAYS, Overlay};
use crate::state::study::StudyLink;
use crate::state::{FASTEST, LessonStep, Pin, Run, START_SPEED, read_scenario, speed_step};
use crate::text::{message, problems, problems_in_words, text};
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
const LOCK: &str = "lock";

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
        return Target::Scenario(scenario.map_err(|problems| problems_in_words(&problems)));
    }
    if fragment.starts_with(FILE) {
        return Target::Scenario(scenario_of_file(&fragment[1..]).map(Box::new));
    }
    let Some(words) = fragment.strip_prefix(LESSON) else { return Target::Nothing };
    let mut parts = words.split('&');
    let name = parts.next().unwrap_or_default().to_owned();
    Target::Lesson(name, parts.any(|part| part == LOCK))
}

/// The value of a part of the fragment, such as `12` for `at=` in `s=word&at=12`.
fn part<'a>(fragment: &'a str, name: &str) -> Option<&'a str> {
    fragment.split('&').find_map(|part| part.strip_prefix(name))
}

/// The scenario of a file whose text is in the fragment, or why it cannot be opened.
fn scenario_of_file(fragment: &str) -> Result<Scenario, String> {
    if fragment.len() > MAX_READ_CHARS {
        return Err(message(&problems::file_too_large(MAX_READ_CHARS >> 20)));
    }
    let decoded = |name: &str| browser::percent_decoded(part(fragment, name).unwrap_or_default());
    let name = decoded(NAME).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| text().link.into());
    let content = decoded(&FILE[1..]).ok_or_else(|| message(&problems::not_percent_encoded()))?;
    read_scenario(&name, &content).map_err(|problems| problems_in_words(&problems))
}

/// A moment of a run, and how it is shown, which a link can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The cycle.
    pub cycle: u64,
    /// What is pinned.
    pub pin: Pin,
    /// The step of the speed slider.
    pub speed: u32,
    /// The overlay.
    pub overlay: Overlay,
    /// The step of the lesson, if one is taken.
    pub step: Option<LessonStep>,
}

const AT: &str = "at=";
const PIN: &str = "pin=";
const SPEED: &str = "speed=";
const SHOW: &str = "show=";
const STEP: &str = "step=";
/// The word for a speed without a limit.
const NO_LIMIT: &str = "max";

impl Moment {
    /// What the page's address says of a moment.
    pub fn of_address() -> Option<Moment> {
        Moment::parse(&browser::window().location().hash().ok()?)
    }

    fn parse(fragment: &str) -> Option<Moment> {
        let word = |name| part(fragment, name);
        let speed = word(SPEED).and_then(|speed| match speed {
            NO_LIMIT => Some(FASTEST),
            speed => speed.parse().ok().map(speed_step),
        });
        let overlay = word(SHOW).and_then(|show| OVERLAYS.iter().find(|entry| entry.word == show));
        // A step alone is shown at its start.
        let cycle = if word(STEP).is_some() { word(AT).unwrap_or("0") } else { word(AT)? };
        Some(Moment {
            cycle: cycle.parse().ok()?,
            pin: word(PIN).and_then(pin_of).unwrap_or_default(),
            speed: speed.unwrap_or(START_SPEED),
            overlay: overlay.map_or(Overlay::None, |entry| entry.overlay),
            step: word(STEP).and_then(step_of),
        })
    }

    /// The step that the page's address names, if no lesson can have it.
    pub fn bad_step() -> Option<String> {
        let word = bad_step(&browser::window().location().hash().ok()?)?.to_owned();
        Some(browser::percent_decoded(&word).unwrap_or(word))
    }

    /// What follows the scenario or the lesson in a fragment. What the page shows anyway is left
    /// out.
    pub fn to_link(self) -> String {
        let mut link = format!("&{AT}{}", self.cycle);
        let mut add = |name: &str, word: &str| link += &format!("&{name}{word}");
        match self.pin {
            Pin::None => {}
            Pin::Message(message) => add(PIN, &message.to_string()),
            Pin::Switch(switch) => add(PIN, &format!("s{switch}")),
            Pin::Host(host) => add(PIN, &format!("h{host}")),
            Pin::Channel(channel) => add(PIN, &format!("c{channel}")),
        }
        match Run::speed_of(self.speed) {
            _ if self.speed == START_SPEED => {}
            Some(cycles_per_second) => add(SPEED, &cycles_per_second.to_string()),
            None => add(SPEED, NO_LIMIT),
        }
        if self.overlay != Overlay::None {
            add(SHOW, self.overlay.entry().word);
        }
        match self.step {
            None => {}
            Some(LessonStep::Predict) => add(STEP, "predict"),
            Some(LessonStep::Run(run)) => add(STEP, &format!("run-{}", run + 1)),
            Some(LessonStep::Explain) => add(STEP, "explain"),
        }
        link
    }
}

/// A message's number, or a letter and the number of another thing.
fn pin_of(word: &str) -> Option<Pin> {
    let kind: fn(u32) -> Pin = match word.get(..1)? {
        "s" => Pin::Switch,
        "h" => Pin::Host,
        "c" => Pin::Channel,
        _ => return word.parse().ok().map(Pin::Message),
    };
    word[1..].parse().ok().map(kind)
}

fn bad_step(fragment: &str) -> Option<&str> {
    let word = part(fragment, STEP)?;
    step_of(word).is_none().then_some(word)
}

fn step_of(word: &str) -> Option<LessonStep> {
    match word {
        "predict" => Some(LessonStep::Predict),
        "explain" => Some(LessonStep::Explain),
        run => {
            let number: usize = run.strip_prefix("run-")?.parse().ok()?;
            number.checked_sub(1).map(LessonStep::Run)
        }
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
    if locked { format!("{LESSON}{id}&{LOCK}") } else { format!("{LESSON}{id}") }
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
        let moment = Moment {
            cycle: 1 << 40,
            pin: Pin::Message(7),
            speed: START_SPEED,
            overlay: Overlay::None,
            step: None,
        };
        for shown in ["&paper=thesis-torus&small", &moment.to_link()] {
            let fragment = of_shown(&scenario, shown);
            assert_eq!(parse(&fragment.expect("it is short enough")), target);
        }
        let parsed = |moment: Moment| Moment::parse(&format!("#s=1abc{}", moment.to_link()));
        assert_eq!(parsed(moment), Some(moment));
        assert_eq!(moment.to_link(), "&at=1099511627776&pin=7");
        for pin in [Pin::None, Pin::Switch(3), Pin::Host(4), Pin::Channel(12)] {
            for speed in [0, START_SPEED, FASTEST - 1, FASTEST] {
                let other = Moment { pin, speed, ..moment };
                assert_eq!(parsed(other), Some(other));
            }
        }
        for entry in OVERLAYS {
            let other = Moment { overlay: entry.overlay, ..moment };
            assert_eq!(parsed(other), Some(other));
        }
        for step in [LessonStep::Predict, LessonStep::Run(1), LessonStep::Explain] {
            let other = Moment { step: Some(step), ..moment };
            assert_eq!(parsed(other), Some(other));
            let fragment = of_lesson("hol", true) + &other.to_link();
            assert_eq!(parse(&fragment), Target::Lesson("hol".into(), true));
        }
        let of_step = Moment::parse("#lesson=hol&step=run-2").expect("a step without a cycle");
        assert_eq!((of_step.cycle, of_step.step), (0, Some(LessonStep::Run(1))));
        assert_eq!(bad_step("#lesson=hol&step=foo"), Some("foo"));
        assert_eq!(bad_step("#lesson=hol&step=run-0"), Some("run-0"));
        assert_eq!([bad_step("#lesson=hol&step=run-2"), bad_step("#lesson=hol")], [None, None]);
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
