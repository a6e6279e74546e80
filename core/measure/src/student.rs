//! Confidence intervals of a mean by Student's t.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The half-width of the confidence interval of the mean of `n` independent values, at a level from
/// 0 to 1 (0.95 for 95 %), from their standard deviation. Infinite for a single value.
pub fn half_width(deviation: f64, n: usize, level: f64) -> f64 {
    if n < 2 {
        return f64::INFINITY;
    }
    quantile(n - 1, level) * deviation / (n as f64).sqrt()
}

/// The two-sided point of Student's t. A run may end by this number, so it is rounded: the last
/// bits of a series expansion need not be the same everywhere.
fn quantile(degrees_of_freedom: usize, level: f64) -> f64 {
    let t = StudentsT::new(0.0, 1.0, degrees_of_freedom as f64).expect("one degree or more");
    (t.inverse_cdf(0.5 + level / 2.0) * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The points of any printed table.
    #[test]
    fn quantiles_are_those_of_tables() {
        for (degrees, level, printed) in [
            (1, 0.95, 12.706),
            (4, 0.9, 2.132),
            (9, 0.9, 1.833),
            (9, 0.95, 2.262),
            (19, 0.95, 2.093),
            (19, 0.99, 2.861),
            (1000, 0.95, 1.962),
        ] {
            let t = quantile(degrees, level);
            assert!((t - printed).abs() < 6e-4, "{t} instead of {printed}");
        }
        assert_eq!(half_width(1.0, 1, 0.95), f64::INFINITY);
    }
}
