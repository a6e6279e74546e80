//! Hopscope's simulator: the fabrics, which move flits and packets, and what drives them.
//!
//! [`hopscope_core`](https://docs.rs/hopscope-core) re-exports these modules under its own name.

pub mod check;
pub mod driver;
pub mod engine;
pub mod fabric;
pub mod messages;
pub mod observe;

pub use hopscope_measure as measure;
pub use hopscope_qos as qos;
pub use hopscope_routing as routing;
pub use hopscope_scenario::{
    arbiters, catalogue, congestion, message, network, problem, queue_schemes, scenario, switches,
};
pub use hopscope_traffic::{admission, bounds, traffic};
