//! How much of a level each host generates at most in any time.

use super::Setting;
use crate::admission::Admission;
use crate::message::Message;
use crate::messages;
use crate::network::Network;
use crate::scenario::{ArrivalSpec, FlowSpec, Scenario, SizeSpec};
use crate::traffic::{Senders, Units};
use std::collections::BTreeMap;

/// In any `t` cycles at most `burst + rate * t` flits, whole credits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Curve {
    pub burst: f64,
    pub rate: f64,
    /// The smallest packet, flits.
    pub smallest_packet: f64,
    /// Flits that the smallest message has at least, not rounded to credits.
    pub smallest_message: f64,
}

impl Curve {
    /// Both.
    pub fn and(self, other: Self) -> Self {
        Self {
            burst: self.burst + other.burst,
            rate: self.rate + other.rate,
            smallest_packet: self.smallest_packet.min(other.smallest_packet),
            smallest_message: self.smallest_message.min(other.smallest_message),
        }
    }

    /// The same traffic after a delay of at most this many cycles.
    pub fn after(self, delay: f64) -> Self {
        Self { burst: self.burst + self.rate * delay, ..self }
    }

    /// The most that is anywhere for at most this many cycles, where it comes over one link.
    pub fn within(&self, cycles: f64, packet: f64) -> f64 {
        (self.burst + self.rate * cycles).min(cycles + packet)
    }
}

/// The curve of each host that sends, by host.
type Curves = BTreeMap<u32, Curve>;

/// The arrivals of each level in which hosts send.
pub(super) struct Arrivals(BTreeMap<usize, Result<Curves, Message>>);

impl Arrivals {
    pub fn of(
        scenario: &Scenario,
        network: &Network,
        units: Units,
        admission: &Admission,
        setting: &Setting<'_>,
    ) -> Self {
        let mut levels = BTreeMap::new();
        for (flow, spec) in (0..).zip(&scenario.traffic) {
            let level = usize::from(spec.level);
            let of_level = levels.entry(level).or_insert_with(|| Ok(Curves::new()));
            let senders = Senders::of(spec, network, units);
            let Some(envelope) = spec.arrival.envelope(&senders.offer) else {
                let bounded =
                    ArrivalSpec::ids_where(|spec| spec.envelope(&senders.offer).is_some());
                *of_level = Err(messages::no_bound_of_arrivals(name(spec, flow), bounded));
                continue;
            };
            let Ok(curves) = of_level else { continue };
            let message = Curve::of_message(&spec.size, level, setting);
            for &host in &senders.hosts {
                let answers = admission.of_source(flow, host);
                let admitted = answers.map(|a| a.iter().filter(|&&admitted| admitted).count());
                let streams = admitted.map_or(envelope.streams as f64, |count| count as f64);
                let rate = streams * message.burst / envelope.period;
                let curve = Curve { burst: streams * message.burst + rate, rate, ..message };
                let both = |old: &Curve| old.and(curve);
                let sum = curves.get(&host).map_or(curve, both);
                curves.insert(host, sum);
            }
        }
        Self(levels)
    }

    /// Those of a level; `None` if no flow is on it.
    pub fn of_level(&self, level: usize) -> Option<Result<&Curves, Message>> {
        self.0.get(&level).map(|curves| curves.as_ref().map_err(Clone::clone))
    }
}

impl Curve {
    /// One message of these sizes; its largest size is the burst.
    fn of_message(sizes: &SizeSpec, level: usize, setting: &Setting<'_>) -> Self {
        let spec = setting.spec;
        let (largest, mtu) = (sizes.largest(), spec.qos.levels[level].mtu_bytes);
        let flits =
            |bytes: u32| f64::from(bytes.div_ceil(spec.credit_bytes).max(1)) * setting.credit_flits;
        let last = largest % mtu;
        let burst = f64::from(largest / mtu) * flits(mtu)
            + if last > 0 || largest == 0 { flits(last) } else { 0.0 };
        let (smallest_packet, smallest_message) = if sizes.is_one_size() {
            let packet = if last > 0 { last } else { mtu.min(largest) };
            (flits(packet), f64::from(largest.div_ceil(spec.flit_bytes).max(1)))
        } else {
            (flits(1), 1.0)
        };
        Self { burst, rate: 0.0, smallest_packet, smallest_message }
    }
}

fn name(spec: &FlowSpec, flow: u32) -> String {
    if spec.name.is_empty() { flow.to_string() } else { spec.name.clone() }
}
