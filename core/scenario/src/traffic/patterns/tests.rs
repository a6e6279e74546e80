use super::*;
use crate::network::generators::GeneratorSpec;
use crate::random::stream;
use crate::scenario::NetworkSpec;
use crate::traffic::goodness::check_chi_square;
use serde_json::json;

/// A network of 16 hosts, on which every pattern is possible.
fn network() -> Network {
    let spec = GeneratorSpec::with_id("ring").expect("a generator");
    NetworkSpec::Generate(spec).build().expect("a network")
}

/// Every pattern, with the defaults of its descriptor, and examples where there are none.
fn patterns() -> Vec<PatternSpec> {
    let with_defaults = |member: &Descriptor| {
        let mut spec = json!({ "kind": member.id });
        for parameter in member.parameters {
            spec[parameter.id] = parameter.kind.default_value();
        }
        match member.id {
            "pairs" => spec["pairs"] = json!([[0, 5], [3, 1]]),
            "combined" => spec["patterns"] = json!([{ "kind": "shuffle" }, { "kind": "uniform" }]),
            _ => {}
        }
        serde_json::from_value(spec).expect("the descriptor names the fields")
    };
    all().iter().map(with_defaults).collect()
}

#[test]
fn no_host_sends_to_itself_or_to_a_host_that_does_not_exist() {
    let network = network();
    let hosts = network.hosts().len() as u32;
    for pattern in patterns() {
        let mut problems = Problems::default();
        pattern.check(&network, "pattern", &mut problems);
        assert!(problems.is_empty(), "{pattern:?}: {problems:?}");
        let destinations = pattern.destinations(&network);
        let mut random = stream(1, "t", 0);
        let sending: Vec<u32> = (0..hosts).filter(|&host| destinations.sends(host)).collect();
        assert!(!sending.is_empty(), "{pattern:?}");
        for from in sending {
            for _ in 0..50 {
                let to = destinations.draw(from, &mut random);
                assert!(to != from && to < hosts, "{pattern:?}: {from} to {to}");
            }
        }
    }
}

/// A pattern without parameters on this network: the host to which each of these sends.
fn destinations_of<const N: usize>(id: &str, network: &Network, sources: [u32; N]) -> [u32; N] {
    let destinations = PatternSpec::with_id(id).expect("a pattern").destinations(network);
    sources.map(|host| {
        assert!(destinations.sends(host), "{id}: {host}");
        destinations.draw(host, &mut stream(1, "t", 0))
    })
}

#[test]
fn fixed_patterns_send_where_their_definitions_say() {
    let network = network();
    // In bits: 0001, 0011 and 1101.
    for (id, expected) in [
        ("bit-reversal", [0b1000, 0b1100, 0b1011]),
        ("bit-complement", [0b1110, 0b1100, 0b0010]),
        ("transpose", [0b0100, 0b1100, 0b0111]),
        ("shuffle", [0b0010, 0b0110, 0b1011]),
        ("neighbour", [2, 4, 14]),
        // 7 hosts ahead.
        ("tornado", [8, 10, 4]),
    ] {
        assert_eq!(destinations_of(id, &network, [1, 3, 13]), expected, "{id}");
    }
    let odd: GeneratorSpec =
        serde_json::from_value(json!({ "kind": "single", "hosts": 15 })).expect("a generator");
    let odd = NetworkSpec::Generate(odd).build().expect("a network");
    assert_eq!(destinations_of("tornado", &odd, [1, 13, 14]), [8, 5, 6]);
    assert_eq!(destinations_of("neighbour", &odd, [1, 13, 14]), [2, 14, 0]);
}

