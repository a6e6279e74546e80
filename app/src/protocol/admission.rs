//! What the worker tells the page about admission control. Flows and channels are given by number.

use hopscope_core::admission::{FlowAdmission, link_bits_per_second};
use hopscope_core::scenario::FabricSpec;
use serde::{Deserialize, Serialize};

/// Connections asked for and admitted, and what they reserve.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AdmissionFacts {
    /// The flows under admission control.
    pub flows: Vec<FlowConnections>,
    /// Per channel: the part of its bandwidth that is reserved.
    pub shares: Vec<f32>,
    /// There may be no more connections in a scenario.
    pub is_cut_off: bool,
}

/// The connections of a flow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FlowConnections {
    /// The flow.
    pub flow: u32,
    /// Mean rate of a connection, bits per second.
    pub bits_per_second: f64,
    /// Connections that asked.
    pub asked: u32,
    /// Connections that were admitted.
    pub admitted: u32,
    /// The part of the flow's load that its admitted connections offer.
    pub admitted_share: f64,
    /// Channels that refused connections, and how many; those that refused most come first.
    pub refused_by: Vec<(u32, u32)>,
}

impl AdmissionFacts {
    /// The part of a flow's load that its admitted connections offer; all of it without admission
    /// control.
    pub fn admitted_share(&self, flow: usize) -> f64 {
        let found = self.flows.iter().find(|of| of.flow as usize == flow);
        found.map_or(1.0, |of| of.admitted_share)
    }

    /// The connections of all flows that a channel refused.
    pub fn refused_by(&self, channel: u32) -> u32 {
        let refusals = self.flows.iter().flat_map(|of| &of.refused_by);
        refusals.filter(|of| of.0 == channel).map(|of| of.1).sum()
    }

    /// Of the decisions, and of what is reserved on each channel.
    pub fn of(flows: &[FlowAdmission], reserved: &[u64], fabric: &FabricSpec) -> AdmissionFacts {
        let link = link_bits_per_second(fabric) as f64;
        let flow = |of: &FlowAdmission| {
            let refusals = of.refused_by.iter();
            let mut refused_by: Vec<(u32, u32)> =
                refusals.map(|(channel, &count)| (channel.0, count as u32)).collect();
            refused_by.sort_by_key(|&(channel, count)| (std::cmp::Reverse(count), channel));
            FlowConnections {
                flow: of.flow as u32,
                bits_per_second: of.bits_per_second as f64,
                asked: of.asked as u32,
                admitted: of.admitted as u32,
                admitted_share: of.admitted_bits_per_second as f64
                    / of.asked_bits_per_second.max(1) as f64,
                refused_by,
            }
        };
        AdmissionFacts {
            flows: flows.iter().map(flow).collect(),
            shares: reserved.iter().map(|&bits| (bits as f64 / link) as f32).collect(),
            is_cut_off: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::{FlowSpec, Scenario};
    use hopscope_core::simulation::Simulation;

    #[test]
    fn a_channel_counts_the_refusals_of_all_flows() {
        let flow = |refused_by| FlowConnections { refused_by, ..FlowConnections::default() };
        let flows = vec![flow(vec![(7, 48), (3, 5)]), flow(vec![(3, 2)])];
        let facts = AdmissionFacts { flows, ..AdmissionFacts::default() };
        assert_eq!([3, 7, 8].map(|channel| facts.refused_by(channel)), [7, 48, 0]);
    }

    #[test]
    fn the_load_of_admitted_connections_is_what_a_run_offers() {
        let text = include_str!("../../../scenarios/admission-refused.json");
        let scenario = Scenario::parse(text).expect("a scenario");
        let mut run = Simulation::new(&scenario).expect("it runs");
        let decided = run.admission();
        let facts = AdmissionFacts::of(&decided.flows, &decided.most_reserved, &scenario.fabric);
        let load = |(i, flow): (usize, &FlowSpec)| flow.load * facts.admitted_share(i);
        let offered: f64 = scenario.traffic.iter().enumerate().map(load).sum();
        let asked: f64 = scenario.traffic.iter().map(|flow| flow.load).sum();
        run.run_to_end();
        let measured = run.report().offered_flits_per_cycle_per_host.expect("it measured");
        assert!((measured / offered - 1.0).abs() < 0.02, "{measured} of {offered}");
        assert!(offered < 0.8 * asked);
    }
}
