//! All texts of the page, in every language.
//!
//! [`messages`] has the page's own texts, one line for each. [`message`] translates what the core
//! says, and [`catalogue`] the names of what can be chosen; both look texts up by id in `es/`.
//! Numbers are written as the browser's `Intl` does for the language.

pub mod catalogue;
mod messages;
pub mod problems;
mod translations;

pub use messages::{EN, ES, Text};

use hopscope_core::message::Message;
use hopscope_core::problem::{Place, Problem, Problems};
use js_sys::Intl::NumberFormat;
use js_sys::{Array, Function, Object, Reflect};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;

/// The languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Spanish.
    Spanish,
}

thread_local! {
    static LANGUAGE: Cell<Language> = const { Cell::new(Language::English) };
}

impl Language {
    /// Its code, as in the `lang` attribute of HTML.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Spanish => "es",
        }
    }

    /// The language of a code such as `es-MX`; English if the page does not speak it.
    pub fn of_code(code: &str) -> Language {
        if code.starts_with("es") { Language::Spanish } else { Language::English }
    }

    /// What stands between the whole part of a number and its decimal places.
    pub fn decimal_mark(self) -> char {
        match self {
            Language::English => '.',
            Language::Spanish => ',',
        }
    }

    /// The page's own texts in this language.
    pub fn text(self) -> &'static Text {
        match self {
            Language::English => &EN,
            Language::Spanish => &ES,
        }
    }

    /// Makes it the language of the page.
    pub fn speak(self) {
        LANGUAGE.set(self);
    }

    /// The language of the page.
    pub fn spoken() -> Language {
        LANGUAGE.get()
    }
}

/// The page's own texts in the language of the page.
pub fn text() -> &'static Text {
    Language::spoken().text()
}

/// A message of the core in the language of the page, or in English if it has no translation.
pub fn message(message: &Message) -> String {
    match Language::spoken() {
        Language::English => message.to_string(),
        Language::Spanish => translations::in_spanish(message),
    }
}

/// Problems in the language of the page, one per line.
pub fn problems_in_words(problems: &Problems) -> String {
    let words = |problem: &Problem| {
        let why = format!("{}: {}", place(&problem.at), message(&problem.why));
        if problem.fix.is_empty() {
            why
        } else {
            fill(text().why_and_fix, &[&why, &message(&problem.fix)])
        }
    };
    problems.0.iter().map(words).collect::<Vec<_>>().join("\n")
}

/// The place of a problem in the language of the page. Names stay as they are.
pub fn place(at: &Place) -> String {
    let t = text();
    match at {
        Place::Path(path) => path.clone(),
        Place::Link => t.link.into(),
        Place::Line(line) => fill(t.place_of_line, &[line]),
        Place::Position(line, column) => fill(t.place_in_text, &[line, column]),
        Place::Point(point, within) => {
            let (point, within) = (fill(t.place_of_point, &[point]), place(within));
            if within.is_empty() { point } else { format!("{point}: {within}") }
        }
        Place::File(file, within) => format!("{file}, {}", place(within)),
    }
}

/// A message with `{}` replaced by values, in order.
pub fn fill(message: &str, values: &[&dyn std::fmt::Display]) -> String {
    let mut values = values.iter();
    let mut parts = message.split("{}");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(value) = values.next() {
            whole += &value.to_string();
        }
        whole += part;
    }
    whole
}

/// A count of things. The message has two forms, `one|many`, each with a gap for the number.
pub fn counted(message: &str, count: usize) -> String {
    fill(singular_or_plural(message, count), &[&number(count as u64)])
}

/// The form of a message, `one|many`, for so many things.
pub fn singular_or_plural(message: &str, count: usize) -> &str {
    let (one, many) = message.split_once('|').unwrap_or((message, message));
    if count == 1 { one } else { many }
}

/// The name of a flow, or its number if it has none.
pub fn flow_name(flow: usize, name: &str) -> String {
    if name.is_empty() { fill(text().flow, &[&flow]) } else { name.to_owned() }
}

/// A service level by number and name.
pub fn level_name(level: usize, name: &str) -> String {
    if name.is_empty() { level.to_string() } else { format!("{level} {name}") }
}

/// A whole number with narrow spaces between groups of three digits.
pub fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// A real number with at least three significant digits; large ones are whole, in groups of digits.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if (1000.0..1e15).contains(&size) {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", number(size.round() as u64));
    }
    let places = if size == 0.0 || size >= 100.0 {
        0
    } else if size >= 10.0 {
        1
    } else if size >= 1.0 {
        2
    } else {
        4
    };
    decimal(value, places)
}

