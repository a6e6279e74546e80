//! Deficit table: a cycled table of (service level, weight) entries with a deficit per level.

mod configure;
pub use configure::{LevelSums, Table, configure, correct};

use super::{
    Amount, Discipline, Foremost, Given, Lanes, LatencyRate, Levels, Member, Name, Omission,
    Parameters, SchedulerState, Turn, equal_parts, first_after, follow, messages,
};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Most entries of a table.
const MAX_ENTRIES: u32 = 1024;
/// Largest weight of an entry, credits.
pub const MAX_ENTRY_WEIGHT: u32 = 1 << 20;
/// Largest share of a level in the goals.
pub const MAX_SHARE: u32 = 1_000_000;
/// Largest general MTU of goals, credits, and largest decoupling parameter w.
pub(super) const MAX_GENERAL_MTU: u32 = 1024;
const MAX_W: u32 = 1024;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "dtable",
    name: "Deficit table (DTable)",
    summary: "a table of levels and weights: entry spacing bounds latency, weights give bandwidth",
    parameters: &[
        Parameter::new(
            "entries",
            "level and weight of each entry, in table order; or use `configure`",
            "level, credits",
            Kind::Values { default: "[]" },
        ),
        Parameter::integer(
            "configure.entries",
            "number of entries N, a power of two",
            "",
            (128, 1, MAX_ENTRIES as u64),
        ),
        Parameter::integer(
            "configure.general_mtu",
            "general MTU",
            "credits",
            (16, 1, MAX_GENERAL_MTU as u64),
        ),
        Parameter::integer(
            "configure.w",
            "an entry's weight is at most w general MTUs",
            "",
            (8, 1, MAX_W as u64),
        ),
        Parameter::integer(
            "configure.k",
            "the pool of weight is k general MTUs per entry; at most w",
            "",
            (2, 1, MAX_W as u64),
        ),
    ],
    citation: "Cano-Cano et al., Providing quality of service in Omni-Path networks, J. Supercomputing 2022",
    status: Status::CrossChecked,
};

/// A deficit table: its entries, or the goals from which they are computed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DtableSpec {
    /// `[level, weight in credits]`, in table order; empty to have the table configured.
    #[serde(default)]
    pub entries: Vec<(u8, u32)>,
    /// The goals from which the table is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configure: Option<DtableGoals>,
}

/// Goals of a deficit table: the input of its configuration method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DtableGoals {
    /// Number of entries N, a power of two.
    pub entries: u32,
    /// General MTU, credits.
    pub general_mtu: u32,
    /// Decoupling parameter w: an entry's weight is at most w general MTUs.
    pub w: u32,
    /// Decoupling parameter k, at most w: the pool of weight is k general MTUs per entry.
    pub k: u32,
    /// The levels served.
    pub levels: Vec<DtableLevel>,
}

impl Default for DtableGoals {
    fn default() -> Self {
        Self { entries: 128, general_mtu: 16, w: 8, k: 2, levels: Vec::new() }
    }
}

/// Goals of one service level in a deficit table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DtableLevel {
    /// The service level.
    pub level: u8,
    /// Latency need: most entries between two of its entries. The power of two at or below it is
    /// used.
    pub distance: u32,
    /// Its share of the bandwidth, relative to the sum over all levels.
    pub share: u32,
    /// Its MTU, credits.
    pub mtu: u32,
}

impl Parameters for DtableSpec {
    fn fit(&mut self, levels: &Levels) {
        self.entries.retain(|entry| usize::from(entry.0) < levels.count());
        if let Some(goals) = &mut self.configure {
            goals.fit(&levels.mtus);
        }
    }

    fn set_mtus(&mut self, before: &Levels, after: &Levels) {
        let Some(goals) = &mut self.configure else { return };
        for goal in &mut goals.levels {
            let mtu = |levels: &Levels| levels.mtus.get(usize::from(goal.level)).copied();
            if mtu(before) != mtu(after) {
                goal.mtu = mtu(after).unwrap_or(goal.mtu);
            }
        }
        follow(&mut goals.general_mtu, before.largest_packet(), after.largest_packet());
    }

