//! The draft of an experiment: what is varied, what is plotted, how many points that makes and how
//! long they take.

use super::on;
use crate::action::Action;
use crate::panels::field::Field;
use crate::panels::parts::{button, heading, hint, wide};
use crate::panels::view::View;
use crate::panels::{form, troubles};
use crate::state::StudyAction;
use crate::state::study::{DraftAxis, DraftEdit, Phase, range};
use crate::text::{Text, catalogue, counted, exact, fill, number, text};
use hopscope_core::experiment::{Axis, FigureKind, duration};
use serde_json::Value;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

fn edit<E: 'static>(view: View, edit: DraftEdit) -> Callback<E> {
    on(view, StudyAction::Edit(edit))
}

/// The card.
pub fn view(view: View) -> Html {
    let t = text();
    let study = &view.state.study;
    let draft = &study.draft;
    let base = draft.base.as_ref();
    let problems = study.problems().cloned().unwrap_or_default();
    let known = &study.fields;
    let busy = matches!(study.phase, Phase::Running | Phase::Reading);
    let kinds = std::iter::once((String::new(), t.figure_automatic.to_owned()))
        .chain(FigureKind::ALL.map(|kind| (kind.word().into(), kind_name(kind, t).into())));
    let kinds: Vec<(String, String)> = kinds.collect();
    let kind = draft.figure.kind.map_or("", FigureKind::word);
    let chosen = |word: String| {
        let kind = FigureKind::ALL.into_iter().find(|kind| kind.word() == word);
        Action::Study(StudyAction::Edit(DraftEdit::Kind(kind)))
    };
    let rename = view.on_some(|event: Event| {
        let name = form::input(&event)?.value();
        Some(Action::Study(StudyAction::Edit(DraftEdit::Name(name))))
    });
    let others = draft.problems_of(None, &problems);
    html! {
        <section class="card" id="builder">
            {heading(t.own_experiment)}
            if let Some(base) = base {
                {hint(fill(t.own_base, &[&base["name"].as_str().unwrap_or(t.unnamed)]))}
                {button(t.use_stage, edit(view, DraftEdit::UseStage))}
            }
            <datalist id="fields">{for known.iter().map(|(path, value)| html! {
                <option value={path.clone()}>{value}</option>
            })}</datalist>
            {for draft.axes.iter().enumerate().map(|(i, axis)| self::axis(view, i, axis, known, &problems))}
            {wide("add-axis", t.add_axis, true, edit(view, DraftEdit::Add))}
            {form::labelled(t.study_title, "", html! { <Field value={draft.name.clone()} onchange={rename} /> })}
            {form::choice(view, t.figure_kind, &kinds, kind, chosen)}
            if !others.is_empty() { {troubles::card(&others)} }
            <p id="points" role="status">{size(view)}</p>
            <button class="button wide primary" id="run-study" disabled={busy || study.ready().is_none()}
                onclick={on(view, StudyAction::Run)}>{t.run_study}</button>
        </section>
    }
}

/// Points and time of the draft.
fn size(view: View) -> String {
    let t = text();
    let study = &view.state.study;
    let Some(checked) = study.ready() else {
        return if study.checked.is_none() { t.checking.into() } else { t.cannot_run.into() };
    };
    let points = counted(t.n_points, checked.points);
    let workers = counted(t.at_a_time, study.workers);
    match study.estimated_seconds() {
        Some(seconds) => fill(t.points_and_time, &[&points, &time(seconds), &workers]),
        None => format!("{points}, {workers}"),
    }
}

/// A time in the largest fitting unit.
pub(super) fn time(seconds: f64) -> String {
    let words = duration(seconds);
    // The only unit that is a word.
    words.replace("days", text().days)
}

fn kind_name(kind: FigureKind, t: &Text) -> &'static str {
    match kind {
        FigureKind::Curve => t.figure_curve,
        FigureKind::Percentiles => t.figure_percentiles,
        FigureKind::Throughput => t.figure_throughput,
        FigureKind::Channels => t.figure_channels,
        FigureKind::Histogram => t.figure_histogram,
        FigureKind::Levels => t.figure_levels,
        FigureKind::LevelLatency => t.figure_level_latency,
        FigureKind::TrafficOverTime => t.figure_traffic_over_time,
        FigureKind::LatencyOverTime => t.figure_latency_over_time,
        FigureKind::RunTime => t.figure_run_time,
    }
}

fn axis(
    view: View,
    index: usize,
    axis: &DraftAxis,
    known: &[(String, String)],
    problems: &hopscope_core::problem::Problems,
) -> Html {
    let t = text();
    let own = view.state.study.draft.problems_of(Some(index), problems);
    let remove = edit(view, DraftEdit::Remove(index));
    let body = match axis {
        DraftAxis::Field { path, values } => field(view, index, path, values, known),
        DraftAxis::Together(axis) => together(axis),
    };
    html! {
        <fieldset class="level" id={format!("axis-{index}")}>
            <legend>{fill(t.axis_number, &[&(index + 1)])}</legend>
            {body}
            if !own.is_empty() { {troubles::card(&own)} }
            {button(t.remove_row, remove)}
        </fieldset>
    }
}

