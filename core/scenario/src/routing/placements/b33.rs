//! Rule B33: a third of the transitions get an in-transit buffer.
//!
//! Every cycle has a largest number, and an in-transit buffer is there.

use super::{LOWEST, Member, Numbers, Places};
use crate::routing::descriptors::word;

pub(super) const MEMBER: Member = Member {
    descriptor: word("b33", "B33", "at switches whose random number is above both neighbours'"),
    places: Places::Numbers(Numbers {
        needs_itb: |before, at, after| at > before && at > after,
        without_hosts: LOWEST,
    }),
};
