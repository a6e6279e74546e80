//! The headline of the results: how the run went in words, accepted traffic with its confidence
//! intervals, and what is needed to repeat the run.

use crate::command::Command;
use crate::panels::parts::{heading, hint};
use crate::panels::view::View;
use crate::panels::watch;
use crate::panels::words::{ConditionWords, condition_words};
use crate::protocol::ShownResults;
use crate::text::{
    catalogue, counted, decimal, duration, exact_percent, fill, flow_name, message, number,
    percent, short, text,
};
use hopscope_core::measure::{AdmissionReport, Condition, Fairness, Report};
use hopscope_core::scenario::{MEASURE, MeasureSpec};
use hopscope_core::simulation::reason_message;
use yew::prelude::*;

/// The cards.
pub fn view(view: View, shown: &ShownResults) -> Html {
    let t = text();
    let report = &shown.report;
    html! {
        <>
            if shown.application.is_none() || shown.report.condition == Condition::Deadlocked || shown.report.condition == Condition::Stopped {
                {condition(view, shown)}
            }
            if counts_anything(shown) {
                <section class="card" id="accepted-traffic">
                    {heading(t.accepted)}
                    {accepted(report)}
                    {silent_flows(view, shown)}
                    if shown.application.is_none() { {confidence(view, shown)} }
                </section>
            }
        </>
    }
}

/// The flows that sent nothing, whose share of the figures is missing.
fn silent_flows(view: View, shown: &ShownResults) -> Html {
    let flows = &view.state.scenario().traffic;
    let named = shown.silent_flows.iter().filter_map(|&flow| Some((flow, flows.get(flow)?)));
    let names: Vec<String> = named.map(|(flow, spec)| flow_name(flow, &spec.name)).collect();
    if names.is_empty() {
        return Html::default();
    }
    html! { <p class="hint" id="silent-flows">{fill(text().silent_flows, &[&names.join(", ")])}</p> }
}

/// False during the warm-up, when every figure would be zero.
pub fn counts_anything(shown: &ShownResults) -> bool {
    let report = &shown.report;
    let counts = |rate: Option<f64>| rate.is_some_and(|rate| rate > 0.0);
    shown.measured
        || counts(report.offered_flits_per_cycle_per_host)
        || counts(report.accepted_flits_per_cycle_per_host)
}

/// How the run went: a sign, a word and a sentence, so that colour is not the only cue.
fn condition(view: View, shown: &ShownResults) -> Html {
    let t = text();
    let report = &shown.report;
    let ConditionWords { class, sign, word, about } = condition_words(report.condition);
    let measure = &view.state.scenario().measure;
    let is_over = shown.measured || view.state.run.stats.ended.is_some();
    let why = Some(report).filter(|_| is_over).and_then(|report| why_incomplete(measure, report));
    let about = why.unwrap_or_else(|| about.to_owned());
    let reasons = report.reasons.iter().map(|reason| message(&reason_message(*reason)));
    let reasons = reasons.collect::<Vec<_>>().join("; ");
    let reasons = (!reasons.is_empty()).then(|| html! { <p>{fill(t.reasons, &[&reasons])}</p> });
    let progress = (!is_over).then(|| {
        let words = if counts_anything(shown) { t.results_so_far } else { t.results_warming_up };
        let so_far = fill(words, &[&number(report.cycles.saturating_sub(1))]);
        let messages = measure.warmup_messages + measure.messages;
        let cycles = measure.warmup_cycles + measure.cycles;
        let delivered = number(report.messages.delivered);
        // These two end the warm-up earlier, or the measurement later.
        let is_open = measure.find_warmup || measure.half_width > 0.0;
        let wanted = if is_open {
            fill(t.results_delivered, &[&delivered])
        } else if messages > 0 {
            fill(t.results_of_messages, &[&delivered, &number(messages)])
        } else {
            fill(t.results_of_cycles, &[&number(cycles)])
        };
        format!("{so_far} {wanted}")
    });
    html! {
        <section class={classes!("card", "run-condition", class)} id="run-condition" data-measured={shown.measured.to_string()}>
            <h2><span class="condition-sign" aria-hidden="true">{sign}</span>{word}</h2>
            if let Some(progress) = progress {
                <p>{progress}</p>
                {measure_button(view)}
                if report.condition != Condition::Incomplete { {hint(about)} {reasons} }
            } else {
                <p>{about}</p>
                {reasons}
            }
        </section>
    }
}

