//! Every family a user chooses from, with its members. Pickers, command-line help and docs are
//! generated from this list.

use crate::catalogue::Descriptor;
use crate::routing::descriptors as axes;
use crate::{
    arbiters, congestion, network, qos, queue_schemes, routing, scenario, switches, traffic,
};

/// A family of choices.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Family {
    /// Its name on the command line.
    pub id: &'static str,
    /// What its members are.
    pub summary: &'static str,
    /// Path of the choice in a scenario; empty if it is not part of one.
    pub path: &'static str,
    /// The members.
    pub members: Vec<Descriptor>,
}

/// The kinds of applications. They are not among [`all`], since most scenarios have none.
pub fn applications() -> Family {
    Family {
        id: "applications",
        summary: "collectives and traces, whose run time is a result",
        path: "application",
        members: crate::application::all(),
    }
}

/// All families.
pub fn all() -> Vec<Family> {
    let family = |id, summary, path, members| Family { id, summary, path, members };
    vec![
        family(
            "topologies",
            "generators of networks",
            "network.generate",
            network::generators::all().into(),
        ),
        family("routings", "named routings", "routing.preset", routing::presets::all().into()),
        family(
            "orientations",
            "spanning trees",
            "routing.orientation",
            axes::orientations().into(),
        ),
        family("roots", "roots of the spanning tree", "routing.root", axes::roots().into()),
        family("paths", "sets of candidate routes", "routing.paths", axes::candidate_sets().into()),
        family(
            "candidates",
            "rules for too many candidates",
            "routing.candidates",
            axes::candidate_rules().into(),
        ),
        family(
            "placements",
            "places of in-transit buffers",
            "routing.placement",
            routing::placements::all().into(),
        ),
        family("choices", "choices among candidates", "routing.choice", axes::choices().into()),
        family(
            "selections",
            "path selections at send time",
            "routing.selection",
            axes::selections().into(),
        ),
        family(
            "itb-hosts",
            "hosts that serve in-transit buffers",
            "routing.itb_host",
            axes::itb_hosts().into(),
        ),
        family(
            "halfways",
            "ways to go half around a ring",
            "routing.halfway",
            axes::halfways().into(),
        ),
        family("formats", "file formats of networks", "", scenario::formats::all().into()),
        family(
            "patterns",
            "destination patterns",
            "traffic.N.pattern",
            traffic::patterns::all().into(),
        ),
        family("sizes", "message sizes", "traffic.N.size", traffic::sizes::all().into()),
        family(
            "arrivals",
            "arrival processes",
            "traffic.N.arrival",
            traffic::arrivals::all().into(),
        ),
        family("fabrics", "switching techniques", "fabric", scenario::fabrics().into()),
        family(
            "switches",
            "switches of the cut-through fabric",
            "fabric.switch",
            switches::all().into(),
        ),
        family(
            "queue-schemes",
            "queues of a lane at an input port of switches with combined queues",
            "fabric.switch.queues",
            queue_schemes::all().into(),
        ),
        family(
            "congestion",
            "congestion managements of switches with combined queues",
            "fabric.switch.congestion",
            congestion::all().into(),
        ),
        family("arbiters", "arbiters of crossbars", "fabric.arbiter", arbiters::all().into()),
        family(
            "schedulers",
            "output schedulers",
            "fabric.scheduler",
            qos::schedulers::all().into(),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_begin_in_lower_case() {
        // Names and words in capitals, such as NIC and MPorts, stay as they are.
        let is_sentence = |text: &&str| {
            let mut first = text.chars();
            let (first, second) = (first.next(), first.next());
            first.is_some_and(char::is_uppercase)
                && second.is_some_and(|second| second == ' ' || second.is_lowercase())
        };
        let families: Vec<Family> = all().into_iter().chain([applications()]).collect();
        let members = families.iter().flat_map(|family| &family.members);
        let of_member = |member: &Descriptor| {
            let parameters = member.parameters.iter().map(|parameter| parameter.summary);
            std::iter::once(member.summary).chain(parameters).collect::<Vec<_>>()
        };
        let sentences: Vec<&str> = members.flat_map(of_member).filter(is_sentence).collect();
        assert!(sentences.is_empty(), "{sentences:#?}");
    }
}
