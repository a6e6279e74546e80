//! Releases: the page, the command line and the papers that go with them.
//!
//! [`release`] makes archives whose bytes follow from the sources and the compiler alone, and
//! [`reproduce`] checks that by a second release in another folder. Archives carry neither names of
//! this machine nor the time of the build: every file has the time of the commit.

use crate::shell::{Done, cargo, files_below, output, program, root, run};
use crate::{page, tools};
use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Files that every archive carries.
const PAPERS: [&str; 3] = ["CITATION.cff", "LICENSE-APACHE", "LICENSE-MIT"];
/// The licences of the packages that an archive's programs contain.
const NOTICES: &str = "THIRD-PARTY-LICENSES.txt";
const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// `cargo xtask release [TAG]`: builds everything and leaves it in `target/release-TAG/`.
pub fn release(words: &[&str]) -> Done {
    let folder = make(tag(words)?)?;
    println!("\n{}", folder.strip_prefix(root()).unwrap_or(&folder).display());
    for file in listed(&folder)? {
        let size = fs::metadata(folder.join(&file)).map_err(|why| format!("{file}: {why}"))?.len();
        println!("{:>10} kB  {file}", size.div_ceil(1000));
    }
    Ok(())
}

/// `cargo xtask reproduce [TAG]`: makes the release here and in a copy of the sources in another
/// folder, and compares all bytes.
pub fn reproduce(words: &[&str]) -> Done {
    let tag = tag(words)?;
    let copy = root().join("target/reproduce");
    copy_sources(&copy)?;
    let ours = make(tag)?;
    let mut again = cargo();
    again.current_dir(&copy).env_remove("CARGO_TARGET_DIR").env("SOURCE_DATE_EPOCH", epoch());
    run(again.args(["xtask", "release", tag]))?;
    let theirs = copy.join("target").join(ours.file_name().expect("a folder of the release"));
    let differences = differences(&contents(&ours)?, &contents(&theirs)?);
    if differences.is_empty() {
        println!("\nreproduced: both builds have the same bytes");
        print!("{}", read_text(&ours.join("SHA256SUMS"))?);
        return Ok(());
    }
    Err(format!("two builds of the same sources differ:\n{}", differences.join("\n")))
}

/// The tag to release, `v` and the version of the workspace.
fn tag<'a>(words: &[&'a str]) -> Done<&'a str> {
    let ours = concat!("v", env!("CARGO_PKG_VERSION"));
    match words {
        [] => Ok(ours),
        [tag] if *tag == ours => Ok(tag),
        [tag] if *tag == VERSION => Err(format!("a tag starts with v: {ours}")),
        [tag] => Err(format!(
            "{tag} is not the version of these sources, which is {ours}: release another commit, \
             or write the version into Cargo.toml, CITATION.cff and CHANGELOG.md"
        )),
        _ => Err("release takes one tag".into()),
    }
}

/// Builds a release. Returns its folder.
fn make(tag: &str) -> Done<PathBuf> {
    let folder = root().join("target").join(format!("release-{tag}"));
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let host = tools::host()?;

    page::build()?;
    let mut files = below("dist")?;
    files.extend(papers());
    files.push((NOTICES.into(), notices("app", WASM_TARGET)?));
    pack(&folder, &format!("hopscope-page-{VERSION}"), &files)?;

    let program = command_line()?;
    let mut files = vec![(PathBuf::from(program.file_name().expect("a file")), program)];
    files.push(("README.md".into(), root().join("README.md")));
    let scenarios = below("scenarios")?;
    files.extend(
        scenarios.into_iter().map(|(name, path)| (Path::new("scenarios").join(name), path)),
    );
    files.extend(papers());
    files.push((NOTICES.into(), notices("cli", &host)?));
    pack(&folder, &format!("hopscope-{VERSION}-{host}"), &files)?;

    bill_of_materials(
        "app",
        WASM_TARGET,
        &folder.join(format!("hopscope-page-{VERSION}.cdx.json")),
    )?;
    bill_of_materials("cli", &host, &folder.join(format!("hopscope-{VERSION}-{host}.cdx.json")))?;
    for paper in PAPERS {
        fs::copy(root().join(paper), folder.join(paper))
            .map_err(|why| format!("{paper}: {why}"))?;
    }
    write_sums(&folder)?;
    Ok(folder)
}

