//! What a user chooses about routing: presets, the axes that they stand for, and placement rules.
//! `core/routing` computes the routes.

mod axes;
pub mod descriptors;
pub mod messages;
pub mod placements;
pub mod presets;

pub use axes::{Axes, Own, Plain};

const THESIS: &str = "J. Flich, doctoral thesis, Universidad Politécnica de Valencia, 2001";
