//! No congestion management.

use super::Parameters;
use crate::catalogue::{Descriptor, Status};
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "unmanaged",
    name: "None",
    summary: "packets wait in the queues of their lane",
    parameters: &[],
    citation: "",
    status: Status::Exact,
};

/// No congestion management.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unmanaged {}

impl Parameters for Unmanaged {}
