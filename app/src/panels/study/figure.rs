//! The figure: the drawing of a worker, with what is under the pointer, series to hide, and files
//! to save.

use super::{on, zoom};
use crate::action::Action;
use crate::panels::parts::{button, chip, hint};
use crate::panels::troubles;
use crate::panels::view::View;
use crate::panels::words::{ConditionWords, condition_words};
use crate::protocol::study::{DrawnStudy, MarkShown, SeriesShown, StudyFile};
use crate::state::StudyAction;
use crate::state::study::{LookEdit, Pinned};
use crate::text::{exact, fill, short, text};
use hopscope_core::experiment::LatencyFrom;
use hopscope_figures::Zoom;
use std::rc::Rc;
use web_sys::HtmlElement;
use yew::prelude::*;

/// A mark is pointed at within this distance, pixels of the drawing.
const NEAR: f64 = 28.0;
/// The files of a published study.
const PAPER_FILES: [StudyFile; 3] = [StudyFile::Svg, StudyFile::Png, StudyFile::Csv];
/// Points of a pinned mark that are listed.
const MAX_LISTED: usize = 8;

/// The card; nothing before there is a figure.
pub fn view(view: View) -> Html {
    let t = text();
    let study = &view.state.study;
    let problems = study.not_drawn.as_ref().filter(|problems| !problems.is_empty());
    let Some(drawn) = study.drawn.as_ref().filter(|drawn| !drawn.svg.is_empty()) else {
        let problems = problems.map(troubles::card);
        return html! { <>{problems.unwrap_or_default()}</> };
    };
    let is_paper = study.current.paper.is_some();
    let files = if is_paper { &PAPER_FILES[..] } else { &StudyFile::ALL };
    let pinned: Vec<usize> =
        (0..drawn.marks.len()).filter(|&mark| study.is_pinned(&drawn.marks[mark])).collect();
    // What saves stands first: legend and drawing grow while points come in.
    html! {
        <section class="card" id="figure">
            <div class="chips" role="group" aria-label={t.save_study} id="save-study">
                <span class="hint">{t.save_study}</span>
                {for files.iter().map(|&file| html! {
                    <button class="chip" onclick={on(view, StudyAction::Save(file))}>{file_name(file)}</button>
                })}
            </div>
            {quantities(view, drawn)}
            {legend(view, drawn)}
            <Figure drawn={Rc::clone(drawn)} {pinned} actions={view.actions.clone()} />
            {for drawn.notes.iter().map(|note| hint(note.clone()))}
            if drawn.plot.is_some() { <p class="hint for-mouse">{t.zoom_by_dragging}</p> }
            if let Some(problems) = problems { {troubles::card(problems)} }
            if !is_paper { {self::pinned(view)} }
            {looks(view, drawn)}
        </section>
    }
}

fn file_name(file: StudyFile) -> &'static str {
    let t = text();
    match file {
        StudyFile::Svg => "SVG",
        StudyFile::Png => "PNG",
        StudyFile::Csv => "CSV",
        StudyFile::Json => "JSON",
        StudyFile::Experiment => t.file_experiment,
        StudyFile::Citation => t.file_citation,
    }
}

/// The quantities of a published study, of which one is drawn.
fn quantities(view: View, drawn: &DrawnStudy) -> Html {
    if drawn.quantities.len() < 2 {
        return Html::default();
    }
    let chosen = view.state.study.look.quantity.min(drawn.quantities.len() - 1);
    let one = |(index, name): (usize, &String)| {
        chip(name.clone(), index == chosen, on(view, StudyAction::Look(LookEdit::Quantity(index))))
    };
    html! { <div class="chips" role="group" aria-label={text().what_is_measured} id="quantities">{for drawn.quantities.iter().enumerate().map(one)}</div> }
}

/// The series: a click hides one, or shows it again.
fn legend(view: View, drawn: &DrawnStudy) -> Html {
    let hidden = &view.state.study.look.hidden;
    let one = |series: &SeriesShown| {
        let is_shown = !hidden.contains(&series.key);
        html! {
            <button class="chip series" aria-pressed={is_shown.to_string()}
                onclick={on(view, StudyAction::Look(LookEdit::Series(series.key.clone())))}>
                <svg viewBox="-14 -8 28 16" aria-hidden="true">
                    <path d="M-14 0H14" stroke={series.sign.colour.clone()} stroke-width="2"
                        stroke-dasharray={series.dashed.then_some("5 3")} />
                    <path d={series.sign.path.clone()} fill={series.sign.colour.clone()} />
                </svg>
                {&series.name}
            </button>
        }
    };
    let named = drawn.series.iter().filter(|series| !series.name.is_empty());
    html! { <div class="chips" role="group" aria-label={text().legend} id="series">{for named.map(one)}</div> }
}

