//! The tools that the page's build and the tests need besides cargo. Each function installs its
//! tool if it is missing.
//!
//! Trunk and wasm-bindgen lie in a cache outside the repository ([`cache`]), so that a fresh clone
//! does not build them again.

use crate::lock_file;
use crate::shell::{Done, cargo, on_path, output, program, root, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const WASM_TARGET: &str = "wasm32-unknown-unknown";
const TRUNK: &str = "0.21.14";

/// `cargo xtask setup`: installs all tools.
pub fn everything() -> Done {
    page_build()?;
    test_packages()?;
    chromium().map(drop)
}

/// Installs what building the page needs. Returns the command of Trunk, with its environment set.
pub fn page_build() -> Done<Command> {
    wasm_target()?;
    let trunk = trunk()?;
    let bindgen = wasm_bindgen()?;
    // Trunk is offline (trunk.toml), and so is the cargo it starts: crates are fetched here.
    quietly(cargo().args(["fetch", "--locked", "--quiet"]))?;

    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(bindgen).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).map_err(|why| format!("PATH: {why}"))?;
    let mut command = program(trunk);
    command.env("PATH", path).env("TRUNK_CONFIG", root().join("trunk.toml")).env_remove("NO_COLOR");
    Ok(command)
}

/// Rust's standard library for WebAssembly.
pub fn wasm_target() -> Done {
    let sysroot =
        output(cargo_rustc().args(["--print", "sysroot"])).ok_or("rustc does not answer")?;
    if Path::new(&sysroot).join("lib/rustlib").join(WASM_TARGET).is_dir() {
        return Ok(());
    }
    run(program("rustup").args(["target", "add", WASM_TARGET])).map_err(|why| {
        format!(
            "{why}\nInstall Rust's {WASM_TARGET} standard library with rustup or your distribution."
        )
    })
}

