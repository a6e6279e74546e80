//! The dialog that is open, and what it shows.

use super::import::Import;

/// The dialogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Dialog {
    #[default]
    None,
    Gallery,
    Lessons,
    Palette,
    Shortcuts,
    Menu,
    Import,
    Export,
    Share,
    Timeline,
}

/// A document in the browser's storage.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredDocument {
    /// The tab that stores it.
    pub tab: String,
    /// The scenario's name.
    pub name: String,
    /// When it was last changed, milliseconds since 1970.
    pub changed_ms: f64,
    /// The scenario file.
    pub json: String,
    /// What its choices had before, as [`Former`](crate::former::Former) reads it; empty if it was
    /// stored without.
    pub former: String,
}

/// The dialog that is open, and what it shows.
#[derive(Debug, Clone, Default)]
pub struct Dialogs {
    /// The dialog that is open.
    pub open: Dialog,
    /// The text typed into the palette or the gallery's search.
    pub typed: String,
    /// The network that the import dialog is about.
    pub import: Option<Import>,
    /// The stored documents, as of when the gallery was opened.
    pub stored: Vec<StoredDocument>,
}

impl Dialogs {
    /// Opens a dialog instead of the one that is open.
    pub fn show(&mut self, dialog: Dialog) {
        self.open = dialog;
        self.typed.clear();
    }

    /// Closes whatever is open.
    pub fn close(&mut self) {
        self.open = Dialog::None;
    }

    /// Whether a dialog covers the page.
    pub fn is_open(&self) -> bool {
        self.open != Dialog::None
    }

    /// Closes a dialog that lists commands: one of them has been chosen.
    pub fn close_command_list(&mut self) {
        if matches!(self.open, Dialog::Palette | Dialog::Menu | Dialog::Export | Dialog::Share) {
            self.close();
        }
    }
}

/// Whether some texts contain all the words typed, in any order. Capitals and accents do not
/// matter.
pub fn has_words(texts: &[&str], typed: &str) -> bool {
    let texts: Vec<String> = texts.iter().map(|text| plain(text)).collect();
    plain(typed).split_whitespace().all(|word| texts.iter().any(|text| text.contains(word)))
}

/// A text in small letters without the accents of Spanish.
fn plain(text: &str) -> String {
    let letter = |letter: char| match letter {
        'á' => 'a',
        'é' => 'e',
        'í' => 'i',
        'ó' => 'o',
        'ú' | 'ü' => 'u',
        other => other,
    };
    text.to_lowercase().chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_typed_are_found_whatever_their_order_and_capitals() {
        let texts = ["Congestion tree", "Sixty-four hosts", "Topologías"];
        for typed in ["", "  ", "tree", "HOSTS congestion", "sixty gest", "topologia", "TOPOLOGÍAS"]
        {
            assert!(has_words(&texts, typed), "{typed}");
        }
        for typed in ["trees", "tree torus", "congestiontree", "tree  sixty z"] {
            assert!(!has_words(&texts, typed), "{typed}");
        }
    }

    #[test]
    fn a_dialog_of_commands_closes_when_one_is_chosen_and_others_stay() {
        let mut dialogs = Dialogs::default();
        dialogs.show(Dialog::Palette);
        dialogs.typed = "zoom".into();
        dialogs.close_command_list();
        assert!(!dialogs.is_open());
        dialogs.show(Dialog::Gallery);
        assert_eq!(dialogs.typed, "");
        dialogs.close_command_list();
        assert_eq!(dialogs.open, Dialog::Gallery);
    }
}
