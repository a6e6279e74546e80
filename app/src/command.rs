//! The commands: one list yields menu, palette, shortcuts and tooltips.

use crate::stage::{OVERLAYS, Overlay};
use crate::state::Tab;
use crate::text::Text;
use std::sync::LazyLock;

/// A command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "described by their entries")]
pub enum Command {
    PlayPause,
    StepEvent,
    StepCycle,
    StepMany,
    StepListed,
    Measure,
    BackCycle,
    BackMany,
    Reset,
    MarkA,
    MarkB,
    Slower,
    Faster,
    NewDocument,
    Gallery,
    Lessons,
    Study,
    Open,
    Save,
    Export,
    Share,
    CopyLink,
    CopyMoment,
    CopyFrame,
    SaveResults,
    CopyFingerprint,
    Undo,
    Redo,
    SelectAll,
    SelectNone,
    Remove,
    Duplicate,
    Copy,
    Cut,
    Paste,
    AddFourHosts,
    ToolSelect,
    ToolSwitch,
    ToolHost,
    ToolLink,
    ToolRoot,
    ToolPair,
    MakeDeadlock,
    WhatIf,
    LayoutStress,
    LayoutLayered,
    LayoutCircle,
    LayoutGrid,
    AlignRow,
    AlignColumn,
    Snap,
    ZoomIn,
    ZoomOut,
    Fit,
    /// Its entry is made from the list of overlays.
    Show(Overlay),
    /// Its entry is with the panel, in `panels/`.
    Panel(Tab),
    ThemeNext,
    LanguageNext,
    Palette,
    Shortcuts,
}

/// Where a command is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Group {
    Time,
    Document,
    Edit,
    Layout,
    View,
    Overlay,
    Routing,
    Help,
}

/// The entry of a command in the list.
pub struct Entry {
    /// The command.
    pub command: Command,
    /// Where it is listed.
    pub group: Group,
    /// Its name.
    pub name: fn(&Text) -> &'static str,
    /// Its shortcuts, such as `Ctrl+Z`; on a Mac, Command stands for Control.
    pub keys: &'static [&'static str],
}

/// All commands but those of the panels, in the order of lists.
pub static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    use Command as C;
    use Group as G;
    const fn entry(
        command: Command,
        group: Group,
        name: fn(&Text) -> &'static str,
        keys: &'static [&'static str],
    ) -> Entry {
        Entry { command, group, name, keys }
    }
    let before_overlays = [
        entry(C::PlayPause, G::Time, |t| t.play_or_pause, &["Space", "K"]),
        entry(C::StepEvent, G::Time, |t| t.step_event, &["E"]),
        entry(C::StepCycle, G::Time, |t| t.step_cycle, &["."]),
        entry(C::StepMany, G::Time, |t| t.step_many, &[">", "Shift+."]),
        entry(C::StepListed, G::Time, |t| t.next_of, &["N"]),
        entry(C::Measure, G::Time, |t| t.measure_to_end, &[]),
        entry(C::BackCycle, G::Time, |t| t.back_cycle, &[","]),
        entry(C::BackMany, G::Time, |t| t.back_many, &["<", "Shift+,"]),
        entry(C::Reset, G::Time, |t| t.reset, &["R"]),
        entry(C::MarkA, G::Time, |t| t.mark_a, &["I"]),
        entry(C::MarkB, G::Time, |t| t.mark_b, &["O"]),
        entry(C::Slower, G::Time, |t| t.slower, &["["]),
        entry(C::Faster, G::Time, |t| t.faster, &["]"]),
        entry(C::Gallery, G::Document, |t| t.gallery, &["G"]),
        entry(C::Lessons, G::Document, |t| t.lessons, &["Shift+L"]),
        entry(C::Study, G::Document, |t| t.show_study, &["Shift+S"]),
        entry(C::NewDocument, G::Document, |t| t.new_document, &[]),
        entry(C::Open, G::Document, |t| t.open, &["Ctrl+O"]),
        entry(C::Save, G::Document, |t| t.save, &["Ctrl+S"]),
        entry(C::Export, G::Document, |t| t.export, &["Ctrl+E"]),
        entry(C::Share, G::Document, |t| t.share_document, &[]),
        entry(C::CopyLink, G::Document, |t| t.copy_link, &["Ctrl+Shift+L"]),
        entry(C::CopyMoment, G::Document, |t| t.copy_moment, &[]),
        entry(C::CopyFrame, G::Document, |t| t.copy_frame, &[]),
        entry(C::SaveResults, G::Document, |t| t.save_results, &["Ctrl+Shift+S"]),
        entry(C::CopyFingerprint, G::Document, |t| t.copy_fingerprint, &[]),
        entry(C::Undo, G::Edit, |t| t.undo, &["Ctrl+Z"]),
        entry(C::Redo, G::Edit, |t| t.redo, &["Ctrl+Shift+Z", "Ctrl+Y"]),
        entry(C::ToolSelect, G::Edit, |t| t.tool_select, &["V"]),
        entry(C::ToolSwitch, G::Edit, |t| t.tool_switch, &["S"]),
        entry(C::ToolHost, G::Edit, |t| t.tool_host, &["H"]),
        entry(C::ToolLink, G::Edit, |t| t.tool_link, &["L"]),
        entry(C::AddFourHosts, G::Edit, |t| t.add_four_hosts, &["4"]),
        entry(C::SelectAll, G::Edit, |t| t.select_all, &["Ctrl+A"]),
        entry(C::SelectNone, G::Edit, |t| t.select_none, &["Escape"]),
        entry(C::Duplicate, G::Edit, |t| t.duplicate, &["Ctrl+D"]),
        entry(C::Copy, G::Edit, |t| t.copy, &["Ctrl+C"]),
        entry(C::Cut, G::Edit, |t| t.cut, &["Ctrl+X"]),
        // The browser handles Control+V: only it can read what other tabs have copied.
        entry(C::Paste, G::Edit, |t| t.paste, &[]),
        entry(C::Remove, G::Edit, |t| t.remove, &["Delete", "Backspace"]),
        entry(C::LayoutStress, G::Layout, |t| t.layout_stress, &[]),
        entry(C::LayoutLayered, G::Layout, |t| t.layout_layered, &[]),
        entry(C::LayoutCircle, G::Layout, |t| t.layout_circle, &[]),
        entry(C::LayoutGrid, G::Layout, |t| t.layout_grid, &[]),
        entry(C::AlignRow, G::Layout, |t| t.align_row, &[]),
        entry(C::AlignColumn, G::Layout, |t| t.align_column, &[]),
        entry(C::Snap, G::Layout, |t| t.snap, &["Shift+G"]),
        entry(C::Fit, G::View, |t| t.fit, &["0", "F"]),
        entry(C::ZoomIn, G::View, |t| t.zoom_in, &["+", "Shift++", "="]),
        entry(C::ZoomOut, G::View, |t| t.zoom_out, &["-"]),
        entry(C::ThemeNext, G::View, |t| t.theme_next, &[]),
        entry(C::LanguageNext, G::View, |t| t.language_next, &[]),
    ];
    let overlays = OVERLAYS
        .iter()
        .map(|shown| entry(C::Show(shown.overlay), G::Overlay, shown.command, shown.keys));
    let after_overlays = [
        entry(C::ToolRoot, G::Routing, |t| t.tool_root, &["M"]),
        entry(C::ToolPair, G::Routing, |t| t.tool_pair, &["P"]),
        entry(C::WhatIf, G::Routing, |t| t.what_if, &["J"]),
        entry(C::MakeDeadlock, G::Routing, |t| t.make_deadlock, &[]),
        entry(C::Palette, G::Help, |t| t.palette, &["Ctrl+K"]),
        entry(C::Shortcuts, G::Help, |t| t.shortcuts, &["?", "Shift+?"]),
    ];
    before_overlays.into_iter().chain(overlays).chain(after_overlays).collect()
});

