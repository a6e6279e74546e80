//! The overlay of congestion trees: the set-aside queues of each congested point.
//!
//! A tree has a number as long as it lives, and the colour of its number. Its root is ringed. A
//! queue of an output or NIC is drawn along the first half of its channel, one of an input along
//! the second half; queues that may not send are dashed.

use super::inks::{Ink, WORM_COLOURS};
use super::label::label;
use super::pen::Pen;
use super::picture::Picture;
use hopscope_core::observe::{CongestedPoint, Saq, Snapshot};
use std::collections::BTreeSet;

/// Width of the queues of a channel together.
const WIDTH: f32 = 9.0;
/// Radius of the innermost ring around a root, and the distance to the next.
const RING: [f32; 2] = [8.0, 4.5];

/// The congestion trees that there are now.
#[derive(Debug, Default)]
pub struct Trees {
    /// By number: the point, and the cycle of the first frame with the tree.
    slots: Vec<Option<(CongestedPoint, u64)>>,
}

impl Trees {
    /// Takes the next frame. A new tree gets the lowest free number.
    pub fn update(&mut self, frame: &Snapshot) {
        let points: BTreeSet<_> = frame.saqs.iter().map(|saq| saq.point).collect();
        for slot in &mut self.slots {
            *slot = slot.filter(|(point, _)| points.contains(point));
        }
        for point in points {
            if self.number(point).is_none() {
                let new = Some((point, frame.cycle));
                match self.slots.iter_mut().find(|slot| slot.is_none()) {
                    Some(slot) => *slot = new,
                    None => self.slots.push(new),
                }
            }
        }
    }

    /// The trees: number, point, and the cycle of the first frame with the tree.
    pub fn all(&self) -> impl Iterator<Item = (usize, CongestedPoint, u64)> {
        let tree = |(i, slot): (usize, &Option<(CongestedPoint, u64)>)| {
            slot.map(|(point, since)| (i + 1, point, since))
        };
        self.slots.iter().enumerate().filter_map(tree)
    }

    /// The number of a tree, from 1 on.
    pub fn number(&self, point: CongestedPoint) -> Option<usize> {
        self.all().find(|(_, other, _)| *other == point).map(|(number, ..)| number)
    }
}

/// The index of the colour of a tree.
pub fn colour(number: usize) -> usize {
    (number + WORM_COLOURS - 1) % WORM_COLOURS
}

/// Draws the trees.
pub fn draw(pen: &mut Pen, picture: &Picture, frame: &Snapshot, trees: &Trees, pixel: f32) {
    for saqs in frame.saqs.chunk_by(|a, b| a.channel == b.channel) {
        branches(pen, picture, saqs, trees, pixel);
    }
    let mut before = None;
    let mut ring = 0;
    let mut roots: Vec<(usize, CongestedPoint)> =
        trees.all().map(|(number, point, _)| (number, point)).collect();
    roots.sort_by_key(|(_, point)| *point);
    for (number, point) in roots {
        let Some(lane) = picture.lanes.get(point.channel as usize) else { continue };
        // The levels of one output have rings around each other.
        ring = if before == Some(point.channel) { ring + 1 } else { 0 };
        before = Some(point.channel);
        let radius = (RING[0] + ring as f32 * RING[1]).max((5.0 + 3.0 * ring as f32) * pixel);
        for (ink, width) in [(Ink::STAGE, 6.0_f32), (Ink::worm(colour(number)), 3.4)] {
            pen.path();
            pen.circle(lane.start, radius);
            pen.stroke(ink, width.max(0.5 * width * pixel));
        }
        let ([x, y], [ux, uy]) = (lane.start, lane.along);
        let aside = radius + 10.0_f32.max(9.0 * pixel);
        label(pen, [x - uy * aside, y + ux * aside], &number.to_string(), pixel);
    }
}

/// Draws the queues at both ends of a channel, beside each other, with the numbers of their trees.
fn branches(pen: &mut Pen, picture: &Picture, saqs: &[Saq], trees: &Trees, pixel: f32) {
    let Some(lane) = picture.lanes.get(saqs[0].channel as usize) else { return };
    let numbers: BTreeSet<_> = saqs.iter().filter_map(|saq| trees.number(saq.point)).collect();
    let width = WIDTH.max(3.0 * pixel) / numbers.len().max(1) as f32;
    let side = |place: usize| (place as f32 + 0.5 - numbers.len() as f32 / 2.0) * width;
    let [ux, uy] = lane.along;
    let at = |distance: f32, side: f32| {
        let [x, y] = lane.at(distance);
        [x - lane.along[1] * side, y + lane.along[0] * side]
    };
    for (place, &number) in numbers.iter().enumerate() {
        for saq in saqs.iter().filter(|saq| trees.number(saq.point) == Some(number)) {
            let (from, to) = if saq.at_input { (0.5, 1.0) } else { (0.0, 0.5) };
            pen.path();
            let side = side(place);
            for ([ax, ay], [bx, by]) in lane.lines(lane.length * from, lane.length * to) {
                pen.line([ax - uy * side, ay + ux * side], [bx - uy * side, by + ux * side]);
            }
            let stopped = saq.xoff || saq.marked;
            pen.dash(if stopped { &[5.0, 3.0] } else { &[] });
            pen.stroke(Ink::worm(colour(number)), width.min(6.0) * 0.85);
        }
    }
    pen.dash(&[]);
    if lane.length < 40.0 * pixel {
        return;
    }
    // Numbers stand beside the channel, so that colours need not be told apart.
    let words = numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let [x, y] = at(lane.length * 0.5, WIDTH.max(8.0 * pixel));
    pen.letters(Ink::LABEL, [x, y], &words, [700.0, 9.5_f32.max(9.0 * pixel)], None);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_keeps_its_number_while_others_come_and_go() {
        let frame = |cycle, roots: &[u32]| {
            let saq = |&channel: &u32| Saq {
                point: CongestedPoint { channel, level: None },
                ..Saq::default()
            };
            Snapshot { cycle, saqs: roots.iter().map(saq).collect(), ..Snapshot::default() }
        };
        let mut trees = Trees::default();
        let mut seen = |cycle, roots: &[u32]| {
            trees.update(&frame(cycle, roots));
            let tree = |(number, point, since): (usize, CongestedPoint, u64)| {
                (number, point.channel, since)
            };
            trees.all().map(tree).collect::<Vec<_>>()
        };
        assert_eq!(seen(1, &[]), []);
        assert_eq!(seen(5, &[7, 7, 4]), [(1, 4, 5), (2, 7, 5)]);
        assert_eq!(seen(6, &[7]), [(2, 7, 5)]);
        assert_eq!(seen(9, &[2, 7]), [(1, 2, 9), (2, 7, 5)]);
        assert_eq!(seen(9, &[]), []);
    }
}
