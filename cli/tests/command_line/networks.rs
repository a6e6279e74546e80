//! `routes`, `generate`, `list`, `convert` and `dtable`.

use super::*;

#[test]
fn routes_dump_and_run_with_them() {
    let path = scenario("routes.json", SMALL);
    let report: Value =
        serde_json::from_str(done(&hopscope(&["routes", &path, "--json"]))).unwrap();
    assert_eq!(report["acyclic"], true);
    assert!(done(&hopscope(&["routes", &path])).contains("none can arise"));
    let output = hopscope(&["routes", &path, "--dump"]);
    let dump = done(&output);
    assert_eq!(dump.lines().count(), 56);
    assert!(dump.starts_with("route 0 1 : 0 "), "{dump}");
    let dump = file("dump.txt", dump);
    let fingerprint = |words: &[&str]| {
        let report: Value = serde_json::from_str(done(&hopscope(words))).unwrap();
        report["fingerprint"].clone()
    };
    let given = ["run", &path, "--json", "--routes", dump.to_str().unwrap()];
    assert_eq!(fingerprint(&given), fingerprint(&given[..3]));
    let wrong = file("wrong-dump.txt", "route 0 99 : 0 99\n");
    let output = hopscope(&["run", &path, "--routes", wrong.to_str().unwrap()]);
    assert!(problems(&output).contains("wrong-dump.txt:1: there are 8 switches, not 99"));
}

#[test]
fn routes_account_for_lanes_that_packets_change() {
    let torus = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/torus-datelines.json");
    assert!(done(&hopscope(&["routes", torus])).contains("none can arise: packets change lanes"));
    let report: Value =
        serde_json::from_str(done(&hopscope(&["routes", torus, "--json"]))).unwrap();
    assert_eq!((&report["acyclic"], &report["lanes_avoid_cycles"]), (&false.into(), &true.into()));
    let spread = hopscope(&["routes", torus, "--set", "fabric.qos.channel_rule=spread"]);
    assert!(!done(&spread).contains("none can arise"));
}

#[test]
fn routes_are_found_without_failed_links_and_switches() {
    let path = scenario("failures.json", SMALL);
    let report = |words: &[&str]| -> Value {
        let output = hopscope(&[&["routes", path.as_str(), "--json"], words].concat());
        serde_json::from_str(done(&output)).unwrap()
    };
    assert_eq!(report(&[])["changes"], Value::Null);
    let without_link = report(&["--failed-link", "0"]);
    assert_eq!(
        (&without_link["pairs"], &without_link["changes"]["pairs"]),
        (&56.into(), &56.into())
    );
    assert!(!without_link["changes"]["moved"].as_array().unwrap().is_empty());
    let without_switch = report(&["--failed-switch", "3"]);
    assert_eq!(without_switch["pairs"], 42);
    assert_eq!(without_switch["changes"]["gone"].as_array().unwrap().len(), 14);
    let output = hopscope(&["routes", &path, "--failed-link", "99"]);
    assert!(problems(&output).contains("there is no link 99"));
}

#[test]
fn generate_knows_every_kind() {
    let list: Value =
        serde_json::from_str(done(&hopscope(&["list", "topologies", "--json"]))).unwrap();
    for member in list[0]["members"].as_array().unwrap() {
        let kind = member["id"].as_str().unwrap();
        let output = hopscope(&["generate", kind]);
        let document: Value = serde_json::from_str(done(&output)).unwrap();
        assert!(document["network"]["switches"].is_array(), "{kind}");
        assert!(done(&hopscope(&["generate", kind, "--help"])).contains("--parameters"));
        let output = hopscope(&["generate", kind, "--parameters"]);
        let document: Value = serde_json::from_str(done(&output)).unwrap();
        assert_eq!(document["network"]["generate"]["kind"], kind);
    }
    let output = hopscope(&["generate", "torus", "--sides", "4x4", "--hosts_per_switch=2"]);
    assert_eq!(
        serde_json::from_str::<Value>(done(&output)).unwrap()["network"]["hosts"]
            .as_array()
            .unwrap()
            .len(),
        32
    );
}

#[test]
fn list_names_all_families() {
    let output = hopscope(&["list"]);
    for family in ["topologies:", "patterns:", "sizes:", "arrivals:", "schedulers:"] {
        assert!(done(&output).contains(family), "{family}");
    }
    // File formats are no part of a scenario.
    assert!(done(&output).contains("(scenario: network.generate)"), "{output:?}");
    assert!(!done(&output).contains("(scenario: )"), "{output:?}");
}

