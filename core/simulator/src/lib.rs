//! Hopscope's simulator: a scenario and its routes go in, observations and results come out.
//!
//! [`hopscope_core`](https://docs.rs/hopscope-core) re-exports these modules under its own name.

pub mod check;
pub mod engine;
pub mod fabric;
pub mod messages;
pub mod observe;
pub mod simulation;

pub use hopscope_measure as measure;
pub use hopscope_qos as qos;
pub use hopscope_routing as routing;
pub use hopscope_scenario::{
    arbiters, catalogue, congestion, message, network, problem, scenario, switches,
};
pub use hopscope_traffic::{admission, bounds, traffic};
