//! Translations of what the core says, looked up by id: one JSON file per crate or family of texts
//! in `es/`, each an object from id to template.

use hopscope_core::message::{Argument, Message};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The files, each with a description of its ids for error messages.
const SPANISH: [(&str, &str); 10] = [
    ("messages of core/scenario", include_str!("es/scenario.json")),
    ("messages of network formats and generators", include_str!("es/formats.json")),
    ("messages of core/routing", include_str!("es/routing.json")),
    ("messages of applications and traces", include_str!("es/application.json")),
    ("messages of core", include_str!("es/core.json")),
    ("words of figures", include_str!("es/figures.json")),
    ("problems of the page", include_str!("es/page.json")),
    ("names, summaries and units of what can be chosen", include_str!("es/catalogue.json")),
    ("names and descriptions of the gallery", include_str!("es/gallery.json")),
    ("names and titles of published studies", include_str!("es/studies.json")),
];

static BY_ID: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let mut all = BTreeMap::new();
    for (what, text) in SPANISH {
        let file: BTreeMap<String, String> =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{what}: {error}"));
        all.extend(file);
    }
    all
});

/// The Spanish template of an id.
pub fn spanish(id: &str) -> Option<&'static str> {
    BY_ID.get(id).map(String::as_str)
}

/// Arguments that may look like numbers and are none: names, and versions of files.
const NO_NUMBERS: [&str; 6] = ["flow", "name", "names", "scenario", "text", "version"];

/// A message in Spanish. The numbers that fill its gaps have a decimal comma.
pub fn in_spanish(message: &Message) -> String {
    with_commas(message).in_language(&spanish)
}

fn with_commas(message: &Message) -> Message {
    let template = spanish(&message.id).unwrap_or(&message.english);
    // Between backquotes is what a file says, to the letter.
    let is_number =
        |name: &str| !NO_NUMBERS.contains(&name) && !template.contains(&format!("`{{{name}}}`"));
    let arguments = message.arguments.iter().map(|(name, value)| {
        let value = if is_number(name) { with_comma(value) } else { value.clone() };
        (name.clone(), value)
    });
    Message { arguments: arguments.collect(), ..message.clone() }
}

