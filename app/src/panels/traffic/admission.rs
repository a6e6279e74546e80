//! Admission control: the levels under it, the connections asked, admitted and refused, and how
//! many an empty network admits.

use crate::action::Action;
use crate::edit::Kind;
use crate::edit::levels;
use crate::edit::numbers::Numbers;
use crate::panels::cut_through::bytes;
use crate::panels::form::{self, Whole};
use crate::panels::parts::button;
use crate::panels::view::View;
use crate::panels::words;
use crate::protocol::{AdmissionFacts, FlowConnections};
use crate::stage::Overlay;
use crate::state::ResultsAction;
use crate::text::{counted, flow_name, number, short, text};
use hopscope_core::scenario::{AdmissionSpec, Scenario};
use yew::prelude::*;

/// Links that refused connections are listed up to this number, and the next ones in a list that
/// the user opens.
const LISTED: usize = 4;
const OPENED: usize = 200;

/// The card; nothing on fabrics without service levels.
pub fn view(view: View) -> Html {
    let t = text();
    let technique = view.state.scenario().fabric.technique();
    if technique.levels().is_empty() {
        return Html::default();
    }
    let admission = technique.admission();
    let AdmissionSpec { levels, share_percent } = admission.cloned().unwrap_or_default();
    let share = Whole {
        label: t.admission_share,
        unit: "%",
        value: share_percent.into(),
        min: 1,
        max: 100,
    };
    let chosen: Vec<u64> = levels.iter().map(|&level| level.into()).collect();
    html! {
        <section class="card" id="admission">
            <h2>{t.admission_title}</h2>
            <p class="hint">{t.admission_about}</p>
            {form::list(view, t.admission_levels, &chosen, Numbers::set_up_to(levels::LAST.into()), Kind::Fabric, |scenario, levels| {
                set_levels(scenario, bytes(&levels));
            })}
            if admission.is_some() {
                {form::whole(view, share, Kind::Fabric, |scenario, percent| set_share(scenario, percent as u32))}
                {decisions(view)}
            }
        </section>
    }
}

/// Without levels there is no admission control.
fn set_levels(scenario: &mut Scenario, levels: Vec<u8>) {
    let technique = scenario.fabric.technique_mut();
    let admission = technique.admission().cloned().unwrap_or_default();
    technique.set_admission((!levels.is_empty()).then_some(AdmissionSpec { levels, ..admission }));
}

fn set_share(scenario: &mut Scenario, share_percent: u32) {
    let technique = scenario.fabric.technique_mut();
    let admission = technique.admission().cloned();
    technique.set_admission(admission.map(|it| AdmissionSpec { share_percent, ..it }));
}

fn decisions(view: View) -> Html {
    let t = text();
    let Some(facts) = &view.state.run.facts else { return Html::default() };
    let fill = view.on(|| Action::Results(ResultsAction::Fill));
    let colour = view.on(|| Action::Overlay(Overlay::Reserved));
    html! {
        <>
            {table(view, "admission-decided", t.admission_decided, &facts.admission)}
            if let Some(filled) = &facts.filled {
                {table(view, "admission-filled", t.admission_filled, filled)}
                if filled.is_cut_off { <p class="hint">{t.admission_cut_off}</p> }
            }
            <div class="row wrap">
                <button class="button" id="admission-fill" onclick={fill}>{t.admission_fill}</button>
                {button(t.show_reserved, colour)}
            </div>
        </>
    }
}

fn table(view: View, id: &'static str, caption: &'static str, facts: &AdmissionFacts) -> Html {
    let t = text();
    let count = |count: u32| number(count.into());
    let row = |of: &FlowConnections| {
        let flow = view.state.scenario().traffic.get(of.flow as usize);
        let name = flow_name(of.flow as usize, flow.map_or("", |flow| &flow.name));
        let refusal = |&(channel, refused): &(u32, u32)| {
            let link = words::channel(&view.state.stage.picture, channel);
            html! { <li>{counted(t.refused_by, refused as usize)}{" "}{link}</li> }
        };
        let (first, others) = of.refused_by.split_at(of.refused_by.len().min(LISTED));
        let more = |links: usize| counted(t.more_links, links);
        html! {
            <>
                <tr data-flow={of.flow.to_string()}>
                    <th scope="row">{name}</th>
                    <td>{short(of.bits_per_second / 1000.0)}</td>
                    <td>{count(of.asked)}</td><td>{count(of.admitted)}</td><td>{count(of.asked - of.admitted)}</td>
                </tr>
                if !of.refused_by.is_empty() {
                    <tr><td colspan="5" class="words"><ul class="plain hint">
                        {for first.iter().map(refusal)}
                        if !others.is_empty() {
                            <li><details>
                                <summary>{more(others.len())}</summary>
                                <ul class="plain">
                                    {for others.iter().take(OPENED).map(refusal)}
                                    if others.len() > OPENED { <li>{more(others.len() - OPENED)}</li> }
                                </ul>
                            </details></li>
                        }
                    </ul></td></tr>
                }
            </>
        }
    };
    html! {
        <div class="table-scroll" tabindex="0" role="region" aria-label={caption}>
            <table class="figures" {id}>
                <caption class="hint">{caption}</caption>
                <thead><tr>
                    <th scope="col">{t.column_flow}</th><th scope="col">{t.column_rate}<small>{"kb/s"}</small></th><th scope="col">{t.column_asked}</th>
                    <th scope="col">{t.column_admitted}</th><th scope="col">{t.column_refused}</th>
                </tr></thead>
                <tbody>{for facts.flows.iter().map(row)}</tbody>
            </table>
        </div>
    }
}
