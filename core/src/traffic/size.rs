//! Payload size distributions.

use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::engine::random::Pcg64Mcg;
use crate::scenario::SizeSpec;
use crate::scenario::limits::{MAX_MESSAGE_BYTES, PARETO_SHAPES};
use rand::RngExt;
use rand::distr::{Bernoulli, Distribution};
use rand_distr::Pareto;

#[derive(Debug, Clone)]
pub(super) enum Sizes {
    Fixed(u32),
    Range(u32, u32),
    Bimodal {
        short: u32,
        long: u32,
        short_share: Bernoulli,
    },
    /// Draws above `max` are repeated; validation keeps their share below 99 %.
    Pareto {
        distribution: Pareto<f64>,
        min: u32,
        max: u32,
        shape: f64,
    },
}

impl Sizes {
    pub fn new(spec: &SizeSpec) -> Self {
        match *spec {
            SizeSpec::Fixed { bytes } => Self::Fixed(bytes),
            SizeSpec::Range { min, max } => Self::Range(min, max),
            SizeSpec::Bimodal { short, long, short_share } => {
                let short_share = Bernoulli::new(short_share).expect("validated");
                Self::Bimodal { short, long, short_share }
            }
            SizeSpec::Pareto { min, max, .. } if min == max => Self::Fixed(min),
            SizeSpec::Pareto { min, max, shape } => {
                let distribution = Pareto::new(f64::from(min), shape).expect("validated");
                Self::Pareto { distribution, min, max, shape }
            }
        }
    }

    /// Mean payload, bytes.
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Fixed(bytes) => f64::from(bytes),
            Self::Range(min, max) => (f64::from(min) + f64::from(max)) / 2.0,
            Self::Bimodal { short, long, short_share } => {
                let share = short_share.p();
                share * f64::from(short) + (1.0 - share) * f64::from(long)
            }
            Self::Pareto { min, max, shape, .. } => {
                let (l, h, a) = (f64::from(min), f64::from(max), shape);
                if (a - 1.0).abs() < 1e-9 {
                    l * h / (h - l) * libm::log(h / l)
                } else {
                    let ratio = libm::pow(l / h, a);
                    libm::pow(l, a) / (1.0 - ratio)
                        * (a / (a - 1.0))
                        * (1.0 / libm::pow(l, a - 1.0) - 1.0 / libm::pow(h, a - 1.0))
                }
            }
        }
    }

    /// One payload, bytes.
    pub fn draw(&self, random: &mut Pcg64Mcg) -> u32 {
        match *self {
            Self::Fixed(bytes) => bytes,
            Self::Range(min, max) => random.random_range(min..=max),
            Self::Bimodal { short, long, short_share } => {
                if short_share.sample(random) {
                    short
                } else {
                    long
                }
            }
            Self::Pareto { distribution, max, .. } => loop {
                let size = distribution.sample(random);
                if size <= f64::from(max) {
                    return size as u32;
                }
            },
        }
    }
}

const fn bytes(id: &'static str, summary: &'static str, default: u64) -> Parameter {
    Parameter {
        id,
        summary,
        unit: "bytes",
        kind: Kind::Integer { default, min: 1, max: MAX_MESSAGE_BYTES as u64 },
    }
}

/// All size distributions.
pub fn all() -> &'static [Descriptor] {
    const ALL: &[Descriptor] = &[
        Descriptor {
            id: "fixed",
            name: "Fixed",
            summary: "all messages alike",
            parameters: &[bytes("bytes", "payload", 512)],
            citation: "",
            status: Status::Exact,
        },
        Descriptor {
            id: "range",
            name: "Range",
            summary: "uniform in a range",
            parameters: &[
                bytes("min", "smallest payload", 32),
                bytes("max", "largest payload", 512),
            ],
            citation: "",
            status: Status::Experimental,
        },
        Descriptor {
            id: "bimodal",
            name: "Bimodal",
            summary: "two sizes, such as 70 % of 32 B and 30 % of 512 B",
            parameters: &[
                bytes("short", "the short one", 32),
                bytes("long", "the long one", 512),
                Parameter {
                    id: "short_share",
                    summary: "share of short messages",
                    unit: "",
                    kind: Kind::Real { default: 0.7, min: 0.0, max: 1.0 },
                },
            ],
            citation: "Flich 2001",
            status: Status::Experimental,
        },
        Descriptor {
            id: "pareto",
            name: "Pareto",
            summary: "heavy-tailed between two bounds",
            parameters: &[
                bytes("min", "smallest payload", 64),
                bytes("max", "largest payload", 65536),
                Parameter {
                    id: "shape",
                    summary: "exponent; smaller is heavier-tailed",
                    unit: "",
                    kind: Kind::Real { default: 1.3, min: PARETO_SHAPES[0], max: PARETO_SHAPES[1] },
                },
            ],
            citation: "",
            status: Status::Experimental,
        },
    ];
    ALL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::stream;

    #[test]
    fn drawn_means_are_the_stated_means() {
        for spec in [
            SizeSpec::Fixed { bytes: 7 },
            SizeSpec::Range { min: 10, max: 30 },
            SizeSpec::Bimodal { short: 32, long: 512, short_share: 0.7 },
            SizeSpec::Pareto { min: 64, max: 4096, shape: 1.3 },
            SizeSpec::Pareto { min: 64, max: 4096, shape: 1.0 },
            SizeSpec::Pareto { min: 100, max: 400, shape: 0.05 },
            SizeSpec::Pareto { min: 64, max: 64, shape: 1.0 },
        ] {
            let sizes = Sizes::new(&spec);
            let mut random = stream(5, "size", 0);
            let n = 200_000;
            let sum: u64 = (0..n).map(|_| u64::from(sizes.draw(&mut random))).sum();
            let mean = sum as f64 / f64::from(n);
            assert!(
                (mean / sizes.mean() - 1.0).abs() < 0.02,
                "{spec:?}: {mean} against {}",
                sizes.mean()
            );
        }
    }
}
