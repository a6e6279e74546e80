//! The named routings in groups, with plain names.

use crate::panels::field::OptionGroup;
use crate::text::{Text, catalogue, text};
use hopscope_core::routing::Own;
use hopscope_core::scenario::{CandidateSet, Placement, Preset};

/// What a routing is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    /// Free of deadlock in any network, without in-transit buffers.
    Safe,
    /// Free of deadlock in any network, by in-transit buffers.
    WithItbs,
    /// For meshes, tori and trees.
    Regular,
    /// May deadlock.
    Unsafe,
}

impl Group {
    const ALL: [Group; 4] = [Group::Safe, Group::WithItbs, Group::Regular, Group::Unsafe];

    fn name(self, t: &Text) -> &'static str {
        match self {
            Group::Safe => t.routings_safe,
            Group::WithItbs => t.routings_itb,
            Group::Regular => t.routings_regular,
            Group::Unsafe => t.routings_unsafe,
        }
    }

    fn of(preset: Preset) -> Group {
        let axes = preset.axes();
        match axes.own {
            Some(Own::DimensionOrder | Own::DModK) => Group::Regular,
            _ if axes.placement != Placement::None => Group::WithItbs,
            // Nothing keeps them from cycles.
            None if axes.paths == CandidateSet::Minimal => Group::Unsafe,
            _ => Group::Safe,
        }
    }
}

/// All named routings, in their groups.
pub fn groups() -> Vec<OptionGroup> {
    let t = text();
    let option = |preset: &Preset| (preset.descriptor().id.to_owned(), name(*preset));
    let of = |group: Group| OptionGroup {
        name: group.name(t),
        options: Preset::ALL
            .iter()
            .filter(|preset| Group::of(**preset) == group)
            .map(option)
            .collect(),
    };
    Group::ALL.map(of).into()
}

/// The plain name, and that of the papers, which is in capitals, where there is one.
fn name(preset: Preset) -> String {
    let (plain, id) = (catalogue::plain_name(preset), preset.descriptor().id);
    if id.starts_with(char::is_uppercase) { format!("{plain} · {id}") } else { plain.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::Scenario;
    use hopscope_core::simulation::Simulation;
    use std::collections::BTreeSet;

    /// Whether the routes of a preset have no cycle of dependencies in an irregular network.
    fn is_acyclic(preset: Preset) -> bool {
        let mut scenario = Scenario::parse(
            r#"{"hopscope":1,"network":{"generate":{"kind":"irregular","switches":16,"seed":2}}}"#,
        )
        .expect("it is a scenario");
        scenario.routing.preset = preset;
        Simulation::new(&scenario).expect("it can run").routing().report.acyclic
    }

    #[test]
    fn groups_are_safe_or_unsafe_as_they_say() {
        for preset in Preset::ALL {
            match Group::of(*preset) {
                Group::Safe | Group::WithItbs => assert!(is_acyclic(*preset), "{preset:?}"),
                Group::Unsafe => assert!(!is_acyclic(*preset), "{preset:?}"),
                // They refuse an irregular network.
                Group::Regular => {}
            }
        }
    }

    #[test]
    fn every_routing_is_in_one_group_under_a_name_of_its_own() {
        let options: Vec<_> = groups().into_iter().flat_map(|group| group.options).collect();
        assert_eq!(options.len(), Preset::ALL.len());
        let ids: BTreeSet<_> = options.iter().map(|(id, _)| id).collect();
        let names: BTreeSet<_> = options.iter().map(|(_, name)| name).collect();
        assert_eq!([ids.len(), names.len()], [Preset::ALL.len(); 2]);
    }
}
