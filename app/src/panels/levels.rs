//! Service levels: their shares of the delivered traffic, their latency, and curves of both.

use super::curve::{dots, recent};
use super::parts::column;
use super::run_curve::{self, Line, Quantity, RunCurve};
use super::unit::Traffic;
use super::view::View;
use crate::protocol::Sample;
use crate::text::{duration, level_name, percent, text};
use yew::prelude::*;

/// The card; empty where there is only one level.
pub fn view(view: View) -> Html {
    let t = text();
    let levels = &view.state.run.stats.levels;
    let specified = view.state.scenario().fabric.technique().levels();
    if levels.len() < 2 || levels.len() != specified.len() {
        return Html::default();
    }
    let now = view.state.run.stats.cycle;
    let accepted = |samples: &Vec<Sample>| recent(samples, now, |s| Some(s.accepted));
    let accepted: Vec<f64> =
        levels.iter().map(|samples| accepted(samples).unwrap_or(0.0)).collect();
    let sum: f64 = accepted.iter().sum();
    let theme = view.state.display.theme;
    let name = |level: usize| level_name(level, &specified[level].name);
    let before = view.state.run.previous.as_ref().map(|previous| &previous.levels);
    let before = before.filter(|before| before.len() == levels.len());
    let lines = |value: &dyn Fn(&Sample) -> Option<f64>| -> Vec<Line> {
        let line = |level: usize| Line {
            name: name(level),
            own: dots(&levels[level], value),
            previous: before.map(|before| dots(&before[level], value)).unwrap_or_default(),
        };
        (0..levels.len()).map(line).collect()
    };
    let unit = Traffic::of(view.state);
    let row = |level: usize| {
        let share = if sum > 0.0 { 100.0 * accepted[level] / sum } else { 0.0 };
        let latency = recent(&levels[level], now, |s| s.latency_ns).map_or("–".into(), duration);
        html! {
            <tr data-level={level.to_string()}>
                <th scope="row">
                    <svg class="level-key" viewBox="0 0 12 12" aria-hidden="true">
                        <path d="M0 0h12v12h-12z" fill={run_curve::colour(theme, level)} />
                    </svg>
                    {name(level)}
                </th>
                <td data-share={format!("{share:.1}")}>{percent(share / 100.0, 1)}</td>
                <td>{latency}</td>
            </tr>
        }
    };
    let rates = lines(&|sample| Some(unit.value(sample.accepted)));
    let latencies = lines(&|sample| sample.latency_ns);
    html! {
        <section class="card" aria-label={t.service_levels} id="levels">
            <table class="levels">
                <thead><tr>{column(t.service_level)}{column(t.share_delivered)}{column(t.latency)}</tr></thead>
                <tbody>{for (0..levels.len()).map(row)}</tbody>
            </table>
            <p class="figure-name">{t.accepted}<small>{unit.name()}</small></p>
            <RunCurve quantity={Quantity::Accepted(unit.unit)} lines={rates} {now} {theme} label={t.accepted} />
            <p class="figure-name">{t.latency}<small>{t.unit_ns}</small></p>
            <RunCurve quantity={Quantity::Latency} lines={latencies} {now} {theme} label={t.latency} />
        </section>
    }
}
