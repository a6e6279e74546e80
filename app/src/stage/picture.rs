//! The geometry of a network: positions of switches and hosts, and the lane of each channel.
//!
//! Lanes are in the order of the core's channel numbers: two per cable, then two per host.
//! [`Picture::of`] accepts scenarios that are not valid, because the page shows them while they are
//! edited.

use crate::edit::Thing;
use crate::layout::{self, Point};
use hopscope_core::scenario::{DrawnNetwork, FabricSpec, InputBuffer, NetworkSpec, Scenario};
use std::collections::BTreeMap;

/// Half the side of a switch, stage units.
pub const SWITCH: f32 = 19.0;
/// Radius of a host.
pub const HOST: f32 = 7.0;
/// Distance of a host from its switch, centre to centre.
const HOST_AWAY: f32 = 62.0;
/// Distance of a lane from the middle of its link.
const LANE_ASIDE: f32 = 4.6;
/// Distance of two links between the same switches.
const LINKS_APART: f32 = 21.0;
/// Greatest length of a drawn input buffer.
const MAX_BUFFER: f32 = 64.0;

/// One channel's lane: the wire, then the receiver's input buffer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lane {
    /// Point at which flits enter.
    pub start: Point,
    /// Point at which flits leave the buffer.
    pub end: Point,
    /// Unit vector from start to end.
    pub along: Point,
    /// Length, stage units.
    pub length: f32,
    /// Length of the buffer at the end.
    pub buffer: f32,
    /// Link delay, cycles.
    pub delay: f32,
    /// The thing that a click on it selects.
    pub thing: Thing,
    /// The switches at start and end; `None` stands for a host.
    pub switches: [Option<u32>; 2],
}

impl Lane {
    fn new(start: Point, end: Point, delay: u32, thing: Thing, switches: [Option<u32>; 2]) -> Lane {
        let (dx, dy) = (end[0] - start[0], end[1] - start[1]);
        let length = dx.hypot(dy).max(1.0);
        let buffer = (length * 0.45).min(MAX_BUFFER);
        Lane {
            start,
            end,
            along: [dx / length, dy / length],
            length,
            buffer,
            delay: delay.max(1) as f32,
            thing,
            switches,
        }
    }

    /// The point at a distance from the start, stage units.
    pub fn at(&self, distance: f32) -> Point {
        [self.start[0] + self.along[0] * distance, self.start[1] + self.along[1] * distance]
    }
}

/// A network as drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Picture {
    /// Switches, hosts and links, drawn or generated.
    pub network: DrawnNetwork,
    /// Position of each switch.
    pub switches: Vec<Point>,
    /// Position of each host.
    pub hosts: Vec<Point>,
    /// One lane per channel, in the order of channel numbers.
    pub lanes: Vec<Lane>,
    /// Number of cables between switches; the channels of hosts start at twice this number.
    pub cables: usize,
    /// Capacity of an input buffer, and the occupancies at which it sends STOP and GO, flits.
    pub buffer_flits: [f32; 3],
    /// Virtual lanes, drawn as strips side by side.
    pub strips: u8,
    /// Whether a message moves and waits as one worm; else its packets do, each by itself.
    pub worms: bool,
}

impl Picture {
    /// The picture of a scenario. It is empty if the network cannot be generated.
    pub fn of(scenario: &Scenario) -> Picture {
        let network = match &scenario.network {
            NetworkSpec::Drawn(network) => network.clone(),
            NetworkSpec::Generate(generator) => generator.generate().unwrap_or_default(),
        };
        let switches = layout::positions(&network);
        Picture::with_positions(network, switches, &scenario.fabric)
    }

    /// The picture with the switches at these positions.
    pub fn with_positions(
        network: DrawnNetwork,
        switches: Vec<Point>,
        fabric: &FabricSpec,
    ) -> Picture {
        let (delay, buffer_flits) = sizes(fabric);
        let hosts = hosts(&network, &switches);
        let mut lanes = Vec::new();
        let cables = cable_lanes(&network, &switches, delay, &mut lanes);
        host_lanes(&network, &switches, &hosts, delay, &mut lanes);
        let strips = fabric.technique().lanes();
        // Without Stop & Go, packets are sent only where there is space for all of each.
        let worms = fabric.technique().input_buffer().stop_and_go.is_some();
        Picture { network, switches, hosts, lanes, cables, buffer_flits, strips, worms }
    }

