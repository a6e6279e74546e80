//! Prefetching for the events of a cycle. Thousands of ports and packets do not fit the cache, and
//! an event reads one after another: the packet, then its input, then its output. So before a
//! chunk of events is handled, the first reads of all of them are prefetched together, then the
//! reads that depend on those. Without it the DTable row of `cargo xtask speed` takes 16 % more
//! time (x86-64).

use super::PacketFabric;
use super::events::{BITS, KINDS, Kind, MASK};
use super::lanes::{QueueId, QueueMask};
use super::switch::Switch;
use crate::engine::prefetch::prefetch;

/// Events prefetched together: few enough that the first lines are still in the cache when the last
/// have arrived.
pub(super) const CHUNK: usize = 64;
/// Smaller chunks belong to small networks, whose state is in the cache anyway.
const MIN_CHUNK: usize = 8;

impl<S: Switch> PacketFabric<S> {
    /// Prefetches what the handlers of `events`, all of `kind`, read first. Events of a kind that
    /// shares its group say their own kind.
    pub(super) fn prefetch_events(&self, kind: Kind, events: &[u32]) {
        if events.len() < MIN_CHUNK {
            return;
        }
        let about = || events.iter().map(|event| event & MASK);
        match kind {
            Kind::CrossingEnds => S::prefetch_crossing_ends(self, about()),
            Kind::Candidate => S::prefetch_candidates(self, about()),
            Kind::PortWakes => {
                about().for_each(|channel| {
                    prefetch(&self.output_ports[channel]);
                    prefetch(&self.schedulers[channel]);
                });
                about().for_each(|channel| {
                    let first = self.output_ports[channel].nonempty.lowest().unwrap_or(QueueId(0));
                    let head = self.queues[self.layout.queue(channel, first)].packets.head;
                    self.packets.get(head as usize).into_iter().for_each(prefetch);
                });
            }
            _ => {
                let arriving = || {
                    let arrives = |event: &&u32| {
                        matches!(KINDS[(**event >> BITS) as usize], Kind::PacketArrives)
                    };
                    events.iter().filter(arrives).map(|event| (event & MASK) as usize)
                };
                arriving().for_each(|packet| prefetch(&self.packets[packet]));
                arriving().for_each(|packet| {
                    let p = &self.packets[packet];
                    prefetch(&self.messages[p.message]);
                    prefetch(&self.upstream[p.at]);
                });
            }
        }
    }
}
