//! Routing: the choices that make it, the report on its routes, the routes of a pair, the effect of
//! a failure.

mod axes;
mod failure;
mod pair;
mod presets;
mod progress;
mod report;

use super::safety;
use super::side::{self, Panel};
use super::view::View;
use crate::action::Action;
use crate::command::Command;
use crate::panels::parts::{button, heading, hint, primary};
use crate::state::{RoutesAction, Tab};
use crate::text::text;
use yew::prelude::*;

/// The panel and its tab.
pub const PANEL: Panel = Panel {
    tab: Tab::ROUTING,
    name: |t| t.tab_routing,
    command: side::command(Tab::ROUTING, |t| t.panel_routing),
    is_available: side::unless_locked,
    view,
};

/// The panel.
fn view(view: View) -> Html {
    html! {
        <>
            {failure::view(view)}
            {axes::view(view)}
            {safety::verdict(view)}
            {report::view(view)}
            {pair::view(view)}
        </>
    }
}

/// Over the stage: how far the routes of the document are computed, or that this was cancelled.
pub fn notice(view: View) -> Html {
    let t = text();
    let routes = &view.state.routes;
    if let Some(progress) = &routes.progress {
        let cancel = view.on(|| Action::Routes(RoutesAction::Cancel));
        return html! {
            <div class="trouble mild routing-progress" id="routing-progress" role="status">
                {progress::bar(progress)}
                {button(t.cancel, cancel)}
            </div>
        };
    }
    if routes.cancelled {
        let retry = view.on(|| Action::Routes(RoutesAction::Retry));
        return html! {
            <div class="trouble mild" id="routing-cancelled" role="status">
                {heading(t.routing_cancelled)}
                {hint(t.routing_cancelled_why)}
                <div class="row">
                    {primary(None, t.compute_again, true, retry)}
                    if view.state.document.undoable().is_some() {
                        {button(t.undo, view.on_command(Command::Undo))}
                    }
                </div>
            </div>
        };
    }
    Html::default()
}
