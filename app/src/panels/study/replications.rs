//! Replications: how many, and what they found.

use super::{has_hosts, on};
use crate::action::Action;
use crate::panels::field::{Bounds, Field};
use crate::panels::form::{entered_whole, labelled};
use crate::panels::parts::{button, column, heading, hint, wide};
use crate::panels::troubles;
use crate::panels::view::View;
use crate::panels::words::condition_words;
use crate::state::StudyAction;
use crate::state::study::Replications;
use crate::text::{
    counted, decimal, exact_percent, fill, flow_name, level_name, number, percent, text,
};
use hopscope_core::experiment::{
    self, Group, Interval, MAX_REPLICATIONS, PartOverRuns, Replication,
};
use hopscope_core::measure::Condition;
use yew::prelude::*;

/// The number of runs, and the button.
pub fn choice(view: View) -> Html {
    let t = text();
    let study = &view.state.study;
    let is_running = study.replications.as_ref().is_some_and(|it| it.found.is_none());
    let onchange = view.on_some(|event: Event| {
        Some(Action::Study(StudyAction::WantReplications(entered_whole(&event)?)))
    });
    let value = study.replications_wanted().to_string();
    let bounds = Bounds::Whole(2, MAX_REPLICATIONS);
    html! {
        <>
            <h3>{t.replications}</h3>
            {labelled(t.number_of_runs, "", html! { <Field {value} {bounds} {onchange} /> })}
            {wide("replicate", t.run_replications, !is_running && has_hosts(view), on(view, StudyAction::Replicate))}
            {hint(t.replications_about)}
        </>
    }
}

/// The card with what was found; nothing before there are replications.
pub fn view(view: View) -> Html {
    let t = text();
    let Some(replications) = &view.state.study.replications else { return Html::default() };
    let scenario = &replications.scenario;
    let outdated = **scenario != **view.state.scenario();
    let name = if scenario.name.is_empty() { t.unnamed } else { scenario.name.as_str() };
    html! {
        <section class="card" id="replications">
            {heading(fill(t.replications_of, &[&name]))}
            if outdated { {hint(fill(t.search_of_other, &[&name]))} }
            {match &replications.found {
                None => progress(view, replications),
                Some(Err(problems)) => troubles::card(problems),
                Some(Ok(found)) => html! { <>{progress(view, replications)}{answer(view, replications, found)}</> },
            }}
        </section>
    }
}

fn progress(view: View, replications: &Replications) -> Html {
    let t = text();
    let (done, count) = (replications.done(), replications.count);
    let is_running = replications.found.is_none();
    let words = if is_running || done == count { t.runs_done } else { t.runs_stopped };
    html! {
        <div class="study-progress">
            <div class="progress">
                <p role="status">{fill(words, &[&number(done as u64), &number(count as u64)])}</p>
                <progress max={count.to_string()} value={done.to_string()} aria-label={t.progress_of_runs}></progress>
            </div>
            if is_running { {button(t.cancel, on(view, StudyAction::Cancel))} }
        </div>
    }
}

fn answer(view: View, replications: &Replications, found: &experiment::Replications) -> Html {
    let t = text();
    let runs = found.runs.len();
    let has_intervals = found.groups.iter().any(|group| group.runs > 1);
    html! {
        <>
            {for found.groups.iter().map(|of| group(replications, of, runs))}
            if has_intervals { {hint(fill(t.intervals_over_runs, &[&exact_percent(found.level)]))} }
            <details class="axes">
                <summary>{counted(t.n_runs, runs)}</summary>
                {table_of_runs(&found.runs)}
            </details>
            {button(t.save_replications, on(view, StudyAction::SaveReplications))}
        </>
    }
}

