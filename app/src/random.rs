//! Random numbers that differ from visit to visit, from the browser's generator: fresh seeds and
//! the names of tabs. What a scenario draws at random comes from its seeds alone.

/// A seed for a network, for routes or for a run. It has 32 bits, so that it is short to read and
/// within the limits of every seed.
pub fn seed() -> u64 {
    getrandom::u32().expect("the system has a random generator").into()
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
        assert!(seed() <= u64::from(u32::MAX));
        assert_ne!(name(), name());
        assert_eq!(name().len(), 16);
    }
}
