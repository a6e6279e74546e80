//! What the ranks of an application did over time, as a chart shows it: at most so many ranks, and
//! at most so many spans or slices of each.

use super::Simulation;
use crate::engine::Cycle;
use hopscope_application::{Activity, Replay, Span, Step, slices};
use std::collections::BTreeSet;

/// What some ranks did over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    /// Whether all operations of all ranks are complete.
    pub finished: bool,
    /// Cycles from the start of the application to now, or to its end.
    pub until: Cycle,
    /// Number of ranks of the application.
    pub ranks: usize,
    /// The ranks shown, by number.
    pub rows: Vec<TimelineRow>,
}

/// What a rank did over time.
#[derive(Debug, Clone, PartialEq)]
pub struct TimelineRow {
    /// The rank.
    pub rank: u32,
    /// Its host.
    pub host: u32,
    /// Cycles in which it computed, sent and waited, in the order of [`Activity::ALL`].
    pub times: [Cycle; 3],
    /// Its spans, in order; none if there are too many.
    pub spans: Vec<Span>,
    /// The [`slices`] of its time if there are too many spans; else none.
    pub slices: Vec<[Cycle; 3]>,
}

impl Simulation {
    /// What ranks did over time: of at most `most_ranks`, with at most `most_spans` spans or as
    /// many slices each. Where there are more ranks, those that are shown are evenly spread; once
    /// the application has finished, up to half of them are those on the end of the critical path.
    /// `None` if the run has no application.
    pub fn timeline(&self, most_ranks: usize, most_spans: u32) -> Option<Timeline> {
        let application = self.driver.application.as_ref()?;
        let replay = application.replay();
        let start = self.scenario.application.as_ref()?.start_cycle;
        let ranks = chosen_ranks(replay, most_ranks);
        let now = self.now() + 1;
        let until = match replay.is_finished() {
            true => replay.run_time(),
            false => now.saturating_sub(start),
        };
        let spans = replay.timeline(&ranks, now);
        let row = |(rank, spans): (u32, Vec<Span>)| {
            let times = Activity::ALL.map(|activity| {
                let own = spans.iter().filter(|span| span.activity == activity);
                own.map(|span| span.until - span.from).sum()
            });
            let (spans, slices) = match spans.len() > most_spans as usize {
                true => (Vec::new(), slices(&spans, until, most_spans)),
                false => (spans, Vec::new()),
            };
            TimelineRow { rank, host: application.hosts()[rank as usize], times, spans, slices }
        };
        Some(Timeline {
            finished: replay.is_finished(),
            until,
            ranks: replay.progress().ranks,
            rows: ranks.into_iter().zip(spans).map(row).collect(),
        })
    }
}

/// All ranks, or `most` of them.
fn chosen_ranks(replay: &Replay, most: usize) -> Vec<u32> {
    let ranks = replay.progress().ranks;
    if ranks <= most {
        return (0..ranks as u32).collect();
    }
    let mut chosen = BTreeSet::new();
    if replay.is_finished() {
        for step in replay.critical_path().iter().rev() {
            let (Step::Compute { rank, .. }
            | Step::Message { to: rank, .. }
            | Step::Send { rank, .. }) = *step;
            chosen.insert(rank);
            if chosen.len() * 2 >= most {
                break;
            }
        }
    }
    let others: Vec<u32> = (0..ranks as u32).filter(|rank| !chosen.contains(rank)).collect();
    let count = most - chosen.len();
    chosen.extend((0..count).map(|i| others[i * others.len() / count]));
    chosen.into_iter().collect()
}
