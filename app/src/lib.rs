//! Hopscope's page and its worker.
//!
//! Two programs share this library: the page ([`page::run`], `main.rs`) and the simulation worker ([`worker::run`],
//! `bin/worker.rs`). They talk through [`protocol`] (control messages) and [`frame`] (pictures of the network).

pub mod frame;
pub mod page;
pub mod protocol;
pub mod worker;
