//! D-mod-k in fat trees: up by ports that the destination's digits choose, then down the way that
//! is left (Zahavi, Fat-tree routing and node ordering, JPDC 2012).
//!
//! Routes to one host come down one way, and those to the hosts of a switch spread over all ways.

use super::memory;
use super::messages;
use super::prepared_network::PreparedNetwork;
use super::table::{RouteSet, Step};
use crate::network::{ChannelId, HostId, SwitchId};
use crate::problem::Problems;
use crate::scenario::Selection;
use hopscope_scenario::message::Message;

/// Most routes of a pair.
const MAX_ROUTES: usize = 1024;

/// A fat tree: every link joins neighbouring levels, hosts are at the lowest.
struct Tree<'a, 'n> {
    prepared: &'a PreparedNetwork<'n>,
    level: Vec<u32>,
    /// Per switch: channels to the next level up, in port order, and where they lead.
    up: Vec<Vec<(ChannelId, SwitchId)>>,
    /// All switches, level by level from the lowest.
    upwards: Vec<SwitchId>,
}

/// The routes of every pair: number `c` goes up by the port that the lowest digit of `c` chooses,
/// then by the next digit's, and so on. If the destination selects the route, the pair has only
/// the routes that hosts of the destination take: the others would fill most of the table.
///
/// # Errors
/// A network that is no fat tree, or one with more than [`MAX_ROUTES`] ways up.
pub fn routes(prepared: &PreparedNetwork<'_>, selection: Selection) -> Result<RouteSet, Problems> {
    let tree = Tree::of(prepared)?;
    let ends = &prepared.ends;
    // Destination by destination, since what leads down is found for all sources at once.
    let mut to_from = RouteSet::between(ends.clone());
    for (done, &b) in ends.switches().iter().enumerate() {
        let down = tree.ways_down(b);
        let hosts = prepared.network.hosts_of(b);
        for &a in ends.switches() {
            let ways = tree.ways(a, b, &down)?;
            let taken = match selection {
                Selection::ByDestination => taken(hosts, ways.len()),
                _ => (0..ways.len()).collect(),
            };
            taken.into_iter().for_each(|way| to_from.push_route(ways[way].iter().copied()));
            to_from.finish_pair();
        }
        memory::check((to_from.len(), to_from.steps().len()), done + 1, ends.len())?;
    }
    let mut set = RouteSet::between(ends.clone());
    for (a, b) in ends.pairs() {
        to_from.routes(b, a).for_each(|route| set.push_route(route.steps.iter().copied()));
        set.finish_pair();
    }
    Ok(set)
}

impl<'a, 'n> Tree<'a, 'n> {
    fn of(prepared: &'a PreparedNetwork<'n>) -> Result<Self, Problems> {
        let level = prepared.network.distances(prepared.ends.switches());
        let mut up = Vec::new();
        for s in (0..prepared.switches()).map(SwitchId::new) {
            let above = |&&(_, t): &&(ChannelId, SwitchId)| level[t.index()] > level[s.index()];
            up.push(prepared.network.neighbours(s).iter().filter(above).copied().collect());
            for &(_, t) in prepared.network.neighbours(s) {
                if level[s.index()] == level[t.index()] {
                    let (a, b) = (prepared.name(s), prepared.name(t));
                    return Err(no_tree(messages::tree_levels_linked(a, b)));
                }
            }
        }
        let mut upwards: Vec<SwitchId> = (0..prepared.switches()).map(SwitchId::new).collect();
        upwards.sort_by_key(|s| level[s.index()]);
        Ok(Self { prepared, level, up, upwards })
    }

    /// Per switch: the channels by which a route to `b` may go down from it, in ascending order;
    /// none at switches that are not above `b`.
    fn ways_down(&self, b: SwitchId) -> Vec<Vec<ChannelId>> {
        let mut ways: Vec<Vec<ChannelId>> = vec![Vec::new(); self.level.len()];
        for &s in &self.upwards {
            if s == b || !ways[s.index()].is_empty() {
                for &(up, above) in &self.up[s.index()] {
                    ways[above.index()].push(self.prepared.network.reverse(up));
                }
            }
        }
        ways.iter_mut().for_each(|channels| channels.sort_unstable());
        ways
    }

    /// All routes of a pair, by number; `down` is what [`Tree::ways_down`] gives for `b`.
    fn ways(
        &self,
        a: SwitchId,
        b: SwitchId,
        down: &[Vec<ChannelId>],
    ) -> Result<Vec<Vec<Step>>, Problems> {
        let mut ways: Vec<Vec<Step>> = Vec::new();
        let mut count = 1;
        while ways.len() < count {
            let (mut digits, mut most) = (ways.len(), 1);
            let mut at = a;
            let mut steps = Vec::new();
            while at != b {
                let ways = &down[at.index()];
                if let Some(&channel) = ways.get(digits % ways.len().max(1)) {
                    steps.push(Step::channel(channel));
                    at = self.prepared.network.target_switch(channel);
                    continue;
                }
                let ups = &self.up[at.index()];
                let Some(&(channel, above)) = ups.get(digits % ups.len().max(1)) else {
                    let (from, to) = (self.prepared.name(a), self.prepared.name(b));
                    return Err(no_tree(messages::no_way_down(from, to)));
                };
                digits /= ups.len();
                most *= ups.len();
                steps.push(Step::channel(channel));
                at = above;
            }
            // All climbs of a pair are as long and as wide in a fat tree; in an uneven one the
            // widest decides.
            count = count.max(most);
            if count > MAX_ROUTES {
                let from = self.prepared.name(a);
                return Err(no_tree(messages::too_many_ways_up(MAX_ROUTES, from)));
            }
            ways.push(steps);
        }
        Ok(ways)
    }
}

