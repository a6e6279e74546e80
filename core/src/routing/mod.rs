//! From a network and the user's choices to a route table and a report on it.

mod table;

pub use table::{Hop, Route, RouteSet, RouteTable, Step};
