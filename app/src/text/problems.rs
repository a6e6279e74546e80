//! Problems that the page itself finds, beside those of the core; their Spanish is in
//! `es/page.json`.

hopscope_scenario::messages! {
    file_too_large(megabytes): "The file is larger than {megabytes} MB";
    file_not_read(reason): "the browser cannot read the file: {reason}";
    worker_of_study(): "worker";
    computation_ended(reason): "the computation ended: {reason}";
    is_an_experiment(): "this is an experiment; open it as a file";
    is_a_trace(): "this is the trace of an application; open it as a file";
    not_percent_encoded(): "the text of the file is not percent-encoded";
    not_a_request(reason): "this is no request: {reason}";
    too_many_requests(most): "{most} requests are waiting already";
    nothing_runs(): "no scenario is loaded";
}
