//! The application: what runs, on which hosts, what its ranks did, and what it came to.

mod path;
pub mod results;
pub mod timeline;

use super::form::{self, Whole};
use super::side::{self, Panel};
use super::troubles;
use super::view::View;
use crate::action::Action;
use crate::command::Command;
use crate::edit::numbers::Numbers;
use crate::edit::{Kind, application};
use crate::panels::parts::{button, heading, hint};
use crate::state::Tab;
use crate::text::{catalogue, fill, level_name, number, text};
use hopscope_core::application::{collectives, word};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::limits::{MAX_COMPUTE_NS, MAX_CYCLES, MAX_HOSTS, MAX_MESSAGE_BYTES};
use hopscope_core::scenario::{ApplicationKind, ApplicationSpec, LevelSpec, Mapping, Scenario};
use yew::prelude::*;

/// The panel and its tab.
pub const PANEL: Panel = Panel {
    tab: Tab::APPLICATION,
    name: |t| t.tab_application,
    command: side::command(Tab::APPLICATION, |t| t.panel_application),
    // Lessons are about traffic, and their tab takes the space in the row.
    is_available: |state| state.lesson.is_none(),
    view,
};

/// The option for no application.
const NONE: &str = "none";

/// The panel.
fn view(view: View) -> Html {
    let t = text();
    let spec = view.state.scenario().application.as_ref();
    html! {
        <>
            <section class="card" id="application">
                {heading(t.application)}
                {problems(view)}
                {kinds(view, spec)}
                {for spec.map(|spec| parameters(view, spec))}
                if spec.is_none() { {hint(t.no_application_about)} }
                {button(t.open_trace, view.on_command(Command::Open))}
            </section>
            if let Some(spec) = spec {
                {timeline::card(view)}
                {path::card(view)}
                {ranks(view, spec)}
                {background(view)}
            }
        </>
    }
}

/// What is wrong with the application.
fn problems(view: View) -> Html {
    let is_own = |at: &str| at == "application" || at.starts_with("application.");
    let all = view.state.run.problems.0.iter();
    let own = Problems(all.filter(|problem| is_own(problem.at.path())).cloned().collect());
    if own.is_empty() { Html::default() } else { troubles::card(&own) }
}

const PLACE: &str = "/application";

/// The choice of the kind. A trace is first chosen by opening its file.
fn kinds(view: View, spec: Option<&ApplicationSpec>) -> Html {
    let t = text();
    let family = catalogue::family("applications");
    let now = spec.map_or(NONE, |spec| word(spec.kind));
    let mut options = vec![(NONE.to_owned(), t.no_application.to_owned())];
    let former = view.former();
    let shown = family.members.iter().filter(|member| {
        member.id == now
            || collectives::ALL.iter().any(|one| one.descriptor.id == member.id)
            || former.scenario(PLACE, member.id).is_some()
    });
    options.extend(
        shown.map(|member| (member.id.to_owned(), catalogue::name(family, member).to_owned())),
    );
    let former = view.former();
    form::choice(view, t.application, &options, now, move |chosen| {
        let former = former.scenario(PLACE, if chosen == NONE { "" } else { &chosen }).cloned();
        let collective = collectives::ALL.iter().find(|one| one.descriptor.id == chosen);
        let application = former.as_ref().and_then(|former| former.application.as_ref());
        let kind = collective.map(|one| one.kind).or(application.map(|spec| spec.kind));
        Action::change(Kind::Application, false, move |scenario| {
            application::choose(scenario, kind, former.as_deref());
        })
    })
}

/// What the kind is, and its parameters.
fn parameters(view: View, spec: &ApplicationSpec) -> Html {
    let family = catalogue::family("applications");
    let member = catalogue::member("applications", word(spec.kind));
    let summary = hint(catalogue::summary(family, member));
    if spec.kind == ApplicationKind::Trace {
        let length = number(spec.text.chars().count() as u64);
        return html! { <>{summary}<p id="trace">{fill(text().trace_of, &[&spec.file, &length])}</p></> };
    }
    let value = serde_json::to_value(spec).unwrap_or_default();
    let compute = Whole {
        label: text().compute_before,
        unit: text().unit_ns,
        value: spec.compute_ns,
        min: 0,
        max: MAX_COMPUTE_NS,
    };
    html! {
        <>
            {summary}
            {form::parameters(view, Kind::Application, "/application", (family, member), &value, |_| true)}
            {form::whole(view, compute, Kind::Application, set(|spec, ns| spec.compute_ns = ns))}
        </>
    }
}

