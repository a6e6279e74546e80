//! What routing says to people; the page has the Spanish in `app/src/text/es/routing.json`.

use hopscope_scenario::messages;

messages! {
    // Choices that make no sense together.
    candidates_of_a_pair(count): "{count} routes per pair";
    candidates_range(most): "use 1 to {most}";
    legal_routes_need_no_itb():
        "shortest legal routes make no forbidden transition and close no cycle: no ITB would ever be placed";
    choose_minimal_or_no_placement(): "set routing.paths to minimal, or routing.placement to none";
    no_itbs_to_be_few(): "there are no ITBs to be few of, since routing.placement is none";
    choose_random_or_a_placement(): "set routing.choice to random, or choose a placement";
    balanced_choice_keeps_one_route():
        "it chooses per message among several routes, and a balanced choice keeps one per pair";
    choose_random_or_fixed(): "set routing.choice to random, or routing.selection to fixed";
    two_sets_without_placement():
        "it chooses between plain and in-transit routes, and routing.placement is none";
    choose_a_placement(): "choose a placement, such as forbidden-transition";
    two_sets_with_random_rule():
        "routes with ITBs by random numbers and plain routes can wait for each other in a circle";
    placements_of_two_sets():
        "set routing.placement to forbidden-transition, cycle-greedy, cycle-fewest or every";
    no_share_of_messages(value): "{value} is no share";
    share_from_0_to_1(): "use a number from 0 to 1";
    halfway_without_dimension_order():
        "it says which way dimension order goes half around a ring, and the preset is another";
    leave_halfway_out(): "leave it out, or set routing.preset to dimension-order";
    preset_makes_its_own_routes():
        "it makes routes of its own; orientation, paths, placement and choice do not apply to it";
    leave_axes_out(): "leave those out, or start from another preset";

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
}
