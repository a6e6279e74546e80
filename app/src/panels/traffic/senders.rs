//! Who sends in a flow: all hosts, or those typed or picked on the stage.

use crate::action::Action;
use crate::edit::{Kind, flows, load};
use crate::panels::field::Field;
use crate::panels::form;
use crate::panels::parts::{button, hint, toggle};
use crate::panels::view::View;
use crate::stage::gesture::Tool;
use crate::text::{fill, text};
use hopscope_core::scenario::FlowSpec;
use yew::prelude::*;

/// How many hosts send in a flow, as far as it suits the network.
pub fn count(view: View, i: usize, spec: &FlowSpec) -> usize {
    let facts = view.state.run.facts.as_ref();
    let known = facts.and_then(|facts| facts.senders.get(i)).map(|&senders| senders as usize);
    load::count_senders(spec, known, view.state.stage.picture.hosts.len())
}

/// The fields.
pub fn view(view: View, i: usize, spec: &FlowSpec) -> Html {
    let t = text();
    let hosts = view.state.stage.picture.hosts.len();
    let onchange = view.on_some(move |event: Event| {
        let field = form::input(&event)?;
        let sources = flows::read_hosts(&field.value()).ok()?;
        field.set_value(&flows::shown_hosts(&sources));
        Some(Action::change(Kind::Traffic, false, move |scenario| {
            let flow = scenario.traffic.get_mut(i);
            flow.into_iter().for_each(|flow| flow.sources.clone_from(&sources));
        }))
    });
    let tools = &view.state.tools;
    let picking = tools.tool == Tool::Senders && tools.flow == i;
    let all = spec.sources.is_empty();
    let everyone = view.on(move || {
        Action::change(Kind::Traffic, false, move |scenario| {
            scenario.traffic.get_mut(i).into_iter().for_each(|flow| flow.sources.clear());
        })
    });
    let former = view.former().list(&format!("/traffic/{i}/sources"));
    let former: Option<Vec<u32>> = former.and_then(|hosts| serde_json::from_value(hosts).ok());
    let senders = count(view, i, spec);
    let about = match senders < hosts || !all {
        true => fill(t.some_send, &[&senders, &hosts]),
        false => fill(t.all_send, &[&hosts]),
    };
    let has_list = spec.pattern.listed_senders().is_some();
    let placeholder = if has_list { t.senders_of_pairs } else { t.all_hosts };
    html! {
        <fieldset class="level senders">
            <legend>{t.senders}</legend>
            {form::labelled(t.sending_hosts, "", html! {
                <Field value={flows::shown_hosts(&spec.sources)} long={true} placeholder={Some(placeholder)} numbers={flows::HOSTS} {onchange} />
            })}
            if picking { {hint(t.picking_senders)} }
            <p class="hint" role="status">{about}</p>
            <div class="row wrap">
                {toggle(if picking { t.picked } else { t.pick_senders }, picking, view.on(move || Action::PickSenders(i)))}
                if !all {
                    {button(t.let_all_send, everyone)}
                } else if let Some(hosts) = former {
                    {button(fill(t.let_former_send, &[&hosts.len()]), again(view, i, hosts))}
                }
            </div>
        </fieldset>
    }
}

/// Lets the hosts send that were listed last.
fn again(view: View, i: usize, hosts: Vec<u32>) -> Callback<MouseEvent> {
    view.on(move || {
        let hosts = hosts.clone();
        Action::change(Kind::Traffic, false, move |scenario| {
            let flow = scenario.traffic.get_mut(i);
            flow.into_iter().for_each(|flow| flow.sources.clone_from(&hosts));
        })
    })
}
