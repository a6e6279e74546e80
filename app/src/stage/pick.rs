//! Hit testing: the switch, host, channel or message at a stage point, and the neighbour in a
//! direction for the arrow keys.

use super::picture::{HOST, Picture, SWITCH};
use crate::edit::Thing;
use crate::layout::Point;
use hopscope_core::observe::{Place, Snapshot};
use std::collections::BTreeSet;

/// A place on the stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// A switch.
    Switch(u32),
    /// A host.
    Host(u32),
    /// A channel.
    Channel(u32),
}

impl Spot {
    /// The drawn thing at this place.
    pub fn thing(self, picture: &Picture) -> Option<Thing> {
        match self {
            Spot::Switch(i) => Some(Thing::Switch(i)),
            Spot::Host(i) => Some(Thing::Host(i)),
            Spot::Channel(c) => picture.lanes.get(c as usize).map(|lane| lane.thing),
        }
    }
}

/// The nearest spot within `reach` stage units of a point; switches and hosts before channels.
pub fn spot(picture: &Picture, at: Point, reach: f32) -> Option<Spot> {
    let away = |p: &Point| (p[0] - at[0]).hypot(p[1] - at[1]);
    let near = |places: &[Point], radius: f32| {
        let found = places.iter().enumerate().filter(|(_, p)| away(p) <= radius + reach);
        found.min_by(|a, b| away(a.1).total_cmp(&away(b.1))).map(|(i, _)| i as u32)
    };
    let channel = || {
        let lanes =
            picture.lanes.iter().enumerate().map(|(i, lane)| (lane.nearest(at).1, i as u32));
        lanes
            .filter(|(away, _)| *away <= 5.0 + reach)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, i)| i)
    };
    near(&picture.switches, SWITCH)
        .map(Spot::Switch)
        .or_else(|| near(&picture.hosts, HOST).map(Spot::Host))
        .or_else(|| channel().map(Spot::Channel))
}

/// The message whose flits are nearest to a point of a channel.
pub fn message(picture: &Picture, frame: &Snapshot, channel: u32, at: Point) -> Option<u32> {
    let lane = picture.lanes.get(channel as usize)?;
    let along = lane.nearest(at).0;
    let wire = lane.length - lane.buffer;
    let in_buffer = along > wire;
    let place = |front: u32, place| match place {
        Place::Link => wire * front as f32 / lane.delay,
        _ => lane.length - lane.buffer * front as f32 / picture.buffer_flits[0].max(1.0),
    };
    let spans =
        frame.spans.iter().filter(|span| span.channel == channel && span.place != Place::Memory);
    spans
        .min_by(|a, b| {
            let far = |s: &hopscope_core::observe::Span| {
                let wrong = f32::from(u8::from((s.place == Place::Buffer) != in_buffer));
                (place(s.front, s.place) - along).abs() + 1000.0 * wrong
            };
            far(a).total_cmp(&far(b))
        })
        .map(|span| span.message)
}

/// Switches and hosts in a box.
pub fn inside(picture: &Picture, a: Point, b: Point) -> BTreeSet<Thing> {
    let within = |p: &Point| (0..2).all(|i| p[i] >= a[i].min(b[i]) && p[i] <= a[i].max(b[i]));
    let mut things = BTreeSet::new();
    let mut pick = |places: &[Point], thing: fn(u32) -> Thing| {
        let found = places.iter().enumerate().filter(|(_, p)| within(p));
        things.extend(found.map(|(i, _)| thing(i as u32)));
    };
    pick(&picture.switches, Thing::Switch);
    pick(&picture.hosts, Thing::Host);
    things
}

/// The switch or host to go to from `from` in a direction, as the arrow keys do. Near things come
/// first; things more than about 63 degrees off the direction are left out. With `only_switches`,
/// hosts are skipped.
pub fn towards(
    picture: &Picture,
    from: Thing,
    direction: Point,
    only_switches: bool,
) -> Option<Thing> {
    let at = picture.place(from)?;
    let cost = |p: &Point| {
        let (dx, dy) = (p[0] - at[0], p[1] - at[1]);
        let ahead = dx * direction[0] + dy * direction[1];
        let aside = (dx * direction[1] - dy * direction[0]).abs();
        (ahead > 1.0 && aside <= 2.0 * ahead).then_some(ahead + 1.5 * aside)
    };
    let switches = (0..).map(Thing::Switch).zip(&picture.switches);
    let hosts =
        (0..).map(Thing::Host).zip(&picture.hosts).take(if only_switches { 0 } else { usize::MAX });
    let others = switches.chain(hosts).filter_map(|(thing, p)| Some((cost(p)?, thing)));
    others.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, thing)| thing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrow_keys_reach_everything_and_with_shift_only_switches() {
        let generated = r#"{"hopscope":1,"network":{"generate":{"kind":"mesh","sides":[3,3],"hosts_per_switch":5}}}"#;
        let picture = Picture::of(&serde_json::from_str(generated).expect("a scenario"));
        let directions = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
        for (only_switches, all) in [(true, 9), (false, 9 + 45)] {
            let mut met = BTreeSet::from([Thing::Switch(4)]);
            let mut next = vec![Thing::Switch(4)];
            while let Some(at) = next.pop() {
                let reached =
                    directions.iter().filter_map(|d| towards(&picture, at, *d, only_switches));
                next.extend(reached.filter(|thing| met.insert(*thing)).collect::<Vec<_>>());
            }
            assert_eq!(met.len(), all);
        }
    }
}
