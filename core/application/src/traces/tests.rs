//! Traces that are read, refused by line, and mutated.

use super::*;
use crate::program::{Action, After, Dependency};
use crate::replay::Replay;
use proptest::prelude::*;
use std::sync::Arc;

/// A broadcast among four ranks with computation, any source and any tag.
const GOAL: &str = "\
// A broadcast.
num_ranks 4

rank 0 {
  l1: calc 100 cpu 0
  l2: send 8b to 1 tag 5
  l3: send 8b to 2 tag 5 cpu 0 nic 0 /* far */
  l2 requires l1
  l3 irequires l2
}
rank 1 {
  a: recv 8b from 0 tag 5
  b: send 16b to 3
  b requires a
}
rank 2 {
  recv 8b from -1 tag -1
}
rank 3 { r: recv 16b from 1 }
";

/// Two messages, a broadcast and a barrier among four tasks.
const VEF: &str = "\
VEF 4 3 2 2 7 0
C0 0 1 2 3
C1 3 1 2
0 0 1 1000 0 50 -1
1 1 2 2000 2 10 0
G0 0 6 0 0 0 1 5 0
G0 0 6 1 0 0 1 0 1
G0 0 6 2 0 0 2 7 1
G0 0 6 3 0 0 0 0 -1
G1 1 0 3 0 4096 3 1 G0
G1 1 0 1 4096 0 3 1 G0
G1 1 0 2 0 4096 3 1 G0
2 2 0 64 3 9 G1
";

fn finishes(program: Program) -> bool {
    let mut replay = Replay::new(Arc::new(program), 1000, u32::MAX, 0);
    replay.run_without_network();
    replay.is_finished()
}

fn problem(text: &str) -> String {
    let problems = read(text, None).expect_err(text);
    format!("{}: {}", problems.0[0].at, problems.0[0].why)
}

#[test]
fn goal_becomes_operations_and_dependencies() {
    let program = read(GOAL, None).unwrap();
    assert_eq!(program.ranks, 4);
    let of_rank = |rank| program.operations.iter().filter(move |op| op.rank == rank);
    let first: Vec<Action> = of_rank(0).map(|op| op.action).collect();
    assert_eq!(
        first,
        [
            Action::Compute { ns: 100, cpu: Some(0) },
            Action::Send { to: 1, bytes: 8, tag: 5 },
            Action::Send { to: 2, bytes: 8, tag: 5 }
        ]
    );
    assert_eq!(of_rank(0).map(|op| op.line).collect::<Vec<_>>(), [5, 6, 7]);
    let wait = |operation, on, after| Dependency { operation, on, after };
    assert_eq!(
        program.dependencies,
        [wait(1, 0, After::Completion), wait(2, 1, After::Start), wait(4, 3, After::Completion)]
    );
    let any: Vec<Action> = of_rank(2).map(|op| op.action).collect();
    assert_eq!(any, [Action::Receive { from: None, tag: None }]);
    assert!(finishes(program));
}

#[test]
fn vef_becomes_operations_and_dependencies() {
    let program = read(VEF, None).unwrap();
    let sends: Vec<(u32, u32, u64)> = program
        .operations
        .iter()
        .filter_map(|op| match op.action {
            Action::Send { to, bytes, .. } => Some((op.rank, to, bytes)),
            _ => None,
        })
        .collect();
    // The messages, the barrier in two rounds, and the broadcast from task 1: the members are then
    // 1, 2, 3.
    let expected = [
        (0, 1, 1000),
        (1, 2, 2000),
        (2, 0, 64),
        (0, 1, 0),
        (1, 2, 0),
        (2, 3, 0),
        (3, 0, 0),
        (0, 2, 0),
        (1, 3, 0),
        (2, 0, 0),
        (3, 1, 0),
        (1, 3, 4096),
        (1, 2, 4096),
    ];
    assert_eq!(sends, expected);
    assert!(finishes(program));
}

