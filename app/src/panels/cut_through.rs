//! The cut-through fabric: which panels it has, and changes of its fields.

use super::fabric::TechniquePanels;
use super::view::View;
use super::{nic, qos};
use hopscope_core::scenario::{CutThroughSpec, FabricSpec, Scenario};
use yew::prelude::*;

impl TechniquePanels for CutThroughSpec {
    fn parameters(&self, view: View) -> Html {
        qos::view(view, self)
    }

    fn nic(&self, view: View, host: u32) -> Html {
        nic::lanes(view, host, &self.qos.levels)
    }
}

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
