//! From bandwidth shares and latency needs to a deficit table, in whole numbers.

use super::super::messages;
use super::{DtableGoals, DtableLevel, MAX_ENTRIES, MAX_GENERAL_MTU, MAX_SHARE, MAX_W};
use crate::messages::out_of_range;
use crate::problem::Problems;
use crate::scenario::MAX_LEVELS;

/// A configured table, with the steps of its configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// `(level, weight in credits)`, in table order.
    pub entries: Vec<(u8, u32)>,
    /// Per level, in the order of the goals.
    pub levels: Vec<LevelSums>,
}

/// The entries and weights of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelSums {
    /// The service level.
    pub level: u8,
    /// Number of entries n_i.
    pub entries: u32,
    /// Weight of each entry before the correction.
    pub entry_weight: u32,
    /// Sum of weights before the correction.
    pub rounded: u32,
    /// The correction D_i that was asked for.
    pub correction: i64,
    /// Sum of weights after the correction.
    pub total: u32,
}

/// The configuration method of the deficit table with its bandwidth correction. Entries of a level
/// are evenly spaced by its distance; their weights are its share of the pool, rounded up; then
/// weight is moved so that the shares are right again. Entries that no level needs are left out.
/// `at` is the scenario path of the goals.
pub fn configure(goals: &DtableGoals, at: &str) -> Result<Table, Problems> {
    check(goals, at)?;
    let places = place(goals, at)?;
    let pool = u64::from(goals.entries) * u64::from(goals.general_mtu) * u64::from(goals.k);
    let all_shares: u64 = goals.levels.iter().map(|l| u64::from(l.share)).sum();
    let mut levels = Vec::new();
    for (i, goal) in goals.levels.iter().enumerate() {
        let entries = goals.entries / spacing(goal, goals.entries);
        check_share(goals, i, entries, pool, all_shares, at)?;
        let entry_weight =
            (pool * u64::from(goal.share)).div_ceil(all_shares * u64::from(entries)) as u32;
        let rounded = entry_weight * entries;
        levels.push(LevelSums {
            level: goal.level,
            entries,
            entry_weight,
            rounded,
            correction: 0,
            total: rounded,
        });
    }
    let mut entries: Vec<(u8, u32)> = places
        .into_iter()
        .flatten()
        .map(|i| (goals.levels[i].level, levels[i].entry_weight))
        .collect();
    let sum: u64 = levels.iter().map(|l| u64::from(l.rounded)).sum();
    for (sums, goal) in levels.iter_mut().zip(&goals.levels) {
        // -round(R - phi) times the sum of all weights, exactly.
        let (obtained, due) = (u64::from(sums.rounded) * all_shares, u64::from(goal.share) * sum);
        let excess = (2 * obtained.abs_diff(due) + all_shares) / (2 * all_shares);
        sums.correction = if obtained > due { -(excess as i64) } else { excess as i64 };
        correct(&mut entries, goal.level, goal.mtu, sums.correction);
        sums.total = entries.iter().filter(|e| e.0 == goal.level).map(|e| e.1).sum();
    }
    Ok(Table { entries, levels })
}

/// Adds `correction` to the entries of a level, 1 at a time from the end of the table backwards,
/// over and over, never taking an entry below the level's MTU.
pub fn correct(entries: &mut [(u8, u32)], level: u8, mtu: u32, correction: i64) {
    let mut left = correction.unsigned_abs();
    while left > 0 {
        let before = left;
        for (_, weight) in entries.iter_mut().rev().filter(|e| e.0 == level) {
            if left == 0 {
                return;
            }
            if correction > 0 {
                *weight += 1;
                left -= 1;
            } else if *weight > mtu {
                *weight -= 1;
                left -= 1;
            }
        }
        if left == before {
            return;
        }
    }
}

/// Distance between two entries of a level: the largest power of two up to its goal.
fn spacing(goal: &DtableLevel, entries: u32) -> u32 {
    1 << goal.distance.min(entries).ilog2()
}

