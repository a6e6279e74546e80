//! How far the current experiment has come, and the question whether to run a long one.

use super::builder::time;
use super::on;
use crate::panels::parts::{button, heading, primary};
use crate::panels::troubles;
use crate::panels::view::View;
use crate::state::StudyAction;
use crate::state::study::{Phase, Study};
use crate::text::{counted, fill, number, text};
use hopscope_core::problem::{Place, Problems};
use yew::prelude::*;

/// The card; a hint on how to begin before anything was run.
pub fn view(view: View) -> Html {
    let t = text();
    let study = &view.state.study;
    let body = match study.phase {
        Phase::Idle => {
            return html! { <section class="card study-empty" id="study-empty">{heading(t.study_empty)}<p>{t.study_empty_how}</p></section> };
        }
        Phase::Asking => ask(view),
        Phase::Reading | Phase::Running => bar(view, true),
        Phase::Stopped | Phase::Over => bar(view, false),
    };
    html! {
        <section class="card" id="progress" data-phase={format!("{:?}", study.phase).to_lowercase()}
            data-done={study.sweep.done.to_string()} data-points={study.sweep.points.to_string()} data-seconds={study.sweep.seconds().to_string()}>
            {body}
            {failed(study)}
        </section>
    }
}

fn ask(view: View) -> Html {
    let t = text();
    let study = &view.state.study;
    let left = study.sweep.estimate(study.workers).map(|estimate| estimate.seconds());
    let (points, seconds) = if study.sweep.points > 0 {
        (study.sweep.open(), left)
    } else {
        (study.ready().map_or(0, |checked| checked.points), study.estimated_seconds())
    };
    let seconds = seconds.map_or_else(|| "?".to_owned(), time);
    let is_paper = study.current.paper.is_some() && study.sweep.points > 0;
    let unit = if is_paper { t.n_measurements } else { t.n_points };
    html! {
        <div role="alert" id="ask">
            {heading(fill(t.ask_long, &[&counted(unit, points), &seconds]))}
            <div class="row wrap">
                {primary(None, t.run_anyway, true, on(view, StudyAction::Agree(true)))}
                {button(t.cancel, on(view, StudyAction::Agree(false)))}
            </div>
        </div>
    }
}

fn bar(view: View, is_running: bool) -> Html {
    let t = text();
    let study = &view.state.study;
    let sweep = &study.sweep;
    let counts = [number(sweep.done as u64), number(sweep.points as u64)];
    let done = if study.current.paper.is_some() { t.measurements_done } else { t.points_done };
    let mut words = fill(done, &[&counts[0], &counts[1]]);
    let left = sweep.estimate(study.workers).filter(|_| is_running && sweep.open() > 0);
    if let Some(left) = left {
        words += &fill(t.time_left, &[&time(left.seconds())]);
    }
    if study.phase == Phase::Stopped {
        words += t.stopped_with_rest;
    }
    let again = match study.current.paper {
        Some(paper) => (StudyAction::RunPaper(paper), true),
        None => (StudyAction::Run, study.ready().is_some()),
    };
    html! {
        <div class="study-progress">
            <div class="progress">
                <p role="status">{words}</p>
                <progress max={sweep.points.max(1).to_string()} value={(sweep.done + sweep.failed.len()).to_string()} aria-label={t.progress_of_study}></progress>
            </div>
            if is_running {
                <button class="button" id="cancel-study" onclick={on(view, StudyAction::Cancel)}>{t.cancel}</button>
            } else if study.phase == Phase::Stopped {
                {primary(None, t.go_on, again.1, on(view, again.0))}
            }
        </div>
    }
}

/// Points that cannot run, with reasons.
fn failed(study: &Study) -> Html {
    let t = text();
    if study.sweep.failed.is_empty() {
        return Html::default();
    }
    let list = study.sweep.failed.iter().flat_map(|(point, problems)| {
        let in_point = |at| match at {
            Place::Point(..) => at,
            at => Place::Point(*point, Box::new(at)),
        };
        problems.clone().map_places(in_point).0
    });
    html! {
        <div id="failed-points" role="status">
            <p>{counted(t.points_failed, study.sweep.failed.len())}</p>
            {troubles::card(&Problems(list.collect()))}
        </div>
    }
}
