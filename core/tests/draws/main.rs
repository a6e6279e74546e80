//! The draws of every distribution, pinned to the bit. The page's own tests hold the same table
//! against the same draws in WebAssembly.
//!
//! A change that is meant to change draws is accepted by
//! `HOPSCOPE_BLESS=1 cargo nextest run -p hopscope-core --test draws`.

mod table;

#[test]
fn every_distribution_draws_the_pinned_values() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/draws/draws.txt");
    let drawn = table::drawn();
    if std::env::var_os("HOPSCOPE_BLESS").is_some() {
        std::fs::write(path, &drawn).unwrap();
    }
    assert_eq!(drawn, std::fs::read_to_string(path).unwrap_or_default());
}
