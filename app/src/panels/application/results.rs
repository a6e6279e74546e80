//! What an application came to: run time, ranks, where the time of the critical path went.

use super::path::switch;
use crate::action::Action;
use crate::panels::parts::{column, heading, hint, link_button};
use crate::panels::view::View;
use crate::protocol::ShownApplication;
use crate::state::{Pin, ResultsAction};
use crate::text::{catalogue, duration, fill, number, percent, text};
use hopscope_core::simulation::{ChannelWait, PathSummary, RankWait};
use std::fmt::Display;
use yew::prelude::*;

/// How far the application has come, for the panel Watch; nothing without one.
pub fn progress(view: View) -> Html {
    let t = text();
    let run = &view.state.run;
    let Some(found) = run.stats.application else { return Html::default() };
    let ranks = |count: u32| fill(t.n_of_n, &[&number(count.into()), &number(found.ranks.into())]);
    let time = match found.run_time_ns {
        Some(ns) => duration(ns),
        None => t.runs_still.to_owned(),
    };
    let (max, value) = (found.operations.to_string(), found.complete.to_string());
    html! {
        <section class="card" aria-label={t.application} id="application-progress">
            <div class="figure">
                <span class="figure-name">{t.run_time}<small>{name(view)}</small></span>
                <span class="figure-value"><strong id="run-time">{time}</strong></span>
            </div>
            <progress {max} {value} aria-label={t.operations_complete}></progress>
            <dl class="counts">
                <div><dt>{t.ranks_finished}</dt><dd data-count="ranks-finished">{ranks(found.finished)}</dd></div>
                <div><dt>{t.ranks_waiting}</dt><dd data-count="ranks-waiting">{ranks(found.waiting)}</dd></div>
            </dl>
        </section>
    }
}

/// The kind of the application, with its algorithm if one is chosen.
fn name(view: View) -> String {
    let Some(spec) = &view.state.scenario().application else { return String::new() };
    let word = hopscope_core::application::word(spec.kind);
    catalogue::name(catalogue::family("applications"), catalogue::member("applications", word))
        .into()
}

/// The cards of the panel Results.
pub fn cards(view: View, shown: &ShownApplication) -> Html {
    let t = text();
    let summary = &shown.summary;
    let time = summary.run_time_ns;
    let (class, sign) = if summary.finished { ("good", "✓") } else { ("doubtful", "…") };
    let word = if summary.finished { t.application_finished } else { t.application_runs };
    let class = classes!("card", "run-condition", class);
    let finished = summary.finished.to_string();
    let [ranks_finished, ranks] = [summary.ranks_finished, summary.ranks].map(|n| number(n as u64));
    let last = &summary.last;
    let columns = [t.column_rank, t.column_host, t.column_waited, t.column_waited_for];
    html! {
        <>
            <section {class} id="application-results" data-finished={finished}>
                <h2><span class="condition-sign" aria-hidden="true">{sign}</span>{word}</h2>
                <dl class="counts">
                    <div data-figure="run-time"><dt>{t.run_time}</dt><dd>{duration(time)}</dd></div>
                    if let Some(idle) = shown.idle_ns {
                        <div data-figure="idle-time"><dt>{t.idle_time}</dt><dd>{duration(idle)}</dd></div>
                    }
                    <div data-figure="ranks-finished">
                        <dt>{t.ranks_finished}</dt><dd>{fill(t.n_of_n, &[&ranks_finished, &ranks])}</dd>
                    </div>
                    <div><dt>{t.ranks_waited}</dt><dd>{percent(summary.waiting_share, 1)}</dd></div>
                </dl>
                if summary.finished {
                    <p id="ended-last">{fill(t.ended_last, &[&last.rank, &last.host, &duration(last.finished_ns)])}</p>
                }
                if let Some(idle) = shown.idle_ns.filter(|_| summary.finished) {
                    {hint(fill(if time < idle { t.less_than_idle } else { t.more_than_idle }, &[&percent((time / idle.max(f64::MIN_POSITIVE) - 1.0).abs(), 1)]))}
                }
            </section>
            {for summary.path.as_ref().map(|path| critical_path(view, path, time))}
            <section class="card" id="ranks">
                {heading(t.ranks_title)}
                if let Some(sentence) = summary.waited.first().and_then(|first| waited_for(first, time)) {
                    <p id="waited-most">{sentence}</p>
                }
                <div class="table-scroll" tabindex="0" role="region" aria-label={t.ranks_title}>
                    <table class="inside-table">
                        <thead><tr>{for columns.map(column)}</tr></thead>
                        <tbody>{for summary.waited.iter().map(|one| row(view, one, time))}</tbody>
                    </table>
                </div>
                {hint(t.waited_about)}
            </section>
        </>
    }
}

/// Where the time of the critical path went.
fn critical_path(view: View, path: &PathSummary, time: f64) -> Html {
    let t = text();
    let share = |ns: f64| percent(ns / time.max(f64::MIN_POSITIVE), 1);
    html! {
        <section class="card" id="critical-path">
            {heading(t.critical_path)}
            {hint(t.critical_path_about)}
            <dl class="counts">
                <div><dt>{t.path_messages}</dt><dd>{share(path.messages_ns)}</dd></div>
                <div><dt>{t.path_sending}</dt><dd>{share(path.sending_ns)}</dd></div>
                <div><dt>{t.path_computing}</dt><dd>{share(path.computing_ns)}</dd></div>
            </dl>
            if let Some(wait) = &path.busiest {
                <p id="busiest-on-path">
                    {t.busiest_on_path}{" "}{channel(view, wait)}{" "}
                    {fill(t.of_path, &[&percent(wait.share, 0)])}
                </p>
            }
            {switch(view)}
        </section>
    }
}

/// For how long a rank waited, and for which channel, as a sentence.
fn waited_for(wait: &RankWait, time: f64) -> Option<String> {
    let ChannelWait { channel, share } = wait.channel.as_ref()?;
    let waited = percent(wait.rank.waiting_ns / time.max(f64::MIN_POSITIVE), 0);
    let part = percent(*share, 0);
    let values: [&dyn Display; 5] = [&wait.rank.rank, &waited, &channel.from, &channel.to, &part];
    Some(fill(text().rank_waited, &values))
}

fn row(view: View, wait: &RankWait, time: f64) -> Html {
    let rank = &wait.rank;
    let host = rank.host;
    let select = view.on(move || Action::Results(ResultsAction::Select(Pin::Host(host))));
    html! {
        <tr>
            <th scope="row">{rank.rank}</th>
            <td>{link_button(host.to_string(), select)}</td>
            <td>{percent(rank.waiting_ns / time.max(f64::MIN_POSITIVE), 1)}</td>
            <td>{for wait.channel.iter().map(|wait| channel(view, wait))}</td>
        </tr>
    }
}

/// The name of a channel; a click selects it on the stage.
fn channel(view: View, wait: &ChannelWait) -> Html {
    let channel = wait.channel.channel;
    let name = format!("{} → {}", wait.channel.from, wait.channel.to);
    link_button(
        name,
        view.on(move || Action::Results(ResultsAction::Select(Pin::Channel(channel)))),
    )
}
