//! What is said about overload, admission control and bounds on delays.

pub use hopscope_qos::messages::*;
use hopscope_scenario::messages;

messages! {
    // Overload.
    load_above_channels(load, unit, times, hosts):
        "a load of {load} {unit} is {times} times what the channel of a host carries; messages pile \
         up at the hosts that send ({hosts})";
    load_above_channels_in_part_of_flits(load, unit, times, hosts):
        "a load of {load} {unit}, in flits that messages fill in part, is {times} times what the \
         channel of a host carries; messages pile up at the hosts that send ({hosts})";
    load_that_fills_channels(load, unit): "a load of {load} {unit} fills the channels";
    loads_above_channel(flows, times, host):
        "flows {flows} together offer {times} times what the channel of host {host} carries; \
         messages pile up there";
    flow_above_receiver(flow, times, host):
        "flow {flow} offers {times} times what the channel to host {host} carries; messages pile up \
         on their way there";
    flows_above_receiver(flows, times, host):
        "flows {flows} together offer {times} times what the channel to host {host} carries; \
         messages pile up on their way there";
    loads_that_fill_channel(times, load, unit):
        "{times} times these loads, {load} {unit} in this flow, fill the channel";

    // Senders.
    senders_without_destination(hosts): "the pattern lets hosts {hosts} of the list send to none";
    remove_senders_or_change_pattern(): "remove them from the list, or use another pattern";

    // Admission control and bounds.
    percent_out_of_bounds(percent): "{percent} %";
    level_listed_twice(level): "level {level} is listed twice";
    flow_without_connections(level):
        "level {level} is under admission control, and these arrivals have no connections";
    use_connections_or_free_level(arrivals):
        "use arrivals of one of these kinds: {arrivals}; or take the level out of \
         fabric.qos.admission";
    connection_without_route():
        "messages of a connection may take several routes, and admission control reserves one";
    select_one_route(): "use the selection `fixed` or `by-destination`";
    without_admission(): "the scenario has no admission control";
    name_levels_under_admission():
        "name the levels under admission, such as {\"levels\": [0], \"share_percent\": 100}";
    fabric_without_admission(fabric):
        "admission control is of service levels, and the fabric `{fabric}` has none";
    use_fabric_with_levels(): "use the fabric `cut-through`";
    no_bound_of_arrivals(flow, arrivals):
        "the bursts of flow {flow} have no bound; these arrivals have one: {arrivals}";
    no_bound_of_scheduler(scheduler):
        "no rate is known that the scheduler `{scheduler}` guarantees to the level";
    no_bound_without_credits(scheduler):
        "a level without a bound may lack credits, and the scheduler `{scheduler}` then guarantees \
         nothing to the others";
    no_bound_on_shared_lane(): "the level has not one lane for itself";
    no_bound_above_rate(offered, rate):
        "hosts may send {offered} % of a link, and its scheduler allows a bound up to {rate} %";
    no_bound_at_rate(rate):
        "hosts may send the most that a bound allows, {rate} % of a link, and a little more by the \
         rounding of intervals, so that their queues may grow without end";
    no_bound_with_preemption(): "packets are interrupted, or scheduling takes cycles";
    no_bound_out_of_order(): "messages of a level overtake each other at their NIC";
    no_bound_with_application(): "an application sends when it likes";
    no_bound_at_stops():
        "packets of the level stop in transit at hosts that send in it, and go first there";
    no_bound_without_route(): "path selection leaves the route open";
    no_bound_with_stops(): "packets stop in transit at hosts";
    no_bound_behind_inputs():
        "packets from one link leave by several, and crossbars may keep one waiting without end";
    no_bound_in_switches():
        "only crossbars of switches with combined queues that take turns, without congestion \
         management, have a bound";
    no_bound_in_crossbar(): "a crossbar may serve the level more slowly than it arrives";
    no_bound_with_buffers():
        "the part of a buffer that the level is guaranteed may be smaller than its backlog";
}
