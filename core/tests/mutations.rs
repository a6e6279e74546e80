//! Valid scenario files that were changed at random are read or refused, at once.
//!
//! Each case takes a file of `versions/1.json`, changes some values of it or bytes of its text, and
//! reads and validates it. What is read has no field that the scenario does not have.
//! `HOPSCOPE_MUTATIONS=100000 cargo test --release -p hopscope-core --test mutations` tries more.

use hopscope_core::observe::{Snapshot, Watch};
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Cases of a usual run.
const CASES: u32 = 2000;
/// No file of this size may take longer. An unoptimised build on a busy machine takes longer.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });
/// A field that no object has.
const UNKNOWN: &str = "no_such_field";

fn files() -> Vec<Value> {
    let entries: Vec<Value> =
        serde_json::from_str(include_str!("versions/1.json")).expect("a list");
    entries.into_iter().map(|mut entry| entry["means"].take()).collect()
}

/// The places of all values below `node`.
fn places(node: &Value, path: &str, found: &mut Vec<String>) {
    let below = |key: &str| format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
    match node {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            found.push(below(key));
            places(value, &below(key), found);
        }),
        Value::Array(list) => list.iter().enumerate().for_each(|(i, value)| {
            found.push(below(&i.to_string()));
            places(value, &below(&i.to_string()), found);
        }),
        _ => {}
    }
}

/// Another value for the one at a place: two times in three one of its type.
fn other(choice: u8, node: &Value) -> Value {
    let any = [
        Value::Null,
        json!(0),
        json!("x".repeat(300)),
        json!([]),
        json!({}),
        json!([node, node]),
        json!({ "kind": node }),
        json!(vec![node; 40]),
    ];
    let numbers = [0, 1, 2, 3, 7, 64, 1000, 1_000_000, u64::MAX].map(|n| json!(n));
    let choice = usize::from(choice);
    match node {
        _ if choice % 3 == 0 => any[choice / 3 % any.len()].clone(),
        Value::Number(n) if n.is_f64() => {
            let x = n.as_f64().expect("a number");
            json!([0.0, -x, x / 3.0, x * 1000.0, 1e300, f64::MIN_POSITIVE][choice % 6])
        }
        Value::Number(_) => numbers[choice % numbers.len()].clone(),
        Value::Bool(flag) => json!(!flag),
        Value::String(_) => json!(["", "ring", "uniform", "random", "fixed", "wrr"][choice % 6]),
        Value::Array(list) => json!(list[..list.len() / 2]),
        other => other.clone(),
    }
}

/// Reads and validates a text. Returns what was read, and fails if that took too long.
fn read(text: &str) -> Result<Option<Scenario>, TestCaseError> {
    let start = Instant::now();
    let read = Scenario::read(text);
    if let Ok(scenario) = &read {
        scenario.validate();
    }
    prop_assert!(start.elapsed() < LONGEST, "{:?} for {text}", start.elapsed());
    match read {
        Ok(scenario) => {
            let again = Scenario::read(&scenario.to_json());
            prop_assert_eq!(again.as_ref(), Ok(&scenario), "{}", text);
            Ok(Some(scenario))
        }
        Err(problems) => {
            prop_assert!(!problems.0.is_empty(), "{text}");
            Ok(None)
        }
    }
}

fn runner() -> TestRunner {
    let cases = std::env::var("HOPSCOPE_MUTATIONS").ok().and_then(|n| n.parse().ok());
    let config =
        Config { cases: cases.unwrap_or(CASES), failure_persistence: None, ..Config::default() };
    // The same cases in every run.
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn changed_values_are_read_or_refused() {
    let files = files();
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5);
    let opened = Cell::new(0_u32);
    let done = runner().run(&(any::<prop::sample::Index>(), changes), |(file, changes)| {
        let mut document = file.get(&files).clone();
        for (place, choice) in changes {
            let mut found = Vec::new();
            places(&document, "", &mut found);
            if found.is_empty() {
                continue;
            }
            let node = document.pointer_mut(place.get::<String>(&found)).expect("a place");
            *node = other(choice, node);
        }
        if read(&document.to_string())?.is_some() {
            opened.set(opened.get() + 1);
        }
        Ok(())
    });
    done.unwrap_or_else(|wrong| panic!("{wrong}"));
    let opened = opened.get();
    // Else the changes would be too coarse to reach validation.
    assert!(opened > CASES / 20, "{opened} were read");
}

