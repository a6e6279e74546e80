//! Scenarios and the networks they describe: scenario files and their validation, network file
//! formats, and generators.
//!
//! [`hopscope_core`](https://docs.rs/hopscope-core) re-exports these modules under its own name.

#![forbid(unsafe_code)]

pub mod arbiters;
mod bits;
pub mod catalogue;
pub mod congestion;
mod family;
pub mod message;
pub mod messages;
pub mod network;
pub mod problem;
pub mod queue_schemes;
pub mod random;
pub mod routing;
pub mod scenario;
pub mod schedulers;
pub mod switches;
pub mod traffic;

pub use bits::bits;
use message::Template;

/// The templates of all messages of this crate.
pub fn templates() -> impl Iterator<Item = &'static Template> {
    let lists = [
        messages::ALL,
        network::generators::messages::ALL,
        routing::messages::ALL,
        scenario::formats::messages::ALL,
        schedulers::messages::ALL,
    ];
    lists.into_iter().flatten()
}

/// True for the default of a type, which a scenario file omits.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Simulated time, in cycles.
pub type Cycle = u64;
