//! Up*/down*: a spanning tree orients every channel, and no route goes up after it has gone down.

use super::depth_first;
use super::messages;
use super::note::Note;
use super::prepared_network::PreparedNetwork;
use crate::network::graph::UNREACHABLE;
use crate::network::{ChannelId, SwitchId};
use crate::problem::Problems;
use crate::random::stream;
use crate::scenario::Root;
use rand::seq::IndexedRandom;
use serde::Serialize;

/// An orientation and the transitions it allows; without any others the channel dependencies have
/// no cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Orientation {
    /// Root of the spanning tree.
    pub root: SwitchId,
    /// Per network channel: true if it leads up, towards the root.
    pub up: Vec<bool>,
    /// Per switch: the channel to its parent in the spanning tree; none for the root and for
    /// switches that are cut off from it.
    pub parent: Vec<Option<ChannelId>>,
    /// Per transition: true if a route may make it.
    #[serde(skip)]
    pub allowed: Vec<bool>,
}

impl Orientation {
    /// Breadth-first up*/down* (Schroeder et al., Autonet, 1991): up is nearer the root or, at
    /// equal distance, to the smaller identifier.
    pub fn breadth_first(prepared: &PreparedNetwork<'_>, root: SwitchId) -> Self {
        let distance = prepared.network.distances(&[root]);
        // Of the neighbours nearer the root, the first in the order is the parent.
        let parent = |s: SwitchId| {
            let nearer = prepared.network.neighbours(s).iter();
            let nearer = nearer.filter(|(_, t)| distance[t.index()] < distance[s.index()]);
            nearer.min_by_key(|&&(c, t)| (distance[t.index()], t, c)).map(|&(c, _)| c)
        };
        Self::by_order(prepared, root, parent, |s| (distance[s.index()], s.index()))
    }

    /// Depth-first: up is towards the switch visited earlier. The allowed transitions are those of
    /// [`depth_first`]: some of them go up after down, and some that go down after up are
    /// forbidden.
    pub fn depth_first(prepared: &PreparedNetwork<'_>, root: SwitchId) -> Self {
        let tree = depth_first::tree(prepared, root);
        let by_visit =
            Self::by_order(prepared, root, |s| tree.parent[s.index()], |s| tree.visit[s.index()]);
        Self { allowed: depth_first::allowed(prepared, &tree), ..by_visit }
    }

    /// Up leads to the switch that comes first in an order; down-to-up transitions are forbidden.
    fn by_order<K: Ord>(
        prepared: &PreparedNetwork<'_>,
        root: SwitchId,
        parent: impl Fn(SwitchId) -> Option<ChannelId>,
        key: impl Fn(SwitchId) -> K,
    ) -> Self {
        let network = prepared.network;
        let channels = (0..network.network_channels()).map(ChannelId::new);
        let up: Vec<bool> = channels
            .map(|c| key(network.target_switch(c)) < key(network.source_switch(c)))
            .collect();
        let allowed = prepared.transitions.where_(network, |x, y| up[x.index()] || !up[y.index()]);
        let parent = (0..prepared.switches()).map(|s| parent(SwitchId::new(s))).collect();
        Self { root, up, parent, allowed }
    }
}

/// Finds the root a rule asks for. `Auto` is the first switch; a named switch that is cut off from
/// the hosts gives way to the first switch, with a note.
///
/// # Errors
/// A network without switches, or a root that does not exist.
pub fn root(
    prepared: &PreparedNetwork<'_>,
    rule: &Root,
    seed: u64,
    notes: &mut Vec<Note>,
) -> Result<SwitchId, Problems> {
    let live: Vec<SwitchId> =
        (0..prepared.switches()).map(SwitchId::new).filter(|s| prepared.live[s.index()]).collect();
    let Some(&first) = live.first() else {
        return Err(Problems::one(
            "network.switches",
            messages::network_without_switches(),
            messages::draw_a_switch(),
        ));
    };
    let most = |score: &dyn Fn(SwitchId) -> u64| {
        live.iter().copied().max_by_key(|&s| (score(s), std::cmp::Reverse(s))).unwrap_or(first)
    };
    Ok(match *rule {
        Root::Auto => first,
        Root::Switch(n) if n as usize >= prepared.switches() => {
            return Err(Problems::one(
                "routing.root",
                messages::root_does_not_exist(n, prepared.switches()),
                messages::name_a_root(),
            ));
        }
        Root::Switch(n) if !prepared.live[n as usize] => {
            notes.push(Note::RootCutOff {
                asked: prepared.name(SwitchId(n)).into(),
                instead: prepared.name(first).into(),
            });
            first
        }
        Root::Switch(n) => SwitchId(n),
        Root::Central => most(&|s| u64::MAX - distance_sum(prepared, s)),
        Root::Peripheral => most(&|s| distance_sum(prepared, s)),
        Root::MaxDegree => most(&|s| prepared.network.neighbours(s).len() as u64),
        Root::Random => {
            *live.choose(&mut stream(seed, "routing.root", 0)).expect("a switch is left")
        }
    })
}

/// Sum of the distances from a switch to all it can reach.
pub fn distance_sum(prepared: &PreparedNetwork<'_>, from: SwitchId) -> u64 {
    prepared
        .network
        .distances(&[from])
        .iter()
        .filter(|&&d| d != UNREACHABLE)
        .map(|&d| u64::from(d))
        .sum()
}
