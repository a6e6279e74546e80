//! A table of all cables, for spreadsheets: one line per cable, hosts' cables included.

use crate::catalogue::Descriptor;
use crate::network::Network;
use std::fmt::Write;

pub(super) const FORMAT: Descriptor =
    super::format("csv", "CSV", "a table of all cables; written only", &[], "RFC 4180");

pub(super) fn write(network: &Network) -> (String, Vec<String>) {
    let mut text = String::from("kind,a,a_port,b,b_port,delay_cycles\r\n");
    let switch = |s: crate::network::SwitchId| quoted(&network.switches()[s.index()].name);
    for link in network.links() {
        let delay = link.delay_cycles.map(|d| d.to_string()).unwrap_or_default();
        let (a, b) = (switch(link.a.0), switch(link.b.0));
        let _ = write!(text, "link,{a},{},{b},{},{delay}\r\n", link.a.1, link.b.1);
    }
    for host in network.hosts() {
        let _ =
            write!(text, "host,{},,{},{},\r\n", quoted(&host.name), switch(host.switch), host.port);
    }
    (text, Vec::new())
}

/// A field as RFC 4180 wants it. A name that a spreadsheet would take for a formula gets a quote in front.
fn quoted(name: &str) -> String {
    let name =
        if name.starts_with(['=', '+', '-', '@']) { format!("'{name}") } else { name.to_string() };
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name
    }
}
