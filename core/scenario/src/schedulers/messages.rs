//! Message templates of the schedulers: what is wrong with their parameters, and fixes.

use crate::messages;

messages! {
    entry_count(count): "{count} entries";
    use_1_to_1024_entries(): "use 1 to 1024 entries";
    no_such_lane(lane): "there is no lane {lane}";
    lanes_are_0_to_31(): "lanes are 0 to 31";
    level_twice_or_missing(level): "level {level} is there twice or does not exist";
    list_levels_once(last): "list levels 0 to {last}, each at most once";
    too_many_levels(): "more than 32 levels";
    list_32_weights(): "list at most 32 weights";
    no_weights(): "no level has a weight";
    give_a_weight(): "give at least one level a weight above 0";
    list_32_quanta(): "list at most 32 quanta";
    quantum_out_of_bounds(): "a quantum is out of bounds";
    use_quantum_credits(most): "use 1 to {most} credits";
    not_a_power_of_two(): "not a power of two up to 1024";
    use_powers_of_two(): "use 32, 64, 128 ...";
    use_mtu_credits(): "use 1 to 1024 credits";
    use_between(least, most): "use {least} to {most}";
    k_out_of_bounds(): "k must be at least 1 and at most w";
    lower_k_or_raise_w(): "lower k or raise w";
    no_level_given(): "no level is given";
    list_at_least_one(): "list at least one";
    twice_or_above_31(): "there twice, or above 31";
    list_each_level_once(): "list each level once";
    at_least_1(): "must be at least 1";
    distance_2_is_every_other(): "2 is every other entry";
    mtu_0_or_above_general(): "0, or above the general MTU";
    use_general_mtu(): "use 1 to the general MTU";
    table_has_no_space(): "the table has no space left for so many entries";
    raise_distances(): "raise some distances: the sum of 1 / distance may be 1 at most";
    share_too_small(level):
        "level {level} has more entries than its share can fill with an MTU each";
    raise_share_distance_or_k(): "raise its share, its distance or k";
    share_too_large(level): "level {level} has too few entries for its share";
    lower_share_or_distance(): "lower its share or its distance, or raise w";
    entries_and_goals(): "both entries and goals are given";
    keep_entries_or_configure(): "keep `entries` or `configure`";
    level_with_weight(level, weight): "level {level} with weight {weight}";
    weight_count(count): "{count} weights";
    weight_for_each_lane(): "list a weight for each lane in use, 32 at most";
    lane_with_weight(lane, weight): "lane {lane} with weight {weight}";
    lane_without_weight(lane): "lane {lane} carries packets and has no weight";
    list_weights_below_management(last, management):
        "list a weight for each of the lanes 0 to {last}; lane {management} is then the management \
         channel";
    list_weights_up_to_lane(last): "list a weight for each of the lanes 0 to {last}";
    weights_have_no_multiple():
        "the least common multiple of the weights, times their sum, is above 2^45";
    round_weights(): "round them, for example to 64ths or to percent";
    weights_above_link(promised, of): "the weights and the management channel sum up to {promised} of {of}";
    lower_weights(): "lower them, or raise `of`: a link cannot promise more than it has";
    no_lane_for_management(): "all 32 lanes have weights, and none is left for management";
    list_fewer_weights(): "list fewer weights: the management channel is the lane after them";
    bucket_without(rate, depth): "a token bucket with rate {rate} and depth {depth}";
    bucket_both_or_neither(): "give both a value above 0, or 0 to both for no management channel";
    bucket_below_packet(depth, packet):
        "a bucket of {depth} credits never covers a packet of {packet}";
    use_credits_at_least(credits): "use {credits} credits or more";
    mtu_below_packet(mtu, packet): "packets of {packet} credits are above the MTU of {mtu}";
    entry_bounds(most): "levels are 0 to 31, weights 1 to {most} credits";
}
