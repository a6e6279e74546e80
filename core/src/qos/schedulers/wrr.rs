//! Table arbitration of InfiniBand and Advanced Switching: one packet per entry, whatever its size.

use super::{Foremost, Lanes, SchedulerState};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::messages;
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;
use std::sync::Arc;

/// Most entries of a table (Advanced Switching).
const MAX_ENTRIES: usize = 1024;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "wrr",
    name: "Table arbitration (WRR)",
    summary: "A table of virtual lanes, one packet per entry whatever its size: unfair when sizes differ",
    parameters: &[Parameter {
        id: "table",
        summary: "Virtual lane of each entry, up to 1024",
        unit: "lane",
        kind: Kind::Integers { default: &[0] },
    }],
    citation: "InfiniBand Architecture 1.3, 7.6.9; Advanced Switching Core 1.0",
    status: Status::CrossChecked,
};

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
    pub fn new(table: &[u8], at: &str) -> Result<Self, Problems> {
        let at = format!("{at}.table");
        if table.is_empty() || table.len() > MAX_ENTRIES {
            return Err(Problems::one(
                at,
                messages::entry_count(table.len()),
                messages::use_1_to_1024_entries(),
            ));
        }
        if let Some(lane) = table.iter().find(|&&lane| lane as usize >= MAX_LEVELS) {
            return Err(Problems::one(
                at,
                messages::no_such_lane(*lane),
                messages::lanes_are_0_to_31(),
            ));
        }
        let listed = table.iter().fold(0, |set, &lane| set | 1 << lane);
        Ok(Self {
            table: table.into(),
            listed,
            pointer: table.len() - 1,
            last_lane: MAX_LEVELS as u8 - 1,
            last_unlisted: MAX_LEVELS as u8 - 1,
        })
    }

    #[inline]
    pub(super) fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        if lanes.ready & self.listed == 0 {
            self.last_unlisted =
                lanes.first_after(self.last_unlisted, |_| true).expect("a lane is ready");
            self.last_lane = self.last_unlisted;
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

    pub(super) fn state(&self) -> SchedulerState {
        SchedulerState {
            table: self.table.iter().map(|&lane| (lane, 1)).collect(),
            pointer: self.pointer,
            last_lane: self.last_lane,
            ..Default::default()
        }
    }
}
