//! Which worker of the pool runs which point, and how far the points have come.

use hopscope_core::experiment::Estimate;
use hopscope_core::problem::Problems;
use std::collections::{BTreeMap, VecDeque};

/// A point whose worker dies so many times is given up.
const MAX_DEATHS: u32 = 2;

/// The points of an experiment that is being run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sweep {
    /// Number of points.
    pub points: usize,
    /// Points that have a result.
    pub done: usize,
    /// Points that cannot run, with the reason.
    pub failed: BTreeMap<usize, Problems>,
    /// Points to run, in this order.
    queue: VecDeque<usize>,
    /// The points of each worker that has any: the one that it runs, and perhaps the next one.
    running: BTreeMap<usize, VecDeque<usize>>,
    /// How often the worker of a point has died.
    deaths: BTreeMap<usize, u32>,
    /// Points that this run of the pool has finished, and the seconds that they took together.
    finished: (usize, f64),
}

impl Sweep {
    /// A sweep whose points are to run in their order, but for those that have a result; `first` is
    /// the first one, because its time stands for that of the others.
    pub fn new(points: usize, first: usize, has_result: impl Fn(usize) -> bool) -> Sweep {
        let mut queue: VecDeque<usize> = (0..points).filter(|point| !has_result(*point)).collect();
        if let Some(at) = queue.iter().position(|point| *point == first) {
            queue.remove(at);
            queue.push_front(first);
        }
        Sweep { points, done: points - queue.len(), queue, ..Sweep::default() }
    }

    /// A point for a worker that has none. As long as more points wait than workers run, a worker
    /// gets the next one as well, so that it does not wait for the page when it ends the first.
    pub fn next(&mut self, worker: usize) -> Option<usize> {
        let held = self.running.get(&worker).map_or(0, VecDeque::len);
        let most = if self.queue.len() > self.running.len() { 2 } else { 1 };
        if held >= most {
            return None;
        }
        let point = self.queue.pop_front()?;
        self.running.entry(worker).or_default().push_back(point);
        Some(point)
    }

    /// The point that a worker runs.
    pub fn running(&self, worker: usize) -> Option<usize> {
        self.running.get(&worker)?.front().copied()
    }

    /// Whether a worker runs a point.
    pub fn is_running(&self) -> bool {
        !self.running.is_empty()
    }

    /// Takes the end of a worker's point. False if the worker was not running it.
    pub fn finish(&mut self, worker: usize, point: usize, seconds: f64) -> bool {
        let is_new = self.take(worker, point);
        if is_new {
            self.done += 1;
            self.finished.0 += 1;
            self.finished.1 += seconds;
        }
        is_new
    }

    /// Takes a worker's point that cannot run.
    pub fn fail(&mut self, worker: usize, point: usize, why: Problems) {
        if self.take(worker, point) {
            self.failed.insert(point, why);
        }
    }

    fn take(&mut self, worker: usize, point: usize) -> bool {
        let is_its_own = self.running(worker) == Some(point);
        if is_its_own && let Some(points) = self.running.get_mut(&worker) {
            points.pop_front();
            if points.is_empty() {
                self.running.remove(&worker);
            }
        }
        is_its_own
    }

    /// A worker has died. Its point is run again, by the next worker that is free, unless it has
    /// cost workers before.
    pub fn lose(&mut self, worker: usize, why: impl FnOnce() -> Problems) {
        let Some(mut points) = self.running.remove(&worker) else { return };
        let Some(point) = points.pop_front() else { return };
        points.into_iter().rev().for_each(|next| self.queue.push_front(next));
        let deaths = self.deaths.entry(point).or_default();
        *deaths += 1;
        if *deaths < MAX_DEATHS {
            self.queue.push_front(point);
        } else {
            self.failed.insert(point, why());
        }
    }

    /// All workers are ended: their points are open again.
    pub fn stop(&mut self) {
        let running = std::mem::take(&mut self.running).into_values().flatten();
        let waiting = std::mem::take(&mut self.queue);
        self.queue = running.chain(waiting).collect();
    }

    /// Whether every point has a result or cannot run.
    pub fn is_over(&self) -> bool {
        self.queue.is_empty() && self.running.is_empty()
    }