/// The runs that went the same way, of so many in all.
fn group(replications: &Replications, group: &Group, runs: usize) -> Html {
    let t = text();
    let scenario = &replications.scenario;
    let words = condition_words(group.condition);
    let figures = [
        ("accepted", t.quantity_accepted, known(group.accepted_flits_per_ns_per_switch, 5)),
        (
            "per-host",
            t.quantity_accepted_per_host,
            known(group.accepted_flits_per_cycle_per_host, 4),
        ),
        ("header", t.quantity_header_latency, known(group.header_latency_ns, 0)),
        ("network", t.quantity_network_latency, known(group.network_latency_ns, 0)),
        ("total", t.quantity_total_latency, known(group.total_latency_ns, 0)),
        ("total-p99", t.quantity_total_p99, known(group.total_latency_p99_ns, 0)),
    ];
    let row = |(id, name, shown): (&'static str, &'static str, Html)| {
        html! { <div data-figure={id}><dt>{name}</dt><dd>{shown}</dd></div> }
    };
    let levels = group.shown_levels().iter();
    let levels = levels.map(|of| (level_name(of.level.into(), &of.name), &of.figures));
    let flows = group.shown_flows(scenario).iter();
    let flows = flows.map(|of| (flow_name(of.flow, &of.name), &of.figures));
    let share = |share| percent(share, 1);
    html! {
        <div class="replications-group" data-condition={format!("{:?}", group.condition).to_lowercase()}>
            <h3><span class="condition-sign" aria-hidden="true">{words.sign}</span>
                {fill(t.runs_of_condition, &[&words.word, &number(group.runs as u64), &number(runs as u64)])}</h3>
            if matches!(group.condition, Condition::Saturated | Condition::Unsettled) { {hint(words.about)} }
            <dl class="counts">
                if let Some(run_time) = group.run_time_ns {
                    {row(("run-time", t.quantity_run_time, figure(run_time, 0)))}
                }
                {for figures.into_iter().map(row)}
            </dl>
            if let Some(wide @ 1..) = group.wide {
                {hint(fill(t.wide_runs, &[&percent(scenario.measure.half_width, 2), &number(wide as u64)]))}
            }
            if let Some(coverage) = &group.coverage {
                {hint(fill(t.intervals_of_runs_hold, &[&share(coverage.accepted), &share(coverage.network_latency), &share(coverage.total_latency)]))}
            }
            {parts(t.service_level, t.table_levels, group, levels.collect())}
            {parts(t.column_flow, t.table_flows, group, flows.collect())}
        </div>
    }
}

/// A mean with its half-width, if it has one, and so many decimals at least.
fn figure(interval: Interval, decimals: usize) -> Html {
    let places = interval.decimals(decimals) as u32;
    let half_width = interval.half_width.map(|width| format!("± {}", decimal(width, places)));
    html! {
        <>{decimal(interval.mean, places)}if let Some(width) = half_width { <small class="plus-minus">{width}</small> }</>
    }
}

/// The same of an interval that may be missing.
fn known(interval: Option<Interval>, decimals: usize) -> Html {
    interval.map_or_else(|| "–".into(), |interval| figure(interval, decimals))
}

/// A table of the service levels or flows of a group, by name; nothing of none.
fn parts(
    what: &'static str,
    title: &'static str,
    group: &Group,
    parts: Vec<(String, &PartOverRuns)>,
) -> Html {
    let t = text();
    if parts.is_empty() {
        return Html::default();
    }
    let has_frames = parts.iter().any(|(_, figures)| figures.frame_latency_ns.is_some());
    let row = |(name, figures): (String, &PartOverRuns)| {
        let of_some = group.some_with_latency(figures);
        html! {
            <tr>
                <th scope="row">{name}
                    if let Some(runs) = of_some { <small class="plus-minus">{counted(t.latencies_of_runs, runs)}</small> }</th>
                <td>{known(figures.accepted_flits_per_cycle_per_host, 4)}</td>
                <td>{known(figures.network_latency_ns, 0)}</td>
                <td>{known(figures.total_latency_ns, 0)}</td>
                <td>{known(figures.total_latency_p99_ns, 0)}</td>
                if has_frames { <td>{known(figures.frame_latency_ns, 0)}</td> }
            </tr>
        }
    };
    // Several groups may have such a table.
    let title = format!("{title}: {}", condition_words(group.condition).word);
    html! {
        <div class="table-scroll" tabindex="0" role="region" aria-label={title}>
            <table class="results-table">
                <thead><tr>
                    <th scope="col" class="words">{what}</th>{column(t.quantity_accepted_per_host)}
                    {column(t.quantity_network_latency)}{column(t.quantity_total_latency)}
                    {column(t.quantity_total_p99)}
                    if has_frames { {column(t.quantity_frame_latency)} }
                </tr></thead>
                <tbody>{for parts.into_iter().map(row)}</tbody>
            </table>
        </div>
    }
}

fn table_of_runs(runs: &[Replication]) -> Html {
    let t = text();
    let row = |run: &Replication| {
        let words = condition_words(run.condition);
        let known = |figure: Option<f64>, places| {
            figure.map_or("–".into(), |figure| decimal(figure, places))
        };
        html! {
            <tr>
                <th scope="row">{number(run.seed)}</th>
                <td class="words">{format!("{} {}", words.sign, words.word)}</td>
                <td>{known(run.accepted_flits_per_cycle_per_host, 4)}</td>
                <td>{known(run.network_latency_ns, 0)}</td>
                <td class="words"><code>{&run.fingerprint}</code></td>
            </tr>
        }
    };
    html! {
        <div class="table-scroll" tabindex="0" role="region" aria-label={t.replications}>
            <table class="results-table" id="replications-runs">
                <thead><tr>
                    <th scope="col" class="words">{t.seed}</th><th scope="col" class="words">{t.how_it_went}</th>
                    {column(t.quantity_accepted_per_host)}{column(t.quantity_network_latency)}
                    <th scope="col" class="words">{t.fingerprint}</th>
                </tr></thead>
                <tbody>{for runs.iter().map(row)}</tbody>
            </table>
        </div>
    }
}
