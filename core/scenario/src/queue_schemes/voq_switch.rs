//! Virtual output queues of a switch: only packets for the same output wait for each other.

use super::{Member, QueueOf, scheme};

pub(super) const MEMBER: Member = Member {
    descriptor: scheme(
        "voq-switch",
        "One per output (VOQsw)",
        "one for each output of the switch, for the packets that leave by it",
    ),
    queues: |ports, _hosts| ports.into(),
    index: |output, _host| output.into(),
    of: |index| QueueOf::Output(index as u16),
};
