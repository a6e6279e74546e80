//! Tables of studies in Markdown documents, between markers.

use crate::files;
use crate::messages;
use crate::outcome::Result;
use hopscope_core::problem::Problems;
use std::path::Path;

/// What ends the part of a document that a study writes.
const END: &str = "<!-- end -->";

/// Replaces what stands between the markers of a study.
///
/// # Errors
///
/// The document cannot be read or written, or does not have the markers.
pub fn write(path: &Path, study: &str, tables: &str) -> Result<()> {
    let text = files::read(path)?;
    let Some(replaced) = replaced(&text, study, tables) else {
        let why = messages::no_marker(study);
        return Err(Problems::one(path.display().to_string(), why, messages::add_markers(study)));
    };
    files::write_whole(path, &replaced)
}

fn replaced(text: &str, study: &str, tables: &str) -> Option<String> {
    let marker = format!("<!-- study: {study} -->\n");
    let start = text.find(&marker)? + marker.len();
    let end = start + text[start..].find(END)?;
    Some(format!("{}\n{}\n\n{}", &text[..start], tables.trim(), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let text = "before\n<!-- study: a -->\nold\n<!-- end -->\nbetween\n\
                    <!-- study: b -->\n<!-- end -->\nafter\n";
        let once = replaced(text, "a", "new\n").unwrap();
        assert_eq!(
            once,
            "before\n<!-- study: a -->\n\nnew\n\n<!-- end -->\nbetween\n\
             <!-- study: b -->\n<!-- end -->\nafter\n"
        );
        assert_eq!(replaced(&once, "a", "new").unwrap(), once);
        assert!(replaced(text, "c", "new").is_none());
    }
}
