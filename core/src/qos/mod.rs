//! Quality of service: output schedulers, and the tables that lead from service levels to virtual lanes.

pub mod schedulers;
mod tables;

pub use tables::QosTables;
