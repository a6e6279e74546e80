//! The tables of the cut-through fabric: the lanes of service channels, also at single ports,
//! bypass queues, schedulers of single ports and hosts, shares of buffers, express levels, and
//! virtual fabrics.

use super::cut_through::{Rows, bytes, change, edit, edit_row};
use super::field::{Bounds, Field};
use super::form::{self, Whole};
use super::parts::{button, heading, hint};
use super::qos;
use super::view::View;
use crate::action::Action;
use crate::edit::Kind;
use crate::edit::flows::HOSTS;
use crate::edit::levels::{self, lane_without_share};
use crate::edit::numbers::Numbers;
use crate::text::{catalogue, fill, text};
use hopscope_core::catalogue::Parameter;
use hopscope_core::scenario::limits::{MAX_PORTS, MAX_SWITCHES};
use hopscope_core::scenario::{
    BypassQueue, CutThroughSpec, HostScheduler, LaneShare, MAX_LEVELS, PortLanes, PortScheduler,
    Technique, VFabricSpec,
};
use yew::prelude::*;

/// The largest numbers of a switch and of a port.
const LAST_SWITCH: u64 = MAX_SWITCHES as u64 - 1;
const LAST_PORT: u64 = MAX_PORTS as u64 - 1;

/// The card; it is closed at first.
pub fn view(view: View, spec: &CutThroughSpec) -> Html {
    let t = text();
    let express: Vec<u64> = spec.express_levels.iter().map(|&level| level.into()).collect();
    let levels = Numbers::set_up_to(levels::LAST.into());
    let set_express = edit(|spec, levels: Vec<u64>| spec.express_levels = bytes(&levels));
    html! {
        <details class="card" id="tables">
            <summary>{heading(t.tables)}</summary>
            {lanes(view, spec)}
            {ports(view, spec)}
            {bypass_queues(view, spec)}
            {schedulers(view, spec)}
            {shares(view, spec)}
            {form::list(view, t.express_levels, &express, levels, Kind::Fabric, set_express)}
            {hint(t.express_about)}
            {vfabrics(view, spec)}
        </details>
    }
}

/// A button that changes the fabric.
fn change_button(
    view: View,
    label: String,
    set: impl Fn(&mut CutThroughSpec) + Clone + 'static,
) -> Html {
    let onclick = view.on(move || {
        let set = set.clone();
        Action::change(Kind::Fabric, false, move |scenario| change(scenario, &set))
    });
    button(label, onclick)
}

/// A button that removes a row, if it is still there.
fn remove_button<T: 'static>(view: View, rows: Rows<T>, row: usize) -> Html {
    change_button(view, text().remove_row.into(), move |spec| {
        let rows = rows(spec);
        if row < rows.len() {
            rows.remove(row);
        }
    })
}

/// SC2VL: the lane of each service channel.
fn lanes(view: View, spec: &CutThroughSpec) -> Html {
    let t = text();
    let cell = |(sc, &lane): (usize, &u8)| {
        let onchange = view.on_some(move |event: Event| {
            let lane = form::entered_whole(&event)? as u8;
            let set = edit_row(|spec| &mut spec.qos.lanes, sc, |lane, chosen| *lane = chosen);
            Some(Action::change(Kind::Fabric, false, move |scenario| set(scenario, lane)))
        });
        html! {
            <label class="field"><span class="field-label">{format!("SC{sc} → VL")}</span>
                <Field value={lane.to_string()} bounds={Bounds::Whole(0, levels::LAST.into())} {onchange} /></label>
        }
    };
    html! {
        <fieldset class="level" id="sc2vl">
            <legend>{t.sc2vl}</legend>
            <div class="cells">{for spec.qos.lanes.iter().enumerate().map(cell)}</div>
            <div class="row">
                if spec.qos.lanes.len() < MAX_LEVELS {
                    {change_button(view, t.add_channel.into(), |spec| spec.qos.lanes.push(0))}
                }
                if spec.qos.lanes.len() > 1 {
                    {change_button(view, t.remove_level.into(), |spec| { spec.qos.lanes.pop(); })}
                }
            </div>
        </fieldset>
    }
}

