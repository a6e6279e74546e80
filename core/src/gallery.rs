//! The gallery: scenarios to begin with, each with a sentence on what to look at. The files are in
//! `scenarios/`.

use crate::problem::Problems;
use crate::scenario::Scenario;

/// A section of the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// What to look at first.
    Start,
    /// Routes and in-transit buffers.
    Routing,
    /// What the shape of a network does.
    Topologies,
    /// Applications, whose run time is the result.
    Applications,
    /// Service levels and the schedulers that share links among them.
    Levels,
    /// Head-of-line blocking, congestion trees and RECN.
    Congestion,
    /// Networks of published studies.
    Published,
}

impl Section {
    /// All sections, in their order.
    pub const ALL: [Section; 7] = [
        Section::Start,
        Section::Routing,
        Section::Topologies,
        Section::Applications,
        Section::Levels,
        Section::Congestion,
        Section::Published,
    ];

    /// Its scenarios, in the order to look at them.
    pub fn items(self) -> impl Iterator<Item = &'static Item> {
        all().iter().filter(move |item| item.section == self)
    }
}

/// A scenario of the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Its file in `scenarios/`, without `.json`.
    pub id: &'static str,
    /// The section that lists it.
    pub section: Section,
    /// Its text.
    pub text: &'static str,
}

impl Item {
    /// The scenario.
    pub fn scenario(&self) -> Result<Scenario, Problems> {
        Scenario::parse(self.text)
    }
}

macro_rules! items {
    ($($section:ident: $id:literal),* $(,)?) => {
        &[$(Item {
            id: $id,
            section: Section::$section,
            text: include_str!(concat!("../../scenarios/", $id, ".json")),
        }),*]
    };
}

/// All scenarios of the gallery, in the order to look at them.
pub fn all() -> &'static [Item] {
    items![
        Start: "first-light",
        Start: "without-itbs",
        Start: "deadlock-ring",
        Start: "hot-spot",
        Topologies: "star",
        Topologies: "torus-4x4",
        Topologies: "fat-tree",
        Applications: "ring-all-reduce",
        Applications: "all-to-all-failed-link",
        Applications: "barrier-background",
        Applications: "barrier-levels",
        Routing: "short-messages",
        Routing: "thesis-32",
        Topologies: "torus-8x8",
        Topologies: "cplant",
        Routing: "sixty-four",
        Levels: "service-levels",
        Levels: "wrr-unfair",
        Levels: "four-sizes-table",
        Levels: "four-sizes-deficits",
        Levels: "delay-bound",
        Levels: "seven-classes-80",
        Levels: "seven-classes-100",
        Levels: "admission-refused",
        Levels: "bypass-queues",
        Congestion: "hot-spot-one-queue",
        Congestion: "hot-spot-voq",
        Congestion: "congestion-tree",
        Congestion: "congestion-tree-recn",
        Congestion: "congestion-tree-voqnet",
        Congestion: "two-trees-recn",
        Congestion: "saqs-run-out",
        Levels: "voice-video-bursts",
        Routing: "torus-datelines",
        Routing: "irregular-lanes",
        Published: "studies/opasim-a",
        Published: "studies/opasim-b",
        Published: "studies/hiperion-8-ary-3-tree",
        Published: "studies/hiperion-24-ary-2-tree",
        Published: "studies/hiperion-torus-8x8",
        Published: "studies/hiperion-torus-8x8x4",
    ]
}

#[cfg(test)]
pub(crate) mod tests;
