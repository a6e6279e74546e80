//! What the simulator says about buffers, the limits of a run and broken invariants. The other
//! messages are those of the crates below it and of `core`.

use hopscope_scenario::messages;
pub use hopscope_traffic::messages::*;

messages! {
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
    run_too_large(needed, routes, fabric, sources, measuring, at_hand):
        "a run would take about {needed} MB of memory ({routes} MB while routes are computed, \
         {fabric} MB for the fabric, {sources} MB for the sources of traffic, {measuring} MB to \
         measure hosts and pairs), and {at_hand} MB are at hand";
    smaller_run(): "use fewer switches with hosts, fewer hosts or fewer flows, or measure neither \
        pairs nor distributions";
    run_stopped_last_cycle(cycle): "the run has reached cycle {cycle}, the last one a run can have";
    run_stopped_last_message(messages):
        "the run has generated {messages} messages, the most a run can have";
    run_stopped_overloaded(messages):
        "more than {messages} messages were generated and not delivered: the network accepts \
         less than is offered";
    trace_without_text(file): "the scenario has the name of the trace, `{file}`, but not its text";
    give_text_of_trace(): "open the trace, or have `hopscope run` read it";
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
    saqs_need_acyclic_routes(): "with set-aside queues routes must not close cycles";
    use_acyclic_routes(): "use a routing that is free of deadlocks, such as UD, or no congestion management";
    private_credits_need_acyclic_routes():
        "with private credits routes must not close cycles nor have in-transit stops";
    use_acyclic_routes_or_shared():
        "use a routing that is free of deadlocks, such as UD, or shared credits";
    wider_pool_of_recn(needed, most):
        "use shorter routes, or set fabric.switch.congestion.pool_bits to {needed}; {most} are the most";
    wider_turn_pool(needed): "use shorter routes, or set fabric.switch.turn_pool_bits to {needed}";
    broken_lines(queues, in_line): "{queues} queues hold packets, {in_line} request an output";
    broken_extra_packet(): "a packet of a message that is complete";
    broken_lost_packet(message): "a packet of message {message} is lost";
    broken_channel_credits(channel, used, held):
        "channel {channel}: {used} credits used, {held} held";
    broken_buffer_credits(buffer, used, held):
        "buffer {buffer}: {used} credits used, {held} held";
}
