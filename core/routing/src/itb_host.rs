//! From lists of channels to route steps: each transition that is not free gets an ITB at a host of
//! its switch.

use super::paths::{Paths, pair_key};
use super::prepared_network::PreparedNetwork;
use super::table::{RouteSet, Step};
use crate::network::{ChannelId, HostId};
use crate::random::{Pcg64Mcg, stream};
use crate::scenario::ItbHost;
use rand::RngExt;

/// Puts the ITBs into all paths. Hosts are assigned in the order of the table, pair by pair.
pub fn with_itbs(
    prepared: &PreparedNetwork<'_>,
    paths: &Paths,
    free: &[bool],
    rule: ItbHost,
    seed: u64,
) -> RouteSet {
    let mut set = RouteSet::between(prepared.ends.clone());
    let mut turn = vec![0; prepared.switches()];
    let mut steps = Vec::new();
    for (from, to) in prepared.ends.pairs() {
        let mut random = None;
        for p in paths.of(from, to) {
            steps.clear();
            let mut last: Option<ChannelId> = None;
            for &y in paths.path(p) {
                if let Some(x) = last.filter(|&x| !free[prepared.transitions.number(x, y)]) {
                    let random = random.get_or_insert_with(|| {
                        stream(seed, "routing.itb-host", pair_key(from, to))
                    });
                    steps.push(Step::in_transit(host(prepared, rule, x, y, random, &mut turn)));
                }
                steps.push(Step::channel(y));
                last = Some(y);
            }
            set.push_route(steps.iter().copied());
        }
        set.finish_pair();
    }
    set
}

/// The host that takes the ITB between two channels.
fn host(
    prepared: &PreparedNetwork<'_>,
    rule: ItbHost,
    x: ChannelId,
    y: ChannelId,
    random: &mut Pcg64Mcg,
    turn: &mut [usize],
) -> HostId {
    let at = prepared.network.target_switch(x);
    let hosts = prepared.network.hosts_of(at);
    let index = match rule {
        ItbHost::Random => random.random_range(0..hosts.len()),
        ItbHost::ByInputChannel => prepared.transitions.rank(prepared.network.reverse(x)),
        ItbHost::ByOutputChannel => prepared.transitions.rank(y),
        ItbHost::RoundRobin => {
            turn[at.index()] += 1;
            turn[at.index()] - 1
        }
    };
    hosts[index % hosts.len()]
}
