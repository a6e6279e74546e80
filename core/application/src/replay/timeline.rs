//! What ranks did over time, from the times of their operations.

use super::{NEVER, Replay};
use crate::program::Action;
use hopscope_scenario::Cycle;

/// What a rank does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Activity {
    /// It computes, whatever else goes on.
    Computing,
    /// It has a send in progress.
    Sending,
    /// It has a receive open and does nothing else.
    Waiting,
}

/// A time in which a rank does one thing. Times are cycles from the start of the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// What it does.
    pub activity: Activity,
    /// When it begins.
    pub from: Cycle,
    /// When it ends.
    pub until: Cycle,
}

impl Activity {
    /// All of them, the one that counts most first.
    pub const ALL: [Activity; 3] = [Activity::Computing, Activity::Sending, Activity::Waiting];
}

/// The spans of a rank at a coarser resolution: for how long it did what, in the order of
/// [`Activity::ALL`], in each of `count` equal slices of the time up to `until`.
pub fn slices(spans: &[Span], until: Cycle, count: u32) -> Vec<[Cycle; 3]> {
    let edge =
        |slice: u32| (u128::from(until) * u128::from(slice) / u128::from(count.max(1))) as Cycle;
    let mut first = 0;
    let slice = |slice: u32| {
        let (from, end) = (edge(slice), edge(slice + 1));
        while first < spans.len() && spans[first].until <= from {
            first += 1;
        }
        let mut times = [0; 3];
        for span in spans[first..].iter().take_while(|span| span.from < end) {
            times[span.activity as usize] += span.until.min(end) - span.from.max(from);
        }
        times
    };
    (0..count).map(slice).collect()
}

/// Adds a span, or makes the last one longer if it goes on.
fn add(spans: &mut Vec<Span>, activity: Activity, from: Cycle, until: Cycle) {
    match spans.last_mut().filter(|last| last.activity == activity && last.until == from) {
        Some(last) => last.until = until,
        None => spans.push(Span { activity, from, until }),
    }
}

impl Replay {
    /// What some ranks did up to time `now`: the spans of each, in order. Between them, a rank
    /// pauses or has nothing left to do.
    pub fn timeline(&self, ranks: &[u32], now: Cycle) -> Vec<Vec<Span>> {
        let mut place = vec![usize::MAX; self.ranks.len()];
        for (i, &rank) in ranks.iter().enumerate() {
            place[rank as usize] = i;
        }
        // Per rank: a time, what begins or ends then, and which of both.
        let mut changes: Vec<Vec<(Cycle, Activity, bool)>> = vec![Vec::new(); ranks.len()];
        for (about, state) in self.program.operations.iter().zip(&self.operations) {
            let activity = match about.action {
                Action::Compute { cpu: Some(_), .. } => Activity::Computing,
                Action::Compute { cpu: None, .. } => continue,
                Action::Send { .. } => Activity::Sending,
                Action::Receive { .. } => Activity::Waiting,
            };
            let until = state.completed.min(now);
            if let Some(changes) = changes.get_mut(place[about.rank as usize])
                && state.started != NEVER
                && state.started < until
            {
                changes.push((state.started - self.start, activity, true));
                changes.push((until - self.start, activity, false));
            }
        }
        changes.into_iter().map(spans).collect()
    }
}

fn spans(mut changes: Vec<(Cycle, Activity, bool)>) -> Vec<Span> {
    changes.sort_unstable();
    let (mut spans, mut open, mut since) = (Vec::<Span>::new(), [0_u32; 3], 0);
    for (time, activity, begins) in changes {
        let now = Activity::ALL.into_iter().find(|&one| open[one as usize] > 0);
        if let Some(activity) = now.filter(|_| time > since) {
            add(&mut spans, activity, since, time);
        }
        since = time;
        let count = &mut open[activity as usize];
        *count = if begins { *count + 1 } else { *count - 1 };
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use Activity::{Computing, Sending, Waiting};

    fn span((activity, from, until): (Activity, Cycle, Cycle)) -> Span {
        Span { activity, from, until }
    }

    #[test]
    fn slices_say_for_how_long_a_rank_did_what() {
        let spans = [(Computing, 0, 6), (Sending, 6, 9), (Waiting, 9, 12), (Waiting, 31, 40)];
        let spans = spans.map(span);
        let expected = [[6, 3, 1], [0, 0, 2], [0, 0, 0], [0, 0, 9]];
        assert_eq!(slices(&spans, 40, 4), expected);
        assert_eq!(slices(&spans, 40, 1), [[6, 3, 12]]);
        // Slices may be of different lengths, but none of the time is lost.
        let uneven = slices(&spans, 40, 7);
        let sum = |i: usize| uneven.iter().map(|times| times[i]).sum::<Cycle>();
        assert_eq!([0, 1, 2].map(sum), [6, 3, 12]);
        assert_eq!(slices(&[], 0, 2), [[0; 3]; 2]);
    }
}
