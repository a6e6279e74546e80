//! wasm-bindgen's two programs in one binary, which is started under the name of either:
//! `wasm-bindgen`, which Trunk calls, and `wasm-bindgen-test-runner`, which `cargo test` calls.
//!
//! `cargo install wasm-bindgen-cli` takes the newest versions of its dependencies, or with
//! `--locked` versions that a registry may no longer have. This crate has a lock file that is known
//! to build.

use std::ffi::OsString;
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    let name = args.first().and_then(|path| Path::new(path).file_stem()).unwrap_or_default();
    if name == "wasm-bindgen-test-runner" {
        return wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(args);
    }
    // Trunk has no setting for these options, so they come in the environment.
    if let Ok(options) = std::env::var("WASM_BINDGEN_OPTIONS") {
        args.extend(options.split_whitespace().map(OsString::from));
    }
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(args)
}
