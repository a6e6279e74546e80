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

/// The spans of a rank at a coarser resolution: time up to `until` is cut into `slices` equal parts,
/// and each is a span of what the rank did for longest in it. A slice in which it did nothing for
/// longer than anything else is none.
pub fn coarse(spans: &[Span], until: Cycle, slices: u32) -> Vec<Span> {
    let count = u128::from(slices.max(1));
    let edge = |slice: u128| (u128::from(until) * slice / count) as Cycle;
    let mut coarse = Vec::<Span>::new();
    let mut first = 0;
    for slice in 0..count {
        let (from, end) = (edge(slice), edge(slice + 1));
        while first < spans.len() && spans[first].until <= from {
            first += 1;
        }
        let mut times = [0; 3];
        for span in spans[first..].iter().take_while(|span| span.from < end) {
            times[span.activity as usize] += span.until.min(end) - span.from.max(from);
        }
        let nothing = end - from - times.iter().sum::<Cycle>();
        // Of equal times, the one that counts most.
        let longest = Activity::ALL.into_iter().rev().max_by_key(|one| times[*one as usize]);
        let longest = longest.filter(|one| times[*one as usize] > nothing);
        longest.into_iter().for_each(|activity| add(&mut coarse, activity, from, end));
    }
    coarse
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
    fn a_slice_is_what_the_rank_did_for_longest_in_it() {
        let spans = [(Computing, 0, 6), (Sending, 6, 9), (Waiting, 9, 12), (Waiting, 31, 40)];
        let spans = spans.map(span);
        // Slices of ten: 6 of computing; 2 of waiting and 8 of nothing; nothing; 9 of waiting.
        let expected = [(Computing, 0, 10), (Waiting, 30, 40)].map(span);
        assert_eq!(coarse(&spans, 40, 4), expected);
        // Slices as short as the spans keep them, and neighbours that are equal become one.
        assert_eq!(coarse(&spans, 40, 40), spans);
        assert_eq!(coarse(&[span((Sending, 0, 40))], 40, 7), [span((Sending, 0, 40))]);
        // Of equal times, computing counts most.
        let halves = [(Waiting, 0, 5), (Computing, 5, 10)].map(span);
        assert_eq!(coarse(&halves, 10, 1), [span((Computing, 0, 10))]);
        assert_eq!(coarse(&[], 0, 3), []);
    }
}
