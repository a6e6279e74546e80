//! Which loads a search for saturation runs, and what follows from them.

use super::{Point, Saturation};
use crate::problem::Problems;
use std::collections::VecDeque;

/// Steps of the coarse search: each load is this much above the one before.
const COARSE: f64 = 1.3;
/// Runs at most, as a guard against scenarios that never saturate.
const MAX_RUNS: usize = 100;
/// Runs at most while the network keeps up with none of the loads.
const MAX_RUNS_DOWN: usize = 40;

/// A search for saturation. Loads may be run ahead of it and in any order: it takes the points in
/// the order of a search that runs one load after another, and leaves out those that such a search
/// does not run.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    known: Known,
    /// The points taken, by load.
    points: Vec<Point>,
    /// Points that the search has not reached, with their factors.
    ahead: Vec<(f64, Result<Point, Problems>)>,
    /// Why the load `known.refused` cannot be run, if there is one: it is out of the range that a
    /// scenario may have.
    refused: Option<Problems>,
}

impl Search {
    /// A search that finds loads to `tolerance` (relative).
    pub fn new(tolerance: f64) -> Self {
        let (overloaded, refused) = (f64::INFINITY, f64::INFINITY);
        let known = Known { accepted: Vec::new(), kept_up: 0.0, overloaded, refused, tolerance };
        Self { known, points: Vec::new(), ahead: Vec::new(), refused: None }
    }

    /// The points taken so far, by load.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The factor that is run next, and those that come after it for either outcome of each, `most`
    /// at most; without those that have been run. None if the search is over.
    pub fn next_loads(&self, most: usize) -> Vec<f64> {
        let mut factors = Vec::new();
        if self.points.len() >= MAX_RUNS {
            return factors;
        }
        let mut outcomes = VecDeque::from([self.known.clone()]);
        while let Some(known) = outcomes.pop_front()
            && factors.len() < most
        {
            let Some(factor) = known.next() else { continue };
            match self.point_ahead(factor) {
                Some(Ok(point)) => outcomes.push_back(known.with(factor, Run::of(point))),
                Some(Err(_)) => outcomes.push_back(known.without(factor)),
                None => {
                    factors.push(factor);
                    outcomes.extend([Run::BEST, Run::WORST].map(|run| known.with(factor, run)));
                }
            }
        }
        factors
    }

    fn point_ahead(&self, factor: f64) -> Option<&Result<Point, Problems>> {
        self.ahead.iter().find(|(of, _)| *of == factor).map(|(_, point)| point)
    }

    /// Takes the point of a load. `on_point` is called for every point that the search reaches.
    ///
    /// # Errors
    ///
    /// The first load cannot be run.
    pub fn take(
        &mut self,
        factor: f64,
        point: Result<Point, Problems>,
        on_point: &mut dyn FnMut(&Point),
    ) -> Result<(), Problems> {
        self.ahead.push((factor, point));
        while self.points.len() < MAX_RUNS
            && let Some(factor) = self.known.next()
            && let Some(at) = self.ahead.iter().position(|(of, _)| *of == factor)
        {
            match self.ahead.swap_remove(at).1 {
                Ok(point) => {
                    on_point(&point);
                    self.known = self.known.with(factor, Run::of(&point));
                    let at = self.points.partition_point(|of| of.factor < factor);
                    self.points.insert(at, point);
                }
                Err(problems) if !self.points.is_empty() => {
                    self.known = self.known.without(factor);
                    self.refused = Some(problems);
                }
                Err(problems) => return Err(problems),
            }
        }
        Ok(())
    }

