//! How a run went, and why it is saturated or unsettled. `docs/model.md` gives the rules.

use super::{Phase, Simulation};
use crate::measure::{Backlog, Condition, HALF_WIDTH, PARTS, Reason, Tally};
use crate::message::Message;
use crate::messages;
use crate::scenario::FlowSpec;

/// Frames of video to be measured in a window in which not every stream has one. By chance, their
/// number then varies by up to 5 %.
const FRAMES: u64 = 400;

/// How the run went, and why it is saturated or unsettled. `all` counts all its flows, `levels`
/// those of each service level.
pub(super) fn of(
    simulation: &Simulation,
    all: &Tally,
    levels: &[Tally],
) -> (Condition, Vec<Reason>) {
    let Simulation { driver, phase, .. } = simulation;
    if simulation.deadlock().is_some() {
        return (Condition::Deadlocked, Vec::new());
    }
    if simulation.stopped().is_some() {
        return (Condition::Stopped, Vec::new());
    }
    if *phase == Phase::WarmUp {
        // Nothing is measured, and an empty network fills at first: its backlog says nothing yet.
        return (Condition::Incomplete, Vec::new());
    }
    // An application is no steady process: its batches and destinations differ.
    if driver.application.is_some() {
        if traffic_saturates(simulation, all) {
            return (Condition::Saturated, vec![Reason::AllGrow]);
        }
    } else {
        let changing = driver.window.changing();
        let saturated = why_saturated(simulation, all, &changing);
        if !saturated.is_empty() {
            return (Condition::Saturated, saturated);
        }
        let unsettled = why_unsettled(simulation, all, levels, &changing);
        if !unsettled.is_empty() {
            return (Condition::Unsettled, unsettled);
        }
    }
    let condition = if *phase == Phase::Done { Condition::Steady } else { Condition::Incomplete };
    (condition, Vec::new())
}

/// A reason in words.
pub fn reason_message(reason: Reason) -> Message {
    match reason {
        Reason::AllGrow => messages::all_backlog_grew(),
        Reason::Grows(Backlog::Flow(flow)) => messages::flow_fell_behind(flow),
        Reason::Grows(Backlog::Sender(host)) => messages::sender_fell_behind(host),
        Reason::Grows(Backlog::Receiver(host)) => messages::receiver_fell_behind(host),
        Reason::Shrinks(Backlog::Flow(flow)) => messages::flow_backlog_shrank(flow),
        Reason::Shrinks(Backlog::Sender(host)) => messages::sender_backlog_shrank(host),
        Reason::Shrinks(Backlog::Receiver(host)) => messages::receiver_backlog_shrank(host),
        Reason::FlowStarves(flow) => messages::flow_starved(flow),
        Reason::LevelStarves(level) => messages::level_starved(level),
        Reason::PayloadGrows => messages::large_messages_fell_behind(),
        Reason::QueueUnknown(host) => messages::queue_unknown(host),
        Reason::LatencyDrifts => messages::latency_drifted(),
        Reason::LatencyScatters => messages::latency_scattered(100.0 * HALF_WIDTH),
        Reason::FewMessages => messages::few_messages_measured(PARTS),
        Reason::TransientGoesOn => messages::transient_went_on(),
        Reason::FlowChanges(flow) => messages::flow_changed(flow),
        Reason::FewFrames(flow) => messages::few_frames_measured(flow, FRAMES),
        Reason::PeriodLonger(flow) => messages::period_longer(flow),
    }
}

/// Why the network takes less than is offered; empty if it does not. `changing` are the backlogs
/// that grow or shrink.
fn why_saturated(simulation: &Simulation, all: &Tally, changing: &[(Backlog, i64)]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let grow_together = simulation.driver.window.destinations.grow_together();
    if backlog_grows(simulation, all) && grow_together {
        reasons.push(Reason::AllGrow);
    }
    let growing = changing.iter().filter(|(_, growth)| *growth > 0);
    reasons.extend(most_of_each_kind(growing).map(Reason::Grows));
    reasons
}

