//! A scenario file is read or refused with problems; what is read is written so that it reads the
//! same, and can be validated.
#![no_main]

use hopscope_core::scenario::Scenario;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Scenario::read(text) {
        Ok(scenario) => {
            scenario.validate();
            assert_eq!(Scenario::read(&scenario.to_json()), Ok(scenario));
        }
        Err(problems) => assert!(!problems.0.is_empty()),
    }
});
