//! How the network was used: messages by distance, and channels by utilisation and blocked time.

use super::chart::{BarShown, Chart};
use crate::panels::parts::{heading, hint};
use crate::protocol::ShownResults;
use crate::text::{counted, decimal, duration, fill, number, percent, text};
use hopscope_core::measure::{ChannelBar, DistanceReport, Report, Spread};
use yew::prelude::*;

/// Messages by the distance between the switches of source and destination.
pub fn distances(shown: &ShownResults) -> Html {
    let t = text();
    let Some(farthest) = shown.distances.iter().map(|row| row.links).max() else {
        return Html::default();
    };
    let all: u64 = shown.distances.iter().map(|row| row.delivered).sum();
    let bar = |links: usize| {
        let row = shown.distances.iter().find(|row| row.links == links);
        let about = |row: &DistanceReport| {
            let share = percent(row.delivered as f64 / all.max(1) as f64, 1);
            let latency = duration(row.network_latency_ns);
            let links = counted(t.n_links_apart, links);
            let itbs = decimal(row.itbs_per_message, 2);
            fill(t.distance_bar, &[&links, &number(row.delivered), &share, &latency, &itbs])
        };
        BarShown {
            value: row.map_or(0.0, |row| row.delivered as f64),
            line: None,
            about: row.map_or(counted(t.n_links_apart, links) + ": 0", about),
        }
    };
    let bars: Vec<BarShown> = (0..=farthest).map(bar).collect();
    let mut axis = vec![counted(t.n_links_apart, 0), counted(t.n_links_apart, farthest)];
    axis.dedup();
    html! {
        <>
            {heading(t.distances_title)}
            <Chart id="distance-histogram" label={t.distances_title} {bars} top={None::<f64>} {axis} hint={t.chart_hint} />
        </>
    }
}

/// Channels by falling utilisation, with a line for the time they were blocked.
pub fn channels(shown: &ShownResults) -> Html {
    let t = text();
    let mut first = 1;
    let bar = |bar: &ChannelBar| {
        let last = first + bar.channels - 1;
        let which = if first == last { first.to_string() } else { format!("{first}–{last}") };
        first = last + 1;
        let (busy, blocked) = (percent(bar.utilisation, 1), percent(bar.blocked, 1));
        BarShown {
            value: bar.utilisation,
            line: Some(bar.blocked),
            about: fill(t.channel_bar, &[&which, &busy, &blocked]),
        }
    };
    let bars: Vec<BarShown> = shown.channels.iter().map(bar).collect();
    let all: u32 = shown.channels.iter().map(|bar| bar.channels).sum();
    let report = &shown.report;
    let axis = vec![t.busiest.to_owned(), fill(t.n_channels, &[&number(all.into())])];
    html! {
        <>
            {heading(t.channels_title)}
            <Chart id="channel-chart" label={t.channels_title} {bars} top={Some(1.0)} {axis} hint={t.chart_hint} />
            <p class="hint"><span class="key bar"></span>{t.utilisation}{" · "}<span class="key line"></span>{t.blocked_time}</p>
            {for between_switches(report).map(hint)}
        </>
    }
}

/// Utilisation and blocked time of the channels between switches; `None` if there are none.
fn between_switches(report: &Report) -> Option<String> {
    let shares = |spread: Spread| [spread.mean, spread.max].map(|share| percent(share, 1));
    let [busy, busiest] = shares(report.channel_utilisation?);
    let [blocked, most_blocked] = shares(report.channel_blocked?);
    Some(fill(text().between_switches, &[&busy, &busiest, &blocked, &most_blocked]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::Scenario;
    use hopscope_core::simulation::Simulation;

    #[test]
    fn nothing_is_said_of_channels_between_switches_where_there_are_none() {
        let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single" } } }"#;
        let scenario = Scenario::parse(text).expect("right");
        let report = Simulation::new(&scenario).expect("right").report();
        assert_eq!(between_switches(&report), None);
    }
}
