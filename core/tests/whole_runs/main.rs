//! Whole simulations against the flit-by-flit references, to the cycle: every routing, every member
//! of every axis and every path selection, on both fabrics.
//!
//! `HOPSCOPE_FIRST` sets the first seed, `HOPSCOPE_CASES` the number of runs of each member.

#[path = "../cut_through_reference/mod.rs"]
mod cut_through_reference;
#[path = "../reference/mod.rs"]
mod reference;
mod selection;

use cut_through_reference::routes::Routes;
use hopscope_core::engine::random::{Pcg64Mcg, stream};
use hopscope_core::fabric::{packet, wormhole};
use hopscope_core::families;
use hopscope_core::network::{HostId, Network};
use hopscope_core::observe::{EventKind, Snapshot, Watch, What};
use hopscope_core::routing::{self, RouteTable, Step};
use hopscope_core::scenario::{
    ChannelRule, CutThroughSpec, FabricSpec, LoadUnit, Scenario, Selection, WormholeSpec,
};
use hopscope_core::simulation::Simulation;
use hopscope_core::traffic::{Draw, Traffic, Units};
use rand::RngExt;
use rand::seq::IndexedRandom;
use reference::Paths;
use selection::{Choice, Message, Selector};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// All runs end here at the latest.
const LAST_CYCLE: u64 = 20_000;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Wormhole,
    CutThrough,
}

#[test]
fn wormhole_runs_equal_the_reference() {
    check_all(Kind::Wormhole);
}

#[test]
fn cut_through_runs_equal_the_reference() {
    check_all(Kind::CutThrough);
}

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

/// Every routing there is to choose: what a descriptor names, and the `routing` of scenarios with
/// it. Of an axis, the first that is accepted is compared: not every preset goes with every member.
fn choices() -> Vec<(String, Vec<Value>)> {
    let mut choices = Vec::new();
    for family in families::all() {
        let Some(field) = family.path.strip_prefix("routing.") else { continue };
        for member in &family.members {
            let word = match field {
                "selection" => json!({ "kind": member.id }),
                "root" if member.id == "switch N" => json!("switch 1"),
                _ => json!(member.id),
            };
            let routings = if field == "preset" {
                vec![json!({ "preset": word })]
            } else {
                let presets =
                    ["UD_ITB", "UD", "minimal", "UD_ITB_50", "BMIN_ITB", "dimension-order"];
                presets.map(|preset| json!({ "preset": preset, field: word })).to_vec()
            };
            choices.push((format!("{field} {}", member.id), routings));
        }
    }
    choices
}

fn check_all(kind: Kind) {
    let mut met = BTreeMap::<String, u32>::new();
    let first = environment("HOPSCOPE_FIRST", 1);
    for (name, routings) in choices() {
        // A path selection shows only where messages meet: it gets more runs.
        let runs = if name.starts_with("selection") { 5 } else { 1 };
        for seed in first..first + runs * environment("HOPSCOPE_CASES", 4) {
            let compared = routings.iter().find_map(|routing| {
                (0..50).find_map(|attempt| {
                    let mut random = stream(seed, &name, attempt);
                    Case::new(&mut random, kind, routing).map(|case| {
                        case.compare(&format!("{name}, seed {seed}, attempt {attempt}"))
                    })
                })
            });
            let what = compared.unwrap_or_else(|| panic!("{name}: every scenario is refused"));
            for what in what {
                *met.entry(what).or_default() += 1;
            }
        }
    }
    let fabric = if kind == Kind::Wormhole { "wormhole" } else { "cut-through" };
    println!("{fabric}: {met:#?}");
    let wanted = [
        "delivered",
        "stops in transit",
        "takes another route than the first",
        "deadlock",
        "blocked",
        "contention-aware",
        "when-loaded",
    ];
    let of_lanes = ["avoid-cycles", "too few service channels"];
    for what in wanted.iter().chain(if kind == Kind::CutThrough { &of_lanes[..] } else { &[] }) {
        assert!(met.contains_key(*what), "no {fabric} run met: {what}");
    }
}

/// A scenario with what is computed for it before the run.
struct Case {
    scenario: Scenario,
    network: Arc<Network>,
    routing: Arc<routing::Routing>,
    messages: Vec<(u64, Draw)>,
}

/// What happened to messages: the cycles, each with the host at which it did, in order.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    injected: Vec<(u64, u32)>,
    delivered: Vec<(u64, u32)>,
    /// Per channel, busy and blocked cycles; left out if a deadlock ended the run.
    channels: Vec<(u64, u64)>,
}

