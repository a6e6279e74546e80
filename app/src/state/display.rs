//! Which panel, overlay and theme the page shows.

use crate::stage::Overlay;
use std::collections::BTreeSet;

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
    /// The flows whose name, start and stop are open.
    pub open_flows: BTreeSet<usize>,
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
            open_flows: BTreeSet::new(),
            search: String::new(),
        }
    }

    /// Remembers that a flow's name, start and stop were opened or closed. True if that is new.
    pub fn show_flow(&mut self, flow: usize, open: bool) -> bool {
        if open { self.open_flows.insert(flow) } else { self.open_flows.remove(&flow) }
    }

    /// Follows flows to their new places. `places` has the new place of each flow, if it has one.
    pub fn follow_flows(&mut self, places: &[Option<usize>]) {
        let place = |flow: &usize| places.get(*flow).copied().flatten();
        self.open_flows = self.open_flows.iter().filter_map(place).collect();
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
    fn open_flows_are_followed_to_their_places() {
        let mut display = Display::new(Theme::Light);
        assert!(display.show_flow(0, true) && display.show_flow(2, true));
        assert!(!display.show_flow(2, true), "it is open already");
        display.follow_flows(&[Some(1), Some(0), Some(2)]);
        assert_eq!(display.open_flows, [1, 2].into());
        display.follow_flows(&[Some(0), None, Some(1)]);
        assert_eq!(display.open_flows, [1].into());
        assert!(display.show_flow(1, false) && display.open_flows.is_empty());
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
