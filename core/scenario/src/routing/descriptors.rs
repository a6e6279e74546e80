//! Descriptors of the axes of a routing that have no family of their own: their values are branches
//! of the algorithms in `core/routing`.

use super::THESIS;
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::scenario::limits::{MAX_HANDICAP, MAX_MESSAGE_BYTES};

/// A word with one line on it.
pub(super) const fn word(
    id: &'static str,
    name: &'static str,
    summary: &'static str,
) -> Descriptor {
    Descriptor { id, name, summary, parameters: &[], citation: "", status: Status::CrossChecked }
}

/// Axis: spanning trees.
pub fn orientations() -> &'static [Descriptor] {
    const {
        &[
            word(
                "breadth-first",
                "Breadth-first",
                "up*/down*: up is nearer the root, or the smaller identifier",
            ),
            word(
                "depth-first",
                "Depth-first",
                "a depth-first tree with few, well placed restrictions",
            ),
        ]
    }
}

/// Rules for the root of the spanning tree.
pub fn roots() -> &'static [Descriptor] {
    const {
        &[
            word(
                "auto",
                "Automatic",
                "switch 0 for breadth-first, largest mean distance for depth-first",
            ),
            word("switch N", "A switch", "the one with this index, counted from 0"),
            word("central", "Central", "smallest mean distance to the others"),
            word("peripheral", "Peripheral", "largest mean distance to the others"),
            word("max-degree", "Most links", "the switch with the most links"),
            word("random", "Random", "drawn with the routing's seed"),
        ]
    }
}

/// Axis: which routes are candidates.
pub fn candidate_sets() -> &'static [Descriptor] {
    const {
        &[
            word(
                "shortest-legal",
                "Shortest legal",
                "the shortest among those the orientation allows",
            ),
            word("minimal", "Minimal", "all routes as short as the network allows"),
            word("near-shortest", "Near-shortest", "minimal routes and those one channel longer"),
        ]
    }
}

/// How candidates are taken when there are too many.
pub fn candidate_rules() -> &'static [Descriptor] {
    const {
        &[
            word("sample", "Sample", "an unbiased sample"),
            word("first", "First", "the first in port order, as the thesis seems to have done"),
        ]
    }
}

/// Axis: how one route is chosen among a pair's candidates.
pub fn choices() -> &'static [Descriptor] {
    const {
        &[
            word("random", "Random", "one at random"),
            word(
                "fewest-itbs",
                "Fewest ITBs",
                "one without ITBs if there is one, else one at random",
            ),
            word("balanced", "Balanced", "least standard deviation of routes per channel"),
            word("smart-balance", "Smart balance", "least routes over the most used channel"),
        ]
    }
}

/// Axis: path selection at send time.
pub fn selections() -> &'static [Descriptor] {
    const THRESHOLD: Parameter = Parameter::integer(
        "threshold_bytes",
        "longest payload that counts as short",
        "bytes",
        (32, 0, MAX_MESSAGE_BYTES as u64),
    );
    const PLAIN: Parameter = Parameter::new(
        "plain",
        "share of messages on the plain routes",
        "",
        Kind::Real { default: 0.5, min: 0.0, max: 1.0 },
    );
    const HANDICAP: Parameter = Parameter::integer(
        "handicap",
        "handicap of the ITB route",
        "cycles per flit",
        (1, 0, MAX_HANDICAP as u64),
    );
    const fn with(word: Descriptor, parameters: &'static [Parameter]) -> Descriptor {
        Descriptor { parameters, citation: THESIS, ..word }
    }
    const {
        &[
            with(word("fixed", "Fixed", "one route per pair"), &[]),
            with(word("random", "Random", "per message, one at random"), &[]),
            with(word("round-robin", "Round robin", "per message, in turn"), &[]),
            word("by-destination", "By destination", "by the number of the destination host"),
            with(
                word(
                    "contention-aware",
                    "Contention-aware",
                    "per message, the route that has lately seen the least contention",
                ),
                &[],
            ),
            with(
                word("by-length", "By length", "short messages on the routes with fewer ITBs"),
                &[THRESHOLD],
            ),
            with(word("share", "Share", "a share of the messages on the plain routes"), &[PLAIN]),
            with(
                word(
                    "when-loaded",
                    "When loaded",
                    "ITB routes only when the plain ones are loaded",
                ),
                &[HANDICAP],
            ),
        ]
    }
}

/// Which host of a switch serves an ITB.
pub fn itb_hosts() -> &'static [Descriptor] {
    const {
        &[
            word("random", "Random", "each route draws one of the switch's hosts"),
            word(
                "by-input-channel",
                "By input channel",
                "determined by the channel the route arrives on",
            ),
            word(
                "by-output-channel",
                "By output channel",
                "determined by the channel the route goes on by",
            ),
            word("round-robin", "Round robin", "the switch's hosts in turn, over all routes"),
        ]
    }
}

/// Which way dimension order goes half around a ring.
pub fn halfways() -> &'static [Descriptor] {
    const {
        &[
            word(
                "alternate",
                "Alternate",
                "up from even coordinates, down from odd ones: both ways carry as much",
            ),
            word("up", "Up", "always up, as the plainest routers do: up carries more than down"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::{placements, presets};
    use crate::scenario::{
        CandidateRule, CandidateSet, Choice, Halfway, ItbHost, Orientation, Placement, Preset,
        Root, Selection,
    };
    use serde::{Serialize, de::DeserializeOwned};

    /// Every word is read and written back as itself.
    fn readable<T: Serialize + DeserializeOwned>(family: &[Descriptor]) {
        for d in family {
            let word = d.id.replace('N', if d.id.starts_with("switch ") { "3" } else { "N" });
            let value: T = serde_json::from_value(word.clone().into()).unwrap();
            assert_eq!(serde_json::to_value(value).unwrap(), serde_json::Value::from(word));
        }
    }

    #[test]
    fn every_descriptor_names_a_word_of_the_scenario() {
        readable::<Preset>(presets::all());
        for preset in Preset::ALL {
            assert_eq!(serde_json::to_value(preset).unwrap(), preset.descriptor().id);
        }
        readable::<Orientation>(orientations());
        readable::<Root>(roots());
        readable::<CandidateSet>(candidate_sets());
        readable::<CandidateRule>(candidate_rules());
        readable::<Placement>(placements::all());
        for placement in Placement::ALL {
            assert_eq!(serde_json::to_value(placement).unwrap(), placement.descriptor().id);
        }
        readable::<Choice>(choices());
        readable::<ItbHost>(itb_hosts());
        readable::<Halfway>(halfways());
        for d in selections() {
            let selection = serde_json::json!({ "kind": d.id });
            serde_json::from_value::<Selection>(selection).unwrap();
        }
    }
}
