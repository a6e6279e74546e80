//! All messages have the same size.

use super::{Size, bytes};
use crate::catalogue::{Descriptor, Status};
use crate::random::Pcg64Mcg;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "fixed",
    name: "Fixed",
    summary: "all messages alike",
    parameters: &[bytes("bytes", "payload", 512)],
    citation: "",
    status: Status::Exact,
};

/// Parameters of the fixed size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixed {
    /// Payload, bytes.
    pub bytes: u32,
}

impl Size for Fixed {
    fn largest(&self) -> u32 {
        self.bytes
    }

    fn mean(&self) -> f64 {
        self.bytes.into()
    }

    fn mean_flits(&self, flit_bytes: u32) -> f64 {
        f64::from(self.bytes.div_ceil(flit_bytes))
    }

    fn is_one_size(&self) -> bool {
        true
    }

    fn draw(&self, _random: &mut Pcg64Mcg) -> u32 {
        self.bytes
    }
}
