//! Tests of goodness of fit: whether draws follow a law.
//!
//! Both tests reject a true law once in a thousand times. With fixed seeds they always give the
//! same answer.

/// Checks draws of a continuous quantity by the test of Kolmogorov and Smirnov. `law` is the chance
/// that a draw is at most its argument.
///
/// The critical value is the asymptotic one, `sqrt(ln(2 / 0.001) / 2) / sqrt(n)` (D. E. Knuth, The
/// Art of Computer Programming, volume 2, section 3.3.1), good from some 80 draws on.
///
/// # Panics
/// If the draws do not follow the law.
pub(super) fn check_kolmogorov_smirnov(mut draws: Vec<f64>, law: impl Fn(f64) -> f64) {
    let n = draws.len() as f64;
    assert!(n >= 80.0, "{n} draws are too few");
    draws.sort_by(f64::total_cmp);
    let distance = |(i, &draw): (usize, &f64)| {
        let expected = law(draw);
        (expected - i as f64 / n).max((i as f64 + 1.0) / n - expected)
    };
    let largest = draws.iter().enumerate().map(distance).fold(0.0, f64::max);
    let critical = ((2.0_f64 / 0.001).ln() / 2.0).sqrt() / n.sqrt();
    assert!(largest <= critical, "distance {largest} is above {critical}");
}

/// Checks how often each of several outcomes came by the chi-square test. `chances` sum up to 1.
///
/// The critical value is approximated after Wilson and Hilferty (M. Abramowitz and I. A. Stegun,
/// Handbook of Mathematical Functions, 26.4.17).
///
/// # Panics
/// If the counts do not fit the chances, or an outcome is expected fewer than 5 times.
pub(super) fn check_chi_square(counts: &[u64], chances: &[f64]) {
    /// 99.9 % of a normal distribution lie below this.
    const NORMAL: f64 = 3.0902;
    assert_eq!(counts.len(), chances.len());
    assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{chances:?}");
    let n = counts.iter().sum::<u64>() as f64;
    let term = |(&count, &chance): (&u64, &f64)| {
        let expected = n * chance;
        assert!(expected >= 5.0, "only {expected} are expected");
        (count as f64 - expected).powi(2) / expected
    };
    let chi_square: f64 = counts.iter().zip(chances).map(term).sum();
    let freedom = counts.len() as f64 - 1.0;
    let width = 2.0 / (9.0 * freedom);
    let critical = freedom * (1.0 - width + NORMAL * width.sqrt()).powi(3);
    assert!(chi_square <= critical, "chi square {chi_square} is above {critical}: {counts:?}");
}

mod tests {
    use super::*;
    use crate::random::stream;
    use rand::RngExt;
    use std::panic::catch_unwind;

    fn uniform(draws: usize) -> Vec<f64> {
        let mut random = stream(1, "test", 0);
        (0..draws).map(|_| random.random_range(0.0..1.0)).collect()
    }

    #[test]
    fn uniform_draws_are_uniform_and_nothing_else() {
        check_kolmogorov_smirnov(uniform(10_000), |x| x);
        assert!(catch_unwind(|| check_kolmogorov_smirnov(uniform(10_000), |x| x * x)).is_err());
        assert!(catch_unwind(|| check_kolmogorov_smirnov(uniform(10_000), |x| x / 1.05)).is_err());
    }

    #[test]
    fn a_fair_coin_is_fair_and_a_bent_one_is_not() {
        check_chi_square(&[5_060, 4_940], &[0.5, 0.5]);
        assert!(catch_unwind(|| check_chi_square(&[5_200, 4_800], &[0.5, 0.5])).is_err());
        // The published 0.1 % point for 10 degrees of freedom is 29.59.
        let off_by = |d: u64| {
            check_chi_square(&[&[1000 + d, 1000 - d], &[1000; 9][..]].concat(), &[1.0 / 11.0; 11])
        };
        off_by(121);
        assert!(catch_unwind(|| off_by(122)).is_err());
    }
}