/// Scales of the axes, and which latency is shown.
fn looks(view: View, drawn: &DrawnStudy) -> Html {
    let t = text();
    let look = &view.state.study.look;
    let toggle = |is_on: bool, name: &'static str, edit: LookEdit| {
        chip(name, is_on, on(view, StudyAction::Look(edit)))
    };
    let zoom_button = |name: &'static str, zoom: Option<Zoom>| {
        html! { <button class="chip" onclick={on(view, StudyAction::Look(LookEdit::Zoom(zoom)))}>{name}</button> }
    };
    let [across, up] = look.logarithmic;
    let is_total = look.latency == LatencyFrom::Total;
    let other = if is_total { LatencyFrom::Network } else { LatencyFrom::Total };
    html! {
        <div class="chips" role="group" aria-label={t.look}>
            if drawn.can_be_logarithmic[0] { {toggle(drawn.logarithmic[0], t.logarithmic_x, LookEdit::Logarithmic(0, !across))} }
            if drawn.can_be_logarithmic[1] { {toggle(drawn.logarithmic[1], t.logarithmic_y, LookEdit::Logarithmic(1, !up))} }
            if drawn.plot.is_some() {
                {zoom_button(t.zoom_in, zoom::closer(drawn))}
                if look.zoom.is_some() { {zoom_button(t.whole_figure, None)} }
            }
            if drawn.shows_latency { {toggle(is_total, t.total_latency, LookEdit::Latency(other))} }
        </div>
    }
}

/// The points of the mark that was clicked, each with its way to the stage.
fn pinned(view: View) -> Html {
    let t = text();
    let study = &view.state.study;
    let (Some(pinned), Some(experiment)) = (&study.pinned, &study.current.experiment) else {
        return hint(t.click_a_mark);
    };
    let one = |&point: &usize| {
        let set = experiment.settings(point);
        let plain = |value: &serde_json::Value| {
            value.as_str().map_or_else(|| value.to_string(), String::from)
        };
        let words: Vec<String> =
            set.iter().map(|(path, value)| format!("{path} = {}", plain(value))).collect();
        html! {
            <li class="row wrap">
                <span>{fill(t.point_numbered, &[&point])}{": "}{words.join(", ")}</span>
                {button(t.open_on_stage, on(view, StudyAction::OpenPoint(point)))}
            </li>
        }
    };
    html! { <ul class="plain" id="pinned">{for pinned.points.iter().take(MAX_LISTED).map(one)}</ul> }
}

/// The properties of a figure.
#[derive(Properties)]
pub struct FigureProps {
    /// The figure.
    pub drawn: Rc<DrawnStudy>,
    /// Marks that are pinned.
    pub pinned: Vec<usize>,
    /// Receives what the user does.
    pub actions: Callback<Action>,
}

impl PartialEq for FigureProps {
    fn eq(&self, other: &FigureProps) -> bool {
        Rc::ptr_eq(&self.drawn, &other.drawn) && self.pinned == other.pinned
    }
}

