//! Reading ahead. Thousands of ports and packets do not fit the cache, and what an event needs is found one thing after
//! another. So before the events of a cycle are handled, what they are about is read for all of them together: the processor
//! waits for many of these reads at a time. Nothing is done with what is read. Few events are those of a small network, whose ports are in
//! the cache anyway.

use super::{CutThrough, MASK};
use std::hint::black_box;

/// So many are worth it.
const MANY: usize = 24;

/// Reads something of each.
#[inline]
fn read<T>(events: &[u32], mut of: impl FnMut(usize) -> T) {
    events.iter().for_each(|&event| {
        black_box(of((event & MASK) as usize));
    });
}

impl CutThrough {
    /// Packets about to become candidates: where they are and where they want to go.
    pub(super) fn touch_candidates(&self, events: &[u32]) {
        if events.len() < MANY {
            return;
        }
        read(events, |packet| self.packets[packet].at);
        read(events, |packet| {
            let p = &self.packets[packet];
            let lane = p.out as usize * self.plan.lanes + p.lane as usize;
            self.sources[p.at as usize].nonempty
                ^ self.targets[p.target as usize].source
                ^ self.senders[p.out as usize].nonempty
                ^ self.lanes[lane].ready_at
        });
    }

    /// Senders about to be looked at, and what they may send.
    pub(super) fn touch_senders(&self, events: &[u32]) {
        if events.len() < MANY {
            return;
        }
        let lane = |channel: usize| {
            let first = self.senders[channel].nonempty.trailing_zeros() as usize;
            &self.lanes[channel * self.plan.lanes + first % self.plan.lanes]
        };
        read(events, |channel| (self.senders[channel].nonempty, self.schedulers[channel].touch()));
        read(events, |channel| lane(channel).ready_at);
        read(events, |channel| self.packets.get(lane(channel).queue.head as usize).map(|p| p.next));
    }
}
