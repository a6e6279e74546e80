//! The file of an experiment or a study is read or refused.
#![no_main]

use hopscope_core::experiment::Experiment;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(problems) = Experiment::parse(text) {
        assert!(!problems.0.is_empty());
    }
});
