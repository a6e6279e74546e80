//! How a run went, and why it is saturated or unsettled. `docs/model.md` gives the rules.

use super::{Phase, Simulation};
use crate::measure::{Backlog, Condition, HALF_WIDTH, PARTS, Reason, Tally};
use crate::message::Message;
use crate::messages;

/// How the run went, of whose flows together `all` counts, and why it is saturated or unsettled.
pub(super) fn of(simulation: &Simulation, all: &Tally) -> (Condition, Vec<Reason>) {
    let phase = simulation.phase;
    if simulation.deadlock().is_some() {
        return (Condition::Deadlocked, Vec::new());
    }
    if simulation.stopped().is_some() {
        return (Condition::Stopped, Vec::new());
    }
    if phase == Phase::WarmUp {
        // Nothing is measured, and an empty network fills at first: its backlog says nothing yet.
        return (Condition::Incomplete, Vec::new());
    }
    let saturated = why_saturated(simulation, all);
    if !saturated.is_empty() {
        return (Condition::Saturated, saturated);
    }
    let unsettled = why_unsettled(simulation, all);
    if !unsettled.is_empty() {
        return (Condition::Unsettled, unsettled);
    }
    let condition = if phase == Phase::Done { Condition::Steady } else { Condition::Incomplete };
    (condition, Vec::new())
}

/// A reason in words.
pub fn reason_message(reason: Reason) -> Message {
    match reason {
        Reason::AllGrow => messages::all_backlog_grew(),
        Reason::Grows(Backlog::Flow(flow)) => messages::flow_fell_behind(flow),
        Reason::Grows(Backlog::Sender(host)) => messages::sender_fell_behind(host),
        Reason::Grows(Backlog::Receiver(host)) => messages::receiver_fell_behind(host),
        Reason::Grows(Backlog::Level(level)) => messages::level_fell_behind(level),
        Reason::Shrinks(Backlog::Level(level)) => messages::level_backlog_shrank(level),
        Reason::Shrinks(Backlog::Flow(flow)) => messages::flow_backlog_shrank(flow),
        Reason::Shrinks(Backlog::Sender(host)) => messages::sender_backlog_shrank(host),
        Reason::Shrinks(Backlog::Receiver(host)) => messages::receiver_backlog_shrank(host),
        Reason::PayloadGrows => messages::large_messages_fell_behind(),
        Reason::QueueUnknown(host) => messages::queue_unknown(host),
        Reason::LatencyDrifts => messages::latency_drifted(),
        Reason::LatencyScatters => messages::latency_scattered(100.0 * HALF_WIDTH),
        Reason::FewMessages => messages::few_messages_measured(PARTS),
        Reason::TransientGoesOn => messages::transient_went_on(),
        Reason::FlowChanges(flow) => messages::flow_changed(flow),
        Reason::PeriodLonger(flow) => messages::period_longer(flow),
    }
}

/// Why the network takes less than is offered; empty if it does not.
fn why_saturated(simulation: &Simulation, all: &Tally) -> Vec<Reason> {
    let window = &simulation.driver.window;
    let mut reasons = Vec::new();
    // An application is no steady process: its batches and destinations differ.
    if simulation.driver.application.is_some() {
        if traffic_saturates(simulation, all) {
            reasons.push(Reason::AllGrow);
        }
        return reasons;
    }
    if backlog_grows(simulation, all) && window.destinations.grow_together() {
        reasons.push(Reason::AllGrow);
    }
    let growing = window.changing().into_iter().filter(|(_, growth)| *growth > 0);
    reasons.extend(most_of_each_kind(growing).map(Reason::Grows));
    reasons
}

/// Why the figures of a run that is not saturated may be those of a transient; empty if they are
/// not.
fn why_unsettled(simulation: &Simulation, all: &Tally) -> Vec<Reason> {
    let Simulation { driver, phase, .. } = simulation;
    let window = &driver.window;
    let mut reasons = Vec::new();
    if driver.application.is_some() {
        return reasons;
    }
    let mut add = |holds: bool, reason: Reason| reasons.extend(holds.then_some(reason));
    let all_grow = backlog_grows(simulation, all);
    add(all_grow, Reason::AllGrow);
    add(!all_grow && payload_grows(simulation, all), Reason::PayloadGrows);
    if let Some(host) = window.destinations.unknown(window.cycles()) {
        add(true, Reason::QueueUnknown(host as u32));
    }
    add(window.batches.drift(), Reason::LatencyDrifts);
    add(window.batches.scatter(), Reason::LatencyScatters);
    let is_done = *phase == Phase::Done;
    add(is_done && window.batches.are_too_few(), Reason::FewMessages);
    add(simulation.warmup.transient_ended == Some(false), Reason::TransientGoesOn);
    let shrinking = window.changing().into_iter().filter(|(_, growth)| *growth < 0);
    reasons.extend(most_of_each_kind(shrinking).map(Reason::Shrinks));
    if is_done {
        reasons.extend(starving(simulation).map(Reason::Grows));
        reasons.extend(flows_that_change(simulation).map(Reason::FlowChanges));
        reasons.extend(flows_with_long_periods(simulation).map(Reason::PeriodLonger));
    }
    reasons
}

/// Of flows, of hosts that send and of hosts that receive, the backlog that changed most.
fn most_of_each_kind(
    changing: impl Iterator<Item = (Backlog, i64)>,
) -> impl Iterator<Item = Backlog> {
    let mut most: [Option<(Backlog, i64)>; 4] = [None; 4];
    for (backlog, growth) in changing {
        let kind = match backlog {
            Backlog::Flow(_) => 0,
            Backlog::Sender(_) => 1,
            Backlog::Receiver(_) => 2,
            Backlog::Level(_) => 3,
        };
        if most[kind].is_none_or(|(_, of_most)| growth.abs() > of_most.abs()) {
            most[kind] = Some((backlog, growth));
        }
    }
    most.into_iter().flatten().map(|(backlog, _)| backlog)
}

