//! Deficit table as Advanced Switching can have it: its arbitration table, whose entries name a
//! virtual lane and nothing else, with the same weight for all entries, one MTU.
//!
//! Martínez et al., Providing Quality of Service over Advanced Switching, section 4. Each lane has
//! a deficit counter, at most MTU - 1 credits, so an entry sends up to 2 MTU - 1. If all entries of
//! a lane follow one another, it equals deficit round robin.

use super::dtable::{Dtable, MAX_GENERAL_MTU};
use super::{
    Discipline, Foremost, Given, Lanes, LatencyRate, Levels, Member, Name, Omission, Parameters,
    SchedulerState, Turn, exchange_lanes, follow, messages, wrr,
};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "as-dtable",
    name: "Deficit table of Advanced Switching",
    summary: "the table of virtual lanes of WRR, with an MTU per entry and a deficit per lane: fair whatever the sizes",
    parameters: &[
        Parameter::new(
            "table",
            "virtual lane of each entry, up to 1024",
            "lane",
            Kind::Integers {
                default: &[0],
                min: 0,
                max: MAX_LEVELS as u64 - 1,
                may_be_empty: false,
            },
        )
        .named("Lane of each entry")
        .required(),
        Parameter::integer(
            "mtu",
            "weight of every entry: the largest packet",
            "credits",
            (34, 1, MAX_GENERAL_MTU as u64),
        )
        .named("Weight of every entry")
        .required(),
    ],
    citation: "Martínez et al., Providing Quality of Service over Advanced Switching, section 4",
    status: Status::CrossChecked,
};

/// Parameters of the deficit table of Advanced Switching.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AsDtableSpec {
    /// A virtual lane per entry.
    pub table: Vec<u8>,
    /// Weight of every entry, credits; no packet is larger.
    pub mtu: u32,
}

impl Parameters for AsDtableSpec {
    fn fit(&mut self, levels: &Levels) {
        wrr::fit(&mut self.table, levels);
    }

    fn set_mtus(&mut self, before: &Levels, after: &Levels) {
        follow(&mut self.mtu, before.largest_packet(), after.largest_packet());
    }

    fn swap_lanes(&mut self, one: u8, other: u8) {
        exchange_lanes(&mut self.table, one, other);
    }

    fn names(&self) -> Vec<Name> {
        wrr::names(&self.table)
    }

    fn omits(&self, _level: u8, lanes: &[u8]) -> Option<Omission> {
        wrr::omits(&self.table, lanes)
    }

    fn check(&self, at: &str, largest: &[u32], problems: &mut Problems) {
        let packet = largest.iter().copied().max().unwrap_or(0);
        if packet > self.mtu {
            problems.add(
                format!("{at}.mtu"),
                messages::mtu_below_packet(self.mtu, packet),
                messages::use_credits_at_least(packet),
            );
        }
    }

    /// That of a table ([`LatencyRate::of_table`]) whose entries send an MTU; a lane saves less
    /// than a packet.
    fn latency_rate(&self, level: usize, levels: &Levels, _smallest: u32) -> Option<LatencyRate> {
        let lane = levels.lane_alone(level)?;
        let turn = |&of: &u8| if of == lane { Turn::Own(self.mtu) } else { Turn::Other(self.mtu) };
        let turns: Vec<Turn> = self.table.iter().map(turn).collect();
        let others = levels.largest().into_iter().filter(|&(other, _)| other != lane);
        let saved: u32 = others.map(|(_, packet)| packet - 1).sum();
        let own = levels.mtus[level];
        LatencyRate::of_table(&turns, own, own - 1, saved + levels.largest_packet())
    }

    /// Every entry sends an MTU.
    fn gives(&self, level: usize, levels: &Levels) -> Option<Given> {
        wrr::gives(&self.table, level, levels, |_| self.mtu)
    }
}

impl Member for AsDtableSpec {
    type Scheduler = AsDtable;

    fn suited(levels: &Levels) -> Self {
        let mut suited = Self { table: Vec::new(), mtu: levels.largest_packet().max(1) };
        suited.fit(levels);
        suited
    }

    fn scheduler(&self, at: &str) -> Result<AsDtable, Problems> {
        wrr::check_table(&self.table, &format!("{at}.table"))?;
        let mut problems = Problems::default();
        DESCRIPTOR.check_bounds(self, at, &mut problems);
        problems.or(AsDtable(Dtable::of_lanes(&self.table, self.mtu)))
    }
}

/// A deficit table whose entries name lanes.
#[derive(Debug, Clone)]
pub struct AsDtable(Dtable);

impl Discipline for AsDtable {
    fn next<L: Foremost>(&mut self, lanes: Lanes<L>) -> u8 {
        self.0.next(lanes)
    }

    fn goes_on(&self) -> bool {
        self.0.goes_on()
    }