/// SC2VL at single ports.
fn ports(view: View, spec: &CutThroughSpec) -> Html {
    let t = text();
    let rows: Rows<PortLanes> = |spec| &mut spec.qos.port_lanes;
    let one = |(i, at): (usize, &PortLanes)| {
        let switch = Whole::number(t.switch_number, at.switch, LAST_SWITCH);
        let set_switch = edit_row(rows, i, |at, switch: u64| at.switch = switch as u32);
        let port = Whole::number(t.port_number, at.port, LAST_PORT);
        let set_port = edit_row(rows, i, |at, port: u64| at.port = port as u16);
        let lanes: Vec<u64> = at.lanes.iter().map(|&lane| lane.into()).collect();
        let numbers = Numbers::up_to(levels::LAST.into());
        let set_lanes = edit_row(rows, i, |at, lanes: Vec<u64>| at.lanes = bytes(&lanes));
        html! {
            <fieldset class="level">
                <legend>{fill(t.port_lanes_of, &[&at.switch, &at.port])}</legend>
                {form::whole(view, switch, Kind::Fabric, set_switch)}
                {form::whole(view, port, Kind::Fabric, set_port)}
                {form::list(view, t.lanes_by_channel, &lanes, numbers, Kind::Fabric, set_lanes)}
                {remove_button(view, rows, i)}
            </fieldset>
        }
    };
    let add = |spec: &mut CutThroughSpec| {
        let (port, lanes) = (spec.qos.port_lanes.len() as u16, spec.qos.lanes.clone());
        spec.qos.port_lanes.push(PortLanes { switch: 0, port, lanes });
    };
    html! {
        <>
            {for spec.qos.port_lanes.iter().enumerate().map(one)}
            {change_button(view, t.add_port_lanes.into(), add)}
        </>
    }
}

/// The lanes that share a virtual channel with another lane.
fn bypass_queues(view: View, spec: &CutThroughSpec) -> Html {
    let t = text();
    let pair = |queue: &BypassQueue| [queue.lane.into(), queue.of.into()];
    let pairs: Vec<u64> = spec.qos.bypass.iter().flat_map(pair).collect();
    let numbers = Numbers::pairs_up_to(levels::LAST.into());
    let set = edit(|spec, lanes: Vec<u64>| {
        let queue = |pair: &[u8]| BypassQueue { lane: pair[0], of: pair[1] };
        spec.qos.bypass = bytes(&lanes).chunks_exact(2).map(queue).collect();
    });
    html! {
        <>
            {form::list(view, t.bypass_queues, &pairs, numbers, Kind::Fabric, set)}
            {hint(t.bypass_about)}
        </>
    }
}

/// The schedulers of single switch ports and of the NICs of single hosts.
fn schedulers(view: View, spec: &CutThroughSpec) -> Html {
    let t = text();
    let of_ports: Rows<PortScheduler> = |spec| &mut spec.port_schedulers;
    let port = |(i, own): (usize, &PortScheduler)| {
        let switch = Whole::number(t.switch_number, own.switch, LAST_SWITCH);
        let set_switch = edit_row(of_ports, i, |own, switch: u64| own.switch = switch as u32);
        let port = Whole::number(t.port_number, own.port, LAST_PORT);
        let set_port = edit_row(of_ports, i, |own, port: u64| own.port = port as u16);
        html! {
            <fieldset class="level">
                <legend>{fill(t.port_scheduler_of, &[&own.switch, &own.port])}</legend>
                {form::whole(view, switch, Kind::Fabric, set_switch)}
                {form::whole(view, port, Kind::Fabric, set_port)}
                {qos::scheduler_fields(view, spec, 1 + i)}
                {remove_button(view, of_ports, i)}
            </fieldset>
        }
    };
    let first_host = 1 + spec.port_schedulers.len();
    let of_hosts: Rows<HostScheduler> = |spec| &mut spec.host_schedulers;
    let host = |(i, own): (usize, &HostScheduler)| {
        let host = Whole::number(t.host_number, own.host, HOSTS.most);
        let set_host = edit_row(of_hosts, i, |own, host: u64| own.host = host as u32);
        html! {
            <fieldset class="level">
                <legend>{fill(t.host_scheduler_of, &[&own.host])}</legend>
                {form::whole(view, host, Kind::Fabric, set_host)}
                {qos::scheduler_fields(view, spec, first_host + i)}
                {remove_button(view, of_hosts, i)}
            </fieldset>
        }
    };
    html! {
        <fieldset class="level" id="own-schedulers">
            <legend>{t.own_schedulers}</legend>
            {for spec.port_schedulers.iter().enumerate().map(port)}
            {for spec.host_schedulers.iter().enumerate().map(host)}
            <div class="row wrap">
                {change_button(view, t.add_port_scheduler.into(), |spec| {
                    let port = spec.port_schedulers.len() as u16;
                    let scheduler = spec.scheduler.clone();
                    spec.port_schedulers.push(PortScheduler { switch: 0, port, scheduler });
                })}
                {change_button(view, t.add_host_scheduler.into(), |spec| {
                    let host = spec.host_schedulers.len() as u32;
                    let scheduler = spec.scheduler.clone();
                    spec.host_schedulers.push(HostScheduler { host, scheduler });
                })}
            </div>
        </fieldset>
    }
}