    /// What the points taken so far say.
    pub fn found(&self) -> Saturation {
        let mut points = self.points.clone();
        estimate_offered(&mut points);
        let most = self.known.most().map(|(factor, _)| factor);
        let best = points.iter().find(|point| Some(point.factor) == most);
        let first = |marked: fn(&Point) -> bool| {
            points.iter().find(|point| marked(point)).map(|point| point.factor)
        };
        // A load that the network does not keep up with says more than one that cannot be run.
        let Known { kept_up, overloaded, refused, .. } = self.known;
        let is_refused = refused < overloaded;
        Saturation {
            accepted_flits_per_ns_per_switch: best.and_then(|point| point.accepted),
            accepted_flits_per_cycle_per_host: best.and_then(|point| point.accepted_per_host),
            accepted_at: best.map(|point| point.factor),
            keeps_up_with: Some(kept_up).filter(|&factor| factor > 0.0),
            overloaded_at: Some(overloaded).filter(|factor| factor.is_finite()),
            tolerance: Some(overloaded / kept_up - 1.0).filter(|width| width.is_finite()),
            refused_at: is_refused.then_some(refused),
            refused: self.refused.clone().filter(|_| is_refused),
            deadlocked_at: first(|point| point.deadlocked),
            itb_memory_full_at: first(|point| point.itb_memory_full),
            points,
        }
    }
}

/// What a run says about the load that it ran.
#[derive(Debug, Clone, Copy)]
struct Run {
    keeps_up: bool,
    /// Payload accepted, flits/ns/switch; 0 if the point is marked.
    accepted: f64,
}

impl Run {
    /// What makes the search go on to larger loads.
    const BEST: Self = Self { keeps_up: true, accepted: f64::INFINITY };
    /// What makes it go on to smaller ones.
    const WORST: Self = Self { keeps_up: false, accepted: 0.0 };

    fn of(point: &Point) -> Self {
        let accepted = point.accepted.filter(|_| !point.is_marked()).unwrap_or(0.0);
        Self { keeps_up: point.keeps_up, accepted }
    }
}

/// What the runs so far say.
#[derive(Debug, Clone, PartialEq)]
struct Known {
    /// Factor and accepted traffic of the runs, by factor.
    accepted: Vec<(f64, f64)>,
    /// Largest factor that the network keeps up with; 0 if none is known.
    kept_up: f64,
    /// Smallest that it does not keep up with; infinite if none is known.
    overloaded: f64,
    /// The load nearest to those that were run which cannot be run; infinite if none is known.
    refused: f64,
    /// Relative distance of two loads that is small enough.
    tolerance: f64,
}

impl Known {
    /// The factor to be run next: the load that the network just keeps up with is found first, then
    /// the load of which it accepts most. `None` if both are known, or if the network keeps up with
    /// no load that can be run.
    fn next(&self) -> Option<f64> {
        let Self { kept_up, overloaded, refused, .. } = *self;
        let above = overloaded.min(refused);
        if kept_up == 0.0 && above.is_infinite() {
            Some(1.0)
        } else if above.is_infinite() {
            Some(kept_up * COARSE)
        } else if kept_up == 0.0 {
            let goes_on = refused.is_infinite() && self.accepted.len() < MAX_RUNS_DOWN;
            goes_on.then_some(overloaded / COARSE)
        } else {
            self.between(kept_up, above).or_else(|| self.next_to_most())
        }
    }

    /// The factor that is run next to find of which load the network accepts most. Accepted traffic
    /// is taken to rise with the load, and then to stay or to fall.
    fn next_to_most(&self) -> Option<f64> {
        let (most, _) = self.most()?;
        let at = self.accepted.iter().position(|&(factor, _)| factor == most)?;
        let factor = |at: usize| self.accepted.get(at).map(|&(factor, _)| factor);
        let above = match factor(at + 1) {
            Some(above) => self.between(most, above),
            None if self.rises() && self.refused.is_finite() => self.between(most, self.refused),
            None => self.rises().then_some(most * COARSE),
        };
        // What the network keeps up with, it accepts as it is offered: less of smaller loads.
        let below = || at.checked_sub(1).and_then(factor).filter(|_| most > self.kept_up);
        above.or_else(|| self.between(below()?, most))
    }

    /// True if the largest load has more accepted than all that are a coarse step or more below it,
    /// by more than the tolerance.
    fn rises(&self) -> bool {
        let Some(&(largest, accepted)) = self.accepted.last() else { return false };
        let is_far_below = |factor: f64| factor * COARSE <= largest * (1.0 + 1e-9);
        let far_below = self.accepted.iter().filter(|(factor, _)| is_far_below(*factor));
        let most = far_below.map(|&(_, accepted)| accepted).fold(0.0, f64::max);
        accepted > most * (1.0 + self.tolerance)
    }

