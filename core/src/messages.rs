//! What this crate tells people, as templates; see [`crate::message`].

hopscope_scenario::messages! {
    lanes_too_few(channels, switch): "{channels} service channels per level do not avoid all cycles (the first left over leaves `{switch}`)";
    lanes_too_few_fix(): "give every level one more service channel, or choose a routing without cycles";
}