#[test]
fn list_names_the_queue_schemes() {
    let output = hopscope(&["list", "queue-schemes"]);
    for words in ["(scenario: fabric.switch.queues)", "  none ", "  voq-switch ", "  voq-network "]
    {
        assert!(done(&output).contains(words), "{words}: {output:?}");
    }
}

#[test]
fn list_names_the_fabrics_with_their_parameters() {
    let output = hopscope(&["list", "fabrics"]);
    for words in ["fabrics: ", "  wormhole ", "  cut-through ", "buffer_flits ", "credit_bytes "] {
        assert!(done(&output).contains(words), "{words}: {output:?}");
    }
    let list: Value =
        serde_json::from_str(done(&hopscope(&["list", "fabrics", "--json"]))).unwrap();
    let cycle = &list[0]["members"][0]["parameters"][0];
    assert_eq!([&cycle["name"], &cycle["group"]], ["Cycle", "Times"]);
}

#[test]
fn hosts_per_switch_has_the_bounds_of_its_descriptor() {
    let path = file("no-hosts.dot", "graph { a -- b }");
    let path = path.to_str().unwrap();
    let list: Value =
        serde_json::from_str(done(&hopscope(&["list", "formats", "--json"]))).unwrap();
    let formats = list[0]["members"].as_array().unwrap();
    let parameters = formats.iter().flat_map(|format| format["parameters"].as_array().unwrap());
    let kind = parameters.map(|parameter| &parameter["kind"]).next().unwrap();
    let convert = |hosts: u64| {
        let hosts = hosts.to_string();
        hopscope(&["convert", path, "-", "--to", "dot", "--hosts-per-switch", &hosts])
    };
    done(&convert(kind["min"].as_u64().unwrap() + 1));
    done(&convert(kind["max"].as_u64().unwrap()));
    problems(&convert(kind["max"].as_u64().unwrap() + 1));
}

#[test]
fn convert_goes_there_and_back() {
    let path = scenario("convert.json", SMALL);
    let folder = env!("CARGO_TARGET_TMPDIR");
    let links = |file: &str| {
        let document: Value =
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        document["network"]["links"].as_array().unwrap().len()
    };
    for extension in ["any", "dot", "graphml", "topo"] {
        let (there, back) =
            (format!("{folder}/c.{extension}"), format!("{folder}/c-{extension}.json"));
        done(&hopscope(&["convert", &path, &there]));
        done(&hopscope(&["convert", &there, &back]));
        assert_eq!(links(&back), links(&path), "{extension}");
        done(&hopscope(&[
            "run",
            &back,
            "--set",
            "measure.messages=100",
            "--set",
            "measure.warmup_messages=0",
        ]));
    }
    let table = hopscope(&["convert", &path, "-", "--to", "csv"]);
    assert!(done(&table).starts_with("kind,a,a_port,b,b_port,delay_cycles"));
    assert!(problems(&hopscope(&["convert", &path, "out"])).contains("say --to"));
    let wrong = file("wrong.any", "router 0 router x\n");
    assert!(
        problems(&hopscope(&["convert", wrong.to_str().unwrap(), "-", "--to", "json"]))
            .contains("wrong.any:1: ")
    );
}

#[test]
fn a_deficit_table_is_made_or_refused_with_a_reason() {
    // The five levels of the Omni-Path study.
    let levels = ["10:2:2", "30:4:4", "50:8:8", "5:16:16", "5:16:16"];
    let made = hopscope(&[&["dtable", "--json"], &levels[..]].concat());
    let made: Value = serde_json::from_str(done(&made)).unwrap();
    let totals: Vec<u64> =
        made["levels"].as_array().unwrap().iter().map(|l| l["total"].as_u64().unwrap()).collect();
    assert_eq!(totals, [416, 1248, 2080, 208, 208]);
    assert_eq!(made["scheduler"]["entries"].as_array().unwrap().len(), 128);
    assert!(text(&hopscope(&[&["dtable"], &levels[..]].concat())).contains("50.00 %"));
    // Two levels cannot both have every other entry and a third every fourth.
    let refused = hopscope(&["dtable", "40:2:2", "40:2:2", "20:4:2"]);
    assert!(problems(&refused).contains("dtable"));
    assert!(problems(&hopscope(&["dtable", "40:2"])).contains("SHARE:DISTANCE:MTU"));
}

