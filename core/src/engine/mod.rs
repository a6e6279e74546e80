//! Time, events and random numbers. Knows no model.

pub mod calendar;
pub(crate) mod numbered;
pub mod wheel;

pub use hopscope_scenario::random;

/// Simulated time, in cycles.
pub type Cycle = u64;

/// What an engine's events are of: an enum `Kind`, and `KINDS`, all of them by number.
macro_rules! kinds {
    ($($(#[$about:meta])* $kind:ident),* $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Kind {
            $($(#[$about])* $kind),*
        }

        pub(super) const KINDS: [Kind; [$(Kind::$kind),*].len()] = [$(Kind::$kind),*];
    };
}
pub(crate) use kinds;
