//! What is said about service levels, lanes and their shares of buffers.

use hopscope_scenario::messages;
pub use hopscope_scenario::messages::{no_such_switch, out_of_range};
pub use hopscope_scenario::schedulers::messages::{lanes_are_0_to_31, no_such_lane, use_between};

messages! {
    no_such_level(level): "there is no level {level}";
    name_levels_in_use(): "name levels in use";
    smaller_than_packet(): "smaller than the largest packet";
    enlarge_it(): "enlarge it";
    level_count(most): "there must be 1 to {most} service levels";
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
    lane_listed_twice(lane): "lane {lane} is listed twice";
    port_listed_twice(switch, port): "port {port} of switch {switch} is listed twice";
    host_listed_twice(host): "host {host} is listed twice";
    keep_one(): "keep one of the two";
    numbers_without_effect(switch, numbers): "`{switch}` switches do not use {numbers}";
    leave_numbers_out(): "leave them out, or use another switch";
    bypass_lane_taken(lane): "lane {lane} has another part in the bypass queues";
    use_lane_of_its_own(): "use a lane of its own for each bypass queue";
    two_bypass_queues(lane): "lane {lane} has two bypass queues";
    bypass_needs_lanes(kind):
        "{kind} shares the link among service levels, and bypass queues are part of lanes";
    use_scheduler_of_lanes():
        "use a scheduler whose table or weights name lanes, or remove fabric.qos.bypass";
    bypass_of_management(lane, of, scheduler):
        "lane {lane} is the management channel of {scheduler}, which sees a bypass queue as lane {of}";
    use_lane_besides_management(): "use another lane for the bypass queue, or have management_rate 0";
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
    use_mtu_bytes(most): "use 1 to {most} bytes";
    no_such_service_channel(channel): "there is no service channel {channel}";
    management_channel(): "service channel 15 is kept for management, a level of its own";
    management_channel_alone(): "use another, or give the level channel 15 alone";
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
    name_switches(): "name switches of the network";
    credits_of_bytes(credits, bytes): "{credits} credits of {bytes} bytes";
    lane_does_not_fit(lane, guaranteed, maximum, packet):
        "lane {lane} is guaranteed {guaranteed} credits and may fill {maximum}, but its \
         largest packet needs {packet}";
    queue_does_not_fit(lane, credits, packet):
        "each queue of lane {lane} has {credits} credits of its own, but its largest packet needs \
         {packet}";
    enlarge_lane():
        "enlarge the buffer, raise the lane's guaranteed or maximum percentage, or lower the MTU";
    guarantees_exceed_buffer(): "more is guaranteed to the lanes than there is";
    lower_guarantees(): "lower the guaranteed percentages";
}
