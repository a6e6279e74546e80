//! Tests of all generators: properties that hold for each, and sizes that the literature gives.

use super::{GeneratorSpec, all};
use crate::catalogue::Kind;
use crate::network::{Network, SwitchId};
use crate::scenario::NetworkSpec;
use proptest::prelude::*;
use serde_json::{Value, json};

fn spec(document: Value) -> GeneratorSpec {
    serde_json::from_value(document).unwrap()
}

fn build(document: Value) -> Network {
    NetworkSpec::Generate(spec(document)).build().unwrap()
}

/// Switches, hosts, cables and ports of the first switch.
fn figures(document: Value) -> (usize, usize, usize, u16) {
    let n = build(document);
    (n.switches().len(), n.hosts().len(), n.links().len(), n.switches()[0].ports)
}

/// Links per switch.
fn degrees(network: &Network) -> Vec<usize> {
    (0..network.switches().len()).map(|s| network.neighbours(SwitchId::new(s)).len()).collect()
}

#[test]
fn descriptors_match_the_parameters() {
    for descriptor in all() {
        let spec = GeneratorSpec::with_id(descriptor.id).expect(descriptor.id);
        assert_eq!(spec.descriptor(), descriptor);
        let document = serde_json::to_value(&spec).unwrap();
        let fields: Vec<&str> = document.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields.len(), descriptor.parameters.len() + 1, "{}", descriptor.id);
        for parameter in descriptor.parameters {
            let default = match parameter.kind {
                Kind::Integer { default, min, max } => {
                    assert!((min..=max).contains(&default), "{} {}", descriptor.id, parameter.id);
                    json!(default)
                }
                Kind::Integers { default, .. } => json!(default),
                _ => panic!("{} {}: no generator takes that", descriptor.id, parameter.id),
            };
            assert_eq!(document[parameter.id], default, "{} {}", descriptor.id, parameter.id);
        }
    }
}

#[test]
fn default_networks_have_the_size_computed_before() {
    for descriptor in all() {
        let spec = GeneratorSpec::with_id(descriptor.id).unwrap();
        check(&spec);
        assert_eq!(spec.generate(), spec.generate());
    }
}

/// Asserts that a network can be run and has the size that its generator computed before.
fn check(spec: &GeneratorSpec) {
    let drawn = spec.generate().unwrap();
    let network = drawn.build().unwrap_or_else(|problems| panic!("{spec:?}: {problems}"));
    let size = spec.member().size();
    assert_eq!(network.switches().len() as u64, size.switches, "{spec:?}");
    assert_eq!(network.hosts().len() as u64, size.hosts, "{spec:?}");
    let random = matches!(spec, GeneratorSpec::Irregular(_));
    assert!(
        network.links().len() as u64 == size.links || random,
        "{spec:?}: {}",
        network.links().len()
    );
    for switch in network.switches() {
        assert!(u64::from(switch.ports) >= size.ports, "{spec:?}");
        assert!(size.ports_given == 0 || u32::from(switch.ports) == size.ports_given, "{spec:?}");
    }
}

