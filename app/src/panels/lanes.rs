//! Colours and names of lanes.

use crate::text::level_name;
use hopscope_core::scenario::Technique;
use yew::prelude::*;

/// The style sheet has as many colours for lanes.
const COLOURS: u8 = 8;

/// The class of the style sheet with a lane's colour.
pub fn colour(lane: u8) -> String {
    format!("lane-{}", lane % COLOURS)
}

/// A sign with a lane's colour.
pub fn key(lane: u8) -> Html {
    html! { <span class={classes!("lane-key", colour(lane))}></span> }
}

/// A lane by number and the names of the levels that use it.
pub fn lane_name(technique: &dyn Technique, lane: u8) -> String {
    let levels = technique.levels().iter().enumerate();
    let names: Vec<&str> = levels
        .filter(|(level, _)| technique.lanes_of_level(*level).contains(&lane))
        .map(|(_, level)| &*level.name)
        .filter(|name| !name.is_empty())
        .collect();
    level_name(lane.into(), &names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::Scenario;

    #[test]
    fn a_lane_is_named_after_the_levels_that_use_it() {
        let text = r#"{ "hopscope": 1, "network": { "generate": { "kind": "single", "hosts": 4 } },
            "fabric": { "kind": "cut-through", "qos": { "lanes": [1, 0, 1, 2], "levels": [
                { "name": "voice", "channels": [0] }, { "name": "video", "channels": [1, 2] },
                { "channels": [3] }] } } }"#;
        let scenario = Scenario::parse(text).expect("a scenario");
        let names = [0, 1, 2, 3].map(|lane| lane_name(scenario.fabric.technique(), lane));
        assert_eq!(names, ["0 video", "1 voice, video", "2", "3"]);
    }
}
