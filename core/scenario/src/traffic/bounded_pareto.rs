//! The Pareto distribution between two bounds, for sizes and for times.

use crate::random::Pcg64Mcg;
use rand::distr::Distribution;

/// A Pareto distribution whose draws above `max` are repeated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BoundedPareto {
    /// Smallest value, above 0.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Exponent, above 0; smaller is heavier-tailed.
    pub shape: f64,
}

impl BoundedPareto {
    /// The distribution with this mean, in which `max` is `spread` times `min`.
    pub fn with_mean(mean: f64, spread: f64, shape: f64) -> Self {
        let from_one = Self { min: 1.0, max: spread, shape };
        let min = mean / from_one.mean();
        Self { min, max: min * spread, shape }
    }

    /// The share of unbounded draws that lie below `max`.
    pub fn share_below(&self) -> f64 {
        1.0 - libm::pow(self.min / self.max, self.shape)
    }

    /// The chance that a draw is `value` or more, for a value between the bounds.
    pub fn tail(&self, value: f64) -> f64 {
        let beyond = libm::pow(self.min / self.max, self.shape);
        (libm::pow(self.min / value, self.shape) - beyond) / (1.0 - beyond)
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        let (l, h, a) = (self.min, self.max, self.shape);
        if l == h {
            l
        } else if (a - 1.0).abs() < 1e-9 {
            l * h / (h - l) * libm::log(h / l)
        } else {
            let beyond = |exponent: f64| 1.0 - libm::pow(l / h, exponent);
            l * a / (a - 1.0) * beyond(a - 1.0) / beyond(a)
        }
    }

    /// The mean of draws rounded down, where both bounds are whole numbers.
    ///
    /// It is `min` and the sum of the chances that a draw is `k` or more, over `k` above `min`. The
    /// first terms are added up, the others by the formula of Euler and Maclaurin.
    pub fn mean_rounded_down(&self) -> f64 {
        const FIRST_TERMS: f64 = 64.0;
        let (l, h, a) = (self.min, self.max, self.shape);
        let from = (l + FIRST_TERMS).min(h);
        let mut mean = l;
        let mut k = l + 1.0;
        while k <= from {
            mean += self.tail(k);
            k += 1.0;
        }
        if from == h {
            return mean;
        }
        // The terms above `from`: their integral, which is what draws above `from` have above it on
        // average, times their share; and corrections at both ends.
        let above = Self { min: from, ..*self };
        let slope = |x: f64| -a * libm::pow(l / x, a) / x / self.share_below();
        let integral = self.tail(from) * (above.mean() - from);
        mean + integral - self.tail(from) / 2.0 + (slope(h) - slope(from)) / 12.0
    }

    /// A draw.
    pub fn sample(&self, random: &mut Pcg64Mcg) -> f64 {
        if self.min == self.max {
            return self.min;
        }
        let unbounded = rand_distr::Pareto::new(self.min, self.shape);
        let unbounded = unbounded.expect("a scale and a shape above 0");
        loop {
            let value = unbounded.sample(random);
            if value <= self.max {
                return value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_rounded_draws_is_the_sum_of_their_chances() {
        for (min, max, shape) in [
            (1.0, 100.0, 1.3),
            (1.0, 5000.0, 0.1),
            (64.0, 2176.0, 1.0),
            (64.0, 100.0, 1.3),
            (64.0, 129.0, 100.0),
            (1000.0, 40_000.0, 100.0),
            (2000.0, 10_000.0, 100.0),
            (65_536.0, 100_000.0, 100.0),
            (9.0, 9.0, 2.0),
        ] {
            let draws = BoundedPareto { min, max, shape };
            let terms = (min as u32 + 1..=max as u32).map(|k| draws.tail(f64::from(k)));
            let sum = min + terms.sum::<f64>();
            let mean = draws.mean_rounded_down();
            assert!((mean / sum - 1.0).abs() < 1e-7, "{draws:?}: {mean} is not {sum}");
        }
    }

    #[test]
    fn a_distribution_is_found_by_its_mean() {
        for shape in [0.1, 1.0, 1.5, 10.0] {
            let draws = BoundedPareto::with_mean(70.0, 1000.0, shape);
            assert!((draws.mean() - 70.0).abs() < 1e-9, "{draws:?}");
            assert!((draws.max / draws.min - 1000.0).abs() < 1e-9, "{draws:?}");
        }
    }
}
