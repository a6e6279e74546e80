//! Which loads a search for saturation runs, and what follows from them.

use super::{Point, Saturation};
use crate::problem::Problems;
use std::collections::VecDeque;

/// Steps of the coarse search: each load is this much above the one before.
const COARSE: f64 = 1.3;
/// Runs at most, as a guard against scenarios that never saturate.
const MAX_RUNS: usize = 40;

/// A search for saturation. Loads may be run ahead of it and in any order: it takes the points in
/// the order of a search that runs one load after another, and leaves out those that such a search
/// does not run.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    bracket: Bracket,
    /// The points taken, by load.
    points: Vec<Point>,
    /// Points that the search has not reached, with their factors.
    ahead: Vec<(f64, Result<Point, Problems>)>,
    /// Why the load `bracket.refused` cannot be run, if there is one: it is out of the range that a
    /// scenario may have.
    refused: Option<Problems>,
}

impl Search {
    /// A search that ends when the bracket is as narrow as `tolerance` (relative).
    pub fn new(tolerance: f64) -> Self {
        let (overloaded, refused) = (f64::INFINITY, f64::INFINITY);
        let bracket = Bracket { kept_up: 0.0, overloaded, refused, tolerance };
        Self { bracket, points: Vec::new(), ahead: Vec::new(), refused: None }
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
        let mut brackets = VecDeque::from([self.bracket]);
        while let Some(bracket) = brackets.pop_front()
            && factors.len() < most
        {
            let Some(factor) = bracket.next() else { continue };
            match self.point_ahead(factor) {
                Some(Ok(point)) => brackets.push_back(bracket.narrowed(factor, point.keeps_up)),
                Some(Err(_)) => brackets.push_back(bracket.without(factor)),
                None => {
                    factors.push(factor);
                    brackets
                        .extend([true, false].map(|keeps_up| bracket.narrowed(factor, keeps_up)));
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
            && let Some(factor) = self.bracket.next()
            && let Some(at) = self.ahead.iter().position(|(of, _)| *of == factor)
        {
            match self.ahead.swap_remove(at).1 {
                Ok(point) => {
                    on_point(&point);
                    self.bracket = self.bracket.narrowed(factor, point.keeps_up);
                    let at = self.points.partition_point(|of| of.factor < factor);
                    self.points.insert(at, point);
                }
                Err(problems) if !self.points.is_empty() => {
                    self.bracket = self.bracket.without(factor);
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
        let best = points
            .iter()
            .filter(|point| !point.is_marked())
            .max_by(|a, b| a.accepted.total_cmp(&b.accepted));
        let first = |marked: fn(&Point) -> bool| {
            points.iter().find(|point| marked(point)).map(|point| point.factor)
        };
        // A load that the network does not keep up with says more than one that cannot be run.
        let Bracket { kept_up, overloaded, refused, .. } = self.bracket;
        let is_refused = refused < overloaded;
        Saturation {
            accepted_flits_per_ns_per_switch: best.map_or(0.0, |point| point.accepted),
            accepted_flits_per_cycle_per_host: best.map_or(0.0, |point| point.accepted_per_host),
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

/// The factors between which saturation lies.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bracket {
    /// Largest factor that the network keeps up with; 0 if none is known.
    kept_up: f64,
    /// Smallest that it does not keep up with; infinite if none is known.
    overloaded: f64,
    /// The load nearest to those that were run which cannot be run; infinite if none is known.
    refused: f64,
    /// Relative width that is narrow enough.
    tolerance: f64,
}

impl Bracket {
    /// The factor to be run next; `None` if the bracket is narrow enough, or if the network does
    /// not keep up with the least load that can be run.
    fn next(&self) -> Option<f64> {
        let Self { kept_up, overloaded, refused, tolerance } = *self;
        let above = overloaded.min(refused);
        if kept_up == 0.0 && above.is_infinite() {
            Some(1.0)
        } else if above.is_infinite() {
            Some(kept_up * COARSE)
        } else if kept_up == 0.0 {
            refused.is_infinite().then_some(overloaded / COARSE)
        } else {
            (above / kept_up > 1.0 + tolerance).then(|| (above * kept_up).sqrt())
        }
    }

    /// The bracket after a load that cannot be run.
    fn without(self, factor: f64) -> Self {
        Self { refused: factor, ..self }
    }

    /// The bracket after a run.
    fn narrowed(self, factor: f64, keeps_up: bool) -> Self {
        if keeps_up {
            Self { kept_up: factor, ..self }
        } else {
            Self { overloaded: factor, ..self }
        }
    }
}

/// A run that deadlocks early has measured little or nothing of what it was offered: its figure is
/// that of the largest load without deadlock, in proportion.
fn estimate_offered(points: &mut [Point]) {
    let Some(per_factor) = points
        .iter()
        .rev()
        .find(|point| !point.deadlocked)
        .map(|point| point.offered / point.factor)
    else {
        return;
    };
    for point in points.iter_mut().filter(|point| point.deadlocked) {
        point.offered = per_factor * point.factor;
    }
}