    fn state<L: Foremost>(&self, lanes: Lanes<L>) -> SchedulerState {
        SchedulerState { by_lane: true, ..self.0.state(lanes) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::IDLE;
    use super::super::{DrrSpec, Head, Scheduler, SchedulerSpec};
    use super::*;
    use crate::random::stream;
    use rand::RngExt;

    const MTU: u32 = 34;

    fn new(table: &[u8]) -> Scheduler {
        let spec = AsDtableSpec { table: table.to_vec(), mtu: MTU };
        Scheduler::new(&SchedulerSpec::AsDtable(spec), "fabric.scheduler").expect("valid")
    }

    /// Section 4 of the paper: "if all the table entries devoted to the same VCs are assigned
    /// consecutively, the behavior of this scheduler would be the same as the DRR algorithm". A
    /// quantum of DRR is then what the entries of a lane have together. Lanes become ready at any
    /// time, and stop being so when they have sent: a lane has credits of its own.
    #[test]
    fn with_one_entry_per_lane_it_is_deficit_round_robin() {
        let mut table = new(&[0, 1, 2, 3]);
        let quanta = DrrSpec { quanta: vec![MTU; 4] };
        let mut drr = Scheduler::new(&SchedulerSpec::Drr(quanta), "").expect("valid");
        let mut random = stream(1, "consecutive entries", 0);
        let mut heads = [0, 1, 2, 3].map(|level| Head { level, credits: 1 });
        let mut ready = 0_u32;
        for packet in 0..20_000 {
            ready |= random.random_range(0..16_u32) & random.random_range(0..16);
            if ready == 0 {
                continue;
            }
            let lanes = Lanes { ready, lanes: &heads, now: 0 };
            let lane = table.next(lanes);
            assert_eq!(lane, drr.next(lanes), "packet {packet}");
            let lane = lane.expect("a lane is ready");
            heads[usize::from(lane)].credits = random.random_range(1..=MTU as u16);
            ready &= !(random.random_range(0..2) << lane);
        }
    }

    /// With several consecutive entries per lane, backlogged lanes send in every round of the table
    /// what they send in a round of DRR, up to what is left as deficit at its end.
    #[test]
    fn with_consecutive_entries_a_round_is_one_of_deficit_round_robin() {
        let entries = [3, 1, 2];
        let list: Vec<u8> =
            (0..3).flat_map(|lane| vec![lane; entries[usize::from(lane)]]).collect();
        let mut table = new(&list);
        let quanta = entries.map(|entries| MTU * entries as u32).to_vec();
        let mut drr = Scheduler::new(&SchedulerSpec::Drr(DrrSpec { quanta }), "").expect("valid");
        let mut random = stream(2, "consecutive entries", 0);
        // The same packets for both, lane by lane.
        let packets: Vec<Vec<u16>> = (0..3)
            .map(|_| (0..20_000).map(|_| random.random_range(1..=MTU as u16)).collect())
            .collect();
        let order = |scheduler: &mut Scheduler| {
            let mut sent = [0; 3];
            let mut order = Vec::new();
            for _ in 0..20_000 {
                let head =
                    |lane: usize| Head { level: lane as u8, credits: packets[lane][sent[lane]] };
                let heads = [head(0), head(1), head(2)];
                let lane = scheduler.next(Lanes { ready: 7, lanes: &heads, now: 0 });
                let lane = lane.expect("all are ready");
                sent[usize::from(lane)] += 1;
                order.push(lane);
            }
            order
        };
        assert_eq!(order(&mut table), order(&mut drr));
    }

    /// An entry sends at most 2 MTU - 1 credits, and leaves at most MTU - 1 as deficit.
    #[test]
    fn an_entry_sends_less_than_two_mtus() {
        let mut table = new(&[0, 1, 0, 2]);
        let mut random = stream(3, "entry", 0);
        let mut heads = [0, 1, 2].map(|level| Head { level, credits: 1 });
        let (mut of_entry, mut most, mut largest_deficit) = (0, 0, 0);
        for _ in 0..50_000 {
            let lane = table.next(Lanes { ready: 7, lanes: &heads, now: 0 }).expect("ready");
            let head = &mut heads[usize::from(lane)];
            of_entry = u32::from(head.credits) + if table.goes_on() { of_entry } else { 0 };
            head.credits = random.random_range(1..=MTU as u16);
            most = most.max(of_entry);
            largest_deficit =
                table.state(IDLE).deficits.into_iter().fold(largest_deficit, u32::max);
        }
        assert_eq!((most, largest_deficit), (2 * MTU - 1, MTU - 1));
    }

    /// Two levels share lane 0: it has one deficit, where the table of levels would have two.
    #[test]
    fn the_deficit_is_the_lanes_whatever_its_level() {
        let mut table = new(&[0, 1]);
        table.set_lanes_of_levels(&[1, 3]);
        let heads =
            |level, credits| [Head { level, credits }, Head { level: 1, credits: MTU as u16 }];
        let first = heads(0, 30);
        assert_eq!(table.next(Lanes { ready: 3, lanes: &first, now: 0 }), Some(0));
        let second = heads(1, 34);
        assert_eq!(table.next(Lanes { ready: 3, lanes: &second, now: 0 }), Some(1));
        assert_eq!(table.state(IDLE).deficits[0], 4);
    }

    #[test]
    fn wrong_tables_are_refused() {
        let refused = |table: Vec<u8>, mtu| {
            let spec = SchedulerSpec::AsDtable(AsDtableSpec { table, mtu });
            Scheduler::new(&spec, "s").expect_err("refused").0[0].at.to_string()
        };
        assert_eq!(refused(vec![], 34), "s.table");
        assert_eq!(refused(vec![0; 1025], 34), "s.table");
        assert_eq!(refused(vec![0, 32], 34), "s.table.1");
        assert_eq!(refused(vec![0], 0), "s.mtu");
        let mut problems = Problems::default();
        AsDtableSpec { table: vec![0], mtu: 33 }.check("s", &[1, 34], &mut problems);
        assert_eq!(problems.0[0].at.path(), "s.mtu");
    }
}
