//! Developer commands: `cargo xtask help`.
//!
//! No dependencies, so that the first command answers within seconds of a fresh clone.

mod checks;
mod page;
mod shell;
mod speed;
mod tools;
mod tuned;
mod words;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  serve [--release] [--port N]   build the page and serve it; rebuilds as files change
                                 (--release: the files of dist/, as a visitor would get them)
  test [STEP...]                 pass all tests, or some steps: fmt clippy native wasm e2e
  build                          the page, optimised, in dist/
  screenshots                    take the documentation's pictures from the built page
  measure                        print how fast the page and the command line are; wants a quiet machine
  tuned                          the command line built for this machine, in target/tuned/release (3 minutes)
  speed [--tuned] [WORD]         print how fast `hopscope run` is, and its memory, on the benchmark's rows (Linux)
  setup                          install what is missing and stop

What is missing (wasm target, Trunk, wasm-bindgen, Chromium, npm packages) is installed on the way.
Environment: HOPSCOPE_CACHE (tools; default ~/.cache/hopscope), HOPSCOPE_CHROMIUM (browser to test in).";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["serve", options @ ..] => page::serve(options),
        ["test", steps @ ..] => checks::test(steps),
        ["build"] => page::build(),
        ["screenshots"] => checks::screenshots(),
        ["measure"] => checks::measure(),
        ["tuned"] => tuned::tuned(),
        ["speed", options @ ..] => speed::speed(options),
        ["setup"] => tools::everything(),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        _ => Err(format!("unknown command: {}\n\n{HELP}", words.join(" "))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}
