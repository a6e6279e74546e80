//! A search for saturation, run by several workers: which load each of them runs, and what is
//! found.

use crate::state::without_appearance;
use hopscope_core::experiment::{self, Point, Saturation};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::Scenario;
use std::rc::Rc;

/// Relative width of the bracket at which a search ends.
const TOLERANCE: f64 = 0.02;

/// A search for saturation.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// The scenario.
    pub scenario: Rc<Scenario>,
    /// What it found, once it has ended.
    pub found: Option<Result<Saturation, Problems>>,
    steps: experiment::Search,
    /// The load that each worker runs, as a factor.
    running: Vec<Option<f64>>,
}

impl Search {
    /// A search by so many workers.
    pub fn new(scenario: Rc<Scenario>, workers: usize) -> Search {
        let (steps, running) = (experiment::Search::new(TOLERANCE), vec![None; workers]);
        Search { scenario, found: None, steps, running }
    }

    /// The load that a worker without one runs next, as a factor. None while it has one, and once
    /// the search is over.
    pub fn next(&mut self, worker: usize) -> Option<f64> {
        if self.found.is_some() || self.running.get(worker)?.is_some() {
            return None;
        }
        let loads = self.steps.next_loads(self.running.len());
        let load = loads.into_iter().find(|load| !self.running.contains(&Some(*load)))?;
        self.running[worker] = Some(load);
        Some(load)
    }

    /// Takes what a worker has found.
    pub fn take(&mut self, worker: usize, factor: f64, point: Result<Point, Problems>) {
        if let Some(running) = self.running.get_mut(worker) {
            *running = None;
        }
        let taken = self.steps.take(factor, point, &mut |_| {});
        self.found = match taken {
            Err(problems) => Some(Err(problems)),
            Ok(()) => self.steps.next_loads(1).is_empty().then(|| Ok(self.steps.found())),
        };
    }

    /// The runs so far, by load.
    pub fn points(&self) -> &[Point] {
        match &self.found {
            Some(Ok(found)) => &found.points,
            _ => self.steps.points(),
        }
    }

    /// The largest load of a flow that the network kept up with, if the search was about `scenario`
    /// or differs from it in the loads only, by one factor.
    pub fn largest_load(&self, scenario: &Scenario, flow: usize) -> Option<f64> {
        let kept_up = self.kept_up()?;
        let searched = self.scenario.traffic.get(flow)?.load;
        let factor = scenario.traffic.get(flow)?.load / searched;
        let mut scaled = without_appearance(&self.scenario);
        let mut asked = without_appearance(scenario);
        for (flow, asked) in scaled.traffic.iter_mut().zip(&mut asked.traffic) {
            let is_scaled = (flow.load * factor - asked.load).abs() <= 1e-9 * asked.load;
            flow.load = if is_scaled { asked.load } else { flow.load };
        }
        (scaled == asked).then_some(searched * kept_up)
    }

    /// The largest factor on the scenario's loads that the network kept up with, once the search
    /// has ended.
    pub fn kept_up(&self) -> Option<f64> {
        self.found.as_ref()?.as_ref().ok()?.keeps_up_with
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::welcome;

    /// A network that keeps up below 1.6 times the load.
    fn point(factor: f64) -> Point {
        Point {
            factor,
            offered: Some(factor),
            accepted: Some(factor.min(1.6)),
            keeps_up: factor < 1.6,
            ..Point::default()
        }
    }

    /// What workers find of which the last one that has begun is the first to end, and the most
    /// loads that ran at a time.
    fn searched(workers: usize) -> (Search, usize) {
        let mut search = Search::new(Rc::new(welcome()), workers);
        let (mut running, mut most) = (Vec::new(), 0);
        while search.found.is_none() {
            for worker in 0..workers {
                running.extend(search.next(worker).map(|load| (worker, load)));
            }
            most = most.max(running.len());
            let (worker, load) = running.pop().expect("a search that is not over runs a load");
            search.take(worker, load, Ok(point(load)));
        }
        (search, most)
    }

    #[test]
    fn what_is_found_does_not_depend_on_the_number_of_workers() {
        let (alone, most) = searched(1);
        assert_eq!(most, 1);
        let found = alone.found.clone().expect("it is over").expect("the loads can be run");
        assert!(found.tolerance.expect("a bracket") <= TOLERANCE);
        let kept_up = alone.kept_up().expect("there is a load that it keeps up with");
        assert!((1.5..1.6).contains(&kept_up), "{kept_up}");
        for workers in [2, 3, 8] {
            let (search, most) = searched(workers);
            assert_eq!(most, workers);
            assert_eq!(search.found, alone.found);
        }
    }

    #[test]
    fn the_largest_load_is_known_for_scenarios_that_differ_in_the_load() {
        let (search, _) = searched(1);
        let factor = search.kept_up().expect("there is a load that it keeps up with");
        let mut scenario = welcome();
        let largest = scenario.traffic[0].load * factor;
        assert_eq!(search.largest_load(&scenario, 0), Some(largest));
        scenario.traffic[0].load *= 3.0;
        scenario.name = "another name".into();
        assert_eq!(search.largest_load(&scenario, 0), Some(largest));
        assert_eq!(search.largest_load(&scenario, 1), None);
        scenario.routing.seed += 1;
        assert_eq!(search.largest_load(&scenario, 0), None);
    }

    #[test]
    fn a_scenario_that_cannot_run_ends_the_search() {
        let mut search = Search::new(Rc::new(welcome()), 2);
        let load = search.next(0).expect("a load");
        let why = Problems::one("traffic", Default::default(), Default::default());
        search.take(0, load, Err(why.clone()));
        assert_eq!((search.found.clone(), search.next(1)), (Some(Err(why)), None));
    }
}
