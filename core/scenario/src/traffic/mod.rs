//! What a flow is made of: destination patterns, payload sizes and arrival processes. Each is a
//! family with one file per member, which holds the member's parameters in a scenario file, its
//! descriptor, its checks and its behaviour.

pub mod arrivals;
mod bounded_pareto;
#[cfg(test)]
mod goodness;
pub mod patterns;
pub mod sizes;