#[test]
fn every_pattern_tells_which_hosts_send() {
    // Hosts 0 and 1 have neighbours within a hop, hosts 2 and 3 share a switch, host 4 has none.
    let switches: Vec<_> = (0..8).map(|_| json!({ "ports": 8 })).collect();
    let links: Vec<_> = (1..8).map(|i| json!({ "a": [i - 1, 0], "b": [i, 1] })).collect();
    let hosts: Vec<_> = [0, 1, 3, 3, 7].map(|switch| json!({ "switch": switch })).into();
    let spec = json!({ "switches": switches, "links": links, "hosts": hosts });
    let line = serde_json::from_value::<NetworkSpec>(spec).expect("a line").build();
    let line = line.expect("it can be built");
    let local = |distance: u32| json!({ "kind": "local", "distance": distance });
    let pairs = json!({ "kind": "pairs", "pairs": [[4, 0]] });
    let several = json!({ "kind": "combined", "patterns": [pairs, local(1)] });
    for (spec, count) in
        [(local(0), 2), (local(1), 4), (local(3), 4), (local(4), 5), (pairs, 1), (several, 5)]
    {
        let pattern: PatternSpec = serde_json::from_value(spec).expect("a pattern");
        assert_eq!(pattern.sends(&line).iter().filter(|&&sends| sends).count(), count);
        check_sends(&pattern, &line);
    }
    patterns().iter().for_each(|pattern| check_sends(pattern, &network()));
}

#[test]
fn a_local_pattern_needs_two_hosts_within_its_distance() {
    // A ring of 8 switches with hosts at 0 and 5, which are three hops apart, through 6 and 7.
    let switches: Vec<_> = (0..8).map(|_| json!({ "ports": 8 })).collect();
    let links: Vec<_> = (0..8).map(|i| json!({ "a": [i, 0], "b": [(i + 1) % 8, 1] })).collect();
    let hosts: Vec<_> = [0, 5].map(|switch| json!({ "switch": switch })).into();
    let spec = json!({ "switches": switches, "links": links, "hosts": hosts });
    let ring = serde_json::from_value::<NetworkSpec>(spec).expect("a ring").build();
    let ring = ring.expect("it can be built");
    for (distance, suits) in [(0, false), (2, false), (3, true), (8, true)] {
        let spec = json!({ "kind": "local", "distance": distance });
        let pattern: PatternSpec = serde_json::from_value(spec).expect("a pattern");
        let mut problems = Problems::default();
        pattern.check(&ring, "pattern", &mut problems);
        assert_eq!(problems.is_empty(), suits, "{distance}");
        check_sends(&pattern, &ring);
    }
}

/// Checks that a pattern lets those hosts send that its destinations let send.
fn check_sends(pattern: &PatternSpec, network: &Network) {
    let destinations = pattern.destinations(network);
    let listed = pattern.listed_senders();
    for (host, sends) in (0..).zip(pattern.sends(network)) {
        assert_eq!(sends, destinations.sends(host), "host {host} of {pattern:?}");
        let is_listed = listed.as_ref().map(|listed| listed.contains(&host));
        assert_eq!(is_listed.unwrap_or(sends), sends, "host {host} of {pattern:?}");
    }
}

#[test]
fn a_new_numbering_of_the_hosts_keeps_every_pattern_valid() {
    let network = network();
    let reversed: BTreeMap<u32, u32> = (0..16).map(|host| (host, 15 - host)).collect();
    for mut pattern in patterns() {
        pattern.renumber(&reversed);
        let mut problems = Problems::default();
        pattern.check(&network, "pattern", &mut problems);
        assert!(problems.is_empty(), "{pattern:?}: {problems:?}");
        let twice = {
            let mut twice = pattern.clone();
            twice.renumber(&reversed);
            twice.renumber(&reversed);
            twice
        };
        assert_eq!(twice, pattern);
    }
}

#[test]
fn hosts_of_patterns_get_their_new_numbers() {
    let with_hosts = |hot: u32, pairs: &[[u32; 2]]| -> PatternSpec {
        let patterns = json!({ "kind": "combined", "patterns": [
            { "kind": "hotspot", "host": hot, "share": 0.5 },
            { "kind": "pairs", "pairs": pairs } ] });
        serde_json::from_value(patterns).expect("a pattern")
    };
    let renumbered = |hosts: &BTreeMap<u32, u32>| {
        let mut pattern = with_hosts(0, &[[0, 5], [3, 1]]);
        pattern.renumber(hosts);
        pattern
    };
    let mut hosts: BTreeMap<u32, u32> = (0..16).map(|host| (host, 15 - host)).collect();
    assert_eq!(renumbered(&hosts), with_hosts(15, &[[15, 10], [12, 14]]));
    hosts.remove(&5);
    assert_eq!(renumbered(&hosts), with_hosts(15, &[[12, 14]]));
    hosts.remove(&0);
    assert_eq!(renumbered(&hosts), with_hosts(0, &[[12, 14]]));
}

