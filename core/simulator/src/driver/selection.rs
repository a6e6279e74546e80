//! Path selection at send time: which of a pair's routes each message takes (Flich 2001;
//! `docs/model.md`).

use crate::engine::Cycle;
use crate::engine::random::{Pcg64Mcg, stream};
use crate::network::{HostId, Network, SwitchId};
use crate::routing::{RouteSet, RouteTable};
use crate::scenario::Selection;
use rand::RngExt;

/// Contention is kept in thousandths of a cycle per flit.
const UNIT: u32 = 1000;
/// Decrease of the other routes' contention when a message is sent: 0.1 cycles per flit.
const DECAY: u32 = 100;

/// What path selection knows of a message about to be sent.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// Sending host.
    pub from: u32,
    /// Receiving host.
    pub to: u32,
    /// Switch of the source host.
    pub from_switch: SwitchId,
    /// Switch of the destination.
    pub to_switch: SwitchId,
    /// Payload, bytes.
    pub payload: u32,
}

/// Chooses a route per message and keeps the state that needs.
#[derive(Debug, Clone)]
pub struct Selector {
    rule: Selection,
    /// Per host: its random stream.
    random: Vec<Pcg64Mcg>,
    /// Per host: the state of each route from its switch, one set after the other.
    state: Vec<Vec<u32>>,
}

impl Selector {
    /// A selector for all hosts of a network.
    pub fn new(rule: Selection, table: &RouteTable, network: &Network, seed: u64) -> Self {
        let keeps_state = Self::keeps_state(rule);
        let initial = if rule == Selection::RoundRobin { 0 } else { UNIT };
        let state = network
            .hosts()
            .iter()
            .map(|host| {
                let routes = table.sets.iter().map(|set| set.range_from(host.switch).len());
                if keeps_state { vec![initial; routes.sum()] } else { Vec::new() }
            })
            .collect();
        let random = (0..network.hosts().len() as u64).map(|h| stream(seed, "path", h)).collect();
        Self { rule, random, state }
    }

    fn keeps_state(rule: Selection) -> bool {
        use Selection::{ContentionAware, RoundRobin, WhenLoaded};
        matches!(rule, RoundRobin | ContentionAware | WhenLoaded { .. })
    }

    /// Memory of a selector whose hosts have so many routes each, bytes; an estimate.
    pub fn bytes(rule: Selection, hosts: u64, routes: u64) -> u64 {
        if Self::keeps_state(rule) { 4 * hosts * routes } else { 0 }
    }

    /// True if the rule learns from what was sent: see [`Selector::sent`].
    #[inline]
    pub fn learns(&self) -> bool {
        self.rule.learns()
    }

    /// The route of a message: a route set and an index into it.
    #[inline]
    pub fn choose(&mut self, table: &RouteTable, request: &Request) -> (u8, u32) {
        let (from, to) = (request.from_switch, request.to_switch);
        let plain = table.sets[0].range(from, to);
        let host = request.from as usize;
        match self.rule {
            Selection::Fixed => (0, plain.start),
            Selection::Random => (0, self.random[host].random_range(plain)),
            Selection::RoundRobin => {
                let at = Self::state_index(table, from, 0, plain.start);
                let turn = self.state[host][at];
                self.state[host][at] = (turn + 1) % (plain.end - plain.start);
                (0, plain.start + turn)
            }
            Selection::ByDestination => (0, RouteSet::by_destination(plain, HostId(request.to))),
            Selection::ContentionAware => (0, self.least_contended(table, request, plain)),
            Selection::ByLength { threshold_bytes } => {
                let set = usize::from(request.payload > threshold_bytes);
                (set as u8, table.sets[set].range(from, to).start)
            }
            Selection::Share { plain: share } => {
                let takes_plain = self.random[host].random_bool(share);
                let set = usize::from(!takes_plain);
                (set as u8, table.sets[set].range(from, to).start)
            }
            Selection::WhenLoaded { handicap } => {
                let other = table.sets[1].range(from, to);
                let here = self.state[host][Self::state_index(table, from, 0, plain.start)];
                let there = self.state[host][Self::state_index(table, from, 1, other.start)];
                // The contention of a message that waited for long nearly fills 32 bits.
                let there = u64::from(there) + u64::from(handicap * UNIT);
                if there < u64::from(here) { (1, other.start) } else { (0, plain.start) }
            }
        }
    }

    /// Updates the contention of the pair's routes: the tail of a message has left its source. For
    /// rules that learn only.
    #[inline]
    pub fn sent(
        &mut self,
        table: &RouteTable,
        request: &Request,
        set: u8,
        route: u32,
        (first, last): (Cycle, Cycle),
        flits: u32,
    ) {
        let host = request.from as usize;
        let taken = ((last + 1 - first) * u64::from(UNIT) / u64::from(flits.max(1)))
            .min(u64::from(u32::MAX)) as u32;
        for (s, routes) in table.sets.iter().enumerate() {
            for r in routes.range(request.from_switch, request.to_switch) {
                let at = Self::state_index(table, request.from_switch, s, r);
                let state = &mut self.state[host][at];
                *state = if (s as u8, r) == (set, route) {
                    taken.max(UNIT)
                } else {
                    state.saturating_sub(DECAY).max(UNIT)
                };
            }
        }
    }

    /// A route of least contention, drawn if there are several.
    fn least_contended(
        &mut self,
        table: &RouteTable,
        request: &Request,
        routes: std::ops::Range<u32>,
    ) -> u32 {
        let host = request.from as usize;
        let states = &self.state[host];
        let state = |r| states[Self::state_index(table, request.from_switch, 0, r)];
        let least = routes.clone().map(state).min().unwrap_or(UNIT);
        let is_least = |r: &u32| state(*r) == least;
        let tied = routes.clone().filter(is_least).count() as u64;
        let pick = if tied > 1 { self.random[host].random_range(0..tied) } else { 0 };
        routes.clone().filter(is_least).nth(pick as usize).unwrap_or(routes.start)
    }

    /// Index of a route's state.
    fn state_index(table: &RouteTable, from: SwitchId, set: usize, route: u32) -> usize {
        let before: usize = table.sets[..set].iter().map(|set| set.range_from(from).len()).sum();
        before + (route - table.sets[set].range_from(from).start) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing;
    use crate::scenario::Scenario;
    use crate::scenario::limits::MAX_HANDICAP;

    #[test]
    fn the_largest_handicap_keeps_to_the_plain_routes_however_contended_the_other_is() {
        let text = r#"{ "hopscope": 1, "routing": { "preset": "UD_ITB_DET1" },
            "network": { "generate": { "kind": "irregular", "switches": 8, "seed": 1 } } }"#;
        let scenario = Scenario::parse(text).expect("a valid scenario");
        let network = scenario.network.build().expect("a network");
        let routing = routing::compute(&network, &scenario.routing).expect("routes");
        let rule = Selection::WhenLoaded { handicap: MAX_HANDICAP };
        let table = &routing.table;
        let mut selector = Selector::new(rule, table, &network, 1);
        let hosts = network.hosts();
        let to = hosts.iter().position(|host| host.switch != hosts[0].switch).expect("another");
        let request = Request {
            from: 0,
            to: to as u32,
            from_switch: hosts[0].switch,
            to_switch: hosts[to].switch,
            payload: 1,
        };
        let other = table.sets[1].range(request.from_switch, request.to_switch).start;
        // One flit that waited for 4 million cycles: 4 * 10^9 thousandths.
        selector.sent(table, &request, 1, other, (0, 4_000_000), 1);
        assert_eq!(selector.choose(table, &request).0, 0);
    }
}
