//! Reading ahead. Thousands of ports and packets do not fit the cache, and what an event needs is found one thing after
//! another. So before the events of a cycle are handled, what they are about is asked for many of them together. Few events are
//! those of a small network, whose ports are in the cache anyway. These functions are not inlined: with them, handling a cycle
//! would not be laid out as well (2 % slower, measured).

use super::{BITS, CutThrough, Driver, KINDS, Kind, MASK};
use crate::engine::prefetch::{ahead, ahead_of_all};

/// So many are asked for, then handled: the first must not have left the cache again when the last is there.
pub(super) const AT_ONCE: usize = 64;
/// So many are worth it.
const MANY: usize = 8;

/// Asks for something of what each event is about.
#[inline]
fn ahead_of_events(events: &[u32], of: impl Fn(usize) -> u32) {
    ahead_of_all(events, |event| of((event & MASK) as usize));
}

impl CutThrough {
    /// Sources whose connection has ended, and what they were connected to.
    #[inline(never)]
    pub(super) fn touch_crossed(&self, events: &[u32]) {
        if events.len() < MANY {
            return;
        }
        ahead_of_events(events, |source| ahead(&self.sources[source], |s| s.target));
        ahead_of_events(events, |source| {
            ahead(&self.targets[self.sources[source].target], |target| target.source)
        });
    }

    /// Senders about to be looked at, and what they may send.
    #[inline(never)]
    pub(super) fn touch_senders(&self, events: &[u32]) {
        if events.len() < MANY {
            return;
        }
        let lane = |channel: usize| {
            let first = self.senders[channel].nonempty.trailing_zeros() as usize;
            &self.lanes[channel * self.plan.lanes + first % self.plan.lanes]
        };
        ahead_of_events(events, |channel| {
            ahead(&self.senders[channel], |sender| sender.nonempty)
                ^ ahead(&self.schedulers[channel], |scheduler| {
                    scheduler.in_service().unwrap_or(0) as u32
                })
        });
        ahead_of_events(events, |channel| {
            let packet = self.packets.get(lane(channel).queue.head as usize);
            packet.map_or(0, |packet| ahead(packet, |p| p.next))
        });
    }

    /// Packets about to become candidates: where they are and where they want to go.
    #[inline(never)]
    pub(super) fn touch_candidates(&self, events: &[u32]) {
        if events.len() < MANY {
            return;
        }
        ahead_of_events(events, |packet| ahead(&self.packets[packet], |p| p.at));
        ahead_of_events(events, |packet| {
            let p = &self.packets[packet];
            let lane = p.out as usize * self.plan.lanes + p.lane as usize;
            ahead(&self.sources[p.at], |source| source.nonempty)
                ^ ahead(&self.targets[p.target], |target| target.source)
                ^ ahead(&self.senders[p.out], |sender| sender.nonempty)
                ^ ahead(&self.lanes[lane], |lane| lane.ready_at)
        });
    }

    /// Packets that have reached their destination, with their messages, and traffic sources that are due.
    #[inline(never)]
    pub(super) fn touch_others<D: Driver>(&self, events: &[u32], driver: &D) {
        if events.len() < MANY {
            return;
        }
        let packet = |event: u32| &self.packets[event & MASK];
        ahead_of_all(events, |event| match KINDS[(event >> BITS) as usize] {
            Kind::Receive => ahead(packet(event), |p| p.message),
            Kind::Generate => driver.touch_source(event & MASK),
            _ => 0,
        });
        ahead_of_all(events, |event| match KINDS[(event >> BITS) as usize] {
            Kind::Receive => {
                let p = packet(event);
                ahead(&self.messages[p.message], |message| message.packets)
                    ^ ahead(&self.sources[p.at], |source| source.delay)
            }
            _ => 0,
        });
    }
}
