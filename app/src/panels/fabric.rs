//! The fabric: switching technique, switches, links and NICs.

use super::form;
use super::qos;
use super::view::View;
use crate::action::Action;
use crate::edit::Kind;
use crate::edit::fabric::{self, Technique};
use crate::text::{catalogue, text};
use hopscope_core::scenario::{FabricSpec, ItbOverflow, Scenario, WormholeSpec};
use yew::prelude::*;

const WORMHOLE: &str = "wormhole";
const CUT_THROUGH: &str = "cut-through";
const WAIT: &str = "wait";
const DROP: &str = "drop";

/// The panel.
pub fn view(view: View) -> Html {
    let t = text();
    let (now, body) = match &view.state.scenario().fabric {
        FabricSpec::Wormhole(spec) => (WORMHOLE, wormhole(view, spec)),
        FabricSpec::CutThrough(spec) => (CUT_THROUGH, qos::view(view, spec)),
    };
    let kinds = [(WORMHOLE, t.wormhole), (CUT_THROUGH, t.cut_through)];
    let kinds = kinds.map(|(id, name)| (id.to_owned(), name.to_owned()));
    let document = view.state.document.clone();
    let choose = move |kind: String| {
        let wanted = if kind == CUT_THROUGH { Technique::CutThrough } else { Technique::Wormhole };
        let former = document.former(wanted).cloned();
        Action::change(Kind::Fabric, false, move |scenario| {
            fabric::choose(scenario, wanted, former.as_deref());
        })
    };
    html! {
        <>
            <section class="card" id="fabric-kind">{form::choice(view, t.switching, &kinds, now, choose)}</section>
            {body}
        </>
    }
}

fn wormhole(view: View, spec: &WormholeSpec) -> Html {
    let t = text();
    let member = catalogue::member("fabrics", WORMHOLE);
    let value = serde_json::to_value(spec).unwrap_or_default();
    let fields = |fields: &[(&'static str, &'static str)]| {
        form::parameters(view, Kind::Fabric, "/fabric", member, &value, fields)
    };
    let defaults = view.on(|| {
        Action::change(Kind::Fabric, false, |scenario| scenario.fabric = FabricSpec::default())
    });
    html! {
        <section class="card">
            <h2>{t.wormhole}</h2>
            {fields(&[
                ("cycle_ps", t.cycle_ps),
                ("link_delay_cycles", t.link_delay_cycles),
                ("routing_cycles", t.routing_cycles),
                ("buffer_flits", t.buffer_flits),
                ("stop_flits", t.stop_flits),
                ("go_flits", t.go_flits),
                ("itb_detection_cycles", t.itb_detection_cycles),
                ("itb_dma_cycles", t.itb_dma_cycles),
                ("itb_memory_bytes", t.itb_memory_bytes),
            ])}
            {itb_overflow(view, spec)}
            {fields(&[("timeout_cycles", t.timeout_cycles)])}
            {form::flag(view, t.count_header, spec.count_header, Kind::Fabric, |scenario, on| {
                change(scenario, |spec| spec.count_header = on);
            })}
            <button class="button" onclick={defaults}>{t.myrinet_defaults}</button>
        </section>
    }
}

/// What a NIC does when its ITB memory is full.
fn itb_overflow(view: View, spec: &WormholeSpec) -> Html {
    let t = text();
    let options = [(WAIT, t.itb_overflow_wait), (DROP, t.itb_overflow_drop)];
    let options = options.map(|(id, name)| (id.to_owned(), name.to_owned()));
    let now = match spec.itb_overflow {
        ItbOverflow::Wait => WAIT,
        ItbOverflow::Drop => DROP,
    };
    form::choice(view, t.itb_overflow, &options, now, |rule| {
        let rule = if rule == DROP { ItbOverflow::Drop } else { ItbOverflow::Wait };
        Action::change(Kind::Fabric, false, move |scenario| {
            change(scenario, |spec| spec.itb_overflow = rule);
        })
    })
}

fn change(scenario: &mut Scenario, set: impl Fn(&mut WormholeSpec)) {
    if let FabricSpec::Wormhole(spec) = &mut scenario.fabric {
        set(spec);
    }
}
