//! What experiments and studies say, besides the messages of the simulator. The other messages are
//! those of `core/scenario` and `core/routing`.

use hopscope_scenario::messages;
pub use hopscope_simulator::messages::*;

messages! {
    saturation_of_one_shot():
        "one-shot traffic has no load that could be raised to saturation";
    use_another_arrival(): "use another arrival process, such as `constant`";
    saturation_of_ending_flow(): "a flow that ends does not saturate a network for long";
    saturation_of_few_messages(delivered):
        "{delivered} messages were delivered while measuring, which is too few to tell whether the \
         network keeps up: it takes 20";
    measure_for_longer(): "use more messages, or cycles, to be measured";
    saturation_of_cut_run(): "a run that is cut off does not tell whether the network keeps up";
    use_max_cycles_0(): "use 0, which is no limit";
    use_stop_cycle_0(): "use 0, which is never";
    saturation_of_late_flow(): "a flow that starts later does not load the network from the start";
    use_start_cycle_0(): "use 0";
    saturation_of_application(): "an application has a run time, and no load that can be raised";
    remove_application(): "remove the application";
    saturation_of_dropping():
        "the largest accepted traffic is searched for without messages that are dropped";
    use_time_out_0(): "use 0, which is no time-out";
    experiment_form(): "an experiment has `hopscope_experiment`, `base` and `axes`";
    no_experiment_version(version): "there is no version {version} of the experiment file";
    use_version(version): "use {version}";
    axis_of_neither_form(): "the axis does not have the fields of either form";
    axis_forms(): "give it `path` and `values`, or `name` and `settings`, and no other field";
    axis_without_steps(): "the axis has no steps";
    field_of_two_axes(field, axis): "`{field}` is set by {axis} too, whose values would be lost";
    step_repeated(first): "it repeats {first}: their points would be the same";
    remove_one_step(): "remove one of them";
    not_a_shard(text): "`{text}` is no part";
    write_a_shard(): "write I/N with I from 1 to N, such as 3/8";
    no_results_version(version): "there is no version {version} of the results file";
    results_of_versions(this, other, first):
        "these are results of Hopscope {this}, and those of {first} of Hopscope {other}: two \
         versions may give other results";
    run_with_one_version(): "run all points with one version";
    results_of_experiments(first): "these are results of another experiment than those of {first}";
    name_one_experiment(): "name files of one experiment";
    point_out_of_range(points): "the experiment has the points 0 to {points}";
    remove_the_line(): "remove the line, and run the point again";
    point_in_two_files(point, first): "point {point} is in {first} too";
    name_each_file_once(): "name each file once, or leave one of the two out";
    points_missing(count, points): "{count} points have no result: {points}";
    run_the_shards(shards): "run the rest with --resume: shard {shards}";
    run_the_rest(): "run the rest with --resume";
    keep_one_axis(): "keep one of them, or list the combinations as `settings` of one axis";
    give_values_or_remove(): "give it values, or remove it";
    experiment_points(points): "{points} points";
    use_at_most_points(points): "use at most {points}";
    throughput_factor(): "throughput, factor";
    throughput(): "throughput, flits/ns/switch";
    latency_increase(): "latency increase, %";
    minimal_routes(): "minimal routes, %";
    itbs_per_message(): "ITBs per message";
    itbs_per_route(): "ITBs per route";
    itbs_per_route_fewest(): "ITBs per route, cycles broken with few";
    route_length(): "channels per route";
    busiest_channel(): "routes over the most used channel, times the mean";
    most_accepted(): "most accepted traffic, flits/cycle/host";
    accepted(): "accepted traffic, flits/cycle/host";
    accepted_of_level(): "accepted traffic of each level, flits/cycle/host";
    share_of_level(): "share of each level in the accepted traffic";
    network_latency_of_level(): "network latency of each level, cycles";
    falls_short_from(): "total load from which each level delivers less than it offers";
    delivered_of_level(): "accepted of each level over what it offers";
    total_latency_of_level(): "end-to-end latency of each level, cycles";
    largest_latency_of_level(): "largest end-to-end latency of each level, cycles";
    latency_rises_at(): "load at which end-to-end latency has doubled, flits/cycle/host";
    latency_growth(): "largest network latency over that at the first load";
    all_backlog_grew(): "the backlog of all messages grew";
    flow_fell_behind(flow): "what flow {flow} had to deliver grew";
    sender_fell_behind(host): "what host {host} had to send grew";
    receiver_fell_behind(host): "what host {host} had to receive grew";
    flow_starved(flow): "less than a quarter of what flow {flow} generated was delivered";
    level_starved(level): "less than a quarter of what level {level} generated was delivered";
    flow_backlog_shrank(flow): "what flow {flow} had to deliver from before shrank";
    sender_backlog_shrank(host): "what host {host} had to send from before shrank";
    receiver_backlog_shrank(host): "what host {host} had to receive from before shrank";
    large_messages_fell_behind(): "large messages fell behind";
    queue_unknown(host):
        "too many messages waited on their way to host {host} for their mean number to be known";
    latency_drifted(): "latency drifted";
    latency_scattered(percent):
        "latency scattered too much for its mean to be known within {percent} %";
    few_messages_measured(least): "fewer than {least} messages were measured";
    transient_went_on(): "the end of the transient was not found";
    flow_changed(flow): "flow {flow} started or stopped";
    few_frames_measured(flow, least):
        "flow {flow} has a frame less often than the measurement is long, and fewer than {least} \
         frames were measured";
    period_longer(flow):
        "the mean ON and OFF periods of flow {flow} together are longer than the measurement";
    rules_broken(what): "the simulator broke its own rules: {what}";
    report_the_scenario(): "report this scenario";
}