/// The drawing, with the values of the mark under the pointer or reached by the arrow keys.
#[component]
pub fn Figure(props: &FigureProps) -> Html {
    let at = use_state(|| None::<usize>);
    // The part of the figure that is being dragged over, from and to.
    let drag = use_state(|| None::<(zoom::Place, zoom::Place)>);
    let was_dragged = use_mut_ref(|| false);
    let element = use_node_ref();
    let tip = use_node_ref();
    let drawn = &props.drawn;
    let (width, height) = (f64::from(drawn.size.0), f64::from(drawn.size.1));
    let mark = at.and_then(|at| drawn.marks.get(at));
    // The content security policy forbids style attributes, but not changes of the style by a
    // program.
    use_effect_with(mark.map(|mark| (mark.x, mark.y)), {
        let tip = tip.clone();
        move |place| {
            if let (Some((x, y)), Some(tip)) = (place, tip.cast::<HtmlElement>()) {
                let (x, y) = (f64::from(*x) / width, f64::from(*y) / height);
                let style = tip.style();
                style.set_property("left", &format!("{}%", (100.0 * x).clamp(0.0, 100.0))).ok();
                style.set_property("top", &format!("{}%", 100.0 * y)).ok();
            }
        }
    });
    let place = {
        let element = element.clone();
        move |event: &MouseEvent| {
            let place = element.cast::<HtmlElement>()?.get_bounding_client_rect();
            let scale = width / place.width().max(1.0);
            let x = (f64::from(event.client_x()) - place.left()) * scale;
            let y = (f64::from(event.client_y()) - place.top()) * scale;
            Some((x, y))
        }
    };
    let nearest = {
        let (drawn, place) = (Rc::clone(drawn), place.clone());
        move |event: &MouseEvent| place(event).and_then(|(x, y)| nearest(&drawn.marks, x, y))
    };
    let zoom_to = {
        let actions = props.actions.clone();
        move |zoom| actions.emit(Action::Study(StudyAction::Look(LookEdit::Zoom(zoom))))
    };
    let onpointerdown = {
        let (drag, place, element) = (drag.clone(), place.clone(), element.clone());
        let (was_dragged, has_parts) = (Rc::clone(&was_dragged), drawn.plot.is_some());
        Callback::from(move |event: PointerEvent| {
            *was_dragged.borrow_mut() = false;
            // A finger scrolls the page.
            if has_parts && event.button() == 0 && event.pointer_type() != "touch" {
                drag.set(place(&event).map(|from| (from, from)));
                let element = element.cast::<HtmlElement>();
                element.map(|element| element.set_pointer_capture(event.pointer_id()));
            }
        })
    };
    let onpointermove = {
        let (at, nearest) = (at.clone(), nearest.clone());
        let (drag, place) = (drag.clone(), place.clone());
        Callback::from(move |event: PointerEvent| {
            if let Some((from, _)) = *drag {
                return drag.set(place(&event).map(|to| (from, to)));
            }
            let found = nearest(&event);
            if *at != found {
                at.set(found);
            }
        })
    };
    let onpointerup = {
        let (drag, drawn, zoom_to) = (drag.clone(), Rc::clone(drawn), zoom_to.clone());
        let was_dragged = Rc::clone(&was_dragged);
        Callback::from(move |event: PointerEvent| {
            let Some((from, _)) = *drag else { return };
            drag.set(None);
            let part = place(&event).and_then(|to| zoom::between(&drawn, from, to));
            if part.is_some() {
                // The click that follows is the end of the drag.
                *was_dragged.borrow_mut() = true;
                zoom_to(part);
            }
        })
    };
    let onpointercancel = {
        let drag = drag.clone();
        Callback::from(move |_: PointerEvent| drag.set(None))
    };
    let onpointerleave = {
        let at = at.clone();
        Callback::from(move |_: PointerEvent| at.set(None))
    };
    let pin = {
        let (drawn, actions) = (Rc::clone(drawn), props.actions.clone());
        move |mark: Option<usize>| {
            let mark = mark.and_then(|mark| drawn.marks.get(mark));
            let pinned = mark.map(|mark| Pinned { points: mark.points.clone() });
            actions.emit(Action::Study(StudyAction::Pin(pinned)));
        }
    };
    let onclick = {
        let (at, pin) = (at.clone(), pin.clone());
        Callback::from(move |event: MouseEvent| {
            if was_dragged.take() {
                return;
            }
            let found = nearest(&event);
            at.set(found);
            pin(found);
        })
    };
    let onkeydown = {
        let (at, count) = (at.clone(), drawn.marks.len());
        let drawn = Rc::clone(drawn);
        Callback::from(move |event: KeyboardEvent| {
            let last = count.saturating_sub(1);
            let to = match (event.key().as_str(), *at) {
                ("+", _) => return zoom_to(zoom::closer(&drawn)),
                ("-", _) => return zoom_to(None),
                _ if count == 0 => return,
                ("Enter", at) => {
                    event.prevent_default();
                    return pin(at);
                }
                ("ArrowRight", None) | ("Home", _) => 0,
                ("ArrowRight", Some(at)) => (at + 1).min(last),
                ("ArrowLeft", None) | ("End", _) => last,
                ("ArrowLeft", Some(at)) => at.saturating_sub(1),
                _ => return,
            };
            event.prevent_default();
            at.set(Some(to));
        })
    };
    let circle = |mark: &MarkShown, class: &'static str| {
        html! { <circle {class} cx={mark.x.to_string()} cy={mark.y.to_string()} r="10" /> }
    };
    let about = mark.map(|mark| about(drawn, mark)).unwrap_or_default();
    let side = mark.map(|mark| match f64::from(mark.x) / width {
        x if x < 0.3 => "at-left",
        x if x > 0.7 => "at-right",
        _ => "",
    });
    html! {
        <div class="study-figure" id="study-figure" ref={element} tabindex="0" role="application" aria-label={text().figure_keys}
            {onpointerdown} {onpointermove} {onpointerup} {onpointercancel} {onpointerleave} {onclick} {onkeydown}>
            {Html::from_html_unchecked(drawn.svg.clone().into())}
            <svg class="study-overlay" viewBox={format!("0 0 {width} {height}")} aria-hidden="true">
                {for props.pinned.iter().filter_map(|&mark| drawn.marks.get(mark)).map(|mark| circle(mark, "pinned-mark"))}
                {for mark.map(|mark| circle(mark, "chosen-mark"))}
                {for drag.map(|(from, to)| rectangle(from, to))}
            </svg>
            <div class={classes!("study-tip", side, mark.is_some().then_some("shown"))} ref={tip} role="status">
                {for about.into_iter().enumerate().map(|(i, line)| if i == 0 {
                    html! { <strong>{line}</strong> }
                } else {
                    html! { <span>{line}</span> }
                })}
            </div>
        </div>
    }
}

