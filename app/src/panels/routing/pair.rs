//! The routes of a pair of switches.

use super::super::form;
use super::super::troubles;
use super::super::view::View;
use crate::action::Action;
use crate::command::Command;
use crate::panels::parts::{heading, hint, wide_toggle};
use crate::stage::gesture::Tool;
use crate::state::RoutesAction;
use crate::text::{fill, text, trim};
use hopscope_core::routing::{PairRoute, PairRoutes, Turn, TurnPool};
use hopscope_core::scenario::{FabricSpec, SourceRoute};
use yew::prelude::*;

/// The card.
pub fn view(view: View) -> Html {
    let t = text();
    let routes = &view.state.routes;
    let choosing = view.state.tools.tool == Tool::Pair;
    let words = match (choosing, routes.ends) {
        (false, _) => t.tool_pair,
        (true, [Some(_), None]) => t.click_end,
        (true, _) => t.click_begin,
    };
    html! {
        <section class="card pair" aria-label={t.routes_of_pair}>
            {heading(t.routes_of_pair)}
            {end(view, 0, t.pair_from)}
            {end(view, 1, t.pair_to)}
            {wide_toggle(words, choosing, view.on_command(Command::ToolPair))}
            {match &routes.pair {
                None => Html::default(),
                Some(Ok(pair)) => list(view, pair),
                Some(Err(problems)) => troubles::card(problems),
            }}
        </section>
    }
}

fn end(view: View, which: usize, label: &'static str) -> Html {
    let picture = &view.state.stage.picture;
    let mut options = vec![(String::new(), "–".to_owned())];
    options.extend(
        (0..picture.switches.len() as u32)
            .map(|switch| (switch.to_string(), picture.switch_name(switch))),
    );
    let now = view.state.routes.ends[which].map(|switch| switch.to_string()).unwrap_or_default();
    form::choice(view, label, &options, &now, move |id| {
        Action::Routes(RoutesAction::End(which, id.parse().ok()))
    })
}

fn list(view: View, pair: &PairRoutes) -> Html {
    let t = text();
    let used = pair.routes.iter().filter(|route| route.set.is_some()).count();
    html! {
        <>
            {hint(fill(t.pair_summary, &[&used, &pair.shortest]))}
            {for about_headers(view, pair).map(hint)}
            <ol class="plain route-list">
                {for pair.routes.iter().enumerate().map(|(i, route)| row(view, i, route))}
            </ol>
        </>
    }
}

fn row(view: View, number: usize, route: &PairRoute) -> Html {
    let t = text();
    let chosen = view.state.routes.chosen == number;
    let kind = match route.set {
        None => t.route_not_chosen,
        Some(0) => t.route_used,
        Some(_) => t.route_second_set,
    };
    let name = |switch| view.state.stage.picture.switch_name(switch);
    let header = header(&view.state.scenario().fabric, &route.pools, name);
    html! {
        <li>
            <button class={classes!("route", route.set.is_some().then_some("used"))} aria-pressed={chosen.to_string()}
                onclick={view.on(move || Action::Routes(RoutesAction::Choose(number)))}>
                <span class="route-way">{way(view, route)}</span>
                <small>{format!("{kind} · {}", fill(t.route_weights, &[&trim(route.heaviest), &trim(route.mean)]))}</small>
                {for header.map(|words| html! { <small class="route-header">{words}</small> })}
            </button>
        </li>
    }
}

/// Between which hosts the headers lead, and whether they lengthen messages; none where no route
/// has a header.
fn about_headers(view: View, pair: &PairRoutes) -> Option<String> {
    let t = text();
    let [from, to] = pair.hosts?;
    let between = fill(t.headers_between, &[&from.0, &to.0]);
    Some(match view.state.scenario().fabric.technique().source_route()? {
        SourceRoute::Bytes { counted: true } => format!("{between} {}", t.headers_count),
        SourceRoute::Bytes { counted: false } => format!("{between} {}", t.headers_do_not_count),
        SourceRoute::TurnPool { .. } => between,
    })
}

/// The source route of a packet with these turns, one pool for each part of the route up to an
/// in-transit stop or the end; none without turns, and where switches route by destination.
fn header(fabric: &FabricSpec, pools: &[TurnPool], name: impl Fn(u32) -> String) -> Option<String> {
    let source_route = fabric.technique().source_route().filter(|_| !pools.is_empty())?;
    Some(match source_route {
        SourceRoute::Bytes { .. } => route_bytes(pools),
        SourceRoute::TurnPool { bits } => turn_bits(pools, bits, name),
    })
}

