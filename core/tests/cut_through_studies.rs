//! The published studies of the cut-through fabric: what was reported beside what we get.
//!
//! `docs/studies-cut-through.md` discusses them.
//! `cargo test --release -p hopscope-core --test cut_through_studies -- --ignored --nocapture`
//! prints all; a name selects one. The scenarios are the files in `scenarios/studies/`; loads,
//! patterns and schedulers are varied here.

use hopscope_core::fabric::cut_through::trace;
use hopscope_core::measure::LevelReport;
use hopscope_core::network::HostId;
use hopscope_core::scenario::*;
use hopscope_core::simulation::Simulation;

/// A scenario in `scenarios/studies/`.
fn scenario(name: &str) -> Scenario {
    let path = format!("{}/../scenarios/studies/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    Scenario::parse(&text).unwrap_or_else(|problems| panic!("{path}: {problems}"))
}

/// Changes the fabric of a scenario.
fn change(scenario: &mut Scenario, change: impl Fn(&mut CutThroughSpec)) {
    let FabricSpec::CutThrough(fabric) = &mut scenario.fabric else { panic!("another fabric") };
    change(fabric);
}

/// What a study prints, all at once when it ends: several run at the same time.
struct Study {
    text: String,
}

impl Study {
    fn new(title: &str) -> Self {
        Self { text: format!("{title}\n") }
    }

    fn title(&mut self, title: &str) {
        self.text += &format!("  {title}\n");
    }

    /// Runs a scenario with all flows together offering this many flits per cycle and host; says
    /// what was accepted.
    fn measure(&mut self, mut scenario: Scenario, load: f64) -> f64 {
        let total: f64 = scenario.traffic.iter().map(|flow| flow.load).sum();
        for flow in &mut scenario.traffic {
            flow.load *= load / total;
        }
        let mut simulation = Simulation::new(&scenario).expect("it can be run");
        simulation.run_to_end();
        simulation
            .check()
            .expect("nothing is lost, and nothing waits for ever where that was proven");
        assert!(simulation.deadlock().is_none(), "a deadlock");
        let report = simulation.report();
        let cycles = |ns: f64| ns * 1000.0 / simulation.cycle_ps() as f64;
        let list = |digits: usize, of: &dyn Fn(&LevelReport) -> f64| -> String {
            report.levels.iter().map(|level| format!("{:>8.digits$}", of(level))).collect()
        };
        let accepted = report.accepted_flits_per_cycle_per_host;
        self.text += &format!(
            "    load {load:.2}: accepted {accepted:.3}, shares {}, latency {}\n",
            list(3, &|level| level.accepted_share),
            list(0, &|level| cycles(level.network_latency_ns.mean)),
        );
        accepted
    }

    /// Several loads; says the most that was accepted.
    fn sweep(&mut self, scenario: &Scenario, loads: &[f64]) {
        let most =
            loads.iter().map(|&load| self.measure(scenario.clone(), load)).fold(0.0, f64::max);
        self.text += &format!("    most accepted {most:.3}\n");
    }
}

impl Drop for Study {
    fn drop(&mut self) {
        println!("{}", self.text);
    }
}

/// One 48-port switch, three levels, configurations A and B. Then the experiments that tell where
/// its shares come from.
fn opasim(name: &str, shares_published: &str) {
    let mut study =
        Study::new(&format!("{name}: one 48-port switch, SBT; flits/cycle/NIC and cycles"));
    study.title(&format!(
        "published: uniform saturates from 0.7; shares beyond {shares_published}; dst = src + 1 flat"
    ));
    for (pattern, title) in
        [(PatternSpec::Uniform, "uniform"), (PatternSpec::Neighbour, "dst = src + 1")]
    {
        study.title(title);
        let mut scenario = scenario(name);
        scenario.traffic.iter_mut().for_each(|flow| flow.pattern = pattern.clone());
        study.sweep(&scenario, &[0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
    }
    type Change<'a> = &'a dyn Fn(&mut CutThroughSpec);
    let small: Change = &|fabric| fabric.output_buffer_bytes = fabric.input_buffer_bytes;
    let at_once: Change = &|fabric| fabric.scheduling_cycles = 0;
    let experiments: [(&str, Change); 4] = [
        ("uniform, a turn takes no time", at_once),
        ("uniform, 256 flits per output port, too", small),
        ("uniform, both", &|fabric| {
            small(fabric);
            at_once(fabric);
        }),
        ("uniform, both, and crossbars at a third of their speed", &|fabric| {
            small(fabric);
            at_once(fabric);
            fabric.mport_flits_per_cycle = 1;
            fabric.central_flits_per_cycle = 1;
        }),
    ];
    for (title, set) in experiments {
        study.title(title);
        let mut scenario = scenario(name);
        change(&mut scenario, set);
        study.measure(scenario, 1.0);
    }
}

#[test]
#[ignore = "a study: prints ours beside the published figures"]
fn opasim_a() {
    opasim("opasim-a", "0.60 / 0.30 / 0.10 (SL0 0.45 flits/cycle/NIC)");
}

#[test]
#[ignore = "a study: prints ours beside the published figures"]
fn opasim_b() {
    opasim("opasim-b", "0.50 / 0.30 / 0.20 (weights)");
}

/// Five levels; most traffic accepted with a deficit table against SBT and RR. Then the
/// experiments: schedulers that need no time for a turn, levels that are offered less than their
/// share, the first cycles, and on tori the other way half around a ring.
fn hiperion(name: &str, published: [f64; 2]) {
    let mut study = Study::new(&format!(
        "{name}: published DTable {}, SBT or RR {}",
        published[0], published[1]
    ));
    let sbt = SchedulerSpec::Sbt { weights: vec![10, 30, 50, 5, 5], restore: Restore::Spent };
    let schedulers =
        [("DTable", None), ("SBT", Some(sbt)), ("RR", Some(SchedulerSpec::RoundRobin))];
    for (title, other) in schedulers {
        let mut scenario = scenario(name);
        change(&mut scenario, |fabric| {
            fabric.scheduler = other.clone().unwrap_or_else(|| fabric.scheduler.clone());
        });
        study.title(title);
        study.sweep(&scenario, &[0.65, 0.7, 0.75, 0.8, 0.9, 1.0]);
        if name.contains("torus") {
            let halfway = &mut scenario.routing.halfway;
            *halfway = if *halfway == Halfway::Up { Halfway::Alternate } else { Halfway::Up };
            study.title(&format!("{title}, half around a ring {halfway:?}"));
            study.sweep(&scenario, &[0.65, 0.7, 0.75, 0.8, 0.9, 1.0]);
        } else {
            study.title(&format!("{title}, a turn takes no time"));
            change(&mut scenario, |fabric| fabric.scheduling_cycles = 0);
            study.measure(scenario, 1.0);
        }
    }
    study.title("DTable, VO and VI offer a little less than their shares of the table");
    let mut modest = scenario(name);
    modest.traffic[0].load = 0.09;
    modest.traffic[1].load = 0.29;
    study.measure(modest, 1.0);
    study.title("DTable, the first 20 000 cycles");
    let mut early = scenario(name);
    early.measure = MeasureSpec { warmup_messages: 50_000, messages: 200_000, ..early.measure };
    study.measure(early, 1.0);
}

#[test]
#[ignore = "a study: prints ours beside the published figures"]
fn hiperion_tree_8_3() {
    hiperion("hiperion-8-ary-3-tree", [0.95, 0.85]);
}

#[test]
#[ignore = "a study: prints ours beside the published figures"]
fn hiperion_tree_24_2() {
    hiperion("hiperion-24-ary-2-tree", [0.95, 0.80]);
}

#[test]
#[ignore = "a study: prints ours beside the published figures"]
fn hiperion_torus_2d() {
    hiperion("hiperion-torus-8x8", [0.94, 0.80]);
}

#[test]
#[ignore = "a study: prints ours beside the published figures"]
fn hiperion_torus_3d() {
    hiperion("hiperion-torus-8x8x4", [0.78, 0.68]);
}

/// Configuration A beyond saturation, as published: every level its share of what is delivered, SL0
/// 0.45 flits/cycle/NIC.
#[test]
fn a_bandwidth_table_gives_its_shares_under_saturation() {
    let mut scenario = scenario("opasim-a");
    for (flow, load) in scenario.traffic.iter_mut().zip([0.5, 0.4, 0.1]) {
        flow.load = load;
    }
    let mut simulation = Simulation::new(&scenario).expect("it can be run");
    simulation.run_to_end();
    let report = simulation.report();
    for (level, share) in report.levels.iter().zip([0.6, 0.3, 0.1]) {
        assert!((level.accepted_share - share).abs() < 0.02, "{level:?}");
    }
    let first = report.accepted_flits_per_cycle_per_host * report.levels[0].accepted_share;
    assert!((first - 0.45).abs() < 0.02, "SL0 {first}");
}

#[test]
fn crossing_an_unloaded_switch_takes_what_the_stages_add_up_to() {
    let network = scenario("opasim-a").network.build().expect("a switch");
    let message = |to| trace::MessageSpec {
        generated: 0,
        from: HostId(0),
        to: HostId(to),
        payload: 64,
        level: 0,
        steps: vec![],
    };
    let network = std::sync::Arc::new(network);
    for (to, arbitrations) in [(3, 1), (4, 2)] {
        let trace = trace::run(&network, &CutThroughSpec::default(), &[message(to)], 10_000);
        let delivered = trace.expect("valid").messages[0].delivered.expect("it arrives");
        // Two links, two bufferings, routing, arbitrations with their crossbars, and 8 flits.
        assert_eq!(delivered, 2 * 8 + 2 * 50 + 32 + arbitrations * (16 + 2) + 7, "to host {to}");
    }
}
