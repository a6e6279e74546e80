//! Names, summaries and units of the core's catalogue and gallery in the language of the page.
//!
//! Each text is looked up by an id made of its place, and is English where a language lacks it:
//!
//! * `topologies.ring.name` and `topologies.ring.summary`: a member of a family;
//! * `schedulers.drr.quanta`: a parameter of one member, or `topologies.switches` if the
//!   parameter means the same for all members of the family that have it; its short name has the
//!   same id with `.name` after it;
//! * `groups.Times`: a heading of parameters, by its English;
//! * `words.credits.shared`: a word of a choice, by the parameter;
//! * `routings.UD.plain`: the name of a routing in plain words;
//! * `units.cycles`: a unit;
//! * `gallery.first-light.name` and `gallery.first-light.description`;
//! * `studies.thesis-routes`: the name of a published study;
//! * `rows.uniform`: a title of rows of published studies, or the name of a variant, by its
//!   English.

use super::Language;
use super::translations::spanish;
use hopscope_core::catalogue::{Descriptor, Kind, Names, Parameter};
use hopscope_core::families::{self, Family};
use hopscope_core::gallery;
use hopscope_core::scenario::{MEASURE, Preset, Scenario};
use hopscope_core::study::Published;
use std::sync::LazyLock;

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let mut all = families::all();
    all.push(families::applications());
    // A family of one, so that its texts are found as those of the others.
    all.push(Family {
        id: "measurements",
        summary: "when to start and to stop counting",
        path: "",
        members: vec![MEASURE],
    });
    all
});

/// A family by its id, with all members.
///
/// # Panics
///
/// If there is no such family. Callers pass constant ids.
pub fn family(id: &str) -> &'static Family {
    FAMILIES.iter().find(|family| family.id == id).expect("the family exists")
}

/// The family whose members a field of the scenario names, such as `routing.preset` or
/// `traffic.0.pattern.kind`.
pub fn family_at(path: &str) -> Option<&'static Family> {
    let is_number = |word: &str| word.parse::<usize>().is_ok();
    let path: Vec<&str> = path.strip_suffix(".kind").unwrap_or(path).split('.').collect();
    let is_there = |family: &&Family| {
        let words: Vec<&str> = family.path.split('.').collect();
        let is_word = |(own, word): (&&str, &&str)| own == word || *own == "N" && is_number(word);
        !family.path.is_empty() && words.len() == path.len() && words.iter().zip(&path).all(is_word)
    };
    FAMILIES.iter().find(is_there)
}

/// A member of a family by its identifier.
///
/// # Panics
/// If there is no such member.
pub fn member(family: &str, id: &str) -> &'static Descriptor {
    let members = &self::family(family).members;
    members.iter().find(|member| member.id == id).expect("the member exists")
}

/// The name of a member of a family. Routings have the same names in every language.
pub fn name(family: &Family, member: &Descriptor) -> &'static str {
    translated(&member_id(family, member, "name")).unwrap_or(member.name)
}

/// The name of a routing in plain words.
pub fn plain_name(preset: Preset) -> &'static str {
    translated(&plain_id(preset)).unwrap_or(preset.plain_name())
}

/// What a member of a family is, in one line.
pub fn summary(family: &Family, member: &Descriptor) -> &'static str {
    translated(&member_id(family, member, "summary")).unwrap_or(member.summary)
}

/// What a parameter of a member means.
pub fn parameter(family: &Family, member: &Descriptor, parameter: &Parameter) -> &'static str {
    of_parameter(family, member, parameter, "").unwrap_or(parameter.summary)
}

/// What a form calls a parameter: its short name, or its summary if it has none.
pub fn label(family: &Family, member: &Descriptor, parameter: &Parameter) -> &'static str {
    if parameter.name.is_empty() {
        return self::parameter(family, member, parameter);
    }
    of_parameter(family, member, parameter, ".name").unwrap_or(parameter.name)
}

/// The same by identifiers.
///
/// # Panics
/// If there is no such parameter.
pub fn label_of(family: &str, member: &str, parameter: &str) -> &'static str {
    let member = self::member(family, member);
    let parameter = member.parameters.iter().find(|other| other.id == parameter);
    label(self::family(family), member, parameter.expect("the parameter exists"))
}

