//! Curves of the run over its cycles, with those of the run before as dashed lines and what is
//! offered as a level. Drawn as the figures of studies are; the values at the pointer are told
//! below.

use super::curve::Dot;
use super::unit;
use crate::state::Theme;
use crate::text::{Language, duration, fill, message, number, short, text};
use hopscope_core::measure::Condition;
use hopscope_core::message::Message;
use hopscope_core::scenario::LoadUnit;
use hopscope_figures::{
    Axis, Figure, Mark, Plot, Provenance, Scale, Series, Shape, Style, Theme as FigureTheme, Zoom,
    messages,
};
use web_sys::Element;
use yew::prelude::*;

/// Size of the drawing, pixels.
const SIZE: (u32, u32) = (300, 140);
/// Index of the colour of the level.
const LEVEL_COLOUR: usize = 6;
/// Number of colours for curves.
const COLOURS: usize = 6;

/// The horizontal axis shows at least as many cycles.
const LEAST_CYCLES: u64 = 1000;

/// What a curve shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Accepted traffic, in a unit.
    Accepted(LoadUnit),
    /// Network latency, nanoseconds.
    Latency,
}

/// A curve.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Line {
    /// What tells it from the others; empty if it is the only one.
    pub name: String,
    /// The values of the run.
    pub own: Vec<Dot>,
    /// The values of the run before.
    pub previous: Vec<Dot>,
}

/// The properties of curves.
#[derive(Properties, PartialEq)]
pub struct RunCurveProps {
    /// What they show.
    pub quantity: Quantity,
    /// The curves.
    pub lines: Vec<Line>,
    /// What is offered, if that is known.
    #[prop_or_default]
    pub level: Option<f64>,
    /// The current cycle.
    pub now: u64,
    /// What screen readers say.
    pub label: String,
    /// The theme.
    pub theme: Theme,
}

impl Quantity {
    fn value(self, value: f64) -> String {
        match self {
            Quantity::Accepted(unit) => format!("{}\u{a0}{}", short(value), unit::name(unit)),
            Quantity::Latency => duration(value),
        }
    }
}

/// The curve.
#[component]
pub fn RunCurve(props: &RunCurveProps) -> Html {
    let at = use_state(|| None::<u64>);
    let element = use_node_ref();
    let RunCurveProps { quantity, lines, level, now, label, theme } = props;
    // What the drawing depends on; the pointer and the current cycle only move lines over it.
    let depends_on = (lines.clone(), *level, *theme, Language::spoken());
    let drawn = use_memo(depends_on, |(lines, level, theme, _)| {
        let zoom = reach(lines, *level);
        figure(lines, *level, zoom.x.1).draw(&style(*theme, zoom), &message)
    });
    let plot = drawn.plot;
    let last = last_cycle(lines);
    let onpointermove = {
        let (at, element, lines) = (at.clone(), element.clone(), lines.clone());
        Callback::from(move |event: PointerEvent| {
            let place = element.cast::<Element>().map(|e| e.get_bounding_client_rect());
            let share =
                place.map(|p| (f64::from(event.client_x()) - p.left()) / p.width().max(1.0));
            let cycle = share.map(|share| cycle_at(&plot, last, share * f64::from(SIZE.0)));
            let own = lines.iter().flat_map(|line| &line.own);
            let found = cycle.and_then(|cycle| nearest(own, cycle)).map(|dot| dot.0);
            if *at != found {
                at.set(found);
            }
        })
    };
    let onpointerleave = {
        let at = at.clone();
        Callback::from(move |_: PointerEvent| at.set(None))
    };
    // Samples are joined as a run goes on: there may be none any more where the pointer rests.
    let own = lines.iter().flat_map(|line| &line.own);
    let shown = at.and_then(|cycle| nearest(own, cycle as f64)).map(|dot| dot.0);
    let line = |class: &'static str, cycle: u64| {
        let x = pixel_of(&plot, last, cycle).to_string();
        let [top, bottom] = [plot.top_bottom.0, plot.top_bottom.1].map(|y| y.to_string());
        html! { <line {class} x1={x.clone()} x2={x} y1={top} y2={bottom} /> }
    };
    let told = shown.map(|cycle| {
        let values = lines.iter().filter_map(|line| line.told(*quantity, cycle));
        fill(text().curve_at, &[&number(cycle), &values.collect::<Vec<_>>().join("; ")])
    });
    html! {
        <div class="run-curve" ref={element} {onpointermove} {onpointerleave}>
            <div role="img" aria-label={label.clone()}>{Html::from_html_unchecked(drawn.svg.clone().into())}</div>
            <svg class="run-curve-over" viewBox={format!("0 0 {} {}", SIZE.0, SIZE.1)} aria-hidden="true">
                {line("curve-now", *now)}
                {for shown.map(|cycle| line("curve-at", cycle))}
            </svg>
            <p class="hint curve-told" role="status">{told.unwrap_or_else(|| text().curve_hint.to_owned())}</p>
        </div>
    }
}

