//! Watching: accepted traffic, latency, where the messages are, and the inspector.

use super::curve::{Curve, curve};
use super::{View, inspector, safety};
use crate::protocol::Sample;
use crate::text::{duration, fill, number, short, text};
use yew::prelude::*;

/// Samples the present value is the mean of.
const RECENT: usize = 16;

/// The panel.
pub fn view(view: View) -> Html {
    html! {
        <>
            {safety::deadlock(view)}
            {inspector::view(view)}
            {safety::verdict(view)}
            {curves(view)}
            {counts(view)}
        </>
    }
}

fn curves(view: View) -> Html {
    let t = text();
    let run = &view.page.run;
    let stats = &run.stats;
    let previous = run.previous.as_ref();
    let before = previous.map_or(&[][..], |previous| &previous.samples);
    let offered = offered(view);
    let accepted = recent(&stats.samples, |sample| Some(sample.accepted));
    let latency = recent(&stats.samples, |sample| sample.latency_ns);
    let shown = accepted.map_or("–".into(), short);
    let accepted_curve = Curve {
        samples: &stats.samples,
        previous: before,
        value: |sample| Some(sample.accepted),
        level: offered,
        now: stats.cycle,
        label: fill(t.curve_of, &[&t.accepted, &shown]),
    };
    let time = latency.map_or("–".into(), duration);
    let latency_curve = Curve {
        samples: &stats.samples,
        previous: before,
        value: |sample| sample.latency_ns,
        level: None,
        now: stats.cycle,
        label: fill(t.curve_of, &[&t.latency, &time]),
    };
    html! {
        <section class="card" aria-label={t.accepted}>
            <div class="figure">
                <span class="figure-name">{t.accepted}<small>{t.flits_per_ns}</small></span>
                <span class="figure-value"><strong id="accepted">{shown}</strong></span>
            </div>
            {curve(&accepted_curve)}
            if let Some(offered) = offered {
                <p class="hint"><span class="key level"></span>{fill(t.offered, &[&short(offered)])}</p>
            }
            <div class="figure">
                <span class="figure-name">{t.latency}</span>
                <span class="figure-value"><strong>{time}</strong></span>
            </div>
            {curve(&latency_curve)}
            if let Some(previous) = previous {
                <p class="hint"><span class="key dashed"></span>{fill(t.previous_run, &[&previous.name])}</p>
            }
        </section>
    }
}

/// Mean over the last few samples.
fn recent(samples: &[Sample], value: fn(&Sample) -> Option<f64>) -> Option<f64> {
    let last: Vec<f64> = samples.iter().rev().take(RECENT).filter_map(value).collect();
    (!last.is_empty()).then(|| last.iter().sum::<f64>() / last.len() as f64)
}

/// The offered load, if it is in the unit of the curve.
fn offered(view: View) -> Option<f64> {
    let flows = &view.page.scenario().traffic;
    let plain = flows.iter().all(|flow| flow.load_unit.is_none() && flow.sources.is_empty());
    plain.then(|| flows.iter().map(|flow| flow.load).sum())
}

fn counts(view: View) -> Html {
    let t = text();
    let messages = &view.page.run.stats.messages;
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
