//! What the worker tells the page about admission control. Flows and channels are given by number.

use hopscope_core::admission::{FlowAdmission, link_bits_per_second};
use hopscope_core::collections::sort_by_key;
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
    /// Channels that refused connections, and how many; those that refused most come first.
    pub refused_by: Vec<(u32, u32)>,
}

impl AdmissionFacts {
    /// Of the decisions, and of what is reserved on each channel.
    pub fn of(flows: &[FlowAdmission], reserved: &[u64], fabric: &FabricSpec) -> AdmissionFacts {
        let link = link_bits_per_second(fabric) as f64;
        let flow = |of: &FlowAdmission| {
            let refusals = of.refused_by.iter();
            let mut refused_by: Vec<(u32, u32)> =
                refusals.map(|(channel, &count)| (channel.0, count as u32)).collect();
            sort_by_key(&mut refused_by, |&(channel, count)| (std::cmp::Reverse(count), channel));
            FlowConnections {
                flow: of.flow as u32,
                bits_per_second: of.bits_per_second as f64,
                asked: of.asked as u32,
                admitted: of.admitted as u32,
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
