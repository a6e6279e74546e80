//! Wormhole switching with Stop & Go and in-transit buffers; its semantics are `docs/model.md`.

pub mod trace;
