//! Building and serving the page.
//!
//! Trunk builds the page. A release needs four things that Trunk does not do ([`finish`]): scripts
//! and style sheets without comments and spaces, a build id in the page and in the addresses of its
//! files, the content security policy, and the list of files in the service worker.

use crate::shell::{Done, files_below, program, root, run};
use crate::tools;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// The page loads its own files only, and runs no inline script.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
     worker-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
     manifest-src 'self'; base-uri 'none'; form-action 'none'";

/// Files that are requested with the build id as their query. The others have a hash in their name,
/// or are opened by people.
const WITH_BUILD_ID: [&str; 2] = ["boot.js", "draw.js"];

/// `cargo xtask build`: builds the optimised page into `dist/`.
pub fn build() -> Done {
    let mut trunk = tools::page_build()?;
    // Function names are for debuggers; a visitor does without.
    trunk.env("WASM_BINDGEN_OPTIONS", "--remove-name-section --remove-producers-section");
    trunk.env("CARGO_ENCODED_RUSTFLAGS", tools::without_local_paths()?);
    run(trunk.args(["build", "--release", "--cargo-profile", "page", "--dist", "dist"]))?;
    let dist = root().join("dist");
    finish(&dist)
}

/// `cargo xtask serve`: serves the page until interrupted.
pub fn serve(options: &[&str]) -> Done {
    let mut release = false;
    let mut port = "8080";
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        match *option {
            "--release" => release = true,
            "--port" => port = rest.next().ok_or("--port needs a number")?,
            other => return Err(format!("serve has no option {other}")),
        }
    }
    if release {
        build()?;
        return run(program("node").args(["tests/serve.mjs", "dist", port]));
    }
    let mut trunk = tools::page_build()?;
    // Not dist/, which belongs to `build`, so that both commands may run at the same time.
    // Trunk stops if a folder in its ignore list does not exist, as in a fresh clone.
    for folder in ["target/page", "dist"] {
        let folder = root().join(folder);
        fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    }
    run(trunk.args(["serve", "--dist", "target/page", "--port", port]))
}

/// Minifies scripts and style sheets, and writes the build id and the content security policy into
/// the page, and the list of files into the service worker.
fn finish(dist: &Path) -> Done {
    let mut minified = files_below(dist)?;
    minified
        .retain(|path| path.extension().is_some_and(|ending| ending == "js" || ending == "css"));
    let (service_worker, others) = minified.into_iter().partition(|path| path.ends_with("sw.js"));
    minify(dist, others)?;
    let build_id = build_id(dist)?;
    let index = dist.join("index.html");
    let html = fs::read_to_string(&index).map_err(|why| format!("{}: {why}", index.display()))?;
    let policy = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{CONTENT_SECURITY_POLICY}\">"
    );
    let html = replaced(&html, "<!-- release build: content security policy -->", &policy)?;
    let html = replaced(
        &html,
        "name=\"hopscope-build\" content=\"dev\"",
        &format!("name=\"hopscope-build\" content=\"{build_id}\""),
    )?;
    let html = replaced(&html, "boot.js\"", &format!("boot.js?v={build_id}\""))?;
    fs::write(&index, html).map_err(|why| format!("{}: {why}", index.display()))?;
    keep_offline(dist, &build_id)?;
    minify(dist, service_worker)?;
    println!("dist/ is build {build_id}");
    Ok(())
}

/// Writes smaller files with the same meaning in the place of `paths`, which are in `dist`.
fn minify(dist: &Path, paths: Vec<PathBuf>) -> Done {
    let mut esbuild = tools::esbuild()?;
    esbuild.args(["--minify", "--allow-overwrite", "--log-level=warning"]);
    run(esbuild.arg(format!("--outdir={}", dist.display())).args(paths))
}

/// Writes the build id and the addresses of all files, as the page requests them, into `sw.js`.
fn keep_offline(dist: &Path, build_id: &str) -> Done {
    let path = dist.join("sw.js");
    let failed = |why| format!("{}: {why}", path.display());
    let mut files = vec!["./".to_owned()];
    for entry in fs::read_dir(dist).map_err(failed)? {
        match entry.map_err(failed)?.file_name().to_string_lossy().as_ref() {
            "index.html" | "sw.js" => {}
            name if WITH_BUILD_ID.contains(&name) => files.push(format!("{name}?v={build_id}")),
            name => files.push(name.to_owned()),
        }
    }
    files.sort();
    let script = fs::read_to_string(&path).map_err(failed)?;
    let script =
        replaced(&script, "const BUILD = \"dev\"", &format!("const BUILD = \"{build_id}\""))?;
    let script = replaced(&script, "const FILES = []", &format!("const FILES = {files:?}"))?;
    fs::write(&path, script).map_err(failed)
}

/// `text` with its only occurrence of `from` replaced.
fn replaced(text: &str, from: &str, to: &str) -> Done<String> {
    if text.matches(from).count() == 1 {
        Ok(text.replace(from, to))
    } else {
        Err(format!("a built file should contain `{from}` exactly once"))
    }
}

/// A hash over the names and contents of all files in `dist`.
fn build_id(dist: &Path) -> Done<String> {
    let mut hasher = DefaultHasher::new();
    for path in files_below(dist)? {
        hasher.write(path.strip_prefix(dist).unwrap_or(&path).as_os_str().as_encoded_bytes());
        hasher.write(&fs::read(&path).map_err(|why| format!("{}: {why}", path.display()))?);
    }
    Ok(format!("{:012x}", hasher.finish() >> 16))
}
