//! Checks of the application that need no program: numbers, ranks and hosts.

use super::traffic::{check_level, no_host};
use super::within;
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::limits::*;
use crate::scenario::{ApplicationKind, ApplicationSpec, FabricSpec, Mapping};

pub(super) fn check(
    application: &ApplicationSpec,
    fabric: &FabricSpec,
    network: Option<&Network>,
    problems: &mut Problems,
) {
    let spec = application;
    within("application.bytes", spec.bytes, 0..=MAX_APPLICATION_BYTES, problems);
    within("application.iterations", spec.iterations, 1..=MAX_ITERATIONS, problems);
    within("application.compute_ns", spec.compute_ns, 0..=MAX_COMPUTE_NS, problems);
    within("application.start_cycle", spec.start_cycle, 0..=MAX_CYCLES, problems);
    let most = u64::from(MAX_MESSAGE_BYTES);
    within("application.packet_bytes", spec.packet_bytes, 0..=most, problems);
    check_level(spec.level, fabric, "application.level", problems);
    if spec.kind == ApplicationKind::Trace && spec.file.is_empty() && spec.text.is_empty() {
        problems.add("application", messages::missing_field("file"), messages::add_field("file"));
    }
    let Some(network) = network else { return };
    within("application.ranks", spec.ranks, 0..=network.hosts().len() as u64, problems);
    if spec.mapping == Mapping::List {
        check_hosts(&spec.hosts, network, problems);
    } else if !spec.hosts.is_empty() {
        problems.add("application.hosts", messages::hosts_without_list(), messages::map_by_list());
    }
}

fn check_hosts(hosts: &[u32], network: &Network, problems: &mut Problems) {
    let mut seen = vec![false; network.hosts().len()];
    for (i, &host) in hosts.iter().enumerate() {
        let at = format!("application.hosts.{i}");
        match seen.get_mut(host as usize) {
            None => no_host(&at, host, network, problems),
            Some(true) => problems.add(at, messages::host_twice(host), messages::list_once()),
            Some(first) => *first = true,
        }
    }
}
