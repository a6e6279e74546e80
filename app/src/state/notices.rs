//! What the page tells the user: a notice that disappears, problems of a file, and the state of
//! link, offline copy and build.

use super::import::FileProblems;

/// Whether a link can hold the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Linkable {
    /// It can.
    #[default]
    Yes,
    /// It cannot: the page offers a file instead.
    TooLarge,
    /// It cannot, and the user has dismissed the offer.
    Dismissed,
}

/// What the page tells the user.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Notices {
    /// The notice shown; empty if there is none.
    pub text: String,
    /// Problems of the file that was not opened.
    pub file: Option<FileProblems>,
    /// Whether a link can hold the document.
    pub linkable: Linkable,
    /// The browser can load the page without a network.
    pub offline_ready: bool,
    /// The browser has a newer build than the one that runs.
    pub newer_build: bool,
    number: u32,
}

impl Notices {
    /// Shows a notice; the number is for [`Notices::clear`].
    pub fn show(&mut self, text: String) -> u32 {
        self.text = text;
        self.number += 1;
        self.number
    }

    /// Removes the notice of this number, unless another one has replaced it. True if it did.
    pub fn clear(&mut self, number: u32) -> bool {
        let is_shown = number == self.number;
        if is_shown {
            self.text.clear();
        }
        is_shown
    }

    /// Takes note of whether a link can hold the document now.
    pub fn set_linkable(&mut self, fits: bool) {
        self.linkable = match self.linkable {
            _ if fits => Linkable::Yes,
            Linkable::Yes => Linkable::TooLarge,
            // The offer stays as the user left it.
            before => before,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_timer_does_not_clear_a_new_notice() {
        let mut notices = Notices::default();
        let first = notices.show("saved".into());
        let second = notices.show("copied".into());
        assert!(!notices.clear(first));
        assert_eq!(notices.text, "copied");
        assert!(notices.clear(second));
        assert_eq!(notices.text, "");
    }

    #[test]
    fn a_document_too_large_for_a_link_is_mentioned_once() {
        let mut notices = Notices::default();
        notices.set_linkable(false);
        assert_eq!(notices.linkable, Linkable::TooLarge);
        notices.linkable = Linkable::Dismissed;
        notices.set_linkable(false);
        assert_eq!(notices.linkable, Linkable::Dismissed);
        notices.set_linkable(true);
        notices.set_linkable(false);
        assert_eq!(notices.linkable, Linkable::TooLarge);
    }
}
