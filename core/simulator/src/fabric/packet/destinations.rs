//! NICs with a queue for each service level and destination (`nic_queues: destinations`).
//!
//! A queue is *due* if it has a message and no packet of it waits to be sent. The application queue
//! of a level holds the first message of each due queue, in the order in which they became due; all
//! other messages are here. So there is at most one packet of each queue among those that wait to
//! be sent, and queues take turns.

use super::lanes::Lane;
use super::layout::NONE;
use super::queues::Queue;
use super::switch::Switch;
use super::{Kind, PacketFabric};

/// The queues of a NIC that have a message, or of which a packet waits to be sent, in order of
/// level and destination.
#[derive(Debug, Clone, Default)]
pub(super) struct Destinations(Vec<Destination>);

/// What is in one of these queues, without the message that is in the application queue.
#[derive(Debug, Clone, Copy)]
struct Destination {
    level: u8,
    to: u32,
    /// The message of which a packet waits to be sent and the rest has not been taken, or `NONE`.
    begun: u32,
    /// The messages behind.
    behind: Queue,
}

impl Destinations {
    /// Where a queue is, or would be.
    fn find(&self, level: u8, to: u32) -> Result<usize, usize> {
        self.0.binary_search_by_key(&(level, to), |queue| (queue.level, queue.to))
    }

    fn get(&mut self, level: u8, to: u32) -> Option<&mut Destination> {
        self.find(level, to).ok().map(|at| &mut self.0[at])
    }
}

impl<S: Switch> PacketFabric<S> {
    /// A message has been generated; true if its queue becomes due.
    pub(super) fn queue_for_destination(&mut self, message: u32) -> bool {
        let seen = &self.messages[message].seen;
        let (level, to) = (seen.level, seen.to);
        let destinations = &mut self.nics[seen.from].destinations;
        match destinations.find(level, to) {
            Ok(at) => {
                destinations.0[at].behind.push(&mut self.next_message, message);
                false
            }
            Err(at) => {
                let empty = Destination { level, to, begun: NONE, behind: Queue::EMPTY };
                destinations.0.insert(at, empty);
                true
            }
        }
    }

    /// The first message in an application queue of which a packet may be taken.
    pub(super) fn first_that_may_go(&self, queue: usize, injection: u32, lane: Lane) -> u32 {
        let may_go = |&message: &u32| {
            let seen = &self.messages[message].seen;
            let bytes = self.messages[message].rest.min(self.layout.qos.mtu_bytes(seen.level));
            let credits = self.layout.credits_of(bytes);
            S::may_take(self, injection, lane, seen.to as u16, credits)
        };
        self.application(queue).find(may_go).unwrap_or(NONE)
    }

    /// A packet of a message has been taken, and not the last one: the rest waits until it is sent.
    pub(super) fn wait_for_packet(&mut self, message: u32) {
        let seen = &self.messages[message].seen;
        let destinations = &mut self.nics[seen.from].destinations;
        destinations.get(seen.level, seen.to).expect("it has a packet").begun = message;
    }

    /// A packet of the host's own begins to be sent: its queue becomes due or is empty.
    pub(super) fn destination_goes_on(&mut self, host: u32, packet: u32) {
        let p = &self.packets[packet];
        let (level, to) = (p.level, u32::from(p.to));
        let destinations = &mut self.nics[host].destinations;
        let at = destinations.find(level, to).expect("it had a packet");
        let queue = &mut destinations.0[at];
        let next = match std::mem::replace(&mut queue.begun, NONE) {
            NONE if queue.behind.is_empty() => {
                destinations.0.remove(at);
                return;
            }
            NONE => queue.behind.pop(&self.next_message),
            begun => begun,
        };
        let application = self.layout.application_queue(host, level);
        self.application_queues[application].push(&mut self.next_message, next);
        self.nics[host].levels |= 1 << level;
        self.at(self.now + 1, Kind::NicGoesOn, host);
    }

    /// Messages of a level of which not all has been taken, by destination: the first one's queue
    /// is due, or a packet of it waits to be sent.
    pub(super) fn messages_of_level(&self, host: u32, level: u8) -> u32 {
        let due = self.application(self.layout.application_queue(host, level));
        let held = self.nics[host].destinations.0.iter().filter(|queue| queue.level == level);
        let held = held.map(|queue| {
            u32::from(queue.begun != NONE) + self.messages_in(queue.behind).count() as u32
        });
        due.count() as u32 + held.sum::<u32>()
    }

    /// Messages that stand before one in its queue.
    pub(super) fn messages_ahead_for_destination(&self, message: u32) -> u32 {
        let seen = &self.messages[message].seen;
        let destinations = &self.nics[seen.from].destinations;
        let Ok(at) = destinations.find(seen.level, seen.to) else { return 0 };
        let queue = &destinations.0[at];
        let place = self.messages_in(queue.behind).position(|other| other == message);
        let application = self.layout.application_queue(seen.from, seen.level);
        let is_first = |other: u32| self.messages[other].seen.to == seen.to;
        let first = queue.begun != NONE || self.application(application).any(is_first);
        place.map_or(0, |place| place as u32 + u32::from(first))
    }
}
