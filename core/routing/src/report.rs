//! The report on a routing: the verdict on deadlock and figures about its routes.

use super::Axes;
use super::dependencies::Verdict;
use super::note::{self, Note};
use super::prepared_network::PreparedNetwork;
use super::table::{Hop, RouteSet, RouteTable};
use crate::network::{ChannelId, Network, SwitchId};
use crate::scenario::Preset;
use serde::{Deserialize, Serialize};

/// Figures about a route table. Means are over ordered pairs of different switches that have hosts;
/// each pair counts once, however many hosts it has, and a pair with several routes counts each
/// with an equal part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The preset the axes started from.
    pub preset: Preset,
    /// The axes.
    pub axes: Axes,
    /// Seed that reproduces the routes.
    pub seed: u64,
    /// Root of the spanning tree, where the routing uses one.
    pub root: Option<SwitchId>,
    /// True if the channel dependency graph of all sets together has no cycle: no deadlock can
    /// arise.
    pub acyclic: bool,
    /// A shortest cycle otherwise; each channel waits for the next, the last for the first.
    pub cycle: Vec<CycleStep>,
    /// Share of transitions (turns back excluded) that routes may not make without an ITB, where
    /// the routing fixes them in advance.
    pub forbidden_transition_share: Option<f64>,
    /// Figures over all route sets together.
    #[serde(flatten)]
    pub routes: RouteFigures,
    /// Figures per route set, if there are two.
    pub sets: Vec<RouteFigures>,
    /// ITBs per route of both methods of breaking cycles, where cycles are broken.
    pub cycle_breaking: Option<CycleBreaking>,
    /// Routes that had to give way, and settings that play no part.
    #[serde(serialize_with = "note::as_text")]
    pub notes: Vec<Note>,
}

/// A channel of a dependency cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CycleStep {
    /// The channel.
    pub channel: ChannelId,
    /// Name of the switch it leaves.
    pub from: String,
    /// Name of the switch it leads to.
    pub to: String,
}

/// ITBs per route with either method of breaking cycles.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CycleBreaking {
    /// Route by route as in the thesis.
    pub greedy: f64,
    /// By a search for few ITBs.
    pub fewest: f64,
}

/// Figures about routes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RouteFigures {
    /// Ordered pairs of different switches with hosts.
    pub pairs: usize,
    /// Routes of these pairs.
    pub count: usize,
    /// Share of routes as short as the network allows, 0 to 1.
    pub minimal_route_share: f64,
    /// Channels between switches per route.
    pub distance: Distance,
    /// In-transit buffers per route.
    pub itbs_per_route: Itbs,
    /// Routes over each network channel.
    pub channel_weight: Weight,
}

/// Channels between switches per route.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Distance {
    /// Mean over the routes.
    pub mean: f64,
    /// Longest route.
    pub max: u32,
    /// Mean if all were minimal.
    pub minimal_mean: f64,
}

/// In-transit buffers per route.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Itbs {
    /// Mean over the routes.
    pub mean: f64,
    /// Share of routes with 0, 1, 2 ... of them.
    pub share_by_count: Vec<f64>,
}

/// Routes over each network channel; a route of a pair that has k of them counts 1/k.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Weight {
    /// Mean over the channels.
    pub mean: f64,
    /// Standard deviation over the channels.
    pub standard_deviation: f64,
    /// Most used channel.
    pub max: f64,
}

impl RouteFigures {
    /// Figures over the sets given, each route of a pair with equal part.
    pub fn of(prepared: &PreparedNetwork<'_>, sets: &[RouteSet]) -> Self {
        let mut sums = Sums::default();
        for (from, to) in prepared.ends.pairs().filter(|(from, to)| from != to) {
            sums.add_pair(sets, from, to);
        }
        sums.figures(&channel_weights(prepared.network, sets))
    }
}

/// Routes over each network channel, those of each pair of different switches counting 1 together.
pub fn channel_weights(network: &Network, sets: &[RouteSet]) -> Vec<f64> {
    let mut weights = vec![0.0; network.network_channels()];
    for (from, to) in sets.iter().take(1).flat_map(|set| set.ends().pairs()) {
        let count: usize = sets.iter().map(|set| set.range(from, to).len()).sum();
        for step in sets.iter().flat_map(|set| set.routes(from, to)).flat_map(|route| route.steps) {
            if let Hop::Channel(c) = step.hop() {
                weights[c.index()] += 1.0 / count as f64;
            }
        }
    }
    weights
}

