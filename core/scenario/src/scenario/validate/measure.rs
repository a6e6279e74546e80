//! Checks of when a run counts.

use super::within;
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::MeasureSpec;
use crate::scenario::limits::*;

pub(super) fn check(measure: &MeasureSpec, network: Option<&Network>, problems: &mut Problems) {
    within("measure.warmup_messages", measure.warmup_messages, 0..=MAX_MESSAGES, problems);
    within("measure.warmup_cycles", measure.warmup_cycles, 0..=MAX_CYCLES, problems);
    let least = u64::from(measure.cycles == 0);
    within("measure.messages", measure.messages, least..=MAX_MESSAGES, problems);
    within("measure.cycles", measure.cycles, 0..=MAX_CYCLES, problems);
    within("measure.max_cycles", measure.max_cycles, 0..=MAX_CYCLES, problems);
    let [least, most] = CONFIDENCE_LEVELS;
    if !(least..=most).contains(&measure.confidence) {
        problems.add(
            "measure.confidence",
            messages::out_of_range(measure.confidence),
            messages::use_from_to(least, most),
        );
    }
    if measure.find_warmup && measure.warmup_messages == 0 {
        problems.add(
            "measure.find_warmup",
            messages::warmup_has_no_end(),
            messages::give_warmup_messages(),
        );
    }
    check_half_width(measure, problems);
    if let Some(network) = network
        && measure.pairs
    {
        let hosts = network.hosts().len();
        if hosts * hosts > MAX_COUNTED_PAIRS {
            problems.add(
                "measure.pairs",
                messages::too_many_pairs(hosts * hosts, hosts),
                messages::count_pairs_in_smaller_networks(MAX_COUNTED_PAIRS),
            );
        }
    }
}

fn check_half_width(measure: &MeasureSpec, problems: &mut Problems) {
    if measure.half_width == 0.0 {
        if measure.max_messages > 0 {
            problems.add(
                "measure.max_messages",
                messages::most_messages_without_half_width(),
                messages::give_half_width_or_0(),
            );
        }
        return;
    }
    let [least, most] = HALF_WIDTHS;
    if !(least..=most).contains(&measure.half_width) {
        problems.add(
            "measure.half_width",
            messages::out_of_range(measure.half_width),
            messages::use_0_or_from_to(least, most),
        );
    }
    if measure.messages < LEAST_MESSAGES_OF_INTERVALS {
        problems.add(
            "measure.messages",
            messages::intervals_of_few_messages(measure.messages),
            messages::use_at_least(LEAST_MESSAGES_OF_INTERVALS),
        );
    }
    if measure.max_messages > 0 {
        let bounds = measure.messages..=MAX_MESSAGES;
        within("measure.max_messages", measure.max_messages, bounds, problems);
    } else if measure.most_messages() > MAX_MESSAGES {
        problems.add(
            "measure.max_messages",
            messages::out_of_range(measure.most_messages()),
            messages::use_from_to(measure.messages, MAX_MESSAGES),
        );
    }
}
