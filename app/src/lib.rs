//! Hopscope's page and its worker.
//!
//! Page ([`page::start::run`]) and simulation worker ([`worker::run`]) are one program in two places. They talk through [`protocol`] (control messages) and [`frame`] (pictures of the network).
//!
//! In the page, a [`command`] or an [`edit`] changes the [`document`]; the scenario goes to the worker; frames come back
//! to the [`stage`], numbers to the [`panels`]. [`text`] has all words.

pub mod action;
pub mod command;
pub mod document;
pub mod edit;
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
