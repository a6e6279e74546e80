//! Checks of the routing section that need no routes. Route computation reports the others.

use super::{share, within};
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::routing::Axes;
use crate::scenario::limits::{MAX_CANDIDATES, MAX_HANDICAP, MAX_MESSAGE_BYTES};
use crate::scenario::{Placement, Root, RoutingSpec, Selection};

pub(super) fn check(routing: &RoutingSpec, network: Option<&Network>, problems: &mut Problems) {
    within(
        "routing.max_candidates",
        routing.max_candidates,
        1..=u64::from(MAX_CANDIDATES),
        problems,
    );
    if let (Root::Switch(root), Some(network)) = (&routing.root, network) {
        let switches = network.switches().len();
        if *root as usize >= switches {
            problems.add(
                "routing.root",
                messages::no_such_switch(*root),
                messages::use_switch_from_to(switches - 1),
            );
        }
    }
    match routing.selection {
        Some(Selection::ByLength { threshold_bytes }) => {
            within(
                "routing.selection.threshold_bytes",
                threshold_bytes,
                0..=u64::from(MAX_MESSAGE_BYTES),
                problems,
            );
        }
        Some(Selection::Share { plain }) => share("routing.selection.plain", plain, problems),
        Some(Selection::WhenLoaded { handicap }) => {
            within("routing.selection.handicap", handicap, 0..=u64::from(MAX_HANDICAP), problems);
        }
        Some(
            Selection::Fixed
            | Selection::Random
            | Selection::RoundRobin
            | Selection::ByDestination
            | Selection::ContentionAware,
        )
        | None => {}
    }
}

/// Whether routes may stop at in-transit hosts.
pub(super) fn in_transit(routing: &RoutingSpec) -> bool {
    Axes::asked(routing).placement != Placement::None
}
