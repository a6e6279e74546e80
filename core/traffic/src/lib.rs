//! Hopscope's workload: what the sources of a scenario send and when ([`traffic`]), which of its
//! connections a broker admits ([`admission`]), and how long messages wait at most where schedulers
//! guarantee rates ([`bounds`]). Knows no engine.

pub mod admission;
pub mod bounds;
pub mod messages;
pub mod traffic;

pub use hopscope_measure as measure;
pub use hopscope_qos as qos;
pub use hopscope_routing as routing;
pub use hopscope_scenario::{arbiters, message, network, problem, scenario};
