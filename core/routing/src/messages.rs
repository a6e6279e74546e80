//! What routing says to people; the page has the Spanish in `app/src/text/es/routing.json`.

use hopscope_scenario::messages;

messages! {
    // Routes of one pair.
    routing_switches(count): "there are {count} switches, counted from 0";
    pair_of_one_switch(): "both ends are the same switch";
    pair_without_hosts(): "one of the switches has no hosts, so no routes begin or end there";
    name_two_switches(): "name two different switches with hosts";

    // Networks that a routing cannot be used on.
    network_not_connected(here, there): "it is not connected: no link joins {here} to {there}";
    link_the_sides(): "link the two sides, or take one of them away";
    switches_and_more(names, more): "{names} and {more} more";
    network_without_switches(): "there are none";
    draw_a_switch(): "draw at least one switch";
    root_does_not_exist(number, count):
        "there is no switch {number}: the network has {count}, counted from 0";
    name_a_root(): "name a switch that exists, or use `central`";
    no_legal_route(from, to): "there is no legal route from {from} to {to}";
    give_a_host_between():
        "give a host to a switch between them so that it can hold an in-transit buffer, or choose another routing";
    smart_search_too_large(size):
        "switches times channels are {size}, too many for the search of smart routing";
    smaller_network_for_smart(most): "choose another routing, or a network with at most {most}";
    tree_levels_linked(a, b): "{a} and {b} are on one level of the tree and linked";
    no_way_down(from, to): "not all ways up from {from} lead to a way down to {to}";
    too_many_ways_up(most, from): "there are more than {most} ways up from {from}";
    use_a_fat_tree(): "use a fat tree, such as a k-ary n-tree, or choose another routing";
    not_a_grid():
        "dimension order needs a mesh or torus, its switches numbered along one dimension after the other";
    use_a_grid(): "generate a mesh or torus, or choose another routing";
    route_table_too_large(megabytes, most):
        "its routes would take about {megabytes} MB of memory, more than {most} MB";
    smaller_route_table(): "use a smaller network, or fewer candidates (routing.max_candidates)";

    // Failures.
    failed_link_does_not_exist(number, count):
        "there is no link {number}: the network has {count}, counted from 0";
    failed_switch_does_not_exist(number, count):
        "there is no switch {number}: the network has {count}, counted from 0";
    name_a_link(): "name a link that exists";
    name_a_switch(): "name a switch that exists";

    // Routes that are given as text.
    route_line_form(): "write `route 0 2 : 0 1[5] 2`: indices of switches, and in brackets that of an in-transit host";
    pairs_without_routes(set, from, to, others):
        "set {set} has no route from switch {from} to {to}, nor for {others} other pairs";
    give_every_pair_a_route(): "give every pair of switches with hosts a route";
    not_a_route(): "this is no route";
    no_colon_after_ends(): "there is no `:` after the two ends";
    not_a_switch_index(word): "`{word}` is no switch index";
    switch_index_too_large(count, index): "there are {count} switches, not {index}";
    a_route_has_two_ends(): "a route has two ends";
    no_opening_bracket(word): "`{word}` has no `[`";
    not_a_cable_number(word): "`{word}` is no number of a cable";
    no_such_cable(from, to): "no such cable from {from} to {to}";
    route_begins_elsewhere(at, from): "the route begins at {at}, not at {from}";
    not_a_host_index(word): "`{word}` is no host index";
    host_at_another_switch(host, switch): "host {host} is not at switch {switch}";
    route_leads_elsewhere(from, to):
        "the route does not lead from {from} to {to}, or stops in transit at an end";
    wrong_number_of_route_sets(wanted, given):
        "it chooses from {wanted} route sets, and {given} are given";
    selection_of_these_routes(): "choose the selection the routes were made for";
    // Turn pools.
    turns_exceed_pool(from, to, switches, bits, most):
        "a route from {from} to {to} crosses {switches} switches, whose turns take {bits} bits; a \
         turn pool has {most}";
    longest_exceeds_pool(switches, bits, most):
        "the longest route, or part of one between in-transit stops, crosses {switches} switches, \
         whose turns take {bits} bits; a turn pool has {most}";
    shorten_routes(): "use shorter routes, or switches with fewer ports";
}
