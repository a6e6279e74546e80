//! Tests of all formats: a written network reads back unchanged, wrong files are refused with file
//! and line, no input panics or takes long. `samples/` has files as other tools write them.

use super::*;
use crate::network::generators::GeneratorSpec;
use crate::network::{End, Network};
use crate::scenario::limits::MAX_NAME_BYTES;
use crate::scenario::{DrawnHost, DrawnLink, DrawnSwitch};
use proptest::prelude::*;
use rand::RngExt;
use std::time::{Duration, Instant};

/// The formats that have a reader.
fn read_formats() -> Vec<Format> {
    Format::ALL.iter().copied().filter(|format| format.reads()).collect()
}

/// The formats that have a reader and a writer.
fn written_formats() -> Vec<Format> {
    read_formats().into_iter().filter(|format| format.writes()).collect()
}

fn generated(document: serde_json::Value) -> DrawnNetwork {
    serde_json::from_value::<GeneratorSpec>(document).unwrap().generate().unwrap()
}

/// True if a note on a network contains `words`.
fn is_noted(read: &Imported, words: &str) -> bool {
    read.notes.iter().any(|note| note.to_string().contains(words))
}

fn assert_noted(read: &Imported, words: &str) {
    assert!(is_noted(read, words), "{words}: {:?}", read.notes);
}

/// A network with difficult names, trunks, delays, positions and gaps between used ports.
fn rich() -> DrawnNetwork {
    let switch =
        |name: &str, x| DrawnSwitch { name: name.into(), ports: 9, x, y: x.map(|x: f32| x / 3.0) };
    let host =
        |name: &str, switch, port| DrawnHost { name: name.into(), switch, port, x: None, y: None };
    let link = |a, b, width, delay_cycles| DrawnLink { a, b, width, delay_cycles };
    DrawnNetwork {
        switches: vec![
            switch("leaf <1> & \"co\"", Some(10.5)),
            switch("spine, größer", Some(-3.25)),
            switch("", None),
            switch("a\\b", Some(1e5)),
        ],
        hosts: vec![
            host("alpha", 0, Some(8)),
            host("", 0, None),
            host("a\\b", 2, Some(3)),
            host("=1+1", 3, Some(0)),
        ],
        links: vec![
            link((0, 0), (1, 0), 3, Some(12)),
            link((1, 4), (2, 7), 1, None),
            link((2, 0), (3, 5), 1, Some(1)),
            link((3, 7), (0, 6), 2, None),
        ],
    }
}

fn networks() -> Vec<DrawnNetwork> {
    let mut all: Vec<DrawnNetwork> = crate::network::generators::all()
        .iter()
        .filter(|d| d.id != "single")
        .map(|d| GeneratorSpec::with_id(d.id).unwrap().generate().unwrap())
        .collect();
    all.push(rich());
    all
}

/// What a format can express of a network, as sorted lines.
fn facts(
    network: &Network,
    names: bool,
    ports: bool,
    positions: bool,
    delays: bool,
) -> Vec<String> {
    let end = |s: crate::network::SwitchId, port: u16| {
        if ports { format!("{}:{port}", s.0) } else { s.0.to_string() }
    };
    let name = |name: &str| if names { name.to_string() } else { String::new() };
    let position = |p: Option<[f32; 2]>| if positions { format!("{p:?}") } else { String::new() };
    let mut list: Vec<String> = network
        .switches()
        .iter()
        .enumerate()
        .map(|(i, s)| format!("s{i} {} {}", name(&s.name), position(s.position)))
        .collect();
    list.extend(network.hosts().iter().map(|h| {
        format!("h {} {} {}", name(&h.name), end(h.switch, h.port), position(h.position))
    }));
    list.extend(network.links().iter().map(|l| {
        let (a, b) = (end(l.a.0, l.a.1), end(l.b.0, l.b.1));
        let delay = if delays { format!("{:?}", l.delay_cycles) } else { String::new() };
        format!("l {} {} {delay}", a.clone().min(b.clone()), a.max(b))
    }));
    list.sort();
    list
}

