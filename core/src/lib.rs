//! Hopscope's simulation core: a scenario goes in, observations and results come out.
//!
//! The core has no DOM, clock, threads or I/O. Data flows one way: [`scenario`] to [`network`] to
//! [`routing`] to the fabric to the simulation to experiments.

pub mod admission;
pub mod check;
pub mod cost;
pub mod engine;
pub mod experiment;
pub mod fabric;
pub mod families;
pub mod gallery;
pub mod lessons;
pub mod measure;
pub mod messages;
pub mod observe;
pub mod qos;
pub mod simulation;
pub mod study;
pub mod traffic;

pub use hopscope_routing as routing;
pub use hopscope_scenario::{
    arbiters, catalogue, congestion, message, network, problem, scenario, switches,
};

/// The templates of all messages of the core; each crate and part lists its own.
pub fn templates() -> impl Iterator<Item = &'static message::Template> {
    hopscope_scenario::templates().chain(routing::messages::ALL).chain(messages::ALL)
}
