//! A table of all cables for spreadsheets (RFC 4180): one line per cable, cables of hosts included.

use super::{Begins, Member, Reads, Writes};
use crate::message::Message;
use crate::network::{Network, SwitchId};
use std::fmt::Write;

pub(super) const MEMBER: Member = Member {
    descriptor: super::format("csv", "CSV", "a table of all cables; written only", &[], "RFC 4180"),
    extensions: &["csv"],
    begins: Begins::Unknown,
    read: Reads::No,
    write: Writes::Built(write),
};

fn write(network: &Network) -> (String, Vec<Message>) {
    let mut text = String::from("kind,a,a_port,b,b_port,delay_cycles\r\n");
    let switch = |id: SwitchId| field(&network.switches()[id.index()].name);
    for link in network.links() {
        let delay = link.delay_cycles.map(|d| d.to_string()).unwrap_or_default();
        let (a, b) = (switch(link.a.0), switch(link.b.0));
        let _ = write!(text, "link,{a},{},{b},{},{delay}\r\n", link.a.1, link.b.1);
    }
    for host in network.hosts() {
        let (name, switch) = (field(&host.name), switch(host.switch));
        let _ = write!(text, "host,{name},,{switch},{},\r\n", host.port);
    }
    (text, Vec::new())
}

/// A field of the table. Spreadsheets take a name that begins with `=`, `+`, `-` or `@` for a
/// formula, so such a name gets an apostrophe in front.
fn field(name: &str) -> String {
    let formula = name.starts_with(['=', '+', '-', '@']);
    let text = if formula { format!("'{name}") } else { name.to_string() };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}