/// The header of a worm: a byte for each switch it crosses, two that mark each in-transit stop, and
/// two of type.
fn route_bytes(pools: &[TurnPool]) -> String {
    let part = |pool: &TurnPool| {
        pool.turns.iter().map(|turn| turn.turn.to_string()).collect::<Vec<_>>().join(" ")
    };
    let parts: Vec<String> = pools.iter().map(part).collect();
    let switches: usize = pools.iter().map(|pool| pool.turns.len()).sum();
    // Two bytes after each part: a mark, or the type.
    let bytes = switches + 2 * pools.len();
    let t = text();
    let parts = parts.join(&format!(" · {} · ", t.header_itb));
    fill(t.route_header, &[&parts, &bytes])
}

/// The turns of Advanced Switching in binary digits, each with the name of its switch, and the bits
/// and bytes of each pool, which has `most` bits.
fn turn_bits(pools: &[TurnPool], most: u32, name: impl Fn(u32) -> String) -> String {
    let t = text();
    let turn = |turn: &Turn| {
        let digits = format!("{:0w$b}", turn.turn, w = turn.bits as usize);
        fill(t.turn_at, &[&digits, &name(turn.switch.0)])
    };
    let part = |pool: &TurnPool| {
        let turns = pool.turns.iter().map(turn).collect::<Vec<_>>().join(", ");
        if pool.bits() > most {
            return fill(t.turns_exceed, &[&turns, &pool.bits(), &most]);
        }
        let bytes = pool.shown_bytes(most).map(|bytes| fill(t.turns_bytes, &[&bytes]));
        fill(t.turns_fit, &[&turns, &pool.bits(), &most]) + &bytes.unwrap_or_default()
    };
    let parts: Vec<String> = pools.iter().map(part).collect();
    fill(t.route_turns, &[&parts.join(" ◆ ")])
}

/// The switches of a route in order, with its in-transit stops.
fn way(view: View, route: &PairRoute) -> String {
    let picture = &view.state.stage.picture;
    let name = |channel: usize, end: usize| {
        let switch = picture.lanes.get(channel).and_then(|lane| lane.switches[end]);
        switch.map_or_else(|| "?".into(), |switch| picture.switch_name(switch))
    };
    let mut words = route.channels.first().map_or_else(String::new, |first| name(first.index(), 0));
    for channel in &route.channels {
        words += &format!(" → {}", name(channel.index(), 1));
        if route.stops.iter().any(|stop| stop.after == *channel) {
            words += " ◆";
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::network::SwitchId;

    /// A pool of these turns at the switches 0, 1, ...
    fn pool(bits: u32, turns: &[u16]) -> TurnPool {
        let turn = |(i, &turn): (usize, &u16)| Turn { switch: SwitchId(i as u32), turn, bits };
        TurnPool { turns: turns.iter().enumerate().map(turn).collect() }
    }

    fn named(switch: u32) -> String {
        format!("s{switch}")
    }

    #[test]
    fn a_worm_has_a_byte_per_switch_two_per_stop_and_two_of_type() {
        assert_eq!(
            route_bytes(&[pool(4, &[3, 12])]),
            "Header: 3 12 · two type bytes; 4 bytes in all"
        );
        assert_eq!(
            route_bytes(&[pool(4, &[3, 12]), pool(4, &[7])]),
            "Header: 3 12 · two ITB bytes · 7 · two type bytes; 7 bytes in all"
        );
    }

    #[test]
    fn turns_have_digits_for_their_bits_a_switch_each_and_bytes() {
        assert_eq!(
            turn_bits(&[pool(3, &[4, 4, 1])], 31, named),
            "Turn pool: 100 at s0, 100 at s1, 001 at s2; 9 of 31 bits; bytes 00 00 01 21"
        );
        assert_eq!(
            turn_bits(&[pool(3, &[4]), pool(4, &[0, 15])], 31, named),
            "Turn pool: 100 at s0; 3 of 31 bits; bytes 00 00 00 04 ◆ \
             0000 at s0, 1111 at s1; 8 of 31 bits; bytes 00 00 00 0f"
        );
        assert!(turn_bits(&[pool(3, &[4])], 65, named).ends_with("3 of 65 bits"));
    }

    #[test]
    fn turns_that_exceed_the_pool_say_so() {
        let words = turn_bits(&[pool(7, &[1; 5])], 31, named);
        assert!(words.ends_with("0000001 at s4; 35 bits, a turn pool has 31"), "{words}");
    }

    #[test]
    fn switches_that_route_by_destination_read_no_header() {
        let pools = [pool(3, &[4])];
        assert!(
            header(&FabricSpec::default(), &pools, named)
                .is_some_and(|words| words.contains("bytes"))
        );
        assert_eq!(header(&FabricSpec::default(), &[], named), None);
        let hierarchical = FabricSpec::with_id("cut-through").expect("a fabric");
        assert_eq!(header(&hierarchical, &pools, named), None);
    }
}