#[test]
fn pauses_of_vef_end_after_their_events() {
    // Message 1 leaves 10 ns after message 0, which leaves after 50 ns, has arrived: without a
    // network, after 60 ns.
    let text = "VEF 2 2 0 0 0 0\n0 0 1 8 0 50 -1\n1 1 0 8 2 10 0\n";
    let program = read(text, None).unwrap();
    let mut replay = Replay::new(Arc::new(program), 1000, u32::MAX, 0);
    replay.run_without_network();
    assert_eq!(replay.run_time(), 60);
}

#[test]
fn goal_is_refused_by_line() {
    let rank = |body: &str| format!("num_ranks 2\nrank 0 {{\n{body}\n}}\n");
    for (text, expected) in [
        ("rank 0 {\n}", "line 1: `rank` where `num_ranks` was expected"),
        ("num_ranks 2\nrank 2 {\n}", "line 2: there is no rank 2; the trace has 2"),
        (&rank("send 8b to 2"), "line 3: there is no rank 2; the trace has 2"),
        (&rank("send 8 to 1"), "line 3: `8` where a size such as `8b` was expected"),
        (&rank("send 8b from 1"), "line 3: `from` where `to` was expected"),
        (&rank("a: calc 5 tag 3"), "line 3: `tag` where the end of the line was expected"),
        (&rank("calc 99999999999999999999"), "line 3: 99999999999999999999 is more than"),
        (&rank("a: calc 5\na: calc 6"), "line 4: label `a` names two operations"),
        (&rank("a: calc 5\na requires b"), "line 4: there is no operation `b` in this rank"),
        (&rank("a: calc 5\na requires a"), "line 4: `a` waits for itself"),
        (&rank("launch 5"), "line 3: `5` where `:`, `requires` or `irequires` was expected"),
        ("num_ranks 2\nrank 0 {\ncalc 5\n", "line 2: the block of rank 0 has no end"),
        ("num_ranks 2\nrank 0 {\nrank 1 {\n", "line 3: a rank begins inside of another"),
        ("num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n", "line 4: rank 0 has two blocks"),
        ("num_ranks 2\ncalc 5\n", "line 2: an operation outside of a rank"),
        ("num_ranks 2\n/* calc", "line 2: a comment has no end"),
        ("num_ranks 0\n", "line 1: `0` where a number above 0 was expected"),
        ("num_ranks 99999999\n", "line 1: 99999999 is more than 65536"),
        ("", "file: the trace is empty"),
        (
            &rank("a: send 8b to 1 tag 7"),
            "line 3: rank 0 sends to rank 1 with tag 7, which receives no such message",
        ),
        (
            &rank("recv 8b from 1 tag 7"),
            "line 3: rank 0 receives from rank 1 with tag 7, and no such message is sent",
        ),
        (
            &rank("recv 8b from -1 tag 7"),
            "line 3: rank 0 receives from any rank with tag 7, and no such message is sent",
        ),
        (
            &rank("a: calc 5\nb: calc 6\na requires b\nb requires a"),
            "line 3: this operation of rank 0 waits for itself, by lines 3, 4",
        ),
    ] {
        let said = problem(text);
        assert!(said.starts_with(expected), "{text}\n{said}");
    }
}

#[test]
fn ranks_that_wait_for_each_other_are_refused() {
    let text = "\
num_ranks 2
rank 0 {
  a: recv 8b from 1
  b: send 8b to 1
  b requires a
}
rank 1 {
  a: recv 8b from 0
  b: send 8b to 0
  b requires a
}
";
    let expected = "line 3: this operation of rank 0 waits for itself, by lines 3, 9, 8, 4";
    assert_eq!(problem(text), expected);
    // Sent first, the same messages pass.
    assert!(read(&text.replace("  b requires a\n", ""), None).is_ok());
}

