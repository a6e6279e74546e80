//! Choosing a routing by its name.

use hopscope_core::scenario::{Preset, RoutingSpec, Scenario};

/// Chooses a named routing. It replaces all axes; root, candidates and seed stay. `former` is the
/// last routing with that name: it goes half around rings the same way.
pub fn choose(scenario: &mut Scenario, preset: Preset, former: Option<&RoutingSpec>) {
    scenario.routing = RoutingSpec {
        preset,
        orientation: None,
        paths: None,
        placement: None,
        choice: None,
        selection: None,
        halfway: former.map(|former| former.halfway).unwrap_or_default(),
        ..scenario.routing.clone()
    };
}

/// Gives back axes with the preset that they differ from; root, candidates and seed stay.
pub fn give_back(scenario: &mut Scenario, axes: &RoutingSpec) {
    let now = &scenario.routing;
    scenario.routing = RoutingSpec {
        root: now.root.clone(),
        candidates: now.candidates,
        max_candidates: now.max_candidates,
        seed: now.seed,
        itb_host: now.itb_host,
        ..axes.clone()
    };
}

#[cfg(test)]
mod tests {
    use super::{choose, give_back};
    use hopscope_core::scenario::{Halfway, Placement, Preset};

    #[test]
    fn a_named_routing_replaces_the_axes() {
        let mut scenario = crate::edit::blank();
        scenario.routing.seed = 7;
        scenario.routing.placement = Some(Placement::None);
        choose(&mut scenario, Preset::UD_ITB, None);
        assert_eq!((scenario.routing.placement, scenario.routing.seed), (None, 7));
    }

    #[test]
    fn a_named_routing_goes_half_around_rings_as_it_did() {
        let mut scenario = crate::edit::blank();
        choose(&mut scenario, Preset::DimensionOrder, None);
        scenario.routing.halfway = Halfway::Up;
        let former = scenario.routing.clone();
        choose(&mut scenario, Preset::UD, None);
        assert_eq!(scenario.routing.halfway, Halfway::default());
        choose(&mut scenario, Preset::DimensionOrder, Some(&former));
        assert_eq!(scenario.routing, former);
    }

    #[test]
    fn axes_come_back_and_the_seed_stays() {
        let mut scenario = crate::edit::blank();
        scenario.routing.placement = Some(Placement::None);
        let axes = scenario.routing.clone();
        choose(&mut scenario, Preset::UD_ITB, None);
        scenario.routing.seed = 7;
        give_back(&mut scenario, &axes);
        assert_eq!(scenario.routing, hopscope_core::scenario::RoutingSpec { seed: 7, ..axes });
    }
}
