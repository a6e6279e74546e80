//! Links that lead around the network, such as those that close the rings of a torus.
//!
//! A straight line between the ends of such a link would run through other switches. Instead, each
//! end has a stub that points away from the other end, labelled with the switch there.

use crate::layout::Point;
use hopscope_core::scenario::DrawnNetwork;
use std::collections::{BTreeMap, BTreeSet};

/// A place in whole stage units, or a direction in lowest terms.
type Whole = [i64; 2];

/// A line: its direction, to the right or straight down, and the cross product of the places on it
/// with that direction, which is the same for all.
type Line = (Whole, i64);

/// For each link that leads around the network, the direction in which it leaves its end `a`.
///
/// Such a link lies in a row, in a column or on another line of linked switches, with other
/// switches between its ends, and no other link leaves either end away from the other one.
pub fn directions(network: &DrawnNetwork, switches: &[Point]) -> Vec<Option<Point>> {
    let places: Vec<Whole> = switches.iter().map(|at| at.map(|x| x.round() as i64)).collect();
    // The ends of a link and the direction from a to b, unless both are at one place.
    let links: Vec<Option<(u32, u32, Whole)>> = network
        .links
        .iter()
        .map(|link| {
            let (a, b) = (link.a.0, link.b.0);
            let (from, to) = (places.get(a as usize)?, places.get(b as usize)?);
            let way = [0, 1].map(|i| to[i] - from[i]);
            let divisor = common_divisor(way[0].abs(), way[1].abs());
            (divisor > 0).then(|| (a, b, way.map(|x| x / divisor)))
        })
        .collect();
    // The places on each line, ordered along it.
    let mut lines: BTreeMap<Line, BTreeSet<Whole>> = BTreeMap::new();
    for &at in &places {
        for direction in [[1, 0], [0, 1]] {
            lines.entry(line(at, direction)).or_default().insert(at);
        }
    }
    // The directions in which links leave each switch.
    let mut leaving: BTreeSet<(u32, Whole)> = BTreeSet::new();
    for &(a, b, way) in links.iter().flatten() {
        let ends = [a, b].map(|s| places[s as usize]);
        lines.entry(line(ends[0], way)).or_default().extend(ends);
        leaving.extend([(a, way), (b, opposite(way))]);
    }
    let around = |&(a, b, way): &(u32, u32, Whole)| {
        let (from, to) = (places[a as usize], places[b as usize]);
        let between = lines[&line(from, way)].range(from.min(to)..from.max(to)).nth(1);
        let is_free = !leaving.contains(&(a, opposite(way))) && !leaving.contains(&(b, way));
        (between.is_some() && is_free).then(|| {
            let [x, y] = opposite(way).map(|x| x as f32);
            [x / x.hypot(y), y / x.hypot(y)]
        })
    };
    links.iter().map(|link| link.as_ref().and_then(around)).collect()
}

/// The line through a place in a direction or its opposite.
fn line([x, y]: Whole, way: Whole) -> Line {
    let way = way.max(opposite(way));
    (way, x * way[1] - y * way[0])
}

fn opposite(way: Whole) -> Whole {
    way.map(|x| -x)
}

