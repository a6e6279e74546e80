//! The words of figures and what is wrong with results that cannot be drawn.

hopscope_scenario::messages! {
    plain(text): "{text}";
    axis_number(number): "{number}";
    accepted_traffic(unit): "accepted traffic, {unit}";
    offered_traffic(unit): "offered traffic, {unit}";
    most_accepted_traffic(unit): "largest accepted traffic, {unit}";
    flits_per_ns_per_switch(): "flits/ns/switch";
    flits_per_cycle_per_host(): "flits/cycle/host";
    mean_network_latency(): "mean latency from injection, ns";
    mean_total_latency(): "mean latency from generation, ns";
    network_latency(): "latency from injection, ns";
    total_latency(): "latency from generation, ns";
    share_of_messages(): "share of messages in each step";
    channels_sorted(): "channels between switches, sorted, share of all";
    share_of_cycles(): "share of cycles";
    utilised(name): "{name}: sending";
    blocked(name): "{name}: blocked";
    time_measured(): "time since measuring began, µs";
    level_of(name, level): "{name}: {level}";
    level_number(level): "level {level}";
    at_load(load): "at load {load}";
    transient_note(): "not steady: figures of a transient";
    not_steady_note(): "hollow: not steady, figures of a transient";
    outside_note(): "arrow: beyond the axis";
    steady_bars_note(): "bars: confidence intervals";
    seed_bars_note(): "bars: confidence intervals over seeds";
    first_seed_note(): "of the first seed";
    run_time(): "run time of the application, µs";
    bytes_of_application(): "bytes of the application";
    unfinished_note(): "left out: runs whose application did not finish";
    spread_note(): "lines: spread over seeds";
    published(): "published";
    ours(): "ours";
    rows_of_table(): "rows of the table";
    difference_of(quantity): "{quantity}: difference, %";
    difference_from(quantity, other): "{quantity}: difference from {other}, %";
    total_load(): "total load, share of the bandwidth of the links";
    seed_spread_note(): "bars: spread over replications";
    tolerance_note(): "lines of published figures: tolerance; of ours: spread over replications";
    provenance(scenario, version, seed, fingerprint):
        "{scenario} | Hopscope {version} | seed {seed} | fingerprint {fingerprint}";
    no_results(): "there are no results to draw";
    run_some_points(): "run some points first";
    too_many_series(series): "{series} series are too many to tell apart";
    use_at_most_series(series): "compare at most {series} settings, or use another kind of figure";
    results_without_channels(): "the results have no channels";
    results_without_course(): "the results have no values over time";
    results_without_histogram(): "the results have no histogram of latencies";
    run_with_kind(kind): "run the sweep with --figure-kind {kind}";
    results_without_run_time(): "no application has finished, so there are no run times";
    results_without_levels(): "the fabric has no service levels";
    use_another_kind(): "use another kind of figure";
    results_of_other_form(reason): "a report has not the fields it should: {reason}";
    run_with_this_version(): "run the points with this version";
}
