//! Schemes of queues at the inputs of switches with combined queues: one file per scheme.
//!
//! A packet waits at its input port in a queue of the lane it arrived on. The scheme says how many
//! queues a lane has there, and which of them a packet joins.

mod none;
#[cfg(test)]
mod tests;
mod voq_network;
mod voq_switch;

use crate::catalogue::{Descriptor, Status};
use crate::family::words;
use serde::{Deserialize, Serialize};

/// Defines the family from the list of its members, and [`QueueScheme::index`] so that it is found
/// without a call through a pointer: the fabric asks for every packet.
macro_rules! queue_schemes {
    ($( $(#[$about:meta])* $module:ident::$member:ident, )+) => {
        words! {
            /// Queues of a lane at an input port.
            #[derive(Default)]
            #[serde(rename_all = "kebab-case")]
            pub enum QueueScheme: Member {
                $( $(#[$about])* $module::$member, )+
            }
        }

        impl QueueScheme {
            /// The ids of all members, in the order of their descriptors.
            pub const IDS: &'static [&'static str] = &[$( $module::MEMBER.descriptor.id, )+];

            /// The index, among the queues of its lane at an input port, of the queue of a packet
            /// that leaves by this output, for this host.
            #[inline]
            pub fn index(self, output: u8, host: u16) -> u32 {
                match self {
                    $( Self::$member => (const { $module::MEMBER.index })(output, host), )+
                }
            }
        }
    };
}

queue_schemes! {
    /// One queue.
    none::None,
    /// Virtual output queues: one for each output port of the switch.
    #[default]
    voq_switch::VoqSwitch,
    /// One for each destination host of the network.
    voq_network::VoqNetwork,
}

/// What a scheme is.
struct Member {
    descriptor: Descriptor,
    /// Queues of a lane at an input port of a switch with so many ports, in a network with so many
    /// hosts.
    queues: fn(u16, u32) -> u32,
    /// The index of a packet's queue among these, from the output by which it leaves the switch and
    /// its destination host.
    index: fn(u8, u16) -> u32,
    /// What the packets of the queue with this index have in common.
    of: fn(u32) -> QueueOf,
}

/// What the packets of a queue at an input port have in common, besides port and lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum QueueOf {
    /// Nothing: there is one queue.
    Lane,
    /// The output of the switch.
    Output(u16),
    /// The destination host.
    Host(u32),
    /// The congested point of a set-aside queue with this number. No scheme has these; congestion
    /// managements add them.
    Saq(u8),
}

impl QueueScheme {
    /// Queues of a lane at an input port of a switch with `ports` ports, in a network with `hosts`
    /// hosts.
    pub fn queues_per_lane(self, ports: u16, hosts: usize) -> u32 {
        (self.member().queues)(ports, hosts as u32)
    }

    /// What the packets of the queue with this index have in common.
    pub fn queue_of(self, index: u32) -> QueueOf {
        (self.member().of)(index)
    }

    /// True if there is one queue for each output.
    pub fn is_per_output(self) -> bool {
        matches!(self.queue_of(0), QueueOf::Output(_))
    }

    /// True if there is one queue for each destination host.
    pub fn is_per_host(self) -> bool {
        matches!(self.queue_of(0), QueueOf::Host(_))
    }

    /// The ids of the schemes for which `test` holds.
    pub(crate) fn ids_where(test: impl Fn(Self) -> bool) -> Vec<&'static str> {
        let schemes = Self::ALL.iter().filter(|&&scheme| test(scheme));
        schemes.map(|scheme| scheme.descriptor().id).collect()
    }
}

/// The descriptor of a scheme.
const fn scheme(id: &'static str, name: &'static str, summary: &'static str) -> Descriptor {
    Descriptor { id, name, summary, parameters: &[], citation: "", status: Status::Exact }
}
