//! Descriptors of everything a user chooses about routing.

use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::scenario::limits::{MAX_CANDIDATES, MAX_HANDICAP, MAX_MESSAGE_BYTES};

const THESIS: &str = "J. Flich, doctoral thesis, Universidad Politécnica de Valencia, 2001";

const ROOT: Parameter = Parameter {
    id: "root",
    summary: "root of the spanning tree: `switch N` or a rule",
    unit: "",
    kind: Kind::Choice {
        default: "auto",
        choices: &["auto", "switch N", "central", "peripheral", "max-degree", "random"],
    },
};
const CANDIDATES: Parameter = Parameter {
    id: "candidates",
    summary: "which routes are candidates when a pair has more than `max_candidates`",
    unit: "",
    kind: Kind::Choice { default: "sample", choices: &["sample", "first"] },
};
const MOST: Parameter = Parameter {
    id: "max_candidates",
    summary: "most candidates of a pair",
    unit: "routes",
    kind: Kind::Integer { default: 10, min: 1, max: MAX_CANDIDATES as u64 },
};
const SEED: Parameter = Parameter {
    id: "seed",
    summary: "seed of every random choice made when routes are computed",
    unit: "",
    kind: Kind::Integer { default: 1, min: 0, max: u64::MAX },
};
const HOST: Parameter = Parameter {
    id: "itb_host",
    summary: "which host of a switch serves an in-transit buffer",
    unit: "",
    kind: Kind::Choice {
        default: "random",
        choices: &["random", "by-input-channel", "by-output-channel", "round-robin"],
    },
};

const HALFWAY: Parameter = Parameter {
    id: "halfway",
    summary: "which way to go half around a ring, where both are as long",
    unit: "",
    kind: Kind::Choice { default: "alternate", choices: &["alternate", "up"] },
};

const TREE: &[Parameter] = &[ROOT, CANDIDATES, MOST, SEED];
const TREE_ITB: &[Parameter] = &[ROOT, CANDIDATES, MOST, SEED, HOST];
const ITB: &[Parameter] = &[CANDIDATES, MOST, SEED, HOST];
const NO_TREE: &[Parameter] = &[CANDIDATES, MOST, SEED];

/// A descriptor; the name is the identifier unless a better one is known.
const fn member(
    id: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
    citation: &'static str,
    status: Status,
) -> Descriptor {
    Descriptor { id, name: id, summary, parameters, citation, status }
}

/// A word with one line on it.
const fn word(id: &'static str, name: &'static str, summary: &'static str) -> Descriptor {
    Descriptor { id, name, summary, parameters: &[], citation: "", status: Status::CrossChecked }
}

