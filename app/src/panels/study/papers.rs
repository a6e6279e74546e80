//! Published studies: the list to choose from, and the table of ours beside the published figures.

use super::on;
use crate::panels::view::View;
use crate::protocol::papers::{LineShown, Paper, Verdict};
use crate::protocol::study::{DrawnStudy, StudyFile};
use crate::state::StudyAction;
use crate::state::study::{PaperSize, Phase};
use crate::text::{catalogue, counted, fill, text};
use hopscope_core::study::{Published, published};
use std::sync::LazyLock;
use yew::prelude::*;

/// The English names of the studies. Reading all of them takes too long for a rendering.
static NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| published().iter().map(Published::name).collect());

/// Columns of the table.
const COLUMNS: usize = 7;

fn name(index: usize) -> String {
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
            <h2>{t.papers}</h2>
            <p class="hint">{t.papers_about}</p>
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
                    <p class="hint">{&chosen.citation}</p>
                    {for chosen.sizes.iter().map(|size| self::size(view, size))}
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
        counted(t.n_networks, size.networks as usize),
        counted(t.n_messages_counted, size.messages as usize),
    ];
    html! {
        <>
            <h3>{title}</h3>
            <p class="hint">{about.join(", ")}</p>
            <button class="button wide" {id} disabled={is_running} onclick={on(view, StudyAction::RunPaper(size.paper))}>{run}</button>
        </>
    }
}

/// The card with the table, for a published study.
pub fn table(view: View, paper: Paper, drawn: &DrawnStudy) -> Html {
    let t = text();
    let lines = &drawn.lines;
    let verdicts: Vec<bool> = lines.iter().filter_map(|line| line.verdict.agrees()).collect();
    let agree = verdicts.iter().filter(|agrees| **agrees).count();
    let heads = [t.published, t.ours, t.spread, t.difference, t.tolerance];
    html! {
        <section class="card" id="paper-results">
            <h2>{name(paper.index)}</h2>
            <p>{if paper.is_small { t.small_counts } else { t.full_counts }}</p>
            <p role="status" id="paper-verdict">{fill(t.n_agree, &[&agree, &verdicts.len()])}</p>
            <div class="chips" role="group" aria-label={t.save_study}>
                <span class="hint">{t.save_study}</span>
                <button class="chip" onclick={on(view, StudyAction::Save(StudyFile::Json))}>{"JSON"}</button>
            </div>
            <div class="table-scroll" tabindex="0" role="region" aria-label={t.papers}>
                <table class="results-table" id="paper-table">
                    <thead><tr>
                        <th scope="col" class="words">{t.what_is_measured}</th>
                        {for heads.map(|head| html! { <th scope="col">{head}</th> })}
                        <th scope="col" class="words">{t.verdict}</th>
                    </tr></thead>
                    {for lines.chunk_by(|a, b| a.quantity == b.quantity).map(group)}
                </table>
            </div>
        </section>
    }
}

/// The lines of a quantity below its name.
fn group(lines: &[LineShown]) -> Html {
    html! {
        <tbody>
            <tr><th scope="rowgroup" colspan={COLUMNS.to_string()}>{&lines[0].quantity}</th></tr>
            {for lines.iter().map(line)}
        </tbody>
    }
}

fn line(line: &LineShown) -> Html {
    let t = text();
    let (sign, word) = match line.verdict {
        Verdict::Within => ("✓", t.within_tolerance),
        Verdict::Outside => ("✕", t.outside_tolerance),
        Verdict::Holds => ("✓", t.finding_holds),
        Verdict::Fails => ("✕", t.finding_fails),
        Verdict::Undecided => ("≈", t.finding_undecided),
        Verdict::Unpublished => ("–", t.not_published),
    };
    let class = match line.verdict.agrees() {
        Some(true) => "words good",
        Some(false) => "words bad",
        None => "words",
    };
    html! {
        <tr data-verdict={format!("{:?}", line.verdict).to_lowercase()}>
            <th scope="row">{&line.what}</th>
            {for [&line.published, &line.ours, &line.spread, &line.difference, &line.tolerance].map(|cell| html! { <td>{cell}</td> })}
            <td {class}>{sign}{" "}{word}if !line.notes.is_empty() { <small>{&line.notes}</small> }</td>
        </tr>
    }
}
