//! Routing: every route valid and minimal where claimed, ITBs only where hosts are, no deadlock where none is
//! claimed, the thesis's shares.

mod candidates;
mod looking;
mod networks;
mod statistics;
mod validity;
