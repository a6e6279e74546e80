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
use hopscope_core::routing::{PairRoute, PairRoutes};
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
    html! {
        <li>
            <button class={classes!("route", route.set.is_some().then_some("used"))} aria-pressed={chosen.to_string()}
                onclick={view.on(move || Action::Routes(RoutesAction::Choose(number)))}>
                <span class="route-way">{way(view, route)}</span>
                <small>{format!("{kind} · {}", fill(t.route_weights, &[&trim(route.heaviest), &trim(route.mean)]))}</small>
            </button>
        </li>
    }
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