/// Four hosts to one over links of 2 Gb/s, half of which may be reserved.
const CONNECTIONS: &str = r#"{ "hopscope": 1,
    "network": { "generate": { "kind": "single", "hosts": 4 } }, "routing": { "preset": "UD" },
    "fabric": { "kind": "cut-through", "cycle_ps": 32000,
        "qos": { "admission": { "levels": [0], "share_percent": 50 } } },
    "traffic": [{ "name": "voice", "load": 0.4, "size": { "kind": "fixed", "bytes": 128 },
        "pattern": { "kind": "pairs", "pairs": [[0, 3], [1, 3], [2, 3]] },
        "arrival": { "kind": "cbr", "rate_kbps": 100000 } }] }"#;

#[test]
fn admit_names_the_link_that_refuses() {
    let path = file("connections.json", CONNECTIONS);
    let path = path.to_str().unwrap();
    let output = hopscope(&["admit", path]);
    let text = done(&output);
    assert!(text.contains("voice"), "{text}");
    assert!(text.contains("voice: 14 refused by switch 0 -> host 3"), "{text}");
    assert!(text.contains(" 50.00 %  switch 0 -> host 3"), "{text}");
    let output = hopscope(&["admit", path, "--fill", "--json"]);
    let filled: Value = serde_json::from_str(done(&output)).unwrap();
    assert_eq!(filled["link_bits_per_second"], 2_000_000_000_u64);
    assert_eq!(filled["flows"][0]["admitted"], 10);
    assert_eq!(filled["flows"][0]["refused_by"][0]["to"], "host 3");
    assert_eq!(filled["links"][0]["share"], 0.5);
    let two = r#"fabric.qos.levels=[{"channels":[0]},{"channels":[1]}]"#;
    let lanes = "fabric.qos.lanes=[0,1]";
    let output =
        hopscope(&["admit", path, "--set", two, "--set", lanes, "--set", "traffic.0.level=1"]);
    let told = done(&output);
    assert!(told.starts_with("no flow is on a level under admission control: 0\n"), "{told}");
    let output = hopscope(&["admit", path, "--set", "routing.selection.kind=random"]);
    assert!(problems(&output).contains("several routes"), "{output:?}");
    let plain = scenario("no-admission.json", SMALL);
    assert!(problems(&hopscope(&["admit", &plain])).contains("use the fabric `cut-through`"));
    for none in ["fabric.qos={}", "fabric.qos.admission.levels=[]"] {
        let output = hopscope(&["admit", path, "--set", none]);
        assert!(problems(&output).contains("no admission control"), "{output:?}");
    }
}

#[test]
fn run_tells_of_refused_connections_and_of_the_link_that_refuses() {
    let path = file("connections-run.json", CONNECTIONS);
    let run = |more: &[&str]| {
        let few = ["--set", "measure.warmup_messages=0", "--set", "measure.messages=300"];
        let words = [&["run", path.to_str().unwrap()], &few[..], more].concat();
        done(&hopscope(&words)).to_owned()
    };
    let told = run(&[]);
    let line = told.lines().find(|line| line.starts_with("admission")).expect("admission");
    assert!(line.ends_with(" 24 connections asked, 10 admitted, 14 refused"), "{line}");
    let found: Value = serde_json::from_str(&run(&["--json"])).unwrap();
    let counts = serde_json::json!({ "asked": 24, "admitted": 10, "refused": 14 });
    assert_eq!(found["admission"], counts);
    let by = &found["refused_by"][0];
    assert_eq!(by["connections"], 14, "{by}");
    assert_eq!([&by["from"], &by["to"]], ["switch 0", "host 3"], "{by}");
    let free = run(&["--set", "fabric.qos={}"]);
    assert!(!free.contains("admission"), "{free}");
}

#[test]
fn admit_refuses_the_routes_that_run_refuses() {
    let long = ["mesh", "--sides", "12,12", "--hosts-per-switch", "1", "--ports", "8"];
    let long = scenario("admit-long.json", &long);
    let fabric = r#"fabric={"kind":"cut-through","switch":{"kind":"combined-queues"},
        "qos":{"admission":{"levels":[0],"share_percent":50}}}"#;
    let traffic = r#"traffic=[{"load":0.01,"arrival":{"kind":"cbr","rate_kbps":100000}}]"#;
    let on = |command| hopscope(&[command, &long, "--set", fabric, "--set", traffic]);
    let [admit, run] = ["admit", "run"].map(on);
    assert!(problems(&admit).contains("a turn pool has 31"), "{admit:?}");
    assert!(problems(&run).ends_with(&problems(&admit)), "{run:?}");
}

