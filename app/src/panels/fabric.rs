//! The fabric: the switching technique, and its own panels.

use super::form;
use super::side::{self, Panel};
use super::view::View;
use crate::action::Action;
use crate::edit::Kind;
use crate::edit::fabric;
use crate::state::Tab;
use crate::text::{catalogue, text};
use hopscope_core::catalogue::Descriptor;
use hopscope_core::scenario::FabricSpec;
use yew::prelude::*;

/// What the page shows of one switching technique only.
pub trait TechniquePanels {
    /// The cards with its parameters.
    fn parameters(&self, view: View) -> Html;

    /// The inside of the NIC of a host.
    fn nic(&self, view: View, host: u32) -> Html;
}

/// The panels of a technique.
pub fn panels(fabric: &FabricSpec) -> &dyn TechniquePanels {
    match fabric {
        FabricSpec::Wormhole(spec) => spec,
        FabricSpec::CutThrough(spec) => spec.as_ref(),
    }
}

const TAB: Tab = Tab("fabric");

/// The panel and its tab.
pub const PANEL: Panel = Panel {
    tab: TAB,
    name: |t| t.tab_fabric,
    command: side::command(TAB, |t| t.panel_fabric),
    is_available: side::unless_locked,
    view,
};

/// The panel.
fn view(view: View) -> Html {
    let now = &view.state.scenario().fabric;
    let fabrics = catalogue::family("fabrics");
    let option =
        |member: &Descriptor| (member.id.to_owned(), catalogue::name(fabrics, member).to_owned());
    let options: Vec<(String, String)> = fabrics.members.iter().map(option).collect();
    let former = view.former();
    let choose = move |wanted: String| {
        let former = former.scenario("/fabric", &wanted).cloned();
        Action::change(Kind::Fabric, false, move |scenario| {
            fabric::choose(scenario, &wanted, former.as_deref());
        })
    };
    html! {
        <>
            <section class="card" id="fabric-kind">
                {form::choice(view, text().switching, &options, now.id(), choose)}
            </section>
            {panels(now).parameters(view)}
        </>
    }
}
