//! The cut-through fabric: which panels it has, and changes of its fields.

use super::fabric::TechniquePanels;
use super::view::View;
use super::{nic, qos};
use crate::edit::fabric::cut_through;
use hopscope_core::scenario::{CutThroughSpec, Scenario};
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
    if let Some(spec) = cut_through(scenario) {
        set(spec);
    }
}

/// A list of the fabric, of which a table shows a row for each element.
pub type Rows<T> = fn(&mut CutThroughSpec) -> &mut Vec<T>;

/// The change that a field makes.
pub fn edit<V: Clone + 'static>(
    set: impl Fn(&mut CutThroughSpec, V) + 'static,
) -> impl Fn(&mut Scenario, V) + 'static {
    move |scenario, value| change(scenario, |spec| set(spec, value.clone()))
}

/// The change that a field of a row makes. It does nothing if the list has become shorter since the
/// row was drawn.
pub fn edit_row<T: 'static, V: Clone + 'static>(
    rows: Rows<T>,
    row: usize,
    set: impl Fn(&mut T, V) + 'static,
) -> impl Fn(&mut Scenario, V) + 'static {
    edit(move |spec, value| {
        if let Some(row) = rows(spec).get_mut(row) {
            set(row, value);
        }
    })
}

/// Numbers as the bytes of a scenario; the caller bounds them.
pub fn bytes(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().map(|&n| n as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::{FabricSpec, LevelSpec};

    #[test]
    fn a_field_of_a_row_that_is_gone_changes_nothing() {
        let mut scenario = crate::edit::blank();
        scenario.fabric = FabricSpec::CutThrough(Box::default());
        let levels: Rows<LevelSpec> = |spec| &mut spec.qos.levels;
        let set = |row| edit_row(levels, row, |level, class: u8| level.class = class);
        set(0)(&mut scenario, 3);
        assert_eq!(scenario.fabric.technique().levels()[0].class, 3);
        let before = scenario.clone();
        set(1)(&mut scenario, 4);
        assert_eq!(scenario, before);
    }
}
