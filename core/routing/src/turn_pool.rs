//! Source routes of Advanced Switching: a pool of turns.
//!
//! The header of a unicast packet has a turn pool of 31 bits (Advanced Switching Core 1.0). Every
//! switch of the route takes its turn from it, the number of the output port minus that of the
//! input port, modulo the ports of the switch, in as many bits as it takes to number these ports. A
//! packet that stops in transit at a host gets a header of its own there. Where the turns stand in
//! the bytes of the pool is in `docs/model-cioq.md`, "The header".

use super::messages;
use super::table::{Hop, Route, RouteTable, Step};

use crate::network::{ChannelId, End, HostId, Network, SwitchId};
use crate::problem::Problems;
use hopscope_scenario::message::Message;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The turn of one switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The switch that takes it.
    pub switch: SwitchId,
    /// Output port minus input port, modulo the ports.
    pub turn: u16,
    /// Bits it takes.
    pub bits: u32,
}

/// The turn pool of one header: the turns of all switches from one host to the next, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnPool {
    /// The turns.
    pub turns: Vec<Turn>,
}

impl TurnPool {
    /// Bits of all turns.
    pub fn bits(&self) -> u32 {
        self.turns.iter().map(|turn| turn.bits).sum()
    }

    /// The bytes of a pool of so many bits in the order in which they are sent, with the last turn
    /// in the last bits. All turns must fit.
    pub fn bytes(&self, bits: u32) -> Vec<u8> {
        let mut bytes = vec![0; bits.div_ceil(8) as usize];
        let mut place = 8 * bytes.len() - self.bits() as usize;
        for turn in &self.turns {
            for bit in (0..turn.bits).rev() {
                let digit = u8::from(turn.turn >> bit & 1 == 1);
                bytes[place / 8] |= digit << (7 - place % 8);
                place += 1;
            }
        }
        bytes
    }

    /// [`Self::bytes`] in hexadecimal digits, such as `00 00 00 3c`; none for pools above 64 bits,
    /// which are for what-if questions.
    pub fn shown_bytes(&self, bits: u32) -> Option<String> {
        let digits = |byte: &u8| format!("{byte:02x}");
        let all = || self.bytes(bits).iter().map(digits).collect::<Vec<_>>().join(" ");
        (bits <= u64::BITS).then(all)
    }
}

/// The turn pools of a route from one host to another: one, and one more for each in-transit stop.
pub fn turn_pools(network: &Network, route: Route<'_>, from: HostId, to: HostId) -> Vec<TurnPool> {
    let mut pools = Vec::new();
    let mut channels = vec![network.injection(from)];
    for step in route.steps {
        match step.hop() {
            Hop::Channel(channel) => channels.push(channel),
            Hop::InTransit(host) => {
                channels.push(network.ejection(host));
                pools.push(pool(network, &channels));
                channels = vec![network.injection(host)];
            }
        }
    }
    channels.push(network.ejection(to));
    pools.push(pool(network, &channels));
    pools
}

/// Checks that the turns of every route fit a pool of so many bits. `wider` is how to get a wider
/// one.
///
/// # Errors
///
/// The longest route, or part of one between in-transit stops, if it exceeds the pool.
pub fn check_turn_pools(
    network: &Network,
    table: &RouteTable,
    bits: u32,
    wider: impl FnOnce(u32) -> Message,
) -> Result<(), Problems> {
    // Bits and switches.
    let mut longest = (0, 0);
    for set in &table.sets {
        for route in 0..set.len() as u32 {
            let steps = set.route(route).steps;
            for part in steps.split(|step| matches!(step.hop(), Hop::InTransit(_))) {
                longest = longest.max((bits_along(network, part), part.len() + 1));
            }
        }
    }
    let (needed, switches) = longest;
    if needed <= bits {
        return Ok(());
    }
    let why = messages::longest_exceeds_pool(switches, needed, bits);
    Err(Problems::one("routing", why, wider(needed)))
}

/// Bits of the turns at all switches along a part of a route without stops.
fn bits_along(network: &Network, part: &[Step]) -> u32 {
    let channel = |step: &Step| match step.hop() {
        Hop::Channel(channel) => Some(channel),
        Hop::InTransit(_) => None,
    };
    let turn_after = |channel: ChannelId| match network.channels()[channel.index()].to {
        End::Switch(switch, _) => turn_bits(network.switches()[switch.index()].ports),
        End::Host(_) => 0,
    };
    // The first turn is at the switch to which the first channel's reverse leads.
    let back = part.first().and_then(channel).map(|first| network.reverse(first));
    part.iter().filter_map(channel).chain(back).map(turn_after).sum()
}

