//! How long a sweep takes, told before it starts, and the question whether to start a long one.

use crate::messages;
use crate::outcome::{Result, print_error};
use hopscope_core::experiment::{Estimate, duration};
use hopscope_core::problem::Problems;
use rayon::prelude::*;
use std::io::{IsTerminal, Write};

/// The first points of a sweep, with the time they took.
pub struct Measured {
    /// The points.
    pub points: Vec<usize>,
    /// Of all points, these included.
    pub estimate: Estimate,
}

impl Measured {
    /// Runs as many points as run at a time, spread over all `open` ones. `run` returns the seconds
    /// that a point took. Their results are kept, so measuring costs nothing.
    pub fn first(open: &[usize], run: impl Fn(usize) -> Result<f64> + Sync) -> Result<Self> {
        let at_a_time = rayon::current_num_threads();
        let count = at_a_time.min(open.len());
        let points: Vec<usize> =
            (0..count).map(|i| open[(2 * i + 1) * open.len() / (2 * count)]).collect();
        let seconds: Vec<f64> =
            points.par_iter().map(|&point| run(point)).collect::<Result<_>>()?;
        let seconds_per_point = seconds.iter().sum::<f64>() / count.max(1) as f64;
        let estimate = Estimate { points: open.len(), seconds_per_point, at_a_time };
        Ok(Self { points, estimate })
    }

    /// Tells points and time, and asks whether to go on if there are many or they take long.
    pub fn tell_and_ask(&self, yes: bool) -> Result<()> {
        let estimate = &self.estimate;
        let time = duration(estimate.seconds());
        if estimate.points > 0 {
            print_error(&format!(
                "{} points, about {time}, {} at a time",
                estimate.points, estimate.at_a_time
            ));
        }
        if yes || !estimate.needs_consent() {
            return Ok(());
        }
        if std::io::stdin().is_terminal() {
            eprint!("Run them? [y/N] ");
            let _ = std::io::stderr().flush();
            let mut answer = String::new();
            let _ = std::io::stdin().read_line(&mut answer);
            if matches!(answer.trim(), "y" | "Y" | "yes") {
                return Ok(());
            }
        }
        let why = messages::no_consent(estimate.points, time);
        Err(Problems::one("sweep", why, messages::say_yes_or_fewer()))
    }
}