fn check(goals: &DtableGoals, at: &str) -> Result<(), Problems> {
    let mut problems = Problems::default();
    if !goals.entries.is_power_of_two() || goals.entries > MAX_ENTRIES {
        problems.add(
            format!("{at}.entries"),
            messages::not_a_power_of_two(),
            messages::use_powers_of_two(),
        );
    }
    if !(1..=MAX_GENERAL_MTU).contains(&goals.general_mtu) {
        problems.add(
            format!("{at}.general_mtu"),
            out_of_range(goals.general_mtu),
            messages::use_mtu_credits(),
        );
    }
    if !(1..=MAX_W).contains(&goals.w) {
        problems.add(format!("{at}.w"), out_of_range(goals.w), messages::use_between(1, MAX_W));
    }
    if goals.k < 1 || goals.k > goals.w {
        problems.add(
            format!("{at}.k"),
            messages::k_out_of_bounds(),
            messages::lower_k_or_raise_w(),
        );
    }
    if goals.levels.is_empty() {
        problems.add(
            format!("{at}.levels"),
            messages::no_level_given(),
            messages::list_at_least_one(),
        );
    }
    let mut seen = 0_u32;
    for (i, l) in goals.levels.iter().enumerate() {
        let at = format!("{at}.levels.{i}");
        if l.level as usize >= MAX_LEVELS || seen >> l.level & 1 == 1 {
            problems.add(
                format!("{at}.level"),
                messages::twice_or_above_31(),
                messages::list_each_level_once(),
            );
        } else {
            seen |= 1 << l.level;
        }
        if l.distance == 0 {
            problems.add(
                format!("{at}.distance"),
                messages::at_least_1(),
                messages::distance_2_is_every_other(),
            );
        }
        if !(1..=MAX_SHARE).contains(&l.share) {
            problems.add(
                format!("{at}.share"),
                out_of_range(l.share),
                messages::use_between(1, MAX_SHARE),
            );
        }
        if l.mtu == 0 || l.mtu > goals.general_mtu {
            problems.add(
                format!("{at}.mtu"),
                messages::mtu_0_or_above_general(),
                messages::use_general_mtu(),
            );
        }
    }
    problems.or(())
}

/// The level (as an index into the goals) of each entry: shortest distances first, each from the
/// first entry where it fits.
fn place(goals: &DtableGoals, at: &str) -> Result<Vec<Option<usize>>, Problems> {
    let n = goals.entries;
    let spacings = goals.levels.iter().map(|level| spacing(level, n));
    let mut order: Vec<(u32, u32)> = spacings.zip(0..).collect();
    order.sort_unstable();
    let mut places = vec![None; n as usize];
    for (step, i) in order {
        let (step, i) = (step as usize, i as usize);
        let Some(first) =
            (0..step).find(|&f| (f..n as usize).step_by(step).all(|e| places[e].is_none()))
        else {
            return Err(Problems::one(
                format!("{at}.levels.{i}.distance"),
                messages::table_has_no_space(),
                messages::raise_distances(),
            ));
        };
        (first..n as usize).step_by(step).for_each(|e| places[e] = Some(i));
    }
    Ok(places)
}

/// The share must be within what the level's entries can carry: at least an MTU each, at most w
/// general MTUs each.
fn check_share(
    goals: &DtableGoals,
    i: usize,
    entries: u32,
    pool: u64,
    all_shares: u64,
    at: &str,
) -> Result<(), Problems> {
    let goal = &goals.levels[i];
    let weight = pool * u64::from(goal.share);
    let least = u64::from(entries) * u64::from(goal.mtu) * all_shares;
    let most = u64::from(entries) * u64::from(goals.general_mtu) * u64::from(goals.w) * all_shares;
    if weight < least {
        return Err(Problems::one(
            format!("{at}.levels.{i}.share"),
            messages::share_too_small(goal.level),
            messages::raise_share_distance_or_k(),
        ));
    }
    if weight > most {
        return Err(Problems::one(
            format!("{at}.levels.{i}.share"),
            messages::share_too_large(goal.level),
            messages::lower_share_or_distance(),
        ));
    }
    Ok(())
}