/// Where ranks run, when they start and what they give to NICs.
fn ranks(view: View, spec: &ApplicationSpec) -> Html {
    let t = text();
    let mappings = [
        (Mapping::Linear, "linear", t.mapping_linear),
        (Mapping::Random, "random", t.mapping_random),
        (Mapping::List, "list", t.mapping_list),
    ];
    let options = mappings.map(|(_, id, name)| (id.to_owned(), name.to_owned()));
    let now = mappings.iter().find(|(mapping, ..)| *mapping == spec.mapping);
    let count =
        if spec.ranks > 0 { spec.ranks } else { view.state.stage.picture.hosts.len() as u32 };
    let former = view.former().list("/application/hosts");
    let former: Option<Vec<u32>> = former.and_then(|hosts| serde_json::from_value(hosts).ok());
    let listed = former.filter(|hosts| hosts.len() == count as usize);
    let listed = listed.unwrap_or_else(|| (0..count).collect());
    let choose = move |chosen: String| {
        let mapping = mappings.iter().find(|(_, id, _)| *id == chosen);
        let mapping = mapping.map_or(Mapping::Linear, |(mapping, ..)| *mapping);
        let hosts = if mapping == Mapping::List { listed.clone() } else { Vec::new() };
        change(move |spec| {
            spec.mapping = mapping;
            spec.hosts.clone_from(&hosts);
        })
    };
    let hosts: Vec<u64> = spec.hosts.iter().map(|&host| host.into()).collect();
    let start = Whole {
        label: t.application_start,
        unit: t.unit_cycles,
        value: spec.start_cycle,
        min: 0,
        max: MAX_CYCLES,
    };
    let packet = Whole {
        label: t.packet_bytes,
        unit: t.unit_bytes,
        value: spec.packet_bytes.into(),
        min: 0,
        max: MAX_MESSAGE_BYTES.into(),
    };
    let numbers = Numbers::up_to(MAX_HOSTS as u64 - 1);
    let set_hosts = set(|spec, hosts: Vec<u64>| {
        spec.hosts = hosts.into_iter().map(|host| host as u32).collect();
    });
    html! {
        <section class="card" id="application-ranks">
            {heading(t.ranks_on_hosts)}
            {form::choice(view, t.mapping, &options, now.map_or("", |(_, id, _)| id), choose)}
            if spec.mapping == Mapping::List {
                {form::list(view, t.hosts_of_ranks, &hosts, numbers, Kind::Application, set_hosts)}
            }
            {level(view, spec)}
            <details class="editing" open={spec.start_cycle > 0 || spec.packet_bytes > 0}>
                <summary>{t.application_more}</summary>
                {form::whole(view, start, Kind::Application, set(|spec, cycle| spec.start_cycle = cycle))}
                {form::whole(view, packet, Kind::Application, set(|spec, bytes: u64| spec.packet_bytes = bytes as u32))}
            </details>
        </section>
    }
}

/// The choice of the service level, where there are several.
fn level(view: View, spec: &ApplicationSpec) -> Html {
    let levels = view.state.scenario().fabric.technique().levels();
    if levels.len() < 2 {
        return Html::default();
    }
    let option = |(l, level): (usize, &LevelSpec)| (l.to_string(), level_name(l, &level.name));
    let options: Vec<(String, String)> = levels.iter().enumerate().map(option).collect();
    form::choice(view, text().service_level, &options, &spec.level.to_string(), |chosen| {
        change(move |spec| spec.level = chosen.parse().unwrap_or(0))
    })
}

/// Whether traffic is sent beside the application.
fn background(view: View) -> Html {
    let t = text();
    let is_alone = view.state.scenario().traffic.is_empty();
    let (about, words) = match is_alone {
        true => (t.background_none, t.background_add),
        false => (t.background_some, t.background_remove),
    };
    let former = view.former().with_traffic().cloned();
    let onclick = view.on(move || {
        let former = former.clone();
        Action::change(Kind::Application, false, move |scenario| {
            application::set_background(scenario, is_alone, former.as_deref());
        })
    });
    html! {
        <section class="card" id="background">
            {heading(t.background)}
            {hint(about)}
            {button(words, onclick)}
        </section>
    }
}

/// A change of the application.
fn change(apply: impl Fn(&mut ApplicationSpec) + 'static) -> Action {
    Action::change(Kind::Application, false, move |scenario| {
        scenario.application.iter_mut().for_each(&apply);
    })
}

/// Sets a value of the application.
fn set<T>(
    apply: impl Fn(&mut ApplicationSpec, T) + 'static,
) -> impl Fn(&mut Scenario, T) + 'static {
    move |scenario, value| {
        if let Some(spec) = &mut scenario.application {
            apply(spec, value);
        }
    }
}
