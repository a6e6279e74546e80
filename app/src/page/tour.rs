//! The first look: three steps on one network.

use super::{Page, Tab};
use crate::edit::Kind;
use hopscope_core::scenario::{Preset, Scenario};

/// Steps of the first look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tour {
    /// up*/down*: the root blocks.
    UpDown,
    /// ITBs: it does not.
    Itb,
    /// Minimal routes without ITBs: deadlock.
    Minimal,
    /// The document of last time is back.
    CameBack,
    /// No more of it.
    Over,
}

/// The scenario the page opens with.
pub fn welcome() -> Scenario {
    Scenario::read(include_str!("welcome.json")).expect("it was tested")
}

impl Page {
    pub(super) fn set_tour_scenario(&mut self, tour: Tour) {
        let preset = match tour {
            Tour::UpDown => Preset::UD,
            Tour::Itb => Preset::UD_ITB,
            Tour::Minimal => Preset::Minimal,
            Tour::CameBack | Tour::Over => return,
        };
        let mut scenario =
            if tour == Tour::UpDown { welcome() } else { (**self.document.scenario()).clone() };
        scenario.routing.preset = preset;
        self.tab = Tab::Watch;
        self.run.play_when_loaded = true;
        self.run.warm_when_loaded = true;
        if self.document.change(Kind::Routing, scenario) {
            self.document_changed();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::simulation::Simulation;

    #[test]
    fn the_first_look_can_be_simulated_in_every_step() {
        for preset in [Preset::UD, Preset::UD_ITB, Preset::Minimal] {
            let mut scenario = welcome();
            scenario.routing.preset = preset;
            let simulation = Simulation::new(&scenario).expect("it can run");
            assert_eq!(simulation.routing().report.acyclic, preset != Preset::Minimal);
        }
    }
}