#[test]
fn written_networks_read_back_unchanged() {
    for (n, drawn) in networks().iter().enumerate() {
        let before = drawn.build().unwrap();
        for format in written_formats() {
            let (text, _) = export(format, drawn).unwrap();
            let name = format!("net.{}", format.extensions()[0]);
            let read = import(&name, &text, &Options::default())
                .unwrap_or_else(|p| panic!("{n} {format:?}: {p}\n{text}"));
            assert_eq!(read.format, format);
            let after = read.network.build().unwrap();
            let (names, ports, positions, delays) = match format {
                Format::Json | Format::Dot | Format::Graphml => (true, true, true, true),
                Format::Ibnetdiscover => (true, true, false, false),
                _ => (false, false, false, true),
            };
            // Quotes and hosts named like a switch are written differently where a format requires
            // it.
            let facts = |network: &Network| {
                let mut list = facts(network, names, ports, positions, delays);
                if format == Format::Anynet {
                    list.dedup();
                }
                list.iter()
                    .map(|f| f.replace('"', "'").replace("a\\b (2)", "a\\b"))
                    .collect::<Vec<_>>()
            };
            assert_eq!(facts(&before), facts(&after), "{n} {format:?}\n{text}");
        }
    }
}

#[test]
fn tables_have_a_line_per_cable() {
    let (text, _) = export(Format::Csv, &rich()).unwrap();
    assert_eq!(text.lines().count(), 1 + 7 + 4);
    assert!(text.contains("link,\"leaf <1> & \"\"co\"\"\",0,\"spine, größer\",0,12\r\n"), "{text}");
    assert!(text.contains("host,'=1+1,,a\\b,0,\r\n"), "{text}");
    assert!(import("t.csv", &text, &Options::default()).is_err());
}

#[test]
fn the_format_follows_from_name_or_content() {
    for format in written_formats() {
        let (text, _) = export(format, &rich()).unwrap();
        assert_eq!(Format::by_content(&text), Some(format));
        assert_eq!(import("unknown", &text, &Options::default()).unwrap().format, format);
        for extension in format.extensions() {
            assert_eq!(Format::by_name(&format!("a.b.{}", extension.to_uppercase())), Some(format));
        }
        assert_eq!(Format::by_id(format.descriptor().id), Some(format));
    }
    assert_eq!(all().len(), Format::ALL.len());
    assert_eq!(Format::by_content("hello"), None);
    assert!(import("hello", "hello", &Options::default()).is_err());
}

/// Asserts that a text is refused with a problem at `at` whose reason contains `words`.
fn refused(name: &str, text: &str, at: &str, words: &str) {
    let problems = import(name, text, &Options::default()).expect_err(text);
    let named = problems.0.iter().any(|p| p.at.path() == at && p.why.to_string().contains(words));
    assert!(named, "{text}\nwanted {at}: {words}, got\n{problems}");
}