#[test]
fn routes_prints_turn_pools_and_refuses_routes_that_exceed_them() {
    let ring = scenario("turns.json", &["ring", "--switches", "4", "--hosts-per-switch", "1"]);
    let output = hopscope(&["routes", &ring, "--turns"]);
    let lines: Vec<&str> = done(&output).lines().collect();
    assert_eq!(lines.iter().filter(|line| line.starts_with("turns 0 1 : ")).count(), 1);
    assert!(lines.iter().all(|line| line.split(" : ").nth(1).is_some_and(|l| l.contains('/'))));
    // From host 0 a turn at switch 0, and one at switch 1, in the last bits of four bytes.
    let line = lines.iter().find(|line| line.starts_with("turns 0 1 : 0:")).expect("a turn");
    let (turns, bytes) = line["turns 0 1 : ".len()..].split_once(" = ").expect("bytes");
    let mut pool = 0_u32;
    for turn in turns.split(' ') {
        let (value, bits) = turn.split_once(':').unwrap().1.split_once('/').unwrap();
        pool = pool << bits.parse::<u32>().unwrap() | value.parse::<u32>().unwrap();
    }
    assert_eq!(bytes.replace(' ', ""), format!("{pool:08x}"), "{line}");
    let long = scenario("long.json", &["mesh", "--sides", "20", "--hosts-per-switch", "1"]);
    let refused = hopscope(&["routes", &long, "--turns"]);
    assert!(problems(&refused).contains("a turn pool has 31"), "{refused:?}");
    // A fabric with turn pools can have wider ones.
    let fabric = r#"fabric={"kind":"cut-through","switch":{"kind":"combined-queues"}}"#;
    let refused = hopscope(&["routes", &long, "--turns", "--set", fabric]);
    let told = problems(&refused);
    let (_, bits) = told.split_once("set fabric.switch.turn_pool_bits to ").expect(told);
    let bits: String = bits.chars().take_while(char::is_ascii_digit).collect();
    let wider = format!("fabric.switch.turn_pool_bits={bits}");
    let words = ["routes", &long, "--turns", "--set", fabric, "--set", &wider];
    done(&hopscope(&words));
}

#[test]
fn routes_that_are_all_minimal_have_no_note_of_longer_ones() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/seven-classes-80.json");
    let output = hopscope(&["routes", path]);
    let told = done(&output);
    assert!(told.starts_with("preset                       minimal\n"), "{told}");
    assert!(told.contains("100.0 %") && !told.contains("longer than minimal"), "{told}");
}

#[test]
fn cost_prints_the_published_table() {
    let network = scenario("cost.json", &["irregular", "--switches", "32", "--seed", "1"]);
    let output = hopscope(&["cost", &network, "--classes", "8"]);
    let table = done(&output);
    assert!(table.contains("s = 8 ports") && table.contains("n = 128 hosts"), "{table}");
    for (name, numbers) in [
        ("VOQsw + VCs", ["64", "128", "15.00"]),
        ("VOQnet + VCs", ["1024", "2048", "240.00"]),
        ("RECN + QoS", ["16", "32", "3.75"]),
    ] {
        let row = table.lines().find(|line| line.starts_with(name)).expect(name);
        let columns: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(columns[columns.len() - 3..], numbers, "{row}");
    }
    let output = hopscope(&["cost", &network, "--saqs", "20", "--json"]);
    let found: Value = serde_json::from_str(done(&output)).unwrap();
    // A wormhole fabric has no service levels: one class.
    assert_eq!(found["size"]["classes"], 1);
    assert_eq!(found["organisations"][8]["queues"], 28);
    assert_eq!(found["organisations"].as_array().unwrap().len(), 9);
    assert_eq!(hopscope(&["cost", &network, "--saqs", "65"]).status.code(), Some(2));

    // A scenario with RECN says how many set-aside queues it has.
    let recn = [
        "fabric.kind=cut-through",
        "fabric.switch.kind=combined-queues",
        "fabric.switch.congestion.kind=recn",
        "fabric.switch.congestion.saqs=12",
    ];
    let changes = recn.iter().flat_map(|change| ["--set", change]);
    let arguments: Vec<&str> = ["cost", &network, "--json"].into_iter().chain(changes).collect();
    let output = hopscope(&arguments);
    let found: Value = serde_json::from_str(done(&output)).unwrap();
    assert_eq!(found["size"]["saqs"], 12);
}
