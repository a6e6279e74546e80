//! Topology files of the ns-3 simulators of HPCC and SimAI.
//!
//! The first line has the numbers of nodes, switches and links; that of SimAI the numbers of nodes,
//! GPUs per server, NVSwitches, switches and links, and the type of GPU. The identifiers of the
//! switches follow, those of NVSwitches first. All other nodes are hosts, or GPUs. Then every link
//! has a line `source destination rate delay error-rate`.
//!
//! NVSwitches and their links, which are within servers, are left out: a host is the NIC of a GPU.
//! Rates, delays and error rates are not read: the fabric of the scenario has them.

use super::parts::{Cable, Node, Parts};
use super::{Begins, Member, Reads, Source, Writes, messages};
use crate::message::Message;
use crate::problem::Problems;
use crate::scenario::limits::MAX_PROBLEMS;

pub(super) const MEMBER: Member = Member {
    descriptor: super::format(
        "hpcc",
        "HPCC and SimAI",
        "links of the ns-3 simulators HPCC and SimAI; read only",
        &[super::HOSTS],
        "github.com/alibaba-edu/High-Precision-Congestion-Control; github.com/aliyun/SimAI",
    ),
    extensions: &["hpcc", "simai"],
    begins: Begins::WithNumbers(3),
    read: Reads::Parts(read),
    write: Writes::No,
};

/// The first line.
struct Header {
    nodes: usize,
    nv_switches: usize,
    switches: usize,
    links: usize,
}

/// What a node is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Host,
    Switch,
    NvSwitch,
}

fn problem<T>(source: Source<'_>, line: usize, why: Message, fix: Message) -> Result<T, Problems> {
    Err(Problems::one(source.line(line), why, fix))
}

fn read(source: Source<'_>) -> Result<Parts, Problems> {
    let mut lines = source.text.lines().zip(1..).filter(|(text, _)| !text.trim().is_empty());
    let Some((first, first_line)) = lines.next() else {
        return Err(Problems::one(
            source.name,
            messages::hpcc_header_wrong(),
            messages::hpcc_header_forms(),
        ));
    };
    let header = header(source, first, first_line)?;
    if header.nodes > Parts::MAX_NODES {
        return Err(Parts::too_many_problem(source, first_line));
    }

    // Identifiers of switches may take more than one line.
    let mut kinds = vec![Kind::Host; header.nodes];
    let (mut switches, wanted) = (0, header.switches + header.nv_switches);
    let mut line = first_line;
    while switches < wanted {
        let Some((text, at)) = lines.next() else {
            let why = messages::hpcc_switches_missing(switches, wanted);
            return problem(source, line, why, messages::hpcc_list_switches());
        };
        line = at;
        for word in text.split_whitespace() {
            let node = node(source, line, word, header.nodes)?;
            if kinds[node] != Kind::Host || switches == wanted {
                let why = messages::hpcc_switch_unexpected(node, wanted);
                return problem(source, line, why, messages::hpcc_list_switches());
            }
            // Without other switches, the NVSwitches are the network.
            let within_server = switches < header.nv_switches && header.switches > 0;
            kinds[node] = if within_server { Kind::NvSwitch } else { Kind::Switch };
            switches += 1;
        }
    }

    let mut parts = Parts::default();
    let index: Vec<usize> = kinds
        .iter()
        .scan(0, |next, kind| {
            let index = *next;
            *next += usize::from(*kind != Kind::NvSwitch);
            Some(index)
        })
        .collect();
    for (id, kind) in kinds.iter().enumerate().filter(|(_, kind)| **kind != Kind::NvSwitch) {
        let name = id.to_string();
        parts.nodes.push(Node { name, line, host: *kind == Kind::Host, ..Default::default() });
    }
    let (mut links, mut left_out, mut problems) = (0, 0, Problems::default());
    for (text, at) in lines {
        line = at;
        match link(source, line, text, header.nodes) {
            Ok(ends) => {
                links += 1;
                if ends.iter().any(|&end| kinds[end] == Kind::NvSwitch) {
                    left_out += 1;
                    continue;
                }
                let ends = ends.map(|end| (index[end], None));
                parts.cables.push(Cable { ends, width: 1, delay_cycles: None, line });
            }
            Err(found) => problems.0.extend(found.0),
        }
        if problems.0.len() >= MAX_PROBLEMS {
            return Err(problems);
        }
        if parts.too_many() {
            return Err(Parts::too_many_problem(source, line));
        }
    }
    problems.or(())?;
    if links != header.links {
        let why = messages::hpcc_links_wrong(links, header.links);
        return problem(source, first_line, why, messages::hpcc_check_links());
    }
    if left_out > 0 {
        parts.notes.push(messages::note_hpcc_nv_switches_left_out(header.nv_switches, left_out));
    }
    parts.notes.push(messages::note_hpcc_rates_left_out());
    Ok(parts)
}

/// Reads the first line.
fn header(source: Source<'_>, text: &str, line: usize) -> Result<Header, Problems> {
    let words: Vec<&str> = text.split_whitespace().take(8).collect();
    let numbers: Vec<usize> = words.iter().map_while(|word| word.parse().ok()).collect();
    let header = match (&numbers[..], words.len()) {
        (&[nodes, switches, links], 3) => Header { nodes, nv_switches: 0, switches, links },
        (&[nodes, _, nv_switches, switches, links, ..], 5..) => {
            Header { nodes, nv_switches, switches, links }
        }
        _ => {
            let why = messages::hpcc_header_wrong();
            return problem(source, line, why, messages::hpcc_header_forms());
        }
    };
    let switches = header.switches.saturating_add(header.nv_switches);
    if switches > header.nodes {
        let why = messages::hpcc_more_switches(switches, header.nodes);
        return problem(source, line, why, messages::hpcc_header_forms());
    }
    Ok(header)
}

/// The identifier of a node.
fn node(source: Source<'_>, line: usize, word: &str, nodes: usize) -> Result<usize, Problems> {
    let id = word.parse().ok().filter(|&id| id < nodes);
    id.map_or_else(
        || {
            let word: String = word.chars().take(40).collect();
            let fix = messages::file_number_range(0, nodes.saturating_sub(1));
            problem(source, line, messages::hpcc_node_wrong(word), fix)
        },
        Ok,
    )
}

/// Reads the line of a link and returns its two ends.
fn link(source: Source<'_>, line: usize, text: &str, nodes: usize) -> Result<[usize; 2], Problems> {
    let words: Vec<&str> = text.split_whitespace().take(6).collect();
    let [a, b, _rate, _delay, _error] = words[..] else {
        let why = messages::hpcc_link_wrong();
        return problem(source, line, why, messages::hpcc_link_form());
    };
    Ok([node(source, line, a, nodes)?, node(source, line, b, nodes)?])
}