/// The heading of a group of parameters.
pub fn group(english: &'static str) -> &'static str {
    translated(&group_id(english)).unwrap_or(english)
}

/// The name of one of the words of a choice.
pub fn word(parameter: &Parameter, word: &'static str) -> &'static str {
    let Kind::Choice { choices, names, .. } = parameter.kind else { return word };
    match names {
        Names::OfFamily { family } => {
            let family = self::family(family);
            let member = family.members.iter().find(|member| member.id == word);
            member.map_or(word, |member| name(family, member))
        }
        Names::Own(names) => {
            let named = choices.iter().zip(names).find(|(choice, _)| **choice == word);
            translated(&word_id(parameter, word)).or(named.map(|(_, name)| *name)).unwrap_or(word)
        }
    }
}

/// The unit of a parameter; empty if it has none.
pub fn unit(parameter: &Parameter) -> &'static str {
    translated(&unit_id(parameter.unit)).unwrap_or(parameter.unit)
}

/// The name of a scenario of the gallery, which is `english` in English.
pub fn gallery_name(item: &gallery::Item, english: &str) -> String {
    translated(&format!("gallery.{}.name", item.id)).unwrap_or(english).to_owned()
}

/// The description of a scenario of the gallery, which is `english` in English.
pub fn gallery_description(item: &gallery::Item, english: &str) -> String {
    translated(&format!("gallery.{}.description", item.id)).unwrap_or(english).to_owned()
}

/// A scenario of the gallery with name and description in the user's language; `None` if it cannot
/// be read.
pub fn gallery_scenario(item: &gallery::Item) -> Option<Scenario> {
    let scenario = item.scenario().ok()?;
    let name = gallery_name(item, &scenario.name);
    let description = gallery_description(item, &scenario.description);
    Some(Scenario { name, description, ..scenario })
}

/// The name of a published study, which is `english` in English.
pub fn study_name(study: &Published, english: &str) -> String {
    translated(&format!("studies.{}", study.id)).unwrap_or(english).to_owned()
}

/// A title of rows of a published study, or the name of a variant. Names of routings and schedulers
/// are the same in every language.
pub fn row_title(english: &str) -> &str {
    translated(&format!("rows.{english}")).unwrap_or(english)
}

/// A finding of a published study.
pub fn finding(english: &str) -> &str {
    translated(&format!("findings.{english}")).unwrap_or(english)
}

fn member_id(family: &Family, member: &Descriptor, part: &str) -> String {
    format!("{}.{}.{part}", family.id, member.id)
}

/// The Spanish of a parameter: of the member's own, or of the family's.
fn of_parameter(
    family: &Family,
    member: &Descriptor,
    parameter: &Parameter,
    part: &str,
) -> Option<&'static str> {
    let own = member_id(family, member, &format!("{}{part}", parameter.id));
    translated(&own).or_else(|| translated(&format!("{}.{}{part}", family.id, parameter.id)))
}

fn group_id(english: &str) -> String {
    format!("groups.{english}")
}

fn word_id(parameter: &Parameter, word: &str) -> String {
    format!("words.{}.{word}", parameter.id)
}

fn plain_id(preset: Preset) -> String {
    format!("routings.{}.plain", preset.descriptor().id)
}

fn unit_id(unit: &str) -> String {
    format!("units.{}", unit.replace(", ", "-").replace(' ', "-"))
}

