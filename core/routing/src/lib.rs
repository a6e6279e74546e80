//! From a network and the user's choices to a route table and a report on it.
//!
//! Every routing is built in the same steps: an orientation, if it uses one; the set of transitions that are free
//! of ITBs and the set that is usable at all ([`placement`]); the candidates of each pair, shortest over the usable
//! ones ([`paths`]); one of them chosen; ITBs at the transitions that are not free ([`itb_host`]); the proof
//! ([`dependencies`]) and the figures ([`report`]).

#![forbid(unsafe_code)]

mod axes;
mod balance;
mod candidates;
mod cycles;
mod d_mod_k;
pub mod dependencies;
mod depth_first;
pub mod descriptors;
mod dimension_order;
pub mod dump;
mod ground;
mod hostless;
mod itb_host;
mod least_maximum;
mod movable_order;
mod note;
mod nue;
mod orientation;
mod paths;
mod placement;
mod plan;
pub mod report;
mod shortest;
mod smart;
mod table;
pub mod transitions;
mod what_if;

use hopscope_scenario::{catalogue, network, problem, random, scenario};

pub use axes::{Axes, MAX_CANDIDATES, Own, Plain};
pub use candidates::{PairRoute, PairRoutes, Stop};
pub use descriptors::all;
pub use ground::distances;
pub use note::Note;
pub use orientation::Orientation;
pub use placement::Turns;
pub use plan::{Progress, Routing, Stage, compute, compute_with};
pub use report::{Report, channel_weights};
pub use table::{Hop, Route, RouteSet, RouteTable, Step};
pub use what_if::{Changes, Failure, Left, Longer, WhatIf, diff, what_if, without};
