//! The gallery: scenarios to begin with, each with a sentence on what to look at. The files are in
//! `scenarios/`.

use crate::problem::Problems;
use crate::scenario::Scenario;

/// A section of the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// What to look at first.
    Start,
    /// Routes and in-transit buffers.
    Routing,
    /// What the shape of a network does.
    Topologies,
    /// Applications, whose run time is the result.
    Applications,
    /// Service levels and the schedulers that share links among them.
    Levels,
    /// Head-of-line blocking, congestion trees and RECN.
    Congestion,
    /// Networks of published studies.
    Published,
}

impl Section {
    /// All sections, in their order.
    pub const ALL: [Section; 7] = [
        Section::Start,
        Section::Routing,
        Section::Topologies,
        Section::Applications,
        Section::Levels,
        Section::Congestion,
        Section::Published,
    ];

    /// Its scenarios, in the order to look at them.
    pub fn items(self) -> impl Iterator<Item = &'static Item> {
        all().iter().filter(move |item| item.section == self)
    }
}

/// A scenario of the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Its file in `scenarios/`, without `.json`.
    pub id: &'static str,
    /// The section that lists it.
    pub section: Section,
    /// Its text.
    pub text: &'static str,
}

impl Item {
    /// The scenario.
    pub fn scenario(&self) -> Result<Scenario, Problems> {
        Scenario::parse(self.text)
    }
}

macro_rules! items {
    ($($section:ident: $id:literal),* $(,)?) => {
        &[$(Item {
            id: $id,
            section: Section::$section,
            text: include_str!(concat!("../../scenarios/", $id, ".json")),
        }),*]
    };
}

/// All scenarios of the gallery, in the order to look at them.
pub fn all() -> &'static [Item] {
    items![
        Start: "first-light",
        Start: "without-itbs",
        Start: "deadlock-ring",
        Start: "hot-spot",
        Topologies: "star",
        Topologies: "torus-4x4",
        Topologies: "fat-tree",
        Applications: "ring-all-reduce",
        Applications: "all-to-all-failed-link",
        Applications: "barrier-background",
        Applications: "barrier-levels",
        Routing: "short-messages",
        Routing: "thesis-32",
        Topologies: "torus-8x8",
        Topologies: "cplant",
        Routing: "sixty-four",
        Levels: "service-levels",
        Levels: "wrr-unfair",
        Levels: "four-sizes-table",
        Levels: "four-sizes-deficits",
        Levels: "delay-bound",
        Levels: "seven-classes-80",
        Levels: "seven-classes-100",
        Levels: "admission-refused",
        Congestion: "hot-spot-one-queue",
        Congestion: "hot-spot-voq",
        Congestion: "congestion-tree",
        Congestion: "congestion-tree-recn",
        Congestion: "congestion-tree-voqnet",
        Congestion: "two-trees-recn",
        Congestion: "saqs-run-out",
        Levels: "voice-video-bursts",
        Routing: "torus-datelines",
        Routing: "irregular-lanes",
        Published: "studies/opasim-a",
        Published: "studies/opasim-b",
        Published: "studies/hiperion-8-ary-3-tree",
        Published: "studies/hiperion-24-ary-2-tree",
        Published: "studies/hiperion-torus-8x8",
        Published: "studies/hiperion-torus-8x8x4",
    ]
}

#[cfg(test)]
mod tests {
    use super::{Section, all};
    use crate::experiment::Experiment;
    use crate::measure::Results;
    use crate::scenario::Scenario;
    use crate::scenario::share::COMFORTABLE_CHARS;
    use crate::simulation::{Simulation, State};

