//! Colours of lanes and names of service levels.

/// The style sheet has as many colours for lanes.
const COLOURS: u8 = 8;

/// The class of the style sheet with a lane's colour.
pub fn colour(lane: u8) -> String {
    format!("lane-{}", lane % COLOURS)
}

/// A service level by number and name.
pub fn level_name(level: usize, name: &str) -> String {
    if name.is_empty() { level.to_string() } else { format!("{level} {name}") }
}