impl Command {
    /// Its entry in the list; a command that shows a panel has none there.
    pub fn entry(self) -> &'static Entry {
        ALL.iter().find(|entry| entry.command == self).expect("every command has an entry")
    }

    /// Where it is listed.
    pub fn group(self) -> Group {
        match self {
            Command::Panel(_) => Group::View,
            other => other.entry().group,
        }
    }

    /// The command with a shortcut, written as in [`Entry::keys`].
    pub fn of_keys(pressed: &str) -> Option<Command> {
        ALL.iter().find(|entry| entry.keys.contains(&pressed)).map(|entry| entry.command)
    }

    /// Its tooltip: name and first shortcut.
    pub fn tip(self, text: &Text) -> String {
        let entry = self.entry();
        let name = (entry.name)(text);
        entry.keys.first().map_or_else(|| name.to_owned(), |keys| format!("{name} ({keys})"))
    }
}

/// The keys pressed, written as in [`Entry::keys`].
pub fn keys(key: &str, control: bool, shift: bool) -> String {
    let key = match key {
        " " => "Space".to_owned(),
        single if single.chars().count() == 1 => single.to_uppercase(),
        other => other.to_owned(),
    };
    format!("{}{}{key}", if control { "Ctrl+" } else { "" }, if shift { "Shift+" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{EN, ES};

    #[test]
    fn shortcuts_and_names_are_unique() {
        let mut keys: Vec<&str> = ALL.iter().flat_map(|entry| entry.keys).copied().collect();
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
        for text in [&EN, &ES] {
            let mut names: Vec<&str> = ALL.iter().map(|entry| (entry.name)(text)).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), ALL.len());
        }
    }

    #[test]
    fn a_shortcut_finds_its_command() {
        assert_eq!(Command::of_keys(&keys("z", true, false)), Some(Command::Undo));
        assert_eq!(Command::of_keys(&keys("Z", true, true)), Some(Command::Redo));
        assert_eq!(Command::of_keys(&keys(" ", false, false)), Some(Command::PlayPause));
        assert_eq!(Command::of_keys(&keys("q", true, false)), None);
    }
}