#[derive(Default)]
struct Sums {
    pairs: usize,
    routes: usize,
    /// Parts of pairs whose routes are longer than minimal: 0 exactly if there are none.
    longer: f64,
    distance: f64,
    longest: u32,
    shortest: f64,
    itbs: Vec<f64>,
}

impl Sums {
    fn add_pair(&mut self, sets: &[RouteSet], from: SwitchId, to: SwitchId) {
        let count: usize = sets.iter().map(|set| set.range(from, to).len()).sum();
        self.pairs += 1;
        self.routes += count;
        let (mut shortest, mut longer) = (0, 0);
        let part = 1.0 / count as f64;
        for route in sets.iter().flat_map(|set| set.routes(from, to)) {
            let (distance, itbs) = (route.distance(), route.itbs());
            shortest = route.shortest();
            longer += usize::from(distance > shortest);
            self.distance += part * distance as f64;
            self.longest = self.longest.max(distance as u32);
            if self.itbs.len() <= itbs {
                self.itbs.resize(itbs + 1, 0.0);
            }
            self.itbs[itbs] += part;
        }
        self.shortest += shortest as f64;
        self.longer += longer as f64 / count as f64;
    }

    fn figures(self, weights: &[f64]) -> RouteFigures {
        let pairs = self.pairs.max(1) as f64;
        let channels = weights.len().max(1) as f64;
        let mean = weights.iter().sum::<f64>() / channels;
        let variance = weights.iter().map(|w| (w - mean).powi(2)).sum::<f64>() / channels;
        RouteFigures {
            pairs: self.pairs,
            count: self.routes,
            minimal_route_share: 1.0 - self.longer / pairs,
            distance: Distance {
                mean: self.distance / pairs,
                max: self.longest,
                minimal_mean: self.shortest / pairs,
            },
            itbs_per_route: Itbs {
                mean: self.itbs.iter().enumerate().map(|(n, share)| n as f64 * share).sum::<f64>()
                    / pairs,
                share_by_count: self.itbs.iter().map(|share| share / pairs).collect(),
            },
            channel_weight: Weight {
                mean,
                standard_deviation: variance.sqrt(),
                max: weights.iter().copied().fold(0.0, f64::max),
            },
        }
    }
}

impl Report {
    /// The verdict on deadlock and the figures of the table. The caller fills in root, shares and
    /// notes.
    pub fn new(
        prepared: &PreparedNetwork<'_>,
        preset: Preset,
        axes: Axes,
        seed: u64,
        table: &RouteTable,
        verdict: &Verdict,
    ) -> Self {
        let cycle = match verdict {
            Verdict::Acyclic(_) => Vec::new(),
            Verdict::Cyclic(channels) => channels.iter().map(|&c| step(prepared, c)).collect(),
        };
        let sets: Vec<RouteFigures> = table
            .sets
            .iter()
            .map(|set| RouteFigures::of(prepared, std::slice::from_ref(set)))
            .collect();
        Self {
            preset,
            axes,
            seed,
            root: None,
            acyclic: cycle.is_empty(),
            cycle,
            forbidden_transition_share: None,
            routes: if sets.len() == 1 {
                sets[0].clone()
            } else {
                RouteFigures::of(prepared, &table.sets)
            },
            sets: if sets.len() == 1 { Vec::new() } else { sets },
            cycle_breaking: None,
            notes: Vec::new(),
        }
    }
}

fn step(prepared: &PreparedNetwork<'_>, channel: ChannelId) -> CycleStep {
    CycleStep {
        channel,
        from: prepared.name(prepared.network.source_switch(channel)).into(),
        to: prepared.name(prepared.network.target_switch(channel)).into(),
    }
}

/// Share of transitions that are not free.
pub fn forbidden_share(prepared: &PreparedNetwork<'_>, free: &[bool]) -> f64 {
    let (mut all, mut forbidden) = (0u32, 0u32);
    for (number, _, _) in prepared.transitions.iter(prepared.network) {
        all += 1;
        forbidden += u32::from(!free[number]);
    }
    if all == 0 { 0.0 } else { f64::from(forbidden) / f64::from(all) }
}