#[test]
fn vef_is_refused_by_line() {
    let changed = |from: &str, to: &str| {
        assert!(VEF.contains(from), "{from}");
        VEF.replacen(from, to, 1)
    };
    for (text, expected) in [
        (changed("VEF 4 3", "VEF 4 9"), "line 1: 3 messages, but the header announces 9"),
        (changed("0 0 1 1000", "0 0 4 1000"), "line 4: there is no rank 4; the trace has 4"),
        (changed("0 0 1 1000 0 50 -1", "0 0 1 1000 0 50 3"), "line 4: `3` where `-1`"),
        (changed("2 10 0", "2 10 77"), "line 5: there is no message 77"),
        (changed("2 10 0", "1 10 0"), "line 5: message 0 is sent or received by task 0, not"),
        (changed("1 1 2 2000", "0 1 2 2000"), "line 5: message 0 is listed twice"),
        (changed("G0 0 6 0", "G0 7 6 0"), "line 6: there is no communicator C7"),
        (changed("G0 0 6 1 0 0 1", "G0 0 5 1 0 0 1"), "line 7: the records of G0 differ"),
        (changed("G0 0 6 2 0 0 2 7 1\n", ""), "line 1: 6 local collectives, but the header"),
        (changed("G1 1 0 3 0", "G1 1 0 3 5"), "line 10: G1 has no root, or several"),
        (changed("3 9 G1", "3 9 G4"), "line 13: task 2 takes no part in a collective G4"),
        (changed("G1 1 0 3", "G1 1 0 0"), "line 10: task 0 is not in communicator C1"),
        (changed("1000 0 50", "1000 7 50"), "line 4: 7 is more than 3"),
        // Message 0 waits for message 2, that for the broadcast, that for the barrier, and task 0
        // enters the barrier when it has sent message 0.
        (changed("1000 0 50 -1", "1000 2 50 2"), "line 4: this operation of rank"),
    ] {
        let said = problem(&text);
        assert!(said.starts_with(expected), "{text}\n{said}");
    }
}

#[test]
fn nonsense_is_refused_by_its_first_word() {
    assert_eq!(check_start(GOAL).unwrap(), TraceFormat::Goal);
    assert_eq!(check_start(VEF).unwrap(), TraceFormat::Vef);
    assert_eq!(problem("\n\n%PDF-1.7"), "line 3: this is no trace: it begins with `%PDF-1.7`");
    // The right first word and then nonsense: reading stops after some lines.
    let text = "num_ranks 4\n".to_owned() + &"x y z\n".repeat(1_000_000);
    let problems = read(&text, None).unwrap_err();
    assert_eq!(problems.0.len(), MAX_TRACE_PROBLEMS + 1);
}

#[test]
fn a_trace_of_a_million_operations_is_checked() {
    let mut text = "num_ranks 2\n".to_owned();
    for (rank, word) in [(0, "send 8b to 1"), (1, "recv 8b from 0")] {
        text += &format!("rank {rank} {{\n");
        for i in 0..250_000 {
            text += &format!("l{i}: {word} tag {i}\n");
            if i > 0 {
                text += &format!("l{i} requires l{}\n", i - 1);
            }
        }
        text += "}\n";
    }
    assert!(finishes(read(&text, None).unwrap()));
}

/// Removes, repeats or swaps lines, and changes single characters.
fn mutated(text: &str, changes: &[(u8, usize, usize)]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for &(kind, a, b) in changes {
        let count = lines.len().max(1);
        let (a, b) = (a % count, b % count);
        match kind % 4 {
            _ if lines.is_empty() => {}
            0 => {
                lines.remove(a);
            }
            1 => lines.swap(a, b),
            2 => lines.insert(b, lines[a].clone()),
            _ => {
                let characters: Vec<char> = lines[a].chars().collect();
                if let Some(i) = (!characters.is_empty()).then(|| b % characters.len()) {
                    let odd = ['0', '9', '-', '{', '}', 'G', ' ', ':', 'é', '*'][b % 10];
                    lines[a] =
                        characters[..i].iter().chain([&odd]).chain(&characters[i + 1..]).collect();
                }
            }
        }
    }
    lines.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    /// Whatever a file holds, it is read or refused; what is read can be carried out, unless
    /// receives from any rank make that a matter of times.
    #[test]
    fn mutated_traces_are_read_or_refused(
        is_goal: bool,
        changes in prop::collection::vec((0_u8..4, 0_usize..64, 0_usize..64), 1..6),
    ) {
        let text = mutated(if is_goal { GOAL } else { VEF }, &changes);
        match read(&text, None) {
            Ok(program) => prop_assert!(program.has_wildcards() || finishes(program)),
            Err(problems) => prop_assert!(!problems.is_empty()),
        }
    }
}