    /// Position of a thing; of a link, the middle between its switches.
    pub fn place(&self, thing: Thing) -> Option<Point> {
        match thing {
            Thing::Switch(i) => self.switches.get(i as usize).copied(),
            Thing::Host(i) => self.hosts.get(i as usize).copied(),
            Thing::Link(i) => {
                let link = self.network.links.get(i as usize)?;
                let (a, b) =
                    (self.switches.get(link.a.0 as usize)?, self.switches.get(link.b.0 as usize)?);
                Some([(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0])
            }
        }
    }

    /// The box around the centres of all switches and hosts: left, top, right, bottom.
    pub fn bounds(&self) -> [f32; 4] {
        let all = self.switches.iter().chain(&self.hosts);
        let mut bounds = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
        for [x, y] in all {
            bounds = [bounds[0].min(*x), bounds[1].min(*y), bounds[2].max(*x), bounds[3].max(*y)];
        }
        if self.switches.is_empty() { [-400.0, -300.0, 400.0, 300.0] } else { bounds }
    }

    /// The hosts of a switch.
    pub fn hosts_of(&self, switch: u32) -> Vec<u32> {
        let hosts = (0..).zip(&self.network.hosts);
        hosts.filter(|(_, host)| host.switch == switch).map(|(i, _)| i).collect()
    }

    /// The name of a switch, or its number if it has none.
    pub fn switch_name(&self, index: u32) -> String {
        let given = self.network.switches.get(index as usize).map_or("", |s| &s.name);
        if given.is_empty() { index.to_string() } else { given.to_owned() }
    }
}

fn sizes(fabric: &FabricSpec) -> (u32, [f32; 3]) {
    let technique = fabric.technique();
    let InputBuffer { flits, stop_and_go } = technique.input_buffer();
    let [stop, go] = stop_and_go.unwrap_or([flits; 2]);
    (technique.link_delay_cycles(), [flits, stop, go].map(|n| n as f32))
}

fn hosts(network: &DrawnNetwork, switches: &[Point]) -> Vec<Point> {
    let mut towards = vec![Vec::new(); switches.len()];
    for link in &network.links {
        let (a, b) = (link.a.0 as usize, link.b.0 as usize);
        if a.max(b) < switches.len() {
            towards[a].push(switches[b]);
            towards[b].push(switches[a]);
        }
    }
    let mut waiting = vec![Vec::new(); switches.len()];
    let mut places = vec![[0.0, 0.0]; network.hosts.len()];
    for (i, host) in network.hosts.iter().enumerate() {
        match (host.x, host.y) {
            (Some(x), Some(y)) => places[i] = [x, y],
            _ => waiting.get_mut(host.switch as usize).into_iter().for_each(|list| list.push(i)),
        }
    }
    for (switch, list) in waiting.iter().enumerate() {
        // The circumference grows with the number of hosts.
        let radius = HOST_AWAY.max(list.len() as f32 * 3.2 * HOST / std::f32::consts::TAU);
        let around = layout::around(switches[switch], &towards[switch], list.len(), radius);
        list.iter().zip(around).for_each(|(&host, place)| places[host] = place);
    }
    places
}

fn cable_lanes(
    network: &DrawnNetwork,
    switches: &[Point],
    delay: u32,
    lanes: &mut Vec<Lane>,
) -> usize {
    let pair = |a: u32, b: u32| (a.min(b), a.max(b));
    let mut between: BTreeMap<(u32, u32), (f32, f32)> = BTreeMap::new();
    for link in &network.links {
        between.entry(pair(link.a.0, link.b.0)).or_default().0 += f32::from(link.width);
    }
    for (i, link) in network.links.iter().enumerate() {
        let delay = link.delay_cycles.unwrap_or(delay);
        for _ in 0..link.width {
            let (count, done) = between.get_mut(&pair(link.a.0, link.b.0)).expect("counted above");
            let aside = (*done - (*count - 1.0) / 2.0) * LINKS_APART;
            *done += 1.0;
            // The offset is measured from the lower-numbered switch to the higher, so that all
            // links of the pair lie side by side.
            let aside = if link.a.0 < link.b.0 { aside } else { -aside };
            let end = |i: u32| switches.get(i as usize).copied().unwrap_or_default();
            let (a, b) = (end(link.a.0), end(link.b.0));
            let there = between_switches(a, b, aside + LANE_ASIDE);
            let back = between_switches(b, a, LANE_ASIDE - aside);
            let (from, to) = (Some(link.a.0), Some(link.b.0));
            lanes.push(Lane::new(there.0, there.1, delay, Thing::Link(i as u32), [from, to]));
            lanes.push(Lane::new(back.0, back.1, delay, Thing::Link(i as u32), [to, from]));
        }
    }
    lanes.len() / 2
}

/// Start and end of a lane from switch to switch, at a distance to the right of the line between
/// them.
fn between_switches(from: Point, to: Point, right: f32) -> (Point, Point) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    // The lane runs from the edge of one square to the edge of the other.
    let out = (SWITCH / ux.abs().max(uy.abs()).max(0.1) + 1.5).min(length / 2.0);
    let at = |distance: f32| {
        [from[0] + ux * distance - uy * right, from[1] + uy * distance + ux * right]
    };
    (at(out), at(length - out))
}

