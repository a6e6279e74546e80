//! The inside of a host's NIC: its queues before the injection channel, and the in-transit memory.

use super::parts::{column, hint};
use super::saqs;
use super::scheduler;
use super::view::View;
use crate::text::{fill, level_name, number, text};
use hopscope_core::fabric::most_in_transit_in_a_row;
use hopscope_core::scenario::{LevelSpec, WormholeSpec};
use yew::prelude::*;

/// The number of messages drawn in a queue.
const SLOTS: u32 = 12;
const SLOT: f32 = 11.0;

/// Under cut-through: application queues by level, lanes before the channel, in-transit memory.
pub fn lanes(view: View, host: u32, levels: &[LevelSpec]) -> Html {
    let t = text();
    let Some(nic) = view.state.run.stats.nic.as_deref().filter(|nic| nic.host == host) else {
        return Html::default();
    };
    let row = |(level, waiting): (usize, &u32)| {
        let name = level_name(level, levels.get(level).map_or("", |level| &level.name));
        html! { <tr><th scope="row">{name}</th><td>{*waiting}</td></tr> }
    };
    let in_transit: u32 = nic.in_transit.iter().sum();
    let share = (nic.memory[0] as f32 / nic.memory[1].max(1) as f32).min(1.0);
    html! {
        <div class="nic-tables" id="nic" tabindex="0" role="region" aria-label={t.nic_output}>
            <table class="inside-table">
                <thead><tr>{column(t.nic_applications)}{column(t.messages)}</tr></thead>
                <tbody>{for nic.applications.iter().enumerate().map(row)}</tbody>
            </table>
            <h3>{t.nic_output}</h3>
            {saqs::queues(view, std::slice::from_ref(&nic.output))}
            if let Some(state) = &nic.output.scheduler { {scheduler::tables(view, &nic.output, state)} }
            <svg class="nic" viewBox="0 0 300 44" role="img" aria-label={t.nic_memory}>
                <text x="0" y="12">{t.nic_memory}</text>
                <text x="296" y="12" text-anchor="end" class="nic-small">
                    {fill(t.nic_of, &[&number(nic.memory[0].into()), &number(nic.memory[1].into())])}
                </text>
                <rect class="nic-slot" x="0" y="20" width="296" height="12" rx="3" />
                <rect class="nic-slot transit" x="0" y="20" width={(share * 296.0).to_string()} height="12" rx="3" />
            </svg>
            {hint(fill(t.nic_transit_lanes, &[&in_transit, &nic.waiting_for_memory]))}
        </div>
    }
}

/// Under wormhole: two queues before the channel, in-transit memory.
pub fn two_queues(view: View, host: u32, spec: &WormholeSpec) -> Html {
    let t = text();
    let state = view.state;
    let frame = &state.stage.frame;
    let injection = 2 * state.stage.picture.cables + 2 * host as usize;
    let (Some(state), Some(channel)) =
        (frame.hosts.get(host as usize), frame.channels.get(injection))
    else {
        return Html::default();
    };
    // Of the worms on the channel, the last is still being sent.
    let on_it = frame.spans.iter().filter(|span| span.channel as usize == injection);
    let sent = channel.held.then(|| on_it.map(|span| span.message).max()).flatten();
    let source = sent.map(|_| if state.sending_transit { "transit" } else { "local" });
    let detecting =
        state.in_transit.saturating_sub(state.transit_waiting + u32::from(state.sending_transit));
    let share = (state.itb_memory as f32 / spec.itb_memory_bytes.max(1) as f32).min(1.0);
    let in_a_row = most_in_transit_in_a_row(state.local_waiting);
    html! {
        <>
            <svg class="nic" viewBox="0 0 300 152" role="img" aria-label={t.nic_name}>
                {queue(t.nic_local, "local", state.local_waiting, 12.0)}
                {queue(t.nic_transit, "transit", state.transit_waiting, 58.0)}
                {wire("local", "M158 27H196L214 46", source)}
                {wire("transit", "M158 73H196L214 60", source)}
                <path class="nic-choice" d="M212 34L228 44V62L212 72z" />
                <path class={classes!("nic-wire", source)} d="M228 53H286M279 48L287 53L279 58" />
                if channel.stopped {
                    <circle class="nic-stop" cx="246" cy="53" r="6" />
                    <text x="246" y="38" text-anchor="middle" class="nic-small">{t.nic_stopped}</text>
                }
                <text x="296" y="76" text-anchor="end">
                    {sent.map_or(t.nic_idle.into(), |message| fill(t.nic_sends, &[&message]))}
                </text>
                <text x="0" y="108">{t.nic_memory}</text>
                <text x="296" y="108" text-anchor="end" class="nic-small">
                    {fill(t.nic_of, &[&number(state.itb_memory.into()), &number(spec.itb_memory_bytes.into())])}
                </text>
                <rect class="nic-slot" x="0" y="114" width="296" height="12" rx="3" />
                <rect class="nic-slot transit" x="0" y="114" width={(share * 296.0).to_string()} height="12" rx="3" />
                <text x="0" y="144" class="nic-small">{fill(t.nic_detecting, &[&detecting])}</text>
            </svg>
            {hint(fill(t.nic_rule, &[&in_a_row, &state.local_waiting]))}
        </>
    }
}

fn queue(name: &'static str, class: &'static str, waiting: u32, y: f32) -> Html {
    // The head of the queue is at the right, next to the multiplexer.
    let slot = |i: u32| {
        let x = (SLOTS - 1 - i) as f32 * (SLOT + 2.0);
        let full = i < waiting;
        html! {
            <rect class={classes!("nic-slot", full.then_some(class))} x={x.to_string()} y={(y + 8.0).to_string()}
                width={SLOT.to_string()} height="14" rx="2" />
        }
    };
    html! {
        <>
            <text x="0" y={y.to_string()}>{name}</text>
            <text x="154" y={y.to_string()} text-anchor="end">{waiting}</text>
            {for (0..SLOTS).map(slot)}
        </>
    }
}

fn wire(queue: &'static str, d: &'static str, source: Option<&'static str>) -> Html {
    html! { <path class={classes!("nic-wire", source.filter(|source| *source == queue))} {d} /> }
}
