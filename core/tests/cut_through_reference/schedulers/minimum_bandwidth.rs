//! MinBW of Advanced Switching, after sections 2 and 3 of Martínez et al., Providing Quality of
//! Service over Advanced Switching: fractions are kept as they are, and never brought to a common
//! origin.

use super::{Choice, Head, Scheduler, ready_after, turn};
use hopscope_core::scenario::MinBwSpec;
use std::cmp::Ordering;

/// A fraction, numerator and denominator.
#[derive(Debug, Clone, Copy)]
pub struct Fraction(pub u128, pub u128);

impl Fraction {
    pub const ZERO: Self = Self(0, 1);

    pub fn plus(self, other: Self) -> Self {
        let sum = Self(self.0 * other.1 + other.0 * self.1, self.1 * other.1);
        let mut divisor = (sum.0, sum.1);
        while divisor.1 != 0 {
            divisor = (divisor.1, divisor.0 % divisor.1);
        }
        Self(sum.0 / divisor.0, sum.1 / divisor.0)
    }

    pub fn order(self, other: Self) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    pub fn larger(self, other: Self) -> Self {
        if self.order(other) == Ordering::Less { other } else { self }
    }
}

pub struct MinimumBandwidth {
    spec: MinBwSpec,
    flits_per_credit: u128,
    /// F_current.
    current: Fraction,
    /// F_i^(k-1) of each lane: the tag of its last packet.
    last_tags: Vec<Fraction>,
    /// Of each lane whose foremost packet is stamped: the larger of F_i^(k-1) and F_current when it
    /// was stamped.
    stamps: Vec<Option<Fraction>>,
    /// Flits in the bucket, in parts.
    tokens: u128,
    filled_at: u64,
    last_unlisted: usize,
}

impl MinimumBandwidth {
    pub fn new(spec: &MinBwSpec, lanes: usize, flits_per_credit: u32) -> Self {
        Self {
            flits_per_credit: flits_per_credit.into(),
            current: Fraction::ZERO,
            last_tags: vec![Fraction::ZERO; lanes],
            stamps: vec![None; lanes],
            tokens: 0,
            filled_at: 0,
            // Lanes beyond those in use have no packets, so the turn begins at the lowest.
            last_unlisted: lanes - 1,
            spec: spec.clone(),
        }
        .full()
    }

    fn full(mut self) -> Self {
        self.tokens = self.parts(self.spec.management_depth);
        self
    }

    /// What some credits are in the bucket.
    fn parts(&self, credits: u32) -> u128 {
        u128::from(credits) * self.flits_per_credit * u128::from(self.spec.of)
    }
}

impl Scheduler for MinimumBandwidth {
    fn choose(&mut self, lanes: &[Option<Head>], now: u64) -> Choice {
        for (lane, head) in lanes.iter().enumerate().take(self.spec.weights.len()) {
            self.stamps[lane] = match (head, self.stamps[lane]) {
                (None, _) => None,
                (Some(_), Some(stamp)) => Some(stamp),
                (Some(_), None) => Some(self.last_tags[lane].larger(self.current)),
            };
        }
        let management = self.spec.weights.len();
        if self.spec.management_rate > 0
            && let Some(Some(head)) = lanes.get(management)
        {
            self.tokens += u128::from(now - self.filled_at) * u128::from(self.spec.management_rate);
            self.tokens = self.tokens.min(self.parts(self.spec.management_depth));
            self.filled_at = now;
            if self.tokens >= self.parts(head.credits) {
                self.tokens -= self.parts(head.credits);
                return turn(management);
            }
        }
        let tag = |(lane, head): (usize, &Option<Head>)| {
            let phi = self.spec.weights.get(lane)?;
            let stamp = self.stamps.get(lane).copied().flatten()?;
            Some((stamp.plus(Fraction(head.as_ref()?.credits.into(), (*phi).into())), lane))
        };
        let tags = lanes.iter().enumerate().filter_map(tag);
        if let Some((tag, lane)) = tags.min_by(|a, b| a.0.order(b.0).then(a.1.cmp(&b.1))) {
            // A NIC may put a packet in transit before the one that was stamped.
            self.current = self.current.larger(tag);
            self.last_tags[lane] = tag;
            self.stamps[lane] = None;
            return turn(lane);
        }
        self.last_unlisted = ready_after(self.last_unlisted, lanes)[0].0;
        turn(self.last_unlisted)
    }
}
