//! A trace is read or refused, as GOAL, as VEF, and as what its first line says.
#![no_main]

use hopscope_core::application::traces;
use hopscope_core::scenario::TraceFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for format in [None, Some(TraceFormat::Goal), Some(TraceFormat::Vef)] {
        if let Err(problems) = traces::read(text, format) {
            assert!(!problems.0.is_empty());
        }
    }
});
