//! Worst-case delay of service levels: at the source and along the route.
//!
//! Schedulers guarantee a rate after a latency ([`LatencyRate`]). Some arrival processes have an
//! envelope: a burst and a rate that they never exceed. The two bound the delay (Stiliadis, Varma,
//! Latency-rate servers, 1998). The bound at the source assumes that the first switch has space.
//! That along the route assumes nothing; it exists only where crossbars cannot delay a packet
//! without end and buffers never fill up (`docs/model-cut-through.md`, "Delay bounds"). Where there
//! is none, a message says why.
//!
//! Bounds are computed once, before the run, and never steer it.

mod arrivals;
mod route;
mod stops;
mod trees;

use crate::admission::Admission;
use crate::message::Message;
use crate::messages;
use crate::network::{ChannelId, HostId, Network};
use crate::qos::Qos;
use crate::qos::schedulers::{LatencyRate, Levels};
use crate::routing::RouteTable;
use crate::scenario::{CutThroughSpec, FabricSpec, NicQueues, Scenario, Selection, Technique};
use crate::traffic::Units;
use crate::traffic::arrivals::UNITS_PER_CYCLE;
use arrivals::{Arrivals, Curve};
use std::cell::OnceCell;
use trees::Trees;

/// Rates that differ by less than this part may differ by rounding alone: intervals are rounded to
/// a part of a cycle, and last a cycle or more.
const INTERVAL_ROUNDING: f64 = 1.0 / UNITS_PER_CYCLE as f64;

/// The bounds of a service level.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelBounds {
    /// From generation to injection, cycles, while the first switch has space for the level.
    pub source: Result<f64, Message>,
    /// From generation to delivery, cycles.
    pub route: Result<f64, Message>,
}

/// What the bounds of a scenario follow from.
struct Setting<'a> {
    spec: &'a CutThroughSpec,
    network: &'a Network,
    qos: Qos,
    levels: Levels,
    /// Flits of a credit. Packets count as whole credits.
    credit_flits: f64,
}

/// The bounds of each service level of a scenario, which is validated; `None` for a level in which
/// no host sends. Empty on fabrics without levels.
pub fn of(
    scenario: &Scenario,
    network: &Network,
    (table, selection): (&RouteTable, Selection),
    units: Units,
    admission: &Admission,
) -> Vec<Option<LevelBounds>> {
    let FabricSpec::CutThrough(spec) = &scenario.fabric else { return Vec::new() };
    let Ok(qos) = Qos::new(spec, network, &[]) else { return Vec::new() };
    let credit_flits = f64::from(spec.credit_bytes / spec.flit_bytes);
    let setting = Setting { spec, network, qos, levels: Levels::of(spec), credit_flits };
    let arrivals = Arrivals::of(scenario, network, units, admission, &setting);
    // Finding them takes a while in large networks, and most schedulers guarantee nothing.
    let trees = OnceCell::new();
    let find_trees = || Trees::of(scenario, network, (table, selection), units);
    let level = |level: usize| {
        let curves = arrivals.of_level(level)?;
        let source = curves.clone().and_then(|curves| {
            setting.check_senders(scenario)?;
            let mut longest = 0.0_f64;
            for (host, curve) in curves {
                let sent = setting.source(level, network.injection(HostId(*host)), curve)?;
                longest = longest.max(sent - curve.smallest_message);
            }
            // Looking at all routes takes a while in large networks, so it comes last.
            let stops = stops::of_level(scenario, network, (table, selection), units, level);
            if curves.keys().any(|host| stops.contains(host)) {
                return Err(messages::no_bound_at_stops());
            }
            Ok(longest)
        });
        let route = source.clone().and_then(|_| {
            let trees = trees.get_or_init(find_trees).as_ref().map_err(Clone::clone)?;
            route::of_level(&setting, level, curves?, trees)
        });
        Some(LevelBounds { source, route })
    };
    let mut bounds: Vec<Option<LevelBounds>> = (0..spec.qos.levels.len()).map(level).collect();
    // A bound along the route says that the level never lacks credits, if that holds for all.
    let may_lack = bounds.iter().flatten().any(|of_level| of_level.route.is_err());
    let mut schedulers = spec.schedulers().map(|placed| placed.spec);
    if let Some(needing) = schedulers.find(|of| of.needs_credits_of_all()).filter(|_| may_lack) {
        let none = Err(messages::no_bound_without_credits(needing.descriptor().id));
        for LevelBounds { source, route } in bounds.iter_mut().flatten() {
            // A level without a bound along the route goes on saying why.
            let reason = route.as_ref().err().cloned().map_or_else(|| none.clone(), Err);
            *source = source.clone().and_then(|_| reason.clone());
            *route = reason;
        }
    }
    bounds
}

