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
        const ALL: [Activity; 3] = [Activity::Computing, Activity::Sending, Activity::Waiting];
        let now = ALL.into_iter().find(|&one| open[one as usize] > 0);
        if let Some(activity) = now.filter(|_| time > since) {
            match spans.last_mut().filter(|last| last.activity == activity && last.until == since) {
                Some(last) => last.until = time,
                None => spans.push(Span { activity, from: since, until: time }),
            }
        }
        since = time;
        let count = &mut open[activity as usize];
        *count = if begins { *count + 1 } else { *count - 1 };
    }
    spans
}
