//! A file of routes is read or refused; what is read is written so that it reads the same.
#![no_main]

use hopscope_core::network::Network;
use hopscope_core::routing::dump;
use hopscope_core::scenario::Scenario;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

/// Four switches in a ring, with a host on each.
static NETWORK: LazyLock<Network> = LazyLock::new(|| {
    let text = r#"{ "hopscope": 1, "network":
        { "generate": { "kind": "ring", "switches": 4, "hosts_per_switch": 1 } } }"#;
    let scenario = Scenario::parse(text).expect("a scenario");
    scenario.network.build().expect("a network")
});

fuzz_target!(|text: &str| {
    match dump::parse(&NETWORK, text, "file") {
        Ok(table) => {
            let again = dump::dump(&NETWORK, &table);
            assert_eq!(dump::parse(&NETWORK, &again, "file").as_ref(), Ok(&table));
        }
        Err(problems) => assert!(!problems.0.is_empty()),
    }
});