#[test]
fn wrong_files_name_line_and_reason() {
    refused(
        "f.any",
        "router 0 router 1\nswitch 2\n",
        "f.any:2",
        "`switch` where `router` or `node`",
    );
    refused("f.any", "router 0 router x\n", "f.any:1", "`x` where the number of a router");
    refused("f.any", "router 0 router\n", "f.any:1", "the end of the line");
    refused("f.any", "router 0 router 2\n", "f.any:1", "no router 1");
    refused("f.any", "node 0 node 1\n", "f.any:1", "two nodes");
    refused(
        "f.any",
        "router 0 node 0\nrouter 1 node 0 router 0",
        "f.any:2",
        "on a router already, since line 1",
    );
    refused("f.any", "router 0 router 1 0", "f.any:1", "latency of `0`");
    refused("f.dot", "graph {\n a -- b\n", "f.dot:3", "the end of the file where `}`");
    refused("f.dot", "graph {\n a -> b }", "f.dot:2", "`->` where `--`");
    refused("f.dot", "digraph {\n\n \"a }", "f.dot:3", "not closed");
    refused("f.dot", "graph { /* }", "f.dot:1", "comment");
    refused("f.dot", "{ }", "f.dot:1", "`graph` or `digraph`");
    refused("f.dot", "graph { a [x=] }", "f.dot:1", "a value");
    refused(
        "f.dot",
        "graph { a; b;\nc -- a [delay_cycles=-1] }",
        "f.dot:2",
        "delay_cycles is `-1`",
    );
    refused(
        "f.dot",
        "graph { h [type=host]; g [type=host]\n h -- g }",
        "f.dot:2",
        "a cable between hosts",
    );
    refused("f.dot", "graph {\n h [type=host]; s }", "f.dot:2", "on no switch");
    refused("f.dot", "graph { ? }", "f.dot:1", "no part of the DOT language");
    refused("f.dot", "graph {}", "f.dot", "no switch");
    refused(
        "f.graphml",
        "<graphml><graph>\n<node/></graph></graphml>",
        "f.graphml:2",
        "without `id`",
    );
    refused("f.graphml", "<graphml>\n<graph></graphml>", "f.graphml:2", "not XML");
    refused("f.graphml", "<xml/>", "f.graphml:1", "`graphml` was expected");
    let edge = "<graphml><graph><node id='a'/>\n<edge source='a' target='b'/></graph></graphml>";
    refused("f.graphml", edge, "f.graphml:2", "no node `b`");
    refused("f.graphml", &"<a>".repeat(100), "f.graphml:1", "nested too deep");
    refused("f.topo", "Switch \"S-1\"", "f.topo:1", "number of ports");
    refused("f.topo", "[1] \"S-1\"[2]", "f.topo:1", "before any");
    refused("f.topo", "Switch 4 \"S-1\"\n[5] \"H-1\"[1]", "f.topo:2", "port 5 of a node with 4");
    refused("f.topo", "Switch 4 \"S-1\"\n[1] \"S-2\"[1]", "f.topo:2", "`S-2` is not described");
    refused(
        "f.topo",
        "Switch 4 \"S-1\"\n[1] \"S-2\"[1]\nSwitch 4 \"S-2\"\n[1] \"S-1\"[3]",
        "f.topo:2",
        "leads elsewhere",
    );
    refused("f.topo", "Ca 1 \"H-1\"\n[1] \"S-2\"[1]", "f.topo:2", "no switch of this file");
    refused("f.topo", "nothing here", "f.topo", "no `Switch`");
    refused("f.json", "{\n \"switches\": [,] }", "f.json:2:15", "not JSON");
    refused(
        "f.json",
        "{ \"switches\": [{\"prts\": 3}] }",
        "f.json: network.switches.0.prts",
        "unknown field",
    );
}

#[test]
fn networks_that_the_editor_can_complete_open_with_a_note() {
    let read = import("f.any", "router 0 node 0\nrouter 1 node 1\n", &Options::default()).unwrap();
    assert_noted(&read, "2 unconnected parts");
    let read = import("f.dot", "graph { a -- b }", &Options { hosts_per_switch: 0 }).unwrap();
    assert_noted(&read, "0 hosts");
}

#[test]
fn anynet_as_booksim_reads_it() {
    let text = "router 0 node 0 router 1 15\n\nrouter 1 router 0 15 node 1 3\nnode 2 router 1\nrouter 2 router 1\n";
    let read = import("n.any", text, &Options::default()).unwrap();
    let network = read.network.build().unwrap();
    assert_eq!((network.switches().len(), network.hosts().len(), network.links().len()), (3, 3, 2));
    assert_eq!(network.hosts()[2].switch.0, 1);
    assert_eq!(network.links()[0].delay_cycles, Some(15));
    assert_eq!(network.links()[1].delay_cycles, None);
    assert_noted(&read, "latency of their own");
}