fn field(view: View, index: usize, path: &str, values: &str, known: &[(String, String)]) -> Html {
    let t = text();
    let typed = |edit: fn(usize, String) -> DraftEdit| {
        view.on_some(move |event: Event| {
            let typed = form::input(&event)?.value();
            Some(Action::Study(StudyAction::Edit(edit(index, typed))))
        })
    };
    let now = known.iter().find(|(field, _)| field == path.trim()).map(|(_, value)| value);
    let onkeydown = view.on_some(enter_changes);
    html! {
        <>
            <label class="field long">
                <span class="field-label">{t.field_varied}</span>
                <Field value={path.to_owned()} list="fields" onchange={typed(DraftEdit::Path)} />
            </label>
            if let Some(now) = now {
                {hint(fill(t.value_now, &[&now.parse().map_or_else(|_| now.clone(), exact)]))}
            }
            <label class="field long" {onkeydown}>
                <span class="field-label">{t.values}</span>
                <Field value={values.to_owned()} long={true} onchange={typed(DraftEdit::Values)} />
            </label>
            {hint(t.values_about)}
            {members(view, index, path, values)}
            if now.is_none_or(|now| now.parse::<f64>().is_ok()) { {from_to(view, index)} }
        </>
    }
}

/// Enter ends typing, as leaving the field does.
fn enter_changes(event: KeyboardEvent) -> Option<Action> {
    if event.key() == "Enter" {
        let field: HtmlInputElement = event.target_dyn_into()?;
        field.blur().ok();
        field.focus().ok();
    }
    None
}

/// Members of the field's family: a click adds one to the values, or takes it out.
fn members(view: View, index: usize, path: &str, values: &str) -> Html {
    let Some(family) = catalogue::family_at(path.trim()) else { return Html::default() };
    // Where semicolons separate the values, commas are decimal.
    let mark = if values.contains(';') { ';' } else { ',' };
    let chosen: Vec<&str> =
        values.split(mark).map(str::trim).filter(|word| !word.is_empty()).collect();
    let chip = |member: &hopscope_core::catalogue::Descriptor| {
        let id = member.id;
        let is_chosen = chosen.contains(&id);
        let mut after: Vec<&str> = chosen.iter().copied().filter(|word| *word != id).collect();
        if !is_chosen {
            after.push(id);
        }
        let after = after.join(&format!("{mark} "));
        html! {
            <button class="chip" aria-pressed={is_chosen.to_string()} title={catalogue::summary(family, member)}
                onclick={edit(view, DraftEdit::Values(index, after))}>{id}</button>
        }
    };
    html! { <div class="chips" role="group" aria-label={text().values}>{for family.members.iter().map(chip)}</div> }
}

/// Three fields that fill in values at equal distances.
fn from_to(view: View, index: usize) -> Html {
    let t = text();
    let fill_in = view.on_some(move |event: MouseEvent| {
        let button: Element = event.target_dyn_into()?;
        let group = button.parent_element()?;
        let typed = |name: &str| {
            let field = group.query_selector(&format!("[name={name}]")).ok()??;
            Some(field.dyn_into::<HtmlInputElement>().ok()?.value())
        };
        let values = range(&typed("from")?, &typed("to")?, &typed("steps")?)?;
        Some(Action::Study(StudyAction::Edit(DraftEdit::Values(index, values))))
    });
    let field = |name: &'static str, label: &'static str| {
        html! { <label>{label}<input {name} type="text" inputmode="decimal" autocomplete="off" /></label> }
    };
    html! {
        <details class="axes">
            <summary>{t.equal_steps}</summary>
            <div class="from-to">
                {field("from", t.from)}{field("to", t.to)}{field("steps", t.steps)}
                {button(t.fill_in, fill_in)}
            </div>
        </details>
    }
}

/// Fields that are set together: their names and the number of steps.
fn together(axis: &Axis) -> Html {
    let t = text();
    let Axis::Settings { settings, .. } = axis else { return Html::default() };
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
    let step = |set: &serde_json::Map<String, Value>| {
        html! { <li>{set.values().map(plain).collect::<Vec<_>>().join(", ")}</li> }
    };
    html! {
        <>
            <p>{for axis.fields().into_iter().map(|field| html! { <><code>{field.to_owned()}</code>{" "}</> })}</p>
            <details class="axes">
                <summary>{fill(t.n_values, &[&number(settings.len() as u64)])}</summary>
                <ol>{for settings.iter().map(step)}</ol>
            </details>
        </>
    }
}
