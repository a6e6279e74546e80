//! What the stage marks: the selection, the overlay, and what the overlay needs to know.
//!
//! Panels set a [`Marks`]; the modules that draw only read it. It holds no geometry: positions are
//! in [`super::picture`].

use crate::edit::Thing;
use crate::layout::Point;
use crate::protocol::{Aftermath, Facts};
use crate::text::Text;
use hopscope_core::routing::PairRoutes;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Something on its way to being drawn.
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

/// What is marked on the stage, besides the network and what moves in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marks {
    /// Selected things.
    pub selection: BTreeSet<Thing>,
    /// What the pointer is over.
    pub hover: Option<Thing>,
    /// What is being drawn.
    pub ghost: Ghost,
    /// Root of the spanning tree.
    pub root: Option<u32>,
    /// What is laid over the network.
    pub overlay: Overlay,
    /// What is known of the routes, for overlays.
    pub facts: Option<Rc<Facts>>,
    /// The pair whose routes are shown.
    pub pair: PairMarks,
    /// The failure whose consequences are shown.
    pub failure: FailureMarks,
    /// Whether worms are drawn; at high speed they are not.
    pub worms: bool,
    /// The pinned message.
    pub message: Option<u32>,
    /// The channels on its way.
    pub path: Vec<u32>,
    /// Channels of a deadlock, each waiting for the next.
    pub cycle: Vec<u32>,
}

/// The pair whose routes are shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PairMarks {
    /// Where they begin and end, as far as chosen.
    pub ends: [Option<u32>; 2],
    /// The routes.
    pub routes: Option<Rc<PairRoutes>>,
    /// The one looked at.
    pub chosen: usize,
}

/// A failure whose consequences are shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FailureMarks {
    /// What fails.
    pub things: BTreeSet<Thing>,
    /// What comes of it, once known.
    pub aftermath: Option<Rc<Aftermath>>,
    /// The pair looked at, of the examples.
    pub example: Option<usize>,
}

/// What is laid over the network.
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
    /// Which hosts take messages out of the network and send them on.
    Itbs,
    /// Who waits for whom.
    Waits,
    /// The spanning tree, and which way is up.
    Tree,
    /// Turns that need an ITB or must not be made.
    Turns,
    /// The routes of a pair.
    Pair,
    /// Routes over each channel.
    Weights,
    /// The channel dependency graph, and its cycle.
    Dependencies,
    /// What a failure changes.
    Failure,
}

impl Overlay {
    /// All of them, in the order of the chooser.
    pub const ALL: [Overlay; 12] = [
        Overlay::None,
        Overlay::Busy,
        Overlay::Blocked,
        Overlay::Buffers,
        Overlay::Itbs,
        Overlay::Waits,
        Overlay::Tree,
        Overlay::Turns,
        Overlay::Pair,
        Overlay::Weights,
        Overlay::Dependencies,
        Overlay::Failure,
    ];

    /// Its name.
    pub fn name(self, text: &Text) -> &'static str {
        match self {
            Overlay::None => text.overlay_none,
            Overlay::Busy => text.overlay_busy,
            Overlay::Blocked => text.overlay_blocked,
            Overlay::Buffers => text.overlay_buffers,
            Overlay::Itbs => text.overlay_itbs,
            Overlay::Waits => text.overlay_waits,
            Overlay::Tree => text.overlay_tree,
            Overlay::Turns => text.overlay_turns,
            Overlay::Pair => text.overlay_pair,
            Overlay::Weights => text.overlay_weights,
            Overlay::Dependencies => text.overlay_dependencies,
            Overlay::Failure => text.overlay_failure,
        }
    }

    /// Whether worms step back so that it can be seen.
    pub fn hides_worms(self) -> bool {
        use Overlay as O;
        !matches!(self, O::None | O::Waits | O::Tree) && !self.moves()
    }

    /// Whether it is about traffic, so drawn with what moves.
    pub fn moves(self) -> bool {
        matches!(self, Overlay::Busy | Overlay::Blocked | Overlay::Buffers | Overlay::Itbs)
    }
}