impl Case {
    /// A scenario with this routing, if it is valid.
    fn new(random: &mut Pcg64Mcg, kind: Kind, routing: &Value) -> Option<Self> {
        let (fabric, levels) = match kind {
            Kind::Wormhole => (random_wormhole(random), 1),
            Kind::CutThrough => random_cut_through(random),
        };
        let largest = one_of(random, &[30, 240]);
        let load = one_of(random, &[0.1, 0.3, 0.9]) / f64::from(levels);
        let flow = |level| {
            json!({
                "load": load, "load_unit": "flits-per-cycle-per-host", "level": level,
                "size": { "kind": "range", "min": 1, "max": largest },
                "arrival": { "kind": "poisson" }, "stop_cycle": 800,
            })
        };
        let mut routing = routing.clone();
        routing["seed"] = json!(random.random_range(1..1000));
        let scenario = json!({
            "hopscope": 1, "seed": random.random_range(1..1000), "network": random_network(random),
            "routing": routing, "fabric": fabric,
            "traffic": (0..levels).map(flow).collect::<Vec<_>>(),
            "measure": { "warmup_messages": 0, "messages": 1_000_000, "max_cycles": LAST_CYCLE },
        });
        let scenario = Scenario::parse(&scenario.to_string()).ok()?;
        let network = Arc::new(Simulation::check_scenario(&scenario).ok()?);
        let routing = Arc::new(routing::compute(&network, &scenario.routing).ok()?);
        let messages = messages(&scenario, &network);
        Some(Self { scenario, network, routing, messages })
    }

    /// Compares both simulators. Returns what the run met.
    fn compare(&self, name: &str) -> Vec<String> {
        let simulation = Simulation::with_routing(
            &self.scenario,
            Arc::clone(&self.network),
            Arc::clone(&self.routing),
        );
        let mut chooser = Chooser::new(self);
        let expected = match &self.scenario.fabric {
            FabricSpec::Wormhole(spec) => Some(self.wormhole(spec, &mut chooser)),
            FabricSpec::CutThrough(spec) => self.cut_through(spec, &mut chooser),
        };
        let mut met = vec![];
        let mut note = |what: &str, yes: bool| yes.then(|| met.push(what.to_owned()));
        let Some((mut expected, deadlock)) = expected else {
            let problems = simulation.expect_err("it has too few service channels").to_string();
            assert!(problems.contains("fabric.qos.levels"), "{name}: {problems}");
            note("too few service channels", true);
            return met;
        };
        let mut simulation = simulation.unwrap_or_else(|problems| panic!("{name}: {problems}"));
        simulation.watch_with(Some(Watch::new(1_000_000)));
        simulation.run_until(LAST_CYCLE);
        assert_eq!(simulation.deadlock().is_some(), deadlock, "{name}: deadlock");
        let mut seen = seen(&simulation);
        if deadlock {
            // The engine stops here; the reference goes on beside the deadlock.
            let end = simulation.now();
            for seen in [&mut expected, &mut seen] {
                seen.injected.retain(|event| event.0 < end);
                seen.delivered.retain(|event| event.0 < end);
                seen.channels.clear();
            }
        } else {
            assert_eq!(expected.delivered.len(), self.messages.len(), "{name}: not all delivered");
        }
        assert_eq!(seen, expected, "{name}: {}", self.scenario.to_json());
        let table = &self.routing.table;
        let rule = self.routing.report.axes.selection;
        let learns = rule.learns() && chooser.selector.others > 0;
        note("delivered", !seen.delivered.is_empty());
        note("deadlock", deadlock);
        note("blocked", seen.channels.iter().any(|c| c.1 > 0));
        note("takes another route than the first", chooser.selector.others > 0);
        note("contention-aware", learns && rule == Selection::ContentionAware);
        note("when-loaded", learns && rule != Selection::ContentionAware);
        note(
            "stops in transit",
            chooser
                .chosen
                .iter()
                .flatten()
                .any(|&(set, route)| table.sets[set].route(route).itbs() > 0),
        );
        note("avoid-cycles", self.avoids_cycles());
        met
    }