/// Presets: named combinations of the axes.
pub fn all() -> &'static [Descriptor] {
    use Status::{CrossChecked, Experimental, Reproduced};
    const AUTONET: &str = "Schroeder et al., Autonet, IEEE JSAC 9(8), 1991";
    const SANCHO: &str = "Sancho, Robles, Duato, A new methodology to compute deadlock-free routing tables, CANPC 2000";
    const SMART: &str =
        "Cherkasova, Kotov, Rokicki, Fibre channel fabrics: evaluation and design, HPL-95-69";
    const NUE: &str = "Domke, Hoefler, Matsuoka, Routing on the dependency graph, HPDC 2016";
    const {
        &[
            member("UD", "shortest up*/down* routes, one at random", TREE, AUTONET, Reproduced),
            member(
                "DFS",
                "shortest routes under the depth-first orientation, one at random",
                TREE,
                SANCHO,
                Reproduced,
            ),
            member(
                "SMART",
                "near-shortest routes, balanced, without cycles and without ITBs",
                NO_TREE,
                SMART,
                Experimental,
            ),
            member(
                "UD_MITB",
                "minimal routes, one without ITBs if there is one; ITBs at down-to-up transitions",
                TREE_ITB,
                THESIS,
                CrossChecked,
            ),
            member(
                "UD_ITB",
                "minimal routes, ITBs at down-to-up transitions",
                TREE_ITB,
                THESIS,
                Reproduced,
            ),
            member(
                "DFS_ITB",
                "minimal routes, ITBs where the depth-first orientation forbids the transition",
                TREE_ITB,
                THESIS,
                CrossChecked,
            ),
            member(
                "DFS_MITB",
                "as DFS_ITB, a route without ITBs if there is one",
                TREE_ITB,
                THESIS,
                Reproduced,
            ),
            member(
                "BSMART_ITB",
                "smart routing's balance, ITBs where cycles must be broken",
                ITB,
                THESIS,
                Experimental,
            ),
            member(
                "RANDOM_ITB",
                "minimal routes at random, ITBs where cycles must be broken",
                ITB,
                THESIS,
                Reproduced,
            ),
            member(
                "BMIN_ITB",
                "balanced minimal routes, ITBs where cycles must be broken",
                ITB,
                THESIS,
                Reproduced,
            ),
            member(
                "B33_ITB",
                "balanced minimal routes, ITBs at local maxima of random numbers",
                ITB,
                THESIS,
                CrossChecked,
            ),
            member(
                "B50_ITB",
                "balanced minimal routes, ITBs before a larger random number",
                ITB,
                THESIS,
                CrossChecked,
            ),
            member(
                "B66_ITB",
                "balanced minimal routes, ITBs except at local minima of random numbers",
                ITB,
                THESIS,
                CrossChecked,
            ),
            member(
                "BMAX_ITB",
                "balanced minimal routes, an ITB at every intermediate switch",
                ITB,
                THESIS,
                CrossChecked,
            ),
            member(
                "UD_ITB_ML",
                "short messages on UD_MITB routes, long ones on UD_ITB routes",
                TREE_ITB,
                THESIS,
                CrossChecked,
            ),
            member(
                "UD_ITB_50",
                "half the messages on UD routes, half on UD_ITB routes",
                TREE_ITB,
                THESIS,
                CrossChecked,
            ),
            member(
                "UD_ITB_DET1",
                "UD_ITB routes when the UD route is loaded, handicap 1",
                TREE_ITB,
                THESIS,
                CrossChecked,
            ),
            member(
                "UD_ITB_DET2",
                "UD_ITB routes when the UD route is loaded, handicap 2",
                TREE_ITB,
                THESIS,
                CrossChecked,
            ),
            member(
                "minimal",
                "minimal routes without ITBs: may deadlock, to show it",
                NO_TREE,
                "",
                Experimental,
            ),
            member(
                "nue",
                "balanced routes found inside an acyclic dependency graph, one lane",
                &[SEED],
                NUE,
                Experimental,
            ),
            member(
                "dimension-order",
                "meshes and tori: along one dimension after the other, a trunk's cable by the destination",
                &[HALFWAY],
                "Dally, Seitz, Deadlock-free message routing in multiprocessor interconnection networks, IEEE ToC 36(5), 1987",
                CrossChecked,
            ),
            member(
                "d-mod-k",
                "fat trees: up by the destination's digits, then down",
                &[],
                "Zahavi, Fat-tree routing and node ordering, J. Parallel Distrib. Comput. 72(11), 2012",
                CrossChecked,
            ),
        ]
    }
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

/// Axis: where ITBs go.
pub fn placements() -> &'static [Descriptor] {
    const {
        &[
            word("none", "None", "no in-transit buffers"),
            word(
                "forbidden-transition",
                "Forbidden transition",
                "wherever the orientation forbids the transition",
            ),
            word(
                "cycle-greedy",
                "Cycles, greedy",
                "route by route, where the next dependency would close a cycle",
            ),
            word(
                "cycle-fewest",
                "Cycles, fewest",
                "cycle breaking with fewer ITBs, found by search",
            ),
            word("b33", "B33", "at switches whose random number is above both neighbours'"),
            word("b50", "B50", "at switches whose random number is below the next one's"),
            word("b66", "B66", "at switches whose random number is above one neighbour's or both"),
            word("every", "Every switch", "at every intermediate switch"),
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
    const THRESHOLD: Parameter = Parameter {
        id: "threshold_bytes",
        summary: "longest payload that counts as short",
        unit: "bytes",
        kind: Kind::Integer { default: 32, min: 0, max: MAX_MESSAGE_BYTES as u64 },
    };
    const PLAIN: Parameter = Parameter {
        id: "plain",
        summary: "share of messages on the plain routes",
        unit: "",
        kind: Kind::Real { default: 0.5, min: 0.0, max: 1.0 },
    };
    const HANDICAP: Parameter = Parameter {
        id: "handicap",
        summary: "handicap of the ITB route",
        unit: "cycles per flit",
        kind: Kind::Integer { default: 1, min: 0, max: MAX_HANDICAP as u64 },
    };
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
                    "per message, the least contended of late",
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
        readable::<Preset>(all());
        let ids = |p: Preset| serde_json::to_value(p).unwrap();
        assert!(all().iter().map(|d| serde_json::Value::from(d.id)).eq(Preset::ALL.map(ids)));
        readable::<Orientation>(orientations());
        readable::<Root>(roots());
        readable::<CandidateSet>(candidate_sets());
        readable::<CandidateRule>(candidate_rules());
        readable::<Placement>(placements());
        readable::<Choice>(choices());
        readable::<ItbHost>(itb_hosts());
        readable::<Halfway>(halfways());
        for d in selections() {
            let selection = serde_json::json!({ "kind": d.id });
            serde_json::from_value::<Selection>(selection).unwrap();
        }
    }
}
