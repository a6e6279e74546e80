//! What the stage marks: the selection, the overlay, and what the overlay needs to know.
//!
//! Panels set a [`Marks`]; the modules that draw only read it. It holds no geometry: positions are
//! in [`super::picture`].

use super::usage::ramp_top;
use crate::edit::Thing;
use crate::layout::Point;
use crate::protocol::{Aftermath, Facts, ShownPath};
use crate::text::Text;
use hopscope_core::routing::PairRoutes;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What the user is drawing, before the pointer is lifted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Ghost {
    /// Nothing.
    #[default]
    None,
    /// A link.
    Link {
        /// Start.
        from: Point,
        /// The pointer, or the switch under it.
        to: Point,
    },
    /// A switch.
    Switch {
        /// The pointer.
        at: Point,
    },
    /// A box to select with.
    Box {
        /// One corner.
        from: Point,
        /// The opposite one.
        to: Point,
    },
}

/// What the stage shows besides the network and the messages.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marks {
    /// Selected things.
    pub selection: BTreeSet<Thing>,
    /// The thing under the pointer.
    pub hover: Option<Thing>,
    /// The hosts picked as senders of a flow.
    pub senders: Vec<u32>,
    /// What the user is drawing.
    pub ghost: Ghost,
    /// Root of the spanning tree.
    pub root: Option<u32>,
    /// The overlay.
    pub overlay: Overlay,
    /// What the worker reports about the routes, for overlays.
    pub facts: Option<Rc<Facts>>,
    /// The pair whose routes are shown.
    pub pair: PairMarks,
    /// The failure whose consequences are shown.
    pub failure: FailureMarks,
    /// The critical path that is shown.
    pub critical: PathMarks,
    /// True if ramps of colours end at 100 %, not at the greatest share.
    pub whole_ramp: bool,
    /// True if worms are drawn; at full speed they are not.
    pub worms: bool,
    /// True if the worms are too many to be told apart, so that only a few of them are drawn.
    pub crowded: bool,
    /// The message under the pointer.
    pub pointed: Option<u32>,
    /// The pinned message.
    pub message: Option<u32>,
    /// The channels of its route.
    pub path: Vec<u32>,
    /// The channels of a deadlock, each of which waits for the next.
    pub cycle: Vec<u32>,
}

impl Marks {
    /// The end of the ramp of reserved shares.
    pub fn reserved_top(&self) -> f32 {
        let shares = self.facts.iter().flat_map(|facts| facts.reserved());
        let most = shares.copied().fold(0.0, f32::max);
        if self.whole_ramp { 1.0 } else { ramp_top(most, 0.0) }
    }
}

/// The pair whose routes are shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PairMarks {
    /// First and last switch, as far as chosen.
    pub ends: [Option<u32>; 2],
    /// The routes.
    pub routes: Option<Rc<PairRoutes>>,
    /// The index of the route that is highlighted.
    pub chosen: usize,
}

/// A failure whose consequences are shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FailureMarks {
    /// What fails.
    pub things: BTreeSet<Thing>,
    /// Its consequences, once computed.
    pub aftermath: Option<Rc<Aftermath>>,
    /// The index of the highlighted example.
    pub example: Option<usize>,
}

/// A critical path that is shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PathMarks {
    /// The path, once it is known.
    pub path: Option<Rc<ShownPath>>,
    /// The index of the highlighted step.
    pub step: Option<usize>,
}

/// What is laid over the network, one at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overlay {
    /// Nothing.
    #[default]
    None,
    /// Share of time flits are sent on each channel.
    Busy,
    /// Share of time each channel is blocked.
    Blocked,
    /// How full each buffer is.
    Buffers,
    /// Hosts by their use as ITBs.
    Itbs,
    /// Which message waits for which.
    Waits,
    /// Congestion trees of RECN.
    Trees,
    /// The spanning tree, and which way is up.
    Tree,
    /// Turns that need an ITB or must not be made.
    Turns,
    /// The routes of a pair.
    Pair,
    /// Routes over each channel.
    Weights,
    /// Bandwidth that connections reserve on each channel.
    Reserved,
    /// The channel dependency graph, and its cycle.
    Dependencies,
    /// What a failure changes.
    Failure,
    /// The critical path of the application.
    CriticalPath,
}

/// The entry of an overlay in the list.
pub struct OverlayEntry {
    /// The overlay.
    pub overlay: Overlay,
    /// The word for it in links.
    pub word: &'static str,
    /// Its name.
    pub name: fn(&Text) -> &'static str,
    /// The name of the command that shows it.
    pub command: fn(&Text) -> &'static str,
    /// The shortcuts of the command.
    pub keys: &'static [&'static str],
}

/// All overlays, in the order of lists.
pub const OVERLAYS: &[OverlayEntry] = {
    use Overlay as O;
    const fn entry(
        overlay: Overlay,
        word: &'static str,
        name: fn(&Text) -> &'static str,
        command: fn(&Text) -> &'static str,
        keys: &'static [&'static str],
    ) -> OverlayEntry {
        OverlayEntry { overlay, word, name, command, keys }
    }
    &[
        entry(O::None, "none", |t| t.overlay_none, |t| t.show_none, &["Q"]),
        entry(O::Busy, "utilisation", |t| t.overlay_busy, |t| t.show_busy, &["U"]),
        entry(O::Blocked, "blocked", |t| t.overlay_blocked, |t| t.show_blocked, &["B"]),
        entry(O::Buffers, "buffers", |t| t.overlay_buffers, |t| t.show_buffers, &["C"]),
        entry(O::Itbs, "itbs", |t| t.overlay_itbs, |t| t.show_itbs, &["X"]),
        entry(O::Waits, "waits", |t| t.overlay_waits, |t| t.show_waits, &["A"]),
        entry(O::Trees, "congestion", |t| t.overlay_trees, |t| t.show_trees, &["Z"]),
        entry(O::Tree, "tree", |t| t.overlay_tree, |t| t.show_tree, &["T"]),
        entry(O::Turns, "turns", |t| t.overlay_turns, |t| t.show_turns, &["Y"]),
        entry(O::Pair, "pair", |t| t.overlay_pair, |t| t.show_pair, &[]),
        entry(O::Weights, "weights", |t| t.overlay_weights, |t| t.show_weights, &["W"]),
        entry(O::Reserved, "reserved", |t| t.overlay_reserved, |t| t.show_reserved, &[]),
        entry(
            O::Dependencies,
            "dependencies",
            |t| t.overlay_dependencies,
            |t| t.show_dependencies,
            &["D"],
        ),
        entry(O::Failure, "failure", |t| t.overlay_failure, |t| t.show_failure, &[]),
        entry(
            O::CriticalPath,
            "critical-path",
            |t| t.overlay_critical_path,
            |t| t.show_critical_path,
            &[],
        ),
    ]
};

impl Overlay {
    /// Its entry in the list.
    pub fn entry(self) -> &'static OverlayEntry {
        let entry = OVERLAYS.iter().find(|entry| entry.overlay == self);
        entry.expect("every overlay has an entry")
    }

    /// True if worms are drawn faintly, so that the overlay is readable.
    pub fn hides_worms(self) -> bool {
        use Overlay as O;
        !matches!(self, O::None | O::Waits | O::Tree) && !self.moves()
    }

    /// True if the overlay is about traffic, so it is drawn for every frame.
    pub fn moves(self) -> bool {
        use Overlay as O;
        matches!(self, O::Busy | O::Blocked | O::Buffers | O::Itbs | O::Trees)
    }
}
