//! Deficit round robin: a quantum of credits per service level and round.

use super::{
    Amount, Discipline, Foremost, Given, Lanes, LatencyRate, Levels, Member, Name, Parameters,
    SchedulerState, messages,
};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;
use serde::{Deserialize, Serialize};

/// Largest quantum of a level, credits.
const MAX_QUANTUM: u32 = 1 << 20;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "drr",
    name: "Deficit round robin",
    summary: "each service level in turn may send its quantum; what a packet does not fit in is kept for the next round",
    parameters: &[Parameter::new(
        "quanta",
        "quantum of each service level",
        "credits",
        Kind::Integers { default: &[16], min: 1, max: MAX_QUANTUM as u64, may_be_empty: true },
    )
    .named("Quanta of the levels")
    .required()],
    citation: "Shreedhar, Varghese, Efficient fair queuing using deficit round-robin, 1996",
    status: Status::CrossChecked,
};

/// Parameters of deficit round robin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrrSpec {
    /// Credits per round of each service level; a level not listed has 1.
    pub quanta: Vec<u32>,
}

impl Parameters for DrrSpec {
    fn fit(&mut self, levels: &Levels) {
        self.quanta.resize(levels.count(), 16);
    }

    fn names(&self) -> Vec<Name> {
        vec![Name::Levels { field: "quanta".into(), count: self.quanta.len() }]
    }

    /// Stiliadis, Varma 1998, table I: `3 F - 2 Q_i` with the quantum `Q_i` and their sum `F`,
    /// where no packet is larger than the quantum of its level.
    fn latency_rate(&self, level: usize, levels: &Levels, _smallest: u32) -> Option<LatencyRate> {
        let quantum = |level: usize| self.quanta.get(level).copied().unwrap_or(1);
        let fits = levels.mtus.iter().enumerate().all(|(level, &mtu)| mtu <= quantum(level));
        let frame: f64 = (0..levels.count()).map(|level| f64::from(quantum(level))).sum();
        let own = f64::from(quantum(level));
        fits.then_some(LatencyRate { rate: own / frame, latency: 3.0 * frame - 2.0 * own })
    }

    fn gives(&self, level: usize, levels: &Levels) -> Option<Given> {
        let quantum = |level: usize| self.quanta.get(level).copied().unwrap_or(1);
        let share = levels.share_of_level(level, |level| f64::from(quantum(level)));
        Some(Given { amount: Amount::Quantum(quantum(level)), share })
    }
}

impl Member for DrrSpec {
    type Scheduler = Drr;

    fn suited(levels: &Levels) -> Self {
        Self { quanta: vec![16; levels.count()] }
    }

    fn scheduler(&self, at: &str) -> Result<Drr, Problems> {
        Drr::new(&self.quanta, at)
    }
}

/// Deficit round robin. A level keeps its deficit while it is ready and loses it if no lane of it
/// is ready on its turn.
#[derive(Debug, Clone)]
pub struct Drr {
    quanta: [u32; MAX_LEVELS],
    deficits: [u32; MAX_LEVELS],
    /// The level in service.
    level: u8,
    /// The last packet belongs to the quantum of the one before.
    goes_on: bool,
    last_lane: [u8; MAX_LEVELS],
}

impl Drr {
    /// A scheduler with the quanta of levels 0, 1, ... in credits; levels not listed have 1.
    fn new(quanta: &[u32], at: &str) -> Result<Self, Problems> {
        let at = format!("{at}.quanta");
        if quanta.len() > MAX_LEVELS {
            return Err(Problems::one(at, messages::too_many_levels(), messages::list_32_quanta()));
        }
        if quanta.iter().any(|&q| q == 0 || q > MAX_QUANTUM) {
            return Err(Problems::one(
                at,
                messages::quantum_out_of_bounds(),
                messages::use_quantum_credits(MAX_QUANTUM),
            ));
        }
        let mut all = [1; MAX_LEVELS];
        all[..quanta.len()].copy_from_slice(quanta);
        let last = MAX_LEVELS as u8 - 1;
        Ok(Self {
            quanta: all,
            deficits: [0; MAX_LEVELS],
            level: last,
            goes_on: false,
            last_lane: [last; MAX_LEVELS],
        })
    }

    /// Turns to the next ready level and adds its quantum. The levels in between are not ready and
    /// lose their deficit.
    fn turn_to_next(&mut self, ready: u32) {
        loop {
            self.level = (self.level + 1) % MAX_LEVELS as u8;
            let level = self.level as usize;
            if ready >> level & 1 == 1 {
                self.deficits[level] += self.quanta[level];
                return;
            }
            self.deficits[level] = 0;
        }
    }
}

impl Discipline for Drr {
    #[inline]
    fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        let ready = lanes.levels();
        self.goes_on = true;
        loop {
            let level = self.level;
            if ready >> level & 1 == 1 {
                let last = self.last_lane[level as usize];
                let lane = lanes
                    .first_after(last, |h| h.level == level)
                    .expect("the level has a ready lane");
                let size = u32::from(lanes.head(lane).credits);
                if self.deficits[level as usize] >= size {
                    self.deficits[level as usize] -= size;
                    self.last_lane[level as usize] = lane;
                    return lane;
                }
            } else {
                self.deficits[level as usize] = 0;
            }
            self.goes_on = false;
            self.turn_to_next(ready);
        }
    }

    fn goes_on(&self) -> bool {
        self.goes_on
    }

    fn state<L: Foremost>(&self, _: Lanes<L>) -> SchedulerState {
        SchedulerState {
            pointer: self.level as usize,
            weights: self.quanta.to_vec(),
            deficits: self.deficits.to_vec(),
            last_lane: self.last_lane[self.level as usize],
            ..Default::default()
        }
    }
}
