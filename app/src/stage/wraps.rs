//! Links that lead around the network, such as those that close the rings of a torus.
//!
//! A straight line between the ends of such a link would run through other switches. Instead, each
//! end has a stub that points away from the other end, labelled with the switch there.

use crate::layout::Point;
use hopscope_core::scenario::DrawnNetwork;
use std::collections::{BTreeMap, BTreeSet};

/// For each link that leads around the network, the direction in which it leaves its end `a`.
///
/// Such a link lies in a row or column with other switches between its ends, and no other link
/// leaves either end away from the other one.
pub fn directions(network: &DrawnNetwork, switches: &[Point]) -> Vec<Option<Point>> {
    let place = |switch: u32| switches.get(switch as usize).map(|at| at.map(|x| x.round() as i32));
    let ends = |i: usize| {
        let link = network.links.get(i)?;
        Some((link.a.0, link.b.0)).filter(|(a, b)| a != b)
    };
    // By axis and coordinate, the places of switches along the other axis.
    let mut lines: BTreeMap<(usize, i32), BTreeSet<i32>> = BTreeMap::new();
    for at in (0..switches.len() as u32).filter_map(place) {
        for axis in 0..2 {
            lines.entry((axis, at[axis])).or_default().insert(at[1 - axis]);
        }
    }
    // The row or column of a link: the axis across it, and the sign of the way from a to b.
    let straight = |a: u32, b: u32| {
        let (from, to) = (place(a)?, place(b)?);
        let axis = (0..2).find(|&axis| from[axis] == to[axis])?;
        let sign = (to[1 - axis] - from[1 - axis]).signum();
        // Both may be at one place.
        (sign != 0).then_some((axis, sign))
    };
    let is_through = |a: u32, b: u32| {
        let (Some((axis, _)), Some(from), Some(to)) = (straight(a, b), place(a), place(b)) else {
            return false;
        };
        let (least, most) = (from[1 - axis].min(to[1 - axis]), from[1 - axis].max(to[1 - axis]));
        let line = &lines[&(axis, from[axis])];
        line.range(least + 1..most).next().is_some()
    };
    // The directions in which links leave each switch along rows and columns.
    let mut leaving: BTreeSet<(u32, usize, i32)> = BTreeSet::new();
    for (a, b) in (0..network.links.len()).filter_map(ends) {
        if let Some((axis, sign)) = straight(a, b) {
            leaving.extend([(a, axis, sign), (b, axis, -sign)]);
        }
    }
    let around = |i: usize| {
        let (a, b) = ends(i)?;
        let (axis, sign) = straight(a, b).filter(|_| is_through(a, b))?;
        let is_free = !leaving.contains(&(a, axis, -sign)) && !leaving.contains(&(b, axis, sign));
        let mut direction = [0.0, 0.0];
        direction[1 - axis] = -sign as f32;
        is_free.then_some(direction)
    };
    (0..network.links.len()).map(around).collect()
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

    /// Whether a line comes closer to a switch than its edge.
    fn crosses(picture: &Picture, a: [f32; 2], b: [f32; 2]) -> bool {
        let steps = 200;
        (0..=steps).any(|i| {
            let t = i as f32 / steps as f32;
            let at = [0, 1].map(|k| a[k] + (b[k] - a[k]) * t);
            picture.switches.iter().any(|s| (0..2).all(|k| (s[k] - at[k]).abs() < SWITCH))
        })
    }

    #[test]
    fn links_around_a_torus_run_through_no_switch() {
        for (generate, around) in [
            (r#"{"kind":"torus","sides":[4,4]}"#, 8),
            (r#"{"kind":"torus","sides":[3,5],"width":2}"#, 16),
            (r#"{"kind":"mesh","sides":[4,4]}"#, 0),
        ] {
            let picture = picture(generate);
            let split = picture.lanes.iter().filter(|lane| lane.is_split()).count();
            assert_eq!(split, 2 * around, "{generate}");
            let cables = || picture.lanes[..2 * picture.cables].iter();
            for (from, to) in cables().flat_map(|lane| lane.lines(0.0, lane.length)) {
                assert!(!crosses(&picture, from, to), "{generate}: {from:?} {to:?}");
            }
        }
        let ring = picture(r#"{"kind":"ring","switches":6}"#);
        assert!(ring.lanes.iter().all(|lane| !lane.is_split()));
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