    /// Whether points wait for a worker.
    pub fn has_waiting(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Points that are yet to run, or running.
    pub fn open(&self) -> usize {
        self.queue.len() + self.running.values().map(VecDeque::len).sum::<usize>()
    }

    /// Seconds that the points run took, all together.
    pub fn seconds(&self) -> f64 {
        self.finished.1
    }

    /// The estimate of the time that the open points take; `None` before the first has ended.
    pub fn estimate(&self, workers: usize) -> Option<Estimate> {
        let (count, seconds) = self.finished;
        (count > 0).then(|| Estimate {
            points: self.open(),
            seconds_per_point: seconds / count as f64,
            at_a_time: workers,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why() -> Problems {
        Problems::one("point", Default::default(), Default::default())
    }

    #[test]
    fn every_point_runs_once_the_middle_one_first() {
        let mut sweep = Sweep::new(5, 2, |point| point == 3);
        assert_eq!((sweep.done, sweep.open()), (1, 4));
        assert_eq!((sweep.next(0), sweep.next(1), sweep.next(0)), (Some(2), Some(0), None));
        assert!(sweep.finish(0, 2, 1.0) && !sweep.finish(0, 2, 1.0));
        assert!(!sweep.finish(1, 4, 1.0), "another worker's point");
        assert_eq!(sweep.next(0), Some(1));
        assert!(sweep.finish(1, 0, 3.0) && sweep.finish(0, 1, 1.0));
        assert_eq!((sweep.next(1), sweep.next(0)), (Some(4), None));
        assert!(!sweep.is_over());
        assert!(sweep.finish(1, 4, 1.0) && sweep.is_over());
        assert_eq!(sweep.done, 5);
    }

    #[test]
    fn a_worker_has_its_next_point_while_many_wait() {
        let mut sweep = Sweep::new(7, 0, |_| false);
        let next = |sweep: &mut Sweep, worker| [0; 3].map(|_| sweep.next(worker));
        assert_eq!(next(&mut sweep, 0), [Some(0), Some(1), None]);
        assert_eq!(next(&mut sweep, 1), [Some(2), Some(3), None]);
        assert!(!sweep.finish(0, 1, 1.0) && sweep.finish(0, 0, 1.0), "in their order");
        assert_eq!((sweep.running(0), sweep.next(0)), (Some(1), Some(4)));
        assert!(sweep.finish(1, 2, 1.0));
        assert_eq!(sweep.next(1), None, "two are left for two workers");
        // Only the point that ran has cost its worker; both run again.
        sweep.lose(0, why);
        assert_eq!((sweep.open(), next(&mut sweep, 0)), (5, [Some(1), Some(4), None]));
        sweep.stop();
        assert_eq!(
            [0; 6].map(|_| sweep.queue.pop_front()),
            [1, 4, 3, 5, 6].map(Some).into_iter().chain([None]).collect::<Vec<_>>()[..]
        );
    }

    #[test]
    fn the_time_left_is_that_of_the_points_that_have_ended() {
        let mut sweep = Sweep::new(10, 5, |_| false);
        assert_eq!(sweep.estimate(2), None);
        sweep.next(0);
        sweep.finish(0, 5, 4.0);
        assert_eq!(sweep.estimate(2).map(|estimate| estimate.seconds()), Some(20.0));
        sweep.next(0);
        sweep.finish(0, 0, 2.0);
        assert_eq!(sweep.estimate(2).map(|estimate| estimate.seconds()), Some(12.0));
    }

    #[test]
    fn a_point_that_kills_its_worker_twice_fails_and_the_others_run() {
        let mut sweep = Sweep::new(3, 0, |_| false);
        assert_eq!((sweep.next(0), sweep.next(1)), (Some(0), Some(1)));
        sweep.lose(0, why);
        assert_eq!(sweep.next(0), Some(0));
        sweep.lose(0, why);
        assert_eq!(sweep.next(0), Some(2));
        sweep.lose(1, why);
        assert!(sweep.finish(0, 2, 1.0));
        assert_eq!(sweep.next(0), Some(1));
        assert!(sweep.finish(0, 1, 1.0) && sweep.is_over());
        assert_eq!(sweep.failed.keys().copied().collect::<Vec<_>>(), [0]);
        assert_eq!(sweep.done, 2);
    }

    #[test]
    fn a_sweep_that_is_stopped_goes_on_with_the_points_that_were_running() {
        let mut sweep = Sweep::new(4, 0, |_| false);
        assert_eq!([0, 1].map(|worker| sweep.next(worker)), [Some(0), Some(1)]);
        sweep.stop();
        assert_eq!((sweep.open(), sweep.next(1)), (4, Some(0)));
        sweep.fail(1, 0, why());
        sweep.fail(1, 1, why());
        assert_eq!((sweep.failed.len(), sweep.open()), (1, 3));
    }
}