#[test]
fn a_combined_pattern_draws_among_those_in_which_a_host_sends() {
    let network = network();
    let combined: PatternSpec = serde_json::from_value(json!({ "kind": "combined", "patterns": [
        { "kind": "bit-reversal" }, { "kind": "pairs", "pairs": [[0, 1]] } ] }))
    .unwrap();
    let destinations = combined.destinations(&network);
    let mut random = stream(1, "t", 0);
    // Bit reversal sends host 0 to itself, and the pairs have no other sender.
    assert!(destinations.sends(0) && !destinations.sends(15));
    assert!((0..50).all(|_| destinations.draw(0, &mut random) == 1));
}

#[test]
fn uniform_reaches_all_others_alike() {
    let mut random = stream(1, "t", 0);
    let mut count = [0_u32; 5];
    for _ in 0..40_000 {
        count[uniform::any_other(2, 5, &mut random) as usize] += 1;
    }
    assert_eq!(count[2], 0);
    assert!([0, 1, 3, 4].iter().all(|&h| count[h].abs_diff(10_000) < 400), "{count:?}");
}

#[test]
fn the_chances_of_every_pattern_are_those_of_its_draws() {
    let network = network();
    let hosts = network.hosts().len();
    let combined = json!({ "kind": "combined", "patterns": [{ "kind": "hotspot", "host": 3,
        "share": 0.4 }, { "kind": "pairs", "pairs": [[0, 5], [5, 6]] }, { "kind": "local",
        "distance": 1 }] });
    let nested = json!({ "kind": "combined", "patterns": [combined, { "kind": "neighbour" }] });
    let all_hot = json!({ "kind": "hotspot", "host": 3, "share": 1.0 });
    let none_hot = json!({ "kind": "hotspot", "host": 3, "share": 0.0 });
    let more = [combined.clone(), nested, all_hot, none_hot];
    let more = more.map(|spec| serde_json::from_value(spec).unwrap());
    for pattern in patterns().into_iter().chain(more) {
        let destinations = pattern.destinations(&network);
        for from in (0..hosts as u32).filter(|&host| destinations.sends(host)) {
            let mut chances = vec![0.0; hosts];
            destinations.add_chances(from, 1.0, &mut chances);
            let mut counts = vec![0; hosts];
            let mut random = stream(7, "chances", from.into());
            (0..40_000).for_each(|_| counts[destinations.draw(from, &mut random) as usize] += 1);
            assert_eq!(chances[from as usize], 0.0, "{pattern:?}");
            for (to, &chance) in (0..).zip(&chances) {
                let can = destinations.can_draw(from, to);
                assert_eq!(can, chance > 0.0, "{pattern:?}: {from} to {to}");
            }
            // Hosts that are never drawn have no chance.
            let (counts, chances): (Vec<u64>, Vec<f64>) = counts
                .into_iter()
                .zip(chances)
                .filter(|&(n, chance)| n > 0 || chance > 0.0)
                .unzip();
            match chances.as_slice() {
                [one] => assert!((one - 1.0).abs() < 1e-9, "{pattern:?}: {one}"),
                several => check_chi_square(&counts, several),
            }
        }
    }
}

#[test]
fn chances_are_weighted_and_added() {
    let destinations = PatternSpec::default().destinations(&network());
    let mut chances = vec![1.0; 16];
    destinations.add_chances(2, 3.0, &mut chances);
    assert!((chances.iter().sum::<f64>() - 19.0).abs() < 1e-9);
    assert_eq!((chances[2], chances[3]), (1.0, 1.2));
}
