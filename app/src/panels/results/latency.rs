//! Latencies: their mean, deviation and percentiles, and their histogram.

use super::chart::{BarShown, Chart};
use crate::panels::parts::{chip, column, hint};
use crate::protocol::ShownResults;
use crate::text::{duration, fill, number, percent, text};
use hopscope_core::measure::{Bar, Report, Statistic, Summary};
use std::rc::Rc;
use yew::prelude::*;

/// The table of latencies: a row per statistic, a column per latency.
pub fn figures(report: &Report) -> Html {
    let t = text();
    let columns = [
        (t.header_latency, &report.header_latency_ns),
        (t.network_latency, &report.network_latency_ns),
        (t.total_latency, &report.total_latency_ns),
    ];
    let cell = |statistic: Statistic, summary: &Summary| {
        statistic.of(summary).map_or("–".to_owned(), duration)
    };
    let row = |statistic: Statistic| {
        html! {
            <tr>
                <th scope="row">{super::columns::statistic(statistic)}</th>
                {for columns.iter().map(|(_, summary)| html! { <td>{cell(statistic, summary)}</td> })}
            </tr>
        }
    };
    html! {
        <>
            <div class="table-scroll" tabindex="0" role="region" aria-label={t.latency_title}>
                <table class="figures" id="latency-figures">
                    <thead><tr><td></td>{for columns.iter().map(|(name, _)| column(*name))}</tr></thead>
                    <tbody>{for Statistic::ALL.into_iter().map(row)}</tbody>
                </table>
            </div>
            <p class="hint">
                {t.latencies_about}
                if let Some(jitter) = report.jitter_ns { {" "}{fill(t.jitter_is, &[&duration(jitter)])} }
            </p>
        </>
    }
}

/// The properties of the histogram.
#[derive(Properties, PartialEq)]
pub struct HistogramProps {
    /// The results.
    pub shown: Rc<ShownResults>,
}

/// The histogram of one of the latencies.
#[component]
pub fn Histogram(props: &HistogramProps) -> Html {
    let t = text();
    let total = use_state(|| false);
    let bars = if *total { &props.shown.total_latency } else { &props.shown.network_latency };
    let choice = |name: &'static str, is_total: bool| {
        let chosen = *total == is_total;
        let total = total.clone();
        let onclick = Callback::from(move |_: MouseEvent| total.set(is_total));
        chip(name, chosen, onclick)
    };
    html! {
        <>
            <div class="chips" role="group" aria-label={t.latency_histogram}>
                {choice(t.network_latency, false)}
                {choice(t.total_latency, true)}
            </div>
            if bars.is_empty() { {hint(t.nothing_delivered)} } else { {histogram(bars)} }
        </>
    }
}

fn histogram(bars: &[Bar]) -> Html {
    let t = text();
    let all: u64 = bars.iter().map(|bar| bar.count).sum();
    let shown = |bar: &Bar| BarShown {
        value: bar.count as f64,
        line: None,
        about: fill(
            t.histogram_bar,
            &[
                &duration(bar.from),
                &duration(bar.to),
                &number(bar.count),
                &percent(bar.count as f64 / all.max(1) as f64, 1),
            ],
        ),
    };
    let ends = |bar: Option<&Bar>, end: fn(&Bar) -> f64| bar.map(end).map(duration);
    let middle = bars.get(bars.len() / 2);
    let axis = [
        ends(bars.first(), |bar| bar.from),
        ends(middle, |bar| bar.from),
        ends(bars.last(), |bar| bar.to),
    ];
    html! {
        <Chart id="latency-histogram" label={t.latency_histogram} bars={bars.iter().map(shown).collect::<Vec<_>>()}
            top={None::<f64>} axis={axis.map(Option::unwrap_or_default).to_vec()} hint={t.histogram_hint} />
    }
}
