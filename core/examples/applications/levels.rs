//! The application study of the Omni-Path paper (Cano-Cano et al., J. Supercomputing 2022, section
//! 4.3) with traces of our own: run times on a level beside background traffic on another, with the
//! deficit table and with round robin, in per cent of the run time alone.
//!
//! The paper's traces, of 512 tasks of NAMD, GROMACS, HPL and MPIRandomAccess, are not public.
//! These have 64 ranks, one on each host of the 8-ary 2-tree, and imitate what such programs send.

use super::{Paths, paths, run};
use serde_json::{Value, json};
use std::fmt::Write;

const RANKS: u32 = 64;
const LOADS: [f64; 4] = [0.01, 0.05, 0.1, 0.2];
/// Levels of the paper: controlled load, and background.
const CL: u32 = 2;
const BK: u32 = 4;

pub fn print() {
    let text = include_str!("../../../scenarios/studies/hiperion-8-ary-3-tree.json");
    let mut base: Value = serde_json::from_str(text).expect("a scenario");
    base["network"]["generate"]["levels"] = 2.into();
    base.as_object_mut().expect("an object").remove("measure");
    let paths = paths(&base);
    println!("| run time, % of that alone | {} |", LOADS.map(|l| format!("{l}")).join(" | "));
    println!("| --- | ---: | ---: | ---: | ---: |");
    for (name, trace) in
        [("neighbours", neighbours()), ("panels", panels()), ("random access", random_access())]
    {
        let alone = run_time(&paths, &base, &trace, CL, None, false);
        for (level, other, level_name) in [(CL, BK, "CL"), (BK, CL, "BK")] {
            for (table, scheduler) in [(true, "DTable"), (false, "round robin")] {
                let cells = LOADS.map(|load| {
                    let time = run_time(&paths, &base, &trace, level, Some((other, load)), table);
                    format!("{:.1}", 100.0 * time / alone)
                });
                println!("| {name} on {level_name}, {scheduler} | {} |", cells.join(" | "));
            }
        }
    }
}

/// Run time of a trace on a level, ns, beside background traffic on another level.
fn run_time(
    paths: &Paths,
    base: &Value,
    trace: &str,
    level: u32,
    background: Option<(u32, f64)>,
    table: bool,
) -> f64 {
    let mut document = base.clone();
    if !table {
        document["fabric"]["scheduler"] = json!({ "kind": "round-robin" });
    }
    document["traffic"] = background
        .map(|(level, load)| {
            json!({
                "pattern": { "kind": "uniform" }, "arrival": { "kind": "constant" },
                "size": { "kind": "fixed", "bytes": if level == CL { 512 } else { 1024 } },
                "load": load, "level": level
            })
        })
        .into_iter()
        .collect();
    document["application"] = json!({ "kind": "trace", "text": trace, "level": level });
    run(paths, &document).run_time_ns().expect("it finishes")
}

/// A GOAL trace: `rank` writes the operations of a rank, each of which waits for all of the step
/// before.
fn goal(steps: impl Fn(u32) -> Vec<Vec<String>>) -> String {
    let mut text = format!("num_ranks {RANKS}\n");
    for rank in 0..RANKS {
        let _ = writeln!(text, "rank {rank} {{");
        let mut before: Vec<String> = Vec::new();
        for (number, step) in steps(rank).into_iter().enumerate() {
            let labels: Vec<String> = (0..step.len()).map(|i| format!("s{number}o{i}")).collect();
            for (label, operation) in labels.iter().zip(&step) {
                let _ = writeln!(text, "{label}: {operation}");
                for waited in &before {
                    let _ = writeln!(text, "{label} requires {waited}");
                }
            }
            before = labels;
        }
        text.push_str("}\n");
    }
    text
}

/// Molecular dynamics: 20 steps of computing, then 8 kB to and from six neighbours in a grid of
/// 4 x 4 x 4.
fn neighbours() -> String {
    let moved = |rank: u32, stride: u32, by: u32| {
        let at = rank / stride % 4;
        rank - at * stride + (at + by) % 4 * stride
    };
    goal(|rank| {
        let exchange: Vec<String> = [1, 4, 16]
            .iter()
            .flat_map(|&stride| [(stride, 1), (stride, 3)])
            .flat_map(|(stride, by)| {
                // What goes up is received from below.
                let (to, from) = (moved(rank, stride, by), moved(rank, stride, 4 - by));
                let tag = 10 * stride + by;
                [
                    format!("send 8192b to {to} tag {tag}"),
                    format!("recv 8192b from {from} tag {tag}"),
                ]
            })
            .collect();
        (0..20).flat_map(|_| [vec!["calc 2000".to_owned()], exchange.clone()]).collect()
    })
}

/// Linear algebra on a grid of 8 x 8: in each of 16 steps a column passes panels of 32 kB along the
/// rows, from rank to rank, and all compute.
fn panels() -> String {
    goal(|rank| {
        let (row, column) = (rank / 8, rank % 8);
        let step = |step: u32| {
            let place = (column + 8 - step % 8) % 8;
            let mut operations = Vec::new();
            if place > 0 {
                let from = row * 8 + (column + 7) % 8;
                operations.push(vec![format!("recv 32768b from {from} tag {step}")]);
            }
            if place < 7 {
                let to = row * 8 + (column + 1) % 8;
                operations.push(vec![format!("send 32768b to {to} tag {step}")]);
            }
            operations.push(vec!["calc 3000".to_owned()]);
            operations
        };
        (0..16).flat_map(step).collect()
    })
}

/// Random access: 40 steps in which each rank sends 1 kB to eight others, spread by a multiplier.
fn random_access() -> String {
    let shift = |step: u32, i: u32| 1 + (step * 8 + i) * 37 % (RANKS - 1);
    goal(|rank| {
        let step = |step: u32| {
            (0..8)
                .flat_map(|i| {
                    let (shift, tag) = (shift(step, i), step * 8 + i);
                    let (to, from) = ((rank + shift) % RANKS, (rank + RANKS - shift) % RANKS);
                    [
                        format!("send 1024b to {to} tag {tag}"),
                        format!("recv 1024b from {from} tag {tag}"),
                    ]
                })
                .collect()
        };
        (0..40).map(step).collect()
    })
}
