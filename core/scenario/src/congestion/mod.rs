//! Congestion managements of switches with combined queues: which queue a packet joins, and which
//! queues may send. One file per management, with its parameters and their checks; the engines are
//! in `core/simulator/src/fabric/packet/`.

mod recn;
mod recn_qos;
mod unmanaged;

use crate::family::family;
use crate::problem::Problems;
use crate::queue_schemes::QueueScheme;
use crate::scenario::CutThroughSpec;

pub use recn_qos::{Claims, OutputOrder};

/// The path of the management in a scenario.
const AT: &str = "fabric.switch.congestion";

family! {
    /// The congestion management of a network.
    #[derive(Eq)]
    pub enum CongestionSpec: Parameters {
        /// None.
        unmanaged::Unmanaged,
        /// Regional explicit congestion notification.
        recn::Recn,
        /// RECN with service levels.
        recn_qos::RecnQos,
    }
}

/// The parameters of a congestion management.
pub trait Parameters {
    /// Set-aside queues of a port.
    fn saqs(&self) -> u32 {
        0
    }

    /// Checks relations between parameters, each of which is within its bounds, and a fabric whose
    /// switches have these queues.
    fn check_relations(
        &self,
        _queues: QueueScheme,
        _fabric: &CutThroughSpec,
        _problems: &mut Problems,
    ) {
    }

    /// Bits of the turn pool of a header, if the management has a pool of its own.
    fn pool_bits(&self) -> Option<u32> {
        None
    }
}

impl CongestionSpec {
    /// True if there is none.
    pub fn is_unmanaged(&self) -> bool {
        matches!(self, Self::Unmanaged(_))
    }

    /// Adds what is wrong with the management of switches with these queues.
    pub(crate) fn check(
        &self,
        queues: QueueScheme,
        fabric: &CutThroughSpec,
        problems: &mut Problems,
    ) {
        if self.descriptor().check_bounds(self, AT, problems).is_empty() {
            self.member().check_relations(queues, fabric, problems);
        }
    }
}

impl Default for CongestionSpec {
    fn default() -> Self {
        Self::Unmanaged(Unmanaged {})
    }
}
