//! The word of a link is read or refused; what is in it is treated as a scenario file.
#![no_main]

use hopscope_core::scenario::Scenario;
use hopscope_core::scenario::share;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // As a stranger's link, and as the text in a link that is whole.
    if let Ok(scenario) = Scenario::from_link(text) {
        assert_eq!(Scenario::from_link(&scenario.to_link()), Ok(scenario));
    }
    let word = share::to_word(text);
    assert_eq!(share::from_word(&word).as_deref(), Ok(text));
    let _ = Scenario::from_link(&word);
});
