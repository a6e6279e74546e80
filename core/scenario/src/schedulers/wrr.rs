//! Table arbitration of InfiniBand and Advanced Switching: one packet per entry, whatever its size.

use super::{
    Amount, Discipline, Foremost, Given, Lanes, LatencyRate, Levels, Member, Name, Omission,
    Parameters, SchedulerState, Turn, exchange_lanes, messages,
};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Most entries of a table (Advanced Switching).
const MAX_ENTRIES: usize = 1024;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "wrr",
    name: "Table arbitration (WRR)",
    summary: "a table of virtual lanes, one packet per entry whatever its size: unfair when sizes differ",
    parameters: &[Parameter::new(
        "table",
        "virtual lane of each entry, up to 1024",
        "lane",
        Kind::Integers { default: &[0], min: 0, max: MAX_LEVELS as u64 - 1, may_be_empty: false },
    )
    .named("Lane of each entry")
    .required()],
    citation: "InfiniBand Architecture 1.3, 7.6.9; Advanced Switching Core 1.0",
    status: Status::CrossChecked,
};

/// Parameters of table arbitration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrrSpec {
    /// A virtual lane per entry.
    pub table: Vec<u8>,
}

impl Parameters for WrrSpec {
    fn fit(&mut self, levels: &Levels) {
        fit(&mut self.table, levels);
    }

    fn swap_lanes(&mut self, one: u8, other: u8) {
        exchange_lanes(&mut self.table, one, other);
    }

    fn names(&self) -> Vec<Name> {
        names(&self.table)
    }

    fn omits(&self, _level: u8, lanes: &[u8]) -> Option<Omission> {
        omits(&self.table, lanes)
    }

    /// That of a table ([`LatencyRate::of_table`]) whose entries send a packet: of the lane itself
    /// the smallest, of other lanes the largest.
    fn latency_rate(&self, level: usize, levels: &Levels, smallest: u32) -> Option<LatencyRate> {
        let (lane, largest) = (levels.lane_alone(level)?, levels.largest());
        let turn = |of: &u8| match largest.get(of) {
            _ if *of == lane => Turn::Own(smallest),
            packet => Turn::Other(packet.copied().unwrap_or(0)),
        };
        let turns: Vec<Turn> = self.table.iter().map(turn).collect();
        LatencyRate::of_table(&turns, levels.mtus[level], 0, levels.largest_packet())
    }

    /// An entry sends a packet.
    fn gives(&self, level: usize, levels: &Levels) -> Option<Given> {
        let largest = levels.largest();
        gives(&self.table, level, levels, |lane| largest.get(&lane).copied().unwrap_or(0))
    }
}

impl Member for WrrSpec {
    type Scheduler = Wrr;

    fn suited(levels: &Levels) -> Self {
        let mut suited = Self { table: Vec::new() };
        suited.fit(levels);
        suited
    }

    fn scheduler(&self, at: &str) -> Result<Wrr, Problems> {
        check_table(&self.table, &format!("{at}.table"))?;
        Ok(Wrr::new(&self.table))
    }
}

/// Removes the entries of lanes that are gone, and adds one for each lane of a new level.
pub(super) fn fit(table: &mut Vec<u8>, levels: &Levels) {
    table.retain(|lane| levels.lanes.iter().flatten().any(|used| used == lane));
    let begins = table.is_empty();
    for (level, lanes) in levels.lanes.iter().enumerate() {
        // Levels before the last may be left out on purpose.
        let is_new = level + 1 == levels.count() || begins;
        if is_new && !lanes.iter().any(|lane| table.contains(lane)) {
            table.extend(lanes);
        }
    }
}

/// The lanes that a table names.
pub(super) fn names(table: &[u8]) -> Vec<Name> {
    let name = |(i, &lane)| Name::Lane { field: format!("table.{i}"), lane };
    table.iter().enumerate().map(name).collect()
}

/// The first of these lanes without an entry.
pub(super) fn omits(table: &[u8], lanes: &[u8]) -> Option<Omission> {
    let lane = lanes.iter().copied().find(|lane| !table.contains(lane))?;
    Some(Omission { field: "table", lane: Some(lane) })
}

/// What a table of lanes gives a level; `worth` is what an entry of a lane sends, credits.
pub(super) fn gives(
    table: &[u8],
    level: usize,
    levels: &Levels,
    worth: impl Fn(u8) -> u32,
) -> Option<Given> {
    let entries = |lane: u8| table.iter().filter(|&&one| one == lane).count() as u32;
    let amount = Amount::Entries(levels.lanes[level].iter().copied().map(entries).sum());
    let share =
        levels.share_of_lanes(level, |lane| f64::from(entries(lane)) * f64::from(worth(lane)));
    Some(Given { amount, share })
}

/// Checks the number of entries and their lanes; `at` is the scenario path of the table.
pub(super) fn check_table(table: &[u8], at: &str) -> Result<(), Problems> {
    if table.is_empty() || table.len() > MAX_ENTRIES {
        let why = messages::entry_count(table.len());
        return Err(Problems::one(at, why, messages::use_1_to_1024_entries()));
    }
    match table.iter().position(|&lane| usize::from(lane) >= MAX_LEVELS) {
        Some(entry) => {
            let why = messages::no_such_lane(table[entry]);
            Err(Problems::one(format!("{at}.{entry}"), why, messages::lanes_are_0_to_31()))
        }
        None => Ok(()),
    }
}

/// Table arbitration: the next entry whose lane is ready sends one packet. Lanes without an
/// entry take turns while no listed lane is ready.
#[derive(Debug, Clone)]
pub struct Wrr {
    table: Arc<[u8]>,
    listed: u32,
    pointer: usize,
    last_lane: u8,
    last_unlisted: u8,
}

impl Wrr {
    /// A scheduler with the lane of each entry.
    fn new(table: &[u8]) -> Self {
        let listed = table.iter().fold(0, |set, &lane| set | 1 << lane);
        Self {
            table: table.into(),
            listed,
            pointer: table.len() - 1,
            last_lane: MAX_LEVELS as u8 - 1,
            last_unlisted: MAX_LEVELS as u8 - 1,
        }
    }
}

impl Discipline for Wrr {
    #[inline]
    fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        if lanes.ready & self.listed == 0 {
            self.last_lane = lanes.next_in_turn(&mut self.last_unlisted);
            return self.last_lane;
        }
        loop {
            self.pointer = if self.pointer + 1 == self.table.len() { 0 } else { self.pointer + 1 };
            let lane = self.table[self.pointer];
            if lanes.ready >> lane & 1 == 1 {
                self.last_lane = lane;
                return lane;
            }
        }
    }

    fn state<L: Foremost>(&self, _: Lanes<L>) -> SchedulerState {
        SchedulerState {
            table: self.table.iter().map(|&lane| (lane, 1)).collect(),
            pointer: self.pointer,
            last_lane: self.last_lane,
            ..Default::default()
        }
    }
}