fn papers() -> Vec<(PathBuf, PathBuf)> {
    PAPERS.map(|name| (name.into(), root().join(name))).into()
}

/// Builds `hopscope` for this machine, without the names of this machine's folders.
fn command_line() -> Done<PathBuf> {
    // A folder of its own: `cargo build` has other flags, and each would compile everything again.
    let target = root().join("target/release-build");
    let mut build = cargo();
    build.env("CARGO_ENCODED_RUSTFLAGS", tools::without_local_paths()?);
    build.args(["build", "--release", "--locked", "--package", "hopscope", "--target-dir"]);
    run(build.arg(&target))?;
    let built = target.join("release/hopscope").with_extension(std::env::consts::EXE_EXTENSION);
    built.is_file().then_some(built).ok_or_else(|| "cargo built no program hopscope".into())
}

/// Writes the software bill of materials of one package as CycloneDX JSON.
fn bill_of_materials(package: &str, target: &str, to: &Path) -> Done {
    const NAME: &str = "release-sbom";
    let mut sbom = tools::cyclonedx()?;
    sbom.env("SOURCE_DATE_EPOCH", epoch());
    sbom.args(["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5"]);
    run(sbom.args(["--target", target, "--override-filename", NAME]))?;
    // The tool writes a file into the folder of every package of the workspace.
    let mut ours = None;
    for member in members()? {
        let file = root().join(&member).join(format!("{NAME}.json"));
        let text = read_text(&file)?;
        fs::remove_file(&file).map_err(|why| format!("{}: {why}", file.display()))?;
        if member == package {
            ours = Some(text);
        }
    }
    let text = ours.ok_or_else(|| format!("no bill of materials of {package}"))?;
    // Packages of the workspace are named by their folders.
    let place = format!("file://{}", root().display());
    fs::write(to, text.replace(&place, "file://."))
        .map_err(|why| format!("{}: {why}", to.display()))
}

/// Writes the packages that one package of the workspace contains, with their licences, by
/// `xtask/notices.toml`. Returns the file.
fn notices(package: &str, target: &str) -> Done<PathBuf> {
    let file = root().join("target").join(format!("notices-{package}.txt"));
    let mut about = tools::cargo_about()?;
    about.args(["about", "generate", "--offline", "--locked", "--fail", "--target", target]);
    about.arg("--config").arg(root().join("xtask/notices.toml"));
    about.arg("--manifest-path").arg(root().join(package).join("Cargo.toml"));
    run(about.arg("--output-file").arg(&file).arg(root().join("xtask/notices.hbs")))?;
    Ok(file)
}

/// The folders of the workspace's packages.
fn members() -> Done<Vec<String>> {
    let failed = |why| format!("Cargo.toml: {why}");
    let manifest = read_text(&root().join("Cargo.toml"))?;
    let manifest: toml::Table = manifest.parse().map_err(failed)?;
    manifest["workspace"]["members"].clone().try_into().map_err(failed)
}

/// Writes `FOLDER/NAME.tar.gz` with one folder of this name. Its bytes follow from the files.
fn pack(folder: &Path, name: &str, files: &[(PathBuf, PathBuf)]) -> Done {
    let path = folder.join(format!("{name}.tar.gz"));
    let failed = |why: std::io::Error| format!("{}: {why}", path.display());
    let mut files = files.to_vec();
    files.sort();
    let archive = fs::File::create(&path).map_err(failed)?;
    // The header of the compressed file says neither its name nor a time.
    let archive = GzBuilder::new().mtime(0).write(archive, Compression::best());
    let mut archive = tar::Builder::new(archive);
    for (inside, file) in files {
        let bytes = fs::read(&file).map_err(|why| format!("{}: {why}", file.display()))?;
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(if is_program(&inside) { 0o755 } else { 0o644 });
        header.set_mtime(epoch().parse().unwrap_or(0));
        let inside = Path::new(name).join(inside);
        archive.append_data(&mut header, inside, bytes.as_slice()).map_err(failed)?;
    }
    archive.into_inner().and_then(|gzip| gzip.finish()?.flush()).map_err(failed)
}