#[test]
fn dot_with_all_its_grammar() {
    let text = r#"
        # a comment line
        strict digraph "two" + "parts" { // comment
            graph [rankdir=LR]; node [type=switch, ports=6]; rankdir = TB
            a:p1:n -> { b c } -> subgraph cluster_d { d; e [ports=8] } [delay_cycles=3]
            b -> a; /* the way back */ b -> a
            node [type="host"] h1; h2 [label=<<b>bold</b>>]
            h1 -> a; a -> h1; h2 -> "e";
        }"#;
    let network = import("t.gv", text, &Options::default()).unwrap().network.build().unwrap();
    assert_eq!((network.switches().len(), network.hosts().len(), network.links().len()), (5, 2, 6));
    let ports: Vec<u16> = network.switches().iter().map(|s| s.ports).collect();
    assert_eq!(ports, [6, 6, 6, 6, 8]);
    assert_eq!(network.hosts()[1].name, "h2");
    assert!(network.links().iter().filter(|l| l.delay_cycles == Some(3)).count() >= 4);
}

#[test]
fn impossible_ports_are_replaced() {
    let text =
        "graph { a -- b [src_port=1, dst_port=1]; a -- c [src_port=1, dst_port=900]; b -- c }";
    let read = import("t.dot", text, &Options::default()).unwrap();
    assert_noted(&read, "new ones were given");
    read.network.build().unwrap();
    let many: String = (0..200).map(|i| format!("hub -- leaf{i};\n")).collect();
    refused("t.dot", &format!("graph {{\n{many}}}"), "t.dot:2", "`hub` needs 201 ports");
}

/// An element with 100 000 attributes.
fn many_xml_attributes() -> String {
    let attributes: String = (0..100_000).map(|i| format!(" a{i}=''")).collect();
    format!("<graphml><graph{attributes}/></graphml>")
}

/// 10 000 namespaces and 70 000 elements with a prefix.
fn many_xml_namespaces() -> String {
    let namespaces: String = (0..10_000).map(|i| format!(" xmlns:n{i}='u{i}'")).collect();
    format!("<graphml{namespaces}>{}</graphml>", "<n9999:a/>".repeat(70_000))
}

/// 20 000 keys with a default and 20 000 nodes.
fn many_graphml_keys() -> String {
    let key = |i| format!("<key id='k{i}' for='node'><default>1</default></key>");
    let keys: String = (0..20_000).map(key).collect();
    let nodes: String = (0..20_000).map(|i| format!("<node id='{i}'/>")).collect();
    format!("<graphml>{keys}<graph>{nodes}</graph></graphml>")
}

#[test]
fn xml_elements_have_limits() {
    refused("f.graphml", &many_xml_attributes(), "f.graphml:1", "100000 attributes");
    refused("f.graphml", &many_xml_namespaces(), "f.graphml:1", "10000 attributes");
    let nested: String = (0..60).map(|i| format!("<a xmlns:p{i}='u' xmlns:q{i}='u'>\n")).collect();
    refused("f.graphml", &nested, "f.graphml:33", "namespaces");
    // Declaring the namespaces of a file on every node is usual.
    let nodes: String =
        (0..300).map(|i| format!("<node id='{i}' xmlns:y='u' xmlns:z='v'/>")).collect();
    let text = format!("<graphml xmlns='u'><graph>{nodes}</graph></graphml>");
    assert_eq!(
        import("f.graphml", &text, &Options::default()).unwrap().network.switches.len(),
        300
    );
}

#[test]
fn a_latency_in_one_direction_only_is_noted() {
    // BookSim gives the other direction a latency of 1.
    let text = "router 0 node 0 router 1 15\nrouter 1 node 1\n";
    let read = import("n.any", text, &Options::default()).unwrap();
    assert_eq!(read.network.build().unwrap().links()[0].delay_cycles, Some(15));
    assert_noted(&read, "1 cables have a latency in one direction only");
    for text in
        ["router 0 node 0 router 1 15\nrouter 1 node 1 router 0 15\n", "router 0 router 1 1\n"]
    {
        let read = import("n.any", text, &Options::default()).unwrap();
        assert!(!is_noted(&read, "one direction only"), "{:?}", read.notes);
    }
}

#[test]
fn lines_may_end_as_on_any_system() {
    for format in written_formats() {
        let (text, _) = export(format, &rich()).unwrap();
        let network = import_as(format, "x", &text, &Options::default()).unwrap().network;
        for line_break in ["\r\n", "\r"] {
            let text = text.replace('\n', line_break);
            assert_eq!(Format::by_content(&text), Some(format), "{line_break:?}");
            let read = import_as(format, "x", &text, &Options::default());
            assert_eq!(read.map(|read| read.network), Ok(network.clone()), "{format:?}");
        }
    }
    refused("f.any", "router 0 router 1\rswitch 2\r", "f.any:2", "`switch`");
}

