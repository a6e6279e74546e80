//! Message templates of the network formats: problems in files, their fixes, and notes.

use crate::messages;

messages! {
    // The file as a whole.
    file_format_unknown(): "this is none of the formats that can be read";
    file_format_choices(formats): "use one of {formats}";
    file_has_bytes(bytes): "the file has {bytes} bytes";
    file_bytes_limit(max): "use at most {max}";
    file_table_is_written_only(): "tables of cables are written, not read";
    file_use_source_of_table(): "use the file the table was made from";
    file_is_read_only(): "networks are read in this format, not written";
    file_network_too_large(): "the network is larger than can be simulated";
    file_network_limits(switches, hosts, cables):
        "stay within {switches} switches, {hosts} hosts, {cables} cables";
    file_has_no_switch(): "there is no switch in it";
    file_check_it_is_right(): "check that this is the right file";
    file_check_line(): "check this line";
    file_use_fewer_levels(): "use fewer levels";
    file_expected(found, wanted): "{found} where {wanted} was expected";
    file_number_wrong(name, value): "{name} is `{value}`";
    file_number_range(min, max): "use a whole number from {min} to {max}";

    // The network described by a file.
    file_cable_between_hosts(a, b): "a cable between hosts: `{a}` and `{b}`";
    file_link_hosts_to_switches(): "link hosts to switches only";
    file_host_without_switch(host): "host `{host}` is on no switch";
    file_link_or_remove(): "link it to one, or remove it";
    file_ports_needed(switch, ports): "`{switch}` needs {ports} ports";
    file_ports_limit(max): "a switch has at most {max}";

    // Notes on a network that was written.
    note_names_changed(count, example):
        "{count} names were changed, since the format cannot express them, the first is `{example}`";

    // Notes on a network that was read.
    note_cannot_be_run(why, fix): "cannot be run as it is: {why}; {fix}";
    note_hosts_added(hosts_per_switch):
        "the file has no hosts: every switch was given {hosts_per_switch}";
    note_loops_left_out(count):
        "{count} cables lead from a switch back to itself and were left out";
    note_hosts_split(count): "{count} hosts have several cables: one host was made of each";
    note_ports_renumbered():
        "port numbers of the file contradict each other or are too large: new ones were given";
    note_ports_added(count):
        "{count} switches have fewer ports than cables: they were given more";
    note_names_changed_on_reading(count):
        "{count} names were changed, since they are too long, used twice or have control characters";
    note_positions_left_out(count): "{count} positions are off the stage and were left out";

    // anynet.
    anynet_number_missing(word, number, missing):
        "there is a {word} {number} but no {word} {missing}";
    anynet_number_without_gaps(word): "number {word}s from 0 without gaps";
    anynet_node_on_two_routers(node, line): "node {node} is on a router already, since line {line}";
    anynet_one_router_per_node(): "put every node on one router";
    anynet_router_or_node(): "`router` or `node`";
    anynet_number_of(word): "the number of a {word}";
    anynet_end_of_line(): "the end of the line";
    anynet_write_router_or_node(): "write router ID or node ID";
    anynet_write_whole_number(): "write a whole number";
    anynet_latency_wrong(latency): "a latency of `{latency}`";
    anynet_nodes_linked(): "two nodes are linked";
    anynet_link_nodes_to_routers(): "link nodes to routers";
    note_anynet_one_way_latencies(count):
        "{count} cables have a latency in one direction only, and BookSim takes 1 for the other: it was taken for both";
    note_anynet_latencies_differ(count):
        "{count} cables have another latency backwards: that of the first direction was taken";
    note_anynet_node_latencies_left_out(count):
        "{count} cables of nodes have a latency of their own, which was left out";
    note_anynet_parallel_left_out(count):
        "{count} parallel cables were left out: anynet has at most one between two routers";
    note_anynet_names_left_out(): "names, ports and positions were left out: anynet has none";

    // DOT.
    dot_is_gml(): "this is GML, which is not DOT";
    dot_convert_gml(): "convert it to DOT, for example with Graphviz's gml2gv, or to GraphML";
    dot_comment_open(): "this comment is not closed";
    dot_close_comment(): "end it with */";
    dot_character_unknown(character): "`{character}` is no part of the DOT language";
    dot_quote_names(): "put names in quotes";
    dot_quote_open(): "this quoted text is not closed";
    dot_close_quote(): "end it with a quote";
    dot_html_open(): "this HTML text is not closed";
    dot_close_html(): "end it with >";
    dot_subgraphs_too_deep(): "subgraphs are nested too deep";
    dot_end_of_file(): "the end of the file";
    dot_end_after_graph(): "the end of the file, after the graph,";
    dot_graph_or_digraph(): "`graph` or `digraph`";
    dot_quoted_text(): "quoted text after `+`";
    dot_directed_edge(): "`->` in a digraph";
    dot_undirected_edge(): "`--` in a graph";
    dot_node(): "a node";
    dot_node_edge_or_end(): "a node, an edge or `}`";
    dot_value(): "a value";
    dot_port(): "a port";
    dot_attribute_or_end(): "an attribute or `]`";

    // GraphML.
    graphml_not_xml(error): "this is not XML: {error}";
    graphml_check_file(): "check that this is a GraphML file";
    graphml_too_deep(): "elements are nested too deep";
    graphml_attributes(count): "an element with {count} attributes";
    graphml_attributes_limit(max): "use at most {max}, and `data` elements for the rest";
    graphml_namespaces(count): "{count} namespaces are declared for this element";
    graphml_namespaces_limit(max): "declare at most {max}";
    graphml_node_without_id(): "a node without `id`";
    graphml_give_id(): "give it one";
    graphml_id_twice(id): "there is a node `{id}` already";
    graphml_unique_ids(): "give every node its own id";
    graphml_node_unknown(id): "there is no node `{id}`";
    graphml_name_known_node(): "name a node of the file";
    graphml_end_missing(end): "an edge without `{end}`";
    graphml_name_both_ends(): "name both its nodes";
    graphml_hyperedge(): "a hyperedge";
    graphml_use_edges(): "a cable has two ends: use edges";

    // ibnetdiscover.
    topo_line_forms():
        "a node is `Switch 36 \"S-...\" # \"name\"`, a cabled port `[1] \"S-...\"[2] # \"name\" lid 1 4xEDR`";
    topo_no_node(): "there is no `Switch` or `Ca` line in it";
    topo_port_before_node(): "a port before any `Switch` or `Ca` line";
    topo_port_too_large(port, ports): "port {port} of a node with {ports}";
    topo_port_twice(port): "port {port} was described before";
    topo_node_twice(id): "`{id}` was described before";
    topo_ports_missing(): "the number of ports is missing";
    topo_id_missing(): "the quoted identifier is missing";
    topo_ports_out_of_range(ports, max): "a node with {ports} ports; 1 to {max} can be simulated";
    topo_port_number_missing(): "the port number is missing";
    topo_peer_missing(): "the quoted identifier of the other end is missing";
    topo_peer_open(): "the quoted identifier of the other end is not closed";
    topo_bracket_open(): "a bracket is not closed";
    topo_peer_port_missing(): "the port of the other end is missing";
    topo_ports_from_1(): "ports are counted from 1";
    topo_ends_differ(line): "the other end, line {line}, says that it leads elsewhere";
    topo_describe_both_ends(): "every cable must be described alike at both ends";
    topo_switch_unknown(id): "switch `{id}` is not described in this file";
    topo_dump_whole_fabric(): "dump the whole fabric";
    topo_port_with_two_cables(port, id): "port {port} of `{id}` has two cables";
    topo_one_cable_per_port(): "every port has one";
    topo_no_switch_leads_to(id): "no switch of this file says that its port leads to `{id}`";
    topo_describe_at_switch():
        "every cable must be described alike at both ends, one of them a switch";
    note_topo_lines_passed_over(count, line):
        "{count} lines say nothing about cables and were passed over, the first is line {line}";
    note_topo_speeds_differ(speeds): "link speeds differ ({speeds}): all cables were made equal";
    note_topo_one_end(count):
        "{count} cables are described at one end only: they were taken as they are";
    note_topo_hosts_not_described(count):
        "{count} ports lead to hosts that are not described themselves: they were taken as they are";
    note_topo_delays_left_out(): "delays and positions were left out: the format has none";

    // htsim.
    htsim_word_unknown(word): "`{word}` says nothing of a fat tree";
    htsim_before_tier(word): "`{word}` before any `Tier`";
    htsim_begin_tier(): "begin each tier with `Tier` and its number, from 0";
    htsim_twice(word, line): "`{word}` was given before, in line {line}";
    htsim_say_it_once(): "give it once";
    htsim_missing(word): "`{word}` is missing";
    htsim_missing_in_tier(word, tier): "`{word}` of tier {tier} is missing";
    htsim_no_multiple(name, value, of, divisor):
        "`{name}`, {value}, is no multiple of `{of}`, {divisor}";
    htsim_use_multiple(divisor): "use a multiple of {divisor}";
    htsim_use(value): "use {value}";
    htsim_radix_wrong(radix, tier, cables):
        "`Radix_Down` of tier {tier} is {radix}, but {cables} cables lead up to each of its switches";
    htsim_bundle_of_hosts(bundle): "hosts with {bundle} cables";
    htsim_oversubscription_wrong(ratio, down, up):
        "`Oversubscribed` is {ratio}, but {down} Gb/s down and {up} Gb/s up do not have this ratio";
    htsim_check_oversubscription(): "remove it, or check the radices and speeds";
    note_htsim_speeds_left_out():
        "speeds, latencies and queues were left out: those of the scenario's fabric are used";

    // HPCC and SimAI.
    hpcc_header_wrong(): "the first line does not give the numbers of nodes, switches and links";
    hpcc_header_forms():
        "write `nodes switches links`, or `nodes gpus_per_server nvswitches switches links gpu_type`";
    hpcc_more_switches(switches, nodes): "{switches} switches among {nodes} nodes";
    hpcc_switches_missing(found, wanted): "only {found} of {wanted} switches are listed";
    hpcc_switch_unexpected(node, wanted):
        "node {node} is listed twice, or is more than the {wanted} switches";
    hpcc_list_switches(): "list the identifier of every switch once, below the first line";
    hpcc_node_wrong(word): "`{word}` where the identifier of a node was expected";
    hpcc_link_wrong(): "this line does not describe a link";
    hpcc_link_form(): "write `source destination rate delay error_rate`";
    hpcc_links_wrong(found, wanted): "the file has {found} links, but the first line says {wanted}";
    hpcc_check_links(): "check that the file is complete";
    note_hpcc_nv_switches_left_out(count, links):
        "{count} NVSwitches within servers and their {links} links were left out: a host is the NIC of a GPU";
    note_hpcc_rates_left_out():
        "rates, delays and error rates were left out: those of the scenario's fabric are used";

    // Scenario files.
    note_only_network_taken(): "only the network of the scenario was taken";
    note_network_generated(): "the network was made by its generator";
}
