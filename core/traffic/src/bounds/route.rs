//! The delay along the route: channel by channel, crossbars and schedulers in turn.
//!
//! Traffic that was delayed comes in larger bursts: a curve with the rate `r` behind a delay of at
//! most `d` has a burst that is larger by `r d` (Cruz, A calculus for network delay, IEEE
//! Transactions on Information Theory 37(1), 1991). Packets count as if every switch received them
//! whole before it sent them on, which is no earlier than they really cross.
//!
//! The bounds hold while buffers have space for the level, and buffers have space while the bounds
//! hold: until the first moment at which one is broken, the other holds. So both hold always.

use super::Setting;
use super::arrivals::Curve;
use super::trees::Trees;
use crate::arbiters::TakesTurns;
use crate::message::Message;
use crate::messages;
use crate::network::{ChannelId, End};
use crate::qos::schedulers::LatencyRate;
use std::collections::BTreeMap;

/// The traffic of a level on a channel.
struct OnChannel {
    curve: Curve,
    /// Cycles from the generation of a message until its last flit is sent on the channel.
    delay: f64,
}

/// The bound of a level whose hosts generate at most `curves`.
pub(super) fn of_level(
    setting: &Setting<'_>,
    level: usize,
    curves: &BTreeMap<u32, Curve>,
    trees: &Trees,
) -> Result<f64, Message> {
    let (crossing, turns) = crossing_cycles(setting)?;
    let crossing = f64::from(crossing as u32);
    let packet = setting.largest(level);
    let mut done: BTreeMap<ChannelId, OnChannel> = BTreeMap::new();
    let mut longest = 0.0_f64;
    for channel in trees.in_order() {
        if !trees.levels[&channel].contains(&level) {
            continue;
        }
        let on_channel = match setting.network.channels()[channel.index()].from {
            End::Host(host) => {
                let curve = curves[&host.0];
                let delay = setting.source(level, channel, &curve)?;
                OnChannel { curve: curve.after(delay), delay }
            }
            End::Switch(..) => {
                let crossbar = Crossbar { setting, level, trees, output: channel, crossing, turns };
                let (curve, delay) = crossbar.all_inputs(&done)?;
                let LatencyRate { rate, latency } = setting.guarantee(level, channel, &curve)?;
                let waiting = latency + curve.burst / rate;
                let held = curve.burst + curve.rate * (waiting + packet + 2.0);
                check_space(held, setting.space(&setting.qos.output.min, level))?;
                OnChannel { curve: curve.after(waiting), delay: delay + waiting }
            }
        };
        if trees.is_last(channel) {
            let delay = setting.delay(channel);
            let held = on_channel.curve.within(packet + 2.0 * delay + 2.0, packet);
            check_space(held, setting.space(&setting.qos.nic.min, level))?;
            longest = longest.max(on_channel.delay + delay);
        }
        done.insert(channel, on_channel);
    }
    Ok(longest)
}

/// The way of a header through a switch, cycles, and what takes turns at its crossbar.
fn crossing_cycles(setting: &Setting<'_>) -> Result<(u64, TakesTurns), Message> {
    let switch = &setting.spec.switch;
    if switch.has_private_credits() {
        return Err(messages::no_bound_with_buffers());
    }
    let cycles = switch.bounded_crossing_cycles(setting.spec.cycle_ps);
    cycles.zip(setting.spec.arbiter.turns()).ok_or_else(messages::no_bound_in_switches)
}

fn check_space(held: f64, space: f64) -> Result<(), Message> {
    if held <= space { Ok(()) } else { Err(messages::no_bound_with_buffers()) }
}

/// The crossbar before an output, to which each of its inputs sends everything it gets.
struct Crossbar<'a> {
    setting: &'a Setting<'a>,
    level: usize,
    trees: &'a Trees,
    output: ChannelId,
    /// The way of a header through the switch, cycles.
    crossing: f64,
    turns: TakesTurns,
}

impl Crossbar<'_> {
    /// The level's traffic behind the crossbar, and the largest delay until then.
    fn all_inputs(&self, done: &BTreeMap<ChannelId, OnChannel>) -> Result<(Curve, f64), Message> {
        let mut behind: Option<Curve> = None;
        let mut longest = 0.0_f64;
        for &input in &self.trees.before[&self.output] {
            let Some(OnChannel { curve, delay }) = done.get(&input) else { continue };
            let packet = self.setting.largest(self.level);
            // Every packet of the level waits for a round and crosses.
            let turn = self.round(input) + packet;
            if curve.rate * turn > curve.smallest_packet {
                return Err(messages::no_bound_in_crossbar());
            }
            let waiting = curve.burst / curve.smallest_packet * turn;
            let delay_of_link = self.setting.delay(input);
            let stays = packet + 2.0 * delay_of_link + self.crossing + waiting + 2.0;
            let space = self.setting.space(&self.setting.qos.input.min, self.level);
            check_space(curve.within(stays, packet), space)?;
            let curve = curve.after(waiting);
            behind = Some(behind.map_or(curve, |sum| sum.and(curve)));
            longest = longest.max(delay + delay_of_link + self.crossing + waiting + 1.0);
        }
        Ok((behind.expect("a level comes to an output from an input"), longest))
    }

    /// The most cycles in which the crossbar serves other lanes and inputs before it serves the
    /// level at an input again. Where inputs take turns, the output serves every input that asks
    /// once before it serves one again, and so does an input with its lanes. Where lines do, every
    /// other lane of every input goes once. A packet crosses in as many cycles as it has flits, or
    /// fewer.
    fn round(&self, input: ChannelId) -> f64 {
        let levels = |channel: &ChannelId| self.trees.levels[channel].iter();
        let largest = |level: &usize| self.setting.largest(*level);
        let of_lanes = |level: &usize| self.setting.lanes(*level) * largest(level);
        let lanes: f64 = levels(&input).map(|&level| self.setting.lanes(level)).sum();
        let of_turns = |channel: &ChannelId| match self.turns {
            TakesTurns::Inputs => lanes * levels(channel).map(largest).fold(0.0, f64::max),
            TakesTurns::Lines => levels(channel).map(of_lanes).sum(),
        };
        let inputs = self.trees.before[&self.output].iter().filter(|other| **other != input);
        let own = levels(&input).filter(|level| **level != self.level);
        inputs.map(of_turns).sum::<f64>() + own.map(of_lanes).sum::<f64>()
    }
}
