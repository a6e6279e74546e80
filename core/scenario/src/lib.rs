//! What the user drew and chose, and the network it describes: scenario files, their validation, network formats and
//! generators. [`hopscope_core`](https://docs.rs/hopscope-core) gives it all under its own name.
//!
//! A crate of its own because it is compiled for size: the page waits for its download, and nothing in it is hot.

pub mod catalogue;
pub mod message;
pub mod network;
pub mod problem;
pub mod random;
pub mod scenario;
