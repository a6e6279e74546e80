//! The axes of a routing: the values a preset stands for, and the combinations that make no sense.

use super::messages;
use super::placements::Places;
use crate::problem::Problems;
use crate::scenario::limits::MAX_CANDIDATES;
use crate::scenario::{
    CandidateSet, Choice, Halfway, ItbHost, Orientation, Placement, Preset, RoutingSpec, Selection,
};
use serde::Serialize;

/// Every axis of a routing, resolved from preset and overrides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Axes {
    /// Spanning tree.
    pub orientation: Orientation,
    /// Which routes are candidates.
    pub paths: CandidateSet,
    /// Where ITBs go.
    pub placement: Placement,
    /// How one route is chosen when routes are computed.
    pub choice: Choice,
    /// How one is chosen per message.
    pub selection: Selection,
    /// Where selection at send time needs a second, plain route set: how that one is chosen.
    pub plain: Option<Plain>,
    /// Set for routings that make their own routes.
    pub own: Option<Own>,
}

/// A routing that makes its own routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Own {
    /// Nue.
    Nue,
    /// Dimension order.
    DimensionOrder,
    /// D-mod-k.
    #[serde(rename = "d-mod-k")]
    DModK,
}

/// The plain one of two route sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plain {
    /// Shortest legal routes of the orientation, no ITBs.
    Legal,
    /// Minimal routes, without ITBs where there is one (UD_MITB).
    FewestItbs,
}

impl Axes {
    /// Preset and overrides together.
    ///
    /// # Errors
    /// Combinations in which a setting could change nothing.
    pub fn resolve(spec: &RoutingSpec) -> Result<Self, Problems> {
        let axes = Self::asked(spec);
        let mut problems = Problems::default();
        axes.check_combinations(spec, &mut problems);
        problems.or(axes)
    }

    /// Preset and overrides together, sensible or not.
    pub fn asked(spec: &RoutingSpec) -> Self {
        let mut axes = spec.preset.axes();
        axes.orientation = spec.orientation.unwrap_or(axes.orientation);
        axes.paths = spec.paths.unwrap_or(axes.paths);
        axes.placement = spec.placement.unwrap_or(axes.placement);
        axes.choice = spec.choice.unwrap_or(axes.choice);
        if let Some(selection) = spec.selection {
            axes.selection = selection;
            axes.plain = match selection {
                Selection::ByLength { .. } => Some(Plain::FewestItbs),
                Selection::Share { .. } | Selection::WhenLoaded { .. } => Some(Plain::Legal),
                _ => None,
            };
        }
        axes
    }

    /// True if a spanning tree plays a part: its root and orientation matter.
    pub fn uses_tree(&self) -> bool {
        self.own.is_none()
            && (self.paths == CandidateSet::ShortestLegal
                || matches!(self.placement.places(), Places::ForbiddenTransitions)
                || self.plain.is_some())
    }

    /// True if the root of a spanning tree matters.
    pub fn uses_root(&self) -> bool {
        self.uses_tree() || self.own == Some(Own::Nue)
    }

    /// True if there is a choice of ways to go half around a ring.
    pub fn goes_halfway(&self) -> bool {
        self.own == Some(Own::DimensionOrder)
    }

    /// True if routes may stop at in-transit hosts.
    pub fn uses_itbs(&self) -> bool {
        self.placement != Placement::None || self.plain == Some(Plain::FewestItbs)
    }

    /// What is worth a warning in a routing that can be computed: a choice of hosts for ITBs where
    /// there are none, with place, reason and fix.
    pub fn warnings(&self, spec: &RoutingSpec) -> Problems {
        let mut warnings = Problems::default();
        if spec.itb_host != ItbHost::default() && !self.uses_itbs() {
            let why = messages::itb_hosts_without_itbs();
            warnings.add("routing.itb_host", why, messages::leave_itb_host_out());
        }
        warnings
    }

    /// The preset that stands for these axes, if one does. An orientation that plays no part may be
    /// any.
    pub fn preset(&self) -> Option<Preset> {
        let alike = |of: &Self| Self { orientation: of.orientation, ..*self } == *of;
        Preset::ALL.iter().copied().find(|&preset| {
            let of = preset.axes();
            of == *self || !self.uses_tree() && alike(&of)
        })
    }

