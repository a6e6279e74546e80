//! Progress on standard error, for what takes longer than two seconds. Nothing is printed if
//! standard error is not a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::thread;
use std::time::Duration;

/// What ends sooner needs no bar.
const DELAY: Duration = Duration::from_secs(2);
/// Time between two redraws while nothing advances.
const TICK: Duration = Duration::from_millis(500);

/// A bar that goes away when it is dropped.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for `length` steps, named by `unit`.
    pub fn of(length: u64, unit: &str) -> Self {
        let template = format!("{{bar:30}} {{pos}} of {{len}} {unit}, about {{eta}} left");
        Self::start(Some(length), &template)
    }

    /// A count of steps whose number is not known beforehand.
    pub fn counting(unit: &str) -> Self {
        Self::start(None, &format!("{{spinner}} {{pos}} {unit} in {{elapsed}}"))
    }

    /// The time since the start, of what has no steps.
    pub fn running() -> Self {
        Self::start(None, "{spinner} running for {elapsed}")
    }

    fn start(length: Option<u64>, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        bar.set_style(ProgressStyle::with_template(template).expect("a template of ours"));
        let later = bar.clone();
        thread::spawn(move || {
            thread::sleep(DELAY);
            if !later.is_finished() {
                later.set_draw_target(ProgressDrawTarget::stderr());
                later.enable_steady_tick(TICK);
            }
        });
        Self(bar)
    }

    /// One step is done.
    pub fn advance(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