/// Messages at their sources, in the network and in ITB memory at the end of measuring: of an
/// overloaded hot spot, the backlog may be inside the network.
fn outstanding_at_end(simulation: &Simulation) -> f64 {
    let outstanding = match simulation.phase {
        Phase::Done => simulation.outstanding_at_end,
        _ => simulation.driver.outstanding,
    };
    outstanding as f64
}

/// Messages by which their number grows while measuring.
fn backlog_growth(simulation: &Simulation) -> f64 {
    outstanding_at_end(simulation) - simulation.outstanding_at_start as f64
}

/// Whether the backlog of messages, of which `all` counts, grows by more than what does not matter.
fn backlog_grows(simulation: &Simulation, all: &Tally) -> bool {
    backlog_growth(simulation) > least_growth(simulation, all.generated as f64)
}

/// Whether backlogs keep their length in a run that is not saturated: that of all messages, which
/// `all` counts, and of their payload; and the number that wait on their way to each host is known.
pub(super) fn backlogs_last(simulation: &Simulation, all: &Tally) -> bool {
    let window = &simulation.driver.window;
    !backlog_grows(simulation, all)
        && !payload_grows(simulation, all)
        && window.destinations.unknown(window.cycles()).is_none()
}

/// Whether the backlog of the traffic beside an application grows by more than chance and the
/// filling of an empty network make it grow. `all` counts all messages.
fn traffic_saturates(simulation: &Simulation, all: &Tally) -> bool {
    let Simulation { driver, .. } = simulation;
    let window = &driver.window;
    let traffic = window.sum(|flow| flow as u32 != driver.application_flow);
    let [generated, delivered] = [traffic.generated, traffic.delivered()].map(|n| n as f64);
    if delivered == 0.0 {
        return false;
    }
    let of_application = all.generated as f64 - generated - (all.delivered() as f64 - delivered);
    // Little's law: the messages in a network that keeps up are their rate times their latency.
    let latency = traffic.latencies.total.sum() as f64 / delivered;
    let held = generated / window.cycles() as f64 * latency;
    let filling = (held - simulation.outstanding_at_start as f64).max(0.0);
    // Of a backlog that goes on growing, the mean latency contains half.
    let growth = 2.0 * (backlog_growth(simulation) - of_application - filling);
    let share = generated / all.generated as f64;
    growth > least_growth(simulation, generated)
        && growth > window.destinations.growth_by_chance() * share.sqrt()
}

/// Whether the payload that is still to be delivered grows by more than what does not matter, and
/// accepted traffic is below the offered by more than its confidence interval. Few large messages
/// are little of all messages, and much of the payload.
fn payload_grows(simulation: &Simulation, all: &Tally) -> bool {
    let window = &simulation.driver.window;
    let growth = all.payload_generated as f64 - (all.payload + all.payload_dropped) as f64;
    let generated = all.generated as f64;
    let message = all.payload_generated as f64 / generated;
    let half_width = window.half_widths(0.95).map(|found| found.accepted);
    growth > message * least_growth(simulation, generated)
        && half_width.is_some_and(|half_width| growth > half_width * window.cycles() as f64)
}

/// Growth of the backlog that does not matter, of so many messages generated.
fn least_growth(simulation: &Simulation, generated: f64) -> f64 {
    let hosts = simulation.driver.window.hosts() as f64;
    // The number of messages in a network that keeps up varies as Poisson's law says at least.
    let variance = simulation.outstanding_at_start as f64 + outstanding_at_end(simulation);
    0.02 * generated + (0.5 * hosts).min((1.5 * variance.sqrt()).max(0.05 * generated))
}

/// The flows and levels that starve: of their payload, less than a quarter is delivered.
fn starving(simulation: &Simulation) -> impl Iterator<Item = Backlog> {
    /// Of fewer messages, all may be under way at the end by chance.
    const LEAST: u64 = 5;
    let starves = |sum: &Tally| {
        let left = sum.payload_generated.saturating_sub(sum.payload + sum.payload_dropped);
        sum.generated >= LEAST && 4 * left > 3 * sum.payload_generated
    };
    let window = &simulation.driver.window;
    let flows = (0..).zip(&window.flows).filter(move |(_, tally)| starves(tally));
    let levels = (0..simulation.level_count()).filter(move |&level| {
        starves(&window.sum(|flow| usize::from(simulation.level_of_flow(flow)) == level))
    });
    let flows = flows.map(|(flow, _)| Backlog::Flow(flow));
    flows.chain(levels.map(|level| Backlog::Level(level as u8)))
}

/// The flows whose mean period is longer than the measured window, which then shows no more than a
/// part of it.
fn flows_with_long_periods(simulation: &Simulation) -> impl Iterator<Item = u32> {
    let cycles = simulation.measured_cycles() as f64;
    let flows = (0..).zip(&simulation.scenario.traffic);
    let long = flows.filter(move |(_, flow)| simulation.period_cycles(flow) > cycles);
    long.map(|(flow, _)| flow)
}

/// The flows that start or stop in the measured window, whose figures are then those of no single
/// traffic.
fn flows_that_change(simulation: &Simulation) -> impl Iterator<Item = u32> {
    let window = &simulation.driver.window;
    let flows = (0..).zip(simulation.scenario.traffic.iter().zip(&window.flows));
    let changing = flows.filter(|(_, (flow, tally))| {
        let stops = flow.stop_cycle > 0 && flow.stop_cycle < window.end;
        tally.generated > 0 && (flow.start_cycle > window.start || stops)
    });
    changing.map(|(flow, _)| flow)
}
