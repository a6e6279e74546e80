//! The wormhole fabric: parameters of switches, links and NICs.

use super::fabric::TechniquePanels;
use super::parts::{button, heading};
use super::view::View;
use super::{hardware, nic};
use crate::action::Action;
use crate::edit::Kind;
use crate::text::{catalogue, text};
use hopscope_core::scenario::{FabricSpec, Technique, WormholeSpec};
use yew::prelude::*;

impl TechniquePanels for WormholeSpec {
    fn parameters(&self, view: View) -> Html {
        parameters(view, self)
    }

    fn nic(&self, view: View, host: u32) -> Html {
        nic::two_queues(view, host, self)
    }
}

fn parameters(view: View, spec: &WormholeSpec) -> Html {
    let t = text();
    let member = spec.descriptor();
    let value = serde_json::to_value(spec).unwrap_or_default();
    let defaults = view.on(|| {
        Action::change(Kind::Fabric, false, |scenario| {
            scenario.fabric = FabricSpec::Wormhole(WormholeSpec::default());
        })
    });
    html! {
        <section class="card">
            {heading(catalogue::name(catalogue::family("fabrics"), member))}
            {hardware::fields(view, &[], member, &value)}
            {button(t.myrinet_defaults, defaults)}
        </section>
    }
}
