//! The cut-through fabric: service levels with their channels and lanes, the scheduler, and the
//! parameters of switches and NICs.

use super::cut_through::{Rows, bytes, change, edit, edit_row};
use super::form::{self, Whole};
use super::hardware;
use super::lanes;
use super::level_table;
use super::parts::{button, button_unless, column, heading, hint, reason};
use super::tables;
use super::troubles;
use super::view::View;
use crate::action::Action;
use crate::edit::numbers::Numbers;
use crate::edit::{Kind, levels};
use crate::text::{catalogue, fill, level_name, message, percent, text};
use hopscope_core::problem::{Problem, Problems};
use hopscope_core::qos::schedulers::dtable;
use hopscope_core::scenario::limits::MAX_MTU_BYTES;
use hopscope_core::scenario::{
    ArbiterSpec, ChannelRule, CutThroughSpec, DtableGoals, DtableLevel, DtableSpec, FabricSpec,
    LevelSpec, Scenario, SchedulerSpec, SwitchSpec, Technique,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::rc::Rc;
use yew::prelude::*;

const SWITCH: &str = "/fabric/switch";
const CONGESTION: &str = "/fabric/switch/congestion";
const ARBITER: &str = "/fabric/arbiter";

/// The cards.
pub fn view(view: View, spec: &CutThroughSpec) -> Html {
    html! {
        <>
            {service_levels(view, spec)}
            {scheduler(view, spec)}
            {tables::view(view, spec)}
            {switches_and_nics(view, spec)}
        </>
    }
}

fn service_levels(view: View, spec: &CutThroughSpec) -> Html {
    let t = text();
    let rows: Rows<LevelSpec> = |spec| &mut spec.qos.levels;
    let level = |(i, level): (usize, &LevelSpec)| {
        let lanes: Vec<String> = level
            .channels
            .iter()
            .filter_map(|&sc| {
                spec.qos.lanes.get(usize::from(sc)).map(|lane| format!("SC{sc} → VL{lane}"))
            })
            .collect();
        let set_name = edit_row(rows, i, |level, name: String| level.name = name);
        let (mtu, most) = (level.mtu_bytes.into(), MAX_MTU_BYTES.into());
        let mtu = Whole { label: t.mtu, unit: t.bytes, value: mtu, min: 1, max: most };
        let set_mtu = edit(move |spec, bytes: u64| levels::set_mtu(spec, i, bytes as u32));
        let channels: Vec<u64> = level.channels.iter().map(|&sc| sc.into()).collect();
        let numbers = Numbers::up_to(levels::LAST.into()).not_empty();
        let set_channels = edit(move |spec, channels: Vec<u64>| {
            let Some(level) = spec.qos.levels.get_mut(i) else { return };
            level.channels = bytes(&channels);
            let lane = spec.qos.lanes.last().copied().unwrap_or(0);
            levels::give_lanes(spec, lane);
        });
        let class = Whole::number(t.traffic_class, level.class, levels::LAST);
        let set_class = edit_row(rows, i, |level, class: u64| level.class = class as u8);
        html! {
            <fieldset class="level">
                <legend>{lanes::key(i as u8)}{fill(t.level_number, &[&i])}</legend>
                {form::text(view, t.name, &level.name, Kind::Fabric, set_name)}
                {form::whole(view, mtu, Kind::Fabric, set_mtu)}
                {form::list(view, t.service_channels, &channels, numbers, Kind::Fabric, set_channels)}
                {form::whole(view, class, Kind::Fabric, set_class)}
                {hint(lanes.join(", "))}
            </fieldset>
        }
    };
    let count = spec.qos.levels.len();
    let former = view.former().with_levels(count + 1).cloned();
    let add = view.on(move || {
        let former = former.clone();
        Action::change(Kind::Fabric, false, move |scenario| {
            levels::add(scenario, former.as_deref())
        })
    });
    let remove = view.on(|| Action::RemoveLevel);
    let rules = [("spread", t.rule_spread), ("avoid-cycles", t.rule_avoid_cycles)];
    let rules = rules.map(|(id, name)| (id.to_owned(), name.to_owned()));
    let rule = match spec.qos.channel_rule {
        ChannelRule::Spread => "spread",
        ChannelRule::AvoidCycles => "avoid-cycles",
    };
    let no_more =
        levels::free_channel(spec).is_none().then_some(("no-more-levels", t.no_more_levels));
    let last = (count < 2).then_some(("last-level", t.last_level));
    html! {
        <section class="card" id="service-levels">
            {heading(t.service_levels)}
            {level_table::view(spec)}
            {for spec.qos.levels.iter().enumerate().map(level)}
            {form::choice(view, t.channel_rule, &rules, rule, |rule| {
                Action::assign(Kind::Fabric, "/fabric/qos/channel_rule", &rule.into())
            })}
            <div class="row">
                {button_unless(no_more, t.add_level, add)}
                {button_unless(last, t.remove_level, remove)}
            </div>
            {reason(no_more)}
            {reason(last)}
        </section>
    }
}

fn scheduler(view: View, spec: &CutThroughSpec) -> Html {
    let warnings = view.state.run.facts.iter().flat_map(|facts| &facts.warnings.0);
    // Those of flows stand beside their loads. Numbers that the switch does not use are hidden, and
    // kept for the way back.
    let is_elsewhere = |at: &str| at.starts_with("traffic") || at == "fabric.switch.kind";
    let warnings: Vec<Problem> =
        warnings.filter(|warning| !is_elsewhere(warning.at.path())).cloned().collect();
    html! {
        <section class="card" id="scheduler">
            {heading(text().scheduler)}
            {scheduler_fields(view, spec, 0)}
            if !warnings.is_empty() {
                <div id="warnings" role="status">{troubles::card(&Problems(warnings))}</div>
            }
        </section>
    }
}

/// The fields of one of the fabric's schedulers, by its number in [`CutThroughSpec::schedulers`].
pub fn scheduler_fields(view: View, spec: &CutThroughSpec, number: usize) -> Html {
    let t = text();
    let Some(placed) = spec.schedulers().nth(number) else { return Html::default() };
    let (path, scheduler) = (format!("/{}", placed.at().replace('.', "/")), placed.spec);
    let goals = match scheduler {
        SchedulerSpec::Dtable(table) => table.configure.as_ref(),
        _ => None,
    };
    let mut value = serde_json::to_value(scheduler).unwrap_or_default();
    let is_dtable = matches!(scheduler, SchedulerSpec::Dtable(_));
    if is_dtable {
        // Goals and entries of the deficit table have forms of their own.
        value = json!({ "kind": "dtable" });
    }
    let (now, place, former) = (value["kind"].clone(), path.clone(), view.former());
    let set = move |value: Value| {
        if value["kind"] == now {
            return Action::assign(Kind::Fabric, &place, &value);
        }
        let kind = value["kind"].as_str().unwrap_or_default().to_owned();
        let former = former.value(&place, &kind).and_then(scheduler_at);
        Action::change(Kind::Fabric, false, move |scenario| {
            change(scenario, |spec| {
                let scheduler = match &former {
                    Some(former) => levels::fitted(former.clone(), spec),
                    None => levels::scheduler_of(&kind, spec),
                };
                put(spec, number, scheduler);
            });
        })
    };
    html! {
        <>
            if is_dtable {
                {form::choice(view, t.scheduler, &names(), "dtable", move |kind| set(json!({ "kind": kind })))}
            } else {
                {form::family(view, t.scheduler, catalogue::family("schedulers"), &path, &value, Rc::new(set))}
            }
            if let Some(goals) = goals { {dtable_tool(view, spec, (number, &path), goals)} }
            if let SchedulerSpec::Dtable(DtableSpec { entries, configure: None }) = scheduler {
                {dtable_entries(view, (number, &path), entries)}
            }
        </>
    }
}

/// The scheduler that a scenario file had.
fn scheduler_at(value: Value) -> Option<SchedulerSpec> {
    SchedulerSpec::deserialize(value).ok()
}

/// Replaces one of the fabric's schedulers.
fn put(spec: &mut CutThroughSpec, number: usize, scheduler: SchedulerSpec) {
    if let Some(old) = spec.schedulers_mut().nth(number) {
        *old = scheduler;
    }
}

/// Ids and names of the schedulers.
fn names() -> Vec<(String, String)> {
    let schedulers = catalogue::family("schedulers");
    let name = |member| catalogue::name(schedulers, member).to_owned();
    schedulers.members.iter().map(|member| (member.id.to_owned(), name(member))).collect()
}

/// A button that replaces the goals by the entries of the table made from them.
fn write_out(view: View, number: usize, entries: Vec<(u8, u32)>) -> Html {
    let onclick = view.on(move || {
        let entries = entries.clone();
        Action::change(Kind::Fabric, false, move |scenario| {
            change(scenario, |spec| {
                let table = DtableSpec { entries: entries.clone(), configure: None };
                put(spec, number, SchedulerSpec::Dtable(table));
            });
        })
    });
    button(text().dtable_write_out, onclick)
}

/// A field for the entries of a deficit table.
fn dtable_entries(view: View, (number, path): (usize, &str), entries: &[(u8, u32)]) -> Html {
    let t = text();
    let flat: Vec<u64> =
        entries.iter().flat_map(|&(level, weight)| [level.into(), weight.into()]).collect();
    let numbers = Numbers::pairs_up_to(dtable::MAX_ENTRY_WEIGHT.into()).not_empty();
    let set = edit(move |spec, numbers: Vec<u64>| {
        // The scenario is refused if there is no such level.
        let entry = |pair: &[u64]| (pair[0].min(255) as u8, pair[1] as u32);
        let entries = numbers.chunks_exact(2).map(entry).collect();
        put(spec, number, SchedulerSpec::Dtable(DtableSpec { entries, configure: None }));
        levels::fit_schedulers(spec);
    });
    let goals = former_table(view, path, true).unwrap_or_else(|| DtableSpec {
        entries: Vec::new(),
        configure: Some(DtableGoals::default()),
    });
    let from_needs = view.on(move || {
        let goals = goals.clone();
        Action::change(Kind::Fabric, false, move |scenario| {
            change(scenario, |spec| {
                let goals = SchedulerSpec::Dtable(goals.clone());
                put(spec, number, levels::fitted(goals, spec));
            });
        })
    });
    html! {
        <>
            {form::list(view, t.dtable_entries, &flat, numbers, Kind::Fabric, set)}
            {hint(t.dtable_entries_about)}
            {button(t.dtable_from_needs, from_needs)}
        </>
    }
}

/// The goals of a deficit table, and the table made from them, or why there is none.
fn dtable_tool(
    view: View,
    spec: &CutThroughSpec,
    (number, path): (usize, &str),
    goals: &DtableGoals,
) -> Html {
    let t = text();
    let former = former_table(view, path, false).map(|former| {
        let give_back = view.on(move || {
            let former = SchedulerSpec::Dtable(former.clone());
            Action::change(Kind::Fabric, false, move |scenario| {
                change(scenario, |spec| put(spec, number, levels::fitted(former.clone(), spec)));
            })
        });
        button(t.dtable_former_entries, give_back)
    });
    let goal = move |scenario: &mut Scenario, set: &dyn Fn(&mut DtableGoals)| {
        change(scenario, |spec| {
            if let Some(SchedulerSpec::Dtable(DtableSpec { configure: Some(goals), .. })) =
                spec.schedulers_mut().nth(number)
            {
                set(goals);
            }
        });
    };
    type Field = fn(&mut DtableGoals) -> &mut u32;
    let fields: [(&'static str, &'static str, Field); 4] = [
        (t.table_entries, "configure.entries", |g| &mut g.entries),
        (t.dtable_general_mtu, "configure.general_mtu", |g| &mut g.general_mtu),
        (t.dtable_w, "configure.w", |g| &mut g.w),
        (t.dtable_k, "configure.k", |g| &mut g.k),
    ];
    let parameters = SchedulerSpec::Dtable(DtableSpec::default()).descriptor().parameters;
    let whole = |(label, id, at): (&'static str, &'static str, Field)| {
        let described = parameters.iter().find(|parameter| parameter.id == id);
        let described = described.expect("the descriptor has the parameter");
        let value = u64::from(*at(&mut goals.clone()));
        let (min, max) = described.kind.whole_range().expect("it is a whole number");
        let unit = catalogue::unit(described);
        form::whole(
            view,
            Whole { label, unit, value, min, max },
            Kind::Fabric,
            move |scenario, value| {
                goal(scenario, &|goals| *at(goals) = value as u32);
            },
        )
    };
    let level = |(i, wanted): (usize, &DtableLevel)| {
        let set = move |scenario: &mut Scenario, set: &dyn Fn(&mut DtableLevel)| {
            goal(scenario, &|goals| goals.levels.get_mut(i).into_iter().for_each(set));
        };
        let from_one = |label, unit, value: u32, most: u32| Whole {
            label,
            unit,
            value: value.into(),
            min: 1,
            max: most.into(),
        };
        let share = from_one(t.share_wanted, "", wanted.share, dtable::MAX_SHARE);
        let set_share = move |scenario: &mut Scenario, share| {
            set(scenario, &|level| level.share = share as u32);
        };
        let distance = from_one(t.distance_wanted, t.unit_entries, wanted.distance, u32::MAX);
        let set_distance = move |scenario: &mut Scenario, distance| {
            set(scenario, &|level| level.distance = distance as u32);
        };
        let number = usize::from(wanted.level);
        let name = spec.qos.levels.get(number).map_or("", |level| &level.name);
        html! {
            <fieldset class="level">
                <legend>{lanes::key(wanted.level)}{level_name(number, name)}</legend>
                {form::whole(view, share, Kind::Fabric, set_share)}
                {form::whole(view, distance, Kind::Fabric, set_distance)}
            </fieldset>
        }
    };
    // The page has one form for each scheduler.
    let id = if number == 0 { "dtable-result".into() } else { format!("dtable-result-{number}") };
    let result = match dtable::configure(goals, "fabric.scheduler.configure") {
        Ok(table) => {
            let total: u32 = table.levels.iter().map(|l| l.total).sum();
            let row = |sums: &dtable::LevelSums| {
                let share = f64::from(sums.total) / f64::from(total.max(1));
                html! {
                    <tr>
                        <th scope="row">{sums.level}</th><td>{sums.entries}</td><td>{sums.total}</td>
                        <td>{percent(share, 2)}</td>
                    </tr>
                }
            };
            let columns = [t.level, t.unit_entries, t.weight, t.share_delivered];
            html! {
                <>
                <table class="levels dtable-result" id={id.clone()}>
                    <thead><tr>{for columns.map(column)}</tr></thead>
                    <tbody>{for table.levels.iter().map(row)}</tbody>
                </table>
                {write_out(view, number, table.entries.clone())}
                </>
            }
        }
        Err(problems) => {
            let why = |problem: &Problem| {
                let (why, fix) = (message(&problem.why), message(&problem.fix));
                html! { <li>{format!("{why}: {fix}")}</li> }
            };
            html! { <ul class="why dtable-result" id={id}>{for problems.0.iter().map(why)}</ul> }
        }
    };
    html! {
        <>
            {hint(t.dtable_about)}
            {for goals.levels.iter().enumerate().map(level)}
            {for fields.map(whole)}
            {result}
            {former}
        </>
    }
}

/// The deficit table that was at a place before: with goals, or with entries.
fn former_table(view: View, path: &str, goals: bool) -> Option<DtableSpec> {
    match scheduler_at(view.former().table(path, goals)?)? {
        SchedulerSpec::Dtable(table) => Some(table),
        _ => None,
    }
}

/// Replaces the switches, and an arbiter that the new ones do not have. `former` is the fabric that
/// had such switches last: an arbiter that others do not have comes back with them.
fn put_switch(spec: &mut CutThroughSpec, value: &Value, former: Option<&FabricSpec>) {
    let Ok(switch) = SwitchSpec::deserialize(value) else { return };
    let before = std::mem::replace(&mut spec.switch, switch);
    if let Some(FabricSpec::CutThrough(former)) = former
        && !before.arbiters().contains(&former.arbiter.descriptor().id)
    {
        spec.arbiter = former.arbiter.clone();
    }
    if !spec.switch.arbiters().contains(&spec.arbiter.descriptor().id) {
        spec.arbiter = ArbiterSpec::default();
    }
}

/// Sets a place in the scenario file to what is chosen.
fn assigning(place: &'static str) -> form::Set {
    Rc::new(move |value| Action::assign(Kind::Fabric, place, &value))
}

fn switches_and_nics(view: View, spec: &CutThroughSpec) -> Html {
    let t = text();
    let member = spec.descriptor();
    let value = serde_json::to_value(spec).unwrap_or_default();
    let arbiters = catalogue::family("arbiters");
    let without: Vec<&str> = arbiters
        .members
        .iter()
        .map(|member| member.id)
        .filter(|id| !spec.switch.arbiters().contains(id))
        .collect();
    let (now, former) = (value["switch"]["kind"].clone(), view.former());
    let set_switch = move |value: Value| {
        if value["kind"] == now {
            return Action::assign(Kind::Fabric, SWITCH, &value);
        }
        let kind = value["kind"].as_str().unwrap_or_default();
        let former = former.scenario(SWITCH, kind).cloned();
        Action::change(Kind::Fabric, false, move |scenario| {
            let former = former.as_ref().map(|former| &former.fabric);
            change(scenario, |spec| put_switch(spec, &value, former));
        })
    };
    let (switches, unused) = (catalogue::family("switches"), spec.switch.unused_parameters());
    let (switch, set_switch) = (&value["switch"], Rc::new(set_switch));
    let (arbiter, set_arbiter) = (&value["arbiter"], assigning(ARBITER));
    html! {
        <section class="card" id="hardware">
            {heading(t.switches_and_nics)}
            {form::family_without(view, t.switch_kind, switches, unused, SWITCH, switch, set_switch)}
            if let Some(congestion) = spec.switch.congestion() {
                {form::family(
                    view,
                    t.congestion,
                    catalogue::family("congestion"),
                    CONGESTION,
                    &serde_json::to_value(congestion).unwrap_or_default(),
                    assigning(CONGESTION),
                )}
            }
            {form::family_without(view, t.arbiter, arbiters, &without, ARBITER, arbiter, set_arbiter)}
            {hardware::fields(view, spec.switch.unused_fields(), member, &value)}
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_come_back_with_the_arbiter_that_only_they_have() {
        let combined = catalogue::member("switches", "combined-queues").with_defaults();
        let mut spec = CutThroughSpec::default();
        put_switch(&mut spec, &combined, None);
        spec.arbiter = serde_json::from_value(json!({ "kind": "islip" })).expect("an arbiter");
        let former = spec.clone();
        let fabric = FabricSpec::CutThrough(Box::new(former.clone()));
        put_switch(&mut spec, &json!({ "kind": "hierarchical" }), None);
        assert_ne!(spec.arbiter, former.arbiter);
        let value = serde_json::to_value(&former.switch).expect("plain data");
        put_switch(&mut spec, &value, Some(&fabric));
        assert_eq!(spec, former);
    }
}
