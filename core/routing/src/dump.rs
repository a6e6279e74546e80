//! Route tables as text, so that two programs can be given the same routes.
//!
//! One line per route, such as `route 0 2 : 0 1[5] 2`: switch indices and, in brackets, the
//! in-transit host taken at that switch. Of several cables between two switches, `s~n` is reached
//! by the n-th after the first. `set 1` begins the second set. [`dump`] writes, [`parse`] reads,
//! and [`given`] makes a routing of routes that were read.

use super::compute::Routing;
use super::dependencies::{Dependencies, transitions_made};
use super::ends::Ends;
use super::messages;
use super::note::Note;
use super::placement::TransitionSets;
use super::prepared_network::PreparedNetwork;
use super::report::Report;
use super::table::{Hop, Route, RouteSet, RouteTable, Step};
use super::{Axes, dependencies::Verdict};
use crate::network::{ChannelId, HostId, Network, SwitchId};
use crate::problem::Problems;
use crate::scenario::RoutingSpec;
use crate::scenario::limits::MAX_PROBLEMS;
use hopscope_scenario::message::Message;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// All routes between different switches, one per line.
pub fn dump(network: &Network, table: &RouteTable) -> String {
    let mut text = String::new();
    for (number, set) in table.sets.iter().enumerate() {
        if number > 0 {
            writeln!(text, "set {number}").expect("text grows");
        }
        for (from, to) in set.ends().pairs().filter(|(a, b)| a != b) {
            for route in set.routes(from, to) {
                write!(text, "route {} {} : {}", from.0, to.0, from.0).expect("text grows");
                write_steps(&mut text, network, &route);
                text.push('\n');
            }
        }
    }
    text
}

fn write_steps(text: &mut String, network: &Network, route: &Route<'_>) {
    for step in route.steps {
        match step.hop() {
            Hop::Channel(c) => {
                let to = network.target_switch(c);
                let before =
                    cables(network, network.source_switch(c), to).take_while(|&other| other != c);
                match before.count() {
                    0 => write!(text, " {}", to.0),
                    n => write!(text, " {}~{n}", to.0),
                }
            }
            Hop::InTransit(h) => write!(text, "[{}]", h.0),
        }
        .expect("text grows");
    }
}

/// Channels from one switch to another, in port order.
fn cables(network: &Network, from: SwitchId, to: SwitchId) -> impl Iterator<Item = ChannelId> {
    network.neighbours(from).iter().filter(move |(_, s)| *s == to).map(|(c, _)| *c)
}

type Pairs = BTreeMap<(u32, u32), Vec<Vec<Step>>>;

/// Reads what [`dump`] writes. `file` names the text in problems.
///
/// # Errors
/// Lines that are no routes, routes the network does not have, and pairs without a route.
pub fn parse(network: &Network, text: &str, file: &str) -> Result<RouteTable, Problems> {
    let mut problems = Problems::default();
    let mut sets: Vec<Pairs> = vec![Pairs::new()];
    // Editors may put a byte order mark in front of the text.
    let text = text.trim_start_matches('\u{feff}');
    for (i, line) in text.lines().enumerate() {
        let at = format!("{file}:{}", i + 1);
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if line.strip_prefix("set ").and_then(|n| n.trim().parse().ok()) == Some(sets.len())
            && sets.len() < 2
        {
            sets.push(Pairs::new());
            continue;
        }
        match parse_route(network, line) {
            Ok((from, to, steps)) => {
                sets.last_mut().expect("there is one").entry((from, to)).or_default().push(steps);
            }
            Err(why) => problems.add(at, why, messages::route_line_form()),
        }
        if problems.0.len() >= MAX_PROBLEMS {
            return Err(problems);
        }
    }
    let ends = Ends::of(network);
    let mut complete = Vec::new();
    for (number, mut pairs) in sets.into_iter().enumerate() {
        let mut set = RouteSet::between(ends.clone());
        let mut missing = Vec::new();
        for (from, to) in ends.pairs() {
            match pairs.remove(&(from.0, to.0)) {
                Some(routes) => routes.into_iter().for_each(|steps| set.push_route(steps)),
                None if from == to => set.push_route([]),
                None => missing.push((from.0, to.0)),
            }
            set.finish_pair();
        }
        if let Some((from, to)) = missing.first() {
            problems.add(
                file,
                messages::pairs_without_routes(number, *from, *to, missing.len() - 1),
                messages::give_every_pair_a_route(),
            );
        }
        complete.push(set);
    }
    problems.or(RouteTable::new(network, complete))
}

