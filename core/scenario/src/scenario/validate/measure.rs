//! Checks of when a run counts.

use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::limits::*;
use crate::scenario::measure::MOST_TIMES;
use crate::scenario::{MEASURE, MeasureSpec};

pub(super) fn check(measure: &MeasureSpec, network: Option<&Network>, problems: &mut Problems) {
    MEASURE.check_bounds(measure, "measure", problems);
    if measure.messages == 0 && measure.cycles == 0 {
        problems.add(
            "measure.messages",
            messages::out_of_range(0),
            messages::use_from_to(1, MAX_MESSAGES),
        );
    }
    if measure.find_warmup && measure.warmup_messages == 0 {
        problems.add(
            "measure.find_warmup",
            messages::warmup_has_no_end(),
            messages::give_warmup_messages(),
        );
    } else if measure.find_warmup && measure.warmup_messages < FIRST_LOOK_FOR_TRANSIENT {
        problems.add(
            "measure.warmup_messages",
            messages::transient_in_few_messages(measure.warmup_messages),
            messages::use_at_least(FIRST_LOOK_FOR_TRANSIENT),
        );
    }
    check_half_width(measure, problems);
    if let Some(network) = network
        && measure.pairs
    {
        let hosts = network.hosts().len() as u64;
        let pairs = hosts * hosts;
        if pairs > MAX_COUNTED_PAIRS {
            problems.add(
                "measure.pairs",
                messages::too_many_pairs(pairs, hosts),
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
    if measure.half_width > 0.0 && measure.half_width < least {
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
    if measure.max_messages == 0 {
        // More messages than a run can have are a problem of their own.
        if measure.messages <= MAX_MESSAGES && measure.most_messages() > MAX_MESSAGES {
            problems.add(
                "measure.messages",
                messages::most_messages_by_default(MOST_TIMES, measure.most_messages()),
                messages::fewer_messages_or_give_most(MAX_MESSAGES / MOST_TIMES, MAX_MESSAGES),
            );
        }
    } else if !(measure.messages..=MAX_MESSAGES).contains(&measure.most_messages()) {
        problems.add(
            "measure.max_messages",
            messages::out_of_range(measure.most_messages()),
            messages::use_from_to(measure.messages, MAX_MESSAGES),
        );
    }
}
