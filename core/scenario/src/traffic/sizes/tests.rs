use super::*;
use crate::catalogue::Descriptor;
use crate::random::stream;
use crate::traffic::bounded_pareto::BoundedPareto;
use crate::traffic::goodness::check_chi_square;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A member with its default parameters.
fn with_defaults(member: &Descriptor) -> SizeSpec {
    serde_json::from_value(member.with_defaults()).expect("the descriptor names the fields")
}

/// A member whose sizes, in the order of its parameters, are these and these again.
fn with_sizes(member: &Descriptor, sizes: [u32; 2]) -> SizeSpec {
    let mut spec = member.with_defaults();
    let are_sizes = member.parameters.iter().filter(|parameter| parameter.unit == "bytes");
    for (parameter, size) in are_sizes.zip(sizes.into_iter().cycle()) {
        spec[parameter.id] = size.into();
    }
    serde_json::from_value(spec).expect("the descriptor names the fields")
}

fn mean_of_draws(size: &SizeSpec, draws: u32) -> f64 {
    let mut random = stream(5, "size", 0);
    (0..draws).map(|_| f64::from(size.draw(&mut random))).sum::<f64>() / f64::from(draws)
}

#[test]
fn every_distribution_has_the_mean_it_states() {
    let edges = [
        SizeSpec::Pareto(Pareto { min: 64, max: 4096, shape: 1.3 }),
        SizeSpec::Pareto(Pareto { min: 64, max: 4096, shape: 1.0 }),
        SizeSpec::Pareto(Pareto { min: 100, max: 400, shape: 0.05 }),
        SizeSpec::Pareto(Pareto { min: 64, max: 64, shape: 1.0 }),
        SizeSpec::Bimodal(Bimodal { short: 1, long: 1000, short_share: 1.0 }),
        SizeSpec::Range(Range { min: 9, max: 9 }),
    ];
    for size in all().iter().map(with_defaults).chain(edges) {
        let mut problems = Problems::default();
        size.check("size", &mut problems);
        assert!(problems.is_empty(), "{size:?}: {problems:?}");
        let (drawn, stated) = (mean_of_draws(&size, 400_000), size.mean());
        assert!((drawn / stated - 1.0).abs() < 0.03, "{size:?}: {drawn} drawn, {stated} stated");
    }
}

#[test]
fn every_distribution_has_the_mean_number_of_flits_that_it_states() {
    let sizes = [
        (SizeSpec::Fixed(Fixed { bytes: 3 }), 8, 1.0),
        (SizeSpec::Fixed(Fixed { bytes: 17 }), 8, 3.0),
        (SizeSpec::Bimodal(Bimodal { short: 3, long: 17, short_share: 0.75 }), 8, 1.5),
        (SizeSpec::Range(Range { min: 7, max: 10 }), 8, 1.5),
        (SizeSpec::Range(Range { min: 7, max: 10 }), 1, 8.5),
    ];
    for (size, flit_bytes, flits) in sizes {
        assert_eq!(size.mean_flits(flit_bytes), flits, "{size:?}");
    }
    for size in all().iter().map(with_defaults) {
        let mut random = stream(5, "size", 0);
        let draws = (0..100_000).map(|_| f64::from(size.draw(&mut random).div_ceil(8)));
        let (drawn, stated) = (draws.sum::<f64>() / 1e5, size.mean_flits(8));
        assert!(stated <= drawn * 1.03, "{size:?}: {drawn} drawn, {stated} stated");
    }
}

proptest! {
    #[test]
    fn no_draw_is_larger_than_the_largest(seed: u64, a in 1..5000_u32, b in 1..5000_u32) {
        let (min, max) = (a.min(b), a.max(b));
        let mut random = stream(seed, "size", 0);
        for size in all().iter().map(|member| with_sizes(member, [min, max])) {
            let mut drawn = BTreeSet::new();
            for _ in 0..50 {
                let bytes = size.draw(&mut random);
                prop_assert!((1..=size.largest()).contains(&bytes), "{:?}: {}", size, bytes);
                drawn.insert(bytes);
            }
            prop_assert!(drawn.len() == 1 || !size.is_one_size(), "{:?}: {:?}", size, drawn);
        }
    }
}

#[test]
fn sizes_follow_their_laws() {
    /// Counts of draws between borders: from each, and below the next.
    fn check(size: &SizeSpec, borders: &[u32], chance_from: impl Fn(u32) -> f64) {
        let mut random = stream(8, "size", 0);
        let mut counts = vec![0; borders.len() - 1];
        for _ in 0..50_000 {
            let bytes = size.draw(&mut random);
            counts[borders.partition_point(|&border| border <= bytes) - 1] += 1;
        }
        let chance = |pair: &[u32]| chance_from(pair[0]) - chance_from(pair[1]);
        check_chi_square(&counts, &borders.windows(2).map(chance).collect::<Vec<_>>());
    }
    let pareto = BoundedPareto { min: 16.0, max: 2176.0, shape: 1.3 };
    check(
        &SizeSpec::Pareto(Pareto { min: 16, max: 2176, shape: 1.3 }),
        &[16, 17, 18, 19, 20, 22, 25, 30, 40, 60, 100, 200, 500, 1000, 2176],
        |bytes| pareto.tail(bytes.into()),
    );
    check(
        &SizeSpec::Range(Range { min: 10, max: 109 }),
        &[10, 11, 20, 40, 50, 60, 90, 100, 109, 110],
        |bytes| f64::from(110 - bytes) / 100.0,
    );
    check(
        &SizeSpec::Bimodal(Bimodal { short: 32, long: 512, short_share: 0.7 }),
        &[32, 512, 513],
        |bytes| match bytes {
            32 => 1.0,
            512 => 0.3,
            _ => 0.0,
        },
    );
}
