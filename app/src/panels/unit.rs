//! The unit in which traffic is shown: that of the loads, which the scenario chooses.

use crate::state::State;
use crate::text::text;
use hopscope_core::scenario::LoadUnit;

/// The unit, and what the network takes in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Traffic {
    /// The unit.
    pub unit: LoadUnit,
    /// What a flit per nanosecond and switch is in this unit.
    factor: f64,
}

impl Traffic {
    /// The unit of the scenario's first flow, or the fabric's own.
    pub fn of(state: &State) -> Traffic {
        let (scenario, picture) = (state.scenario(), &state.stage.picture);
        let fabric = &scenario.fabric;
        let chosen = scenario.traffic.first().and_then(|flow| flow.load_unit);
        let unit = chosen.unwrap_or_else(|| fabric.technique().load_unit());
        let (switches, hosts) = (picture.switches.len().max(1), picture.hosts.len().max(1));
        let per_host = |unit| fabric.flits_per_cycle_per_host(unit, switches, hosts);
        Traffic { unit, factor: per_host(LoadUnit::FlitsPerNsPerSwitch) / per_host(unit) }
    }

    /// Traffic in flits per nanosecond and switch, in this unit.
    pub fn value(self, flits_per_ns_per_switch: f64) -> f64 {
        flits_per_ns_per_switch * self.factor
    }

    /// The unit in a word.
    pub fn name(self) -> &'static str {
        name(self.unit)
    }
}

/// A unit in a word.
pub fn name(unit: LoadUnit) -> &'static str {
    match unit {
        LoadUnit::FlitsPerCyclePerHost => text().flits_per_cycle_short,
        LoadUnit::FlitsPerNsPerSwitch => text().flits_per_ns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::state::{Theme, Tour, welcome};

    #[test]
    fn traffic_is_shown_in_the_unit_of_the_loads() {
        let mut scenario = welcome();
        scenario.traffic[0].load_unit = None;
        let unit = |scenario| {
            let mut state = State::new(Document::new(scenario), Tour::Over, Theme::Light);
            state.stage.picture =
                std::rc::Rc::new(crate::stage::picture::Picture::of(state.scenario()));
            Traffic::of(&state)
        };
        assert_eq!(unit(scenario.clone()).value(0.04), 0.04);
        scenario.traffic[0].load_unit = Some(LoadUnit::FlitsPerCyclePerHost);
        // 0.04 flits/ns/switch x 6.25 ns x 16 switches / 64 hosts
        assert!((unit(scenario).value(0.04) - 0.0625).abs() < 1e-12);
    }
}