/// Why the figures of a run that is not saturated may be those of a transient; empty if they are
/// not. `changing` are the backlogs that grow or shrink.
fn why_unsettled(
    simulation: &Simulation,
    all: &Tally,
    levels: &[Tally],
    changing: &[(Backlog, i64)],
) -> Vec<Reason> {
    let window = &simulation.driver.window;
    let mut reasons = Vec::new();
    let mut add = |holds: bool, reason: Reason| reasons.extend(holds.then_some(reason));
    let all_grow = backlog_grows(simulation, all);
    add(all_grow, Reason::AllGrow);
    add(!all_grow && payload_grows(simulation, all), Reason::PayloadGrows);
    if let Some(host) = window.destinations.unknown(window.cycles()) {
        add(true, Reason::QueueUnknown(host as u32));
    }
    add(window.batches.drift(), Reason::LatencyDrifts);
    add(window.batches.scatter(), Reason::LatencyScatters);
    let is_done = simulation.phase == Phase::Done;
    add(is_done && window.batches.are_too_few(), Reason::FewMessages);
    add(simulation.warmup.transient_ended == Some(false), Reason::TransientGoesOn);
    let shrinking = changing.iter().filter(|(_, growth)| *growth < 0);
    reasons.extend(most_of_each_kind(shrinking).map(Reason::Shrinks));
    if is_done {
        reasons.extend(starving(&window.flows).map(Reason::FlowStarves));
        reasons.extend(starving(levels).map(|level| Reason::LevelStarves(level as u8)));
        reasons.extend(flows_that_change(simulation).map(Reason::FlowChanges));
        reasons.extend(flows_with_few_frames(simulation).map(Reason::FewFrames));
        reasons.extend(flows_with_long_periods(simulation).map(Reason::PeriodLonger));
    }
    reasons
}

/// Of flows, of hosts that send and of hosts that receive, the backlog that changed most.
fn most_of_each_kind<'a>(
    changing: impl Iterator<Item = &'a (Backlog, i64)>,
) -> impl Iterator<Item = Backlog> {
    let mut most: [Option<(Backlog, i64)>; 3] = [None; 3];
    for &(backlog, growth) in changing {
        let kind = match backlog {
            Backlog::Flow(_) => 0,
            Backlog::Sender(_) => 1,
            Backlog::Receiver(_) => 2,
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

/// The flows or levels that starve: of their payload, less than a quarter is delivered.
fn starving(tallies: &[Tally]) -> impl Iterator<Item = u32> {
    /// Of fewer messages, all may be under way at the end by chance.
    const LEAST: u64 = 5;
    let starves = |sum: &Tally| {
        let left = sum.payload_generated.saturating_sub(sum.payload + sum.payload_dropped);
        sum.generated >= LEAST && 4 * left > 3 * sum.payload_generated
    };
    let starving = (0..).zip(tallies).filter(move |(_, tally)| starves(tally));
    starving.map(|(place, _)| place)
}

/// The flows of video whose frames are farther apart than the measured window is long, with fewer
/// than [`FRAMES`] of them in it.
fn flows_with_few_frames(simulation: &Simulation) -> impl Iterator<Item = u32> {
    let cycles = simulation.measured_cycles() as f64;
    let flows = (0..).zip(simulation.scenario.traffic.iter().zip(&simulation.driver.window.flows));
    let few = flows.filter(move |(_, (flow, tally))| {
        in_cycles(simulation, flow.arrival.frame_us()) > cycles
            && tally.generated > 0
            && tally.frame_latency.len() < FRAMES
    });
    few.map(|(flow, _)| flow)
}

/// The flows whose mean period is longer than the measured window, which then shows no more than a
/// part of it.
fn flows_with_long_periods(simulation: &Simulation) -> impl Iterator<Item = u32> {
    let cycles = simulation.measured_cycles() as f64;
    let flows = (0..).zip(&simulation.scenario.traffic);
    let long = flows.filter(move |(_, flow)| period_cycles(simulation, flow) > cycles);
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

/// Mean time from one state of the sources of a flow to the same state again, cycles; 0 if its
/// messages do not come in such periods.
pub(super) fn period_cycles(simulation: &Simulation, flow: &FlowSpec) -> f64 {
    in_cycles(simulation, flow.arrival.period_us())
}

fn in_cycles(simulation: &Simulation, us: f64) -> f64 {
    us * 1e6 / simulation.units.cycle_ps as f64
}
