//! What ranks did over time: a row for each rank, with the times in which it computed, sent and
//! waited. The activities differ in height as well as in colour. A rank that did too much to show
//! each part has the shares of the activities, one upon the other, in slices of its time. The
//! numbers come from the worker.

use crate::action::Action;
use crate::panels::form;
use crate::panels::parts::{button, column, heading, hint};
use crate::panels::view::View;
use crate::protocol::{PartWhat, ShownPart, ShownRank, ShownTimeline};
use crate::state::Dialog;
use crate::text::{Text, duration, exact, fill, number, percent, text};
use hopscope_core::application::Activity;
use std::fmt::{Display, Write};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// Height of a row in the chart's own units, which are stretched to the size of the element.
const ROW: f64 = 10.0;
/// Top and height of the highest bar in its row.
const FULL: [f64; 2] = [1.0, 8.0];
/// Width of the chart in its own units.
const WIDTH: f64 = 1000.0;
/// With more rows than this, those of the large chart are low.
const FEW: usize = 24;
/// Height of the axis, CSS pixels.
const AXIS: i32 = 20;

/// The card of the panel.
pub fn card(view: View) -> Html {
    let t = text();
    let enlarge = view.on(|| Action::Dialog(Dialog::Timeline));
    html! {
        <section class="card" id="timeline">
            {heading(t.timeline)}
            // The worker sends one of the two charts.
            if view.state.dialogs.open != Dialog::Timeline { {chart(view, false)} }
            {button(t.timeline_enlarge, enlarge)}
        </section>
    }
}

/// The dialog, with all ranks unless there are very many.
pub fn large(view: View) -> Html {
    html! { <div id="large-timeline">{chart(view, true)}</div> }
}

fn chart(view: View, large: bool) -> Html {
    let t = text();
    let shown = view.state.application.timeline.as_ref();
    match shown.filter(|shown| view.state.run.facts.is_some() && shown.until_ns > 0.0) {
        None => hint(t.timeline_later),
        Some(timeline) => html! { <Chart timeline={Rc::clone(timeline)} {large} /> },
    }
}

/// The properties of a chart.
#[derive(Properties)]
pub struct ChartProps {
    /// What is shown.
    pub timeline: Rc<ShownTimeline>,
    /// Whether it fills a dialog.
    pub large: bool,
}

impl PartialEq for ChartProps {
    fn eq(&self, other: &ChartProps) -> bool {
        Rc::ptr_eq(&self.timeline, &other.timeline) && self.large == other.large
    }
}

