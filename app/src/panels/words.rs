//! Channels, states and events in words.

use crate::edit::Thing;
use crate::stage::picture::Picture;
use crate::text::{fill, text};
use hopscope_core::measure::Condition;
use hopscope_core::observe::{Event, MessageState, Status, What};

/// How a run went: its word has a sign, so that colour is not the only cue.
pub struct ConditionWords {
    /// Its CSS class.
    pub class: &'static str,
    /// A sign before the word.
    pub sign: &'static str,
    /// The word.
    pub word: &'static str,
    /// What the word means.
    pub about: &'static str,
}

/// The words for how a run went.
pub fn condition_words(condition: Condition) -> ConditionWords {
    let t = text();
    let (class, sign, word, about) = match condition {
        Condition::Steady => ("good", "✓", t.is_steady, t.steady_about),
        Condition::Saturated => ("bad", "▲", t.is_saturated, t.saturated_about),
        Condition::Unsettled => ("doubtful", "≈", t.is_unsettled, t.unsettled_about),
        Condition::Deadlocked => ("bad", "✕", t.is_deadlocked, t.deadlocked_about),
        Condition::Stopped => ("bad", "✕", t.is_stopped, t.stopped_about),
        Condition::Incomplete => ("doubtful", "…", t.is_incomplete, t.incomplete_about),
    };
    ConditionWords { class, sign, word, about }
}

/// The name of a channel, by its ends.
pub fn channel(picture: &Picture, channel: u32) -> String {
    let t = text();
    let index = channel as usize;
    if index < 2 * picture.cables {
        return match ends(picture, index / 2) {
            Some((a, b)) if index.is_multiple_of(2) => fill(t.channel_between, &[&a, &b]),
            Some((a, b)) => fill(t.channel_between, &[&b, &a]),
            None => channel.to_string(),
        };
    }
    let host = (index / 2 - picture.cables) as u32;
    let Some(drawn) = picture.network.hosts.get(host as usize) else { return channel.to_string() };
    let switch = picture.switch_name(drawn.switch);
    if index.is_multiple_of(2) {
        fill(t.injection_of, &[&host, &switch])
    } else {
        fill(t.ejection_of, &[&switch, &host])
    }
}

/// The ends of a channel, in few words: the name of a switch, or `host` and its number.
pub fn channel_ends(picture: &Picture, channel: u32) -> Option<[String; 2]> {
    let lane = picture.lanes.get(channel as usize)?;
    let name = |switch: Option<u32>| match (switch, lane.thing) {
        (Some(switch), _) => picture.switch_name(switch),
        (None, Thing::Host(host)) => fill(text().host_numbered, &[&host]),
        (None, _) => String::new(),
    };
    Some(lane.switches.map(name))
}

/// The switches at the ends of a cable.
fn ends(picture: &Picture, cable: usize) -> Option<(String, String)> {
    let mut first = 0;
    for link in &picture.network.links {
        first += usize::from(link.width);
        if cable < first {
            return Some((picture.switch_name(link.a.0), picture.switch_name(link.b.0)));
        }
    }
    None
}

/// The switch a channel leads to.
fn target(picture: &Picture, channel: u32) -> String {
    let index = channel as usize;
    if index < 2 * picture.cables {
        let ends = ends(picture, index / 2).unwrap_or_default();
        return if index.is_multiple_of(2) { ends.1 } else { ends.0 };
    }
    let host = picture.network.hosts.get(index / 2 - picture.cables);
    host.map_or(String::new(), |host| picture.switch_name(host.switch))
}

/// Why a message is where it is.
pub fn status(picture: &Picture, state: &MessageState) -> String {
    let t = text();
    let name = |c: u32| channel(picture, c);
    match state.status {
        Status::Queued { ahead } => fill(t.status_queued, &[&ahead]),
        Status::Moving => t.status_moving.into(),
        Status::Routing { channel } => fill(t.status_routing, &[&target(picture, channel)]),
        Status::Waiting { at, wants, holder } => {
            fill(t.status_waiting, &[&target(picture, at), &name(wants), &holder])
        }
        Status::Behind { channel, holder } => fill(t.status_behind, &[&name(channel), &holder]),
        Status::NoSpace { at, wants, lane, holder } => {
            let words = if at == wants { t.status_no_credit } else { t.status_no_space };
            let first =
                holder.map(|holder| fill(t.status_leaves_next, &[&holder])).unwrap_or_default();
            fill(words, &[&name(wants), &lane]) + &first
        }
        Status::NoMemory { host, holder } => fill(t.status_no_memory, &[&host, &holder]),
        Status::Stopped { channel } => fill(t.status_stopped, &[&name(channel)]),
        Status::InTransit { host } => fill(t.status_in_transit, &[&host]),
    }
}

/// What happened to a message.
pub fn event(picture: &Picture, event: &Event) -> String {
    let t = text();
    match event.what {
        What::Injected { host } => fill(t.happened_injected, &[&host]),
        What::Blocked { at, wants, holder } => {
            fill(t.happened_blocked, &[&target(picture, at), &channel(picture, wants), &holder])
        }
        What::ItbIn { host, memory } => fill(t.happened_itb_in, &[&host, &memory]),
        What::ItbOut { host } => fill(t.happened_itb_out, &[&host]),
        What::Delivered { host } => fill(t.happened_delivered, &[&host]),
        What::Dropped => t.happened_dropped.into(),
        What::Discarded { host } => fill(t.happened_discarded, &[&host]),
        What::Deadlock => t.happened_deadlock.into(),
        What::SaqAllocated { channel: at, at_input, point } => {
            let port = if at_input { t.happened_saq_input } else { t.happened_saq_output };
            fill(port, &[&channel(picture, at), &channel(picture, point.channel)])
        }
    }
}

/// The message that a message waits for, if any.
pub fn waits_for(state: &MessageState) -> Option<u32> {
    match state.status {
        Status::Waiting { holder, .. } | Status::Behind { holder, .. } => Some(holder),
        Status::NoMemory { holder, .. } => Some(holder),
        Status::NoSpace { holder, .. } => holder,
        _ => None,
    }
}
