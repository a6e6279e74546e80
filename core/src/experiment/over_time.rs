//! A run over time: what each service level got in equal steps of the measured window.

use crate::measure::Tally;
use crate::simulation::Simulation;
use serde::{Deserialize, Serialize};

/// Most steps that are kept; then steps become twice as long.
const MAX_STEPS: usize = 120;
/// Length of a step at first, cycles.
const FIRST_STEP: u64 = 64;

/// Results over time. All lists of a level have a value per step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverTime {
    /// Length of a step, ns. The first begins where measuring does.
    pub step_ns: f64,
    /// Per service level; one for a fabric without levels.
    pub levels: Vec<LevelOverTime>,
}

/// A service level over time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelOverTime {
    /// Payload delivered, flits per cycle and host.
    pub accepted_flits_per_cycle_per_host: Vec<f64>,
    /// Mean latency from injection of what was delivered, ns; `None` if nothing was.
    pub network_latency_ns: Vec<Option<f64>>,
    /// The same from generation.
    pub total_latency_ns: Vec<Option<f64>>,
}

/// Sums over the measured window so far.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    delivered: u64,
    payload: u64,
    network_latency: u64,
    total_latency: u64,
}

impl Sums {
    fn add(&mut self, tally: &Tally) {
        self.delivered += tally.delivered();
        self.payload += tally.payload;
        self.network_latency += tally.latencies.network.sum();
        self.total_latency += tally.latencies.total.sum();
    }

    /// The sums of each level so far.
    fn of_levels(simulation: &Simulation) -> Vec<Self> {
        let mut sums = vec![Self::default(); simulation.level_count()];
        simulation.tallies().for_each(|(level, tally)| sums[level].add(tally));
        sums
    }
}

/// Runs a simulation to the end of measuring and records what happens on the way. Recording does
/// not change the run.
pub fn run_over_time(simulation: &mut Simulation) -> OverTime {
    let mut step = FIRST_STEP;
    // The sums of each level at the end of each step.
    let mut ends: Vec<Vec<Sums>> = Vec::new();
    loop {
        let measured = simulation.measured_cycles();
        let is_done = simulation.advance(step - measured % step);
        let measured = simulation.measured_cycles();
        let is_complete = measured > 0 && measured.is_multiple_of(step);
        if is_complete && ends.len() as u64 + 1 == measured / step {
            ends.push(Sums::of_levels(simulation));
        }
        if is_done {
            break;
        }
        if ends.len() == MAX_STEPS {
            step *= 2;
            ends = ends.into_iter().skip(1).step_by(2).collect();
        }
    }
    of_steps(simulation, &ends, step)
}

fn of_steps(simulation: &Simulation, ends: &[Vec<Sums>], step: u64) -> OverTime {
    let ns = simulation.cycle_ps() as f64 / 1000.0;
    let hosts = simulation.network().hosts().len() as f64;
    let flit_cycles = f64::from(simulation.flit_bytes()) * hosts * step as f64;
    let count = ends.first().map_or(0, Vec::len);
    let mut levels = vec![LevelOverTime::default(); count];
    for (level, over_time) in levels.iter_mut().enumerate() {
        let mut before = Sums::default();
        for end in ends {
            let now = end[level];
            let delivered = now.delivered - before.delivered;
            let mean = |sum: u64| (delivered > 0).then(|| sum as f64 / delivered as f64 * ns);
            let LevelOverTime {
                accepted_flits_per_cycle_per_host: accepted,
                network_latency_ns: network,
                total_latency_ns: total,
            } = over_time;
            accepted.push((now.payload - before.payload) as f64 / flit_cycles);
            network.push(mean(now.network_latency - before.network_latency));
            total.push(mean(now.total_latency - before.total_latency));
            before = now;
        }
    }
    OverTime { step_ns: step as f64 * ns, levels }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    const SCENARIO: &str = r#"{ "hopscope": 1,
        "network": { "generate": { "kind": "ring", "switches": 4, "hosts_per_switch": 2 } },
        "routing": { "preset": "UD" },
        "fabric": { "kind": "cut-through",
            "qos": { "lanes": [0, 1], "levels": [{ "channels": [0] }, { "channels": [1] }] } },
        "traffic": [{ "load": 0.05 }, { "load": 0.02, "level": 1 }],
        "measure": { "warmup_messages": 100, "messages": 2000 } }"#;

    #[test]
    fn steps_add_up_to_the_report_and_do_not_change_it() {
        let scenario = Scenario::parse(SCENARIO).unwrap();
        let mut plain = Simulation::new(&scenario).unwrap();
        plain.run_to_end();
        let report = plain.report();
        let mut simulation = Simulation::new(&scenario).unwrap();
        let found = run_over_time(&mut simulation);
        assert_eq!(simulation.report(), report);
        assert_eq!(found.levels.len(), 2);
        for (level, of_report) in found.levels.iter().zip(&report.levels) {
            let accepted = &level.accepted_flits_per_cycle_per_host;
            assert!(
                (MAX_STEPS / 2 - 1..=MAX_STEPS).contains(&accepted.len()),
                "{}",
                accepted.len()
            );
            // The last step, which is not complete, is left out.
            let mean = accepted.iter().sum::<f64>() / accepted.len() as f64;
            let relative = mean / of_report.accepted_flits_per_cycle_per_host.unwrap() - 1.0;
            assert!(relative.abs() < 0.03, "{relative}");
            let latencies: Vec<f64> = level.network_latency_ns.iter().flatten().copied().collect();
            let mean = latencies.iter().sum::<f64>() / latencies.len() as f64;
            let relative = mean / of_report.network_latency_ns.mean - 1.0;
            assert!(relative.abs() < 0.1, "{relative}");
        }
    }
}