#[test]
fn changed_names_are_noted() {
    let long = "x".repeat(MAX_NAME_BYTES);
    let names = [
        " outer ",
        "\t",
        " ",
        "a\\\"b",
        "say \"a\\b\"",
        "a\\",
        "two\nlines",
        "\u{1b}[1m",
        "\u{ffff}",
        &long,
    ];
    for format in [Format::Dot, Format::Graphml, Format::Ibnetdiscover] {
        for name in names {
            let mut network = rich();
            network.switches[2].name = name.into();
            network.hosts[1].name = format!("{}.", &name[..name.len().min(MAX_NAME_BYTES - 1)]);
            let (text, notes) = export(format, &network).unwrap();
            let read = import_as(format, "x", &text, &Options::default()).unwrap();
            let of = |network: &DrawnNetwork| {
                let network = network.build().unwrap();
                let switches: Vec<String> =
                    network.switches().iter().map(|switch| switch.name.clone()).collect();
                let hosts: Vec<String> =
                    network.hosts().iter().map(|host| host.name.clone()).collect();
                (switches, hosts)
            };
            let (before, after) = (of(&network), of(&read.network));
            let pairs = before.0.iter().zip(&after.0).chain(before.1.iter().zip(&after.1));
            let changed = pairs.filter(|(before, after)| before != after).count();
            let noted = notes
                .iter()
                .any(|note| note.to_string().starts_with(&format!("{changed} names were changed")));
            assert_eq!(noted, changed > 0, "{format:?} {name:?}: {notes:?} {before:?} {after:?}");
        }
    }
    // DOT has no name for a host that is also the name of a switch.
    let (_, notes) = export(Format::Dot, &rich()).unwrap();
    assert!(notes[0].to_string().starts_with("1 names were changed"), "{notes:?}");
}

#[test]
fn names_changed_on_reading_are_noted() {
    let long = "x".repeat(MAX_NAME_BYTES + 1);
    for text in [
        format!("graph {{ \"{long}\" -- b }}"),
        "graph { \"a\tb\" -- b }".to_string(),
        format!("graph {{ \"{long}1\" -- \"{long}2\" }}"),
    ] {
        let read = import("f.dot", &text, &Options::default()).unwrap();
        assert_noted(&read, "were changed");
        read.network.build().unwrap();
    }
    // Each cable of a host becomes a host with a name of its own.
    let text = format!("graph {{ \"{long}\" [type=host]; a -- b; \"{long}\" -- {{ a b }} }}");
    let read = import("f.dot", &text, &Options::default()).unwrap();
    assert_eq!(read.network.build().unwrap().hosts().len(), 2);
}

#[test]
fn gml_is_refused_as_such() {
    let text = "Creator \"yEd\"\ngraph\n[\n  node [ id 0 ]\n  node [ id 1 ]\n  edge [ source 0 target 1 ]\n]\n";
    for (name, text) in [("f.gml", text), ("f.dot", text), ("f", "graph [ directed 0 ]")] {
        refused(name, text, name, "GML");
    }
    // `graph [` also begins a statement of DOT.
    import("f.dot", "graph\n{\ngraph [rankdir=LR]; a -- b }", &Options::default()).unwrap();
}

