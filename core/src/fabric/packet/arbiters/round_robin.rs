//! Round robin: the first request after the one last granted, in cyclic order.

use super::Arbiter;

/// A round-robin arbiter.
#[derive(Debug, Clone, Copy)]
pub struct RoundRobin {
    /// The request last granted.
    last: u8,
}

impl Arbiter for RoundRobin {
    const START: Self = Self { last: u64::BITS as u8 - 1 };

    #[inline(always)]
    fn first(&self, requests: u64) -> u8 {
        let turn = u32::from(self.last) + 1;
        ((requests.rotate_right(turn).trailing_zeros() + turn) % u64::BITS) as u8
    }

    #[inline(always)]
    fn granted(&mut self, request: u8) {
        self.last = request;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_take_turns_and_only_grants_count() {
        let mut arbiter = RoundRobin::START;
        let requests = 1 | 1 << 5 | 1 << 63;
        let mut turns = Vec::new();
        for _ in 0..4 {
            let first = arbiter.first(requests);
            assert_eq!(arbiter.first(requests), first, "a choice changes nothing");
            arbiter.granted(first);
            turns.push(first);
        }
        assert_eq!(turns, [0, 5, 63, 0]);
        assert_eq!(arbiter.first(1), 0, "a single request goes first even after its own grant");
    }
}
