//! The service levels of a fabric, and how parameters of schedulers follow their changes.

use crate::scenario::{CutThroughSpec, Technique};
use std::collections::BTreeMap;

/// The service levels of a fabric, as far as the parameters of schedulers depend on them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels {
    /// The lanes of each level, at any port, each once; for a bypass queue the lane that
    /// schedulers see.
    pub lanes: Vec<Vec<u8>>,
    /// The largest packet of each level, credits.
    pub mtus: Vec<u32>,
}

impl Levels {
    /// The levels of a fabric.
    pub fn of(spec: &CutThroughSpec) -> Self {
        let (mut lanes, mut mtus) = (Vec::new(), Vec::new());
        for (i, level) in spec.qos.levels.iter().enumerate() {
            let mut of_level = spec.lanes_of_level(i);
            of_level.iter_mut().for_each(|lane| *lane = spec.qos.lane_of_scheduler(*lane));
            of_level.sort_unstable();
            of_level.dedup();
            lanes.push(of_level);
            mtus.push(level.mtu_bytes.div_ceil(spec.credit_bytes.max(1)));
        }
        Self { lanes, mtus }
    }

    pub(super) fn count(&self) -> usize {
        self.lanes.len()
    }

    /// The lane of a level, if it has one lane and no other level uses it.
    pub fn lane_alone(&self, level: usize) -> Option<u8> {
        let &[lane] = &*self.lanes[level] else { return None };
        let users = self.lanes.iter().filter(|lanes| lanes.contains(&lane)).count();
        (users == 1).then_some(lane)
    }

    /// The part of a link that a level has, by what each level sends in the same time.
    pub(super) fn share_of_level(&self, level: usize, sent: impl Fn(usize) -> f64) -> Option<f64> {
        let all: f64 = (0..self.count()).map(&sent).sum();
        (all > 0.0).then(|| sent(level) / all)
    }

    /// The same by what each lane sends; `None` if another level uses a lane of the level.
    pub(super) fn share_of_lanes(&self, level: usize, sent: impl Fn(u8) -> f64) -> Option<f64> {
        let own = &self.lanes[level];
        let is_used = |other: usize| own.iter().any(|lane| self.lanes[other].contains(lane));
        if (0..self.count()).any(|other| other != level && is_used(other)) {
            return None;
        }
        let all: f64 = self.largest().into_keys().map(&sent).sum();
        (all > 0.0).then(|| own.iter().fold(0.0, |sum, &lane| sum + sent(lane)) / all)
    }

    /// The largest packet of each lane in use, credits.
    pub(super) fn largest(&self) -> BTreeMap<u8, u32> {
        let mut largest = BTreeMap::new();
        for (lanes, &mtu) in self.lanes.iter().zip(&self.mtus) {
            for &lane in lanes {
                let packet = largest.entry(lane).or_insert(0);
                *packet = mtu.max(*packet);
            }
        }
        largest
    }

    /// The largest packet of all, credits.
    pub(super) fn largest_packet(&self) -> u32 {
        self.mtus.iter().copied().max().unwrap_or(0)
    }

    /// Lanes up to the highest that a level uses.
    pub(super) fn lane_count(&self) -> usize {
        self.lanes.iter().flatten().max().map_or(1, |&lane| usize::from(lane) + 1)
    }
}

/// Names one lane where the other was named, and the other way round.
pub fn exchange_lanes<'a>(lanes: impl IntoIterator<Item = &'a mut u8>, one: u8, other: u8) {
    for lane in lanes {
        *lane = match *lane {
            lane if lane == one => other,
            lane if lane == other => one,
            lane => lane,
        };
    }
}

/// What was as large as `before` demanded becomes as large as `after` does; what was larger stays,
/// if it is large enough.
pub(super) fn follow(value: &mut u32, before: u32, after: u32) {
    *value = if *value == before { after } else { after.max(*value) };
}

/// A hundred in equal parts.
pub(super) fn equal_parts(count: usize) -> Vec<u32> {
    (0..count).map(|i| (100 / count + usize::from(i < 100 % count)) as u32).collect()
}