/// The chart. The pointer, or the arrow keys, choose a rank and a time; what the rank did then is
/// said below.
#[component]
pub fn Chart(props: &ChartProps) -> Html {
    let t = text();
    let chosen = use_state(|| None::<(usize, f64)>);
    let timeline = &props.timeline;
    let (rows, until) = (timeline.rows.len(), timeline.until_ns);
    let pixels = match props.large {
        true if rows <= FEW => 24,
        true => 12,
        false => 14,
    };
    let height = rows as i32 * pixels;
    let drawn = use_node_ref();
    let at_pointer = {
        let (chosen, drawn) = (chosen.clone(), drawn.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(drawn) = drawn.cast::<Element>() else { return };
            let area = drawn.get_bounding_client_rect();
            let share = |at: i32, start: f64, size: f64| (f64::from(at) - start) / size.max(1.0);
            let row = share(event.client_y(), area.top(), area.height()) * rows as f64;
            let time = share(event.client_x(), area.left(), area.width()).clamp(0.0, 1.0) * until;
            chosen.set(Some(((row.max(0.0) as usize).min(rows.saturating_sub(1)), time)));
        })
    };
    let onkeydown = {
        let (chosen, timeline) = (chosen.clone(), Rc::clone(timeline));
        Callback::from(move |event: KeyboardEvent| {
            let Some(to) = after_key(&timeline, *chosen, &event.key()) else { return };
            event.prevent_default();
            chosen.set(Some(to));
            if let Some(scroll) = event.target_dyn_into::<Element>().and_then(scroll_of) {
                show_row(&scroll, to.0 as i32 * pixels, pixels);
            }
        })
    };
    let leave = form::forget_on_leave(&chosen);
    let chosen = chosen.filter(|(row, time)| *row < rows && *time <= until);
    let about = chosen.map(|(row, time)| describe(&timeline.rows[row], time, until));
    let (ticks, unit) = ticks(until, if props.large { 10 } else { 4 });
    let place = |ns: f64| format!("{:.3}%", ns / until * 100.0);
    let size = if props.large { "large" } else { "" };
    let (width, height) = (WIDTH.to_string(), height.to_string());
    let view_box = format!("0 0 {WIDTH} {}", ROW * rows as f64);
    let chosen_row = chosen.map(|(row, _)| {
        let y = (ROW * row as f64).to_string();
        html! { <rect class="timeline-row" x="0" {y} {width} height={ROW.to_string()} /> }
    });
    html! {
        <div class={classes!("timeline", size)} data-finished={timeline.finished.to_string()}>
            <ul class="plain timeline-legend">{for Activity::ALL.into_iter().map(|activity| legend(activity, t))}</ul>
            <div class="timeline-scroll">
                <div class="timeline-axis" aria-hidden="true">
                    <span>{t.column_rank}</span>
                    <svg height={AXIS.to_string()}>
                        {for ticks.iter().map(|&ns| html! {
                            <text x={place(ns)} y="14" text-anchor={anchor(ns / until)}>{label(ns, unit)}</text>
                        })}
                    </svg>
                </div>
                <div class="timeline-body">
                    <svg class="timeline-names" height={height.clone()} aria-hidden="true">
                        {for timeline.rows.iter().enumerate().map(|(i, row)| {
                            let class = chosen.is_some_and(|(at, _)| at == i).then_some("chosen");
                            let y = f64::from(pixels) * (i as f64 + 0.5) + 3.5;
                            html! { <text {class} x="34" y={y.to_string()} text-anchor="end">{row.rank}</text> }
                        })}
                    </svg>
                    <svg ref={drawn} class="timeline-chart" {height} role="img" tabindex="0"
                        aria-label={t.timeline_label} onpointermove={at_pointer.clone()}
                        onpointerdown={at_pointer} onpointerleave={leave} {onkeydown}>
                        {for ticks.iter().map(|&ns| html! { <line x1={place(ns)} x2={place(ns)} y1="0" y2="100%" /> })}
                        <svg viewBox={view_box} preserveAspectRatio="none" width="100%" height="100%">
                            {for chosen_row}
                            <Bars timeline={Rc::clone(timeline)} />
                            {for chosen.and_then(|(row, time)| frame(&timeline.rows[row], row, time, until))}
                        </svg>
                    </svg>
                </div>
            </div>
            <p class="hint timeline-value" role="status">{about.unwrap_or_else(|| t.timeline_hint.to_owned())}</p>
            if rows < timeline.ranks as usize {
                {hint(fill(t.timeline_some, &[&number(rows as u64), &number(timeline.ranks.into())]))}
            }
            if timeline.rows.iter().any(|row| row.is_coarse) { {hint(t.timeline_coarse)} }
            {table(timeline, t)}
        </div>
    }
}

/// The properties of bars.
#[derive(Properties)]
pub struct BarsProps {
    /// What is shown.
    pub timeline: Rc<ShownTimeline>,
}

impl PartialEq for BarsProps {
    fn eq(&self, other: &BarsProps) -> bool {
        Rc::ptr_eq(&self.timeline, &other.timeline)
    }
}

/// The bars of all rows. They are rendered once, not whenever the pointer moves over them.
#[component]
pub fn Bars(props: &BarsProps) -> Html {
    let bars = Activity::ALL.into_iter().zip(paths(&props.timeline));
    html! { <>{for bars.map(|(activity, path)| html! { <path class={class(activity)} d={path} /> })}</> }
}

