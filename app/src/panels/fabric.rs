//! The fabric: switching technique, switches, links and NICs.

use super::form::{self, Whole};
use super::qos;
use super::view::View;
use crate::action::Action;
use crate::edit::Kind;
use crate::edit::fabric::{self, Technique};
use crate::text::text;
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

type Field = fn(&mut WormholeSpec) -> &mut u32;

fn wormhole(view: View, spec: &WormholeSpec) -> Html {
    let t = text();
    let fields: [(&'static str, &'static str, u64, u64, Field); 8] = [
        (t.link_delay_cycles, t.unit_cycles, 1, 100_000, |spec| &mut spec.link_delay_cycles),
        (t.routing_cycles, t.unit_cycles, 1, 100_000, |spec| &mut spec.routing_cycles),
        (t.buffer_flits, t.unit_flits, 1, 1 << 20, |spec| &mut spec.buffer_flits),
        (t.stop_flits, t.unit_flits, 1, 1 << 20, |spec| &mut spec.stop_flits),
        (t.go_flits, t.unit_flits, 0, 1 << 20, |spec| &mut spec.go_flits),
        (t.itb_detection_cycles, t.unit_cycles, 1, 100_000, |spec| &mut spec.itb_detection_cycles),
        (t.itb_dma_cycles, t.unit_cycles, 0, 100_000, |spec| &mut spec.itb_dma_cycles),
        (t.itb_memory_bytes, t.bytes, 1, 1 << 30, |spec| &mut spec.itb_memory_bytes),
    ];
    let field = |(label, unit, min, max, at): (&'static str, &'static str, u64, u64, Field)| {
        let value = u64::from(*at(&mut spec.clone()));
        form::whole(
            view,
            Whole { label, unit, value, min, max },
            Kind::Fabric,
            move |scenario, value| {
                change(scenario, |spec| *at(spec) = value as u32);
            },
        )
    };
    let defaults = view.on(|| {
        Action::change(Kind::Fabric, false, |scenario| scenario.fabric = FabricSpec::default())
    });
    html! {
        <section class="card">
            <h2>{t.wormhole}</h2>
            {form::whole(view, Whole { label: t.cycle_ps, unit: t.unit_ps, value: spec.cycle_ps, min: 1, max: 1_000_000 },
                Kind::Fabric, |scenario, ps| change(scenario, |spec| spec.cycle_ps = ps))}
            {for fields.map(field)}
            {itb_overflow(view, spec)}
            {form::whole(view, Whole { label: t.timeout_cycles, unit: t.unit_cycles, value: spec.timeout_cycles, min: 0, max: 1 << 40 },
                Kind::Fabric, |scenario, cycles| change(scenario, |spec| spec.timeout_cycles = cycles))}
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
