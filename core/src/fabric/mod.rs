//! Switching techniques: how flits get from NIC to NIC.

pub mod wormhole;