/// The shares of buffers of lanes that have none of their own.
const OF_ALL_LANES: [&str; 2] = ["lane_guaranteed_percent", "lane_maximum_percent"];

/// The share of a buffer that each lane may use.
fn shares(view: View, spec: &CutThroughSpec) -> Html {
    let t = text();
    let of_all = serde_json::to_value(spec).unwrap_or_default();
    let of = (catalogue::family("fabrics"), spec.descriptor());
    let percent =
        |label, value: u32| Whole { label, unit: "%", value: value.into(), min: 0, max: 100 };
    let rows: Rows<LaneShare> = |spec| &mut spec.lane_shares;
    let label_of_most = catalogue::label_of("fabrics", "cut-through", "lane_maximum_percent");
    let one = |(i, share): (usize, &LaneShare)| {
        let lane = Whole::number(t.lane_number, share.lane, levels::LAST);
        let set_lane = edit_row(rows, i, |share, lane: u64| share.lane = lane as u8);
        let least = percent(t.lane_guaranteed, share.guaranteed_percent);
        let set_least =
            edit_row(rows, i, |share, part: u64| share.guaranteed_percent = part as u32);
        let most = percent(label_of_most, share.maximum_percent);
        let set_most = edit_row(rows, i, |share, part: u64| share.maximum_percent = part as u32);
        html! {
            <fieldset class="level">
                <legend>{format!("VL{}", share.lane)}</legend>
                {form::whole(view, lane, Kind::Fabric, set_lane)}
                {form::whole(view, least, Kind::Fabric, set_least)}
                {form::whole(view, most, Kind::Fabric, set_most)}
                {remove_button(view, rows, i)}
            </fieldset>
        }
    };
    let is_of_all = |parameter: &Parameter| OF_ALL_LANES.contains(&parameter.id);
    let add = |spec: &mut CutThroughSpec| {
        let Some(lane) = lane_without_share(spec) else { return };
        let guaranteed_percent = spec.lane_guaranteed_percent / spec.qos.lanes.len().max(1) as u32;
        let maximum_percent = spec.lane_maximum_percent;
        spec.lane_shares.push(LaneShare { lane, guaranteed_percent, maximum_percent });
    };
    html! {
        <fieldset class="level" id="lane-shares">
            <legend>{t.lane_shares}</legend>
            {form::parameters(view, Kind::Fabric, "/fabric", of, &of_all, is_of_all)}
            {for spec.lane_shares.iter().enumerate().map(one)}
            {change_button(view, t.add_lane_share.into(), add)}
        </fieldset>
    }
}

/// The hosts and flows that may use each traffic class.
fn vfabrics(view: View, spec: &CutThroughSpec) -> Html {
    let t = text();
    let rows: Rows<VFabricSpec> = |spec| &mut spec.qos.vfabrics;
    let one = |(i, fabric): (usize, &VFabricSpec)| {
        let hosts: Vec<u64> = fabric.hosts.iter().map(|&host| host.into()).collect();
        let set_name = edit_row(rows, i, |fabric, name: String| fabric.name = name);
        let class = Whole::number(t.traffic_class, fabric.class, levels::LAST);
        let set_class = edit_row(rows, i, |fabric, class: u64| fabric.class = class as u8);
        let set_hosts = edit_row(rows, i, |fabric, hosts: Vec<u64>| {
            fabric.hosts = hosts.iter().map(|&host| host as u32).collect();
        });
        let flows = fabric.protocols.join(", ");
        let set_flows = edit_row(rows, i, |fabric, names: String| {
            let names = names.split(',').map(|name| name.trim().to_owned());
            fabric.protocols = names.filter(|name| !name.is_empty()).collect();
        });
        html! {
            <fieldset class="level">
                <legend>{fill(t.vfabric_number, &[&i])}</legend>
                {form::text(view, t.name, &fabric.name, Kind::Fabric, set_name)}
                {form::whole(view, class, Kind::Fabric, set_class)}
                {form::list(view, t.vfabric_hosts, &hosts, HOSTS, Kind::Fabric, set_hosts)}
                {form::text(view, t.vfabric_flows, &flows, Kind::Fabric, set_flows)}
                {remove_button(view, rows, i)}
            </fieldset>
        }
    };
    html! {
        <>
            {for spec.qos.vfabrics.iter().enumerate().map(one)}
            {change_button(view, t.add_vfabric.into(), |spec| spec.qos.vfabrics.push(VFabricSpec::default()))}
            {hint(t.vfabrics_about)}
        </>
    }
}