    /// The factor between two, unless they are near enough.
    fn between(&self, below: f64, above: f64) -> Option<f64> {
        (above / below > 1.0 + self.tolerance).then(|| (above * below).sqrt())
    }

    /// The smallest factor of which most is accepted, and how much; `None` if no run counts.
    fn most(&self) -> Option<(f64, f64)> {
        let counts = self.accepted.iter().filter(|(_, accepted)| *accepted > 0.0);
        counts.copied().reduce(|most, run| if run.1 > most.1 { run } else { most })
    }

    /// What is known after a load that cannot be run.
    fn without(&self, factor: f64) -> Self {
        Self { refused: factor, ..self.clone() }
    }

    /// What is known after a run.
    fn with(&self, factor: f64, run: Run) -> Self {
        let mut known = self.clone();
        let at = known.accepted.partition_point(|(of, _)| *of < factor);
        known.accepted.insert(at, (factor, run.accepted));
        // Loads beyond the bracket are run for what they accept.
        if (known.kept_up..known.overloaded).contains(&factor) {
            let end = if run.keeps_up { &mut known.kept_up } else { &mut known.overloaded };
            *end = factor;
        }
        known
    }
}

/// A run that deadlocks early has measured little or nothing of what it was offered: its figure is
/// that of the largest load without deadlock, in proportion.
fn estimate_offered(points: &mut [Point]) {
    let Some(per_factor) = points
        .iter()
        .rev()
        .find(|point| !point.deadlocked)
        .and_then(|point| Some(point.offered? / point.factor))
    else {
        return;
    };
    for point in points.iter_mut().filter(|point| point.deadlocked) {
        point.offered = Some(per_factor * point.factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLERANCE: f64 = 0.02;

    /// What a search finds that begins with this load of a network which keeps up with loads below
    /// `keeps_up_below`, and accepts of each what `accepts` says.
    fn searched(begin: f64, keeps_up_below: f64, accepts: fn(f64) -> f64) -> Saturation {
        let mut search = Search::new(TOLERANCE);
        while let [factor] = search.next_loads(1)[..] {
            let load = begin * factor;
            let point = Point {
                factor,
                offered: Some(load),
                accepted: Some(accepts(load)),
                keeps_up: load < keeps_up_below,
                ..Point::default()
            };
            search.take(factor, Ok(point), &mut |_| {}).expect("every load can be run");
        }
        search.found()
    }

    #[test]
    fn the_largest_accepted_traffic_is_found_wherever_the_search_begins() {
        type Accepts = fn(f64) -> f64;
        let networks: [(f64, Accepts, f64); 4] = [
            // It stays at the largest traffic.
            (1.0, |load| load.min(1.0), 1.0),
            // Latency is unsteady long before.
            (0.7, |load| load.min(1.0), 1.0),
            // It falls beyond, fast or slowly.
            (1.0, |load| load.min(1.0) / load.max(1.0).powi(2), 1.0),
            (0.9, |load| load.min(1.2 - 0.2 * load).max(0.1), 1.0),
        ];
        for (keeps_up_below, accepts, most) in networks {
            for begin in [0.02, 0.5, 0.77, 0.93, 0.99, 1.01, 1.2, 3.0] {
                let found = searched(begin, keeps_up_below, accepts);
                let accepted = found.accepted_flits_per_ns_per_switch.unwrap();
                assert!(accepted > most * (1.0 - TOLERANCE), "{begin}: {accepted} of {most}");
                let at = begin * found.accepted_at.expect("a run counts");
                assert_eq!(accepts(at), accepted);
                let kept_up = begin * found.keeps_up_with.expect("small loads are kept up with");
                assert!(kept_up < keeps_up_below && kept_up * (1.0 + TOLERANCE) >= keeps_up_below);
                assert!(found.points.len() < 40, "{} runs", found.points.len());
            }
        }
    }
}
