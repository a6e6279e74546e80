//! wasm-bindgen's programs, told apart by the name they are started with: `wasm-bindgen` and
//! `wasm-bindgen-test-runner`.
//!
//! `cargo install wasm-bindgen-cli` would do, but depends on whatever its own dependencies released today, or, with
//! `--locked`, on versions that may be gone; this crate has a lock file that is known to build.

use std::ffi::OsString;
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    let name = args.first().and_then(|path| Path::new(path).file_stem()).unwrap_or_default();
    if name == "wasm-bindgen-test-runner" {
        return wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(args);
    }
    // Trunk cannot pass these on. Function names are a sixth of the download and of use to debuggers only.
    if std::env::var_os("HOPSCOPE_DROP_NAMES").is_some() {
        args.extend(["--remove-name-section", "--remove-producers-section"].map(OsString::from));
    }
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(args)
}