#[test]
fn sizes_of_the_literature() {
    assert_eq!(figures(json!({"kind": "torus", "sides": [8, 8], "ports": 16})), (64, 512, 128, 16));
    assert_eq!(
        figures(json!({"kind": "torus", "sides": [4, 4], "width": 10, "ports": 48})),
        (16, 128, 320, 48)
    );
    assert_eq!(
        figures(
            json!({"kind": "torus", "sides": [8, 8, 4], "hosts_per_switch": 4, "width": 4, "ports": 28})
        ),
        (256, 1024, 3072, 28)
    );
    assert_eq!(figures(json!({"kind": "torus-express"})), (64, 512, 256, 16));
    assert_eq!(
        figures(json!({"kind": "mesh", "sides": [4, 4, 4], "hosts_per_switch": 1})),
        (64, 64, 144, 7)
    );
    assert_eq!(figures(json!({"kind": "cplant"})), (50, 400, 175, 16));
    assert_eq!(
        figures(json!({"kind": "k-ary-n-tree", "arity": 8, "levels": 3})),
        (192, 512, 1024, 16)
    );
    assert_eq!(
        figures(json!({"kind": "k-ary-n-tree", "arity": 24, "levels": 2})),
        (48, 576, 576, 48)
    );
    assert_eq!(figures(json!({"kind": "k-ary-n-tree", "arity": 8, "levels": 2})), (16, 64, 64, 16));
    assert_eq!(figures(json!({"kind": "bmin"})), (48, 64, 128, 8));
    assert_eq!(figures(json!({"kind": "bmin", "hosts": 512, "ports": 16})), (192, 512, 1024, 16));
    assert_eq!(figures(json!({"kind": "single", "hosts": 48})), (1, 48, 0, 48));
    assert_eq!(figures(json!({"kind": "dragonfly"})), (36, 72, 90, 7));
}

#[test]
fn short_dimensions_have_no_double_links() {
    assert_eq!(
        figures(json!({"kind": "torus", "sides": [2, 2, 2], "hosts_per_switch": 1})),
        (8, 8, 12, 4)
    );
    assert_eq!(
        figures(json!({"kind": "torus", "sides": [1, 3], "hosts_per_switch": 1})),
        (3, 3, 3, 3)
    );
    assert_eq!(
        figures(json!({"kind": "torus-express", "sides": [4], "hosts_per_switch": 1})),
        (4, 4, 6, 4)
    );
    assert_eq!(figures(json!({"kind": "ring", "switches": 2})), (2, 4, 1, 3));
}

