//! Destination patterns: to which host each message goes.

use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::engine::random::{Pcg64Mcg, stream};
use crate::network::{Network, SwitchId};
use crate::scenario::PatternSpec;
use crate::scenario::limits::{MAX_HOSTS, MAX_LOCAL_DISTANCE};
use rand::RngExt;
use rand::distr::{Bernoulli, Distribution};
use rand::seq::{IndexedRandom, SliceRandom};
use std::collections::VecDeque;

/// A pattern prepared for a network.
#[derive(Debug, Clone)]
pub(super) enum Destinations {
    Uniform {
        hosts: u32,
    },
    /// The destination of each host; a host that does not send has itself.
    Fixed(Vec<u32>),
    Hotspot {
        hosts: u32,
        hot: u32,
        share: Bernoulli,
    },
    /// The hosts near each switch, and the switch of each host.
    Local {
        near: Vec<Vec<u32>>,
        switch: Vec<u32>,
    },
    Combined(Vec<Destinations>),
}

impl Destinations {
    pub fn new(spec: &PatternSpec, network: &Network) -> Self {
        let hosts = network.hosts().len() as u32;
        let bits = hosts.max(1).ilog2();
        let fixed = |to: &dyn Fn(u32) -> u32| Self::Fixed((0..hosts).map(to).collect());
        match spec {
            PatternSpec::Uniform => Self::Uniform { hosts },
            PatternSpec::Local { distance } => Self::local(network, *distance),
            PatternSpec::Hotspot { host, share } => {
                let share = Bernoulli::new(*share).expect("validated");
                Self::Hotspot { hosts, hot: *host, share }
            }
            PatternSpec::BitReversal => {
                fixed(&|h| if bits == 0 { h } else { h.reverse_bits() >> (32 - bits) })
            }
            PatternSpec::BitComplement => fixed(&|h| !h & (hosts - 1)),
            PatternSpec::Transpose => {
                let half = bits / 2;
                fixed(&|h| (h >> half) | ((h & ((1 << half) - 1)) << (bits - half)))
            }
            PatternSpec::Shuffle => {
                fixed(&|h| if bits == 0 { h } else { ((h << 1) | (h >> (bits - 1))) & (hosts - 1) })
            }
            PatternSpec::Neighbour => fixed(&|h| (h + 1) % hosts),
            PatternSpec::Permutation { seed } => Self::Fixed(derangement(hosts, *seed)),
            PatternSpec::Pairs { pairs } => {
                let mut to: Vec<u32> = (0..hosts).collect();
                for &(from, dst) in pairs {
                    to[from as usize] = dst;
                }
                Self::Fixed(to)
            }
            PatternSpec::Combined { patterns } => {
                Self::Combined(patterns.iter().map(|p| Self::new(p, network)).collect())
            }
        }
    }

    fn local(network: &Network, distance: u32) -> Self {
        let near = (0..network.switches().len())
            .map(|s| {
                let mut hops = vec![u32::MAX; network.switches().len()];
                hops[s] = 0;
                let mut queue = VecDeque::from([SwitchId::new(s)]);
                while let Some(at) = queue.pop_front() {
                    for &(_, next) in network.neighbours(at) {
                        if hops[next.index()] == u32::MAX {
                            hops[next.index()] = hops[at.index()] + 1;
                            queue.push_back(next);
                        }
                    }
                }
                let hosts = network.hosts().iter().enumerate();
                hosts
                    .filter(|(_, h)| hops[h.switch.index()] <= distance)
                    .map(|(i, _)| i as u32)
                    .collect()
            })
            .collect();
        Self::Local { near, switch: network.hosts().iter().map(|h| h.switch.0).collect() }
    }

    /// Whether a host sends at all under this pattern.
    pub fn sends(&self, host: u32) -> bool {
        match self {
            Self::Fixed(to) => to[host as usize] != host,
            Self::Local { near, switch } => near[switch[host as usize] as usize].len() > 1,
            Self::Combined(patterns) => patterns.iter().any(|p| p.sends(host)),
            Self::Uniform { hosts } | Self::Hotspot { hosts, .. } => *hosts > 1,
        }
    }

    /// A destination for a message of `from`, a host that [sends](Self::sends).
    pub fn draw(&self, from: u32, random: &mut Pcg64Mcg) -> u32 {
        match self {
            Self::Uniform { hosts } => uniform(from, *hosts, random),
            Self::Fixed(to) => to[from as usize],
            Self::Hotspot { hosts, hot, share } => {
                if from != *hot && share.sample(random) {
                    *hot
                } else {
                    uniform(from, *hosts, random)
                }
            }
            Self::Local { near, switch } => {
                let near = &near[switch[from as usize] as usize];
                // `from` is one of them: draw among the others.
                let own = near.binary_search(&from).unwrap_or(near.len() - 1);
                let pick = random.random_range(0..near.len() - 1);
                near[if pick >= own { pick + 1 } else { pick }]
            }
            Self::Combined(patterns) => {
                let sending: Vec<&Self> = patterns.iter().filter(|p| p.sends(from)).collect();
                sending.choose(random).expect("the host sends").draw(from, random)
            }
        }
    }
}

