//! Watch: the inspector, accepted traffic, latency, and the number of messages in each place.

use super::curve::{dots, recent};
use super::icons::Icon;
use super::run_curve::{Line, Quantity, RunCurve};
use super::side::{self, Panel};
use super::unit::Traffic;
use super::view::View;
use super::{application, inspector, levels, safety, saqs, selection, tour};
use crate::command::Command;
use crate::protocol::{RunFingerprint, Sample};
use crate::state::Tab;
use crate::text::{duration, fill, number, short, text};
use hopscope_core::scenario::FlowSpec;
use yew::prelude::*;

/// The panel and its tab.
pub const PANEL: Panel = Panel {
    tab: Tab::WATCH,
    name: |t| t.tab_watch,
    command: side::command(Tab::WATCH, |t| t.panel_watch),
    is_available: |_| true,
    view,
};

/// The panel.
fn view(view: View) -> Html {
    html! {
        <>
            {safety::deadlock(view)}
            {selection::view(view)}
            {inspector::view(view)}
            {tour::tour(view)}
            {inspector::hint(view)}
            {safety::verdict(view)}
            {application::results::progress(view)}
            {curves(view)}
            {saqs::trees(view)}
            {levels::view(view)}
            {counts(view)}
            {results(view)}
        </>
    }
}

fn curves(view: View) -> Html {
    let t = text();
    let run = &view.state.run;
    let stats = &run.stats;
    let previous = run.previous.as_ref();
    let before = previous.map_or(&[][..], |previous| &previous.samples);
    let unit = Traffic::of(view.state);
    let offered = offered(view, unit);
    let now = stats.cycle;
    let accepted = recent(&stats.samples, now, |sample| Some(sample.accepted));
    let accepted = accepted.map(|accepted| unit.value(accepted));
    let latency = recent(&stats.samples, now, |sample| sample.latency_ns);
    let shown = accepted.map_or("–".into(), short);
    let time = latency.map_or("–".into(), duration);
    let theme = view.state.display.theme;
    let line = |value: &dyn Fn(&Sample) -> Option<f64>| Line {
        name: String::new(),
        own: dots(&stats.samples, value),
        previous: dots(before, value),
    };
    let rates = vec![line(&|sample| Some(unit.value(sample.accepted)))];
    let latencies = vec![line(&|sample| sample.latency_ns)];
    html! {
        <section class="card" aria-label={t.accepted}>
            <div class="figure">
                <span class="figure-name">{t.accepted}<small>{unit.name()}</small></span>
                <span class="figure-value"><strong id="accepted">{shown.clone()}</strong></span>
            </div>
            <RunCurve quantity={Quantity::Accepted(unit.unit)} lines={rates} level={offered} {now} {theme}
                label={fill(t.curve_of, &[&t.accepted, &shown])} />
            if let Some(offered) = offered {
                <p class="hint"><span class="key level"></span>{fill(t.offered, &[&short(offered)])}</p>
            }
            <div class="figure">
                <span class="figure-name">{t.latency}<small>{t.unit_ns}</small></span>
                <span class="figure-value"><strong>{time.clone()}</strong></span>
            </div>
            <RunCurve quantity={Quantity::Latency} lines={latencies} {now} {theme}
                label={fill(t.curve_of, &[&t.latency, &time])} />
            if let Some(previous) = previous {
                <p class="hint"><span class="key dashed"></span>{fill(t.previous_run, &[&previous.name])}</p>
            }
        </section>
    }
}

/// The offered load, without connections that admission control refuses, if it is known.
fn offered(view: View, shown: Traffic) -> Option<f64> {
    let scenario = view.state.scenario();
    let flows = &scenario.traffic;
    let picture = &view.state.stage.picture;
    let (switches, hosts) = (picture.switches.len().max(1), picture.hosts.len().max(1));
    let fabric = &scenario.fabric;
    let facts = view.state.run.facts.as_ref()?;
    if flows.is_empty() || flows.len() != facts.senders.len() {
        return None;
    }
    // Flits per cycle that a flow offers, over all hosts.
    let per_host = |(i, flow): (usize, &FlowSpec)| {
        let unit = flow.load_unit.unwrap_or(fabric.technique().load_unit());
        let senders = facts.senders[i] as usize;
        let each = flow.load * fabric.flits_per_cycle_per_host(unit, switches, senders.max(1));
        each * facts.admission.admitted_share(i) * senders as f64 / hosts as f64
    };
    let per_host: f64 = flows.iter().enumerate().map(per_host).sum();
    let offered = per_host / fabric.flits_per_cycle_per_host(shown.unit, switches, hosts);
    offered.is_finite().then_some(offered)
}

fn counts(view: View) -> Html {
    let t = text();
    let messages = &view.state.run.stats.messages;
    let mut rows = vec![
        ("generated", t.generated, messages.generated),
        ("delivered", t.delivered, messages.delivered),
        ("in-network", t.in_network, messages.in_network),
        ("waiting", t.waiting_at_hosts, messages.waiting),
        ("itbs", t.through_itbs, messages.itbs),
    ];
    if messages.dropped > 0 {
        rows.push(("dropped", t.dropped, messages.dropped));
    }
    html! {
        <section class="card" aria-label={t.messages}>
            <dl class="counts">
                {for rows.into_iter().map(|(id, name, count)| html! {
                    <div><dt>{name}</dt><dd data-count={id}>{number(count)}</dd></div>
                })}
            </dl>
        </section>
    }
}

/// The fingerprint of the run with a button that copies it. A run that plays and is not measured
/// yet has none: it would change with every cycle.
pub fn digits(view: View, id: &'static str) -> Html {
    let digits = |found: &RunFingerprint| {
        html! { <><code {id}>{&found.digits}</code>{view.button(Command::CopyFingerprint, Icon::Copy)}</> }
    };
    view.state.run.stats.fingerprint.as_ref().map(digits).unwrap_or_default()
}

/// What the fingerprint is of, or when there will be one.
pub fn fingerprint_of(view: View) -> String {
    let t = text();
    let stats = &view.state.run.stats;
    match &stats.fingerprint {
        Some(found) if found.measured => t.fingerprint_measured.to_owned(),
        Some(_) => fill(t.fingerprint_so_far, &[&number(stats.cycle)]),
        None => t.fingerprint_later.to_owned(),
    }
}

/// The fingerprint of the results, and a button that saves them.
fn results(view: View) -> Html {
    let t = text();
    let run = &view.state.run;
    if run.facts.is_none() || view.state.is_locked() {
        return Html::default();
    }
    html! {
        <section class="card results" aria-label={t.results} id="results">
            <div class="figure">
                <span class="figure-name">{t.fingerprint}</span>
                <span class="fingerprint">{digits(view, "fingerprint")}</span>
            </div>
            <p class="hint" id="fingerprint-of">{fingerprint_of(view)}</p>
            <button class="button" title={t.save_results_hint} onclick={view.on_command(Command::SaveResults)}>{t.save_results}</button>
        </section>
    }
}