/// A number with a fixed number of decimal places, in the notation of the language.
pub fn decimal(value: f64, places: u32) -> String {
    written(value, [places, places])
}

/// A number with as many decimal places as needed, at most 12.
pub fn exact(value: f64) -> String {
    written(value, [0, 12])
}

/// A number with decimal places within these bounds, written by the browser's `Intl`.
fn written(value: f64, places: [u32; 2]) -> String {
    // Making a format takes a hundred times as long as using it, so formats are kept.
    thread_local! {
        static FORMATS: RefCell<BTreeMap<(&'static str, [u32; 2]), Function>> = RefCell::default();
    }
    let key = (Language::spoken().code(), places);
    let format = FORMATS.with_borrow_mut(|formats| {
        formats
            .entry(key)
            .or_insert_with(|| NumberFormat::new(&locale(), &options(places)).format())
            .clone()
    });
    let written = format.call1(&JsValue::NULL, &value.into()).ok();
    written.and_then(|written| written.as_string()).unwrap_or_else(|| value.to_string())
}

fn locale() -> Array {
    Array::of1(&Language::spoken().code().into())
}

fn options([least, most]: [u32; 2]) -> Object {
    let options = Object::new();
    let entries: [(&str, JsValue); 3] = [
        ("minimumFractionDigits", least.into()),
        ("maximumFractionDigits", most.into()),
        ("useGrouping", false.into()),
    ];
    for (name, value) in entries {
        Reflect::set(&options, &name.into(), &value).ok();
    }
    options
}

/// A share, 0 to 1, as a percentage.
pub fn percent(share: f64, places: u32) -> String {
    format!("{}\u{a0}%", decimal(share * 100.0, places))
}

/// A share, 0 to 1, as a percentage with as many places as it needs.
pub fn exact_percent(share: f64) -> String {
    format!("{}\u{a0}%", exact(share * 100.0))
}

/// Day and time of day, from milliseconds since 1970.
pub fn moment(ms: f64) -> String {
    let date = js_sys::Date::new(&ms.into());
    // British English writes the day before the month, as most countries do.
    let code =
        if Language::spoken() == Language::English { "en-GB" } else { Language::spoken().code() };
    String::from(date.to_locale_string(code, &JsValue::UNDEFINED))
}

/// Like [`short`], but without decimal places for a whole number.
pub fn trim(value: f64) -> String {
    if value.fract() == 0.0 { decimal(value, 0) } else { short(value) }
}

/// A time, given in nanoseconds, in the unit that suits its size.
pub fn duration(ns: f64) -> String {
    if ns < 1000.0 {
        format!("{} ns", short(ns))
    } else if ns < 1e6 {
        format!("{} µs", short(ns / 1e3))
    } else if ns < 1e9 {
        format!("{} ms", short(ns / 1e6))
    } else {
        format!("{} s", short(ns / 1e9))
    }
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn messages_are_filled_and_numbers_readable() {
        assert_eq!(fill("{} of {}", &[&1, &"two"]), "1 of two");
        assert_eq!(fill("{} {}", &[&1]), "1 ");
        assert_eq!(number(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(number(999), "999");
        assert_eq!([0, 1, 2].map(|n| counted("{} hop|{} hops", n)), ["0 hops", "1 hop", "2 hops"]);
        assert_eq!(
            (short(0.01234), short(12.34), short(-12_345.6)),
            ("0.0123".into(), "12.3".into(), "-12\u{202f}346".into())
        );
        assert_eq!((trim(16.0), trim(-2.0), trim(2.5)), ("16".into(), "-2".into(), "2.50".into()));
        assert_eq!(duration(12_340.0), "12.3 µs");
        assert_eq!((exact(0.085), percent(0.125, 1)), ("0.085".into(), "12.5\u{a0}%".into()));
        Language::Spanish.speak();
        let spanish = (short(0.01234), trim(2.5), decimal(1234.5, 1), duration(12_340.0));
        Language::English.speak();
        assert_eq!(spanish, ("0,0123".into(), "2,50".into(), "1234,5".into(), "12,3 µs".into()));
    }

    #[test]
    fn both_languages_leave_the_same_gaps() {
        for ((name, english), (_, spanish)) in EN.all().zip(ES.all()) {
            assert_eq!(english.matches("{}").count(), spanish.matches("{}").count(), "{name}");
            assert!(!english.is_empty() && !spanish.is_empty(), "{name}");
        }
    }
}
