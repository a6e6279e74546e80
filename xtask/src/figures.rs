//! `cargo xtask figures`: the tables of the documents, from the studies' own output.

use crate::shell::{Done, program, root};
use crate::tuned;
use std::path::Path;

/// The documents with tables of studies.
const DOCUMENTS: [&str; 3] =
    ["docs/fidelity.md", "docs/studies-cut-through.md", "docs/studies-recn.md"];

/// `cargo xtask figures [WORD]`: runs every study whose name contains WORD and that a document has
/// a place for, with the release build, and writes its tables there. What stands outside of the
/// markers is kept.
pub fn figures(words: &[&str]) -> Done {
    let word = match words {
        [] => "",
        [word] if !word.starts_with('-') => word,
        other => return Err(format!("figures has no option {}", other.join(" "))),
    };
    let hopscope = tuned::release()?;
    let mut known = false;
    for document in DOCUMENTS {
        let text = std::fs::read_to_string(root().join(document))
            .map_err(|why| format!("{document}: {why}"))?;
        for study in studies(&text).filter(|study| study.contains(word)) {
            known = true;
            write(&hopscope, study, document)?;
        }
    }
    if known { Ok(()) } else { Err(format!("no study has a name with {word}")) }
}

/// The studies that a document has a place for.
fn studies(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("<!-- study: ")?.strip_suffix(" -->"))
}

/// Status 1 says that a run deadlocked, which the tables say, too.
fn write(hopscope: &Path, study: &str, document: &str) -> Done {
    let file = format!("scenarios/studies/{study}.json");
    eprintln!("$ hopscope study {file} --into {document}");
    let status = program(hopscope).args(["study", &file, "--into", document]).status();
    match status.map(|status| status.code()) {
        Ok(Some(0 | 1)) => Ok(()),
        Ok(code) => Err(format!("the study {study} ended with status {code:?}")),
        Err(why) => Err(format!("hopscope did not start: {why}")),
    }
}
