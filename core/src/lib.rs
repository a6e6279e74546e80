//! Hopscope's core: a scenario goes in, observations and results come out.
//!
//! The core has no DOM, clock, threads or I/O. Data flows one way: [`scenario`] to [`network`] to
//! [`routing`] to the [`fabric`] to the [`simulation`] to experiments. What comes before
//! simulations is in crates of its own and re-exported here.

pub mod cost;
pub mod experiment;
pub mod families;
pub mod gallery;
pub mod idle_time;
pub mod json;
pub mod lessons;
pub mod messages;
pub mod simulation;
pub mod study;
pub mod timeline;

pub use hopscope_application as application;
pub use hopscope_routing as routing;
pub use hopscope_scenario::{
    arbiters, catalogue, congestion, message, network, problem, queue_schemes, scenario, switches,
};
pub use hopscope_simulator::{
    admission, bounds, check, driver, engine, fabric, measure, observe, qos, traffic,
};

/// The templates of all messages of the core; each crate and part lists its own.
pub fn templates() -> impl Iterator<Item = &'static message::Template> {
    hopscope_scenario::templates()
        .chain(routing::messages::ALL)
        .chain(qos::messages::ALL)
        .chain(application::messages::ALL)
        .chain(hopscope_traffic::messages::ALL)
        .chain(hopscope_simulator::messages::ALL)
        .chain(messages::ALL)
}
