//! Routing restrictions over a depth-first spanning tree (Sancho, Robles, Duato, A new methodology
//! to compute deadlock-free routing tables for irregular networks, CANPC 2000).
//!
//! The tree alone has no cycles. The other links are added one by one. Every cycle that a link
//! closes is cut by restrictions at one of its ends, for both directions alike. The paper leaves
//! the order of the links and the place of the restrictions to heuristics; here the links of the
//! switches deepest in the search come first, and the end that needs fewer restrictions takes them.

use super::dependency_order::DependencyOrder;
use super::orientation::distance_sum;
use super::prepared_network::PreparedNetwork;
use crate::network::graph::UNREACHABLE;
use crate::network::{ChannelId, LinkId, SwitchId};

/// A depth-first search.
#[derive(Debug)]
pub struct Tree {
    /// Per switch: its position in the order of visits, from 0.
    pub visit: Vec<u32>,
    /// Per switch: the channel to the switch it was visited from.
    pub parent: Vec<Option<ChannelId>>,
    /// Per link: true if it is in the tree.
    in_tree: Vec<bool>,
}

/// The search from a root. The next switch is the unvisited neighbour with most links to switches
/// already in the tree, then the one with the largest mean distance to the others, then the first.
/// petgraph's `Dfs` takes neighbours in a fixed order.
pub fn tree(prepared: &PreparedNetwork<'_>, root: SwitchId) -> Tree {
    let (network, n) = (prepared.network, prepared.switches());
    let far: Vec<u64> = (0..n).map(|s| distance_sum(prepared, SwitchId::new(s))).collect();
    let mut tree = Tree {
        visit: vec![UNREACHABLE; n],
        parent: vec![None; n],
        in_tree: vec![false; network.links().len()],
    };
    let (mut links, mut visited, mut stack) = (vec![0u32; n], 0, vec![]);
    let mut next = Some(root);
    while let Some(here) = next {
        tree.visit[here.index()] = visited;
        visited += 1;
        stack.push(here);
        for &(_, t) in network.neighbours(here) {
            links[t.index()] += 1;
        }
        next = None;
        while let (None, Some(&at)) = (next, stack.last()) {
            let unvisited =
                network.neighbours(at).iter().filter(|(_, t)| tree.visit[t.index()] == UNREACHABLE);
            let best = unvisited.max_by_key(|(c, t)| {
                (links[t.index()], far[t.index()], std::cmp::Reverse(*t), std::cmp::Reverse(*c))
            });
            match best {
                Some(&(channel, to)) => {
                    tree.in_tree[channel.index() / 2] = true;
                    tree.parent[to.index()] = Some(network.reverse(channel));
                    next = Some(to);
                }
                None => {
                    stack.pop();
                }
            }
        }
    }
    tree
}

/// The transitions allowed over a tree.
pub fn allowed(prepared: &PreparedNetwork<'_>, tree: &Tree) -> Vec<bool> {
    let links = prepared.network.links();
    let mut restrictions = Restrictions::new(prepared, tree);
    let mut others: Vec<usize> = (0..links.len()).filter(|&l| !tree.in_tree[l]).collect();
    others.sort_by_key(|&l| {
        let (a, b) = (tree.visit[links[l].a.0.index()], tree.visit[links[l].b.0.index()]);
        (std::cmp::Reverse((a.max(b), a.min(b))), l)
    });
    for l in others {
        restrictions.add(LinkId::new(l));
    }
    restrictions.allowed
}

/// The transitions allowed so far, which close no cycle.
struct Restrictions<'a> {
    prepared: &'a PreparedNetwork<'a>,
    /// Per switch: its position in the order of visits.
    visit: &'a [u32],
    dependencies: DependencyOrder,
    /// Per link: added.
    present: Vec<bool>,
    /// Per transition: allowed.
    allowed: Vec<bool>,
}

impl<'a> Restrictions<'a> {
    /// The links of the tree, without restrictions.
    fn new(prepared: &'a PreparedNetwork<'a>, tree: &'a Tree) -> Self {
        let mut this = Self {
            prepared,
            visit: &tree.visit,
            dependencies: DependencyOrder::new(prepared.network.network_channels()),
            present: tree.in_tree.clone(),
            allowed: vec![false; prepared.transitions.len()],
        };
        for (number, x, y) in prepared.transitions.iter(prepared.network) {
            if tree.in_tree[x.index() / 2] && tree.in_tree[y.index() / 2] {
                this.allowed[number] = this.dependencies.add(x, y);
            }
        }
        this
    }

    /// Adds a link with as many transitions as possible: those at one end first, so the
    /// restrictions fall on the other end; of the two orders, the one that allows more.
    fn add(&mut self, link: LinkId) {
        self.present[link.index()] = true;
        let ends = [ChannelId::new(2 * link.index()), ChannelId::new(2 * link.index() + 1)];
        let upper_first =
            if self.depth(ends[0]) < self.depth(ends[1]) { ends } else { [ends[1], ends[0]] };
        let lower_first = [upper_first[1], upper_first[0]];
        let first_try = self.allow_all(upper_first);
        self.forbid(&first_try);
        let second_try = self.allow_all(lower_first);
        if first_try.len() >= second_try.len() {
            self.forbid(&second_try);
            self.allow_all(upper_first);
        }
    }

    /// Position, in the order of visits, of the switch a channel leaves.
    fn depth(&self, channel: ChannelId) -> u32 {
        self.visit[self.prepared.network.source_switch(channel).index()]
    }

    /// Allows transitions from links present to these channels, and back, one by one unless one
    /// closes a cycle; those from switches visited earlier first. Gives those allowed.
    fn allow_all(&mut self, outs: [ChannelId; 2]) -> Vec<(ChannelId, ChannelId)> {
        let network = self.prepared.network;
        let mut allowed = Vec::new();
        for out in outs {
            let mut others = network.neighbours(network.source_switch(out)).to_vec();
            others.retain(|(c, _)| *c != out && self.present[c.index() / 2]);
            others.sort_by_key(|(c, t)| (self.visit[t.index()], *c));
            allowed.extend(
                others.iter().map(|(c, _)| (network.reverse(*c), out)).filter(|t| self.allow(*t)),
            );
        }
        allowed
    }

    /// Allows a transition in both directions unless that closes a cycle.
    fn allow(&mut self, (x, y): (ChannelId, ChannelId)) -> bool {
        let (back_x, back_y) = self.back((x, y));
        let mut free = self.dependencies.add(x, y);
        if free && !self.dependencies.add(back_x, back_y) {
            self.dependencies.remove(x, y);
            free = false;
        }
        self.allowed[self.prepared.transitions.number(x, y)] = free;
        self.allowed[self.prepared.transitions.number(back_x, back_y)] = free;
        free
    }

    fn forbid(&mut self, transitions: &[(ChannelId, ChannelId)]) {
        for &both in transitions {
            for (x, y) in [both, self.back(both)] {
                self.dependencies.remove(x, y);
                self.allowed[self.prepared.transitions.number(x, y)] = false;
            }
        }
    }

    fn back(&self, (x, y): (ChannelId, ChannelId)) -> (ChannelId, ChannelId) {
        (self.prepared.network.reverse(y), self.prepared.network.reverse(x))
    }
}