    fn names(&self) -> Vec<Name> {
        let entry = |(i, &(level, _))| Name::Level { field: format!("entries.{i}"), level };
        let goal = |(i, goal): (usize, &DtableLevel)| Name::Level {
            field: format!("configure.levels.{i}.level"),
            level: goal.level,
        };
        let goals = self.configure.iter().flat_map(|goals| &goals.levels);
        self.entries.iter().enumerate().map(entry).chain(goals.enumerate().map(goal)).collect()
    }

    fn omits(&self, level: u8, _lanes: &[u8]) -> Option<Omission> {
        let (field, is_listed) = match &self.configure {
            Some(goals) => {
                ("configure.levels", goals.levels.iter().any(|goal| goal.level == level))
            }
            None => ("entries", self.entries.iter().any(|entry| entry.0 == level)),
        };
        (!is_listed).then_some(Omission { field, lane: None })
    }

    /// That of a table ([`LatencyRate::of_table`]) whose entries send their weight; a level saves
    /// less than a packet.
    fn latency_rate(&self, level: usize, levels: &Levels, _smallest: u32) -> Option<LatencyRate> {
        let table = self.table("").ok()?;
        let is_own = |of: u8| usize::from(of) == level;
        let turn = |&(of, weight)| if is_own(of) { Turn::Own(weight) } else { Turn::Other(weight) };
        let turns: Vec<Turn> = table.iter().map(turn).collect();
        let others = (0..levels.count()).filter(|&other| other != level);
        let saved: u32 = others.map(|other| levels.mtus[other] - 1).sum();
        let own = levels.mtus[level];
        LatencyRate::of_table(&turns, own, own - 1, saved + levels.largest_packet())
    }

    fn gives(&self, level: usize, levels: &Levels) -> Option<Given> {
        let table = self.table("").ok()?;
        let of = |level: usize| table.iter().filter(move |entry| usize::from(entry.0) == level);
        let weight = |level: usize| of(level).map(|entry| u64::from(entry.1)).sum::<u64>() as f64;
        let amount = Amount::Entries(of(level).count() as u32);
        Some(Given { amount, share: levels.share_of_level(level, weight) })
    }
}

impl Member for DtableSpec {
    type Scheduler = Dtable;

    fn suited(levels: &Levels) -> Self {
        let general_mtu = levels.largest_packet().max(1);
        let goals = DtableGoals { entries: 32, general_mtu, ..DtableGoals::default() };
        let mut suited = Self { entries: Vec::new(), configure: Some(goals) };
        suited.fit(levels);
        suited
    }

    fn scheduler(&self, at: &str) -> Result<Dtable, Problems> {
        Dtable::with_entries(&self.table(at)?, &format!("{at}.entries"))
    }
}

impl DtableSpec {
    /// The entries given, or those that [`configure`] finds for the goals.
    ///
    /// # Errors
    ///
    /// What is wrong with the goals; `at` is the scenario path of the scheduler.
    fn table(&self, at: &str) -> Result<Vec<(u8, u32)>, Problems> {
        match (&self.configure, self.entries.as_slice()) {
            (Some(goals), []) => Ok(configure(goals, &format!("{at}.configure"))?.entries),
            (None, entries) => Ok(entries.to_vec()),
            (Some(_), _) => Err(Problems::one(
                at,
                messages::entries_and_goals(),
                messages::keep_entries_or_configure(),
            )),
        }
    }
}

impl DtableGoals {
    /// One goal for each level: equal ones if they were so before; else a new level has the mean
    /// share and the least distance for which the table has space. `mtus` are those of the levels.
    fn fit(&mut self, mtus: &[u32]) {
        let count = mtus.len();
        let before = self.levels.len();
        let own_mtus: Vec<u32> = self.levels.iter().map(|goal| goal.mtu).collect();
        if self.levels == equal_goals(&own_mtus) {
            if before != count {
                self.levels = equal_goals(mtus);
            }
            return;
        }
        self.levels.retain(|goal| usize::from(goal.level) < count);
        let last = count.saturating_sub(1);
        if before >= count || self.levels.iter().any(|goal| usize::from(goal.level) == last) {
            return;
        }
        let spacing = |distance: u32| 1_u32 << distance.clamp(1, self.entries.max(1)).ilog2();
        let used: u32 = self.levels.iter().map(|goal| self.entries / spacing(goal.distance)).sum();
        let free = self.entries.saturating_sub(used);
        if free == 0 {
            return; // a warning says that the level is left out
        }
        let most = 1 << free.ilog2();
        let shares: u32 = self.levels.iter().map(|goal| goal.share).sum();
        self.levels.push(DtableLevel {
            level: last as u8,
            distance: self.entries / most,
            share: (shares / self.levels.len().max(1) as u32).max(1),
            mtu: mtus[last],
        });
    }
}

