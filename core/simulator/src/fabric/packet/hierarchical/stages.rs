//! Stage times and rates of a hierarchical switch.

use crate::fabric::packet::switch::StageTimes;
use crate::scenario::CutThroughSpec;

/// Stage times in cycles, and rates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stages {
    pub crossbar: u64,
    /// From a grant until the packet is a candidate at the central buffer.
    pub central: u64,
    /// From a grant until the packet is ready at the output buffer.
    pub output: u64,
    pub buffering: u64,
    /// From the arrival of the first flit at an input until the packet is a candidate.
    input: u64,
    mport_rate: Rate,
    central_rate: Rate,
}

/// The reciprocal of flits per cycle, times 2^32: dividing by it is a multiplication.
#[derive(Debug, Clone, Copy)]
struct Rate(u64);

impl Rate {
    fn new(flits_per_cycle: u32) -> Self {
        Self((1_u64 << 32).div_ceil(flits_per_cycle.into()))
    }
}

impl Stages {
    pub fn new(spec: &CutThroughSpec) -> Self {
        let [sb, rt, at, x] = [
            spec.buffering_cycles,
            spec.routing_cycles,
            spec.arbitration_cycles,
            spec.crossbar_cycles,
        ]
        .map(u64::from);
        Self {
            crossbar: x,
            central: x + at,
            output: x + sb,
            buffering: sb,
            input: sb + rt + at,
            mport_rate: Rate::new(spec.mport_flits_per_cycle),
            central_rate: Rate::new(spec.central_flits_per_cycle),
        }
    }

    /// Cycles from the crossing of a packet's first flit to that of its last, at full rate. Exact,
    /// since both numbers are below 2^16.
    #[inline]
    pub fn crossing(&self, from_central: bool, flits: u16) -> u64 {
        let Rate(inverse) = if from_central { self.central_rate } else { self.mport_rate };
        (u64::from(flits - 1) * inverse) >> 32
    }

    /// What the fabric must know.
    pub fn times(&self) -> StageTimes {
        StageTimes {
            input: self.input,
            buffering: self.buffering,
            output: self.output,
            sum: self.input + self.central + self.output,
        }
    }
}
