//! A chart of bars whose values are shown for the bar under the pointer, or the one that the arrow
//! keys have reached.

use crate::panels::form;
use yew::prelude::*;

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 90.0;

/// A bar.
#[derive(Clone, PartialEq)]
pub struct BarShown {
    /// Its height.
    pub value: f64,
    /// The height of a line across it.
    pub line: Option<f64>,
    /// What it stands for, in words.
    pub about: String,
}

/// The properties of a chart.
#[derive(Properties, PartialEq)]
pub struct ChartProps {
    /// The element's id.
    pub id: &'static str,
    /// What screen readers say.
    pub label: &'static str,
    /// The bars.
    pub bars: Vec<BarShown>,
    /// The value at the top; the largest one if there is none.
    pub top: Option<f64>,
    /// Words below the chart, from left to right.
    pub axis: Vec<String>,
    /// What is said while no bar is chosen.
    pub hint: &'static str,
}

/// The chart.
#[component]
pub fn Chart(props: &ChartProps) -> Html {
    let chosen = use_state(|| None::<usize>);
    let bars = &props.bars;
    let largest = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let top = props.top.unwrap_or(largest).max(f64::MIN_POSITIVE);
    let width = WIDTH / bars.len().max(1) as f64;
    let y = |value: f64| HEIGHT * (1.0 - (value / top).clamp(0.0, 1.0));
    let choose = |bar: usize| {
        let chosen = chosen.clone();
        Callback::from(move |_: PointerEvent| {
            if *chosen != Some(bar) {
                chosen.set(Some(bar));
            }
        })
    };
    let leave = form::forget_on_leave(&chosen);
    let bar = |(i, bar): (usize, &BarShown)| {
        let x = i as f64 * width;
        // Narrow bars keep no gap. A bar that counts at all can be seen.
        let gap = if width > 4.0 { 1.0 } else { 0.0 };
        let height = if bar.value > 0.0 { (HEIGHT - y(bar.value)).max(1.5) } else { 0.0 };
        let class = (*chosen == Some(i)).then_some("chosen");
        html! {
            <g {class} onpointerover={choose(i)}>
                <rect class="chart-space" x={format!("{x:.2}")} width={format!("{width:.2}")} y="0" height={HEIGHT.to_string()} />
                <rect class="chart-bar" x={format!("{x:.2}")} width={format!("{:.2}", width - gap)}
                    y={format!("{:.2}", HEIGHT - height)} height={format!("{height:.2}")} />
                if let Some(line) = bar.line {
                    <rect class="chart-line" x={format!("{x:.2}")} width={format!("{width:.2}")} y={format!("{:.2}", y(line) - 1.25)} height="2.5" />
                }
            </g>
        }
    };
    let count = bars.len();
    let onkeydown = {
        let chosen = chosen.clone();
        Callback::from(move |event: KeyboardEvent| {
            let to = match (event.key().as_str(), *chosen) {
                _ if count == 0 => return,
                ("ArrowRight", None) | ("Home", _) => 0,
                ("ArrowRight", Some(at)) => (at + 1).min(count - 1),
                ("ArrowLeft", None) | ("End", _) => count - 1,
                ("ArrowLeft", Some(at)) => at.saturating_sub(1),
                _ => return,
            };
            event.prevent_default();
            chosen.set(Some(to));
        })
    };
    let about = chosen.and_then(|i| bars.get(i)).map(|bar| bar.about.clone());
    html! {
        <div class="chart" id={props.id}>
            <svg viewBox={format!("0 0 {WIDTH} {HEIGHT}")} preserveAspectRatio="none" role="img" tabindex="0"
                aria-label={props.label} {onkeydown} onpointerleave={leave}>
                {for bars.iter().enumerate().map(bar)}
            </svg>
            <p class="chart-axis" aria-hidden="true">{for props.axis.iter().map(|words| html! { <span>{words}</span> })}</p>
            <p class="hint chart-value" role="status">{about.unwrap_or_else(|| props.hint.to_owned())}</p>
        </div>
    }
}
