//! The panels, the bar and the dialogs: each a function from [`view::View`] to HTML.
//!
//! They hold no state of their own. They read [`crate::state::State`] and send
//! [`crate::action::Action`]; [`shell`] puts them together. A panel of the side is one file, its
//! `mod` line here, and its name in the `use` line and the list of [`side`].

mod actions;
mod application;
mod checklist;
mod crash;
mod curve;
mod cut_through;
mod dialogs;
mod fabric;
mod field;
mod files;
mod form;
mod gallery;
mod hardware;
mod icons;
mod inside;
mod inspector;
mod lanes;
mod legend;
mod lesson;
mod level_table;
mod levels;
mod list;
mod measurement;
mod miniature;
mod network;
mod nic;
mod overlay;
mod parts;
mod pattern;
mod qos;
mod results;
mod routing;
mod run_curve;
mod safety;
mod saqs;
mod scheduler;
mod selection;
pub mod shell;
pub mod side;
mod study;
mod tables;
mod time;
mod tour;
mod traffic;
mod transport;
mod troubles;
mod unit;
pub mod view;
mod watch;
mod words;
mod wormhole;
