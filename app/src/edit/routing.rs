//! Choosing a routing by its name.

use hopscope_core::scenario::{Halfway, Preset, RoutingSpec, Scenario};

/// Chooses a named routing. It replaces all axes; root, candidates and seed stay.
pub fn choose(scenario: &mut Scenario, preset: Preset) {
    scenario.routing = RoutingSpec {
        preset,
        orientation: None,
        paths: None,
        placement: None,
        choice: None,
        selection: None,
        halfway: Halfway::default(),
        ..scenario.routing.clone()
    };
}

#[cfg(test)]
mod tests {
    use super::choose;
    use hopscope_core::scenario::{Placement, Preset};

    #[test]
    fn a_named_routing_replaces_the_axes() {
        let mut scenario = crate::edit::blank();
        scenario.routing.seed = 7;
        scenario.routing.placement = Some(Placement::None);
        choose(&mut scenario, Preset::UD_ITB);
        assert_eq!((scenario.routing.placement, scenario.routing.seed), (None, 7));
    }
}
