//! What reading and checking a scenario can say, as templates: see [`crate::message`].

use crate::messages;

messages! {
    // Fixes that many checks share.
    use_at_most(most): "use at most {most}";
    use_at_least(least): "use at least {least}";
    use_from_to(least, most): "use {least} to {most}";
    use_the_value(value): "use {value}";
    add_at_least(count): "add at least {count}";
    out_of_range(value): "{value} is out of range";
    list_is_empty(): "the list is empty";
    list_a_number(): "list at least one number";
    and_more(shown, count): "{shown} and {count} more";

    // The file as a whole.
    scenario_has_bytes(bytes): "the file has {bytes} bytes";
    text_has_bytes(bytes): "it has {bytes} bytes";
    name_has_bytes(bytes): "the name has {bytes} bytes";
    name_has_characters(characters): "the name has {characters} characters";
    not_json(reason): "this is not JSON: {reason}";
    not_an_object(): "this is JSON, but no object";
    scenario_is_an_object(): "a scenario is one JSON object";
    version_too_new(version, newest):
        "the scenario has version {version}; this program reads up to {newest}";
    use_a_newer_hopscope(): "use a newer Hopscope";
    not_a_version(version): "{version} is no version of the scenario file";
    write_version(version): "write `\"hopscope\": {version}`";
    version_missing(): "the version is missing: this may not be a scenario";
    add_version(version): "add `\"hopscope\": {version}`";
    no_such_version(version): "there is no version {version}";
    more_problems(count): "{count} more problems";
    solve_the_first(): "solve the first ones and try again";

    // Why a text is not JSON, in the words of serde_json.
    json_ends_in_list(): "EOF while parsing a list";
    json_ends_in_object(): "EOF while parsing an object";
    json_ends_in_string(): "EOF while parsing a string";
    json_ends_in_value(): "EOF while parsing a value";
    json_expects_colon(): "expected `:`";
    json_expects_comma_or_bracket(): "expected `,` or `]`";
    json_expects_comma_or_brace(): "expected `,` or `}`";
    json_expects_ident(): "expected ident";
    json_expects_value(): "expected value";
    json_expects_quote(): "expected `\"`";
    json_invalid_escape(): "invalid escape";
    json_invalid_number(): "invalid number";
    json_number_out_of_range(): "number out of range";
    json_invalid_code_point(): "invalid unicode code point";
    json_control_character():
        "control character (\\u0000-\\u001F) found while parsing a string";
    json_key_no_string(): "key must be a string";
    json_lone_surrogate(): "lone leading surrogate in hex escape";
    json_unexpected_end_of_escape(): "unexpected end of hex escape";
    json_trailing_comma(): "trailing comma";
    json_trailing_characters(): "trailing characters";
    json_too_deep(): "recursion limit exceeded";

    // Fields that cannot be read.
    duplicate_field(field): "duplicate field `{field}`";
    keep_one_of_them(): "keep one of them";
    missing_field(field): "missing field `{field}`";
    add_field(field): "add `{field}`";
    unknown_field(field, known): "unknown field `{field}`, expected {known}";
    unknown_field_of_none(field): "unknown field `{field}`, there are no fields";
    remove_field(field): "remove `{field}`";
    unknown_choice(word, known): "unknown choice `{word}`, expected {known}";
    one_of(words): "one of {words}";
    did_you_mean(words): "did you mean {words}?";
    instead_of(given, wanted): "{given} instead of {wanted}";
    write_this(wanted): "write {wanted}";
    the_flag(flag): "{flag}";
    the_number(number): "the number {number}";
    the_text(text): "the text `{text}`";
    null_value(): "null";
    a_flag(): "true or false";
    a_number(): "a number";
    a_whole_number(least, most): "a whole number from {least} to {most}";
    a_word(): "a word in quotes";
    a_list(): "a list";
    list_of(count): "a list of {count}";
    an_object(): "an object";
    an_object_with_kind(): "an object with a `kind`";
    another_value(): "another value";
    list_too_long(count): "a list of {count} is too long";
    remove_the_last(): "remove the last ones";
    choice_takes_no(choice, field): "{choice} takes no `{field}`";
    remove_or_change_kind(): "remove it, or change the kind";
    cannot_be_read(reason): "this cannot be read: {reason}";
    no_root(word): "`{word}` is no root";
    use_a_root():
        "use `switch N`, `central`, `peripheral`, `max-degree`, `random` or `auto`";
    generated_and_drawn():
        "a network is either generated (`generate`) or drawn (`switches`, `hosts`, `links`), not both";
    remove_one(): "remove one of the two";
    no_network(): "a network needs `generate` or `switches`";
    draw_or_generate(): "draw switches, or name a generator";

    // Assignments such as traffic.0.load=0.03.
    no_equals_sign(): "there is no `=`";
    write_path_equals_value(): "write path=value, such as traffic.0.load=0.03";
    not_a_path(): "this is no path";
    join_by_dots(): "join field names and list indices by dots, such as traffic.0.load";
    list_has_no(place, count, key): "`{place}` is a list of {count}; it has no `{key}`";
    set_as_a_whole(place): "set `{place}` as a whole";
    use_elements(place, last): "use `{place}.0` to `{place}.{last}`";
    single_value_has_no(place, key): "`{place}` is a single value; it has no `{key}`";
    set_itself(place): "set `{place}` itself";

    // Share links.
    ask_for_the_link_again():
        "ask for the link again, or for the scenario as a file; nothing was changed";
    link_too_long(count, most): "the link has {count} characters, more than {most}";
    not_a_link(): "this is no link to a scenario, or one of a newer Hopscope";
    link_has_other_characters():
        "the link holds characters that do not belong there, or its end is missing";
    link_too_large(): "the scenario in the link is too large";
    link_damaged_or_cut(): "the link is damaged, or its end is missing";
    link_damaged(): "the link is damaged";

    // Drawn networks.
    switch_count(count): "{count} switches";
    host_count(count): "{count} hosts";
    cable_count(count): "{count} cables between switches";
    port_count(count): "{count} ports";
    no_such_switch(switch): "there is no switch {switch}";
    no_such_host(host): "there is no host {host}";
    trunk_of_none(): "a trunk of no cables";
    use_1_or_remove_link(): "use at least 1, or remove the link";
    link_to_itself(switch): "the link joins switch {switch} with itself";
    join_two_switches(): "join two different switches";
    hosts_without_port(ports, missing):
        "{ports} ports are too few: {missing} of its hosts found none free";
    give_ports_or_remove(ports): "give it {ports} ports, or remove hosts or links";
    switch_has_no_port(switch, port): "switch {switch} has no port {port}";
    trunk_needs_ports(width, first, last, switch):
        "a trunk of {width} needs ports {first} to {last} of switch {switch}";
    ports_counted_from_0(count): "the switch has {count} ports, counted from 0";
    port_taken(port, switch, by): "port {port} of switch {switch} is already taken by {by}";
    link_number(link): "link {link}";
    host_number(host): "host {host}";
    port_is_free(port): "port {port} is free";
    more_ports(): "give the switch more ports";
    off_the_stage(): "the position is off the stage";
    half_a_position(): "only one of `x` and `y` is given";
    both_or_none(): "give both or none";
    switch_called_so(switch, name): "switch {switch} is already called `{name}`";
    host_called_so(host, name): "host {host} is already called `{name}`";
    own_name_or_none(): "give each its own name, or none";
    unconnected(count, parts): "the network is in {count} unconnected parts: {parts}";
    part(switches): "{{switches}}";
    link_both(a, b): "link {a} with {b}";

    // Routing.
    use_switch_from_to(last): "use switch 0 to switch {last}";
    not_a_share(value): "{value} is no share";

    // The wormhole fabric.
    go_not_below_stop(go, stop): "GO is sent at {go} flits, not below STOP at {stop}";
    buffer_overflows(delay, late, stop, buffer):
        "with a delay of {delay} cycles, {late} flits may arrive after STOP at {stop}: \
         the buffer of {buffer} overflows";
    use_buffer(buffer): "use fabric.buffer_flits of at least {buffer}";
    use_buffer_or_stop(buffer, stop):
        "use fabric.buffer_flits of at least {buffer} or fabric.stop_flits at most {stop}";
    buffer_runs_dry(delay, go):
        "with a delay of {delay} cycles, a buffer that sends GO at {go} flits runs dry before \
         flits arrive again";
    use_go(go, stop, buffer):
        "use fabric.go_flits of at least {go} (below fabric.stop_flits of at least {stop}, with \
         fabric.buffer_flits of at least {buffer})";
    message_above_itb_memory(bytes, memory):
        "messages of {bytes} bytes do not fit into the ITB memory of {memory} bytes";
    use_itb_memory(bytes):
        "use fabric.itb_memory_bytes of at least {bytes} and some for the route, or shorter \
         messages";

    // The cut-through fabric.
    link_delay(a, b, delay): "the link from `{a}` to `{b}` has a delay of {delay} cycles";
    arbiter_inputs(inputs, most):
        "its output arbiters would have {inputs} inputs, more than {most}";
    fewer_inputs(): "use fewer ports, larger MPorts or fewer central links";
    no_arbiter_of_switch(switch, arbiter):
        "switches of the kind {switch} have no {arbiter} arbiters";
    use_arbiters_or_switch(list): "use one of {list}, or other switches";
    queues_take_memory(megabytes, most):
        "the queues of all input ports take {megabytes} MB of memory; {most} MB are the limit";
    lanes_of_combined(lanes, most):
        "{lanes} lanes; switches with combined queues have {most} at most";
    number_lanes_below(most): "number the lanes below {most}, or use hierarchical switches";
    fewer_queues(queues): "use one of {queues}, fewer lanes or a smaller network";
    threshold_exceeds_buffer(bytes, memory):
        "{bytes} bytes; the smaller buffer of a port has {memory}, and a queue never holds more";
    lower_threshold_or_larger_buffer(): "use a lower threshold or larger buffers";
    xon_above_xoff(xon, xoff): "{xon} bytes, above the {xoff} bytes of xoff_bytes";
    lower_xon(): "use xoff_bytes or less";
    private_credits_need_destinations(): "only queues per destination have credits of their own";
    use_queues_or_shared(queues): "use {queues}, or shared credits";
    recn_needs_detection_queues(): "RECN detects congestion with one queue per output";
    use_queues_or_unmanaged(queues): "use {queues}, or no congestion management";
    recn_needs_one_lane(): "under RECN all packets of a link share one lane";
    map_to_lane_0_or_unmanaged():
        "map all service channels to lane 0, or use no congestion management";
    shares_need_counters(): "only arbiters by bandwidth counters know shares of levels";
    no_shares_or_counters(arbiters): "remove them, or use one of {arbiters}";
    shares_of_levels(listed, levels): "a list of {listed} shares for {levels} service levels";
    list_shares(levels, most): "list {levels} shares from 1 to {most}, or none";
    levels_need_counters(): "RECN with service levels needs an arbiter by bandwidth counters";
    use_counters_or(arbiters, management):
        "use one of the arbiters {arbiters}, or the congestion management {management}";
    nics_share_among_levels():
        "under recn-qos NICs share their link among levels; this scheduler knows lanes";
    use_scheduler_of_levels(schedulers): "use one of {schedulers}";
    recn_without_express(): "RECN does not go together with express levels";
    no_express_or_unmanaged(): "remove them, or use no congestion management";
    crossing_takes_cycles(cycles, most):
        "this takes {cycles} cycles; {most} cycles are the limit";
    shorter_or_longer_cycle(): "use less time here, or a longer cycle_ps";
    express_needs_no_time():
        "express levels interrupt packets at once, so schedulers cannot take time";
    use_0_or_no_express(): "use 0, or no express_levels";
    not_a_multiple_of_the_flit(): "not a multiple of the flit";
    use_64_with_8(): "use 64 with flits of 8 bytes";

    // The workload.
    flow_count(count): "{count} flows";
    min_above_max(min, max): "the smallest size {min} is above the largest {max}";
    pareto_above_max(shape, max): "99 % of a Pareto distribution of shape {shape} lie above {max}";
    raise_max_or_shape(): "raise `max` or `shape`, or use a size of kind `range`";
    swap_or_equal(): "swap them, or make them equal";
    stops_before_start(stop, start): "the flow stops at {stop} and starts at {start}";
    stop_later(): "stop later than start, or 0 for never";
    no_level_at_all(level): "the fabric has no service levels, so none with number {level}";
    use_0_or_lanes(): "use 0, or a fabric with lanes";
    fabric_has_no_level(count, level):
        "the fabric has {count} service levels, none with number {level}";
    use_or_add_level(): "use one of them, or add it to fabric.qos.levels";
    more_weights_than_lanes(count, lanes): "{count} weights for {lanes} lanes";
    one_weight_per_lane(lanes): "list at most {lanes}, or map a service channel to another lane";
    host_twice(host): "host {host} is listed twice";
    list_once(): "list it once";
    hosts_without_list(): "hosts are listed, but the mapping is no `list`";
    map_by_list(): "use the mapping `list`, or list no hosts";
    bit_reversal(): "bit reversal";
    bit_complement(): "bit complement";
    perfect_shuffle(): "perfect shuffle";
    transpose(): "transpose";
    needs_power_of_two(pattern, hosts):
        "{pattern} needs a power of two of hosts; the network has {hosts}";
    needs_even_power_of_two(pattern, hosts):
        "{pattern} needs an even power of two of hosts; the network has {hosts}";
    change_hosts_or_pattern(hosts):
        "add or remove hosts ({hosts} would do), or choose another pattern";
    none_within(distance): "no host has another one within {distance} switch hops";
    larger_distance(): "use a larger distance";
    pattern_count(count): "{count} patterns";
    combined_too_deep(): "combined patterns inside combined patterns, too deep";
    list_in_one(): "list them in one";
    pair_count(count): "{count} pairs";
    use_pairs(most): "use 1 to {most}, as [from, to]";
    sends_to_itself(host): "host {host} sends to itself";
    two_different_hosts(): "name two different hosts";
    has_a_destination(host): "host {host} has a destination already";
    another_flow(): "use another flow for its second destination";
    a_load_of(load): "a load of {load}";
    load_above_0(): "use a number above 0, or remove the flow";
    offers_too_much(flits):
        "each host would offer {flits} flits per cycle; its channel carries 1";
    load_that_fills_link(load, unit): "use at most {load} {unit}, which fills the channel";
    sends_too_rarely(cycles): "each host would send only every {cycles} cycles";
    more_or_one_shot(load, unit): "use at least {load} {unit}, or a one-shot flow";

    // When a run counts.
    warmup_has_no_end(): "the search for the end of the transient has no bound";
    give_warmup_messages(): "give the largest number of messages as `warmup_messages`";
    transient_in_few_messages(count):
        "{count} messages are too few to find the end of the transient in them";
    too_many_pairs(pairs, hosts): "{hosts} hosts make {pairs} pairs";
    count_pairs_in_smaller_networks(most): "count pairs in networks with up to {most} of them";
    most_messages_without_half_width(): "it has no effect without a half-width";
    give_half_width_or_0(): "give `half_width`, or use 0 here";
    most_messages_by_default(times, count):
        "without `max_messages` up to {times} times as many are counted; {count} is out of range";
    fewer_messages_or_give_most(most, max): "use at most {most}, or give `max_messages` up to {max}";
    use_0_or_from_to(least, most): "use 0 for never, or {least} to {most}";
    intervals_of_few_messages(count): "{count} messages are too few for confidence intervals";

    // Streams, bursts and periods.
    stream_above_link(rate, link): "a stream of {rate} kb/s; the channel of a host carries {link}";
    stream_too_slow(cycles): "a connection would send a message every {cycles} cycles";
    faster_stream_or_shorter(rate): "use at least {rate} kb/s, or shorter messages";
    streams_in_all(count, megabytes):
        "all hosts would have {count} streams together, in {megabytes} MB of memory";
    fewer_streams(most, times):
        "at most {most} are possible: make each stream {times} times as fast, or lower the load";
    peak_below_i_frames(least, peak):
        "I frames alone are {least} times the mean of all frames, and none may be more than {peak} \
         times";
    frame_of_bytes(bytes): "the largest frame has {bytes} bytes";
    shorter_frames(most):
        "use a lower rate, a shorter time between frames or a lower peak: at most {most} bytes";
    packets_of_several_sizes(): "a frame is cut into packets of one size, the last one shorter";
    use_fixed_size(): "use a size of kind `fixed`";
    frame_below_packet(frame, packet):
        "the frames of a stream have {frame} bytes on average, less than a packet of {packet}";
    shorter_packets_or_longer_frames(bytes):
        "use at most {bytes}, a higher rate of the streams, or a longer time between frames";
    packets_of_a_frame(packets): "the largest frame has {packets} packets";
    less_than_a_stream(part, bytes):
        "each host would have {part} of a stream, with frames of {bytes} bytes on average, less than \
         a packet";
    on_above_link(share):
        "during ON each host would offer {share} times what its channel carries";
    lower_load_or_more_on(load, unit):
        "use a load of at most {load} {unit}, longer ON or shorter OFF periods";
    use_load_at_least(least, unit): "use at least {least} {unit}";
    on_too_short(messages): "a mean ON period would send {messages} messages";
    longer_on_or_more_load(us, load, unit):
        "use at least {us} µs, or a load of at least {load} {unit}";
}
