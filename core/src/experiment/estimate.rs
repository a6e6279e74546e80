//! How long an experiment takes, before it starts and while it runs.

/// Points above which an experiment starts only if the user agrees.
pub const ASK_ABOVE_POINTS: usize = 10_000;
/// Estimated seconds above which an experiment starts only if the user agrees: a day.
pub const ASK_ABOVE_SECONDS: f64 = 86_400.0;

/// An estimate from a measured point. The caller has the clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Points that are yet to run.
    pub points: usize,
    /// Seconds that one point takes.
    pub seconds_per_point: f64,
    /// Points run at a time.
    pub at_a_time: usize,
}

impl Estimate {
    /// Seconds that the points take.
    pub fn seconds(&self) -> f64 {
        self.points.div_ceil(self.at_a_time.max(1)) as f64 * self.seconds_per_point
    }

    /// Whether the user has to agree before it starts.
    pub fn needs_consent(&self) -> bool {
        self.points > ASK_ABOVE_POINTS || self.seconds() > ASK_ABOVE_SECONDS
    }
}

/// Seconds in the largest fitting unit, for people: `40 s`, `3 min`, `2.5 h`, `12 days`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "1 s".into(),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_run_several_at_a_time() {
        let estimate = Estimate { points: 9, seconds_per_point: 2.0, at_a_time: 4 };
        assert_eq!(estimate.seconds(), 6.0);
        assert!(!estimate.needs_consent());
        assert!(Estimate { points: 1_000_000, ..estimate }.needs_consent());
        assert!(Estimate { seconds_per_point: 40_000.0, ..estimate }.needs_consent());
    }

    #[test]
    fn durations_have_a_fitting_unit() {
        let said = [0.2, 61.4, 150.0, 7200.0, 864_000.0].map(duration);
        assert_eq!(said, ["1 s", "61 s", "2 min", "2.0 h", "10 days"]);
    }
}