#[test]
fn changed_bytes_are_read_or_refused() {
    let files: Vec<String> = files().iter().map(Value::to_string).collect();
    let changes = prop::collection::vec(
        (any::<prop::sample::Index>(), 0_usize..4, "[0-9a-z{}\\[\\],:\"\\\\.e-]{0,4}"),
        1..6,
    );
    let done = runner().run(&(any::<prop::sample::Index>(), changes), |(file, changes)| {
        let mut text = file.get(&files).clone();
        for (place, cut, with) in changes {
            // The files are ASCII.
            let at = place.index(text.len().max(1));
            let end = (at + cut).min(text.len());
            text.replace_range(at.min(end)..end, &with);
        }
        read(&text).map(drop)
    });
    done.unwrap_or_else(|wrong| panic!("{wrong}"));
}

/// Scenarios that a change left valid, and small, run the same when they are watched.
#[test]
fn watching_a_changed_scenario_changes_nothing() {
    const CYCLES: u64 = 3000;
    const MOST_HOSTS: usize = 128;
    let files = files();
    let ran = Cell::new(0_u32);
    let change = (any::<prop::sample::Index>(), any::<u8>());
    let done = runner().run(&(any::<prop::sample::Index>(), change), |(file, (place, choice))| {
        if ran.get() >= CASES / 20 {
            return Ok(());
        }
        let mut document = file.get(&files).clone();
        let mut found = Vec::new();
        places(&document, "", &mut found);
        let node = document.pointer_mut(place.get::<String>(&found)).expect("a place");
        *node = other(choice, node);
        let Ok(scenario) = Scenario::parse(&document.to_string()) else { return Ok(()) };
        let Ok(network) = scenario.network.build() else { return Ok(()) };
        if network.hosts().len() > MOST_HOSTS || scenario.application.is_some() {
            return Ok(());
        }
        // Routes may turn out to be impossible.
        let Ok(mut plain) = Simulation::new(&scenario) else { return Ok(()) };
        let mut watched = Simulation::new(&scenario).expect("the same scenario");
        watched.watch_with(Some(Watch::new(20)));
        plain.run_until(CYCLES);
        watched.run_until(CYCLES);
        prop_assert_eq!(plain.report(), watched.report(), "{}", document);
        let (mut one, mut two) = (Snapshot::default(), Snapshot::default());
        plain.snapshot(&mut one);
        watched.snapshot(&mut two);
        prop_assert_eq!(one, two, "{}", document);
        ran.set(ran.get() + 1);
        Ok(())
    });
    done.unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(ran.get() >= CASES / 20, "{} ran", ran.get());
}

#[test]
fn an_unknown_field_is_refused_in_every_object() {
    let mut objects = 0;
    for document in files() {
        let mut found = vec![String::new()];
        places(&document, "", &mut found);
        for place in found {
            let mut changed = document.clone();
            let node = changed.pointer_mut(&place).expect("a place");
            let Value::Object(fields) = node else { continue };
            fields.insert(UNKNOWN.into(), json!(1));
            objects += 1;
            let problems = Scenario::read(&changed.to_string()).expect_err(&place);
            let at = format!("{}/{UNKNOWN}", place).trim_start_matches('/').replace('/', ".");
            assert!(problems.0.iter().any(|problem| problem.at.path() == at), "{at}: {problems}");
        }
    }
    assert!(objects > 500, "{objects}");
}
