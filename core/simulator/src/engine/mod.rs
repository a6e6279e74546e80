//! Time, event queues and numbered lists.
//!
//! Nothing here knows a model: no switch, packet or message. [`wheel`] serves the wormhole fabric,
//! [`calendar`] cut-through.

pub mod calendar;
pub(crate) mod numbered;
pub mod prefetch;
pub mod wheel;

pub use hopscope_scenario::{Cycle, random};

/// Declares the kinds of an engine's events: the enum `Kind`, and `KINDS`, which has them by
/// number.
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
