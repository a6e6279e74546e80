//! A set of a switch's ports.

use hopscope_scenario::bits;

/// A set of up to 128 ports.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ports(u128);

impl Ports {
    /// True if the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a port.
    #[inline]
    pub fn insert(&mut self, port: u8) {
        self.0 |= 1 << port;
    }

    /// Removes a port.
    #[inline]
    pub fn remove(&mut self, port: u8) {
        self.0 &= !(1 << port);
    }

    /// The first port after `last` in cyclic order; a `last` above 126 is before port 0. The set
    /// must not be empty.
    #[inline]
    pub fn first_after(self, last: u8) -> u8 {
        debug_assert!(!self.is_empty());
        let first = u32::from(last.wrapping_add(1)) % 128;
        ((self.0.rotate_right(first).trailing_zeros() + first) % 128) as u8
    }

    /// All ports, in order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        bits(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::stream;
    use rand::RngExt;

    #[test]
    fn ports_take_turns() {
        let mut random = stream(7, "ports", 0);
        for _ in 0..2000 {
            let mut ports = Ports::default();
            let mut plain: Vec<u8> =
                (0..=random.random_range(0..6)).map(|_| random.random_range(0..128)).collect();
            plain.iter().for_each(|&port| ports.insert(port));
            plain.sort_unstable();
            plain.dedup();
            assert!(ports.iter().eq(plain.iter().copied()));
            let last = [random.random_range(0..128), u8::MAX][random.random_range(0..2)];
            let turn = |port: u8| (port + 127 - last % 128) % 128;
            let next = plain.iter().copied().min_by_key(|&port| turn(port)).unwrap();
            assert_eq!(ports.first_after(last), next);
            plain.iter().for_each(|&port| ports.remove(port));
            assert!(ports.is_empty());
        }
    }
}