    fn wormhole(&self, spec: &WormholeSpec, chooser: &mut Chooser) -> (Seen, bool) {
        let message = |&(generated, draw): &(u64, Draw)| wormhole::trace::MessageSpec {
            generated,
            from: HostId(draw.from),
            to: HostId(draw.to),
            payload: draw.payload,
            steps: Vec::new(),
        };
        let specs: Vec<_> = self.messages.iter().map(message).collect();
        let trace = reference::run_with(&self.network, spec, &specs, LAST_CYCLE + 1, chooser).trace;
        let ends = trace.messages.iter().map(|m| (m.injected, m.delivered));
        let channels = trace.channels.iter().map(|c| (c.busy, c.blocked)).collect();
        (self.expected(ends, channels), trace.deadlock)
    }

    fn cut_through(&self, spec: &CutThroughSpec, chooser: &mut Chooser) -> Option<(Seen, bool)> {
        let message = |&(generated, draw): &(u64, Draw)| packet::trace::MessageSpec {
            generated,
            from: HostId(draw.from),
            to: HostId(draw.to),
            payload: draw.payload,
            level: draw.level,
            steps: Vec::new(),
        };
        let specs: Vec<_> = self.messages.iter().map(message).collect();
        let outcome =
            cut_through_reference::run_with(&self.network, spec, &specs, LAST_CYCLE + 1, chooser)?;
        let ends = outcome.trace.messages.iter().map(|m| (m.injected, m.delivered));
        let channels = outcome.trace.channels.iter().map(|c| (c.busy, c.blocked)).collect();
        Some((self.expected(ends, channels), outcome.trace.deadlock))
    }

    fn avoids_cycles(&self) -> bool {
        matches!(&self.scenario.fabric, FabricSpec::CutThrough(spec)
            if spec.qos.channel_rule == ChannelRule::AvoidCycles)
    }

    fn expected(
        &self,
        ends: impl Iterator<Item = (Option<u64>, Option<u64>)>,
        channels: Vec<(u64, u64)>,
    ) -> Seen {
        let mut seen = Seen { channels, ..Seen::default() };
        for ((_, draw), (injected, delivered)) in self.messages.iter().zip(ends) {
            seen.injected.extend(injected.map(|t| (t, draw.from)));
            seen.delivered.extend(delivered.map(|t| (t, draw.to)));
        }
        seen.injected.sort_unstable();
        seen.delivered.sort_unstable();
        seen
    }
}

/// What happened in a simulation.
fn seen(simulation: &Simulation) -> Seen {
    let mut seen = Seen::default();
    let watch = simulation.watcher().expect("it was given one");
    for event in watch.latest(&[EventKind::Injected, EventKind::Delivered]) {
        match event.what {
            What::Injected { host } => seen.injected.push((event.cycle, host)),
            What::Delivered { host } => seen.delivered.push((event.cycle, host)),
            _ => {}
        }
    }
    seen.injected.sort_unstable();
    seen.delivered.sort_unstable();
    let mut snapshot = Snapshot::default();
    simulation.snapshot(&mut snapshot);
    seen.channels = snapshot.channels.iter().map(|c| (c.busy_cycles, c.blocked_cycles)).collect();
    seen
}

/// The messages a scenario's traffic generates, in order.
fn messages(scenario: &Scenario, network: &Network) -> Vec<(u64, Draw)> {
    let (cycle_ps, flit_bytes) = match &scenario.fabric {
        FabricSpec::Wormhole(spec) => (spec.cycle_ps, 1),
        FabricSpec::CutThrough(spec) => (spec.cycle_ps, spec.flit_bytes),
    };
    let units = Units { cycle_ps, load_unit: LoadUnit::FlitsPerCyclePerHost, flit_bytes };
    let mut traffic = Traffic::new(&scenario.traffic, network, units, scenario.seed);
    let mut messages = Vec::new();
    for (source, first) in traffic.first_events().to_vec() {
        let mut due = Some(first);
        while let Some(cycle) = due {
            let (draw, next) = traffic.generate(source);
            messages.push((cycle, draw));
            due = next;
        }
    }
    messages.sort_by_key(|message| message.0);
    messages
}

/// Answers the references' questions for routes.
struct Chooser<'a> {
    table: &'a RouteTable,
    messages: Vec<Message>,
    selector: Selector<'a>,
    /// Per message, once it is taken.
    chosen: Vec<Option<Choice>>,
}

impl<'a> Chooser<'a> {
    fn new(case: &'a Case) -> Self {
        let message = |&(_, draw): &(u64, Draw)| Message {
            from: draw.from as usize,
            to: draw.to as usize,
            payload: draw.payload,
        };
        let rule = case.routing.report.axes.selection;
        let table = &case.routing.table;
        Self {
            table,
            messages: case.messages.iter().map(message).collect(),
            selector: Selector::new(rule, table, &case.network, case.scenario.seed),
            chosen: vec![None; case.messages.len()],
        }
    }

