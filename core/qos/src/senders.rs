//! The scheduler of each sender: most have the same, single switch ports and NICs their own.

use super::schedulers::Scheduler;
use crate::messages;
use hopscope_scenario::message::Message;
use hopscope_scenario::network::{ChannelId, End, Network};
use hopscope_scenario::problem::Problems;
use hopscope_scenario::scenario::CutThroughSpec;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The schedulers of all senders of a network, in their initial state.
#[derive(Debug, Clone)]
pub struct Schedulers {
    most: Scheduler,
    /// Per channel whose sender has one of its own.
    own: BTreeMap<u32, Scheduler>,
}

/// Why no channel begins at a port of a switch, and what to do about it.
pub(crate) fn no_sender_on_port(network: &Network, switch: u32) -> (Message, Message) {
    match network.switches().get(switch as usize) {
        Some(_) => (messages::no_cable_on_port(), messages::name_port_in_use()),
        None => (messages::no_such_switch(switch), messages::name_switches()),
    }
}

impl Schedulers {
    /// Builds them.
    ///
    /// # Errors
    ///
    /// What is wrong with their parameters, and senders that do not exist or have two.
    pub fn new(spec: &CutThroughSpec, network: &Network) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let (mut most, mut own) = (None, BTreeMap::new());
        let channel_of = senders(spec, network);
        for placed in spec.schedulers() {
            let scheduler = Scheduler::new(placed.spec, &placed.at());
            let scheduler = scheduler.map_err(|wrong| problems.0.extend(wrong.0)).ok();
            let Some(sender) = placed.of else {
                most = scheduler;
                continue;
            };
            match channel_of.get(&key(sender)) {
                Some(&channel) => match own.entry(channel) {
                    Entry::Vacant(entry) => _ = scheduler.map(|s| entry.insert(s)),
                    Entry::Occupied(_) => problems.add(
                        placed.place,
                        match sender {
                            End::Switch(switch, port) => {
                                messages::port_listed_twice(switch.0, port)
                            }
                            End::Host(host) => messages::host_listed_twice(host.0),
                        },
                        messages::keep_one(),
                    ),
                },
                None => {
                    let (why, fix) = match sender {
                        End::Switch(switch, _) => no_sender_on_port(network, switch.0),
                        End::Host(host) => (messages::host_missing(host.0), messages::name_hosts()),
                    };
                    problems.add(placed.place, why, fix);
                }
            }
        }
        match most {
            Some(most) => problems.or(Self { most, own }),
            None => Err(problems),
        }
    }

    /// Sets the lanes that carry packets of each level, one mask per level, and the flits of a
    /// credit.
    pub fn configure(&mut self, lanes_of: &[u32], credit_flits: u32) {
        for scheduler in std::iter::once(&mut self.most).chain(self.own.values_mut()) {
            scheduler.set_lanes_of_levels(lanes_of);
            scheduler.set_credit_flits(credit_flits);
        }
    }

    /// True if one of them has to be told of packets that arrive.
    pub fn see_arrivals(&self) -> bool {
        std::iter::once(&self.most).chain(self.own.values()).any(Scheduler::sees_arrivals)
    }

    /// The scheduler of the sender on a channel.
    pub fn of(&self, channel: ChannelId) -> &Scheduler {
        self.own.get(&channel.0).unwrap_or(&self.most)
    }
}

/// Orders senders: the switch and its port, or the host.
fn key(sender: End) -> (bool, u32, u16) {
    match sender {
        End::Switch(switch, port) => (false, switch.0, port),
        End::Host(host) => (true, host.0, 0),
    }
}

/// The channel of each sender; empty if no sender has a scheduler of its own.
fn senders(spec: &CutThroughSpec, network: &Network) -> BTreeMap<(bool, u32, u16), u32> {
    if spec.port_schedulers.is_empty() && spec.host_schedulers.is_empty() {
        return BTreeMap::new();
    }
    let channels = (0..).zip(network.channels());
    channels.map(|(number, channel)| (key(channel.from), number)).collect()
}
