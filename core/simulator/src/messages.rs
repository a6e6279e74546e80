//! What the simulator says about service levels, lanes, buffers and the limits of a run. The other
//! messages are those of `core/scenario`, `core/routing` and `core`.

use hopscope_scenario::messages;
pub use hopscope_scenario::schedulers::messages::{
    lanes_are_0_to_31, no_such_lane, out_of_bounds, use_between,
};

messages! {
    no_such_level(level): "there is no level {level}";
    name_levels_in_use(): "name levels in use";
    smaller_than_packet(): "smaller than the largest packet";
    enlarge_it(): "enlarge it";
    level_count(): "there must be 1 to 32 service levels";
    add_or_remove_levels(): "add or remove some";
    class_above_31(): "above 31";
    classes_are_0_to_31(): "traffic classes are 0 to 31";
    no_cable_on_port(): "no cable is on that port";
    name_port_in_use(): "name a port in use";
    no_such_service_level(level): "there is no service level {level}";
    use_levels_or_add(last): "use 0 to {last}, or add levels";
    use_lanes_or_map(last): "use 0 to {last}, or put the lane into fabric.qos.lanes";
    more_than_levels(count, levels): "{count} numbers for {levels} service levels";
    one_per_level(levels): "list at most {levels}, or add levels";
    percent_out_of_bounds(percent): "{percent} %";
    level_listed_twice(level): "level {level} is listed twice";
    flow_without_connections(level):
        "level {level} is under admission control, and these arrivals have no connections";
    use_connections_or_free_level():
        "use `cbr` or `video` arrivals, or take the level out of fabric.qos.admission";
    connection_without_route():
        "messages of a connection may take several routes, and admission control reserves one";
    select_one_route(): "use the selection `fixed` or `by-destination`";
    without_admission(): "the scenario has no admission control";
    name_levels_under_admission():
        "name the levels under admission, such as {\"levels\": [0], \"share_percent\": 100}";
    lane_listed_twice(lane): "lane {lane} is listed twice";
    port_listed_twice(switch, port): "port {port} of switch {switch} is listed twice";
    host_listed_twice(host): "host {host} is listed twice";
    keep_one(): "keep one of the two";
    protocol_without_flow(protocol): "no flow is called `{protocol}`";
    name_a_flow(): "name a flow of the traffic so, or remove the protocol";
    level_starves(level):
        "service level {level} is not in the table: it sends only while no level in the table can";
    give_level_an_entry(): "add it to the table";
    lane_starves(level, lane):
        "service level {level} sends on lane {lane}, which is not in the table: it sends only \
         while no lane in the table can";
    give_lane_an_entry(): "add the lane to the table";
    no_virtual_fabric(class, host):
        "no virtual fabric of traffic class {class} has host {host} and this protocol";
    add_to_virtual_fabric(): "add the host or the flow's name to one, or choose another level";
    level_without_channel(): "the level has no service channel";
    give_a_channel(): "give it at least one";
    use_mtu_bytes(): "use 1 to 10240 bytes";
    no_such_service_channel(channel): "there is no service channel {channel}";
    management_channel(): "service channel 15 is kept for management";
    use_another(): "use another";
    channel_taken(channel, level): "service channel {channel} belongs to level {level} already";
    channels_of_their_own(): "give each level its own channels";
    too_many_channels(): "more than 32 service channels";
    list_32_lanes(): "list at most 32 lanes";
    channel_without_lane(channel): "service channel {channel} is in use but has no lane";
    list_a_lane(): "list a lane for it";
    class_without_level(class): "no service level belongs to traffic class {class}";
    bind_to_class(): "bind it to the class of a level";
    host_missing(host): "there is no host {host}";
    name_hosts(): "name hosts of the network";
    credits_of_bytes(credits, bytes): "{credits} credits of {bytes} bytes";
    lane_does_not_fit(lane, guaranteed, maximum, packet):
        "lane {lane} is guaranteed {guaranteed} credits and may fill {maximum}, but its \
         largest packet needs {packet}";
    enlarge_lane():
        "enlarge the buffer, raise the lane's guaranteed or maximum percentage, or lower the MTU";
    guarantees_exceed_buffer(): "more is guaranteed to the lanes than there is";
    lower_guarantees(): "lower the guaranteed percentages";
    lanes_too_few(channels, switch):
        "{channels} service channels per level do not avoid all cycles (the first left over \
         leaves `{switch}`)";
    lanes_too_few_fix():
        "give every level one more service channel, or choose a routing without cycles";
    itb_memory_too_small(largest, header, memory):
        "messages of {largest} bytes do not fit, with up to {header} bytes of header, into the ITB \
         memory of {memory} bytes";
    itb_memory_too_small_fix(needed):
        "use fabric.itb_memory_bytes of at least {needed}, or shorter messages";
    flow_without_senders(): "no host sends in this flow";
    another_pattern_or_sources():
        "use another pattern, or sources that it lets send to another host";
    too_many_at_once(messages): "the flow sends {messages} messages at once";
    too_many_at_once_together(messages): "with the flows before it that start in the same cycle, \
        the flow sends {messages} messages at once";
    at_most_at_once(most): "send at most {most} in all: fewer messages, or from fewer sources";
    run_stopped_last_cycle(cycle): "the run has reached cycle {cycle}, the last one a run can have";
    run_stopped_last_message(messages):
        "the run has generated {messages} messages, the most a run can have";
    run_stopped_overloaded(messages):
        "more than {messages} messages were generated and not delivered: the network accepts \
         less than is offered";
    application_needs_command_line(): "only `hopscope run` and `hopscope trace` run applications";
    run_with_command_line(): "use one of these commands, or remove the application";
    run_stopped_application_stuck():
        "the application cannot finish: what is left waits for messages that will never come";
    broken_messages(generated, delivered, dropped, under_way):
        "messages lost: {generated} generated, {delivered} delivered, {dropped} dropped, \
         {under_way} under way";
    broken_overflow(channel, cycle, buffer):
        "channel {channel}, cycle {cycle}: more sent than its buffer of {buffer} flits holds";
    broken_flits(channel, arrived, removed, buffer):
        "channel {channel}: {arrived} flits arrived, {removed} taken out, buffer of {buffer}";
    broken_itb_memory(host, used, memory):
        "host {host}: {used} flits of ITB memory in use of {memory}";
    broken_missed_deadlock(channel):
        "what waits behind channel {channel} waits for ever, and no deadlock was found";
    broken_no_event(under_way):
        "{under_way} messages under way, but nothing will ever happen again, and no deadlock was \
         found";
    broken_proof(list):
        "messages {list} wait for each other for ever, though the routes were proven free of \
         deadlocks";
    broken_requests(port, switch):
        "the requests of input {port} of switch {switch} are not those of its queues";
    broken_saqs(channel): "the set-aside queues at channel {channel} do not agree with their lines";
    recn_needs_acyclic_routes(): "under RECN routes must not close cycles";
    use_acyclic_routes(): "use a routing that is free of deadlocks, such as UD, or no RECN";
    recn_without_stops(): "under RECN routes have no in-transit stops";
    use_routes_without_stops(): "use a routing without in-transit buffers, or no RECN";
    longest_exceeds_pool(switches, bits, most):
        "the longest route crosses {switches} switches, whose turns take {bits} bits; a turn pool \
         has {most}";
    shorter_routes_or_wider_pool(): "use shorter routes, or a larger pool_bits, up to 64";
    broken_lines(queues, in_line): "{queues} queues hold packets, {in_line} request an output";
    broken_extra_packet(): "a packet of a message that is complete";
    broken_lost_packet(message): "a packet of message {message} is lost";
    broken_channel_credits(channel, used, held):
        "channel {channel}: {used} credits used, {held} held";
    broken_buffer_credits(buffer, used, held):
        "buffer {buffer}: {used} credits used, {held} held";
}
