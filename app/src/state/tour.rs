//! The tour for first visitors: three steps on one network.

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

/// The scenario that the page opens with.
pub fn welcome() -> Scenario {
    Scenario::read(include_str!("welcome.json")).expect("it was tested")
}

impl Tour {
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
    use hopscope_core::simulation::Simulation;

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
            simulation.report().accepted_flits_per_ns_per_switch
        };
        let (without, with) = (accepted(Tour::UpDown), accepted(Tour::Itb));
        assert!(with > 1.5 * without, "{with} with ITBs, {without} without");
    }
}
