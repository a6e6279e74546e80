//! Published studies: the list to choose from, and the table of ours beside the published figures.

use super::on;
use crate::panels::parts::{column, heading, hint, wide};
use crate::panels::view::View;
use crate::protocol::papers::{LineShown, Paper, VerdictShown};
use crate::protocol::study::DrawnStudy;
use crate::state::StudyAction;
use crate::state::study::{PaperSize, Phase, Pinned};
use crate::text::{catalogue, counted, fill, number, text};
use hopscope_core::study::{Published, published};
use std::sync::LazyLock;
use yew::prelude::*;

/// The English names of the studies. Reading all of them takes too long for a rendering.
static NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| published().iter().map(Published::name).collect());

/// Columns of the table.
const COLUMNS: usize = 8;
/// Tolerances that a picture shows on either side of the published figure.
const SHOWN: f64 = 2.5;
/// Pixels of a tolerance in a picture.
const SCALE: f64 = 18.0;

/// The name of a published study.
pub fn name(index: usize) -> String {
    match (published().get(index), NAMES.get(index)) {
        (Some(study), Some(english)) => catalogue::study_name(study, english),
        _ => String::new(),
    }
}

/// The card with the list.
pub fn choice(view: View) -> Html {
    let t = text();
    html! {
        <section class="card" id="papers">
            {heading(t.papers)}
            {hint(t.papers_about)}
            <ul class="plain">{for (0..published().len()).map(|index| item(view, index))}</ul>
        </section>
    }
}

fn item(view: View, index: usize) -> Html {
    let chosen = view.state.study.paper.as_ref().filter(|chosen| chosen.index == index);
    html! {
        <li key={index}>
            <button class="command" aria-expanded={chosen.is_some().to_string()}
                onclick={on(view, StudyAction::ChoosePaper(index))}>{name(index)}</button>
            if let Some(chosen) = chosen {
                <div class="paper">
                    {hint(chosen.citation.clone())}
                    {for chosen.choices().map(|size| self::size(view, size))}
                </div>
            }
        </li>
    }
}

/// How much there is to measure with small or full counts, and the button that starts it.
fn size(view: View, size: &PaperSize) -> Html {
    let t = text();
    let study = &view.state.study;
    let is_running = matches!(study.phase, Phase::Running | Phase::Reading);
    let (title, run, id) = if size.paper.is_small {
        (t.for_class, t.run_small, "run-small")
    } else {
        (t.for_research, t.run_full, "run-full")
    };
    let about = [
        counted(t.n_measurements, size.jobs),
        counted(
            if size.draws_networks { t.n_networks } else { t.n_replications },
            size.networks as usize,
        ),
        match size.messages {
            0 => fill(t.n_cycles, &[&number(size.cycles)]),
            messages => counted(t.n_messages_counted, messages as usize),
        },
    ];
    html! {
        <>
            <h3>{title}</h3>
            {hint(about.join(", "))}
            {wide(id, run, !is_running, on(view, StudyAction::RunPaper(size.paper)))}
        </>
    }
}

/// The card with the table, for a published study.
pub fn table(view: View, paper: Paper, drawn: &DrawnStudy) -> Html {
    let t = text();
    let lines = &drawn.lines;
    let judged: Vec<bool> = lines.iter().filter_map(|line| line.agrees).collect();
    let agree = judged.iter().filter(|agrees| **agrees).count();
    let undecided = lines.iter().filter(|line| line.is_undecided).count();
    let has_places = lines.iter().any(|line| line.places.is_some());
    let rows: Vec<(usize, &LineShown)> = lines.iter().enumerate().collect();
    let heads = [t.published, t.ours, t.spread, t.difference, t.tolerance];
    html! {
        <section class="card" id="paper-results">
            {heading(name(paper.index))}
            <p>{counts(paper, drawn)}</p>
            if !drawn.verdicts.is_empty() {
                <h3>{t.findings}</h3>
                <ul class="plain" id="paper-findings">
                    {for drawn.verdicts.iter().map(|verdict| finding(view, verdict))}
                </ul>
            }
            if !drawn.judges_nothing {
                <p role="status" id="paper-verdict">{fill(t.n_agree, &[&agree, &judged.len()])}</p>
            }
            if undecided > 0 { <p class="hint" id="paper-undecided">{fill(t.n_undecided, &[&undecided])}</p> }
            if has_places {
                <p class="hint">{picture(&[-0.4, 0.2, 0.7])}{" "}{t.picture_about}</p>
            }
            <div class="table-scroll" tabindex="0" role="region" aria-label={t.papers}>
                <table class="results-table" id="paper-table">
                    <thead><tr>
                        <th scope="col" class="words">{t.what_is_measured}</th>
                        {for heads.map(column)}
                        <th scope="col" class="words">{t.picture}</th>
                        <th scope="col" class="words">{t.verdict}</th>
                    </tr></thead>
                    {for rows.chunk_by(|(_, a), (_, b)| a.cells.first() == b.cells.first()).map(|rows| group(view, rows))}
                </table>
            </div>
        </section>
    }
}