    #[test]
    fn every_scenario_is_valid_and_says_what_to_look_at() {
        for item in all() {
            let scenario =
                item.scenario().unwrap_or_else(|problems| panic!("{}: {problems}", item.id));
            assert!(!scenario.name.is_empty() && scenario.description.len() > 80, "{}", item.id);
        }
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

    /// Changes a scenario of the gallery and runs it: accepted traffic, flits/ns/switch, and
    /// whether the run was steady.
    fn run(id: &str, changes: &[&str]) -> (f64, bool) {
        let item = all().iter().find(|item| item.id == id).unwrap();
        let shorter = ["measure.warmup_messages=4000", "measure.messages=12000"];
        let changes = [&shorter, changes].concat();
        let scenario = Scenario::parse_with(item.text, &changes).unwrap();
        let mut simulation = Simulation::new(&scenario).unwrap();
        simulation.run_to_end();
        let report = simulation.report();
        (report.accepted_flits_per_ns_per_switch, report.steady)
    }

    #[test]
    fn descriptions_say_what_happens() {
        let (with_itbs, steady) = run("first-light", &[]);
        assert!(steady);
        let (without, steady) = run("without-itbs", &[]);
        assert!(!steady && with_itbs > 1.4 * without, "{with_itbs} with ITBs, {without} without");

        // So near to saturation, latency rises and falls for longer than 12 000 messages.
        let as_it_is = ["measure.warmup_messages=50000", "measure.messages=100000"];
        assert!(run("thesis-32", &as_it_is).1, "just below the largest load");
        assert!(!run("thesis-32", &["traffic.0.load=0.078"]).1, "a little more is too much");

        assert!(run("sixty-four", &[]).1, "with ITBs");
        let (accepted, steady) = run("sixty-four", &["routing.preset=UD", "traffic.0.load=0.02"]);
        assert!(!steady && accepted < 0.02, "UD accepts {accepted}");

        assert!(run("irregular-lanes", &[]).1, "minimal routes");
        assert!(!run("irregular-lanes", &["routing.preset=UD"]).1, "UD");
        let more = ["traffic.0.load=0.12", "traffic.1.load=0.24"];
        assert!(!run("irregular-lanes", &more).1, "half as much again");
    }

    #[test]
    fn shares_of_levels_are_what_descriptions_say() {
        let round_robin = r#"fabric.scheduler={"kind":"round-robin"}"#;
        let deficits = "fabric.scheduler={\"kind\":\"dtable\",\"entries\":[[0,16],[1,16]]}";
        let claims: [(&str, &[&str], &[f64]); 6] = [
            ("wrr-unfair", &[], &[100.0 / 9.0, 800.0 / 9.0]),
            ("wrr-unfair", &[deficits], &[50.0, 50.0]),
            ("four-sizes-table", &[], &[1.7, 13.3, 28.3, 56.7]),
            ("four-sizes-deficits", &[], &[25.0; 4]),
            ("service-levels", &[], &[50.0, 30.0, 20.0]),
            ("service-levels", &[round_robin], &[8.0, 31.0, 62.0]),
        ];
        for (id, changes, said) in claims {
            let item = all().iter().find(|item| item.id == id).unwrap();
            let scenario = Scenario::parse_with(item.text, changes).unwrap();
            let mut simulation = Simulation::new(&scenario).unwrap();
            simulation.run_to_end();
            let levels = simulation.report().levels;
            assert_eq!(levels.len(), said.len(), "{id}");
            for (level, said) in levels.iter().zip(said) {
                let share = 100.0 * level.accepted_share;
                assert!((share - said).abs() < 1.0, "{id} {changes:?}: {share}, not {said}");
            }
        }
    }

    /// Run time of the application of a scenario with changes, ns.
    fn run_time(id: &str, changes: &[&str]) -> f64 {
        let item = all().iter().find(|item| item.id == id).unwrap();
        let scenario = Scenario::parse_with(item.text, changes).unwrap();
        let mut simulation = Simulation::new(&scenario).unwrap();
        simulation.run_to_end();
        simulation.run_time_ns().expect("it finishes")
    }

    #[test]
    fn in_transit_buffers_shorten_an_all_reduce() {
        let of = |preset: &str| run_time("ring-all-reduce", &[&format!("routing.preset={preset}")]);
        let (without, with) = (of("UD"), of("UD_ITB"));
        assert!(with < 0.75 * without, "{with} with ITBs, {without} without");
    }

    #[test]
    fn a_failed_link_slows_all_ranks_of_an_all_to_all() {
        let failed = run_time("all-to-all-failed-link", &[]);
        let tree = r#"network={"generate":{"kind":"k-ary-n-tree","arity":4,"levels":2}}"#;
        let longer = failed / run_time("all-to-all-failed-link", &[tree]);
        assert!((1.56..1.58).contains(&longer), "{longer} times as long as without the failure");
    }

    #[test]
    fn a_service_level_protects_a_barrier_from_background_traffic() {
        let [alone, behind, apart] = [
            run_time("barrier-background", &["traffic=[]"]),
            run_time("barrier-background", &[]),
            run_time("barrier-levels", &[]),
        ]
        .map(|ns| ns / 1000.0);
        assert!((75.0..77.0).contains(&alone), "{alone} us without traffic");
        assert!((2250.0..2350.0).contains(&behind), "{behind} us on its level");
        assert!((29.0..31.0).contains(&(behind / alone)), "{behind} and {alone}");
        assert!((138.0..142.0).contains(&apart), "{apart} us on a level of its own");
    }

    #[test]
    fn voice_goes_before_video_and_bursts() {
        let item = all().iter().find(|item| item.id == "voice-video-bursts").unwrap();
        let latencies_ms = |changes: &[&str]| {
            let scenario = Scenario::parse_with(item.text, changes).unwrap();
            let mut simulation = Simulation::new(&scenario).unwrap();
            simulation.run_to_end();
            let levels = simulation.report().levels;
            let mean = |level: usize| levels[level].total_latency_ns.mean / 1e6;
            let frames = simulation.results().flows[1].frame_latency_ns.unwrap();
            [mean(0), frames.mean / 1e6, mean(2)]
        };
        let [voice, frames, bursts] = latencies_ms(&[]);
        assert!((0.2..0.3).contains(&voice), "{voice}");
        assert!((1.0..2.0).contains(&frames), "{frames}");
        assert!((12.0..15.0).contains(&bursts), "{bursts}");
        let [in_turn, ..] = latencies_ms(&[r#"fabric.scheduler={"kind":"round-robin"}"#]);
        assert!((1.2..1.5).contains(&(in_turn / voice)), "{in_turn} is not a third above {voice}");
    }

    fn results(id: &str, changes: &[&str]) -> Results {
        let item = all().iter().find(|item| item.id == id).unwrap();
        let mut simulation =
            Simulation::new(&Scenario::parse_with(item.text, changes).unwrap()).unwrap();
        simulation.bound_delays();
        simulation.run_to_end();
        simulation.results()
    }

    #[test]
    fn delays_stay_below_their_bound_unless_no_rate_is_guaranteed() {
        let report = results("delay-bound", &[]).report;
        for level in &report.levels[..2] {
            let bound = level.delay_bound.as_ref().and_then(|bound| bound.route_ns).unwrap();
            let longest = level.total_latency_ns.max;
            assert!(longest < bound / 5.0, "{longest} of {bound}, level {}", level.level);
        }
        assert_eq!(report.levels[2].delay_bound.as_ref().unwrap().route_ns, None);
        for change in
            [r#"fabric.scheduler={"kind":"round-robin"}"#, "fabric.nic_queues=destinations"]
        {
            let report = results("delay-bound", &[change, "measure.messages=2000"]).report;
            assert!(report.levels.iter().all(|level| {
                level.delay_bound.as_ref().is_some_and(|bound| bound.source_ns.is_none())
            }));
        }
    }

    #[test]
    fn seven_classes_get_what_they_send_but_best_effort_at_full_load() {
        let parts = |id: &str| {
            let levels = results(id, &[]).report.levels;
            let latency = levels.iter().map(|level| level.total_latency_ns.mean).collect();
            let part = levels.iter().map(|level| level.normalised_throughput);
            (part.collect::<Vec<f64>>(), latency)
        };
        let (at_80, before): (_, Vec<f64>) = parts("seven-classes-80");
        assert!(at_80.iter().all(|&part| part > 0.9), "{at_80:?}");
        let (at_100, after): (_, Vec<f64>) = parts("seven-classes-100");
        let longer = [0, 1, 2, 6].map(|level| after[level] / before[level]);
        assert!(longer.iter().all(|&ratio| ratio < 1.35), "{longer:?}");
        let [excellent, best, background] = [3, 4, 5].map(|level| at_100[level]);
        assert!([0, 1, 2, 6].iter().all(|&level| at_100[level] > 0.97), "{at_100:?}");
        assert!(excellent > 0.8 && excellent > best && best > background, "{at_100:?}");
        assert!((0.3..0.55).contains(&background), "{at_100:?}");
    }

    #[test]
    fn a_third_of_the_calls_is_refused_and_the_others_get_all() {
        let item = all().iter().find(|item| item.id == "admission-refused").unwrap();
        let simulation = Simulation::new(&item.scenario().unwrap()).unwrap();
        let calls = &simulation.admission().flows[0];
        let refused = calls.refused() as f64 / calls.asked as f64;
        assert!((0.31..0.36).contains(&refused), "{refused}");
        let filled = simulation.fill_with_connections().unwrap();
        assert!(filled.flows[0].admitted > calls.admitted);
        let report = results("admission-refused", &[]).report;
        assert!(report.steady && report.levels[0].normalised_throughput > 0.99);
    }

    #[test]
    fn a_queue_per_output_ends_head_of_line_blocking() {
        let run = |id: &str, changes: &[&str]| {
            let item = all().iter().find(|item| item.id == id).unwrap();
            let changes = [&["measure.messages=60000"], changes].concat();
            let scenario = Scenario::parse_with(item.text, &changes).unwrap();
            let mut simulation = Simulation::new(&scenario).unwrap();
            simulation.run_to_end();
            let report = simulation.report();
            let others_us = simulation.results().flows[1].total_latency_ns.mean / 1e3;
            (report.accepted_flits_per_cycle_per_host, report.steady, others_us)
        };
        let (accepted, steady, others_us) = run("hot-spot-one-queue", &[]);
        assert!(!steady && (0.585..0.6).contains(&accepted), "{accepted} with one queue");
        assert!(others_us > 200.0, "{others_us}");
        let (accepted, steady, others_us) = run("hot-spot-voq", &[]);
        assert!(steady && (0.635..0.655).contains(&accepted), "{accepted} with one per output");
        assert!((8.0..10.0).contains(&others_us), "{others_us}");
        let (back, steady, _) = run("hot-spot-voq", &["fabric.switch.queues=none"]);
        assert!(!steady && back < 0.6, "{back} with one queue again");
        assert!(run("hot-spot-one-queue", &["fabric.switch.speedup_percent=150"]).1, "faster");
    }

    #[test]
    fn recn_keeps_a_congestion_tree_from_the_others() {
        // The latency of 99 % of the messages of the last flow, microseconds.
        let run = |id: &str, changes: &[&str]| {
            let item = all().iter().find(|item| item.id == id).unwrap();
            let scenario = Scenario::parse_with(item.text, changes).unwrap();
            let mut simulation = Simulation::new(&scenario).unwrap();
            simulation.run_to_end();
            let others = simulation.results().flows.last().unwrap().total_latency_ns.p99 / 1e3;
            (others, simulation.report().saqs.map(|saqs| saqs.all))
        };
        let (one_per_output, saqs) = run("congestion-tree", &[]);
        assert!((600.0..800.0).contains(&one_per_output) && saqs.is_none(), "{one_per_output}");
        let (set_aside, saqs) = run("congestion-tree-recn", &[]);
        let saqs = saqs.unwrap();
        assert!(set_aside < 25.0, "{set_aside}");
        assert!(saqs.allocations > 500 && saqs.refusals == 0, "{saqs:?}");
        assert!(saqs.peak == 2 && saqs.in_use == 0, "{saqs:?}");
        let (per_destination, _) = run("congestion-tree-voqnet", &[]);
        assert!(per_destination > 300.0, "{per_destination}");
        let (one, _) = run("congestion-tree", &["fabric.switch.queues=none"]);
        assert!(one > one_per_output, "{one}");

        let (two_trees, saqs) = run("two-trees-recn", &[]);
        let saqs = saqs.unwrap();
        assert!(two_trees < 25.0 && saqs.peak == 3 && saqs.refusals == 0, "{two_trees} {saqs:?}");
        let (run_out, saqs) = run("saqs-run-out", &[]);
        assert!(run_out > 300.0 && saqs.unwrap().refusals > 2000, "{run_out} {saqs:?}");
        let (four, saqs) = run("saqs-run-out", &["fabric.switch.congestion.saqs=4"]);
        assert!(four < 25.0 && saqs.unwrap().refusals == 0, "{four} {saqs:?}");
    }

    #[test]
    fn two_trees_lie_beside_each_other_on_the_way_up_and_part_before_their_roots() {
        use crate::observe::Snapshot;
        use std::collections::{BTreeMap, BTreeSet};
        let item = all().iter().find(|item| item.id == "two-trees-recn").unwrap();
        let mut simulation = Simulation::new(&item.scenario().unwrap()).unwrap();
        simulation.run_until(16_000);
        let mut seen = Snapshot::default();
        simulation.snapshot(&mut seen);
        let mut queues = BTreeMap::<_, BTreeSet<u32>>::new();
        for saq in seen.saqs.iter().filter(|saq| saq.packets > 0) {
            queues.entry(saq.point).or_default().insert(saq.channel);
        }
        let large = queues.values().filter(|channels| channels.len() > 10).collect::<Vec<_>>();
        let [one, other] = large[..] else { panic!("two trees: {queues:?}") };
        assert!(one.intersection(other).count() > 5, "{one:?} {other:?}");
    }

    #[test]
    fn every_point_of_every_experiment_is_valid() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/experiments");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let mut experiment =
                Experiment::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
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
}
