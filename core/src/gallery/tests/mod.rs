use super::{Section, all};
use crate::experiment::Experiment;
use crate::routing::{Hop, Step};
use crate::scenario::Scenario;
use crate::scenario::share::COMFORTABLE_CHARS;
use crate::simulation::{Simulation, State};

mod applications;
mod packets;
mod wormhole;

/// A scenario of the gallery with changes.
fn scenario(id: &str, changes: &[&str]) -> Scenario {
    let item = all().iter().find(|item| item.id == id).unwrap();
    Scenario::parse_with(item.text, changes).unwrap_or_else(|why| panic!("{id} {changes:?}: {why}"))
}

/// The simulation of a scenario of the gallery with changes, at its beginning.
fn begun(id: &str, changes: &[&str]) -> Simulation {
    Simulation::new(&scenario(id, changes)).unwrap()
}

/// The simulation of a scenario of the gallery with changes, at its end.
fn finished(id: &str, changes: &[&str]) -> Simulation {
    let mut simulation = begun(id, changes);
    simulation.run_to_end();
    simulation
}

/// Routes longer than the network allows, and how many of them lead past the root.
pub(crate) fn detours(run: &Simulation) -> (usize, usize) {
    let network = run.network();
    let root = run.routing().report.root.expect("up*/down* has a root");
    let set = &run.routing().table.sets[0];
    let (mut detours, mut past_root) = (0, 0);
    for (from, to) in set.ends().pairs() {
        for route in set.routes(from, to).filter(|route| route.distance() > route.shortest()) {
            let touches_root = |step: &Step| match step.hop() {
                Hop::Channel(channel) => {
                    let ends = [network.source_switch(channel), network.target_switch(channel)];
                    ends.contains(&root)
                }
                Hop::InTransit(_) => false,
            };
            detours += 1;
            past_root += usize::from(route.steps.iter().any(touches_root));
        }
    }
    (detours, past_root)
}

#[test]
fn every_scenario_is_in_one_section_and_no_section_is_empty() {
    let listed: Vec<_> = Section::ALL.into_iter().flat_map(Section::items).collect();
    assert_eq!(listed.len(), all().len());
    for item in all() {
        assert_eq!(listed.iter().filter(|it| it.id == item.id).count(), 1, "{}", item.id);
    }
    for section in Section::ALL {
        assert!(section.items().next().is_some(), "{section:?}");
    }
    assert_eq!(listed[0].id, all()[0].id, "the welcome comes first");
    assert!(Section::Published.items().all(|item| item.id.starts_with("studies/")));
}

#[test]
fn every_scenario_is_valid_and_says_what_to_look_at() {
    for item in all() {
        let scenario = item.scenario().unwrap_or_else(|problems| panic!("{}: {problems}", item.id));
        assert!(!scenario.name.is_empty() && scenario.description.len() > 80, "{}", item.id);
    }
}

#[test]
fn every_scenario_fits_a_link_and_comes_back() {
    for item in all() {
        let scenario = item.scenario().unwrap();
        let link = scenario.to_link();
        assert!(link.len() < COMFORTABLE_CHARS / 4, "{}: {}", item.id, link.len());
        assert!(link.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'));
        assert_eq!(Scenario::from_link(&link).unwrap(), scenario);
    }
}

#[test]
fn every_file_is_in_the_gallery() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(id) = name.strip_suffix(".json") {
            assert!(all().iter().any(|item| item.id == id), "{id} is not listed");
        }
    }
}

#[test]
fn the_ring_deadlocks_and_the_others_do_not() {
    for item in all() {
        let mut simulation = Simulation::new(&item.scenario().unwrap()).unwrap();
        while simulation.now() < 60_000 && simulation.counts().events < 400_000 {
            simulation.run_until(simulation.now() + 500);
            if simulation.state() == State::Deadlocked {
                break;
            }
        }
        let state = simulation.state();
        assert_eq!(state == State::Deadlocked, item.id == "deadlock-ring", "{}", item.id);
        simulation.check().unwrap();
    }
}

/// Descriptions call one scenario another one with a change.
#[test]
fn scenarios_that_are_called_the_same_differ_in_what_is_said() {
    let level = r#"fabric.scheduler={"kind":"as-dtable","table":[0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3],"mtu":34}"#;
    let recn = r#"fabric.switch.congestion={"kind":"recn"}"#;
    let same: [(&str, &[&str], &str); 7] = [
        ("first-light", &["routing.preset=UD"], "without-itbs"),
        ("barrier-background", &["application.level=0"], "barrier-levels"),
        ("hot-spot-one-queue", &["fabric.switch.queues=voq-switch"], "hot-spot-voq"),
        ("hot-spot-voq", &["fabric.switch.queues=none"], "hot-spot-one-queue"),
        ("four-sizes-table", &[level], "four-sizes-deficits"),
        ("congestion-tree", &[recn], "congestion-tree-recn"),
        ("congestion-tree", &["fabric.switch.queues=voq-network"], "congestion-tree-voqnet"),
    ];
    for (id, changes, other) in same {
        let Scenario { name, description, .. } = scenario(other, &[]);
        assert_eq!(Scenario { name, description, ..scenario(id, changes) }, scenario(other, &[]));
    }
}

#[test]
fn every_point_of_every_experiment_is_valid() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/experiments");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let mut experiment = Experiment::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        if let Some(base) = experiment.base.as_str() {
            let text = std::fs::read_to_string(path.with_file_name(base)).unwrap();
            experiment.base = serde_json::from_str(&text).unwrap();
        }
        for point in 0..experiment.points() {
            experiment
                .scenario(point)
                .unwrap_or_else(|problems| panic!("{}: {problems}", path.display()));
        }
    }
}