/// What the counts of the runs are for.
fn counts(paper: Paper, drawn: &DrawnStudy) -> &'static str {
    let t = text();
    match (paper.is_small, drawn.judges_nothing) {
        (false, _) => t.full_counts,
        (true, true) => t.small_counts_judge_nothing,
        (true, false) => t.small_counts,
    }
}

/// A finding with its verdict, which may still change from "holds" while rows come in.
fn finding(view: View, verdict: &VerdictShown) -> Html {
    let t = text();
    let is_over = view.state.study.phase == Phase::Over;
    let (class, words) = match verdict.holds {
        Some(false) => ("bad", fill("✕ {}", &[&t.finding_fails])),
        Some(true) if is_over => ("good", fill("✓ {}", &[&t.finding_holds])),
        None if is_over => ("", t.finding_undecided.to_owned()),
        _ => ("", t.not_known_yet.to_owned()),
    };
    html! {
        <li key={verdict.id.clone()} data-holds={verdict.holds.map(|holds| holds.to_string())}>
            <p><strong>{&verdict.id}{" "}<span {class}>{words}</span></strong>{" "}{&verdict.finding}</p>
            {hint(verdict.rows.clone())}
        </li>
    }
}

/// The lines of a quantity below its name.
fn group(view: View, rows: &[(usize, &LineShown)]) -> Html {
    html! {
        <tbody>
            <tr><th scope="rowgroup" colspan={COLUMNS.to_string()}><span>{rows[0].1.cells.first()}</span></th></tr>
            {for rows.iter().map(|(index, row)| line(view, *index, row))}
        </tbody>
    }
}

/// A line, marked if its bars in the figure are.
fn line(view: View, index: usize, line: &LineShown) -> Html {
    let [_, what, numbers @ .., verdict] = &line.cells[..] else { return Html::default() };
    let (sign, class) = match line.agrees {
        Some(true) => ("✓ ", "words good"),
        Some(false) => ("✕ ", "words bad"),
        None => ("", "words"),
    };
    let pin = Pinned { points: vec![index] };
    let is_marked = view.state.study.pinned == Some(pin);
    html! {
        <tr data-agrees={line.agrees.map(|agrees| agrees.to_string())}
            class={is_marked.then_some("marked")}>
            <th scope="row">{what}</th>
            {for numbers.iter().map(|cell| html! { <td>{cell}</td> })}
            <td class="words">{for line.places.as_ref().map(picture)}</td>
            <td {class}>{sign}{verdict}</td>
        </tr>
    }
}

/// Ours beside the published figure: its tolerance as a band, ours as a dot, the spread as a line.
/// The numbers stand beside it.
fn picture(places: &[f64; 3]) -> Html {
    let [least, mean, greatest] = places.map(|place| place.clamp(-SHOWN, SHOWN) * SCALE);
    let width = 2.0 * (SHOWN * SCALE + 5.0);
    html! {
        <svg class="paper-picture" viewBox={format!("{} -8 {width} 16", -width / 2.0)} aria-hidden="true">
            <rect x={(-SCALE).to_string()} y="-7" width={(2.0 * SCALE).to_string()} height="14" />
            <path d={format!("M0 -8V8M{least} 0H{greatest}")} />
            <circle cx={mean.to_string()} cy="0" r="4" />
        </svg>
    }
}