    fn check_combinations(&self, spec: &RoutingSpec, problems: &mut Problems) {
        if !(1..=MAX_CANDIDATES).contains(&spec.max_candidates) {
            problems.add(
                "routing.max_candidates",
                messages::candidates_of_a_pair(spec.max_candidates),
                messages::candidates_range(MAX_CANDIDATES),
            );
        }
        let legal = self.paths == CandidateSet::ShortestLegal;
        let places = self.placement.places();
        if legal && matches!(places, Places::Cycles { .. } | Places::ForbiddenTransitions) {
            problems.add(
                "routing.placement",
                messages::legal_routes_need_no_itb(),
                messages::choose_minimal_or_no_placement(),
            );
        }
        if self.placement == Placement::None && self.choice == Choice::FewestItbs {
            problems.add(
                "routing.choice",
                messages::no_itbs_to_be_few(),
                messages::choose_random_or_a_placement(),
            );
        }
        if self.selection.several_routes()
            && matches!(self.choice, Choice::Balanced | Choice::SmartBalance)
        {
            problems.add(
                "routing.selection",
                messages::balanced_choice_keeps_one_route(),
                messages::choose_random_or_fixed(),
            );
        }
        if self.selection.two_sets() && self.placement == Placement::None {
            problems.add(
                "routing.selection",
                messages::two_sets_without_placement(),
                messages::choose_a_placement(),
            );
        }
        if self.selection.two_sets()
            && self.placement != Placement::None
            && !self.placement.is_for_two_sets()
        {
            problems.add(
                "routing.selection",
                messages::two_sets_with_random_rule(),
                messages::placements_of_two_sets(Placement::for_two_sets()),
            );
        }
        if let Selection::Share { plain } = self.selection
            && !(0.0..=1.0).contains(&plain)
        {
            problems.add(
                "routing.selection.plain",
                messages::no_share_of_messages(plain),
                messages::share_from_0_to_1(),
            );
        }
        if spec.halfway != Halfway::default() && !self.goes_halfway() {
            problems.add(
                "routing.halfway",
                messages::halfway_without_dimension_order(),
                messages::leave_halfway_out(Preset::with_halfway()),
            );
        }
        if self.own.is_some()
            && (spec.paths, spec.placement, spec.choice, spec.orientation)
                != (None, None, None, None)
        {
            problems.add(
                "routing.preset",
                messages::preset_makes_its_own_routes(),
                messages::leave_axes_out(),
            );
        }
    }

    /// The same routing in its shortest form: a preset alone if one stands for the axes, else a
    /// preset with the axes that differ from it.
    #[must_use]
    pub fn shortened(mut spec: RoutingSpec) -> RoutingSpec {
        let exact = Self::asked(&spec).preset();
        spec.preset = exact.unwrap_or(spec.preset);
        let of = spec.preset.axes();
        spec.orientation = spec.orientation.filter(|&o| exact.is_none() && o != of.orientation);
        spec.paths = spec.paths.filter(|&p| p != of.paths);
        spec.placement = spec.placement.filter(|&p| p != of.placement);
        spec.choice = spec.choice.filter(|&c| c != of.choice);
        spec.selection = spec.selection.filter(|&s| s != of.selection);
        spec
    }

    /// True if a routing's axes are those of its preset.
    pub fn are_presets(spec: &RoutingSpec) -> bool {
        Self::asked(spec) == spec.preset.axes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_found_by_its_axes() {
        for &preset in Preset::ALL {
            let axes = preset.axes();
            let own = axes.own.is_some();
            let spelt = RoutingSpec {
                preset: if own { preset } else { Preset::UD },
                orientation: Some(axes.orientation).filter(|_| !own),
                paths: Some(axes.paths).filter(|_| !own),
                placement: Some(axes.placement).filter(|_| !own),
                choice: Some(axes.choice).filter(|_| !own),
                selection: Some(axes.selection).filter(|_| !own),
                ..Default::default()
            };
            let short = Axes::shortened(spelt);
            assert_eq!(short, RoutingSpec { preset, ..Default::default() });
            assert!(Axes::are_presets(&short));
        }
    }

    #[test]
    fn what_no_preset_stands_for_keeps_only_what_differs() {
        let spec = RoutingSpec {
            preset: Preset::UD_ITB,
            choice: Some(Choice::Balanced),
            paths: Some(CandidateSet::Minimal),
            ..Default::default()
        };
        let short = Axes::shortened(spec);
        assert_eq!(short, RoutingSpec { choice: Some(Choice::Balanced), ..Default::default() });
        assert!(!Axes::are_presets(&short));
        assert_eq!(Axes::asked(&short), Axes { choice: Choice::Balanced, ..Preset::UD_ITB.axes() });
    }

    #[test]
    fn an_orientation_without_a_part_hides_no_preset() {
        let spec = RoutingSpec {
            preset: Preset::DFS_ITB,
            placement: Some(Placement::CycleGreedy),
            ..Default::default()
        };
        assert_eq!(Axes::shortened(spec).preset, Preset::RANDOM_ITB);
    }
}
