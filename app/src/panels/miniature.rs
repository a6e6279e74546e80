//! Small pictures of networks, for cards that open them.

use crate::layout::{self, Point};
use hopscope_core::scenario::{DrawnNetwork, NetworkSpec};
use std::f32::consts::TAU;
use yew::prelude::*;

const WIDTH: f32 = 120.0;
const HEIGHT: f32 = 72.0;
/// Switches closer to each other than their dots are wide would be a blot: larger networks are
/// sketched with small dots.
const MANY_SWITCHES: usize = 100;
/// The number of links drawn. More would be a grey area at this size.
const MAX_LINKS: usize = 400;

/// A small picture: a path with all links, and one with a dot for each switch.
#[derive(Debug, Default)]
pub struct Miniature {
    links: AttrValue,
    switches: AttrValue,
    has_many: bool,
}

impl Miniature {
    /// The picture of a network; empty if its generator's parameters are wrong.
    pub fn of(network: &NetworkSpec) -> Miniature {
        let network = network.drawn().unwrap_or_default();
        let (places, lines) = places_and_lines(&network);
        let places = fitted(&places);
        let place = |i: u32| places.get(i as usize).copied().unwrap_or_default();
        let line = |(a, b): (u32, u32)| {
            let ([ax, ay], [bx, by]) = (place(a), place(b));
            format!("M{ax:.1} {ay:.1}L{bx:.1} {by:.1}")
        };
        // Evenly spread over the list, if there are too many.
        let step = lines.len().div_ceil(MAX_LINKS).max(1);
        let links: String = lines.into_iter().step_by(step).map(line).collect();
        // A line of length 0 with round ends is a dot.
        let dots = places.iter().take(network.switches.len());
        let switches: String = dots.map(|p| format!("M{:.1} {:.1}h0", p[0], p[1])).collect();
        Miniature {
            links: links.into(),
            switches: switches.into(),
            has_many: network.switches.len() > MANY_SWITCHES,
        }
    }

    /// The picture, for the eyes only.
    pub fn view(&self) -> Html {
        let class = classes!("small-switches", self.has_many.then_some("many"));
        html! {
            <svg viewBox={format!("0 0 {WIDTH} {HEIGHT}")} aria-hidden="true">
                <path class="small-links" d={&self.links} />
                <path {class} d={&self.switches} />
            </svg>
        }
    }
}

/// The places of the switches, and the lines between them. A switch without neighbours has its
/// hosts around it, which have their places after it.
fn places_and_lines(network: &DrawnNetwork) -> (Vec<Point>, Vec<(u32, u32)>) {
    let mut places = layout::positions(network);
    let lines = match places[..] {
        [[x, y]] => {
            let count = network.hosts.len() as u32;
            let angles = (0..count).map(|host| TAU * host as f32 / count as f32);
            places.extend(angles.map(|angle| [x + angle.cos(), y + angle.sin()]));
            (1..=count).map(|host| (0, host)).collect()
        }
        _ => network.links.iter().map(|link| (link.a.0, link.b.0)).collect(),
    };
    (places, lines)
}

/// Points scaled into the small picture.
fn fitted(points: &[Point]) -> Vec<Point> {
    let bound = |axis: usize| {
        let values = points.iter().map(|p| p[axis]);
        values.fold((f32::MAX, f32::MIN), |(low, high), x| (low.min(x), high.max(x)))
    };
    let ((left, right), (top, bottom)) = (bound(0), bound(1));
    let margin = 8.0;
    let scale = ((WIDTH - 2.0 * margin) / (right - left).max(1.0))
        .min((HEIGHT - 2.0 * margin) / (bottom - top).max(1.0));
    let centred =
        |x: f32, low: f32, high: f32, size: f32| (x - (low + high) / 2.0) * scale + size / 2.0;
    points
        .iter()
        .map(|p| [centred(p[0], left, right, WIDTH), centred(p[1], top, bottom, HEIGHT)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::gallery;

    fn of(id: &str) -> Miniature {
        let item = gallery::all().iter().find(|item| item.id == id).expect("it is in the gallery");
        Miniature::of(&item.scenario().expect("the gallery is valid").network)
    }

    fn lines(picture: &Miniature) -> usize {
        picture.links.matches('M').count()
    }

    #[test]
    fn a_picture_has_all_switches_and_links_of_a_small_network() {
        let torus = of("torus-4x4");
        assert_eq!((torus.switches.matches('M').count(), lines(&torus)), (16, 32));
        assert!(!torus.has_many);
    }

    #[test]
    fn a_lone_switch_is_drawn_with_its_hosts() {
        let single = of("service-levels");
        assert_eq!((single.switches.matches('M').count(), lines(&single)), (1, 8));
    }

    #[test]
    fn a_large_network_is_sketched_and_every_picture_stays_in_its_frame() {
        let large = of("studies/hiperion-torus-8x8x4");
        assert!(large.has_many && (MAX_LINKS / 2..=MAX_LINKS).contains(&lines(&large)));
        for item in gallery::all() {
            let picture = of(item.id);
            let drawn = format!("{}{}", picture.links, picture.switches);
            let numbers = drawn.split(['M', 'L', 'h', ' ']).filter_map(|n| n.parse::<f32>().ok());
            assert!(numbers.clone().all(|n| (0.0..=WIDTH).contains(&n)), "{}", item.id);
            assert!(numbers.count() > 2, "{}", item.id);
        }
    }
}
