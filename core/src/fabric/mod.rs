//! Switching techniques: how flits get from NIC to NIC.

pub mod cut_through;
pub mod wormhole;