/// What the panel calls a field of the measurement.
fn field_name(id: &str) -> &'static str {
    catalogue::label_of("measurements", MEASURE.id, id)
}

/// Why a run that is over has not counted all messages.
fn why_incomplete(measure: &MeasureSpec, report: &Report) -> Option<String> {
    let t = text();
    match report.condition {
        Condition::Incomplete if report.traffic_ended => Some(t.traffic_ended.to_owned()),
        Condition::Incomplete if measure.is_last_cycle(report.cycles) => {
            Some(fill(t.last_cycle_reached, &[&field_name("max_cycles")]))
        }
        _ => None,
    }
}

/// Which bound ended a run whose intervals are wider than asked for, and the field that has it.
fn why_wide(measure: &MeasureSpec, shown: &ShownResults) -> Option<String> {
    let t = text();
    let Report { condition, traffic_ended, .. } = &shown.report;
    if *traffic_ended || matches!(condition, Condition::Deadlocked | Condition::Stopped) {
        None
    } else if measure.is_last_cycle(shown.report.cycles) {
        Some(fill(t.wide_at_last_cycle, &[&field_name("max_cycles")]))
    } else {
        shown.measured.then(|| fill(t.wide_after_all_messages, &[&field_name("max_messages")]))
    }
}

/// Runs to the end of measuring, or pauses on the way there.
fn measure_button(view: View) -> Html {
    let t = text();
    let (name, command) = match view.state.run.stats.measuring {
        true => (t.pause, Command::PlayPause),
        false => (t.measure_it, Command::Measure),
    };
    html! {
        <button class="button" id="measure" title={t.measure_to_end} onclick={view.on_command(command)}>{name}</button>
    }
}

/// Accepted traffic in every unit, with the half-width of its confidence interval.
fn accepted(report: &Report) -> Html {
    let t = text();
    let per_host = report.accepted_flits_per_cycle_per_host;
    // The half-width relative to the mean, which is the same in every unit.
    let relative = report.confidence.zip(per_host.filter(|&rate| rate > 0.0));
    let relative = relative.map(|(found, per_host)| found.accepted / per_host);
    let rate = |value: Option<f64>, written: fn(f64) -> String| {
        let half_width = value.zip(relative).map(|(value, relative)| written(relative * value));
        html! {
            <dd>{value.map_or("–".to_owned(), written)}
                if let Some(half_width) = half_width { <small class="plus-minus">{format!("± {half_width}")}</small> }</dd>
        }
    };
    let rows = [
        ("per-switch", t.flits_per_ns_switch, report.accepted_flits_per_ns_per_switch),
        ("per-host", t.flits_per_cycle_host, per_host),
        ("gbps", t.gbps_per_host, report.accepted_gbps_per_host),
    ];
    let row = |(id, unit, value): (&'static str, &'static str, Option<f64>)| {
        html! { <div data-figure={id}><dt>{unit}</dt>{rate(value, figure)}</div> }
    };
    let share = rate(report.accepted_share_of_link, |share| percent(share, 2));
    let of_offered = report.offered_flits_per_cycle_per_host.zip(per_host);
    let of_offered = of_offered.filter(|&(offered, _)| offered > 0.0).map(|(offered, accepted)| {
        hint(fill(t.of_offered, &[&figure(offered), &percent(accepted / offered, 1)]))
    });
    html! {
        <>
            <dl class="counts">
                {for rows.into_iter().map(row)}
                <div data-figure="share-of-link"><dt>{t.share_of_link}</dt>{share}</div>
            </dl>
            {for of_offered}
            if let Some(AdmissionReport { asked, admitted, refused }) = report.admission {
                <p class="hint" id="admission-result">{fill(t.connections_admitted, &[&number(asked), &number(admitted), &number(refused)])}</p>
            }
        </>
    }
}

/// A number; below 0.1 with three significant digits.
pub fn figure(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.1 {
        let places = (2.0 - value.abs().log10().floor()).clamp(4.0, 9.0);
        decimal(value, places as u32)
    } else {
        short(value)
    }
}

