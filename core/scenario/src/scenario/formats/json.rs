//! Hopscope's own JSON: a scenario file, of which only the network is taken, or a network alone.

use super::{Begins, Contents, Member, Reads, Source, Writes, messages};
use crate::message::Message;
use crate::problem::{Place, Problems};
use crate::scenario::{DrawnNetwork, NetworkSpec, Scenario, parse};
use serde_json::json;

pub(super) const MEMBER: Member = Member {
    descriptor: super::format(
        "json",
        "Scenario",
        "a scenario file, from which only the network is taken",
        &[],
        "",
    ),
    extensions: &["json"],
    begins: Begins::With('{'),
    read: Reads::Network(read),
    write: Writes::Drawn(write),
};

fn read(source: Source<'_>) -> Result<Contents, Problems> {
    let place = |at| match at {
        Place::Position(line, column) => format!("{}:{line}:{column}", source.name).into(),
        other => format!("{}: {other}", source.name).into(),
    };
    let name_file = |problems: Problems| problems.map_places(place);
    let mut document = parse::document(source.text).map_err(name_file)?;
    let mut notes = Vec::new();
    if document.get("hopscope").is_some() || document.get("network").is_some() {
        notes.push(messages::note_only_network_taken());
    } else {
        document = json!({ "hopscope": 1, "network": document });
    }
    let scenario = Scenario::from_document(&document).map_err(name_file)?;
    if matches!(scenario.network, NetworkSpec::Generate(_)) {
        notes.push(messages::note_network_generated());
    }
    let network = scenario.network.drawn().map_err(name_file)?;
    Ok(Contents { own_hosts: !network.hosts.is_empty(), network, notes })
}

fn write(network: &DrawnNetwork) -> (String, Vec<Message>) {
    (Scenario::of(NetworkSpec::Drawn(network.clone())).to_json(), Vec::new())
}
