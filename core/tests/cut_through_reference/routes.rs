//! The routes of a run and the lanes packets use on them.

use hopscope_core::fabric::packet::trace::MessageSpec;
use hopscope_core::routing::{Hop, Step};
use std::collections::BTreeSet;

/// The routes of a run, and which of them each message takes.
pub trait Routes {
    /// All routes, in the order of the route table.
    fn all(&self) -> Vec<Vec<Step>>;
    /// The route, by its place in [`Routes::all`], of a message whose first packet is taken.
    fn choose(&mut self, message: usize) -> usize;
    /// The source has sent the first of a message's flits in cycle `first` and its tail in `last`.
    fn tail_sent(&mut self, _message: usize, _first: u64, _last: u64, _flits: u64) {}
}

/// The route each message was specified with.
pub struct Specified<'a>(pub &'a [MessageSpec]);

impl Routes for Specified<'_> {
    fn all(&self) -> Vec<Vec<Step>> {
        self.0.iter().map(|message| message.steps.clone()).collect()
    }

    fn choose(&mut self, message: usize) -> usize {
        message
    }
}

/// A channel and a position in the levels' lists of service channels.
type Node = (usize, usize);

/// The rule `avoid-cycles`: of each step of each route, the lowest of the `available` positions
/// that closes no cycle among the dependencies of the steps before. `None` if there are too few
/// positions.
pub fn positions_that_avoid_cycles(
    routes: &[Vec<Step>],
    available: usize,
) -> Option<Vec<Vec<usize>>> {
    let mut dependencies = BTreeSet::new();
    let mut all = Vec::new();
    for route in routes {
        let mut before: Option<Node> = None;
        let mut positions = Vec::new();
        for step in route {
            let Hop::Channel(channel) = step.hop() else {
                before = None;
                positions.push(0);
                continue;
            };
            let node = |position| (channel.index(), position);
            let allowed = |position: &usize| {
                before.is_none_or(|from| !is_reachable(from, node(*position), &dependencies))
            };
            let position = (0..available).find(allowed)?;
            if let Some(from) = before {
                dependencies.insert((from, node(position)));
            }
            before = Some(node(position));
            positions.push(position);
        }
        all.push(positions);
    }
    Some(all)
}

/// True if dependencies lead from one node to another.
fn is_reachable(goal: Node, from: Node, dependencies: &BTreeSet<(Node, Node)>) -> bool {
    let mut reached = BTreeSet::from([from]);
    let mut next = vec![from];
    while let Some(node) = next.pop() {
        for &(_, to) in dependencies.range((node, (0, 0))..).take_while(|edge| edge.0 == node) {
            if reached.insert(to) {
                next.push(to);
            }
        }
    }
    reached.contains(&goal)
}
