//! The tour for first visitors: three steps on one network.

use crate::text::{EN, ES, text};
use hopscope_core::scenario::{Preset, Scenario};

/// Steps of the tour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tour {
    /// up*/down*: channels near the root block.
    UpDown,
    /// In-transit buffers: they do not.
    Itb,
    /// Minimal routes without in-transit buffers: deadlock.
    Minimal,
    /// Not a step: the document of the last visit was restored.
    CameBack,
    /// The tour is over.
    Over,
}

/// The scenario that the page opens with, named in the user's language.
pub fn welcome() -> Scenario {
    let scenario = Scenario::read(include_str!("welcome.json")).expect("it was tested");
    Scenario { name: text().welcome_name.into(), ..scenario }
}

/// Whether a scenario is the one that the page opens with, in any language.
pub fn is_welcome(scenario: &Scenario) -> bool {
    let names = [EN.welcome_name, ES.welcome_name];
    names.contains(&&*scenario.name)
        && *scenario == Scenario { name: scenario.name.clone(), ..welcome() }
}

impl Tour {
    /// The step that is shown beside a scenario: that of its routing, which the user may have
    /// chosen elsewhere.
    pub fn beside(self, scenario: &Scenario) -> Tour {
        match (self, scenario.routing.preset) {
            (Tour::CameBack | Tour::Over, _) => self,
            (_, Preset::UD) => Tour::UpDown,
            (_, Preset::UD_ITB) => Tour::Itb,
            (_, Preset::Minimal) => Tour::Minimal,
            _ => Tour::Over,
        }
    }

    /// The scenario of the step, given the one before; `None` if the step has none.
    pub fn scenario(self, before: &Scenario) -> Option<Scenario> {
        let preset = match self {
            Tour::UpDown => Preset::UD,
            Tour::Itb => Preset::UD_ITB,
            Tour::Minimal => Preset::Minimal,
            Tour::CameBack | Tour::Over => return None,
        };
        let mut scenario = if self == Tour::UpDown { welcome() } else { before.clone() };
        scenario.routing.preset = preset;
        Some(scenario)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Language;
    use hopscope_core::lessons::Quantity;
    use hopscope_core::network::ChannelId;
    use hopscope_core::observe::{Snapshot, Wait};
    use hopscope_core::simulation::Simulation;
    use std::collections::BTreeMap;
    use std::iter::successors;

    #[test]
    fn a_step_is_shown_beside_its_routing_only() {
        let mut scenario = welcome();
        for step in [Tour::UpDown, Tour::Itb, Tour::Minimal] {
            let own = step.scenario(&scenario).expect("a step");
            assert_eq!([Tour::UpDown, Tour::Minimal].map(|tour| tour.beside(&own)), [step; 2]);
            assert_eq!(
                [Tour::Over, Tour::CameBack].map(|tour| tour.beside(&own)),
                [Tour::Over, Tour::CameBack]
            );
        }
        crate::edit::deadlock::provoke(&mut scenario);
        assert_eq!(Tour::UpDown.beside(&scenario), Tour::Minimal);
        scenario.routing.preset = Preset::DFS;
        assert_eq!(Tour::UpDown.beside(&scenario), Tour::Over);
    }

    #[test]
    fn the_scenario_that_the_page_opens_with_is_known_in_every_language() {
        let english = welcome();
        Language::Spanish.speak();
        let spanish = welcome();
        let known = [&english, &spanish].map(is_welcome);
        Language::English.speak();
        assert_eq!([&*english.name, &spanish.name], ["Welcome", "Bienvenida"]);
        assert_eq!(known, [true; 2]);
        assert!(is_welcome(&spanish));
        assert!(!is_welcome(&Scenario { seed: 2, ..welcome() }));
        assert!(!is_welcome(&Scenario { name: "Mine".into(), ..welcome() }));
    }

    #[test]
    fn every_step_of_the_tour_can_be_simulated() {
        for step in [Tour::UpDown, Tour::Itb, Tour::Minimal] {
            let scenario = step.scenario(&welcome()).expect("a step");
            let simulation = Simulation::new(&scenario).expect("it can run");
            assert_eq!(simulation.routing().report.acyclic, step != Tour::Minimal);
        }
        assert!(Tour::Over.scenario(&welcome()).is_none());
    }

    #[test]
    fn in_transit_buffers_make_the_difference_that_the_tour_shows() {
        let accepted = |step: Tour| {
            let mut scenario = step.scenario(&welcome()).expect("a step");
            (scenario.measure.warmup_messages, scenario.measure.messages) = (8000, 12_000);
            let mut simulation = Simulation::new(&scenario).expect("it can run");
            simulation.run_to_end();
            simulation.report().accepted_flits_per_ns_per_switch.expect("it measured")
        };
        let (without, with) = (accepted(Tour::UpDown), accepted(Tour::Itb));
        assert!(with > 1.5 * without, "{with} with ITBs, {without} without");
    }

    /// The page and the guide say it of their first scenario.
    #[test]
    fn most_messages_that_wait_do_so_for_the_root_and_with_itbs_it_is_one_more_switch() {
        let mut run = Simulation::new(&welcome()).expect("it can run");
        let network = run.network().clone();
        let root = run.routing().report.root.expect("up*/down* has a root");
        let is_at_root = |channel: u32| {
            let channel = ChannelId::new(channel as usize);
            channel.index() < network.network_channels()
                && [network.source_switch(channel), network.target_switch(channel)].contains(&root)
        };
        let (mut waiting, mut for_root) = (0, 0);
        for cycle in (20_000..80_000).step_by(1000) {
            run.run_until(cycle);
            let mut seen = Snapshot::default();
            run.add_waits(&mut seen);
            let next: BTreeMap<u32, &Wait> =
                seen.waits.iter().map(|wait| (wait.message, wait)).collect();
            // Each message waits for the next; without a deadlock the chain has an end.
            let is_for_root = |message: &u32| {
                successors(next.get(message), |wait| next.get(&wait.holder))
                    .any(|wait| is_at_root(wait.wants))
            };
            waiting += next.len();
            for_root += next.keys().filter(|message| is_for_root(message)).count();
        }
        assert!(10 * for_root > 6 * waiting, "{for_root} of {waiting}, itself or behind others");

        let with_itbs = Tour::Itb.scenario(&welcome()).expect("the step has one");
        let mut run = Simulation::new(&with_itbs).expect("it can run");
        run.run_to_end();
        let root_use = Quantity::RootUse.of(&run).expect("it has a root");
        assert!((0.8..1.2).contains(&root_use), "{root_use} times the mean");
    }

    #[test]
    fn without_any_rule_a_circle_closes() {
        let minimal = Tour::Minimal.scenario(&welcome()).expect("the step has one");
        let mut run = Simulation::new(&minimal).expect("it can run");
        run.run_to_end();
        assert!(run.deadlock().is_some());
    }
}
