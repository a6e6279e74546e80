//! Rule B50: half of the transitions get an in-transit buffer.
//!
//! Every cycle has an ascent, and an in-transit buffer is there.

use super::{HIGHEST, Member, Numbers, Places};
use crate::routing::descriptors::word;

pub(super) const MEMBER: Member = Member {
    descriptor: word("b50", "B50", "at switches whose random number is below the next one's"),
    places: Places::Numbers(Numbers {
        needs_itb: |_before, at, after| at < after,
        without_hosts: HIGHEST,
    }),
};
