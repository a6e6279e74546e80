//! The geometry of a network: positions of switches and hosts, and the lane of each channel.
//!
//! Lanes are in the order of the core's channel numbers: two per cable, then two per host.
//! [`Picture::of`] accepts scenarios that are not valid, because the page shows them while they are
//! edited.

use super::wraps;
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
/// Length of the stub of a link that leads around the network.
const STUB: f32 = 56.0;
/// How much farther from the switch a lane starts for each unit that it lies beside it.
const FAN: f32 = 1.2;
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
    /// From the end of the wire to the start of the buffer: zero unless they are stubs at different
    /// switches.
    jump: Point,
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
            jump: [0.0, 0.0],
        }
    }

    /// Two stubs of a link around the network: the wire leaves the switch at `from` in a direction,
    /// and the buffer leads in that direction to the switch at `to`.
    fn around(from: Point, to: Point, along: Point, like: &Lane) -> Lane {
        let out = edge_of_switch(along);
        let start = [0, 1].map(|i| from[i] + along[i] * out);
        let end = [0, 1].map(|i| to[i] - along[i] * out);
        let jump = [0, 1].map(|i| end[i] - start[i] - along[i] * 2.0 * STUB);
        Lane { start, end, along, length: 2.0 * STUB, buffer: STUB, jump, ..*like }
    }

    /// Whether its wire and its buffer are stubs at different switches.
    pub fn is_split(&self) -> bool {
        self.jump != [0.0, 0.0]
    }

    /// Length of the wire, stage units.
    pub fn wire(&self) -> f32 {
        self.length - self.buffer
    }

    /// The point of the wire at a distance from the start, stage units.
    pub fn on_wire(&self, distance: f32) -> Point {
        [0, 1].map(|i| self.start[i] + self.along[i] * distance)
    }

    /// The point of the buffer at a distance from the start of the lane, stage units.
    pub fn in_buffer(&self, distance: f32) -> Point {
        [0, 1].map(|i| self.start[i] + self.along[i] * distance + self.jump[i])
    }

    /// The point at a distance from the start, stage units.
    pub fn at(&self, distance: f32) -> Point {
        if distance > self.wire() { self.in_buffer(distance) } else { self.on_wire(distance) }
    }

    /// The lines that lead from one distance to another.
    pub fn lines(&self, from: f32, to: f32) -> impl Iterator<Item = (Point, Point)> {
        let wire = self.wire();
        let parts = if self.is_split() {
            let own = (from < wire).then(|| (self.on_wire(from), self.on_wire(to.min(wire))));
            let far = (to > wire).then(|| (self.in_buffer(from.max(wire)), self.in_buffer(to)));
            [own, far]
        } else {
            [Some((self.on_wire(from), self.on_wire(to))), None]
        };
        parts.into_iter().flatten()
    }

    /// The distance along it that is nearest to a point, and how far away the point is.
    pub fn nearest(&self, [x, y]: Point) -> (f32, f32) {
        let to = |[px, py]: Point, least: f32, most: f32| {
            let along = (x - px) * self.along[0] + (y - py) * self.along[1];
            let along = along.clamp(least, most);
            let away = (px + self.along[0] * along - x).hypot(py + self.along[1] * along - y);
            (along, away)
        };
        let own = to(self.start, 0.0, if self.is_split() { self.wire() } else { self.length });
        let far = to(self.in_buffer(0.0), self.wire(), self.length);
        if far.1 < own.1 { far } else { own }
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
    /// The lines from the edges of switches to the lanes of parallel cables that start beside them.
    pub fans: Vec<(Point, Point)>,
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
        let around = wraps::directions(&network, &switches);
        let hosts = hosts(&network, &switches, &around);
        let mut lanes = Vec::new();
        let mut fans = Vec::new();
        let cables = cable_lanes(&network, &switches, &around, delay, (&mut lanes, &mut fans));
        host_lanes(&network, &switches, &hosts, delay, &mut lanes);
        let strips = fabric.technique().lanes();
        // Without Stop & Go, packets are sent only where there is space for all of each.
        let worms = fabric.technique().input_buffer().stop_and_go.is_some();
        Picture { network, switches, hosts, lanes, fans, cables, buffer_flits, strips, worms }
    }

    /// Position of a thing; of a link, the middle between its switches or of its first stub.
    pub fn place(&self, thing: Thing) -> Option<Point> {
        match thing {
            Thing::Switch(i) => self.switches.get(i as usize).copied(),
            Thing::Host(i) => self.hosts.get(i as usize).copied(),
            Thing::Link(i) => {
                let lane = self.lanes.iter().find(|lane| lane.thing == thing);
                if let Some(lane) = lane.filter(|lane| lane.is_split()) {
                    return Some(lane.on_wire(lane.wire() / 2.0));
                }
                let link = self.network.links.get(i as usize)?;
                let (a, b) =
                    (self.switches.get(link.a.0 as usize)?, self.switches.get(link.b.0 as usize)?);
                Some([(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0])
            }
        }
    }

    /// The box around the centres of all switches and hosts and around all stubs: left, top, right,
    /// bottom.
    pub fn bounds(&self) -> [f32; 4] {
        let stubs = self.lanes.iter().filter(|lane| lane.is_split());
        let tips = stubs.map(|lane| lane.on_wire(lane.wire() + 2.0 * HOST));
        let all = self.switches.iter().chain(&self.hosts).copied().chain(tips);
        let mut bounds = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
        for [x, y] in all {
            bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
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

fn hosts(network: &DrawnNetwork, switches: &[Point], around: &[Option<Point>]) -> Vec<Point> {
    let mut towards = vec![Vec::new(); switches.len()];
    for (link, around) in network.links.iter().zip(around) {
        let (a, b) = (link.a.0 as usize, link.b.0 as usize);
        if a.max(b) < switches.len() {
            let ([ax, ay], [bx, by]) = (switches[a], switches[b]);
            let [x, y] = around.unwrap_or_default();
            let is_around = around.is_some();
            let (dx, dy) = if is_around { (x, y) } else { (bx - ax, by - ay) };
            let length = dx.hypot(dy).max(0.01);
            let (ux, uy) = (dx / length * HOST_AWAY, dy / length * HOST_AWAY);
            // Hosts keep clear of each of parallel cables.
            for cable in 0..link.width {
                let aside = (f32::from(cable) - (f32::from(link.width) - 1.0) / 2.0) * LINKS_APART;
                let (sx, sy) = (-uy / HOST_AWAY * aside, ux / HOST_AWAY * aside);
                towards[a].push([ax + ux + sx, ay + uy + sy]);
                towards[b].push([bx - ux + sx, by - uy + sy]);
            }
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
    around: &[Option<Point>],
    delay: u32,
    (lanes, fans): (&mut Vec<Lane>, &mut Vec<(Point, Point)>),
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
            let mut there = Lane::new(there.0, there.1, delay, Thing::Link(i as u32), [from, to]);
            let mut back = Lane::new(back.0, back.1, delay, Thing::Link(i as u32), [to, from]);
            if let Some([x, y]) = around[i] {
                // To the right of the direction, as between two switches.
                let beside = |[px, py]: Point, right: f32| [px - y * right, py + x * right];
                let right = [aside + LANE_ASIDE, aside - LANE_ASIDE];
                there = Lane::around(beside(a, right[0]), beside(b, right[0]), [x, y], &there);
                back = Lane::around(beside(b, right[1]), beside(a, right[1]), [-x, -y], &back);
            }
            for lane in [&there, &back] {
                let [from, to] = lane.switches.map(|s| end(s.unwrap_or_default()));
                fans.extend(fan(from, lane.start, lane.along));
                fans.extend(fan(to, lane.end, lane.along));
            }
            lanes.extend([there, back]);
        }
    }
    lanes.len() / 2
}

/// The line from the edge of a switch to an end of a lane, if that lies beside the switch.
fn fan(switch: Point, end: Point, [ux, uy]: Point) -> Option<(Point, Point)> {
    let [dx, dy] = [end[0] - switch[0], end[1] - switch[1]];
    let (ahead, aside) = (dx * ux + dy * uy, dy * ux - dx * uy);
    let most = SWITCH - 4.0;
    (aside.abs() > most + 1.0).then(|| {
        let (ahead, aside) = (ahead.clamp(-SWITCH, SWITCH), aside.clamp(-most, most));
        ([switch[0] + ux * ahead - uy * aside, switch[1] + uy * ahead + ux * aside], end)
    })
}

/// Distance from the middle of a switch to the start of a lane in a direction, beside its edge.
fn edge_of_switch([ux, uy]: Point) -> f32 {
    SWITCH / ux.abs().max(uy.abs()).max(0.1) + 1.5
}

/// Start and end of a lane from switch to switch, at a distance to the right of the line between
/// them.
fn between_switches(from: Point, to: Point, right: f32) -> (Point, Point) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    // The lane runs from the edge of one square to the edge of the other.
    let out = edge_of_switch([ux, uy]);
    // Lanes that pass the switch at its side start farther from it, so that they fan out.
    let out = (out + FAN * (right.abs() - SWITCH + 4.0).max(0.0)).min(length / 2.0);
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
        let near = edge_of_switch([ux, uy]).min(length / 2.0);
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
