//! Reading ahead. Thousands of ports and packets do not fit the cache, and what an event needs is found one thing after
//! another. So before the events of a cycle are handled, what they are about is read for many of them together: the processor
//! waits for many of these reads at a time. Nothing is done with what is read. Few events are those of a small network, whose ports are in
//! the cache anyway.

use super::{BITS, CutThrough, Driver, KINDS, Kind, MASK};
use std::hint::black_box;

/// So many are read, then handled: the first must not have left the cache again when the last is there.
pub(super) const AT_ONCE: usize = 64;
/// So many are worth it.
const MANY: usize = 8;

/// Reads something of each.
#[inline]
fn read<T: Copy, R>(all: &[T], mut of: impl FnMut(T) -> R) {
    all.iter().for_each(|&one| {
        black_box(of(one));
    });
}

/// Reads something of what each event is about.
#[inline]
fn read_about<R>(events: &[u32], mut of: impl FnMut(usize) -> R) {
    read(events, |event| of((event & MASK) as usize));
}

impl CutThrough {
    /// Packets about to become candidates: where they are and where they want to go.
    pub(super) fn touch_candidates(&self, events: &[u32]) {
        if events.len() < MANY {
            return;
        }
        read_about(events, |packet| self.packets[packet].at);
        read_about(events, |packet| {
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
        read_about(events, |channel| (self.senders[channel].nonempty, self.schedulers[channel].touch()));
        read_about(events, |channel| self.packets.get(lane(channel).queue.head as usize).map(|p| p.next));
    }

    /// Packets that have reached their destination, with their messages, and traffic sources that are due.
    pub(super) fn touch_others<D: Driver>(&self, events: &[u32], driver: &D) {
        if events.len() < MANY {
            return;
        }
        let received = |event: u32| {
            let is_received = KINDS[(event >> BITS) as usize] == Kind::Receive;
            is_received.then(|| &self.packets[(event & MASK) as usize])
        };
        read(events, |event| match KINDS[(event >> BITS) as usize] {
            Kind::Receive => self.packets[(event & MASK) as usize].message,
            Kind::Generate => driver.touch_source(event & MASK),
            _ => 0,
        });
        read(events, |event| {
            let p = received(event)?;
            Some(self.messages[p.message as usize].packets ^ self.sources[p.at as usize].delay)
        });
    }
}
