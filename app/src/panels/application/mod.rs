//! The application: what runs, on which hosts, and what it came to.

pub mod results;