fn with_comma(value: &Argument) -> Argument {
    match value {
        Argument::Text(text) if text.parse::<f64>().is_ok() => {
            Argument::Text(text.replace('.', ","))
        }
        Argument::Text(text) => Argument::Text(text.clone()),
        Argument::Message(message) => Argument::Message(with_commas(message)),
        Argument::List(list) => Argument::List(list.iter().map(with_comma).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::problems;
    use super::*;
    use hopscope_core::message::Template;
    use hopscope_core::scenario::Scenario;
    use std::collections::BTreeSet;

    /// The names of the gaps of a template, each once.
    fn gaps<'a>(template: &'a str, known: &[&'a str]) -> Vec<&'a str> {
        let mut gaps = Vec::new();
        for part in template.split('{').skip(1) {
            if let Some((name, _)) = part.split_once('}')
                && known.contains(&name)
            {
                gaps.push(name);
            }
        }
        gaps.sort_unstable();
        gaps.dedup();
        gaps
    }

    /// The templates of the core and of the page.
    fn templates() -> impl Iterator<Item = &'static Template> {
        let figures = hopscope_figures::messages::ALL;
        hopscope_core::templates().chain(figures).chain(problems::ALL)
    }

    #[test]
    fn each_id_names_one_template() {
        let mut known = BTreeSet::new();
        let twice: Vec<&str> = templates().map(|t| t.id).filter(|id| !known.insert(*id)).collect();
        assert_eq!(twice, [""; 0]);
        let mut ids = BTreeSet::new();
        for (what, text) in SPANISH {
            let file: BTreeMap<String, String> = serde_json::from_str(text).unwrap();
            for id in file.into_keys() {
                assert!(ids.insert(id.clone()), "{what}: `{id}` is translated twice");
            }
        }
    }

    #[test]
    fn every_template_has_spanish_with_the_same_gaps() {
        let missing: Vec<&str> =
            templates().map(|t| t.id).filter(|id| spanish(id).is_none()).collect();
        assert_eq!(missing, [""; 0]);
        for Template { id, english, arguments } in templates() {
            let mut declared = arguments.to_vec();
            declared.sort_unstable();
            assert_eq!(gaps(english, arguments), declared, "{id}: {english}");
            let translated = spanish(id).expect("none is missing");
            assert_eq!(gaps(translated, arguments), declared, "{id}: {translated}");
        }
    }

    #[test]
    fn places_and_fixes_of_problems_are_translated() {
        use crate::text::{Language, place, problems_in_words};
        use hopscope_core::problem::Place;
        let point = |within: &str| Place::Point(3, Box::new(within.into()));
        let file = Place::File("a.json".into(), Box::new(Place::Position(1, 0)));
        let places = [
            (Place::Link, "link", "enlace"),
            (Place::Line(7), "line 7", "línea 7"),
            (point(""), "point 3", "punto 3"),
            (point("traffic.0.load"), "point 3: traffic.0.load", "punto 3: traffic.0.load"),
            (file, "a.json, line 1, column 0", "a.json, línea 1, columna 0"),
            ("line x".into(), "line x", "line x"),
        ];
        let damaged = Scenario::from_link("1abc").expect_err("it is damaged");
        for (at, english, _) in &places {
            assert_eq!([at.to_string(), place(at)], [*english; 2]);
        }
        assert_eq!(problems_in_words(&damaged), damaged.to_string());
        Language::Spanish.speak();
        let spanish = places.each_ref().map(|(at, ..)| place(at));
        let told_in_spanish = problems_in_words(&damaged);
        Language::English.speak();
        assert_eq!(spanish, places.map(|(_, _, spanish)| spanish));
        assert!(told_in_spanish.starts_with("enlace: el enlace está dañado"), "{told_in_spanish}");
        assert!(told_in_spanish.contains("(solución: "), "{told_in_spanish}");
    }

    #[test]
    fn numbers_in_spanish_have_a_decimal_comma() {
        // What the user types in a file or a command is as it is there, and numbers of sections
        // have several points.
        let has_point = |word: &str| {
            let is_digit = |byte: u8| byte.is_ascii_digit();
            let is_point =
                |three: &[u8]| is_digit(three[0]) && three[1] == b'.' && is_digit(three[2]);
            !word.contains('=')
                && word.as_bytes().windows(3).filter(|three| is_point(three)).count() == 1
        };
        let files = SPANISH.iter().flat_map(|(_, text)| {
            let file: BTreeMap<String, String> = serde_json::from_str(text).unwrap();
            file.into_values()
        });
        let own = crate::text::ES.all().map(|(_, text)| text.to_owned());
        let wrong: Vec<String> =
            files.chain(own).filter(|text| text.split_whitespace().any(has_point)).collect();
        assert_eq!(wrong, [""; 0]);
    }

    /// A template with its arguments.
    fn message(id: &str, values: Vec<Argument>) -> Message {
        let template = templates().find(|template| template.id == id).expect("a known template");
        Message::new(template, values)
    }

    fn filled(id: &str, values: &[&str]) -> String {
        in_spanish(&message(id, values.iter().map(|&value| value.into()).collect()))
    }

    #[test]
    fn numbers_in_gaps_have_a_decimal_comma() {
        assert_eq!(filled("percent_out_of_bounds", &["101.25"]), "101,25 %");
        assert_eq!(filled("a_load_of", &["2.5e-6"]), "una carga de 2,5e-6");
        assert_eq!(filled("axis_number", &["-0.05"]), "-0,05");
        // So do those in parts of the sentence and in lists.
        let parts = ["0.5", "7"].map(|load| message("a_load_of", vec![load.into()])).to_vec();
        let told_parts = in_spanish(&message("one_of", vec![parts.into()]));
        assert!(told_parts.ends_with("una carga de 0,5, una carga de 7"), "{told_parts}");
        let heavy = r#"{"hopscope": 1, "network": {"generate": {"kind": "ring", "switches": 4}},
            "traffic": [{"load": 50}]}"#;
        assert_eq!(
            told(heavy),
            [
                "cada host ofrecería 156,2 flits por ciclo; su canal lleva 1",
                "usa 0,32 flits/ns/switch como mucho, que llena el canal"
            ]
        );
    }

    #[test]
    fn names_versions_and_words_of_files_stay_as_they_are() {
        assert_eq!(filled("plain", &["1.5"]), "1.5");
        assert_eq!(filled("use_version", &["1.5"]), "usa 1.5");
        assert!(filled("host_called_so", &["3", "1.5"]).contains("`1.5`"));
        assert!(filled("trace_no_label", &["1.5"]).contains("`1.5`"));
        assert_eq!(filled("at_load", &["traffic.0.load"]), "con carga traffic.0.load");
        let from = filled("provenance", &["0.5", "1.2.3", "4", "ab.c"]);
        assert_eq!(from, "0.5 | Hopscope 1.2.3 | semilla 4 | huella ab.c");
    }

    /// A message in Spanish; fails where a template or a part of the sentence has no id.
    fn told(text: &str) -> Vec<String> {
        let read = Scenario::read(text).and_then(|scenario| scenario.check());
        let problems = read.expect_err(text);
        let messages = problems.0.iter().flat_map(|problem| [&problem.why, &problem.fix]);
        let messages = messages.filter(|message| !message.is_empty());
        messages
            .map(|message| {
                assert!(spanish(&message.id).is_some(), "{message}");
                in_spanish(message)
            })
            .collect()
    }

    #[test]
    fn problems_of_drawings_are_told_in_spanish() {
        let two = r#"{"hopscope":1,"network":{"switches":[{"ports":4},{"ports":4}],"hosts":[{"switch":0},{"switch":1}],"links":[]}}"#;
        assert_eq!(
            told(two),
            [
                "la red está en 2 partes sin conexión: {switch 0}, {switch 1}",
                "enlaza switch 0 con switch 1"
            ]
        );
        let taken = r#"{"hopscope":1,"network":{"switches":[{"ports":4}],"hosts":[{"switch":0,"port":3},{"switch":0,"port":3}]}}"#;
        assert_eq!(
            told(taken),
            ["el puerto 3 del conmutador 0 ya lo ocupa el host 0", "el puerto 0 está libre"]
        );
        let full = r#"{"hopscope":1,"network":{"switches":[{"ports":2}],"hosts":[{"switch":0},{"switch":0},{"switch":0}]}}"#;
        let empty = r#"{"hopscope":1,"network":{"switches":[]}}"#;
        let slow = r#"{"hopscope":1,"network":{"generate":{"kind":"ring","switches":4}},"fabric":{"kind":"wormhole","link_delay_cycles":200}}"#;
        let heavy = r#"{"hopscope": 1, "network": {"generate": {"kind": "ring", "switches": 4}},
            "traffic": [{"load": 50}]}"#;
        for text in [full, empty, slow, heavy] {
            told(text);
        }
    }

    #[test]
    fn broken_json_is_told_in_spanish() {
        let broken = [
            "",
            "{",
            "[1",
            "\"abc",
            "{\"a\" 1}",
            "{\"a\":1,}",
            "[1 2]",
            "{\"a\":1 2}",
            "nul",
            "{a:1}",
            "{} 2",
            "\"\\q\"",
            "01",
            "1e999",
            "[,]",
            "\"\\ud800\"",
            "\"\u{1}\"",
            "{\"a\":}",
        ];
        for text in broken {
            let spanish = &told(text)[0];
            let reason = Scenario::read(text).expect_err(text).0[0].why.to_string();
            let reason = reason.strip_prefix("this is not JSON: ").expect("so it begins");
            assert!(
                spanish.starts_with("esto no es JSON: ") && !spanish.contains(reason),
                "{spanish}"
            );
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_in_spanish() {
        let ring = r#""network":{"generate":{"kind":"ring","switches":4}}"#;
        for text in [
            r#"{"hopscope":1}"#.to_owned(),
            r#"{"hopscope":9}"#.to_owned(),
            r#"{"hopscope":1,"network":7}"#.to_owned(),
            r#"{"hopscope":1,"network":{}}"#.to_owned(),
            r#"{"hopscope":1,"network":{"generate":{"switches":4}}}"#.to_owned(),
            r#"{"hopscope":1,"network":{"generate":{"kind":"rung"}}}"#.to_owned(),
            format!(r#"{{"hopscope":1,{ring},"fabric":{{"kind":"wormhole","stop":3}}}}"#),
            format!(r#"{{"hopscope":1,{ring},"routing":{{"preset":"UDD"}}}}"#),
            format!(r#"{{"hopscope":1,{ring},"routing":{{"root":"hub"}}}}"#),
            format!(r#"{{"hopscope":1,{ring},"traffic":[{{"load":"much"}}]}}"#),
            format!(r#"{{"hopscope":1,{ring},"seed":-1}}"#),
        ] {
            told(&text);
        }
    }
}