fn equal_goals(mtus: &[u32]) -> Vec<DtableLevel> {
    let distance = (mtus.len() as u32).next_power_of_two();
    let goal = |((level, &mtu), share): ((usize, &u32), u32)| DtableLevel {
        level: level as u8,
        distance,
        share,
        mtu,
    };
    mtus.iter().enumerate().zip(equal_parts(mtus.len())).map(goal).collect()
}

/// Deficit table. The pointer moves to the next entry whose level is ready. The accumulated weight
/// is the deficit of the level plus the weight of the entry, and the level sends packets while the
/// accumulated weight covers the packet at the head. Then a level that is not ready loses the rest;
/// a level whose packet is too large keeps it as deficit. Lanes of one level take turns. Levels
/// without an entry take turns while no level with an entry is ready.
// The order of the fields puts everything about the first levels into one cache line.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct Dtable {
    table: Arc<[Entry]>,
    listed: u32,
    /// Lanes that carry packets of listed levels only.
    listed_lanes: u32,
    accumulated: u32,
    pointer: u16,
    last_unlisted: u8,
    last: Last,
    levels: [Level; MAX_LEVELS],
}

/// What the last packet sent was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Last {
    /// The first of a turn of the entry in service.
    First,
    /// A later one of that turn.
    Later,
    /// Of a level without an entry.
    Unlisted,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    weight: u32,
    /// `own`: lanes that carry only packets of the level; `shared`: lanes that carry also others.
    own: u32,
    shared: u32,
    level: u8,
}

/// The state of a level. It is small, because thousands of ports have one for each level.
#[derive(Debug, Clone, Copy)]
struct Level {
    /// Credits; less than the size of a packet.
    deficit: u16,
    last_lane: u8,
}

impl Dtable {
    /// A scheduler with these entries.
    ///
    /// # Errors
    ///
    /// What is wrong with the entries; `at` is their scenario path.
    fn with_entries(table: &[(u8, u32)], at: &str) -> Result<Self, Problems> {
        if table.is_empty() || table.len() > MAX_ENTRIES as usize {
            return Err(Problems::one(
                at,
                messages::entry_count(table.len()),
                messages::use_1_to_1024_entries(),
            ));
        }
        for (i, &(level, weight)) in table.iter().enumerate() {
            if level as usize >= MAX_LEVELS || weight == 0 || weight > MAX_ENTRY_WEIGHT {
                return Err(Problems::one(
                    format!("{at}.{i}"),
                    messages::level_with_weight(level, weight),
                    messages::entry_bounds(MAX_ENTRY_WEIGHT),
                ));
            }
        }
        let last = MAX_LEVELS as u8 - 1;
        // Before `set_lanes_of_levels`, any lane may carry packets of any level.
        let entry = |&(level, weight): &(u8, u32)| Entry { weight, own: 0, shared: !0, level };
        Ok(Self {
            listed: table.iter().fold(0, |set, &(level, _)| set | 1 << level),
            listed_lanes: 0,
            pointer: (table.len() - 1) as u16,
            table: table.iter().map(entry).collect(),
            accumulated: 0,
            last_unlisted: last,
            last: Last::Unlisted,
            levels: [Level { deficit: 0, last_lane: last }; MAX_LEVELS],
        })
    }

    /// A table whose entries name lanes, each with the same weight in credits. A lane stands for a
    /// level of its own: it has one deficit, whatever the levels of its packets.
    pub(super) fn of_lanes(table: &[u8], weight: u32) -> Self {
        let entry = |&lane: &u8| Entry { weight, own: 1 << lane, shared: 0, level: lane };
        let last = MAX_LEVELS as u8 - 1;
        Self {
            // No level is listed, so that only lanes tell whether an entry is ready.
            listed: 0,
            listed_lanes: table.iter().fold(0, |set, &lane| set | 1 << lane),
            pointer: (table.len() - 1) as u16,
            table: table.iter().map(entry).collect(),
            accumulated: 0,
            last_unlisted: last,
            last: Last::Unlisted,
            levels: [Level { deficit: 0, last_lane: last }; MAX_LEVELS],
        }
    }

