//! Changes of the cut-through fabric, for the panels that have its fields.

use hopscope_core::scenario::{CutThroughSpec, FabricSpec, Scenario};

/// Changes the fabric, if it is cut-through.
pub fn change(scenario: &mut Scenario, set: impl Fn(&mut CutThroughSpec)) {
    if let FabricSpec::CutThrough(spec) = &mut scenario.fabric {
        set(spec);
    }
}

/// Numbers as the bytes of a scenario; the caller bounds them.
pub fn bytes(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().map(|&n| n as u8).collect()
}