/// Any host but `from`.
fn uniform(from: u32, hosts: u32, random: &mut Pcg64Mcg) -> u32 {
    let pick = random.random_range(0..hosts - 1);
    if pick >= from { pick + 1 } else { pick }
}

/// A random permutation without fixed points: all hosts in one cycle, each cycle as likely.
fn derangement(hosts: u32, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..hosts).collect();
    order.shuffle(&mut stream(seed, "permutation", 0));
    let mut to = vec![0; order.len()];
    for (&from, &next) in order.iter().zip(order.iter().cycle().skip(1)) {
        to[from as usize] = next;
    }
    to
}

const fn plain(id: &'static str, name: &'static str, summary: &'static str) -> Descriptor {
    Descriptor { id, name, summary, parameters: &[], citation: "", status: Status::Exact }
}

/// All destination patterns.
pub fn all() -> &'static [Descriptor] {
    const ALL: &[Descriptor] = &[
        plain("uniform", "Uniform", "every other host with equal chance"),
        Descriptor {
            parameters: &[Parameter {
                id: "distance",
                summary: "farthest switch",
                unit: "switch hops",
                kind: Kind::Integer { default: 3, min: 0, max: MAX_LOCAL_DISTANCE as u64 },
            }],
            ..plain("local", "Local", "uniform over hosts near the sender")
        },
        Descriptor {
            parameters: &[
                Parameter {
                    id: "host",
                    summary: "the hot host",
                    unit: "",
                    kind: Kind::Integer { default: 0, min: 0, max: MAX_HOSTS as u64 - 1 },
                },
                Parameter {
                    id: "share",
                    summary: "share of messages it gets",
                    unit: "",
                    kind: Kind::Real { default: 0.05, min: 0.0, max: 1.0 },
                },
            ],
            ..plain("hotspot", "Hot spot", "a share of all messages to one host, the rest uniform")
        },
        plain(
            "bit-reversal",
            "Bit reversal",
            "the host number's bits reversed; a power of two hosts",
        ),
        plain(
            "bit-complement",
            "Bit complement",
            "the host number's bits inverted; a power of two hosts",
        ),
        plain(
            "transpose",
            "Transpose",
            "halves of the host number's bits swapped; an even power of two hosts",
        ),
        plain("shuffle", "Perfect shuffle", "the host number's bits rotated; a power of two hosts"),
        plain("neighbour", "Neighbour", "the next host"),
        Descriptor {
            parameters: &[Parameter {
                id: "seed",
                summary: "seed of the permutation",
                unit: "",
                kind: Kind::Integer { default: 1, min: 0, max: u64::MAX },
            }],
            ..plain("permutation", "Permutation", "each host sends to one other, drawn once")
        },
        plain("pairs", "Pairs", "a given list of senders and receivers"),
        plain(
            "combined",
            "Combined",
            "each message draws one of several patterns, of those in which its host sends",
        ),
    ];
    ALL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    #[test]
    fn permutations_have_no_fixed_point_and_reach_all() {
        for hosts in 2..40 {
            let mut to = derangement(hosts, 3);
            assert!(to.iter().enumerate().all(|(i, &t)| i as u32 != t));
            to.sort_unstable();
            assert_eq!(to, (0..hosts).collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_message_of_a_combined_pattern_goes_to_its_own_host() {
        let scenario = Scenario::parse(
            r#"{ "hopscope": 1, "network": { "generate": { "kind": "ring", "switches": 4 } },
                 "traffic": [{ "load": 0.1, "pattern": { "kind": "combined", "patterns": [
                    { "kind": "bit-reversal" }, { "kind": "pairs", "pairs": [[0, 1]] } ] } }] }"#,
        )
        .unwrap();
        let network = scenario.network.build().unwrap();
        let destinations = Destinations::new(&scenario.traffic[0].pattern, &network);
        let mut random = stream(1, "t", 0);
        let hosts = network.hosts().len() as u32;
        // Bit reversal sends host 0 to itself, and the pairs have no other sender.
        let sending: Vec<u32> = (0..hosts).filter(|&host| destinations.sends(host)).collect();
        assert!(sending.contains(&0) && !sending.contains(&(hosts - 1)), "{sending:?}");
        for &from in &sending {
            assert!((0..50).all(|_| destinations.draw(from, &mut random) != from), "{from}");
        }
    }

    #[test]
    fn uniform_reaches_all_others_alike() {
        let mut random = stream(1, "t", 0);
        let mut count = [0_u32; 5];
        for _ in 0..40_000 {
            count[uniform(2, 5, &mut random) as usize] += 1;
        }
        assert_eq!(count[2], 0);
        assert!([0, 1, 3, 4].iter().all(|&h| count[h].abs_diff(10_000) < 400), "{count:?}");
    }
}
