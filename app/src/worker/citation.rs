//! How to cite a figure.

use crate::text::{fill, text};
use hopscope_figures::Figure;
use std::fmt::Display;

/// Digits of the experiment's hash in the key of the entry.
const KEY_DIGITS: usize = 8;

/// A BibTeX entry that names scenario, version, seed, experiment and results.
pub fn bibtex(figure: &Figure) -> String {
    let from = &figure.provenance;
    let title = if figure.title.is_empty() { &from.scenario } else { &figure.title };
    let (scenario, seeds) = (escaped(&from.scenario), from.seeds_text());
    let words: [&dyn Display; 4] = [&scenario, &seeds, &from.experiment, &from.fingerprint];
    let note = fill(text().study_citation, &words);
    let key: String = from.experiment.chars().take(KEY_DIGITS).collect();
    let (title, version) = (escaped(title), &from.version);
    format!(
        "@misc{{hopscope-{key},\n  title = {{{{{title}}}}},\n  howpublished = {{Hopscope {version}}},\n  \
         note = {{{note}}},\n}}\n"
    )
}

/// Text without characters that have a meaning in TeX.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\\' => escaped += r"\textbackslash{}",
            '~' => escaped += r"\textasciitilde{}",
            '^' => escaped += r"\textasciicircum{}",
            '{' | '}' | '&' | '%' | '$' | '#' | '_' => escaped.extend(['\\', character]),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_for_tex() {
        assert_eq!(
            escaped(r"UD_ITB & 50 % {x}\^"),
            r"UD\_ITB \& 50 \% \{x\}\textbackslash{}\textasciicircum{}"
        );
    }
}