/// What the rank did at a time, framed.
fn frame(rank: &ShownRank, row: usize, time: f64, until: f64) -> Option<Html> {
    let part = part_at(rank, time, until)?;
    let x = |ns: f64| ns / until * WIDTH;
    Some(html! {
        <rect class="timeline-chosen" x={x(part.from_ns).to_string()} y={(ROW * row as f64 + 0.5).to_string()}
            width={x(part.until_ns - part.from_ns).to_string()} height={(ROW - 1.0).to_string()} />
    })
}

/// The same as numbers: how each rank spent its time.
fn table(timeline: &ShownTimeline, t: &Text) -> Html {
    let share = |ns: f64| percent(ns / timeline.until_ns, 1);
    html! {
        <details class="editing">
            <summary>{t.timeline_table}</summary>
            <div class="table-scroll" tabindex="0" role="region" aria-label={t.timeline}><table class="inside-table">
                <thead><tr>
                    {column(t.column_rank)}{column(t.column_host)}
                    {for Activity::ALL.map(|activity| column(name(activity, t)))}
                </tr></thead>
                <tbody>{for timeline.rows.iter().map(|row| html! {
                    <tr>
                        <th scope="row">{row.rank}</th>
                        <td>{row.host}</td>
                        {for row.times_ns.iter().map(|&ns| html! { <td>{share(ns)}</td> })}
                    </tr>
                })}</tbody>
            </table></div>
        </details>
    }
}

fn legend(activity: Activity, t: &Text) -> Html {
    let [top, height] = bar(activity);
    html! {
        <li>
            <svg viewBox={format!("0 0 16 {ROW}")} aria-hidden="true">
                <rect class={class(activity)} width="16" y={top.to_string()} height={height.to_string()} />
            </svg>
            {name(activity, t)}
        </li>
    }
}

fn name(activity: Activity, t: &Text) -> &'static str {
    match activity {
        Activity::Computing => t.activity_computing,
        Activity::Sending => t.activity_sending,
        Activity::Waiting => t.activity_waiting,
    }
}

fn class(activity: Activity) -> &'static str {
    match activity {
        Activity::Computing => "timeline-computing",
        Activity::Sending => "timeline-sending",
        Activity::Waiting => "timeline-waiting",
    }
}

/// Top and height of the bars of an activity in their row.
fn bar(activity: Activity) -> [f64; 2] {
    match activity {
        Activity::Computing => FULL,
        Activity::Sending => [2.5, 5.0],
        Activity::Waiting => [4.25, 1.5],
    }
}

/// The bars of each activity as a path.
fn paths(timeline: &ShownTimeline) -> [String; 3] {
    let mut paths: [String; 3] = Default::default();
    for (i, row) in timeline.rows.iter().enumerate() {
        for ShownPart { from_ns, until_ns, what } in row.parts(timeline.until_ns) {
            let [from, until] = [from_ns, until_ns].map(|ns| ns / timeline.until_ns * WIDTH);
            let mut draw = |activity: Activity, [top, height]: [f64; 2]| {
                let y = ROW * i as f64 + top;
                let path = &mut paths[activity as usize];
                write!(path, "M{from:.2} {y:.2}H{until:.2}v{height:.2}H{from:.2}z")
                    .expect("memory can be written");
            };
            match what {
                PartWhat::One(activity) => draw(activity, bar(activity)),
                PartWhat::Shares(shares) => {
                    let mut bottom = FULL[0] + FULL[1];
                    for (activity, share) in Activity::ALL.into_iter().zip(shares) {
                        let height = share * FULL[1];
                        bottom -= height;
                        if height > 0.0 {
                            draw(activity, [bottom, height]);
                        }
                    }
                }
            }
        }
    }
    paths
}