/// What the intervals are, and whether they are as narrow as was asked for. The latency of a
/// saturated network grows as long as it runs: it has none.
fn confidence(view: View, shown: &ShownResults) -> Html {
    let (t, report) = (text(), &shown.report);
    let Some(found) = &report.confidence else {
        return hint(t.no_intervals);
    };
    let measure = &view.state.scenario().measure;
    let asked = measure.half_width;
    let is_over = shown.measured || view.state.run.stats.ended.is_some();
    let why_wide = (is_over && found.reached == Some(false)).then(|| why_wide(measure, shown));
    let latency = |name, mean, width| {
        let relative = if mean > 0.0 { width / mean } else { 0.0 };
        html! { <div><dt>{name}</dt><dd>{duration(mean)}<small class="plus-minus">{format!("± {}", percent(relative, 1))}</small></dd></div> }
    };
    let level = exact_percent(found.level);
    html! {
        <>
            if let (Some(network), Some(total)) = (found.network_latency_ns, found.total_latency_ns) {
                <dl class="counts intervals">
                    {latency(t.network_latency, report.network_latency_ns.mean, network)}
                    {latency(t.total_latency, report.total_latency_ns.mean, total)}
                </dl>
            }
            {hint(fill(t.intervals_about, &[&level, &found.batches]))}
            if found.periods_too_long {
                <p class="hint" id="long-periods">{t.long_periods}</p>
            } else if found.latency_too_narrow {
                <p class="hint" id="narrow-intervals">{t.narrow_intervals}</p>
            }
            if let Some(reached) = found.reached {
                <p id="half-width" class={if reached { "reached" } else { "missed" }}>
                    <span class="condition-sign" aria-hidden="true">{if reached { "✓" } else { "✕" }}</span>
                    {fill(if reached { t.half_width_reached } else { t.half_width_missed }, &[&percent(found.relative, 2), &percent(asked, 2)])}
                    if let Some(why) = why_wide.flatten() { {" "}{why} }
                </p>
            }
        </>
    }
}

/// What the run was, and what repeats it.
pub fn repeat(view: View, shown: &ShownResults) -> Html {
    let t = text();
    let report = &shown.report;
    let messages = |count: u64| counted(t.n_messages, count as usize);
    let warm_up = match report.is_measured() {
        true => {
            fill(t.warm_up_was, &[&number(report.warmup.cycles), &messages(report.warmup.messages)])
        }
        false => t.warm_up_is_all.to_owned(),
    };
    let transient = report
        .warmup
        .transient_ended
        .map(|ended| if ended { t.transient_ended } else { t.transient_went_on });
    let Fairness { hosts, flows, levels } = report.fairness;
    let among = [(t.fair_to_hosts, hosts), (t.fair_to_flows, flows), (t.fair_to_levels, levels)];
    let fairness = among.into_iter().filter_map(|(name, index)| {
        let index = decimal(index?, 3);
        Some(html! { <div title={t.about_fairness}><dt>{name}</dt><dd>{index}</dd></div> })
    });
    let of_memory = [
        (t.column_itb_memory, report.itb_memory_peak_bytes, " B"),
        (t.without_itb_memory, report.itb_overflows, ""),
    ];
    let of_memory = of_memory.into_iter().filter(|(_, figure, _)| *figure > 0).map(
        |(name, figure, unit)| html! { <div><dt>{name}</dt><dd>{number(figure)}{unit}</dd></div> },
    );
    html! {
        <section class="card" id="repeat">
            {heading(t.this_run)}
            <dl class="counts">
                <div><dt>{t.warm_up}</dt><dd class="wraps">{warm_up}</dd></div>
                <div><dt>{t.measured_for}</dt><dd>{fill(t.n_cycles, &[&number(report.measured_cycles)])}</dd></div>
                <div><dt>{t.delivered}</dt><dd>{number(report.messages.delivered)}</dd></div>
                <div><dt>{t.dropped}</dt><dd>{number(report.messages.dropped)}</dd></div>
                <div><dt>{t.itbs_per_message}</dt><dd>{report.itbs_per_message.map_or("–".to_owned(), short)}</dd></div>
                {for of_memory}
                {for fairness}
                <div><dt>{t.seed}</dt><dd>{number(shown.seed)}</dd></div>
                <div><dt>{t.version}</dt><dd>{&shown.version}</dd></div>
                <div><dt>{t.fingerprint}</dt><dd class="fingerprint">{watch::digits(view, "results-fingerprint")}</dd></div>
            </dl>
            {hint(watch::fingerprint_of(view))}
            if let Some(transient) = transient { {hint(transient)} }
        </section>
    }
}
