//! Lessons: the list, and the lesson being taken.

use super::icons::{Icon, icon};
use super::miniature::Miniature;
use super::parts::{button, close, column, hint, primary};
use super::side::Panel;
use super::view::View;
use crate::action::Action;
use crate::state::{LessonAction, LessonStep, OpenLesson, Tab, lessons};
use crate::text::{Language, decimal, duration, fill, number, percent, short, text};
use hopscope_core::lessons::{Lesson, Unit, Words};
use yew::prelude::*;

/// The button that goes on with a lesson.
const NEXT: Option<&str> = Some("lesson-next");

/// Words of a lesson in the page's language.
fn said(words: &Words) -> &str {
    match Language::spoken() {
        Language::English => &words.en,
        Language::Spanish => &words.es,
    }
}

/// A measured value; a ratio has no unit.
fn value(value: f64, unit: Option<Unit>) -> String {
    match unit {
        Some(Unit::FlitsPerNsPerSwitch) => format!("{} {}", short(value), text().flits_per_ns),
        Some(Unit::Ns) => duration(value),
        Some(Unit::Share) => percent(value, 0),
        Some(Unit::Count) => number(value as u64),
        Some(Unit::Plain) | None => decimal(value, 2),
    }
}

/// A unit that is too long for a cell; it stands under the quantity's name.
fn unit(unit: Unit) -> Html {
    let long =
        (unit == Unit::FlitsPerNsPerSwitch).then(|| html! { <small>{text().flits_per_ns}</small> });
    long.unwrap_or_default()
}

fn teach(view: View, what: LessonAction) -> Callback<MouseEvent> {
    view.on(move || Action::Lesson(what))
}

thread_local! {
    /// The networks of the lessons, in their order; drawn when the list is opened for the first
    /// time.
    static PICTURES: Vec<Miniature> = lessons().iter().map(picture).collect();
}

fn picture(lesson: &Lesson) -> Miniature {
    let scenario = lesson.scenario(0).ok();
    scenario.map(|scenario| Miniature::of(&scenario.network)).unwrap_or_default()
}

/// The list.
pub fn list(view: View) -> Html {
    let t = text();
    let card = |(i, lesson): (usize, &Lesson)| {
        html! {
            <li title={said(&lesson.about).to_owned()}>
                <button class="gallery-item" data-lesson={lesson.id} onclick={teach(view, LessonAction::Begin(i))}>
                    {PICTURES.with(|pictures| pictures.get(i).map(Miniature::view))}
                    <strong>{format!("{} · {}", i + 1, said(&lesson.title))}</strong>
                    <span class="summary">{said(&lesson.about)}</span>
                    <span class="lesson-facts">
                        <span>{fill(t.about_minutes, &[&lesson.minutes])}</span>
                        if view.state.lessons_done.has(lesson.id) {
                            <span class="done">{icon(Icon::Check)}{t.done}</span>
                        }
                    </span>
                </button>
            </li>
        }
    };
    html! {
        <>
            {hint(t.lessons_hint)}
            <ol class="lessons plain">
                {for lessons().iter().enumerate().map(card)}
            </ol>
        </>
    }
}

/// The panel and its tab.
pub const PANEL: Panel = Panel {
    tab: Tab::LESSON,
    name: |t| t.lesson,
    command: None,
    is_available: |state| state.lesson.is_some(),
    view,
};

/// The panel of the lesson being taken.
fn view(view: View) -> Html {
    let t = text();
    let Some(taken) = &view.state.lesson else { return Html::default() };
    let body = match taken.step {
        LessonStep::Predict => predict(view, taken),
        LessonStep::Run(run) => watch(view, taken, run),
        LessonStep::Explain => explain(view, taken),
    };
    let stage = |name: &'static str, here: bool| {
        html! { <li aria-current={here.then_some("step")}>{name}</li> }
    };
    html! {
        <section class="card lesson" aria-label={t.lesson}>
            <div class="card-head">
                {hint(fill(t.lesson_of, &[&(taken.index + 1), &taken.count()]))}
                if !taken.locked {
                    {close(t.leave_lesson, teach(view, LessonAction::Leave))}
                }
            </div>
            <h2 id="lesson-title">{said(&taken.lesson().title)}</h2>
            <ol class="steps plain" aria-label={t.lesson_steps}>
                {stage(t.predict, taken.step == LessonStep::Predict)}
                {stage(t.run_it, matches!(taken.step, LessonStep::Run(_)))}
                {stage(t.explain, taken.step == LessonStep::Explain)}
            </ol>
            {body}
        </section>
    }
}

fn heading(words: String) -> Html {
    html! { <h3 class="step-heading" id="lesson-step" tabindex="-1">{words}</h3> }
}