fn cargo_rustc() -> Command {
    program(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Trunk, which bundles the page.
fn trunk() -> Done<PathBuf> {
    if let Some(found) = on_path("trunk")
        && output(program(&found).arg("--version")).is_some_and(|answer| answer.ends_with(TRUNK))
    {
        return Ok(found);
    }
    cargo_tool("trunk", TRUNK)
}

/// The folder with wasm-bindgen and its test runner, of exactly the version that the page links.
fn wasm_bindgen() -> Done<PathBuf> {
    let version = locked_version("wasm-bindgen")?;
    let home = cache()?.join(format!("wasm-bindgen-cli-{version}"));
    let folder = home.join("bin");
    let source = root().join("xtask/wasm-bindgen");
    let read = |path: &Path| fs::read(path).map_err(|why| format!("{}: {why}", path.display()));
    let recipe = ["Cargo.lock", "src/main.rs"].map(|file| read(&source.join(file)));
    let recipe = recipe.into_iter().collect::<Done<Vec<_>>>()?.concat();
    let built_from = home.join("built-from");
    if fs::read(&built_from).is_ok_and(|old| old == recipe) {
        return Ok(folder);
    }
    eprintln!("Building wasm-bindgen {version} (about a minute, once)");
    let mut install = cargo();
    quick_to_build(&mut install, "0").args(["install", "--locked", "--force", "--quiet"]);
    let target = home.join("target");
    run(install
        .arg("--path")
        .arg(&source)
        .arg("--root")
        .arg(&home)
        .arg("--target-dir")
        .arg(&target))?;
    for name in ["wasm-bindgen", "wasm-bindgen-test-runner"] {
        let (built, tool) = (folder.join("hopscope-wasm-bindgen"), folder.join(name));
        fs::copy(&built, &tool).map_err(|why| format!("{}: {why}", tool.display()))?;
    }
    fs::remove_dir_all(target).ok();
    let answer = output(program(folder.join("wasm-bindgen")).arg("--version")).unwrap_or_default();
    if answer != format!("wasm-bindgen {version}") {
        return Err(format!(
            "Cargo.lock has wasm-bindgen {version} and xtask/wasm-bindgen {answer}: make them equal"
        ));
    }
    fs::write(&built_from, recipe).map_err(|why| format!("{}: {why}", built_from.display()))?;
    Ok(folder)
}

/// This machine's target triple.
pub fn host() -> Done<String> {
    let answer = output(cargo_rustc().arg("-vV")).ok_or("rustc does not answer")?;
    let host = answer.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say its host".into())
}

/// Compiler flags under which panic messages name source files of dependencies without the folder
/// that they have on this machine. Those of the workspace are named from its root.
pub fn without_local_paths() -> Done<String> {
    Ok(format!("--remap-path-prefix={}=cargo", cargo_home()?.display()))
}

/// cargo-cyclonedx, which writes software bills of materials.
pub fn cyclonedx() -> Done<Command> {
    Ok(program(cargo_tool("cargo-cyclonedx", "0.5.9")?))
}

/// cargo-about, which collects the licences of packages.
pub fn cargo_about() -> Done<Command> {
    const FEATURES: [&str; 2] = ["--features", "cli"];
    // It compares thousands of texts, for minutes if it is not optimised.
    Ok(program(cargo_tool_with("cargo-about", "0.9.3", "2", &FEATURES)?))
}

/// cargo-deny, which checks licences, sources and known vulnerabilities of packages.
pub fn cargo_deny() -> Done<PathBuf> {
    cargo_tool("cargo-deny", "0.20.2")
}

/// cargo-fuzz, which builds fuzz targets.
pub fn cargo_fuzz() -> Done<PathBuf> {
    cargo_tool("cargo-fuzz", "0.13.2")
}

/// cffconvert, which checks citation files, in a Python environment of its own.
pub fn cffconvert() -> Done<PathBuf> {
    const VERSION: &str = "2.0.0";
    let home = cache()?.join(format!("cffconvert-{VERSION}"));
    let binary = home.join("bin/cffconvert");
    if !binary.is_file() {
        run(program("python3").args(["-m", "venv"]).arg(&home))?;
        let mut pip = program(home.join("bin/pip"));
        run(pip.args(["install", "--quiet", &format!("cffconvert=={VERSION}")]))?;
    }
    Ok(binary)
}

/// A program from a package of the same name.
fn cargo_tool(name: &str, version: &str) -> Done<PathBuf> {
    cargo_tool_with(name, version, "0", &[])
}

/// A program from a package of the same name, compiled at optimisation `level` and installed with
/// more `arguments`.
fn cargo_tool_with(name: &str, version: &str, level: &str, arguments: &[&str]) -> Done<PathBuf> {
    let home = cache()?.join(format!("{name}-{version}"));
    let binary = home.join("bin").join(name);
    if !binary.is_file() {
        eprintln!("Installing {name} {version} (a few minutes, once)");
        let mut install = cargo();
        quick_to_build(&mut install, level).args([
            "install",
            name,
            "--locked",
            "--quiet",
            "--version",
            version,
        ]);
        run(install.args(arguments).arg("--root").arg(&home))?;
    }
    Ok(binary)
}

/// The runner of `cargo test --target wasm32-unknown-unknown`.
pub fn wasm_test_runner() -> Done<PathBuf> {
    wasm_target()?;
    Ok(wasm_bindgen()?.join("wasm-bindgen-test-runner"))
}

/// The browser to test in: `HOPSCOPE_CHROMIUM`, or one on PATH, or on Debian as root one that this
/// function installs.
pub fn chromium() -> Done<PathBuf> {
    if let Some(path) = std::env::var_os("HOPSCOPE_CHROMIUM") {
        return Ok(path.into());
    }
    let find =
        || ["chromium", "chromium-browser", "google-chrome"].iter().find_map(|name| on_path(name));
    if let Some(found) = find() {
        return Ok(found);
    }
    let is_root = output(program("id").arg("-u")).is_some_and(|id| id == "0");
    if is_root && on_path("apt-get").is_some() {
        run(program("apt-get").args(["update", "-qq"]))?;
        let mut install = program("apt-get");
        run(install.env("DEBIAN_FRONTEND", "noninteractive").args([
            "install",
            "-y",
            "-qq",
            "--no-install-recommends",
            "chromium",
            "fonts-dejavu-core",
        ]))?;
    }
    find().ok_or_else(|| {
        "no Chromium: install it (Debian: apt-get install chromium) or set HOPSCOPE_CHROMIUM".into()
    })
}

/// The minifier of the page's scripts and style sheets.
pub fn esbuild() -> Done<Command> {
    test_packages()?;
    Ok(program(root().join("tests/node_modules/.bin/esbuild")))
}

/// The npm packages of `tests/`.
pub fn test_packages() -> Done {
    if on_path("npm").is_none() {
        return Err("no npm: building and testing the page need Node.js 20 or later".into());
    }
    let tests = root().join("tests");
    let lock = fs::read(tests.join("package-lock.json"))
        .map_err(|why| format!("tests/package-lock.json: {why}"))?;
    let stamp = tests.join("node_modules/.installed-from");
    if fs::read(&stamp).is_ok_and(|old| old == lock) {
        return Ok(());
    }
    let mut npm = program("npm");
    // The tests use the system's browser.
    npm.current_dir(&tests).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    run(npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
    fs::write(&stamp, lock).map_err(|why| format!("{}: {why}", stamp.display()))
}

/// The folder in which cargo keeps the sources of dependencies.
pub fn cargo_home() -> Done<PathBuf> {
    let home = || std::env::home_dir().map(|folder| folder.join(".cargo"));
    var("CARGO_HOME").or_else(home).ok_or_else(|| "no folder of cargo: set CARGO_HOME".into())
}

fn var(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The folder of the tools.
fn cache() -> Done<PathBuf> {
    var("HOPSCOPE_CACHE")
        .or_else(|| var("XDG_CACHE_HOME").map(|folder| folder.join("hopscope")))
        .or_else(|| var("HOME").map(|folder| folder.join(".cache/hopscope")))
        .ok_or_else(|| "no folder for the tools: set HOPSCOPE_CACHE".into())
}

/// Has a tool built at optimisation `level`: most run for seconds, and optimising them takes
/// minutes.
fn quick_to_build<'a>(command: &'a mut Command, level: &str) -> &'a mut Command {
    command
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "64")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
}

fn quietly(command: &mut Command) -> Done {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        other => Err(format!("{command:?} failed: {other:?}")),
    }
}

/// The version of a package in Cargo.lock.
fn locked_version(name: &str) -> Done<String> {
    let failed = |why: String| format!("Cargo.lock: {why}");
    let lock =
        fs::read_to_string(root().join("Cargo.lock")).map_err(|why| failed(why.to_string()))?;
    let packages = lock_file::packages(&lock).map_err(failed)?;
    let package = packages.iter().find(|package| package.name == name);
    package.map(|package| package.version.to_string()).ok_or_else(|| failed(format!("no {name}")))
}