/// Whether a file of an archive may be started.
fn is_program(inside: &Path) -> bool {
    [Path::new("hopscope"), Path::new("hopscope.exe")].contains(&inside)
}

/// Writes the checksums of all files, for `sha256sum --check SHA256SUMS`.
fn write_sums(folder: &Path) -> Done {
    let mut lines = String::new();
    for name in listed(folder)? {
        let bytes = fs::read(folder.join(&name)).map_err(|why| format!("{name}: {why}"))?;
        lines += &format!("{}  {name}\n", sha256(&bytes));
    }
    fs::write(folder.join("SHA256SUMS"), lines).map_err(|why| format!("SHA256SUMS: {why}"))
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The time of everything in a release, seconds since 1970: `SOURCE_DATE_EPOCH`, or the time of the
/// commit.
fn epoch() -> String {
    let commit = || output(program("git").args(["log", "-1", "--format=%ct"]));
    std::env::var("SOURCE_DATE_EPOCH").ok().or_else(commit).unwrap_or_else(|| "0".into())
}

/// Copies what git tracks, and what it would track, into `to`. Build folders there stay.
fn copy_sources(to: &Path) -> Done {
    let mut list = program("git");
    list.args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let list = output(&mut list).ok_or("git does not list the sources")?;
    let failed = |path: &Path, why| format!("{}: {why}", path.display());
    if let Ok(old) = fs::read_dir(to) {
        for entry in old.flatten().filter(|entry| entry.file_name() != "target") {
            let path = entry.path();
            let gone =
                if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            gone.map_err(|why| failed(&path, why))?;
        }
    }
    for name in list.lines() {
        let (from, to) = (root().join(name), to.join(name));
        if from.is_file() {
            let folder = to.parent().expect("a file lies in a folder");
            fs::create_dir_all(folder).map_err(|why| failed(folder, why))?;
            fs::copy(&from, &to).map_err(|why| failed(&from, why))?;
        }
    }
    Ok(())
}

/// All files below a folder of the repository, as (name below the folder, path).
fn below(folder: &str) -> Done<Vec<(PathBuf, PathBuf)>> {
    let top = root().join(folder);
    let named = |path: PathBuf| (path.strip_prefix(&top).expect("below it").to_owned(), path);
    Ok(files_below(&top)?.into_iter().map(named).collect())
}

/// The names of the files in a folder, sorted.
fn listed(folder: &Path) -> Done<Vec<String>> {
    let failed = |why| format!("{}: {why}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>();
    let names = entries.map_err(failed)?;
    let mut names: Vec<_> =
        names.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

/// Every file of a release by its name. An archive counts as the files in it and as itself.
fn contents(folder: &Path) -> Done<BTreeMap<String, Vec<u8>>> {
    let mut all = BTreeMap::new();
    for name in listed(folder)? {
        let failed = |why| format!("{name}: {why}");
        let bytes = fs::read(folder.join(&name)).map_err(failed)?;
        if name.ends_with(".tar.gz") {
            let mut archive = tar::Archive::new(GzDecoder::new(bytes.as_slice()));
            for entry in archive.entries().map_err(failed)? {
                let mut entry = entry.map_err(failed)?;
                let inside = entry.path().map_err(failed)?.display().to_string();
                let mut bytes = Vec::new();
                entry.read_to_end(&mut bytes).map_err(failed)?;
                all.insert(format!("{name}: {inside}"), bytes);
            }
        }
        all.insert(name, bytes);
    }
    Ok(all)
}

/// One line for each file that two builds do not share to the byte.
fn differences(
    ours: &BTreeMap<String, Vec<u8>>,
    theirs: &BTreeMap<String, Vec<u8>>,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, a) in ours {
        match theirs.get(name) {
            None => lines.push(format!("{name}: only in the first build")),
            Some(b) if a != b => {
                let first = a.iter().zip(b).take_while(|(a, b)| a == b).count();
                let (a, b) = (a.len(), b.len());
                lines.push(format!("{name}: {a} and {b} bytes, equal up to byte {first}"));
            }
            Some(_) => {}
        }
    }
    let new = theirs.keys().filter(|name| !ours.contains_key(*name));
    lines.extend(new.map(|name| format!("{name}: only in the second build")));
    lines
}

fn read_text(path: &Path) -> Done<String> {
    fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tag_of_the_version_is_released() {
        let ours = format!("v{VERSION}");
        assert_eq!(tag(&[]), Ok(ours.as_str()));
        assert_eq!(tag(&[&ours]), Ok(ours.as_str()));
        assert_eq!(tag(&[VERSION]), Err(format!("a tag starts with v: {ours}")));
        let wrong = tag(&["v99.0.0"]).unwrap_err();
        assert!(wrong.starts_with("v99.0.0 is not the version of these sources"), "{wrong}");
        assert!(wrong.contains(&ours), "{wrong}");
    }

    #[test]
    fn citation_and_changelog_have_the_version_of_the_workspace() {
        let citation = read_text(&root().join("CITATION.cff")).unwrap();
        let versions: Vec<_> =
            citation.lines().filter_map(|line| line.strip_prefix("version: ")).collect();
        assert_eq!(versions, [VERSION]);
        let changes = read_text(&root().join("CHANGELOG.md")).unwrap();
        let newest = changes.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
        assert_eq!(newest.split(' ').next(), Some(VERSION));
    }

    #[test]
    fn the_members_are_folders_with_a_package() {
        let members = members().unwrap();
        assert!(members.iter().any(|member| member == "xtask"));
        for member in members {
            assert!(root().join(&member).join("Cargo.toml").is_file(), "{member}");
        }
    }

    #[test]
    fn an_archive_depends_on_names_and_bytes_only() {
        let folder = std::env::temp_dir().join(format!("hopscope-pack-{}", std::process::id()));
        fs::create_dir_all(folder.join("in")).unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.join("in").join(name);
            fs::write(&path, text).unwrap();
            (PathBuf::from(name), path)
        };
        let (a, b) = (file("a.txt", "one"), file("hopscope", "two"));
        let packed = |files: &[(PathBuf, PathBuf)]| {
            pack(&folder, "made", files).unwrap();
            fs::read(folder.join("made.tar.gz")).unwrap()
        };
        let first = packed(&[a.clone(), b.clone()]);
        assert_eq!(first, packed(&[b.clone(), file("a.txt", "one")]), "written again, other order");
        fs::remove_dir_all(folder.join("in")).unwrap();
        let all = contents(&folder).unwrap();
        assert_eq!(all["made.tar.gz: made/a.txt"], b"one");
        assert_eq!(all["made.tar.gz: made/hopscope"], b"two");
        let mut archive = tar::Archive::new(GzDecoder::new(first.as_slice()));
        let modes: Vec<_> = archive
            .entries()
            .unwrap()
            .map(|entry| entry.unwrap().header().mode().unwrap())
            .collect();
        assert_eq!(modes, [0o644, 0o755]);

        let mut other = all.clone();
        other.insert("made.tar.gz: made/a.txt".into(), b"ona!".to_vec());
        other.remove("made.tar.gz: made/hopscope");
        other.insert("new".into(), Vec::new());
        assert_eq!(differences(&all, &all), Vec::<String>::new());
        assert_eq!(
            differences(&all, &other),
            [
                "made.tar.gz: made/a.txt: 3 and 4 bytes, equal up to byte 2",
                "made.tar.gz: made/hopscope: only in the first build",
                "new: only in the second build"
            ]
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn checksums_are_those_of_sha256() {
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), abc);
    }
}
