//! The numbers of a fabric, in groups: times, sizes of parts, buffers, in-transit buffers. Bounds
//! and units come from the descriptor of the fabric.

use super::form;
use super::view::View;
use crate::edit::Kind;
use crate::text::{Text, text};
use hopscope_core::catalogue::Descriptor;
use serde_json::Value;
use yew::prelude::*;

type Words = fn(&Text) -> &'static str;

/// Numbers of a fabric with a heading: each with its id in the scenario file and its name.
pub struct Group {
    name: Words,
    fields: &'static [(&'static str, Words)],
}

/// Those of the wormhole fabric.
pub const WORMHOLE: &[Group] = &[
    Group {
        name: |t| t.group_times,
        fields: &[
            ("cycle_ps", |t| t.cycle_ps),
            ("link_delay_cycles", |t| t.link_delay_cycles),
            ("routing_cycles", |t| t.routing_cycles),
            ("timeout_cycles", |t| t.timeout_cycles),
        ],
    },
    Group {
        name: |t| t.group_buffers,
        fields: &[
            ("buffer_flits", |t| t.buffer_flits),
            ("stop_flits", |t| t.stop_flits),
            ("go_flits", |t| t.go_flits),
        ],
    },
    Group {
        name: |t| t.group_itbs,
        fields: &[
            ("itb_detection_cycles", |t| t.itb_detection_cycles),
            ("itb_dma_cycles", |t| t.itb_dma_cycles),
            ("itb_memory_bytes", |t| t.itb_memory_bytes),
        ],
    },
];

/// Those of the cut-through fabric.
pub const CUT_THROUGH: &[Group] = &[
    Group {
        name: |t| t.group_times,
        fields: &[
            ("cycle_ps", |t| t.cycle_ps),
            ("link_delay_cycles", |t| t.link_delay_cycles),
            ("injection_cycles", |t| t.injection_cycles),
            ("routing_cycles", |t| t.routing_cycles),
            ("buffering_cycles", |t| t.buffering_cycles),
            ("arbitration_cycles", |t| t.arbitration_cycles),
            ("crossbar_cycles", |t| t.crossbar_cycles),
            ("scheduling_cycles", |t| t.scheduling_cycles),
        ],
    },
    Group {
        name: |t| t.group_units,
        fields: &[("flit_bytes", |t| t.flit_size), ("credit_bytes", |t| t.credit_size)],
    },
    Group {
        name: |t| t.group_crossbars,
        fields: &[
            ("ports_per_mport", |t| t.ports_per_mport),
            ("central_links", |t| t.central_links),
            ("mport_flits_per_cycle", |t| t.mport_rate),
            ("central_flits_per_cycle", |t| t.central_rate),
        ],
    },
    Group {
        name: |t| t.group_buffers,
        fields: &[
            ("input_buffer_bytes", |t| t.input_buffer),
            ("output_buffer_bytes", |t| t.output_buffer),
            ("central_buffer_bytes", |t| t.central_buffer),
            ("nic_buffer_bytes", |t| t.nic_buffer),
            ("nic_queues", |t| t.nic_queues),
        ],
    },
    Group {
        name: |t| t.group_itbs,
        fields: &[("itb_cycles", |t| t.itb_cycles), ("itb_memory_bytes", |t| t.itb_memory_bytes)],
    },
];

/// The groups with their fields, except hidden ones.
pub fn fields(
    view: View,
    groups: &[Group],
    hidden: &[&str],
    member: &'static Descriptor,
    value: &Value,
) -> Html {
    let t = text();
    let group = |group: &Group| {
        let shown = group.fields.iter().filter(|(id, _)| !hidden.contains(id));
        let fields: Vec<(&'static str, &'static str)> =
            shown.map(|(id, name)| (*id, name(t))).collect();
        if fields.is_empty() {
            return Html::default();
        }
        html! {
            <>
                <h3>{(group.name)(t)}</h3>
                {form::parameters(view, Kind::Fabric, "/fabric", member, value, &fields)}
            </>
        }
    };
    groups.iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::FabricSpec;
    use std::collections::BTreeSet;

    #[test]
    fn every_parameter_of_a_fabric_has_one_field() {
        // These have fields of their own, in `wormhole.rs` and `tables.rs`.
        let elsewhere =
            ["itb_overflow", "count_header", "lane_guaranteed_percent", "lane_maximum_percent"];
        for (id, groups) in [("wormhole", WORMHOLE), ("cut-through", CUT_THROUGH)] {
            let fabric = FabricSpec::with_id(id).expect("a fabric");
            let all =
                fabric.technique().descriptor().parameters.iter().map(|parameter| parameter.id);
            let expected: BTreeSet<&str> = all.filter(|id| !elsewhere.contains(id)).collect();
            let listed: Vec<&str> =
                groups.iter().flat_map(|group| group.fields).map(|(id, _)| *id).collect();
            assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), expected, "{id}");
            assert_eq!(listed.len(), expected.len(), "{id}: a field is listed twice");
        }
    }
}
