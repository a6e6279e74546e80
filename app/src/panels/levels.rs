//! Service levels: their shares of the delivered traffic, their latency, and curves of both.

use super::curve::recent;
use super::lanes::level_name;
use super::parts::column;
use super::view::View;
use crate::protocol::Sample;
use crate::text::{duration, text};
use yew::prelude::*;

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 64.0;

/// The card; empty where there is only one level.
pub fn view(view: View) -> Html {
    let t = text();
    let levels = &view.state.run.stats.levels;
    let specified = view.state.scenario().fabric.technique().levels();
    if levels.len() < 2 || levels.len() != specified.len() {
        return Html::default();
    }
    let accepted: Vec<f64> =
        levels.iter().map(|samples| recent(samples, |s| Some(s.accepted)).unwrap_or(0.0)).collect();
    let sum: f64 = accepted.iter().sum();
    let row = |level: usize| {
        let share = if sum > 0.0 { 100.0 * accepted[level] / sum } else { 0.0 };
        let latency = recent(&levels[level], |s| s.latency_ns).map_or("–".into(), duration);
        html! {
            <tr data-level={level.to_string()}>
                <th scope="row"><span class={format!("lane-key lane-{}", level % 8)}></span>{level_name(level, &specified[level].name)}</th>
                <td data-share={format!("{share:.1}")}>{format!("{share:.1}\u{a0}%")}</td>
                <td>{latency}</td>
            </tr>
        }
    };
    html! {
        <section class="card" aria-label={t.service_levels} id="levels">
            <table class="levels">
                <thead><tr>{column(t.service_level)}{column(t.share_delivered)}{column(t.latency)}</tr></thead>
                <tbody>{for (0..levels.len()).map(row)}</tbody>
            </table>
            <p class="figure-name">{t.accepted}</p>
            {curves(levels, |sample| Some(sample.accepted), t.accepted)}
            <p class="figure-name">{t.latency}</p>
            {curves(levels, |sample| sample.latency_ns, t.latency)}
        </section>
    }
}

/// The curves of a value, one per level in its colour.
fn curves(levels: &[Vec<Sample>], value: fn(&Sample) -> Option<f64>, label: &'static str) -> Html {
    let all = || levels.iter().flatten();
    let last = all().map(|s| s.cycle).max().unwrap_or(1).max(1) as f64;
    let top = all().filter_map(value).fold(0.0, f64::max) * 1.08;
    let top = if top > 0.0 { top } else { 1.0 };
    let line = |(level, samples): (usize, &Vec<Sample>)| {
        let point = |s: &Sample| {
            let height = HEIGHT - value(s)? / top * (HEIGHT - 2.0) - 1.0;
            Some(format!("{:.1},{height:.1}", s.cycle as f64 / last * WIDTH))
        };
        let points: Vec<String> = samples.iter().filter_map(point).collect();
        html! { <polyline class={format!("level-line lane-{}", level % 8)} points={points.join(" ")} /> }
    };
    html! {
        <svg class="curve" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} preserveAspectRatio="none" role="img" aria-label={label}>
            {for levels.iter().enumerate().map(line)}
        </svg>
    }
}