/// The numbers, of `count`, of the routes that the hosts of a switch take: host `h` takes number
/// `h % count`. In the list, which is the shortest possible, that is the entry `h % length`, so
/// that [`Selection::ByDestination`] finds it.
fn taken(hosts: &[HostId], count: usize) -> Vec<usize> {
    let list_of = |length: usize| {
        let mut list = vec![None; length];
        let is_fitting = hosts.iter().map(|host| host.index()).all(|host| {
            let number = host % count;
            *list[host % length].get_or_insert(number) == number
        });
        is_fitting.then_some(list)
    };
    let list = (1..=count).find_map(list_of).expect("all numbers are a fitting list");
    // An entry that no host takes can be any number.
    list.into_iter().enumerate().map(|(entry, number)| number.unwrap_or(entry)).collect()
}

fn no_tree(why: Message) -> Problems {
    Problems::one("routing.preset", why, messages::use_a_fat_tree())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependencies::{Dependencies, Verdict};
    use crate::scenario::{NetworkSpec, Preset, RoutingSpec};
    use crate::{Hop, RouteTable, compute};
    use proptest::collection::btree_set;
    use proptest::prelude::*;

    fn network(generate: &str) -> crate::network::Network {
        let text = format!(r#"{{"generate":{generate}}}"#);
        serde_json::from_str::<NetworkSpec>(&text).unwrap().build().unwrap()
    }

    #[test]
    fn every_channel_down_leads_to_one_host() {
        let network = network(r#"{"kind":"k-ary-n-tree","arity":3,"levels":3}"#);
        let prepared = PreparedNetwork::new(&network).unwrap();
        let set = routes(&prepared, Selection::ByDestination).unwrap();
        // Per channel, the hosts it is used to reach. Each subtree has as many channels from above
        // as hosts, and d-mod-k uses each of them for one host.
        let mut hosts = vec![std::collections::BTreeSet::new(); network.network_channels()];
        for a in prepared.ends.switches() {
            for (h, host) in network.hosts().iter().enumerate() {
                let range = set.range(*a, host.switch);
                let route = set.route(RouteSet::by_destination(range, HostId(h as u32)));
                assert!(RouteSet::follows(&network, *a, host.switch, route.steps));
                for step in route.steps {
                    let Hop::Channel(c) = step.hop() else { panic!("no stops") };
                    hosts[c.index()].insert(h);
                }
            }
        }
        let tree = Tree::of(&prepared).unwrap();
        for (c, hosts) in hosts.iter().enumerate() {
            let c = ChannelId::new(c);
            let (from, to) = (network.source_switch(c), network.target_switch(c));
            if tree.level[from.index()] > tree.level[to.index()] {
                assert_eq!(hosts.len(), 1, "{c:?} from {from:?} to {to:?}");
            }
        }
        let verdict = Dependencies::of(&network, &RouteTable::new(&network, vec![set])).verdict();
        assert!(matches!(verdict, Verdict::Acyclic(_)));
    }

    #[test]
    fn only_routes_that_hosts_take_are_kept_if_the_destination_selects() {
        let network = network(r#"{"kind":"k-ary-n-tree","arity":3,"levels":3}"#);
        let prepared = PreparedNetwork::new(&network).unwrap();
        let all = routes(&prepared, Selection::Random).unwrap();
        let kept = routes(&prepared, Selection::ByDestination).unwrap();
        // Of nine ways over the roots, each host of a switch takes one.
        let far = |set: &RouteSet| set.range(prepared.ends.switches()[0], SwitchId(8)).len();
        assert_eq!((far(&all), far(&kept)), (9, 3));
        for &a in prepared.ends.switches() {
            for (h, host) in network.hosts().iter().enumerate() {
                let route = |set: &RouteSet| {
                    let range = set.range(a, host.switch);
                    let to = HostId(h as u32);
                    set.route(RouteSet::by_destination(range, to)).steps.to_vec()
                };
                assert_eq!(route(&all), route(&kept), "{a:?} to host {h}");
            }
        }
    }

    proptest! {
        #[test]
        fn every_host_finds_its_route(
            hosts in btree_set(0_u32..300, 0..20),
            count in 1_usize..100,
        ) {
            let hosts: Vec<HostId> = hosts.into_iter().map(HostId).collect();
            let list = taken(&hosts, count);
            prop_assert!(list.len() <= count && list.iter().all(|&number| number < count));
            for host in &hosts {
                prop_assert_eq!(list[host.index() % list.len()], host.index() % count);
            }
        }
    }

    #[test]
    fn lists_of_routes_are_as_short_as_can_be() {
        let list = |hosts: &[u32], count| {
            taken(&hosts.iter().copied().map(HostId).collect::<Vec<_>>(), count)
        };
        assert_eq!(list(&[16, 17, 18, 19], 64), [16, 17, 18, 19]);
        assert_eq!(list(&[5, 69], 64), [5]);
        assert_eq!(list(&[0, 8], 64), [0, 1, 8]);
        assert_eq!(list(&[], 64), [0]);
    }

    #[test]
    fn refuses_what_is_no_tree() {
        let spec = RoutingSpec { preset: Preset::DModK, ..Default::default() };
        let torus = network(r#"{"kind":"torus","sides":[4,4],"hosts_per_switch":1}"#);
        assert!(compute(&torus, &spec).unwrap_err().to_string().contains("one level"));
    }
}