/// Two different shares in percent, with as many decimals as tell them apart, or 12.
fn in_percent(a: f64, b: f64) -> [String; 2] {
    let with = |decimals: usize| [a, b].map(|share| format!("{:.decimals$}", 100.0 * share));
    (1..12).map(with).find(|[a, b]| a != b).unwrap_or_else(|| with(12))
}

impl Setting<'_> {
    /// Refuses what no guarantee takes into account.
    fn check_senders(&self, scenario: &Scenario) -> Result<(), Message> {
        if scenario.application.is_some() {
            return Err(messages::no_bound_with_application());
        }
        if !self.spec.express_levels.is_empty() || self.spec.scheduling_cycles > 0 {
            return Err(messages::no_bound_with_preemption());
        }
        if self.spec.nic_queues != NicQueues::Levels {
            return Err(messages::no_bound_out_of_order());
        }
        Ok(())
    }

    /// What the sender on a channel guarantees to a level that offers it this traffic, in flits and
    /// cycles.
    fn guarantee(
        &self,
        level: usize,
        channel: ChannelId,
        offered: &Curve,
    ) -> Result<LatencyRate, Message> {
        let sender = self.network.channels()[channel.index()].from;
        let own = self.spec.schedulers().find(|placed| placed.of == Some(sender));
        let spec = own.map_or(&self.spec.scheduler, |placed| placed.spec);
        if self.levels.lane_alone(level).is_none() {
            return Err(messages::no_bound_on_shared_lane());
        }
        let smallest = (offered.smallest_packet / self.credit_flits) as u32;
        let guarantee = spec.latency_rate(level, &self.levels, smallest);
        let Some(LatencyRate { rate, latency }) = guarantee else {
            return Err(messages::no_bound_of_scheduler(spec.descriptor().id));
        };
        if offered.rate > rate {
            if offered.rate < rate * (1.0 + INTERVAL_ROUNDING) {
                return Err(messages::no_bound_at_rate((rate * 1e6).round() / 1e4));
            }
            let [offered, rate] = in_percent(offered.rate, rate);
            return Err(messages::no_bound_above_rate(offered, rate));
        }
        Ok(LatencyRate { rate, latency: latency * self.credit_flits })
    }

    /// Cycles from the generation of a message of a level until its host has sent it.
    fn source(&self, level: usize, channel: ChannelId, curve: &Curve) -> Result<f64, Message> {
        let LatencyRate { rate, latency } = self.guarantee(level, channel, curve)?;
        let injection = f64::from(self.spec.injection_cycles);
        // A packet that has to wait for space in the send buffer may be sent `injection_cycles`
        // after it has got it. The packets before it take that long.
        let space = self.space(&self.qos.nic.min, level);
        let packets = (space / self.largest(level)).floor();
        let fits = curve.burst + curve.rate * (latency + injection) <= space;
        let sending = (packets - 1.0) * (curve.smallest_packet - self.credit_flits + 1.0);
        if !fits && sending < injection + 1.0 {
            return Err(messages::no_bound_with_buffers());
        }
        Ok(injection + latency + curve.burst / rate)
    }

    /// The largest packet of a level, flits.
    fn largest(&self, level: usize) -> f64 {
        f64::from(self.levels.mtus[level]) * self.credit_flits
    }

    /// The number of lanes that a level has, at any port.
    fn lanes(&self, level: usize) -> f64 {
        self.spec.lanes_of_level(level).len() as f64
    }

    /// What a buffer guarantees to the lane of a level, flits.
    fn space(&self, min: &[u16], level: usize) -> f64 {
        let lane = self.levels.lane_alone(level).map_or(0, usize::from);
        f64::from(min[lane]) * self.credit_flits
    }

    /// Cycles from sending a flit on a channel to its arrival.
    fn delay(&self, channel: ChannelId) -> f64 {
        self.network.delay_cycles(channel, self.spec.link_delay_cycles).into()
    }
}

#[cfg(test)]
mod tests {
    use super::in_percent;

    #[test]
    fn shares_that_differ_are_told_apart() {
        assert_eq!(in_percent(0.3, 0.1875), ["30.0", "18.8"]);
        assert_eq!(in_percent(0.187_500_01, 0.1875), ["18.750001", "18.750000"]);
    }
}