/// One line; an error says what is wrong with it.
fn parse_route(network: &Network, line: &str) -> Result<(u32, u32, Vec<Step>), Message> {
    let words = line.strip_prefix("route ").ok_or_else(messages::not_a_route)?;
    let (ends, path) = words.split_once(':').ok_or_else(messages::no_colon_after_ends)?;
    let switch = |word: &str| -> Result<SwitchId, Message> {
        let index: u32 = word.parse().map_err(|_| messages::not_a_switch_index(word))?;
        let count = network.switches().len();
        if (index as usize) < count {
            Ok(SwitchId(index))
        } else {
            Err(messages::switch_index_too_large(count, index))
        }
    };
    let ends = ends.split_whitespace().map(switch).collect::<Result<Vec<_>, _>>()?;
    let &[from, to] = ends.as_slice() else { return Err(messages::a_route_has_two_ends()) };
    let mut steps = Vec::new();
    let mut at = None;
    for word in path.split_whitespace() {
        let (place, host) = match word.strip_suffix(']').map(|w| w.split_once('[')) {
            Some(Some((place, host))) => (place, Some(host)),
            Some(None) => return Err(messages::no_opening_bracket(word)),
            None => (word, None),
        };
        let (place, cable) = place.split_once('~').unwrap_or((place, "0"));
        let next = switch(place)?;
        if let Some(last) = at {
            let cable: usize = cable.parse().map_err(|_| messages::not_a_cable_number(cable))?;
            let channel = cables(network, last, next).nth(cable);
            steps.push(Step::channel(
                channel.ok_or_else(|| messages::no_such_cable(last.0, next.0))?,
            ));
        } else if next != from {
            return Err(messages::route_begins_elsewhere(next.0, from.0));
        }
        if let Some(host) = host {
            let index: u32 = host.parse().map_err(|_| messages::not_a_host_index(host))?;
            if !network.hosts_of(next).contains(&HostId(index)) {
                return Err(messages::host_at_another_switch(index, next.0));
            }
            steps.push(Step::in_transit(HostId(index)));
        }
        at = Some(next);
    }
    if !RouteSet::follows(network, from, to, &steps) {
        return Err(messages::route_leads_elsewhere(from.0, to.0));
    }
    Ok((from.0, to.0, steps))
}

/// A routing with routes that were given. Of the choices only those made at send time apply.
///
/// # Errors
/// Choices that make no sense together, or another number of route sets than the selection needs.
pub fn given(
    network: &Network,
    spec: &RoutingSpec,
    table: RouteTable,
) -> Result<Routing, Problems> {
    let axes = Axes::resolve(spec)?;
    let wanted = if axes.selection.two_sets() { 2 } else { 1 };
    if table.sets.len() != wanted {
        return Err(Problems::one(
            "routing.selection",
            messages::wrong_number_of_route_sets(wanted, table.sets.len()),
            messages::selection_of_these_routes(),
        ));
    }
    let prepared = PreparedNetwork::new(network)?;
    let verdict: Verdict = Dependencies::of(network, &table).verdict();
    let made = transitions_made(&prepared.transitions, &table.sets);
    let mut report = Report::new(&prepared, spec.preset, axes, spec.seed, &table, &verdict);
    report.notes.push(Note::Given);
    let transitions = TransitionSets::without_itbs(made);
    Ok(Routing { table: Arc::new(table), orientation: None, transitions, verdict, report })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute;
    use crate::network::generators::GeneratorSpec;
    use crate::scenario::{NetworkSpec, Preset};

    fn ring(width: u32) -> Network {
        let ring = serde_json::json!({ "kind": "ring", "switches": 5, "width": width });
        let generator: GeneratorSpec = serde_json::from_value(ring).unwrap();
        NetworkSpec::Generate(generator).build().unwrap()
    }

    #[test]
    fn a_dump_reads_back() {
        for width in [1, 3] {
            let network = ring(width);
            for preset in [Preset::UD, Preset::UD_ITB, Preset::UD_ITB_50] {
                let spec = RoutingSpec { preset, ..Default::default() };
                let routing = compute(&network, &spec).unwrap();
                let text = dump(&network, &routing.table);
                assert_eq!(parse(&network, &text, "dump").unwrap(), *routing.table, "{text}");
                let again =
                    given(&network, &spec, parse(&network, &text, "dump").unwrap()).unwrap();
                assert_eq!(again.verdict, routing.verdict);
            }
        }
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        let network = ring(1);
        let routing = compute(&network, &RoutingSpec::default()).unwrap();
        let text = format!("\u{feff}{}", dump(&network, &routing.table));
        assert_eq!(parse(&network, &text, "dump").unwrap(), *routing.table);
    }

    #[test]
    fn the_example_of_a_route_can_be_read() {
        let problems = parse(&ring(1), "nonsense", "f").unwrap_err();
        let fix = problems.0[0].fix.to_string();
        let example = fix.split('`').nth(1).unwrap();
        // The example's host is not in this network, but its form is right.
        let problems = parse(&ring(1), example, "f").unwrap_err();
        assert!(problems.0[0].why.to_string().contains("host 5 is not at switch 1"), "{problems}");
    }

    #[test]
    fn wrong_lines_are_named() {
        let network = ring(1);
        for (line, word) in [
            ("nonsense", "no route"),
            ("route 0 1 0 1", "no `:`"),
            ("route 0 9 : 0 1", "5 switches"),
            ("route 0 1 : 1", "begins at 1"),
            ("route 0 2 : 0 2", "no such cable from 0 to 2"),
            ("route 0 2 : 0 1", "does not lead"),
            ("route 0 2 : 0 1[0] 2", "host 0 is not at switch 1"),
            ("route 0 1 : 0[0] 1", "does not lead"),
            ("route 0 1 : 0 1]", "no `[`"),
            ("route 0 1 : 0 1~1", "no such cable"),
            ("route 0 1 : 0 x", "no switch index"),
        ] {
            let problems = parse(&network, line, "f").unwrap_err();
            assert!(
                problems.0[0].at.path() == "f:1" && problems.0[0].why.to_string().contains(word),
                "{line}: {problems}"
            );
        }
        let problems = parse(&network, "# nothing\n", "f").unwrap_err();
        assert!(
            problems.0[0].why.to_string().contains("no route from switch 0 to 1, nor for 19 other"),
            "{problems}"
        );
    }
}
