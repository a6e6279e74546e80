//! One queue: its foremost packet blocks all others of its lane.

use super::{Member, QueueOf, scheme};

pub(super) const MEMBER: Member = Member {
    descriptor: scheme("none", "One queue", "one, for all packets"),
    queues: |_ports, _hosts| 1,
    index: |_output, _host| 0,
    of: |_index| QueueOf::Lane,
};
