//! What making and reading applications can say, as templates.

use hopscope_scenario::messages;

messages! {
    // Applications of any kind.
    more_ranks_than_hosts(ranks, hosts): "{ranks} ranks on {hosts} hosts";
    fewer_ranks_or_more_hosts(): "use at most one rank per host";
    hosts_for_ranks(hosts, ranks): "{hosts} hosts are listed for {ranks} ranks";
    list_a_host_for_each(): "list one host for each rank";
    too_many_operations(most): "the application has more than {most} operations";
    too_many_dependencies(most): "the application has more than {most} dependencies";
    fewer_ranks_or_iterations(): "use fewer ranks or iterations, or a shorter trace";
    application_without_messages(): "no rank sends a message";
    two_ranks(): "use at least two ranks";

    // Collectives.
    kind_takes_no(kind, field): "`{kind}` takes no `{field}`";
    leave_it_out(): "leave it out";
    no_such_algorithm(kind, algorithm): "`{kind}` has no algorithm `{algorithm}`";
    use_algorithm(known): "use one of {known}";
    algorithm_needs_power_of_two(algorithm, ranks): "`{algorithm}` needs a power of two of ranks, not {ranks}";
    power_of_two_or(algorithm): "use a power of two, or `{algorithm}`";

    // Traces as a whole.
    trace_unknown(found): "this is no trace: it begins with `{found}`";
    trace_formats(): "GOAL begins with `num_ranks`, VEF with `VEF`";
    trace_empty(): "the trace is empty";
    trace_too_long(bytes): "the trace has {bytes} bytes";
    trace_limit(most): "use at most {most}";
    more_problems_in_trace(): "there are more problems";
    solve_these_first(): "solve the first ones and try again";

    // Lines of traces.
    trace_expected(found, wanted): "`{found}` where {wanted} was expected";
    trace_line_ends(wanted): "the line ends where {wanted} was expected";
    trace_check_line(): "check this line";
    trace_number_too_large(value, most): "{value} is more than {most}";
    trace_no_rank(rank, ranks): "there is no rank {rank}; the trace has {ranks}";
    trace_use_rank(last): "use 0 to {last}";
    trace_rank_twice(rank): "rank {rank} has two blocks";
    trace_join_blocks(): "join the two";
    trace_outside_block(): "an operation outside of a rank";
    trace_open_block(): "begin a block with `rank N` and an opening brace";
    trace_block_in_block(): "a rank begins inside of another";
    trace_block_not_closed(rank): "the block of rank {rank} has no end";
    trace_close_block(): "end it with a closing brace";
    trace_label_twice(label): "label `{label}` names two operations";
    trace_label_once(): "use each label once per rank";
    trace_no_label(label): "there is no operation `{label}` in this rank";
    trace_define_label(): "name an operation of the same rank";
    trace_waits_for_itself(label): "`{label}` waits for itself";
    trace_comment_not_closed(): "a comment has no end";

    // VEF.
    vef_id_twice(id): "message {id} is listed twice";
    vef_id_once(): "give each message a number of its own";
    vef_no_message(id): "there is no message {id}";
    vef_no_collective(id, task): "task {task} takes no part in a collective G{id}";
    vef_other_task(id, happens, task):
        "message {id} is sent or received by task {happens}, not by the waiting task {task}";
    vef_wait_for_own(): "wait for an event of the same task";
    vef_count(found, what, announced): "{found} {what}, but the header announces {announced}";
    vef_fix_header(): "correct the header, or complete the trace";
    vef_no_communicator(id): "there is no communicator C{id}";
    vef_communicator_twice(id): "communicator C{id} is listed twice";
    vef_define_communicator(): "list communicators before the messages";
    vef_not_in_communicator(task, id): "task {task} is not in communicator C{id}";
    vef_missing_task(id, task): "G{id} lacks a record of task {task}";
    vef_task_twice(id, task): "G{id} has two records of task {task}";
    vef_differs(id): "the records of G{id} differ in communicator or operation";
    vef_one_record_per_task(): "write one record for each task of the communicator";
    vef_no_root(id): "G{id} has no root, or several";
    vef_root_sizes(): "check the sizes: those of the root differ from those of the others";

    // Programs.
    send_without_receive(rank, to, tag):
        "rank {rank} sends to rank {to} with tag {tag}, which receives no such message";
    add_a_receive(): "add a receive";
    receive_without_send(rank, from, tag):
        "rank {rank} receives from {from} with {tag}, and no such message is sent";
    add_a_send(): "add a send";
    rank_word(rank): "rank {rank}";
    any_rank(): "any rank";
    tag_word(tag): "tag {tag}";
    any_tag(): "any tag";
    waits_for_ever(rank, lines): "this operation of rank {rank} waits for itself, by lines {lines}";
    break_the_cycle(): "remove one of these dependencies, or send before receiving";
}