fn common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::directions;
    use crate::stage::picture::{Picture, SWITCH};
    use hopscope_core::scenario::{DrawnLink, DrawnNetwork};

    fn picture(generate: &str) -> Picture {
        let json = format!("{{\"hopscope\":1,\"network\":{{\"generate\":{generate}}}}}");
        Picture::of(&serde_json::from_str(&json).expect("a scenario"))
    }

    /// The switches to which a line comes closer than their edge.
    fn crossed(picture: &Picture, a: [f32; 2], b: [f32; 2]) -> Vec<u32> {
        let is_near = |s: [f32; 2]| {
            (0..2).all(|k| a[k].min(b[k]) - SWITCH < s[k] && s[k] < a[k].max(b[k]) + SWITCH)
        };
        let steps = 200;
        let points = |i: i32| [0, 1].map(|k| a[k] + (b[k] - a[k]) * i as f32 / steps as f32);
        let is_crossed = |s: [f32; 2]| {
            (0..=steps).map(points).any(|at| (0..2).all(|k| (s[k] - at[k]).abs() < SWITCH))
        };
        let switches = (0..).zip(&picture.switches);
        switches.filter(|&(_, &s)| is_near(s) && is_crossed(s)).map(|(i, _)| i).collect()
    }

    #[test]
    fn links_around_a_torus_run_through_no_switch() {
        for (generate, around) in [
            (r#"{"kind":"torus","sides":[4,4]}"#, 8),
            (r#"{"kind":"torus","sides":[3,5],"width":2}"#, 16),
            (r#"{"kind":"mesh","sides":[4,4]}"#, 0),
            (r#"{"kind":"torus","sides":[4,4,4]}"#, 48),
            (r#"{"kind":"torus","sides":[8,8,4],"hosts_per_switch":4,"width":4}"#, 512),
            (r#"{"kind":"torus","sides":[5,2,3]}"#, 16),
            (r#"{"kind":"mesh","sides":[3,3,3]}"#, 0),
        ] {
            let picture = picture(generate);
            let split = picture.lanes.iter().filter(|lane| lane.is_split()).count();
            assert_eq!(split, 2 * around, "{generate}");
            let cables = || picture.lanes[..2 * picture.cables].iter();
            for (from, to) in cables().flat_map(|lane| lane.lines(0.0, lane.length)) {
                let crossed = crossed(&picture, from, to);
                assert!(crossed.is_empty(), "{generate}: {from:?} {to:?} {crossed:?}");
            }
        }
        let ring = picture(r#"{"kind":"ring","switches":6}"#);
        assert!(ring.lanes.iter().all(|lane| !lane.is_split()));
    }

    #[test]
    fn links_of_a_grid_of_four_dimensions_run_through_no_other_switch() {
        for (generate, around) in [
            (r#"{"kind":"torus","sides":[3,3,3,3]}"#, 108),
            (r#"{"kind":"torus","sides":[2,4,3,4]}"#, 24 + 32 + 24),
            (r#"{"kind":"mesh","sides":[3,2,4,3]}"#, 0),
        ] {
            let picture = picture(generate);
            let split = picture.lanes.iter().filter(|lane| lane.is_split()).count();
            assert_eq!(split, 2 * around, "{generate}");
            for lane in &picture.lanes[..2 * picture.cables] {
                for (from, to) in lane.lines(0.0, lane.length) {
                    let crossed = crossed(&picture, from, to);
                    let is_end = |s: &u32| lane.switches.contains(&Some(*s));
                    assert!(crossed.iter().all(is_end), "{generate}: {lane:?} {crossed:?}");
                }
            }
        }
    }

    #[test]
    fn a_link_between_switches_at_one_place_leads_nowhere() {
        let link = DrawnLink { a: (0, 0), b: (1, 0), width: 1, delay_cycles: None };
        let network = DrawnNetwork { links: vec![link], ..DrawnNetwork::default() };
        assert_eq!(directions(&network, &[[5.0, 5.0]; 2]), [None]);
    }

    #[test]
    fn wire_and_buffer_of_a_stub_lie_at_the_switches_that_they_belong_to() {
        let picture = picture(r#"{"kind":"torus","sides":[4,4]}"#);
        for lane in picture.lanes.iter().filter(|lane| lane.is_split()) {
            let [from, to] = lane.switches.map(|s| picture.switches[s.expect("a switch") as usize]);
            let near = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) < 90.0;
            assert!(near(lane.at(1.0), from) && near(lane.at(lane.wire()), from));
            assert!(near(lane.at(lane.wire() + 1.0), to) && near(lane.at(lane.length), to));
            for distance in [5.0, lane.length - 5.0] {
                let (along, away) = lane.nearest(lane.at(distance));
                assert!((along - distance).abs() < 0.1 && away < 0.1);
            }
        }
    }
}
