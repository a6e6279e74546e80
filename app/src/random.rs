//! Random numbers that differ from visit to visit, from the browser's generator: fresh seeds and
//! the names of tabs. What a scenario draws at random comes from its seeds alone.

/// A seed for a network, for routes or for a run. It has 29 bits, which are nine digits at most: a
/// field shows them all.
pub fn seed() -> u64 {
    (getrandom::u32().expect("the system has a random generator") >> 3).into()
}

/// A name that no other tab has.
pub fn name() -> String {
    format!("{:016x}", getrandom::u64().expect("the system has a random generator"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_and_names_differ() {
        assert_ne!([seed(), seed()], [seed(), seed()]);
        assert!(seed() < 1_000_000_000);
        assert_ne!(name(), name());
        assert_eq!(name().len(), 16);
    }
}