/// The part of the figure that is being dragged over.
fn rectangle(from: zoom::Place, to: zoom::Place) -> Html {
    let [x, y] = [from.0.min(to.0), from.1.min(to.1)].map(|least| least.to_string());
    let [width, height] = [to.0 - from.0, to.1 - from.1].map(|size| size.abs().to_string());
    html! { <rect class="zoom-part" {x} {y} {width} {height} /> }
}

/// The mark next to a place, if it is near.
fn nearest(marks: &[MarkShown], x: f64, y: f64) -> Option<usize> {
    let distance = |mark: &MarkShown| (f64::from(mark.x) - x).hypot(f64::from(mark.y) - y);
    let near =
        (0..marks.len()).min_by(|&a, &b| distance(&marks[a]).total_cmp(&distance(&marks[b])));
    near.filter(|&mark| distance(&marks[mark]) < NEAR)
}

/// A mark in words, a line each.
fn about(drawn: &DrawnStudy, mark: &MarkShown) -> Vec<String> {
    let value = |value: f64| if value.abs() < 1.0 { exact(rounded(value)) } else { short(value) };
    let mut lines = Vec::new();
    if let Some(series) = drawn.series.get(mark.series) {
        lines.push(series.name.clone());
    }
    lines.push(match &mark.across {
        Ok(x) => format!("{}: {}", drawn.labels[0], value(*x)),
        Err(category) => category.clone(),
    });
    let range = mark.range.map(|(low, high)| format!(" ({} – {})", value(low), value(high)));
    lines.push(format!("{}: {}{}", drawn.labels[1], value(mark.up), range.unwrap_or_default()));
    let row = mark.points.first().and_then(|row| drawn.lines.get(*row));
    lines.push(match row.and_then(|row| row.cells.last()) {
        Some(verdict) => verdict.clone(),
        None => {
            let ConditionWords { sign, word, .. } = condition_words(mark.condition);
            format!("{sign} {word}")
        }
    });
    lines
}

/// Four digits that count.
fn rounded(value: f64) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    let places = (3 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    format!("{value:.places$}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::measure::Condition;

    #[test]
    fn the_mark_pointed_at_is_the_nearest_one_that_is_near() {
        let mark = |x: i32, y: i32| MarkShown {
            series: 0,
            x,
            y,
            across: Ok(0.0),
            up: 0.0,
            range: None,
            condition: Condition::Steady,
            points: Vec::new(),
        };
        let marks = [mark(10, 10), mark(30, 10), mark(200, 10)];
        assert_eq!(nearest(&marks, 19.0, 12.0), Some(0));
        assert_eq!(nearest(&marks, 21.0, 12.0), Some(1));
        assert_eq!(nearest(&marks, 120.0, 10.0), None);
        assert_eq!(nearest(&[], 0.0, 0.0), None);
    }
}
