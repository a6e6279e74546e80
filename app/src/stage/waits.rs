//! The overlay of waiting messages: an arrow from the head of each blocked message to the head of
//! the message that it waits for.
//!
//! Each message waits for at most one other. A message that blocks others and waits for none is the
//! root of a tree of waiting messages and is circled; the messages of a cycle are in red. Of a
//! crowd of worms only some have arrows, as far as their waiting leads, and thin lines stand for
//! the others.

use super::inks::Ink;
use super::pen::Pen;
use super::picture::Picture;
use crate::layout::Point;
use hopscope_core::observe::{Snapshot, Wait};
use std::collections::{BTreeMap, BTreeSet};

/// Draws the arrows. `heads` are the positions of the heads, by message; `picked` are the messages
/// that have arrows, if not all have.
pub fn draw(
    pen: &mut Pen,
    picture: &Picture,
    frame: &Snapshot,
    heads: &BTreeMap<u32, Point>,
    picked: Option<&BTreeSet<u32>>,
    pixel: f32,
) {
    let place = |message: u32, channel: u32| {
        // A head in a register or a NIC is not drawn; the start of its channel stands for it.
        let start =
            || picture.lanes.get(channel as usize).map(|lane| lane.at(lane.length.min(14.0)));
        heads.get(&message).copied().or_else(start)
    };
    let next: BTreeMap<_, _> = frame.waits.iter().map(|wait| (wait.message, wait)).collect();
    let stuck = in_cycles(&next);
    let edges = next.values().filter_map(|wait| {
        Some((wait, place(wait.message, wait.at)?, place(wait.holder, wait.wants)?))
    });
    let mut edges: Vec<(&&Wait, Point, Point)> = edges.collect();
    if let Some(picked) = picked {
        let shown = chains(&next, picked.iter().chain(&stuck));
        let is_shown = |wait: &Wait| shown.contains(&wait.message);
        pen.path();
        for (_, from, to) in edges.iter().filter(|(wait, ..)| !is_shown(wait)) {
            pen.line(*from, *to);
        }
        pen.alpha(0.3);
        pen.stroke(Ink::ACCENT, pixel);
        pen.alpha(1.0);
        edges.retain(|(wait, ..)| is_shown(wait));
    }
    for (in_cycle, ink) in [(false, Ink::ACCENT), (true, Ink::DANGER)] {
        let ours = || edges.iter().filter(|(wait, ..)| stuck.contains(&wait.message) == in_cycle);
        let arcs: Vec<Arc> = ours().map(|(_, from, to)| Arc::new(*from, *to)).collect();
        if arcs.is_empty() {
            continue;
        }
        // A light outline separates the arrows from the worms under them.
        let width = if in_cycle { 4.0 } else { 2.6_f32 };
        for (ink, width) in [(Ink::STAGE, width + 2.6), (ink, width)] {
            pen.path();
            for arc in &arcs {
                pen.curve(arc.start, arc.by, arc.end);
            }
            pen.stroke(ink, width.max(1.2 * pixel));
        }
        pen.path();
        arcs.iter().for_each(|arc| pen.arrow(arc.tip, arc.along, [11.0, 5.5]));
        pen.fill(ink);
        pen.path();
        arcs.iter().for_each(|arc| pen.circle(arc.start, 4.4));
        pen.fill(ink);
    }
    // Messages that block others and wait for none.
    pen.path();
    for (_, _, to) in edges.iter().filter(|(wait, ..)| !next.contains_key(&wait.holder)) {
        pen.circle(*to, 8.5);
    }
    pen.stroke(Ink::CONTRAST, 2.4_f32.max(pixel));
}

/// A curve from head to head, bent to its right, so that curves in opposite directions separate.
struct Arc {
    start: Point,
    by: Point,
    end: Point,
    tip: Point,
    along: Point,
}

impl Arc {
    fn new(start: Point, target: Point) -> Arc {
        let (dx, dy) = (target[0] - start[0], target[1] - start[1]);
        let length = dx.hypot(dy).max(1.0);
        let bend = (length * 0.16).min(30.0);
        let by = [
            (start[0] + target[0]) / 2.0 - dy / length * bend,
            (start[1] + target[1]) / 2.0 + dx / length * bend,
        ];
        let (tx, ty) = (target[0] - by[0], target[1] - by[1]);
        let away = tx.hypot(ty).max(1.0);
        let along = [tx / away, ty / away];
        let back =
            |distance: f32| [target[0] - along[0] * distance, target[1] - along[1] * distance];
        Arc {
            start,
            by,
            end: back(14.0_f32.min(length / 2.0)),
            tip: back(5.0_f32.min(length / 4.0)),
            along,
        }
    }
}

/// The messages that are part of a cycle of waiting messages.
fn in_cycles(next: &BTreeMap<u32, &Wait>) -> BTreeSet<u32> {
    let mut known = BTreeSet::new();
    let mut stuck = BTreeSet::new();
    for &start in next.keys() {
        let mut path = Vec::new();
        let mut at = start;
        while known.insert(at) {
            path.push(at);
            match next.get(&at) {
                Some(wait) => at = wait.holder,
                None => break,
            }
        }
        if let Some(first) = path.iter().position(|&message| message == at)
            && next.contains_key(&at)
        {
            stuck.extend(&path[first..]);
        }
    }
    stuck
}

/// The messages of the chains that begin with some messages, each of which waits for the next.
fn chains<'a>(next: &BTreeMap<u32, &Wait>, starts: impl Iterator<Item = &'a u32>) -> BTreeSet<u32> {
    let mut met = BTreeSet::new();
    for &start in starts {
        let mut at = start;
        while met.insert(at) {
            let Some(wait) = next.get(&at) else { break };
            at = wait.holder;
        }
    }
    met
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_members_of_a_cycle_are_in_it_not_messages_that_wait_for_it() {
        let waits: Vec<Wait> = [(1, 2), (2, 3), (3, 1), (7, 2), (8, 9), (9, 4), (5, 7)]
            .map(|(message, holder)| Wait { message, holder, at: 0, wants: 0 })
            .into();
        let next = waits.iter().map(|wait| (wait.message, wait)).collect();
        assert_eq!(in_cycles(&next), BTreeSet::from([1, 2, 3]));
    }

    #[test]
    fn a_chain_leads_to_its_end_or_once_around_a_cycle() {
        let waits: Vec<Wait> = [(1, 2), (2, 3), (3, 2), (7, 8), (8, 9), (5, 8)]
            .map(|(message, holder)| Wait { message, holder, at: 0, wants: 0 })
            .into();
        let next = waits.iter().map(|wait| (wait.message, wait)).collect();
        assert_eq!(chains(&next, [7].iter()), BTreeSet::from([7, 8, 9]));
        assert_eq!(chains(&next, [1].iter()), BTreeSet::from([1, 2, 3]));
    }
}