impl Line {
    /// The value at a cycle, and that of the run before.
    fn told(&self, quantity: Quantity, cycle: u64) -> Option<String> {
        let own = self.own.iter().find(|dot| dot.0 == cycle)?;
        let name = if self.name.is_empty() { String::new() } else { format!("{} ", self.name) };
        let words = name + &quantity.value(own.1);
        let before = nearest(&self.previous, cycle as f64)
            .filter(|dot| dot.0.abs_diff(cycle) <= apart(&self.previous));
        Some(match before {
            Some(dot) => words + &fill(text().curve_before, &[&quantity.value(dot.1)]),
            None => words,
        })
    }
}

/// The colour of the curve at a place among several, as `#rrggbb`.
pub fn colour(theme: Theme, place: usize) -> String {
    figure_theme(theme).sign(place % COLOURS).colour
}

/// All dots of the run and of the run before.
fn dots(lines: &[Line]) -> impl Iterator<Item = &Dot> {
    lines.iter().flat_map(|line| line.own.iter().chain(&line.previous))
}

/// The cycle at the end of the horizontal axis.
fn last_cycle(lines: &[Line]) -> u64 {
    dots(lines).map(|dot| dot.0).max().unwrap_or(0).max(LEAST_CYCLES)
}

/// What the axes show, in their units: both from 0, up to the last dot and a little over the
/// highest value.
fn reach(lines: &[Line], level: Option<f64>) -> Zoom {
    let last = last_cycle(lines);
    let last = last as f64 / unit_of_time(last).0;
    let top = dots(lines).map(|dot| dot.1).chain(level).fold(0.0, f64::max);
    Zoom { x: (0.0, last), y: (0.0, if top > 0.0 { top * 1.08 } else { 1.0 }) }
}

/// Cycles for 1 on the horizontal axis, and the name of this unit.
fn unit_of_time(last: u64) -> (f64, &'static str) {
    match last {
        0..10_000 => (1.0, text().unit_cycles),
        10_000..10_000_000 => (1e3, text().thousand_cycles),
        10_000_000.. => (1e6, text().million_cycles),
    }
}

fn figure(lines: &[Line], level: Option<f64>, last: f64) -> Figure {
    let (per_unit, unit_name) = unit_of_time(last_cycle(lines));
    let marks =
        |dots: &[Dot]| dots.iter().map(|dot| mark(dot.0 as f64 / per_unit, dot.1)).collect();
    let series = |marks: Vec<Mark>, colour, dashed| Series {
        name: Message::default(),
        shape: Shape::Line,
        colour,
        dashed,
        marks,
    };
    let level =
        level.map(|level| series(vec![mark(0.0, level), mark(last, level)], LEVEL_COLOUR, false));
    let runs = lines.iter().enumerate().flat_map(|(place, line)| {
        let colour = place % COLOURS;
        [series(marks(&line.previous), colour, true), series(marks(&line.own), colour, false)]
    });
    let axis = |label| Axis { label, scale: Scale::Linear, categories: Vec::new() };
    Figure {
        title: String::new(),
        x: axis(messages::plain(unit_name)),
        y: axis(Message::default()),
        series: level.into_iter().chain(runs).collect(),
        notes: Vec::new(),
        provenance: Provenance {
            scenario: String::new(),
            version: String::new(),
            seeds: Vec::new(),
            experiment: String::new(),
            fingerprint: String::new(),
        },
    }
}

