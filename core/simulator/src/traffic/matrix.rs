//! Who sends how much to whom: the traffic matrix of a workload, from the chances of the patterns
//! and the loads of the flows, not from a run.

use super::Units;
use crate::network::Network;
use crate::scenario::FlowSpec;
use serde::{Deserialize, Serialize};

/// Payload offered from each host to each other one, in the mean over all seeds, while all flows
/// send. Neighbouring hosts share a cell if there are many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrafficMatrix {
    /// Hosts of the network.
    pub hosts: u32,
    /// Hosts on each side of a cell; the last cell may have fewer.
    pub hosts_per_cell: u32,
    /// Cells on each side.
    pub side: u32,
    /// The cells, row by row: sources from top to bottom, destinations from left to right. Flits
    /// per cycle, or flits in all if `sent_once`.
    pub cells: Vec<f64>,
    /// Whether the flows send a number of messages once, instead of going on.
    pub sent_once: bool,
    /// Flows that are not counted: of flows that send once and flows that go on, only these are.
    pub left_out: u32,
}

impl TrafficMatrix {
    /// Most hosts of a network that has a matrix. Its cost grows with their square.
    pub const MAX_HOSTS: usize = 4096;

    /// The matrix of some flows, which are validated for the network, with at most `most` cells on
    /// each side. `None` if the network has more than [`Self::MAX_HOSTS`].
    pub fn of(flows: &[&FlowSpec], network: &Network, units: Units, most: u32) -> Option<Self> {
        let hosts = network.hosts().len();
        if hosts > Self::MAX_HOSTS {
            return None;
        }
        let hosts_per_cell = hosts.div_ceil(most.max(1) as usize).max(1);
        let side = hosts.div_ceil(hosts_per_cell);
        let goes_on = |flow: &&FlowSpec| flow.arrival.sent_at_once() == 0;
        let sent_once = !flows.iter().any(goes_on);
        let (mut cells, mut left_out) = (vec![0.0; side * side], 0);
        let mut row = vec![0.0; hosts];
        for flow in flows {
            if goes_on(flow) == sent_once {
                left_out += 1;
                continue;
            }
            let destinations = flow.pattern.destinations(network);
            let all: Vec<u32> = (0..hosts as u32).collect();
            let candidates = if flow.sources.is_empty() { &all } else { &flow.sources };
            let sends = |host: &&u32| destinations.sends(**host);
            let senders: Vec<u32> = candidates.iter().filter(sends).copied().collect();
            let bytes = if sent_once {
                flow.arrival.sent_at_once() as f64 * flow.size.mean()
            } else {
                units.bytes_per_cycle(flow, network, senders.len())
            };
            for host in senders {
                row.fill(0.0);
                destinations.add_chances(host, bytes / f64::from(units.flit_bytes), &mut row);
                let first = host as usize / hosts_per_cell * side;
                let sums = row.chunks(hosts_per_cell).map(|cell| cell.iter().sum::<f64>());
                cells[first..first + side]
                    .iter_mut()
                    .zip(sums)
                    .for_each(|(cell, sum)| *cell += sum);
            }
        }
        Some(Self {
            hosts: hosts as u32,
            hosts_per_cell: hosts_per_cell as u32,
            side: side as u32,
            cells,
            sent_once,
            left_out,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{NetworkSpec, Scenario};
    use crate::simulation::Simulation;
    use serde_json::json;

    fn scenario(traffic: serde_json::Value) -> Scenario {
        let text = json!({ "hopscope": 1,
            "network": { "generate": { "kind": "single", "hosts": 16 } },
            "fabric": { "kind": "cut-through" }, "traffic": traffic,
            "measure": { "warmup_messages": 0, "messages": 60_000, "pairs": true } });
        Scenario::read(&text.to_string()).unwrap_or_else(|why| panic!("{why}"))
    }

    fn matrix(scenario: &Scenario, most: u32) -> TrafficMatrix {
        let simulation = Simulation::new(scenario).unwrap_or_else(|why| panic!("{why}"));
        simulation.traffic_matrix(None, most).expect("it is small")
    }

    #[test]
    fn a_run_below_saturation_delivers_what_the_matrix_says() {
        let scenario = scenario(json!([
            { "load": 0.1, "pattern": { "kind": "hotspot", "host": 3, "share": 0.5 },
              "sources": [0, 1, 2, 9], "arrival": { "kind": "poisson" } },
            { "load": 0.01, "load_unit": "flits-per-ns-per-switch", "sources": [5, 6],
              "pattern": { "kind": "neighbour" } }]));
        let matrix = matrix(&scenario, 64);
        assert_eq!((matrix.side, matrix.hosts_per_cell, matrix.left_out), (16, 1, 0));
        let mut run = Simulation::new(&scenario).unwrap_or_else(|why| panic!("{why}"));
        run.run_to_end();
        let results = run.results();
        let mut total = 0.0;
        for (cell, &offered) in matrix.cells.iter().enumerate() {
            let (from, to) = (cell / 16, cell % 16);
            let pair = results.pairs.iter().find(|pair| (pair.from, pair.to) == (from, to));
            let accepted = pair.map_or(0.0, |pair| pair.accepted_flits_per_cycle);
            total += offered;
            assert!(
                (accepted - offered).abs() <= offered * 0.25,
                "{from} to {to}: {accepted}, {offered}"
            );
        }
        let accepted = results.report.accepted_flits_per_cycle_per_host * 16.0;
        assert!((total / accepted - 1.0).abs() < 0.02, "{total} {accepted}");
    }

    #[test]
    fn cells_of_several_hosts_are_the_sums_of_theirs() {
        let scenario = scenario(json!([{ "load": 0.1, "pattern": { "kind": "transpose" } }]));
        let (fine, coarse) = (matrix(&scenario, 16).cells, matrix(&scenario, 6));
        assert_eq!((coarse.side, coarse.hosts_per_cell), (6, 3));
        for (cell, &sum) in coarse.cells.iter().enumerate() {
            let (from, to) = (cell / 6 * 3, cell % 6 * 3);
            let near = |first: usize| first..(first + 3).min(16);
            let own = near(from).flat_map(|a| near(to).map(move |b| (a, b)));
            let own = own.map(|(a, b)| fine[a * 16 + b]);
            assert!((own.sum::<f64>() - sum).abs() < 1e-9);
        }
    }

    #[test]
    fn flows_that_send_once_are_counted_only_if_no_other_goes_on() {
        let once = json!({ "arrival": { "kind": "one-shot", "messages": 3 },
            "size": { "kind": "fixed", "bytes": 64 }, "pattern": { "kind": "neighbour" } });
        let alone = matrix(&scenario(json!([once])), 16);
        let simulation = Simulation::new(&scenario(json!([once]))).expect("right");
        let flits = 3.0 * 64.0 / f64::from(simulation.flit_bytes());
        assert_eq!((alone.sent_once, alone.left_out, alone.cells[1]), (true, 0, flits));
        let both = scenario(json!([once, { "load": 0.1 }]));
        let matrix = matrix(&both, 16);
        assert_eq!((matrix.sent_once, matrix.left_out), (false, 1));
        let second = Simulation::new(&both).expect("right").traffic_matrix(Some(1), 16).unwrap();
        assert_eq!((second.cells, second.left_out), (matrix.cells, 0));
    }

    #[test]
    fn a_network_that_is_too_large_has_no_matrix() {
        let spec = json!({ "generate": { "kind": "irregular", "switches": 600,
            "hosts_per_switch": 8, "ports": 16 } });
        let spec: NetworkSpec = serde_json::from_value(spec).expect("a network");
        let network = spec.build().expect("it can be built");
        let load_unit = crate::scenario::LoadUnit::FlitsPerCyclePerHost;
        let units = Units { cycle_ps: 1000, load_unit, flit_bytes: 1 };
        assert!(network.hosts().len() > TrafficMatrix::MAX_HOSTS);
        assert_eq!(TrafficMatrix::of(&[&FlowSpec::default()], &network, units, 64), None);
    }
}
