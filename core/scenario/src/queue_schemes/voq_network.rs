//! Virtual output queues of the network: only packets for the same destination wait for each other.

use super::{Member, QueueOf, scheme};

pub(super) const MEMBER: Member = Member {
    descriptor: scheme(
        "voq-network",
        "One per destination (VOQnet)",
        "one for each host of the network, for the packets whose destination it is",
    ),
    queues: |_ports, hosts| hosts,
    index: |_output, host| host.into(),
    of: QueueOf::Host,
};
