//! Making a scenario deadlock, to show what a deadlock is.

use super::{load, routing};
use hopscope_core::scenario::{Preset, Scenario};

/// Chooses minimal routes without in-transit buffers and without lanes that avoid cycles, and has
/// every host send as much as its link carries. A network whose minimal routes have no cycle of
/// dependencies does not deadlock all the same.
pub fn provoke(scenario: &mut Scenario) {
    routing::choose(scenario, Preset::Minimal, None);
    scenario.fabric.technique_mut().let_cycles_be();
    load::fill_links(scenario);
}

#[cfg(test)]
mod tests {
    use super::provoke;
    use crate::edit::{add_host, add_link, add_switch, blank, drawn};
    use hopscope_core::gallery;
    use hopscope_core::scenario::{DrawnNetwork, Scenario};
    use hopscope_core::simulation::{Simulation, State};

    /// Whether a scenario deadlocks within a million cycles once it is made to.
    fn deadlocks(mut scenario: Scenario) -> bool {
        provoke(&mut scenario);
        let mut simulation = Simulation::new(&scenario).expect("it can run");
        simulation.run_until(1_000_000);
        simulation.state() == State::Deadlocked
    }

    /// Switches with two hosts each, linked to a chain, or to a ring if it is `closed`.
    fn chain(switches: u32, closed: bool) -> Scenario {
        let mut scenario = blank();
        let network = drawn(&mut scenario, &DrawnNetwork::default(), &[]);
        for i in 0..switches {
            let switch = add_switch(network, [i as f32, 0.0]);
            for _ in 0..2 {
                add_host(network, switch);
            }
        }
        for i in 1..switches {
            add_link(network, i - 1, i);
        }
        if closed {
            add_link(network, switches - 1, 0);
        }
        scenario
    }

    #[test]
    fn networks_with_a_cycle_deadlock_and_others_do_not() {
        assert!(deadlocks(chain(5, true)));
        assert!(!deadlocks(chain(5, false)));
        for id in ["first-light", "torus-4x4", "torus-datelines"] {
            let item = gallery::all().iter().find(|item| item.id == id).expect("it is there");
            assert!(deadlocks(item.scenario().expect("it is valid")), "{id}");
        }
    }
}
