//! Turn pools: how a congested point, and the way of a packet, are named.

use crate::engine::numbered::Numbered;
use crate::fabric::packet::layout::NONE;
use crate::messages;
use crate::network::{ChannelId, End, HostId, Network};
use crate::problem::Problems;
use crate::routing::{Hop, RouteTable, Step, check_turn_pools, turn_bits};
use std::sync::Arc;

/// The turns of the next switches, the first one in the lowest bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Turns {
    bits: u64,
    /// Bits in use.
    pub length: u8,
}

impl Turns {
    /// These turns with one more behind them.
    fn then(self, turn: Turns) -> Self {
        Self { bits: self.bits | turn.bits << self.length, length: self.length + turn.length }
    }

    /// True if a packet with these turns before it goes through the point that `point` leads to.
    #[inline]
    pub fn lead_through(self, point: Self) -> bool {
        // No turns lead through every point.
        let mask = u64::MAX.checked_shr(64 - u32::from(point.length)).unwrap_or(0);
        point.length <= self.length && (self.bits ^ point.bits) & mask == 0
    }
}

/// Where a channel begins and ends.
#[derive(Debug, Clone, Copy)]
struct Ends {
    /// The output port that it leaves, and the input port it leads to; of switches only.
    output: u16,
    input: u16,
    /// Of the switch it leads to: ports, and bits of a turn.
    ports: u16,
    bits: u8,
}

/// The network as turn pools see it.
#[derive(Debug)]
pub struct Ways {
    ends: Numbered<Ends>,
    table: Arc<RouteTable>,
    network: Arc<Network>,
}

impl Ways {
    /// The ways of a network.
    ///
    /// # Errors
    ///
    /// Routes of which a part between stops has turns that exceed `pool` bits.
    pub fn new(
        network: &Arc<Network>,
        table: &Arc<RouteTable>,
        pool: u32,
    ) -> Result<Self, Problems> {
        let ends = network.channels().iter().map(|channel| {
            let port_of = |end: End| match end {
                End::Switch(_, port) => port,
                End::Host(_) => 0,
            };
            let ports = match channel.to {
                End::Switch(switch, _) => network.switches()[switch.index()].ports,
                End::Host(_) => 1,
            };
            Ends {
                output: port_of(channel.from),
                input: port_of(channel.to),
                ports,
                bits: turn_bits(ports) as u8,
            }
        });
        // `Turns` have 64 bits at most.
        let wider = |needed| messages::wider_pool_of_recn(needed, u64::BITS);
        check_turn_pools(network, table, pool, wider)?;
        Ok(Self { ends: ends.collect(), table: Arc::clone(table), network: Arc::clone(network) })
    }

    /// The input port that a channel leads to.
    pub fn input(&self, channel: u32) -> u16 {
        self.ends[channel].input
    }

    /// The output port that a channel leaves.
    pub fn output(&self, channel: u32) -> u16 {
        self.ends[channel].output
    }

    /// The turn from a channel that leads to a switch to one that leaves it.
    pub fn turn(&self, arrives: u32, leaves: u32) -> Turns {
        let Ends { input, ports, bits, .. } = self.ends[arrives];
        let turn = (self.ends[leaves].output + ports - input) % ports;
        Turns { bits: turn.into(), length: bits }
    }

    /// Turns with one more before them, from a channel that arrives to one that leaves.
    pub fn before(&self, arrives: u32, leaves: u32, turns: Turns) -> Turns {
        self.turn(arrives, leaves).then(turns)
    }

    /// Of turns at the switch that a channel leads to: the output port, and the turns after it.
    pub fn split(&self, arrives: u32, turns: Turns) -> (u16, Turns) {
        let Ends { input, ports, bits, .. } = self.ends[arrives];
        let turn = self.first_turn(arrives, turns);
        let rest = Turns { bits: turns.bits >> bits, length: turns.length - bits };
        ((input + turn) % ports, rest)
    }

    /// Of turns at the switch that a channel leads to: the first.
    pub fn first_turn(&self, arrives: u32, turns: Turns) -> u16 {
        (turns.bits & ((1 << self.ends[arrives].bits) - 1)) as u16
    }

    /// The turns that a packet on a channel has before it: to `next`, then along its steps, then to
    /// its next in-transit stop or, without one, to the host `to`.
    pub fn of_packet(&self, channel: u32, next: u32, set: u8, steps: (u32, u16), to: u16) -> Turns {
        let all: &[Step] = self.table.sets[set as usize].steps();
        let steps = &all[steps.0 as usize..][..usize::from(steps.1)];
        let mut channel = channel;
        let mut turns = Turns::default();
        if next != NONE {
            turns = turns.then(self.turn(channel, next));
            channel = next;
        }
        let mut end = HostId(to.into());
        for step in steps {
            match step.hop() {
                Hop::Channel(ChannelId(leaves)) => {
                    turns = turns.then(self.turn(channel, leaves));
                    channel = leaves;
                }
                Hop::InTransit(host) => {
                    end = host;
                    break;
                }
            }
        }
        let ejection = self.network.ejection(end).0;
        if channel != ejection { turns.then(self.turn(channel, ejection)) } else { turns }
    }
}
