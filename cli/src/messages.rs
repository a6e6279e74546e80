//! What the command line says about its arguments, files and folders. It speaks English only.

hopscope_scenario::messages! {
    file_cannot_be_read(reason): "the file cannot be read: {reason}";
    file_too_long(): "the file is too long";
    use_at_most_bytes(most): "use at most {most} bytes";
    file_not_utf_8(reason): "the file is no UTF-8 text: {reason}";
    convert_to_utf_8(): "convert it to UTF-8";
    file_cannot_be_written(reason): "the file cannot be written: {reason}";
    more_with_overload(count):
        "flows offer more than the channels of their hosts carry in {count} more of its scenarios";
    base_is_a_scenario(): "a base is a scenario file";
    no_such_format(id): "there is no format `{id}`";
    use_one_of(words): "use one of {words}";
    name_tells_no_format(): "its name does not tell the format to write";
    say_to(words): "say --to; use one of {words}";
    not_a_goal(text): "`{text}` is not SHARE:DISTANCE:MTU";
    write_three_numbers(): "write three whole numbers, such as 30:4:8";
    no_such_family(family): "there is no family `{family}`";
    not_a_number(text, reason): "`{text}`: {reason}";
    parameter_meaning(meaning): "{meaning}";
    pairs_not_counted(): "the scenario does not count pairs of hosts";
    count_pairs(): "say --set measure.pairs=true";
    fabric_without_levels(fabric): "the fabric `{fabric}` has no service levels";
    use_other_table_or_fabric(): "ask for another table, or use the fabric `cut-through`";
    replications_out_of_bounds(count): "{count} replications";
    use_2_to(most): "use 2 to {most}";
    tolerance_out_of_bounds(): "it must be between 0 and 1";
    use_2_percent(): "use 0.02 for 2 %";
    see_the_studies(): "see scenarios/studies for an example";
    over_is_of_factors(): "a factor or an increase is over another routing, and nothing else is";
    add_or_remove_over(): "add or remove `over`";
    no_preset(): "a row with `over` needs the routing that is compared with it";
    name_a_preset(): "name it in `preset`";
    wrong_loads(): "loads are numbers above 0, and this quantity needs two of them at least";
    list_loads(): "list them, such as [0.7, 0.8, 0.9]";
    needless_loads(): "this quantity has no load";
    remove_it(): "remove it";
    base_without_levels(): "the fabric of the base has no service levels";
    use_a_quantity_of_all(): "use a quantity that is not per level, or a cut-through base";
    published_per_level(levels):
        "this quantity has {levels} published figures, one per service level, null where there is \
         none";
    published_is_a_number(): "this quantity has one published figure";
    negative_tolerance(): "the tolerance is negative";
    use_0_or_more(): "use 0 or more";
    no_such_name(name): "the study has no `{name}`";
    use_a_name_of(names): "use one of: {names}";
    than_of_one_figure(): "a row with loads combined, or over a routing, is not compared further";
    points_are_no_loads(): "the points of this quantity are not two or more total loads";
    list_points_by_load(): "list points that are named by their loads, the least first";
    load_is_no_finding(): "this quantity is judged by a published figure, not as a finding";
    use_published_and_tolerance(): "use `published` and `tolerance`";
    below_of_shortfalls(): "only `falls_short_from` has this field";
    mean_of_one_point(): "needs two points at least in `at`, and a quantity that has a figure at each";
    beyond_of_comparisons(): "needs `than`, and quantities that are measured in the same way";
    finding_and_published(): "a row has a published figure or a finding, not both";
    no_networks(): "0 networks";
    use_one_network(): "use 1 at least";
    no_row_of_switches(switches): "the study has no row with networks of {switches} switches";
    leave_switches_out(): "leave it out: no row names a number of switches";
    results_of_a_study(): "name a file with what `hopscope study --json` printed";
    no_such_row(): "the study has no row with this quantity, title and tolerance";
    results_of_this_study(): "name results of this study, or measure again";
    no_marker(study): "it has no place for the study `{study}`";
    add_markers(study): "add the lines `<!-- study: {study} -->` and `<!-- end -->`";
    folder_cannot_be_used(reason): "it cannot be used: {reason}";
    folder_of_another_experiment(): "it holds the results of another experiment";
    use_another_folder(): "use another folder, or remove it";
    folder_has_results(): "it holds results of this experiment already";
    say_resume(): "say --resume to go on, or use another folder";
    threads_not_started(reason): "they cannot be started: {reason}";
    use_fewer(): "use fewer";
    folder_of_another_version(other, this):
        "it holds results of Hopscope {other}, and this is Hopscope {this}: two versions may give \
         other results";
    finish_with_that_version(): "go on with that version, or use another folder";
    results_in_use(): "another process writes to it";
    wait_or_stop_it(): "wait until it ends, or stop it";
    not_results(reason): "these are no results of a sweep: {reason}";
    name_results(): "name files `results*.jsonl` that a sweep has written, or their folder";
    no_results_in_folder(): "the folder has no files `results*.jsonl`";
    no_consent(points, time): "{points} points take about {time}";
    say_yes_or_fewer(): "say --yes to run them, or vary less";
    no_tasks(): "0 tasks";
    no_cores(): "0 cores";
    use_one_at_least(): "use 1 at least";
    seconds_out_of_bounds(): "it must be above 0";
    use_seconds(): "use the seconds that a point takes, such as 12.5";
    name_not_for_scripts(): "the name has characters that a script of Slurm cannot have";
    use_plain_name(): "use a name without quotation marks and control characters";
    figure_of_no_kind(): "its name does not tell the format of the figure";
    name_figure_so(): "use a name that ends in .svg, .csv or .json";
}
