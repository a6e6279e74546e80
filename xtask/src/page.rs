//! Building and serving the page.

use crate::shell::{Done, program, root, run};
use crate::tools;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

/// Everything the page loads comes with it; the only code that runs is ours.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
     worker-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; \
     base-uri 'none'; form-action 'none'";

/// Builds the optimised page into `dist/`.
pub fn build() -> Done {
    let mut trunk = tools::page_build()?;
    let (dist, rest) = (root().join("dist"), root().join("target/rest.wasm"));
    // Two parts: cut by the names of functions, and by what the linker knows refers to what.
    trunk.env("HOPSCOPE_LATER", root().join("app/later.txt")).env("HOPSCOPE_REST", &rest);
    trunk.env(
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
        "-Csymbol-mangling-version=v0 -Clink-arg=--emit-relocs",
    );
    run(trunk.args(["build", "--release", "--dist", "dist"]))?;
    fs::copy(&rest, dist.join("rest.wasm")).map_err(|why| format!("{}: {why}", rest.display()))?;
    finish(&dist)
}

/// Serves the page until interrupted.
pub fn serve(options: &[&str]) -> Done {
    let mut release = false;
    let mut port = "8080";
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        match *option {
            "--release" => release = true,
            "--port" => port = rest.next().ok_or("--port wants a number")?,
            other => return Err(format!("serve does not know {other}")),
        }
    }
    if release {
        build()?;
        return run(program("node").args(["tests/serve.mjs", "dist", port]));
    }
    let mut trunk = tools::page_build()?;
    // Not dist/, which belongs to `build`: the two may run side by side.
    // Trunk wants every folder it is not to watch to be there, in a fresh clone too.
    for folder in ["target/page", "dist"] {
        let folder = root().join(folder);
        fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    }
    run(trunk.args(["serve", "--dist", "target/page", "--port", port]))
}

/// What Trunk leaves to do for a release: the build id and the content security policy.
fn finish(dist: &Path) -> Done {
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
    println!("dist/ is build {build_id}");
    Ok(())
}

/// Tells the service worker which build it keeps, and its files as the page asks for them.
fn keep_offline(dist: &Path, build_id: &str) -> Done {
    let path = dist.join("sw.js");
    let failed = |why| format!("{}: {why}", path.display());
    let mut files = vec!["./".to_owned()];
    for entry in fs::read_dir(dist).map_err(failed)? {
        match entry.map_err(failed)?.file_name().to_string_lossy().as_ref() {
            "index.html" | "sw.js" => {}
            plain if ["boot.js", "draw.js", "es.txt", "rest.wasm"].contains(&plain) => {
                files.push(format!("{plain}?v={build_id}"))
            }
            hashed => files.push(hashed.to_owned()),
        }
    }
    files.sort();
    let script = fs::read_to_string(&path).map_err(failed)?;
    let script =
        replaced(&script, "const BUILD = \"dev\"", &format!("const BUILD = \"{build_id}\""))?;
    let script = replaced(&script, "const FILES = []", &format!("const FILES = {files:?}"))?;
    fs::write(&path, script).map_err(failed)
}

fn replaced(html: &str, from: &str, to: &str) -> Done<String> {
    if html.matches(from).count() == 1 {
        Ok(html.replace(from, to))
    } else {
        Err(format!("the built index.html should have exactly one `{from}`"))
    }
}

/// Changes when any file of the page changes.
fn build_id(dist: &Path) -> Done<String> {
    let failed = |why| format!("{}: {why}", dist.display());
    let mut paths = Vec::new();
    let mut folders = vec![dist.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() { folders.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    let mut hasher = DefaultHasher::new();
    for path in paths {
        hasher.write(path.strip_prefix(dist).unwrap_or(&path).as_os_str().as_encoded_bytes());
        hasher.write(&fs::read(&path).map_err(failed)?);
    }
    Ok(format!("{:012x}", hasher.finish() >> 16))
}
