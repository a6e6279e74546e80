//! Message templates of the generators: what is wrong with their parameters, and fixes.

use crate::messages;

messages! {
    generator_makes_switches(count): "this makes {count} switches";
    generator_makes_hosts(count): "this makes {count} hosts";
    generator_makes_cables(count): "this makes {count} cables between switches";
    generator_stay_within(max): "stay within {max}";
    generator_needs_two_hosts(): "a network needs 2";
    generator_ports_needed(ports): "a switch would need {ports} ports";
    generator_ports_too_few(ports): "{ports} ports are too few";
    generator_use_more_ports(ports): "use {ports} or more, or fewer hosts or links";

    bmin_ports_odd(ports): "{ports} ports cannot be halved";
    bmin_use_even_number(): "use an even number";
    bmin_switches_not_full(hosts, per_switch):
        "{hosts} hosts do not fill switches of {per_switch} each";
    bmin_use_multiple(hosts): "use a multiple of {hosts}";

    dragonfly_groups_unreached(links, groups):
        "{links} global links of a group do not reach {groups} others";
    dragonfly_groups_limit(max): "use at most {max}, or more global links";

    grid_dimensions(count): "{count} dimensions";
    grid_dimensions_range(max): "use 1 to {max}";

    irregular_ports_too_few(ports, switches):
        "{ports} free ports per switch do not connect {switches} switches";
    irregular_use_more_ports(ports): "use {ports} or more, or fewer hosts per switch";
    irregular_not_connected(switches, links):
        "no connected wiring of {switches} switches with {links} links each was found";
    irregular_use_more_ports_or_fewer_hosts(): "use more ports or fewer hosts per switch";

    regular_degree_too_large(links, others): "{links} links, but only {others} other switches";
    regular_degree_limit(max): "use at most {max}";
    regular_ends_odd(switches, links):
        "{switches} switches of {links} links have an odd number of ends";
    regular_make_one_even(): "make one of the two even";
    regular_degree_too_small(links, switches): "{links} links do not connect {switches} switches";
    regular_use_two_links(): "use 2 or more";
    regular_not_connected(attempts): "no connected wiring was found in {attempts} attempts";
    regular_use_another_seed(): "use another degree or seed";

    rail_gpus_not_multiple(gpus, rails): "{gpus} GPUs are no multiple of {rails} rails";
    rail_use_multiple(rails): "use a multiple of {rails}";

    slim_fly_no_prime_power(q): "{q} is no prime power of the form 4w-1, 4w or 4w+1";
    slim_fly_use_prime_power(below, above): "use {below} or {above}";
}
