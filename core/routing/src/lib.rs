//! From a network and the user's choices to a route table and a report on it.
//!
//! Every routing is built in the same steps ([`compute`]): an orientation, if it uses one; the set
//! of transitions that are free of ITBs and the set that is usable at all ([`placement`]); the
//! candidates of each pair, shortest over the usable transitions ([`paths`]); one of them chosen;
//! ITBs at the transitions that are not free ([`itb_host`]); the proof ([`dependencies`]) and the
//! figures ([`report`]). Networks are graphs of petgraph (`network::graph`), and so are sets of
//! transitions ([`transitions`]).

#![forbid(unsafe_code)]

mod balance;
mod candidates;
mod compute;
mod cycles;
mod d_mod_k;
pub mod dependencies;
mod dependency_order;
mod depth_first;
mod dimension_order;
pub mod dump;
mod ends;
mod hostless;
mod itb_host;
mod least_maximum;
pub mod memory;
pub mod messages;
mod movable_order;
mod note;
mod nue;
mod orientation;
mod paths;
mod placement;
mod prepared_network;
pub mod report;
mod shortest;
mod smart;
mod table;
pub mod transitions;
mod turn_pool;
mod what_if;

use hopscope_scenario::{network, problem, random, scenario};

pub use candidates::{PairRoute, PairRoutes, Stop};
pub use compute::{Progress, Routing, Stage, compute, compute_with};
pub use ends::Ends;
pub use hopscope_scenario::routing::{Axes, Own, Plain, descriptors, placements, presets};
pub use note::Note;
pub use orientation::Orientation;
pub use placement::TransitionSets;
pub use report::{Report, channel_weights};
pub use table::{Hop, Route, RouteSet, RouteTable, Step};
pub use turn_pool::{Turn, TurnPool, check_turn_pools, dump_turns, turn_bits, turn_pools};
pub use what_if::{Changes, Failure, Left, Longer, WhatIf, diff, what_if, without};
