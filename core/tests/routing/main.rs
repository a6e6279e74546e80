//! Routing: every route is valid, and minimal where claimed; ITBs are only where hosts are; no
//! cycle where none is claimed; the thesis's shares.

mod candidates;
mod networks;
mod shown;
mod statistics;
mod validity;
