//! A file of another program is read or refused, by every format; what is read is a network that
//! can be validated and written.
#![no_main]

use hopscope_core::scenario::formats::{Format, Options, import_as};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for &format in Format::ALL {
        if !format.reads() {
            continue;
        }
        match import_as(format, "file", text, &Options::default()) {
            Ok(imported) => {
                let _ = imported.network.build();
            }
            Err(problems) => assert!(!problems.0.is_empty()),
        }
    }
});
