//! Message templates of the axes of a routing: choices that make no sense together, and fixes.

use crate::messages;

messages! {
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
    placements_of_two_sets(placements): "set routing.placement to one of {placements}";
    no_share_of_messages(value): "{value} is no share";
    share_from_0_to_1(): "use a number from 0 to 1";
    halfway_without_dimension_order():
        "it says which way dimension order goes half around a ring, and the preset is another";
    leave_halfway_out(presets): "leave it out, or set routing.preset to {presets}";
    itb_hosts_without_itbs(): "no route stops at an in-transit host";
    leave_itb_host_out(): "leave it out, or set routing.preset to one with ITBs, such as UD_ITB";
    preset_makes_its_own_routes():
        "it makes routes of its own; orientation, paths, placement and choice do not apply to it";
    leave_axes_out(): "leave those out, or start from another preset";
}
