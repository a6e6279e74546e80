//! Which rank runs on which host.

use super::messages;
use hopscope_scenario::problem::Problems;
use hopscope_scenario::random::stream;
use hopscope_scenario::scenario::{ApplicationSpec, Mapping};
use rand::seq::SliceRandom;

/// The host of each of `ranks` ranks, among `hosts` hosts.
///
/// # Errors
///
/// There are more ranks than hosts, or the list has another length.
pub fn hosts_of_ranks(
    spec: &ApplicationSpec,
    ranks: u32,
    hosts: u32,
    seed: u64,
) -> Result<Vec<u32>, Problems> {
    if ranks > hosts {
        return Err(Problems::one(
            "application",
            messages::more_ranks_than_hosts(ranks, hosts),
            messages::fewer_ranks_or_more_hosts(),
        ));
    }
    let mut all: Vec<u32> = (0..hosts).collect();
    match spec.mapping {
        Mapping::Linear => {}
        Mapping::Random => all.shuffle(&mut stream(seed, "ranks to hosts", 0)),
        Mapping::List if spec.hosts.len() != ranks as usize => {
            return Err(Problems::one(
                "application.hosts",
                messages::hosts_for_ranks(spec.hosts.len(), ranks),
                messages::list_a_host_for_each(),
            ));
        }
        Mapping::List => all.clone_from(&spec.hosts),
    }
    all.truncate(ranks as usize);
    Ok(all)
}