/// What a rank did at a time, in words.
fn describe(rank: &ShownRank, time: f64, until: f64) -> String {
    let t = text();
    let Some(part) = part_at(rank, time, until) else {
        return fill(t.rank_did_nothing, &[&rank.rank, &rank.host, &duration(time)]);
    };
    let lower = |activity: Activity| name(activity, t).to_lowercase();
    let what = match part.what {
        PartWhat::One(activity) => lower(activity),
        PartWhat::Shares(shares) => {
            let all = Activity::ALL.into_iter().zip(shares).filter(|(_, share)| *share > 0.0);
            let words =
                all.map(|(activity, share)| format!("{} {}", lower(activity), percent(share, 0)));
            words.collect::<Vec<_>>().join(", ")
        }
    };
    let [from, until, length] =
        [part.from_ns, part.until_ns, part.until_ns - part.from_ns].map(duration);
    let values: [&dyn Display; 6] = [&rank.rank, &rank.host, &what, &from, &until, &length];
    fill(t.rank_did, &values)
}

/// What a rank did at a time.
fn part_at(rank: &ShownRank, time: f64, until: f64) -> Option<ShownPart> {
    rank.parts(until).find(|part| part.from_ns <= time && time < part.until_ns)
}

/// The rank and the time to which a key leads: the rank above or below, or what the rank did before
/// or after.
fn after_key(
    timeline: &ShownTimeline,
    chosen: Option<(usize, f64)>,
    key: &str,
) -> Option<(usize, f64)> {
    let last = timeline.rows.len().checked_sub(1)?;
    let (row, time) = chosen.unwrap_or((0, 0.0));
    let row = row.min(last);
    let middle = |part: ShownPart| (part.from_ns + part.until_ns) / 2.0;
    let parts = || timeline.rows[row].parts(timeline.until_ns);
    match (key, chosen) {
        ("ArrowRight" | "ArrowDown" | "ArrowLeft" | "ArrowUp", None) | ("Home", _) => {
            Some((row, parts().next().map_or(0.0, middle)))
        }
        ("End", _) => Some((row, parts().last().map_or(timeline.until_ns, middle))),
        ("ArrowUp", _) => Some((row.saturating_sub(1), time)),
        ("ArrowDown", _) => Some(((row + 1).min(last), time)),
        ("ArrowRight", _) => {
            Some((row, parts().find(|part| part.from_ns > time).map_or(time, middle)))
        }
        ("ArrowLeft", _) => {
            let before = parts().take_while(|part| part.until_ns <= time).last();
            Some((row, before.map_or(time, middle)))
        }
        _ => None,
    }
}

/// The element in which the large chart scrolls.
fn scroll_of(inside: Element) -> Option<Element> {
    inside.closest(".timeline.large .timeline-scroll").ok()?
}

/// Scrolls so that a row can be seen below the axis.
fn show_row(scroll: &Element, top: i32, pixels: i32) {
    let space = scroll.client_height() - AXIS - pixels;
    scroll.set_scroll_top(scroll.scroll_top().clamp((top - space).max(0), top));
}

/// The marks of an axis from 0, about `most` of them, and the unit of their labels, ns.
fn ticks(until: f64, most: usize) -> (Vec<f64>, f64) {
    let unit = [1e9, 1e6, 1e3].into_iter().find(|unit| until >= *unit).unwrap_or(1.0);
    let rough = until / most as f64;
    let ten = 10_f64.powi(rough.log10().floor() as i32);
    let step = [1.0, 2.0, 5.0, 10.0].map(|step| step * ten);
    let step = step.into_iter().find(|step| *step >= rough).unwrap_or(rough);
    let count = (until / step).floor() as usize;
    ((0..=count).map(|i| i as f64 * step).collect(), unit)
}

fn label(ns: f64, unit: f64) -> String {
    let name = match unit {
        1e9 => "s",
        1e6 => "ms",
        1e3 => "µs",
        _ => "ns",
    };
    format!("{} {name}", exact(ns / unit))
}

