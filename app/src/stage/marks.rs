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

impl Overlay {
    /// All overlays, in the order of the chooser.
    pub const ALL: [Overlay; 15] = [
        Overlay::None,
        Overlay::Busy,
        Overlay::Blocked,
        Overlay::Buffers,
        Overlay::Itbs,
        Overlay::Waits,
        Overlay::Trees,
        Overlay::Tree,
        Overlay::Turns,
        Overlay::Pair,
        Overlay::Weights,
        Overlay::Reserved,
        Overlay::Dependencies,
        Overlay::Failure,
        Overlay::CriticalPath,
    ];

    /// The word for it in links.
    pub fn word(self) -> &'static str {
        match self {
            Overlay::None => "none",
            Overlay::Busy => "utilisation",
            Overlay::Blocked => "blocked",
            Overlay::Buffers => "buffers",
            Overlay::Itbs => "itbs",
            Overlay::Waits => "waits",
            Overlay::Trees => "congestion",
            Overlay::Tree => "tree",
            Overlay::Turns => "turns",
            Overlay::Pair => "pair",
            Overlay::Weights => "weights",
            Overlay::Reserved => "reserved",
            Overlay::Dependencies => "dependencies",
            Overlay::Failure => "failure",
            Overlay::CriticalPath => "critical-path",
        }
    }

    /// The name of the overlay.
    pub fn name(self, text: &Text) -> &'static str {
        match self {
            Overlay::None => text.overlay_none,
            Overlay::Busy => text.overlay_busy,
            Overlay::Blocked => text.overlay_blocked,
            Overlay::Buffers => text.overlay_buffers,
            Overlay::Itbs => text.overlay_itbs,
            Overlay::Waits => text.overlay_waits,
            Overlay::Trees => text.overlay_trees,
            Overlay::Tree => text.overlay_tree,
            Overlay::Turns => text.overlay_turns,
            Overlay::Pair => text.overlay_pair,
            Overlay::Weights => text.overlay_weights,
            Overlay::Reserved => text.overlay_reserved,
            Overlay::Dependencies => text.overlay_dependencies,
            Overlay::Failure => text.overlay_failure,
            Overlay::CriticalPath => text.overlay_critical_path,
        }
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
