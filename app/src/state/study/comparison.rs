//! The comparison of the stage's scenario with others: which fields differ, and what follows.

use crate::protocol::study::Compared;
use crate::text::{catalogue, text};
use hopscope_core::experiment::field_differences;
use hopscope_core::gallery;
use hopscope_core::problem::Problems;
use hopscope_core::scenario::Scenario;
use serde_json::Value;
use std::rc::Rc;

/// Scenarios that are compared at most: as many as a table can show beside each other.
pub const MOST_COMPARED: usize = 6;

/// The scenarios to compare with that of the stage.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Others {
    /// The scenario of the gallery that is chosen.
    pub gallery: usize,
    /// The scenarios that are kept for comparison.
    pub kept: Vec<Rc<Scenario>>,
}

impl Others {
    /// The chosen scenario of the gallery, with its name in the user's language.
    pub fn of_gallery(&self) -> Option<Rc<Scenario>> {
        catalogue::gallery_scenario(gallery::all().get(self.gallery)?).map(Rc::new)
    }

    /// Keeps a scenario, if there is room.
    pub fn keep(&mut self, scenario: Rc<Scenario>) {
        if self.has_room() {
            self.kept.push(scenario);
        }
    }

    /// Whether one more scenario can be kept.
    pub fn has_room(&self) -> bool {
        self.kept.len() + 1 < MOST_COMPARED
    }

    /// The scenarios to compare with: those that are kept; if there are none, the chosen one of the
    /// gallery.
    pub fn all(&self) -> Vec<Rc<Scenario>> {
        match self.kept.is_empty() {
            true => self.of_gallery().into_iter().collect(),
            false => self.kept.clone(),
        }
    }
}

/// A field that differs, with its value in each scenario; null where it is not there.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldValues {
    /// Its path, such as `traffic.0.load`.
    pub path: String,
    /// Its values.
    pub values: Vec<Value>,
}

/// A comparison of scenarios with the first of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The scenarios, all with the seed of the first.
    pub scenarios: Vec<Rc<Scenario>>,
    /// Their names, all different.
    pub names: Vec<String>,
    /// The fields that differ from the first scenario.
    pub fields: Vec<FieldValues>,
    /// The scenario that is drawn beside the first.
    pub beside: usize,
    /// What follows, once all have run: each of the others compared with the first.
    pub found: Option<Result<Vec<Compared>, Problems>>,
}

impl Comparison {
    /// A comparison that begins. Names and descriptions are no differences, and seeds are made
    /// equal.
    pub fn of(first: &Rc<Scenario>, others: &[Rc<Scenario>]) -> Comparison {
        let with_seed = |other: &Rc<Scenario>| match other.seed == first.seed {
            true => Rc::clone(other),
            false => Rc::new(Scenario { seed: first.seed, ..Scenario::clone(other) }),
        };
        let mut scenarios = vec![Rc::clone(first)];
        scenarios.extend(others.iter().map(with_seed));
        Comparison {
            names: names(&scenarios),
            fields: fields(&scenarios),
            scenarios,
            beside: 1,
            found: None,
        }
    }

    /// Names of the service levels of a scenario.
    pub fn level_names(&self, index: usize) -> Vec<String> {
        let levels = self.scenarios[index].fabric.technique().levels();
        levels.iter().map(|level| level.name.clone()).collect()
    }
}

/// Names that tell the scenarios apart: equal ones are numbered.
fn names(scenarios: &[Rc<Scenario>]) -> Vec<String> {
    let t = text();
    let plain: Vec<&str> = scenarios
        .iter()
        .map(|scenario| if scenario.name.is_empty() { t.unnamed } else { &scenario.name })
        .collect();
    let name = |(i, name): (usize, &&str)| {
        let same = |names: &[&str]| names.iter().filter(|other| *other == name).count();
        match same(&plain) {
            1 => (*name).to_owned(),
            _ => format!("{name} ({})", same(&plain[..i]) + 1),
        }
    };
    plain.iter().enumerate().map(name).collect()
}

/// The fields in which scenarios differ from the first.
fn fields(scenarios: &[Rc<Scenario>]) -> Vec<FieldValues> {
    let document = |scenario: &Rc<Scenario>| {
        let (name, description) = (String::new(), String::new());
        Scenario { name, description, ..Scenario::clone(scenario) }.to_document()
    };
    let documents: Vec<Value> = scenarios.iter().map(document).collect();
    let mut fields: Vec<FieldValues> = Vec::new();
    for (i, document) in documents.iter().enumerate().skip(1) {
        for difference in field_differences(&documents[0], document) {
            let known = fields.iter().position(|field| field.path == difference.path);
            let at = known.unwrap_or_else(|| {
                let values = vec![difference.first; documents.len()];
                fields.push(FieldValues { path: difference.path, values });
                fields.len() - 1
            });
            fields[at].values[i] = difference.second;
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::welcome;
    use crate::text::Language;

    fn with_load(load: f64, seed: u64) -> Rc<Scenario> {
        let mut scenario = Scenario { seed, ..welcome() };
        scenario.traffic[0].load = load;
        Rc::new(scenario)
    }

    #[test]
    fn fields_have_a_value_for_each_scenario_and_names_differ() {
        let mut named = Scenario::clone(&with_load(0.02, 1));
        named.name = "Another".into();
        named.routing.max_candidates += 1;
        let first = with_load(0.01, 5);
        let comparison = Comparison::of(&first, &[with_load(0.02, 9), Rc::new(named)]);
        let fields: Vec<(&str, String)> = comparison
            .fields
            .iter()
            .map(|field| (field.path.as_str(), Value::from(field.values.clone()).to_string()))
            .collect();
        let candidates = first.routing.max_candidates;
        let of_candidates = format!("[{candidates},{candidates},{}]", candidates + 1);
        assert_eq!(
            fields,
            [
                ("traffic.0.load", "[0.01,0.02,0.02]".into()),
                ("routing.max_candidates", of_candidates)
            ]
        );
        assert!(comparison.scenarios.iter().all(|scenario| scenario.seed == 5));
        let name = &first.name;
        let names = [format!("{name} (1)"), format!("{name} (2)"), "Another".into()];
        assert_eq!(comparison.names, names);
    }

    #[test]
    fn scenarios_of_the_gallery_have_their_names_in_the_language_of_the_page() {
        let number = gallery::all().iter().position(|item| item.id == "without-itbs");
        let others = Others { gallery: number.expect("it is there"), kept: Vec::new() };
        let name = || others.of_gallery().map(|scenario| scenario.name.clone());
        let english = name();
        Language::Spanish.speak();
        let spanish = name();
        Language::English.speak();
        assert_eq!(
            [english, spanish],
            ["The same without ITBs", "Lo mismo sin ITB"].map(|name| Some(name.into()))
        );
    }

    #[test]
    fn what_is_kept_replaces_the_choice_of_the_gallery() {
        let mut others = Others::default();
        assert_eq!(others.all(), others.of_gallery().into_iter().collect::<Vec<_>>());
        (0..10).for_each(|i| others.keep(with_load(0.01, i)));
        assert_eq!(others.kept.len() + 1, MOST_COMPARED, "there is no room for more");
        assert_eq!(others.all(), others.kept);
    }
}
