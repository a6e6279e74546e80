//! Hopscope's page and its worker.
//!
//! Page ([`page::start::run`]) and simulation worker ([`worker::run`]) are one program in two
//! places. They talk through [`protocol`] (control messages) and [`frame`] (snapshots for drawing).
//!
//! In the page, the [`panels`] and the [`stage`] send an [`action`], such as a [`command`] or an
//! [`edit`] of the [`document`]. The scenario goes to the worker; frames come back to the stage,
//! numbers to the [`state`] that the panels show. [`text`] has all words.

pub mod action;
pub mod command;
pub mod document;
pub mod edit;
pub mod former;
pub mod frame;
pub mod layout;
pub mod page;
pub mod panels;
pub mod protocol;
mod random;
pub mod stage;
pub mod state;
pub mod text;
pub mod worker;