fn mark(x: f64, y: f64) -> Mark {
    let (x_range, y_range, condition) = (None, None, Condition::Steady);
    Mark { x, y, x_range, y_range, condition, points: Vec::new() }
}

fn style(theme: Theme, zoom: Zoom) -> Style {
    let (width, height) = SIZE;
    Style {
        theme: figure_theme(theme),
        width,
        height,
        legend: false,
        plain: true,
        zoom: Some(zoom),
    }
}

fn figure_theme(theme: Theme) -> FigureTheme {
    match theme {
        Theme::Dark => FigureTheme::Dark,
        // Text and lines of the projector's figures are too large for a small one.
        Theme::Light | Theme::Projector => FigureTheme::Light,
    }
}

/// The cycle at a pixel of a drawing that ends at the cycle `last`.
fn cycle_at(plot: &Plot, last: u64, x: f64) -> f64 {
    let (left, right) = plot.left_right;
    (x - f64::from(left)) / f64::from((right - left).max(1)) * last as f64
}

/// The pixel of a cycle, within the plot.
fn pixel_of(plot: &Plot, last: u64, cycle: u64) -> f64 {
    let (left, right) = plot.left_right;
    let share = cycle as f64 / last.max(1) as f64;
    f64::from(left) + share.clamp(0.0, 1.0) * f64::from(right - left)
}

/// The dot whose cycle is nearest.
fn nearest<'a>(dots: impl IntoIterator<Item = &'a Dot>, cycle: f64) -> Option<&'a Dot> {
    let away = |dot: &Dot| (dot.0 as f64 - cycle).abs();
    dots.into_iter().min_by(|a, b| away(a).total_cmp(&away(b)))
}

/// The distance of two dots, cycles.
fn apart(dots: &[Dot]) -> u64 {
    dots.windows(2).map(|pair| pair[1].0 - pair[0].0).min().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_figures::Drawn;

    #[test]
    fn dots_lie_at_their_cycles_and_the_pointer_finds_them() {
        let own = vec![(256, 0.5), (768, 0.25), (1280, 0.75)];
        let line = Line { own: own.clone(), previous: vec![(1792, 0.5)], ..Line::default() };
        let lines = [line, Line::default()];
        let zoom = reach(&lines, Some(1.0));
        let drawn: Drawn =
            figure(&lines, Some(1.0), zoom.x.1).draw(&style(Theme::Light, zoom), &message);
        let plot = drawn.plot;
        assert_eq!(plot.values.x, (0.0, 1792.0));
        assert!(plot.values.y.1 >= 1.0);
        // The first two positions are those of the level, the third that of the run before.
        let xs: Vec<i32> = drawn.positions.iter().filter(|p| p.series == 2).map(|p| p.x).collect();
        for (x, dot) in xs.into_iter().zip(&own) {
            assert!((pixel_of(&plot, 1792, dot.0) - f64::from(x)).abs() < 2.0);
            assert_eq!(nearest(&own, cycle_at(&plot, 1792, f64::from(x))), Some(dot));
        }
        assert_eq!(apart(&own), 512);
    }

    #[test]
    fn long_runs_have_short_numbers_on_the_axis() {
        let mut lines =
            [Line { own: vec![(5_000_000, 0.5), (25_000_000, 0.5)], ..Line::default() }];
        assert_eq!(reach(&lines, None).x, (0.0, 25.0));
        assert_eq!(figure(&lines, None, 25.0).series[1].marks[0].x, 5.0);
        lines[0].own.pop();
        assert_eq!(reach(&lines, None).x, (0.0, 5000.0));
    }

    #[test]
    fn nothing_measured_yet_has_axes_as_well() {
        let zoom = reach(&[], None);
        let draw = || figure(&[], None, zoom.x.1).draw(&style(Theme::Dark, zoom), &message).svg;
        let english = draw();
        Language::Spanish.speak();
        let spanish = draw();
        Language::English.speak();
        assert!(english.contains("\n0.5\n") && !english.contains("\n0,5\n"), "{english}");
        assert!(spanish.contains("\n0,5\n") && !spanish.contains("\n0.5\n"), "{spanish}");
        assert_eq!(nearest(&[] as &[Dot], 5.0), None);
    }
}
