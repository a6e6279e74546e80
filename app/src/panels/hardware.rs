//! The fields of a fabric under the headings of its descriptor: times, sizes of parts, buffers,
//! in-transit buffers, headers.

use super::form;
use super::view::View;
use crate::edit::Kind;
use crate::text::catalogue;
use hopscope_core::catalogue::{Descriptor, Parameter};
use serde_json::Value;
use yew::prelude::*;

/// The fields of a fabric that stand under a heading, except hidden ones. The headings are in the
/// order of the descriptor.
pub fn fields(view: View, hidden: &[&str], member: &Descriptor, value: &Value) -> Html {
    let shown = |parameter: &Parameter| !hidden.contains(&parameter.id);
    let group = |group: &'static str| {
        let is_here = |parameter: &Parameter| parameter.group == group && shown(parameter);
        let of = (catalogue::family("fabrics"), member);
        html! {
            <>
                <h3>{catalogue::group(group)}</h3>
                {form::parameters(view, Kind::Fabric, "/fabric", of, value, is_here)}
            </>
        }
    };
    groups(member, shown).into_iter().map(group).collect()
}

/// The headings of parameters, each once.
fn groups(member: &Descriptor, shown: impl Fn(&Parameter) -> bool) -> Vec<&'static str> {
    let mut groups = Vec::new();
    for parameter in member.parameters.iter().filter(|parameter| shown(parameter)) {
        if !parameter.group.is_empty() && !groups.contains(&parameter.group) {
            groups.push(parameter.group);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::catalogue::Kind as Parameters;

    #[test]
    fn every_parameter_of_a_fabric_has_one_field() {
        for member in &catalogue::family("fabrics").members {
            // These have fields of their own, in `tables.rs`.
            let elsewhere: &[&str] = match member.id {
                "cut-through" => &["lane_guaranteed_percent", "lane_maximum_percent"],
                _ => &[],
            };
            let without = member.parameters.iter().filter(|parameter| parameter.group.is_empty());
            let without: Vec<&str> = without.map(|parameter| parameter.id).collect();
            assert_eq!(without, elsewhere, "{}: the others have a group", member.id);
            // A form draws no field for a list of values.
            let grouped = member.parameters.iter().filter(|parameter| !parameter.group.is_empty());
            let mut lists =
                grouped.filter(|parameter| matches!(parameter.kind, Parameters::Values { .. }));
            let list = lists.next().map(|parameter| parameter.id);
            assert_eq!(list, None, "{}: a list has a panel of its own", member.id);
        }
    }

    #[test]
    fn headings_are_in_the_order_of_the_descriptor_and_go_with_their_last_field() {
        let wormhole = catalogue::member("fabrics", "wormhole");
        let all = groups(wormhole, |_| true);
        assert_eq!(all, ["Times", "Buffers", "In-transit buffers", "Headers"]);
        let some = groups(wormhole, |parameter| parameter.unit != "flits");
        assert_eq!(some, ["Times", "In-transit buffers", "Headers"]);
    }
}