fn host_lanes(
    network: &DrawnNetwork,
    switches: &[Point],
    hosts: &[Point],
    delay: u32,
    lanes: &mut Vec<Lane>,
) {
    for (i, host) in network.hosts.iter().enumerate() {
        let switch = switches.get(host.switch as usize).copied().unwrap_or_default();
        let place = hosts[i];
        let (dx, dy) = (switch[0] - place[0], switch[1] - place[1]);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let near = (SWITCH / ux.abs().max(uy.abs()).max(0.1) + 1.5).min(length / 2.0);
        let (from, to) = ((HOST + 1.5).min(length / 2.0), length - near);
        let at = |distance: f32, right: f32| {
            [place[0] + ux * distance - uy * right, place[1] + uy * distance + ux * right]
        };
        let thing = Thing::Host(i as u32);
        lanes.push(Lane::new(
            at(from, LANE_ASIDE * 0.75),
            at(to, LANE_ASIDE * 0.75),
            delay,
            thing,
            [None, Some(host.switch)],
        ));
        lanes.push(Lane::new(
            at(to, -LANE_ASIDE * 0.75),
            at(from, -LANE_ASIDE * 0.75),
            delay,
            thing,
            [Some(host.switch), None],
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(json: &str) -> Picture {
        Picture::of(&serde_json::from_str(json).expect("a scenario"))
    }

    #[test]
    fn lanes_are_in_the_order_of_the_channels_of_the_core() {
        let picture = picture(
            r#"{"hopscope":1,"network":{"switches":[{"ports":8,"x":0,"y":0},{"ports":8,"x":200,"y":0}],
               "hosts":[{"switch":0},{"switch":1}],"links":[{"a":[0,0],"b":[1,0],"width":2}]}}"#,
        );
        assert_eq!((picture.cables, picture.lanes.len()), (2, 8));
        let heading: Vec<bool> =
            picture.lanes[..4].iter().map(|lane| lane.along[0] > 0.9).collect();
        assert_eq!(heading, [true, false, true, false]);
        let near = |a: Point, b: Point| (a[0] - b[0]).hypot(a[1] - b[1]) < 15.0;
        assert!(
            near(picture.lanes[4].start, picture.hosts[0])
                && near(picture.lanes[5].end, picture.hosts[0])
        );
        // No two lanes of the trunk overlap.
        let mut heights: Vec<f32> = picture.lanes[..4].iter().map(|lane| lane.start[1]).collect();
        heights.sort_unstable_by(f32::total_cmp);
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] > 5.0), "{heights:?}");
    }

    #[test]
    fn an_invalid_network_has_a_picture_with_finite_positions() {
        let picture = picture(
            r#"{"hopscope":1,"network":{"switches":[{"ports":8}],
               "hosts":[{"switch":7}],"links":[{"a":[0,0],"b":[9,0]},{"a":[0,1],"b":[0,2]}]}}"#,
        );
        assert!(
            picture.lanes.iter().all(|lane| lane.length.is_finite() && lane.along[0].is_finite())
        );
    }
}