fn predict(view: View, taken: &OpenLesson) -> Html {
    let t = text();
    let lesson = taken.lesson();
    let answer = |(i, words): (usize, &Words)| {
        let onchange = view.on(move || Action::Lesson(LessonAction::Choose(i)));
        html! {
            <label class="answer">
                <input type="radio" name="answer" checked={taken.chosen == Some(i)} {onchange} />
                <span>{said(words)}</span>
            </label>
        }
    };
    html! {
        <>
            {heading(t.what_do_you_expect.into())}
            <fieldset class="answers">
                <legend>{said(&lesson.question)}</legend>
                {for lesson.answers.iter().enumerate().map(answer)}
            </fieldset>
            {primary(NEXT, t.see_what_happens, taken.chosen.is_some(), teach(view, LessonAction::Step(LessonStep::Run(0))))}
        </>
    }
}

fn watch(view: View, taken: &OpenLesson, run: usize) -> Html {
    let t = text();
    let lesson = taken.lesson();
    let wanted = &lesson.runs[run];
    let results = taken.results[run].as_ref();
    let next =
        if run + 1 < lesson.runs.len() { LessonStep::Run(run + 1) } else { LessonStep::Explain };
    let go_on = match next {
        LessonStep::Run(next) => fill(t.now_run, &[&said(&lesson.runs[next].name)]),
        _ => t.now_explain.into(),
    };
    html! {
        <>
            {heading(fill(t.run_of, &[&(run + 1), &lesson.runs.len(), &said(&wanted.name)]))}
            <p>{said(&wanted.look)}</p>
            if let Some(results) = results {
                <dl class="counts" id="lesson-results">
                    {for lesson.measures.iter().zip(results).filter_map(|(measure, result)| Some(html! {
                        <div><dt>{said(&measure.name)}</dt><dd>{value((*result)?, Some(measure.what.unit()))}</dd></div>
                    }))}
                </dl>
                {primary(NEXT, go_on, true, teach(view, LessonAction::Step(next)))}
            } else if view.state.strayed() {
                {hint(t.strayed)}
                {primary(None, t.put_back, true, teach(view, LessonAction::PutBack))}
            } else {
                {hint(t.watch_then_measure)}
                {primary(NEXT, t.measure_it, true, teach(view, LessonAction::Measure))}
            }
        </>
    }
}

fn explain(view: View, taken: &OpenLesson) -> Html {
    let t = text();
    let lesson = taken.lesson();
    let results = taken.measured();
    let right = taken.chosen == Some(lesson.right);
    let title = match taken.chosen {
        None => t.explain,
        Some(_) if right => t.predicted_right,
        Some(_) => t.predicted_wrong,
    };
    let cell = |run: usize, measure: usize| {
        let found = results.get(run).and_then(|list| list.get(measure).copied().flatten());
        let is = lesson.measures[measure].what.unit();
        found.map_or("–".into(), |found| {
            if is == Unit::FlitsPerNsPerSwitch { short(found) } else { value(found, Some(is)) }
        })
    };
    let row = |(i, name): (usize, &Words)| {
        let cells = (0..lesson.runs.len()).map(|run| html! { <td>{cell(run, i)}</td> });
        html! {
            <tr>
                <th scope="row">{said(name)}{unit(lesson.measures[i].what.unit())}</th>
                {for cells}
            </tr>
        }
    };
    html! {
        <>
            {heading(title.into())}
            if let Some(chosen) = taken.chosen { {hint(fill(t.you_said, &[&said(&lesson.answers[chosen])]))} }
            if !right { <p>{fill(t.it_was, &[&said(&lesson.answers[lesson.right])])}</p> }
            if !taken.is_done() {
                {hint(t.not_measured)}
                {button(t.begin_lesson, teach(view, LessonAction::Begin(taken.index)))}
            }
            <div class="table-scroll" tabindex="0" role="region" aria-label={t.measured}>
                <table class="measured">
                    <caption>{t.measured}</caption>
                    <thead><tr><td></td>{for lesson.runs.iter().map(|run| column(said(&run.name)))}</tr></thead>
                    <tbody>{for lesson.measures.iter().map(|measure| &measure.name).enumerate().map(row)}</tbody>
                </table>
            </div>
            <p id="lesson-explained">{lesson.fill(said(&lesson.explain), &results, value)}</p>
            <div class="lesson-end">
                if taken.index + 1 < taken.count() {
                    {primary(NEXT, t.next_lesson, true, teach(view, LessonAction::Begin(taken.index + 1)))}
                }
                if !taken.locked {
                    {button(t.play_with_it, teach(view, LessonAction::Keep))}
                    {button(t.leave_lesson, teach(view, LessonAction::Leave))}
                }
            </div>
        </>
    }
}
