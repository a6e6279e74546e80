//! Fairness: whether those that share a network get alike parts of what they offer.

use serde::{Deserialize, Serialize};

/// Jain's index of the parts that hosts, flows and service levels get: delivered payload relative
/// to generated payload. 1 if all get the same part, 1/n if one of n gets everything. `None` with
/// fewer than two that generated something.
///
/// R. Jain, D. Chiu, W. Hawe: A quantitative measure of fairness and discrimination, DEC-TR-301,
/// 1984.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Fairness {
    /// Among the hosts that send.
    pub hosts: Option<f64>,
    /// Among the flows.
    pub flows: Option<f64>,
    /// Among the service levels.
    pub levels: Option<f64>,
}

/// Jain's index of payload, each delivered of generated, bytes; without those that generated none.
pub fn jain(payload: impl Iterator<Item = (u64, u64)>) -> Option<f64> {
    let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for (delivered, generated) in payload.filter(|&(_, generated)| generated > 0) {
        let part = delivered as f64 / generated as f64;
        n += 1.0;
        sum += part;
        squares += part * part;
    }
    (n > 1.0 && sum > 0.0).then(|| sum * sum / (n * squares))
}

#[cfg(test)]
mod tests {
    use super::jain;

    #[test]
    fn the_index_is_one_for_equal_parts_and_one_nth_for_a_single_part() {
        let index = |payload: &[(u64, u64)]| jain(payload.iter().copied());
        assert_eq!(index(&[(5, 10), (50, 100), (1, 2)]), Some(1.0));
        assert_eq!(index(&[(7, 10), (0, 10), (0, 10), (0, 10)]), Some(0.25));
        // (1 + 1/2)^2 / (2 (1 + 1/4))
        assert_eq!(index(&[(8, 8), (4, 8)]), Some(0.9));
        assert_eq!(index(&[(1, 10), (0, 0), (9, 90)]), Some(1.0), "one that sends nothing");
        for none in [&[][..], &[(3, 4)], &[(3, 4), (0, 0)], &[(0, 4), (0, 4)]] {
            assert_eq!(index(none), None, "{none:?}");
        }
    }
}