    /// The ready lanes that have a packet of an entry's level at their head. Only shared lanes need
    /// a look at the packet.
    #[inline]
    fn ready_lanes<L: Foremost>(&self, entry: u16, lanes: Lanes<L>) -> u32 {
        let Entry { own, shared, level, .. } = self.table[entry as usize];
        let doubtful = lanes.ready & shared;
        let ready = lanes.ready & own;
        if doubtful == 0 {
            ready
        } else {
            ready | Lanes { ready: doubtful, ..lanes }.of_level(level)
        }
    }

    /// The next lane of the level in service, if one is ready and the accumulated weight covers its
    /// packet.
    #[inline(always)]
    fn next_of_entry<L: Foremost>(&mut self, ready: u32, lanes: Lanes<L>) -> Option<u8> {
        if ready == 0 {
            return None;
        }
        let level = self.table[self.pointer as usize].level;
        let last = &mut self.levels[level as usize].last_lane;
        let lane = first_after(ready, *last);
        let size = u32::from(lanes.head(lane).credits);
        if self.accumulated < size {
            return None;
        }
        self.accumulated -= size;
        *last = lane;
        Some(lane)
    }

    /// Moves the pointer to the next entry whose level is ready; returns its ready lanes.
    #[inline(always)]
    fn turn_to_next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u32 {
        loop {
            let next = self.pointer + 1;
            self.pointer = if usize::from(next) == self.table.len() { 0 } else { next };
            let ready = self.ready_lanes(self.pointer, lanes);
            if ready != 0 {
                let Entry { weight, level, .. } = self.table[self.pointer as usize];
                let deficit = &mut self.levels[level as usize].deficit;
                self.accumulated = u32::from(std::mem::take(deficit)) + weight;
                return ready;
            }
        }
    }
}

impl Discipline for Dtable {
    fn set_lanes_of_levels(&mut self, lanes_of: &[u32]) {
        let lanes = |level: usize| lanes_of.get(level).copied().unwrap_or(0);
        let others = |level: usize| {
            (0..lanes_of.len()).filter(|&l| l != level).fold(0, |set, l| set | lanes(l))
        };
        let all = |mut entry: Entry| {
            let of_others = others(entry.level.into());
            entry.own = lanes(entry.level.into()) & !of_others;
            entry.shared = lanes(entry.level.into()) & of_others;
            entry
        };
        self.table = self.table.iter().copied().map(all).collect();
        let unlisted = (0..lanes_of.len()).filter(|level| self.listed >> level & 1 == 0);
        self.listed_lanes = !unlisted.fold(0, |set, level| set | lanes(level));
    }

    #[inline(always)]
    fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        let mut ready = self.ready_lanes(self.pointer, lanes);
        if let Some(lane) = self.next_of_entry(ready, lanes) {
            self.last = if self.last == Last::Unlisted { Last::First } else { Last::Later };
            return lane;
        }
        if lanes.ready & self.listed_lanes == 0 && lanes.levels() & self.listed == 0 {
            self.last = Last::Unlisted;
            return lanes.next_in_turn(&mut self.last_unlisted);
        }
        self.last = Last::First;
        loop {
            let level = self.table[self.pointer as usize].level;
            self.levels[level as usize].deficit =
                if ready != 0 { self.accumulated as u16 } else { 0 };
            ready = self.turn_to_next(lanes);
            if let Some(lane) = self.next_of_entry(ready, lanes) {
                return lane;
            }
        }
    }

    #[inline]
    fn goes_on(&self) -> bool {
        self.last == Last::Later
    }

    fn state<L: Foremost>(&self, _: Lanes<L>) -> SchedulerState {
        SchedulerState {
            table: self.table.iter().map(|entry| (entry.level, entry.weight)).collect(),
            pointer: self.pointer.into(),
            accumulated: Some(self.accumulated),
            deficits: self.levels.iter().map(|level| level.deficit.into()).collect(),
            last_lane: self.levels[self.table[self.pointer as usize].level as usize].last_lane,
            ..Default::default()
        }
    }
}