#[test]
fn switches_of_a_grid_stand_apart_in_any_number_of_dimensions() {
    for (kind, sides) in [
        ("torus", vec![8, 8, 4]),
        ("mesh", vec![3, 3, 3]),
        ("mesh", vec![2, 2, 2, 1]),
        ("torus", vec![3, 4, 2, 3]),
        ("torus", vec![2, 3, 2, 2, 3, 2]),
        ("torus-express", vec![5, 1, 6]),
    ] {
        let spec: GeneratorSpec =
            serde_json::from_value(json!({"kind": kind, "sides": sides})).unwrap();
        let drawn = spec.generate().unwrap();
        let places: Vec<[f32; 2]> =
            drawn.switches.iter().map(|s| [s.x.unwrap(), s.y.unwrap()]).collect();
        for (i, a) in places.iter().enumerate() {
            for b in &places[i + 1..] {
                assert!((a[0] - b[0]).hypot(a[1] - b[1]) > 150.0, "{kind} {sides:?}: {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn cplant_is_not_fully_regular() {
    let degrees = degrees(&build(json!({"kind": "cplant"})));
    let with = |d: usize| degrees.iter().filter(|&&n| n == d).count();
    // Two switches of groups 1, 2 and 4 have a fourth link to another group; the two switches of
    // group 6 have four links each.
    assert_eq!((with(8), with(7), with(4)), (6, 42, 2));
}

#[test]
fn regular_networks_are_regular() {
    assert!(
        degrees(&build(json!({"kind": "random-regular", "switches": 30, "degree": 5})))
            .iter()
            .all(|&d| d == 5)
    );
    assert!(
        degrees(&build(json!({"kind": "random-regular", "switches": 30, "degree": 28})))
            .iter()
            .all(|&d| d == 28)
    );
    assert!(degrees(&build(json!({"kind": "dragonfly", "groups": 5}))).iter().all(|&d| d == 5));
    let network = build(json!({"kind": "irregular", "switches": 64}));
    assert!(network.links().iter().all(|l| l.a.0 < l.b.0));
    let mut pairs: Vec<_> = network.links().iter().map(|l| (l.a.0, l.b.0)).collect();
    pairs.dedup();
    assert_eq!(pairs.len(), network.links().len());
}

/// The largest distance of two switches, hops.
fn diameter(network: &Network) -> usize {
    let switches = network.switches().len();
    let farthest = |from: usize| {
        let mut distances = vec![usize::MAX; switches];
        distances[from] = 0;
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(s) = queue.pop_front() {
            for &(_, next) in network.neighbours(SwitchId::new(s)) {
                if distances[next.index()] == usize::MAX {
                    distances[next.index()] = distances[s] + 1;
                    queue.push_back(next.index());
                }
            }
        }
        distances.into_iter().max().unwrap()
    };
    (0..switches).map(farthest).max().unwrap()
}

/// Asserts the number of switches and the diameter, and that all switches have as many links.
fn check_regular(document: Value, switches: usize, degree: usize, hops: usize) {
    let network = build(document.clone());
    assert_eq!(network.switches().len(), switches, "{document}");
    assert!(degrees(&network).iter().all(|&d| d == degree), "{document}");
    assert_eq!(diameter(&network), hops, "{document}");
    let mut pairs: Vec<_> = network.links().iter().map(|l| (l.a.0, l.b.0)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    assert_eq!(pairs.len(), network.links().len(), "{document}: parallel links");
}

#[test]
fn slim_flies_have_diameter_two() {
    // Primes and prime powers: q and (3q - d) / 2.
    for (q, degree) in [
        (3, 5),
        (4, 6),
        (5, 7),
        (7, 11),
        (8, 12),
        (9, 13),
        (11, 17),
        (13, 19),
        (16, 24),
        (17, 25),
        (19, 29),
        (25, 37),
        (27, 41),
    ] {
        let q_squared = (q * q) as usize;
        let document = json!({"kind": "slim-fly", "q": q, "hosts_per_switch": 1});
        check_regular(document, 2 * q_squared, degree, 2);
    }
    // The largest example of the paper: q = 19, 15 hosts per switch.
    let document = json!({"kind": "slim-fly", "q": 19, "hosts_per_switch": 15});
    assert_eq!(figures(document), (722, 10_830, 722 * 29 / 2, 44));
}

#[test]
fn rows_of_a_hyperx_are_fully_linked() {
    for (sides, switches, degree, hops) in [
        (vec![5], 5, 4, 1),
        (vec![4, 4], 16, 6, 2),
        (vec![2, 2, 2, 2], 16, 4, 4),
        (vec![3, 1, 6, 2], 36, 2 + 5 + 1, 3),
        (vec![7, 8], 56, 6 + 7, 2),
    ] {
        let document = json!({"kind": "hyperx", "sides": sides, "hosts_per_switch": 1});
        check_regular(document, switches, degree, hops);
    }
}

#[test]
fn gpus_of_a_number_share_a_rail() {
    let document = json!({
        "kind": "rail-optimised", "rails": 4, "gpus_per_server": 8, "servers_per_group": 6,
        "groups": 3, "spines": 5, "width": 2
    });
    assert_eq!(figures(document.clone()), (3 * 4 + 5, 3 * 6 * 8, 3 * 4 * 5 * 2, 24));
    let network = build(document);
    assert_eq!(diameter(&network), 2);
    for (host, index) in network.hosts().iter().zip(0..) {
        let (server, gpu) = (index / 8, index % 8);
        assert_eq!(host.switch.index(), server / 6 * 4 + gpu % 4, "host {index}");
    }
    // Every leaf has a trunk of two cables to every spine.
    for leaf in 0..12 {
        let trunks = network.neighbours(SwitchId::new(leaf)).iter().map(|(_, spine)| spine.index());
        let mut spines: Vec<usize> = trunks.collect();
        spines.sort_unstable();
        spines.dedup();
        assert_eq!(spines, (12..17).collect::<Vec<_>>(), "leaf {leaf}");
    }
}

#[test]
fn seeds_matter() {
    for kind in ["irregular", "random-regular"] {
        assert_ne!(
            build(json!({"kind": kind, "seed": 1})),
            build(json!({"kind": kind, "seed": 2}))
        );
    }
}

#[test]
fn absurd_parameters_are_refused() {
    for document in [
        json!({"kind": "irregular", "switches": u32::MAX}),
        json!({"kind": "irregular", "ports": 0}),
        json!({"kind": "irregular", "hosts_per_switch": 7}),
        json!({"kind": "irregular", "hosts_per_switch": 9}),
        json!({"kind": "irregular", "hosts_per_switch": 0}),
        json!({"kind": "irregular", "switches": 16384, "ports": 128}),
        json!({"kind": "mesh", "sides": []}),
        json!({"kind": "mesh", "sides": [0, 4]}),
        json!({"kind": "torus", "sides": [4096, 4096, 4096, 4096, 4096, 4096]}),
        json!({"kind": "torus", "sides": [u32::MAX]}),
        json!({"kind": "torus", "ports": 11}),
        json!({"kind": "torus", "width": 0}),
        json!({"kind": "k-ary-n-tree", "arity": 64, "levels": 12}),
        json!({"kind": "k-ary-n-tree", "levels": 0}),
        json!({"kind": "bmin", "hosts": 65}),
        json!({"kind": "bmin", "ports": 7}),
        json!({"kind": "single", "hosts": 1}),
        json!({"kind": "single", "ports": 4}),
        json!({"kind": "ring", "switches": 0}),
        json!({"kind": "full", "switches": 130}),
        json!({"kind": "dragonfly", "groups": 10}),
        json!({"kind": "dragonfly", "switches_per_group": 128, "global_links_per_switch": 100}),
        json!({"kind": "star", "leaves": 128, "width": 2}),
        json!({"kind": "random-regular", "switches": 5, "degree": 3}),
        json!({"kind": "random-regular", "degree": 16}),
        json!({"kind": "random-regular", "degree": 1}),
        json!({"kind": "slim-fly", "q": 6}),
        json!({"kind": "slim-fly", "q": 2}),
        json!({"kind": "slim-fly", "q": 84}),
        json!({"kind": "slim-fly", "hosts_per_switch": 122}),
        json!({"kind": "hyperx", "sides": []}),
        json!({"kind": "hyperx", "sides": [129]}),
        json!({"kind": "hyperx", "sides": [100, 100]}),
        json!({"kind": "hyperx", "sides": [4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096]}),
        json!({"kind": "hyperx", "width": 22}),
        json!({"kind": "rail-optimised", "rails": 3}),
        json!({"kind": "rail-optimised", "rails": 1, "gpus_per_server": 64}),
        json!({"kind": "rail-optimised", "spines": 125}),
    ] {
        let problems = spec(document.clone()).generate().expect_err(&document.to_string());
        assert!(
            problems
                .0
                .iter()
                .all(|p| p.at.path().starts_with("network.generate") && !p.fix.is_empty()),
            "{problems}"
        );
    }
}

/// Any generator with any whole numbers, most of them small.
fn any_spec() -> impl Strategy<Value = Value> {
    let number =
        || prop_oneof![6 => 0u64..12, 2 => 0u64..130, 1 => any::<u32>().prop_map(u64::from)];
    (0..all().len(), prop::collection::vec(number(), 8)).prop_map(|(kind, numbers)| {
        let descriptor = &all()[kind];
        let mut document = json!({ "kind": descriptor.id });
        for (parameter, &number) in descriptor.parameters.iter().zip(&numbers) {
            document[parameter.id] = match parameter.kind {
                Kind::Integers { .. } => json!(numbers[5..5 + number as usize % 4]),
                _ => json!(number),
            };
        }
        document
    })
}

proptest! {
    #[test]
    fn parameters_either_build_or_are_refused(document in any_spec()) {
        let spec = spec(document);
        match spec.generate() {
            Ok(drawn) => {
                prop_assert_eq!(&drawn, &spec.generate().unwrap());
                check(&spec);
            }
            Err(problems) => prop_assert!(!problems.is_empty()),
        }
    }
}