fn translated(id: &str) -> Option<&'static str> {
    match Language::spoken() {
        Language::English => None,
        Language::Spanish => spanish(id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::study::published;
    use std::collections::{BTreeMap, BTreeSet};

    /// Every id of the catalogue and the gallery with its English text.
    fn ids() -> Vec<(String, String)> {
        let mut all = Vec::new();
        for family in FAMILIES.iter() {
            for member in &family.members {
                if family.id != "routings" {
                    all.push((member_id(family, member, "name"), member.name.to_owned()));
                }
                all.push((member_id(family, member, "summary"), member.summary.to_owned()));
                for parameter in member.parameters {
                    let id_of = |part, text: fn(&Parameter) -> &'static str| {
                        let id = format!("{}{part}", parameter.id);
                        let id = match is_one_text(family, parameter, text) {
                            true => format!("{}.{id}", family.id),
                            false => member_id(family, member, &id),
                        };
                        (id, text(parameter).to_owned())
                    };
                    all.push(id_of("", |parameter| parameter.summary));
                    if !parameter.name.is_empty() {
                        all.push(id_of(".name", |parameter| parameter.name));
                    }
                    if !parameter.group.is_empty() {
                        all.push((group_id(parameter.group), parameter.group.to_owned()));
                    }
                    all.extend(own_words(parameter));
                    if !parameter.unit.is_empty() {
                        all.push((unit_id(parameter.unit), parameter.unit.to_owned()));
                    }
                }
            }
        }
        let plain = |preset: &Preset| (plain_id(*preset), preset.plain_name().to_owned());
        all.extend(Preset::ALL.iter().map(plain));
        for item in gallery::all() {
            let scenario = item.scenario().expect("the gallery is valid");
            all.push((format!("gallery.{}.name", item.id), scenario.name));
            all.push((format!("gallery.{}.description", item.id), scenario.description));
        }
        for item in published() {
            all.push((format!("studies.{}", item.id), item.name()));
            let study = item.study().expect("published studies are valid");
            let findings = study.findings.into_iter().map(|claim| claim.text);
            all.extend(findings.map(|text| (format!("findings.{text}"), text)));
            let titles = study.rows.into_iter().filter_map(|row| row.title);
            let names = study.variants.into_iter().map(|variant| variant.name);
            // One word is the name of a scheduler.
            let words = titles.chain(names).filter(|name| name.contains(' ') || name == "uniform");
            all.extend(words.map(|name| (format!("rows.{name}"), name)));
        }
        let mut seen = BTreeSet::new();
        all.retain(|(id, _)| seen.insert(id.clone()));
        all
    }

    /// The ids of the words of a choice with their names, if these are not those of a family.
    fn own_words(parameter: &Parameter) -> Vec<(String, String)> {
        let Kind::Choice { choices, names: Names::Own(names), .. } = parameter.kind else {
            return Vec::new();
        };
        assert_eq!(choices.len(), names.len(), "names of {}", parameter.id);
        let word = |(word, name): (&&str, &&str)| (word_id(parameter, word), (*name).to_owned());
        choices.iter().zip(names).map(word).collect()
    }

    #[test]
    fn every_word_of_a_choice_has_one_name() {
        let mut named: BTreeMap<String, String> = BTreeMap::new();
        for parameter in
            FAMILIES.iter().flat_map(|family| &family.members).flat_map(|m| m.parameters)
        {
            for (id, name) in own_words(parameter) {
                assert_eq!(*named.entry(id).or_insert_with(|| name.clone()), name);
            }
            if let Kind::Choice { choices, names: Names::OfFamily { family }, .. } = parameter.kind
            {
                let members = &self::family(family).members;
                let ids: Vec<&str> = members.iter().map(|member| member.id).collect();
                assert_eq!(choices, ids, "{}", parameter.id);
            }
        }
    }

    #[test]
    fn words_of_choices_have_names_in_both_languages() {
        let switches = family("switches");
        let of = |id: &str| {
            let all = switches.members.iter().flat_map(|member| member.parameters);
            all.into_iter().find(|parameter| parameter.id == id).expect("a parameter")
        };
        let names = || [word(of("queues"), "voq-switch"), word(of("credits"), "shared")];
        assert_eq!(names(), ["One per output (VOQsw)", "Shared by the queues of a lane"]);
        Language::Spanish.speak();
        let spanish = names();
        Language::English.speak();
        assert_eq!(spanish, ["Una por salida (VOQsw)", "Compartidos por las colas de un carril"]);
    }

    /// True if a text of the parameter is the same in all members of the family that have it.
    fn is_one_text(
        family: &Family,
        parameter: &Parameter,
        text: fn(&Parameter) -> &'static str,
    ) -> bool {
        let all = family.members.iter().flat_map(|member| member.parameters);
        all.filter(|other| other.id == parameter.id).all(|other| text(other) == text(parameter))
    }

    #[test]
    fn summaries_name_no_other_field_by_its_word_in_the_file() {
        let quoting = || {
            let mut all = Vec::new();
            for family in FAMILIES.iter() {
                for member in &family.members {
                    let words: Vec<String> =
                        member.parameters.iter().map(|other| format!("`{}`", other.id)).collect();
                    let summaries =
                        member.parameters.iter().map(|own| parameter(family, member, own));
                    all.extend(
                        summaries.filter(|text| words.iter().any(|word| text.contains(word))),
                    );
                }
            }
            all
        };
        assert_eq!(quoting(), Vec::<&str>::new());
        Language::Spanish.speak();
        let spanish = quoting();
        Language::English.speak();
        assert_eq!(spanish, Vec::<&str>::new());
    }

    #[test]
    fn every_text_of_catalogue_and_gallery_has_spanish() {
        let missing: Vec<_> = ids().into_iter().filter(|(id, _)| spanish(id).is_none()).collect();
        assert!(missing.is_empty(), "no Spanish in app/src/text/es for: {missing:#?}");
    }

    #[test]
    fn every_spanish_text_of_catalogue_and_gallery_is_used() {
        let used: BTreeSet<String> = ids().into_iter().map(|(id, _)| id).collect();
        for file in [
            include_str!("es/catalogue.json"),
            include_str!("es/gallery.json"),
            include_str!("es/studies.json"),
        ] {
            let texts: BTreeMap<String, String> = serde_json::from_str(file).expect("it is JSON");
            let unused: Vec<_> = texts.keys().filter(|id| !used.contains(*id)).collect();
            assert!(unused.is_empty(), "{unused:?}");
        }
    }

    #[test]
    fn families_are_found_by_the_fields_that_name_their_members() {
        let found = |path| family_at(path).map(|family| family.id);
        assert_eq!(found("routing.preset"), Some("routings"));
        assert_eq!(found("traffic.12.pattern.kind"), Some("patterns"));
        assert_eq!(found("fabric.scheduler.kind"), Some("schedulers"));
        assert_eq!([found("traffic.x.pattern"), found("seed"), found("")], [None; 3]);
    }

    #[test]
    fn texts_are_found_in_both_languages() {
        let topologies = family("topologies");
        let ring = topologies.members.iter().find(|member| member.id == "ring").expect("a ring");
        assert_eq!(name(topologies, ring), "Ring");
        Language::Spanish.speak();
        let names = [
            name(topologies, ring),
            parameter(topologies, ring, &ring.parameters[0]),
            unit(&ring.parameters[0]),
        ];
        Language::English.speak();
        assert_eq!(names, ["Anillo", "número de conmutadores", "conmutadores"]);
    }
}