    fn take(&mut self, message: usize) -> Choice {
        let choice = self.selector.choose(&self.messages[message]);
        self.chosen[message] = Some(choice);
        choice
    }

    fn sent(&mut self, message: usize, first: u64, last: u64, flits: u64) {
        let taken = self.chosen[message].expect("it was taken");
        self.selector.sent(&self.messages[message], taken, (first, last), flits);
    }
}

impl Paths for Chooser<'_> {
    fn choose(&mut self, message: usize, _cycle: u64) -> Vec<Step> {
        let (set, route) = self.take(message);
        self.table.sets[set].route(route).steps.to_vec()
    }

    fn tail_sent(&mut self, message: usize, first: u64, last: u64, flits: u64) {
        self.sent(message, first, last, flits);
    }
}

impl Routes for Chooser<'_> {
    fn all(&self) -> Vec<Vec<Step>> {
        let routes = |set: &hopscope_core::routing::RouteSet| {
            (0..set.len() as u32).map(|r| set.route(r).steps.to_vec()).collect::<Vec<_>>()
        };
        self.table.sets.iter().flat_map(routes).collect()
    }

    fn choose(&mut self, message: usize) -> usize {
        let (set, route) = self.take(message);
        let before: usize = self.table.sets[..set].iter().map(|set| set.len()).sum();
        before + route as usize
    }

    fn tail_sent(&mut self, message: usize, first: u64, last: u64, flits: u64) {
        self.sent(message, first, last, flits);
    }
}

fn one_of<T: Copy>(random: &mut Pcg64Mcg, choices: &[T]) -> T {
    *choices.choose(random).expect("there are choices")
}

fn random_network(random: &mut Pcg64Mcg) -> Value {
    let hosts = random.random_range(1..=2);
    let seed = random.random_range(1..1000);
    let generate = match random.random_range(0..6) {
        0 | 1 => json!({
            "kind": "irregular", "switches": random.random_range(4..=8),
            "hosts_per_switch": hosts, "ports": 6, "seed": seed,
        }),
        2 => json!({ "kind": "torus", "sides": [3, 3], "hosts_per_switch": hosts }),
        3 => json!({ "kind": "mesh", "sides": [3, 2], "hosts_per_switch": hosts }),
        4 => json!({ "kind": "ring", "switches": 5, "hosts_per_switch": hosts }),
        _ => json!({ "kind": "k-ary-n-tree", "arity": 2, "levels": 3 }),
    };
    json!({ "generate": generate })
}

fn random_wormhole(random: &mut Pcg64Mcg) -> Value {
    json!({
        "kind": "wormhole", "routing_cycles": random.random_range(1..25),
        "itb_detection_cycles": random.random_range(0..45),
        "itb_dma_cycles": random.random_range(0..33),
    })
}

/// A fabric, and its number of service levels.
fn random_cut_through(random: &mut Pcg64Mcg) -> (Value, u32) {
    let levels = random.random_range(1..=2_u32);
    let avoids = random.random_bool(0.4);
    let of_level = if avoids { random.random_range(1..=3) } else { 1 };
    let channels = levels * of_level;
    let specs: Vec<Value> = (0..levels)
        .map(|l| {
            let first = l * of_level;
            json!({ "channels": (first..first + of_level).collect::<Vec<_>>(), "mtu_bytes": 128 })
        })
        .collect();
    let bytes = 128 * channels * one_of(random, &[1, 2, 8]);
    let fabric = json!({
        "kind": "cut-through", "credit_bytes": 8, "flit_bytes": 8,
        "link_delay_cycles": random.random_range(1..8),
        "injection_cycles": random.random_range(0..4), "routing_cycles": random.random_range(0..6),
        "buffering_cycles": random.random_range(0..9),
        "arbitration_cycles": random.random_range(0..5),
        "crossbar_cycles": random.random_range(1..3), "itb_cycles": random.random_range(1..30),
        "input_buffer_bytes": bytes, "output_buffer_bytes": bytes, "nic_buffer_bytes": bytes,
        "central_buffer_bytes": 4 * bytes, "lane_guaranteed_percent": 100,
        "qos": {
            "levels": specs, "lanes": (0..channels).collect::<Vec<_>>(),
            "channel_rule": if avoids { "avoid-cycles" } else { "spread" },
        },
    });
    (fabric, levels)
}
