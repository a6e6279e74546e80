//! Developer commands: build, serve, test and measure. `cargo xtask help` lists them.
//!
//! xtask depends on a few small packages alone, for archives, checksums, versions, JSON and TOML,
//! so it builds within seconds of a fresh clone. It starts other programs (cargo, Trunk, npm,
//! Playwright) and installs those that are missing ([`tools`]).

mod advisories;
mod audit;
mod checks;
mod figures;
mod fuzz;
mod lock_file;
mod page;
mod release;
mod shell;
mod speed;
mod tools;
mod tuned;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  serve [--release] [--port N]   build the page, serve it, rebuild it when files change
                                 (--release: optimised, from dist/, as a visitor gets it)
  test [STEP...]                 run all tests, or some steps: fmt clippy native wasm e2e
  build                          build the optimised page in dist/
  screenshots                    take the documentation's pictures from the built page
  measure                        print the speed and size of the page (on a quiet machine)
  tuned                          build the command line for this machine's processor, in
                                 target/tuned/release (3 minutes)
  speed [--tuned] [WORD]         print the speed and memory of `hopscope run` on the rows of
                                 the benchmarks whose name contains WORD (Linux)
  speed --measuring [WORD]       print what measuring costs on these rows
  figures [WORD]                 run the studies whose name contains WORD and write their tables
                                 into the documents (an hour on one core for all)
  audit                          check licences, sources and known vulnerabilities of packages,
                                 and the citation
  fuzz [SECONDS]                 run each fuzz target of fuzz/ that long (default 20), two at a
                                 time, and print executions and findings
  release [TAG]                  make the archives of a release in target/release-TAG/: page,
                                 command line for this machine, bills of materials, checksums
  reproduce [TAG]                make a release here and in another folder and compare the bytes
  setup                          install the tools and stop

Commands install the tools they need: the wasm target, Trunk, wasm-bindgen, Chromium, npm packages.
Environment: HOPSCOPE_CACHE     folder for tools (default ~/.cache/hopscope)
             HOPSCOPE_CHROMIUM  browser to test in";

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
        ["figures", words @ ..] => figures::figures(words),
        ["fuzz", words @ ..] => fuzz::fuzz(words),
        ["audit"] => audit::audit(),
        ["release", words @ ..] => release::release(words),
        ["reproduce", words @ ..] => release::reproduce(words),
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
