//! wasm-bindgen's programs, told apart by the name they are started with: `wasm-bindgen` and
//! `wasm-bindgen-test-runner`.
//!
//! `cargo install wasm-bindgen-cli` would do, but depends on whatever its own dependencies released today, or, with
//! `--locked`, on versions that may be gone; this crate has a lock file that is known to build.

mod links;
mod parts;
mod web;

use anyhow::{Context, Result};
use std::env::var_os;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    let name = args.first().and_then(|path| Path::new(path).file_stem()).unwrap_or_default();
    if name == "wasm-bindgen-test-runner" {
        return wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(args);
    }
    let value = |option: &str| {
        args.iter().find_map(|arg| Some(arg.to_str()?.strip_prefix(option)?.to_owned()))
    };
    let (folder, name) = (value("--out-dir="), value("--out-name="));
    // Trunk cannot pass on that the program is to be in two parts; it also asks for the version.
    let (Some(rest), Some(folder), Some(name)) = (var_os("HOPSCOPE_REST"), folder, name) else {
        return wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(args);
    };
    let linked = args
        .iter()
        .map(PathBuf::from)
        .find(|path| path.extension().is_some_and(|end| end == "wasm"));
    let linked = linked.context("wasm-bindgen is called with a program")?;
    // Names as the linker has them.
    args.insert(1, "--no-demangle".into());
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(args)?;

    let program = PathBuf::from(folder).join(format!("{name}_bg.wasm"));
    let rules = var_os("HOPSCOPE_LATER").context("HOPSCOPE_LATER is not set")?;
    let rules = String::from_utf8(read(Path::new(&rules))?)?;
    let [first, second] = parts::cut(&read(&program)?, &read(&linked)?, &rules)?;
    write(&program, first)?;
    write(Path::new(&rest), second)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| path.display().to_string())
}

fn write(path: &Path, bytes: Vec<u8>) -> Result<()> {
    std::fs::write(path, bytes).with_context(|| path.display().to_string())
}
