//! A curve of a run, with the run before as a dashed line and a level for comparison.

use crate::protocol::Sample;
use yew::prelude::*;

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 64.0;
/// Samples that the present value is the mean of.
const RECENT: usize = 16;

/// A cycle and the value there.
pub type Dot = (u64, f64);

/// The content of a curve.
pub struct Curve {
    /// The values of the run.
    pub own: Vec<Dot>,
    /// The values of the run before.
    pub previous: Vec<Dot>,
    /// A horizontal line.
    pub level: Option<f64>,
    /// The current cycle.
    pub now: u64,
    /// What screen readers say.
    pub label: String,
}

/// The curve.
pub fn curve(curve: &Curve) -> Html {
    let both = || curve.own.iter().chain(&curve.previous);
    let last = both().map(|(cycle, _)| *cycle).max().unwrap_or(1).max(1) as f64;
    let top = both().map(|(_, value)| *value).chain(curve.level).fold(0.0, f64::max) * 1.08;
    let top = if top > 0.0 { top } else { 1.0 };
    let x = |cycle: u64| cycle as f64 / last * WIDTH;
    let y = |value: f64| HEIGHT - value / top * (HEIGHT - 2.0) - 1.0;
    let points = |dots: &[Dot]| {
        let point = |(cycle, value): &Dot| format!("{:.1},{:.1}", x(*cycle), y(*value));
        dots.iter().map(point).collect::<Vec<_>>().join(" ")
    };
    let own = points(&curve.own);
    let area = match (curve.own.first(), curve.own.last()) {
        (Some(first), Some(last)) => {
            format!("{:.1},{HEIGHT} {own} {:.1},{HEIGHT}", x(first.0), x(last.0))
        }
        _ => String::new(),
    };
    let now = x(curve.now.min(last as u64)).to_string();
    html! {
        <svg class="curve" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} preserveAspectRatio="none" role="img"
            aria-label={curve.label.clone()}>
            <polygon class="curve-area" points={area} />
            if let Some(level) = curve.level {
                <line class="curve-level" x1="0" x2={WIDTH.to_string()} y1={y(level).to_string()} y2={y(level).to_string()} />
            }
            <polyline class="curve-previous" points={points(&curve.previous)} />
            <polyline class="curve-line" points={own} />
            <line class="curve-now" x1={now.clone()} x2={now} y1="0" y2={HEIGHT.to_string()} />
        </svg>
    }
}

/// The values of samples, where there are any, at the middles of the cycles of which they are
/// means.
pub fn dots(samples: &[Sample], value: impl Fn(&Sample) -> Option<f64>) -> Vec<Dot> {
    let half = samples.first().map_or(0, |first| first.cycle / 2);
    samples.iter().filter_map(|sample| Some((sample.cycle - half, value(sample)?))).collect()
}

/// The mean of a value over the last samples before the cycle `now`. A run that has gone back has
/// samples of later cycles too.
pub fn recent(samples: &[Sample], now: u64, value: fn(&Sample) -> Option<f64>) -> Option<f64> {
    let past = samples.iter().rev().skip_while(|sample| sample.cycle > now);
    let last: Vec<f64> = past.take(RECENT).filter_map(value).collect();
    (!last.is_empty()).then(|| last.iter().sum::<f64>() / last.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_has_gone_back_shows_the_values_it_had_there() {
        let sample = |i: u64| Sample { cycle: 100 * i, accepted: i as f64, latency_ns: None };
        let samples: Vec<Sample> = (1..=40).map(sample).collect();
        let accepted = |now| recent(&samples, now, |sample| Some(sample.accepted));
        assert_eq!(
            [0, 99, 100, 299, 4000].map(accepted),
            [None, None, Some(1.0), Some(1.5), Some(32.5)]
        );
    }
}