/// The turns of all routes, one line for each pair of hosts and route, such as
/// `turns 0 9 : 0:3/3 4:12/4 = 00 00 00 3c | 4:7/3 = 00 00 00 07`: from host 0 to host 9, turn 3 in
/// 3 bits at switch 0, turn 12 in 4 bits at switch 4, and, after an in-transit stop, turn 7 in 3
/// bits at switch 4, each time with the bytes of a pool of at most 64 bits.
///
/// # Errors
///
/// The first route whose turns exceed `most` bits, those of the pool.
pub fn dump_turns(network: &Network, table: &RouteTable, most: u32) -> Result<String, Problems> {
    let hosts = || (0..network.hosts().len()).map(HostId::new);
    let mut text = String::new();
    for (number, set) in table.sets.iter().enumerate() {
        if number > 0 {
            writeln!(text, "set {number}").expect("text grows");
        }
        for (from, to) in hosts().flat_map(|a| hosts().map(move |b| (a, b))).filter(|(a, b)| a != b)
        {
            let [a, b] = [from, to].map(|host| network.hosts()[host.index()].switch);
            for route in set.routes(a, b) {
                write!(text, "turns {} {} :", from.0, to.0).expect("text grows");
                for (i, pool) in turn_pools(network, route, from, to).iter().enumerate() {
                    if pool.bits() > most {
                        let [a, b] = [from, to].map(|host| &network.hosts()[host.index()].name);
                        let switches = pool.turns.len();
                        return Err(Problems::one(
                            "routing",
                            messages::turns_exceed_pool(a, b, switches, pool.bits(), most),
                            messages::shorten_routes(),
                        ));
                    }
                    text.push_str(if i > 0 { " |" } else { "" });
                    for Turn { switch, turn, bits } in &pool.turns {
                        write!(text, " {}:{turn}/{bits}", switch.0).expect("text grows");
                    }
                    if let Some(bytes) = pool.shown_bytes(most) {
                        write!(text, " = {bytes}").expect("text grows");
                    }
                }
                text.push('\n');
            }
        }
    }
    Ok(text)
}

/// The pool of a path from host to host.
fn pool(network: &Network, path: &[ChannelId]) -> TurnPool {
    let turn = |channels: &[ChannelId]| {
        let [arriving, leaving] = [0, 1].map(|i| network.channels()[channels[i].index()]);
        let (End::Switch(switch, input), End::Switch(_, output)) = (arriving.to, leaving.from)
        else {
            unreachable!("between two channels of a path is a switch");
        };
        let ports = network.switches()[switch.index()].ports;
        Turn { switch, turn: (output + ports - input) % ports, bits: turn_bits(ports) }
    };
    TurnPool { turns: path.windows(2).map(turn).collect() }
}

/// Bits of a turn at a switch with so many ports: those that number the ports, the binary logarithm
/// rounded up.
pub fn turn_bits(ports: u16) -> u32 {
    u16::BITS - (ports.max(1) - 1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ends;
    use crate::network::{Host, Link, Switch};
    use crate::table::{RouteSet, Step};

    /// A line of switches with these numbers of ports: each host on port 0, cables from the last
    /// port of one to port 1 of the next.
    fn line(ports: &[u16]) -> Network {
        let switch = |&ports: &u16| Switch { name: "s".into(), ports, position: None };
        let host = |s| Host { name: "h".into(), switch: SwitchId(s), port: 0, position: None };
        let link = |s: u32| Link {
            a: (SwitchId(s), ports[s as usize] - 1),
            b: (SwitchId(s + 1), 1),
            delay_cycles: None,
        };
        let count = ports.len() as u32;
        Network::new(
            ports.iter().map(switch).collect(),
            (0..count).map(host).collect(),
            (0..count - 1).map(link).collect(),
        )
    }

    fn pools_along(network: &Network, stop_at: Option<u32>) -> Vec<TurnPool> {
        let last = network.switches().len() as u32 - 1;
        let mut steps = Vec::new();
        for at in 0..last {
            let next = |way: &&(ChannelId, SwitchId)| way.1.0 == at + 1;
            let way = network.neighbours(SwitchId(at)).iter().find(next).expect("a line");
            steps.push(Step::channel(way.0));
            if stop_at == Some(at + 1) {
                steps.push(Step::in_transit(HostId(at + 1)));
            }
        }
        let mut set = RouteSet::between(Ends::default());
        set.push_route(steps);
        turn_pools(network, set.route(0), HostId(0), HostId(last))
    }

    fn turns(pool: &TurnPool) -> Vec<(u16, u32)> {
        pool.turns.iter().map(|turn| (turn.turn, turn.bits)).collect()
    }

    #[test]
    fn a_turn_is_output_minus_input_modulo_the_ports() {
        // In by port 0 and out by the last; in by 1 and out by the last; in by 1 and out by 0.
        let pools = pools_along(&line(&[8, 5, 16]), None);
        assert_eq!(pools.len(), 1);
        assert_eq!(turns(&pools[0]), [(7, 3), (3, 3), (15, 4)]);
        assert_eq!(pools[0].bits(), 10);
        assert_eq!(pools[0].turns.iter().map(|turn| turn.switch.0).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn the_last_turn_ends_at_the_last_bit_of_the_pool() {
        // 111 011 1111.
        let pool = &pools_along(&line(&[8, 5, 16]), None)[0];
        assert_eq!(pool.bytes(31), [0x00, 0x00, 0b11, 0b1011_1111]);
        assert_eq!(pool.bytes(10), [0b11, 0b1011_1111]);
        assert_eq!(pool.shown_bytes(31).as_deref(), Some("00 00 03 bf"));
        assert_eq!(pool.shown_bytes(65), None);
    }

    #[test]
    fn a_stop_in_transit_begins_a_new_pool() {
        let pools = pools_along(&line(&[8, 8, 8]), Some(1));
        assert_eq!(
            pools.iter().map(turns).collect::<Vec<_>>(),
            [vec![(7, 3), (7, 3)], vec![(7, 3), (7, 3)]]
        );
    }

    #[test]
    fn ten_switches_of_eight_ports_fit_31_bits_and_eleven_do_not() {
        let bits = |switches| pools_along(&line(&vec![8; switches]), None)[0].bits();
        assert_eq!([bits(10), bits(11)], [30, 33]);
    }

    #[test]
    fn bits_number_the_ports() {
        let bits = [1, 2, 3, 4, 5, 8, 9, 16, 17, 48, 64, 65].map(turn_bits);
        assert_eq!(bits, [0, 1, 2, 2, 3, 3, 4, 4, 5, 6, 6, 7]);
    }
}
