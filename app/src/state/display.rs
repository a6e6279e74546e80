//! Which panel, overlay and theme the page shows.

use crate::stage::Overlay;

/// Names a panel of the side; the panels themselves are listed in `panels/side.rs`. It is part of
/// the id of the tab's element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tab(pub &'static str);

/// The panels that the page turns to by itself.
#[allow(missing_docs, reason = "the names say it")]
impl Tab {
    pub const LESSON: Tab = Tab("lesson");
    pub const WATCH: Tab = Tab("watch");
    pub const TIME: Tab = Tab("time");
    pub const ROUTING: Tab = Tab("routing");
    pub const NETWORK: Tab = Tab("network");
    pub const RESULTS: Tab = Tab("results");
    pub const TRAFFIC: Tab = Tab("traffic");
    pub const APPLICATION: Tab = Tab("application");
}

/// The themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Theme {
    Light,
    Dark,
    Projector,
}

impl Theme {
    /// All themes, in the order in which the command cycles through them.
    pub const ALL: [Theme; 3] = [Theme::Light, Theme::Dark, Theme::Projector];

    /// The name in the style sheet and in the browser's storage.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::Projector => "projector",
        }
    }

    /// The theme with this name.
    pub fn by_name(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The theme after this one.
    pub fn next(self) -> Theme {
        Theme::ALL[(self as usize + 1) % Theme::ALL.len()]
    }
}

/// What is shown beside and over the network.
#[derive(Debug, Clone, PartialEq)]
pub struct Display {
    /// The panel of the side.
    pub tab: Tab,
    /// The overlay chosen.
    pub overlay: Overlay,
    /// Whether ramps of colours end at 100 %, not at the greatest share.
    pub whole_ramp: bool,
    /// The theme.
    pub theme: Theme,
    /// Whether the legend of the stage's signs is open.
    pub shows_legend: bool,
    /// Whether the list of what a drawn network needs is open.
    pub shows_checklist: bool,
    /// The text that the list of the network is filtered by.
    pub search: String,
}

impl Display {
    /// The display in which the page opens.
    pub fn new(theme: Theme) -> Display {
        Display {
            tab: Tab::WATCH,
            overlay: Overlay::None,
            whole_ramp: false,
            theme,
            shows_legend: false,
            shows_checklist: true,
            search: String::new(),
        }
    }

    /// Shows an overlay, or none if this one is shown already.
    pub fn toggle_overlay(&mut self, overlay: Overlay) {
        self.overlay = if self.overlay == overlay { Overlay::None } else { overlay };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_cycle_and_are_found_by_their_names() {
        let mut theme = Theme::Light;
        for _ in Theme::ALL {
            assert_eq!(Theme::by_name(theme.name()), Some(theme));
            theme = theme.next();
        }
        assert_eq!(theme, Theme::Light);
        assert_eq!(Theme::by_name("sepia"), None);
    }

    #[test]
    fn choosing_an_overlay_twice_hides_it() {
        let mut display = Display::new(Theme::Dark);
        display.toggle_overlay(Overlay::Tree);
        display.toggle_overlay(Overlay::Waits);
        assert_eq!(display.overlay, Overlay::Waits);
        display.toggle_overlay(Overlay::Waits);
        assert_eq!(display.overlay, Overlay::None);
    }
}
