//! Every algorithm moves every contribution to where it belongs, with the known number of bytes.

use super::*;
use crate::program::Action;
use hopscope_scenario::scenario::Algorithm as A;
use hopscope_scenario::scenario::ApplicationKind as K;
use std::collections::{BTreeMap, BTreeSet};

/// Sender, receiver and size of a message.
type Transfer = (u32, u32, u64);

fn program(kind: ApplicationKind, algorithm: Option<Algorithm>, ranks: u32) -> Program {
    let default = ApplicationSpec::of(kind);
    let bytes = if kind == K::Barrier { default.bytes } else { 960 };
    let spec = ApplicationSpec { algorithm, ranks, bytes, ..default };
    let program = Collective::of(kind).unwrap().program(&spec, ranks).unwrap();
    assert!(program.check().is_empty(), "{kind:?} {algorithm:?} {ranks}");
    program
}

/// The transfers of each round.
fn rounds(program: &Program) -> BTreeMap<u32, Vec<Transfer>> {
    let mut rounds: BTreeMap<u32, Vec<Transfer>> = BTreeMap::new();
    for operation in &program.operations {
        if let Action::Send { to, bytes, tag } = operation.action {
            rounds.entry(tag).or_default().push((operation.rank, to, bytes));
        }
    }
    rounds
}

/// The ranks whose vectors each rank knows of in the end.
fn known(program: &Program) -> Vec<BTreeSet<u32>> {
    let mut known: Vec<BTreeSet<u32>> = (0..program.ranks).map(|rank| [rank].into()).collect();
    for transfers in rounds(program).into_values() {
        let before = known.clone();
        for (from, to, _) in transfers {
            known[to as usize].extend(&before[from as usize]);
        }
    }
    known
}

fn sent_by_rank(program: &Program) -> Vec<u64> {
    let mut sent = vec![0; program.ranks as usize];
    for (from, _, bytes) in rounds(program).into_values().flatten() {
        sent[from as usize] += bytes;
    }
    sent
}

#[test]
fn contributions_reach_all_who_need_them() {
    let powers = [2, 4, 8, 16, 64];
    let any = [2, 3, 5, 6, 7, 8, 12, 13, 16, 31];
    for (kind, algorithm, counts) in [
        (K::AllReduce, A::Ring, &any[..]),
        (K::AllReduce, A::RecursiveDoubling, &any),
        (K::AllReduce, A::Tree, &any),
        (K::AllGather, A::Ring, &any),
        (K::AllGather, A::RecursiveDoubling, &powers),
        (K::ReduceScatter, A::Ring, &any),
        (K::ReduceScatter, A::RecursiveHalving, &powers),
        (K::Barrier, A::Dissemination, &any),
    ] {
        for &ranks in counts {
            let known = known(&program(kind, Some(algorithm), ranks));
            let all: BTreeSet<u32> = (0..ranks).collect();
            assert!(known.iter().all(|known| *known == all), "{kind:?} {algorithm:?} {ranks}");
        }
    }
    for &ranks in &any {
        let broadcast = known(&program(K::Broadcast, None, ranks));
        assert!(broadcast.iter().all(|known| known.contains(&0)), "{ranks}");
        let reduce = known(&program(K::Reduce, None, ranks));
        assert_eq!(reduce[0], (0..ranks).collect(), "{ranks}");
    }
}

#[test]
fn every_pair_exchanges_one_message_in_an_all_to_all() {
    for algorithm in [A::Linear, A::Pairwise] {
        for ranks in [2, 3, 8, 13] {
            let program = program(K::AllToAll, Some(algorithm), ranks);
            let mut pairs: Vec<(u32, u32)> =
                rounds(&program).into_values().flatten().map(|(from, to, _)| (from, to)).collect();
            pairs.sort_unstable();
            let all = (0..ranks).flat_map(|a| (0..ranks).map(move |b| (a, b)));
            assert!(pairs.into_iter().eq(all.filter(|(a, b)| a != b)), "{algorithm:?} {ranks}");
        }
    }
}

#[test]
fn ranks_send_the_bytes_of_the_literature() {
    // 960 bytes among 8 ranks: parts of 120.
    for (kind, algorithm, expected) in [
        (K::AllReduce, A::Ring, 2 * 7 * 120),
        (K::AllReduce, A::RecursiveDoubling, 3 * 960),
        (K::AllGather, A::Ring, 7 * 120),
        (K::AllGather, A::RecursiveDoubling, 7 * 120),
        (K::ReduceScatter, A::Ring, 7 * 120),
        (K::ReduceScatter, A::RecursiveHalving, 7 * 120),
        (K::AllToAll, A::Pairwise, 7 * 120),
        (K::Barrier, A::Dissemination, 0),
    ] {
        let sent = sent_by_rank(&program(kind, Some(algorithm), 8));
        assert_eq!(sent, [expected; 8], "{kind:?} {algorithm:?}");
    }
    assert_eq!(sent_by_rank(&program(K::Broadcast, None, 8)).iter().sum::<u64>(), 7 * 960);
    assert_eq!(sent_by_rank(&program(K::Reduce, None, 8)).iter().sum::<u64>(), 7 * 960);
}

#[test]
fn halos_go_to_the_neighbours() {
    // Six ranks: 2 x 3. Both neighbours of rank 0 in x are rank 1; in y they are 2 and 4.
    let program = program(K::Halo2d, None, 6);
    let all: Vec<Transfer> = rounds(&program).into_values().flatten().collect();
    let of_0: Vec<u32> = all.iter().filter(|t| t.0 == 0).map(|t| t.1).collect();
    assert_eq!(of_0, [1, 1, 2, 4]);
    assert_eq!(all.len(), 24);
    assert_eq!(shared::sides_3d(64), [4, 4, 4]);
    assert_eq!(shared::sides_3d(24), [2, 3, 4]);
    assert_eq!(shared::sides_2d(7), [1, 7]);
}

#[test]
fn what_a_kind_does_not_take_is_refused() {
    let refused = |spec: ApplicationSpec| {
        let collective = Collective::of(spec.kind).unwrap();
        collective.program(&spec, 12).expect_err("it is wrong").to_string()
    };
    for (spec, expected) in [
        (
            ApplicationSpec { algorithm: Some(A::Ring), ..ApplicationSpec::of(K::Halo2d) },
            "application.algorithm: `halo-2d` takes no `algorithm`",
        ),
        (
            ApplicationSpec { algorithm: Some(A::Linear), ..ApplicationSpec::of(K::AllReduce) },
            "application.algorithm: `all-reduce` has no algorithm `linear` \
             (fix: use one of ring, recursive-doubling, tree)",
        ),
        (
            ApplicationSpec {
                algorithm: Some(A::RecursiveHalving),
                ..ApplicationSpec::of(K::ReduceScatter)
            },
            "application.algorithm: `recursive-halving` needs a power of two of ranks, not 12",
        ),
        (
            ApplicationSpec { ranks: 1, ..ApplicationSpec::of(K::AllReduce) },
            "application.ranks: no rank sends a message",
        ),
        (
            ApplicationSpec { iterations: 1_000_000, ..ApplicationSpec::of(K::AllReduce) },
            "application: the application has more than 4194304 operations",
        ),
    ] {
        let said = refused(spec);
        assert!(said.starts_with(expected), "{said}");
    }
}