#[test]
fn a_megabyte_of_nonsense_is_refused_within_a_second() {
    let mut random = crate::random::stream(1, "nonsense", 0);
    let noise: String = (0..1 << 20).map(|_| char::from(32 + random.random_range(0..95))).collect();
    let texts = [
        noise,
        "{".repeat(1 << 20),
        "graph { ".repeat(1 << 17),
        format!("graph {{ {} }}", "a -- ".repeat(200_000)),
        format!("graph {{ {} }}", "{ a; ".repeat(200_000)),
        format!("digraph {{ {} }}", "a -> b [src_port=1]; b -> a [src_port=2]; ".repeat(20_000)),
        format!(
            "graph {{ {{ {0} }} -- {{ {0} }} }}",
            (0..20_000).map(|i| format!("n{i} ")).collect::<String>()
        ),
        "router 0 node 1 ".repeat(1 << 16),
        (0..60_000).map(|i| format!("router {i} router 0\n")).collect(),
        "<a>".repeat(1 << 18),
        "<!--".repeat(1 << 18),
        format!("<graphml><graph>{}</graph></graphml>", "<node id='a'/>".repeat(1 << 16)),
        "Switch 36 \"S-1\"\n[1] \"S-1\"[1]\n".repeat(1 << 15),
        format!("Switch 36 \"S-1\"\n{}", "[1] \"S-1\"[1]\n".repeat(1 << 15)),
        (0..30_000).map(|i| format!("Switch 36 \"S-{i}\" # \"same\"\n")).collect(),
        "\n".repeat(1 << 20),
        many_xml_attributes(),
        many_xml_namespaces(),
        many_graphml_keys(),
    ];
    for text in &texts {
        for format in read_formats() {
            let start = Instant::now();
            let read = import_as(format, "x", text, &Options::default());
            let limit = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });
            assert!(
                start.elapsed() < limit,
                "{format:?} took {:?} for {:?}",
                start.elapsed(),
                &text[..40]
            );
            if let Err(problems) = read {
                assert!(problems.0.len() <= MAX_PROBLEMS + 1);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn damaged_files_never_panic_and_never_half_load(
        format in prop::sample::select(read_formats()),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..20, "[ -~\n]{0,6}"), 1..4),
    ) {
        let text = match format {
            Format::Htsim => FAT_TREE.to_owned(),
            Format::Hpcc => SERVERS.to_owned(),
            _ => export(format, &rich()).unwrap().0,
        };
        let mut text: Vec<char> = text.chars().collect();
        for (at, cut, with) in cuts {
            let at = at.index(text.len());
            let end = (at + cut).min(text.len());
            text.splice(at..end, with.chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok(read) = import_as(format, "x", &text, &Options::default()) {
            // The network can be run, or a note says why not.
            prop_assert!(read.network.build().is_ok() || is_noted(&read, "cannot be run"));
        }
    }

    #[test]
    fn garbage_never_panics(text in "\\PC{0,200}", format in prop::sample::select(read_formats())) {
        let _ = import_as(format, "x", &text, &Options::default());
        let _ = import("x", &text, &Options::default());
    }
}

/// A file of `samples/`.
fn sample(name: &str) -> Imported {
    let path = format!("{}/src/scenario/formats/samples/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    import(name, &text, &Options::default()).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Numbers of switches, hosts and cables.
fn size(read: &Imported) -> (usize, usize, usize) {
    let built = read.network.build().unwrap();
    (built.switches().len(), built.hosts().len(), built.links().len())
}

#[test]
fn files_of_booksim_open() {
    for n in [16, 64] {
        let read = sample(&format!("irregular-{n}.any"));
        assert_eq!(size(&read), (n, 4 * n, 2 * n));
    }
}

#[test]
fn files_in_the_style_of_the_topology_zoo_open() {
    let read = sample("research-network.graphml");
    assert_eq!(size(&read), (8, 8, 10));
    let valencia = read.network.switches.iter().find(|s| s.name == "Valencia").unwrap();
    assert!(valencia.x.is_some() && valencia.y.is_some());
    // `type` may say that a vertex is a node, which does not make it a host.
    let read = sample("research-network-with-types.graphml");
    assert_eq!(size(&read), (5, 5, 5));
    assert!(!read.own_hosts);
}

#[test]
fn files_of_ibnetdiscover_open() {
    // Two cables join the switches; one adapter has both of its ports cabled.
    let read = sample("two-switches.topo");
    assert_eq!(size(&read), (2, 5, 2));
    assert_eq!(read.network.switches[0].ports, 24);
    assert_noted(&read, "link speeds differ");
    let read = sample("switch-cabled-to-itself.topo");
    assert_eq!(size(&read), (2, 2, 1));
    assert_noted(&read, "back to itself");
    assert_noted(&read, "the first is line 1");
    let host = read.network.hosts.iter().find(|host| host.name == "lab-1 HCA-2").unwrap();
    assert_eq!(host.port, Some(33));
}

#[test]
fn directed_graphs_of_networkx_open() {
    assert_eq!(size(&sample("random-regular.dot")), (6, 12, 9));
}

#[test]
fn every_cable_of_a_dump_is_at_both_ends() {
    let network =
        generated(serde_json::json!({ "kind": "ring", "switches": 3, "hosts_per_switch": 1 }));
    let (text, _) = export(Format::Ibnetdiscover, &network).unwrap();
    let built = network.build().unwrap();
    let switches = built.channels().iter().filter(|c| matches!(c.from, End::Switch(..))).count();
    assert_eq!(text.lines().filter(|l| l.starts_with('[')).count(), switches + built.hosts().len());
}

const FAT_TREE: &str = include_str!("samples/two-pods.topo");

#[test]
fn fat_trees_of_htsim_open() {
    let read = import("f.topo", FAT_TREE, &Options::default()).unwrap();
    assert_eq!(read.format, Format::Htsim);
    // Per pod 2 switches of tier 0 and 2 of tier 1; 4 core switches.
    assert_eq!(size(&read), (12, 16, 4 * 4 + 4 * 4));
    let wrong = FAT_TREE.replace("Nodes 16", "Nodes 15");
    refused("f.topo", &wrong, "f.topo:2", "no multiple of `Podsize`");
    refused("f.topo", &FAT_TREE.replace("Tiers 3", "Tiers 4"), "f.topo:3", "Tiers is `4`");
    refused("f.topo", "Nodes 4\nColour 3\n", "f.topo:2", "`Colour`");
    refused("f.topo", "Nodes 4\nNodes 4\n", "f.topo:2", "line 1");
    refused("f.topo", "Nodes 4\nRadix_Up 4\n", "f.topo:2", "before any `Tier`");
}

/// Two servers of two GPUs with an NVSwitch each, and one switch.
const SERVERS: &str = include_str!("samples/servers.simai");

#[test]
fn files_of_hpcc_and_simai_open() {
    let text =
        "5 2 4\n3 4\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 4 100Gbps 1us 0\n3 4 400Gbps 1us 0\n";
    let read = import("topology", text, &Options::default()).unwrap();
    assert_eq!(read.format, Format::Hpcc);
    assert_eq!(size(&read), (2, 3, 1));
    let read = import("topology", SERVERS, &Options::default()).unwrap();
    assert_eq!(size(&read), (1, 4, 0));
    assert_noted(&read, "2 NVSwitches within servers and their 4 links");
    refused("t.hpcc", "5 2\n", "t.hpcc:1", "the first line");
    refused("t.hpcc", "3 1 2\n2\n0 2 1 1 0\n9 2 1 1 0\n", "t.hpcc:4", "`9`");
    refused("t.hpcc", "3 1 2\n2\n0 2 1 1 0\n1 2\n", "t.hpcc:4", "does not describe a link");
    refused("t.hpcc", "3 1 2\n2\n0 2 1 1 0\n", "t.hpcc:1", "has 1 links");
    refused("t.hpcc", "3 2 2\n2 2\n", "t.hpcc:2", "listed twice");
}

/// `cargo xtask fuzz` begins with the samples, so each format that is read needs one of its own.
#[test]
fn every_sample_opens_and_every_format_has_one() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/scenario/formats/samples");
    let mut formats = vec![Format::Json];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let read = import(&name, &text, &Options::default());
        formats.push(read.unwrap_or_else(|problems| panic!("{name}: {problems}")).format);
    }
    for format in read_formats() {
        assert!(formats.contains(&format), "{format:?} has no sample");
    }
}

#[test]
fn formats_without_a_writer_say_so() {
    for format in [Format::Htsim, Format::Hpcc] {
        let problems = export(format, &rich()).unwrap_err();
        assert!(problems.to_string().contains("not written"), "{problems}");
    }
}
