//! The fabric: switching technique, switches, links and NICs.

use super::form::{self, Whole};
use super::qos;
use super::view::View;
use crate::action::Action;
use crate::edit::Kind;
use crate::text::text;
use hopscope_core::scenario::{FabricSpec, Scenario, WormholeSpec};
use yew::prelude::*;

const WORMHOLE: &str = "wormhole";
const CUT_THROUGH: &str = "cut-through";

/// The panel.
pub fn view(view: View) -> Html {
    let t = text();
    let (now, body) = match &view.state.scenario().fabric {
        FabricSpec::Wormhole(spec) => (WORMHOLE, wormhole(view, spec)),
        FabricSpec::CutThrough(spec) => (CUT_THROUGH, qos::view(view, spec)),
    };
    let kinds = [(WORMHOLE, t.wormhole), (CUT_THROUGH, t.cut_through)];
    let kinds = kinds.map(|(id, name)| (id.to_owned(), name.to_owned()));
    let choose =
        |kind: String| Action::change(Kind::Fabric, false, move |scenario| choose(scenario, &kind));
    html! {
        <>
            <section class="card" id="fabric-kind">{form::choice(view, t.switching, &kinds, now, choose)}</section>
            {body}
        </>
    }
}

/// Another switching technique. Every flow keeps its load as a share of what the channel of a host
/// carries.
fn choose(scenario: &mut Scenario, kind: &str) {
    let fabric = match kind {
        CUT_THROUGH => FabricSpec::CutThrough(Box::default()),
        _ => FabricSpec::default(),
    };
    let (switches, hosts) = match scenario.network.drawn() {
        Ok(network) => (network.switches.len().max(1) as f64, network.hosts.len().max(1) as f64),
        Err(_) => (1.0, 1.0),
    };
    // One flit per cycle and host, in the fabric's own unit of load.
    let full = |fabric: &FabricSpec| match fabric {
        FabricSpec::Wormhole(spec) => hosts / switches / (spec.cycle_ps as f64 / 1000.0),
        FabricSpec::CutThrough(_) => 1.0,
    };
    let factor = full(&fabric) / full(&scenario.fabric);
    for flow in &mut scenario.traffic {
        if flow.load_unit.is_none() {
            let load = flow.load * factor;
            // Two significant digits.
            let unit = 10_f64.powf(load.max(1e-9).log10().floor() - 1.0);
            flow.load = ((load / unit).round() * unit * 1e9).round() / 1e9;
        }
        flow.level = 0;
    }
    scenario.fabric = fabric;
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
            {form::whole(view, Whole { label: t.timeout_cycles, unit: t.unit_cycles, value: spec.timeout_cycles, min: 0, max: 1 << 40 },
                Kind::Fabric, |scenario, cycles| change(scenario, |spec| spec.timeout_cycles = cycles))}
            {form::flag(view, t.count_header, spec.count_header, Kind::Fabric, |scenario, on| {
                change(scenario, |spec| spec.count_header = on);
            })}
            <button class="button" onclick={defaults}>{t.myrinet_defaults}</button>
        </section>
    }
}

fn change(scenario: &mut Scenario, set: impl Fn(&mut WormholeSpec)) {
    if let FabricSpec::Wormhole(spec) = &mut scenario.fabric {
        set(spec);
    }
}