/// Where a label lies beside its mark, so that those at the ends are not cut.
fn anchor(share: f64) -> &'static str {
    match share {
        ..0.04 => "start",
        0.93.. => "end",
        _ => "middle",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Activity::{Computing, Sending, Waiting};

    fn timeline() -> ShownTimeline {
        let busy = [(Computing, 0.0, 10.0), (Sending, 10.0, 30.0), (Waiting, 40.0, 100.0)];
        let rows = vec![
            ShownRank::with_spans(0, &busy),
            ShownRank::with_spans(7, &[(Waiting, 0.0, 50.0)]),
        ];
        ShownTimeline { finished: true, until_ns: 100.0, ranks: 8, rows }
    }

    #[test]
    fn each_activity_is_a_path_with_its_own_height() {
        let paths = paths(&timeline());
        assert_eq!(paths[0], "M0.00 1.00H100.00v8.00H0.00z");
        assert_eq!(paths[1], "M100.00 2.50H300.00v5.00H100.00z");
        assert_eq!(paths[2], "M400.00 4.25H1000.00v1.50H400.00zM0.00 14.25H500.00v1.50H0.00z");
    }

    #[test]
    fn the_shares_of_slices_lie_upon_each_other() {
        let rows = vec![ShownRank::with_slices(3, &[[0.5, 0.25, 0.25], [0.0, 0.0, 0.5]])];
        let timeline = ShownTimeline { finished: true, until_ns: 20.0, ranks: 8, rows };
        let paths = paths(&timeline);
        assert_eq!(paths[0], "M0.00 5.00H500.00v4.00H0.00z");
        assert_eq!(paths[1], "M0.00 3.00H500.00v2.00H0.00z");
        assert_eq!(paths[2], "M0.00 1.00H500.00v2.00H0.00zM500.00 5.00H1000.00v4.00H500.00z");
        let second = part_at(&timeline.rows[0], 12.0, 20.0).expect("there is a slice");
        assert_eq!((second.from_ns, second.until_ns), (10.0, 20.0));
        assert_eq!(second.what, PartWhat::Shares([0.0, 0.0, 0.5]));
        assert_eq!(after_key(&timeline, Some((0, 5.0)), "ArrowRight"), Some((0, 15.0)));
    }

    #[test]
    fn arrow_keys_go_from_part_to_part_and_from_rank_to_rank() {
        let timeline = timeline();
        let mut at = None;
        let mut press = |key| {
            at = after_key(&timeline, at, key).or(at);
            at.expect("something is chosen")
        };
        assert_eq!(press("ArrowRight"), (0, 5.0));
        assert_eq!(press("ArrowRight"), (0, 20.0));
        assert_eq!(press("ArrowRight"), (0, 70.0));
        assert_eq!(press("ArrowRight"), (0, 70.0), "there is no later one");
        assert_eq!(press("ArrowDown"), (1, 70.0));
        assert_eq!(press("ArrowDown"), (1, 70.0));
        assert_eq!(part_at(&timeline.rows[1], 70.0, 100.0), None, "it has ended");
        assert_eq!(press("ArrowLeft"), (1, 25.0));
        assert_eq!(press("ArrowUp"), (0, 25.0));
        let part = part_at(&timeline.rows[0], 25.0, 100.0);
        assert_eq!(part.map(|part| part.what), Some(PartWhat::One(Sending)));
        assert_eq!((press("End"), press("Home")), ((0, 70.0), (0, 5.0)));
        assert_eq!(after_key(&timeline, None, "x"), None);
        assert_eq!(after_key(&ShownTimeline::default(), None, "Home"), None);
    }

    #[test]
    fn the_axis_has_round_numbers() {
        assert_eq!(ticks(100.0, 4), (vec![0.0, 50.0, 100.0], 1.0));
        assert_eq!(ticks(8_980_000.0, 10).1, 1e6);
        assert_eq!(ticks(8_980_000.0, 10).0.len(), 9);
        assert_eq!(ticks(1.0, 4).0, [0.0, 0.5, 1.0]);
    }
}
