//! Slim Fly on McKay-Miller-Širáň graphs (Besta, Hoefler 2014, section II-B): diameter 2 with
//! nearly as few links per switch as is possible.
//!
//! For a prime power `q = 4w + d` with `d` in {-1, 0, 1}, two sets of `q * q` switches are numbered
//! by pairs of elements of the field of `q` elements. With the generator sets `X` and `X'`, made of
//! powers of a primitive element, switches are linked as follows:
//!
//! - `(0, x, y)` and `(0, x, y')` if `y - y'` is in `X`,
//! - `(1, m, c)` and `(1, m, c')` if `c - c'` is in `X'`,
//! - `(0, x, y)` and `(1, m, c)` if `y = m * x + c`.
//!
//! Every switch has `(3q - d) / 2` links. The sets for `d = 1` are the even and the odd powers, as
//! in the paper; those for `d = 0` and `d = -1` are of Hafner (2004).

use super::wiring::{Wiring, circle_position};
use super::{AT, Generator, PORTS, Size, hosts_per_switch, messages};
use crate::catalogue::{Descriptor, Parameter, Status};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use serde::{Deserialize, Serialize};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "slim-fly",
    name: "Slim Fly",
    summary: "2q^2 switches of (3q-d)/2 links, any two of them at most two hops apart",
    parameters: &[
        Parameter::integer("q", "q: a prime power of the form 4w-1, 4w or 4w+1", "", (5, 3, 83)),
        hosts_per_switch(4),
        PORTS,
    ],
    citation: "M. Besta, T. Hoefler, Slim Fly, SC 2014",
    status: Status::Exact,
};

/// Parameters of the Slim Fly generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SlimFly {
    /// q: order of the finite field, a prime power.
    pub q: u32,
    /// Hosts on every switch; a full bisection needs half as many as links.
    pub hosts_per_switch: u32,
    /// Ports of every switch; 0 for as many as are needed.
    pub ports: u32,
}

impl Default for SlimFly {
    fn default() -> Self {
        Self { q: 5, hosts_per_switch: 4, ports: 0 }
    }
}

/// The finite field of `q = prime^k` elements. An element is a number whose digits in base `prime`
/// are the coefficients of a polynomial, the constant one last.
struct Field {
    prime: u32,
    /// Powers of a primitive element, from power 0.
    powers: Vec<u32>,
    /// The power of each element but 0.
    logarithms: Vec<u32>,
}

impl Field {
    /// `None` if `q` is no prime power.
    fn new(q: u32) -> Option<Self> {
        let prime = (2..=q).find(|divisor| q.is_multiple_of(*divisor))?;
        let mut rest = q;
        while rest.is_multiple_of(prime) {
            rest /= prime;
        }
        if rest != 1 {
            return None;
        }
        // There is a primitive polynomial: its root `x` has all elements but 0 as powers. Its
        // constant coefficient is not 0.
        let mut tails = (1..q).filter(|tail| !tail.is_multiple_of(prime));
        let powers = tails.find_map(|tail| Self::powers_of_x(prime, q, tail))?;
        let mut logarithms = vec![0; q as usize];
        for (&element, power) in powers.iter().zip(0..) {
            logarithms[element as usize] = power;
        }
        Some(Self { prime, powers, logarithms })
    }

    /// The powers of `x` where `x^k = tail`; `None` unless they are all elements but 0.
    fn powers_of_x(prime: u32, q: u32, tail: u32) -> Option<Vec<u32>> {
        let mut powers = vec![1];
        let mut element = 1;
        for _ in 1..q - 1 {
            // The product has one more digit, which stands for so many times the tail.
            let product = element * prime;
            element = product % q;
            for _ in 0..product / q {
                element = digits(prime, element, tail, |a, b| a + b);
            }
            if element <= 1 {
                return None;
            }
            powers.push(element);
        }
        Some(powers)
    }

    fn difference(&self, a: u32, b: u32) -> u32 {
        digits(self.prime, a, b, |a, b| a + self.prime - b)
    }

    fn product(&self, a: u32, b: u32) -> u32 {
        if a == 0 || b == 0 {
            return 0;
        }
        let power = (self.logarithms[a as usize] + self.logarithms[b as usize]) as usize;
        self.powers[power % self.powers.len()]
    }

    /// The generator sets `X` and `X'`: for each element whether it is in the set.
    fn generator_sets(&self) -> [Vec<bool>; 2] {
        let order = self.powers.len();
        let q = order + 1;
        let mut sets = [vec![false; q], vec![false; q]];
        // Powers of one parity, and for q = 4w - 1 also their negatives: -1 is the power (q - 1)/2,
        // which is odd.
        let count = if q % 4 == 3 { q.div_ceil(4) } else { q / 2 };
        for (parity, set) in sets.iter_mut().enumerate() {
            for i in 0..count {
                let power = 2 * i + parity;
                set[self.powers[power % order] as usize] = true;
                if q % 4 == 3 {
                    set[self.powers[(power + order / 2) % order] as usize] = true;
                }
            }
        }
        sets
    }
}

/// Two elements digit by digit, each result modulo `prime`.
fn digits(prime: u32, mut a: u32, mut b: u32, combine: impl Fn(u32, u32) -> u32) -> u32 {
    let (mut result, mut weight) = (0, 1);
    while a > 0 || b > 0 {
        result += combine(a % prime, b % prime) % prime * weight;
        (a, b, weight) = (a / prime, b / prime, weight * prime);
    }
    result
}

impl SlimFly {
    /// Links of every switch: (3q - d) / 2.
    fn degree(&self) -> u32 {
        let d = match self.q % 4 {
            1 => 1,
            3 => -1,
            _ => 0,
        };
        (3 * self.q).wrapping_add_signed(-d) / 2
    }
}

impl Generator for SlimFly {
    fn size(&self) -> Size {
        let (q, degree) = (u64::from(self.q), u64::from(self.degree()));
        Size {
            switches: 2 * q * q,
            hosts: 2 * q * q * u64::from(self.hosts_per_switch),
            links: q * q * degree,
            ports: u64::from(self.hosts_per_switch) + degree,
            ports_given: self.ports,
        }
    }

    fn check_relations(&self, problems: &mut Problems) {
        let is_prime_power = |q: &u32| Field::new(*q).is_some();
        if !is_prime_power(&self.q) {
            let below = (3..self.q).rev().find(is_prime_power).unwrap_or(3);
            let above = (self.q..=83).find(is_prime_power).unwrap_or(below);
            problems.add(
                format!("{AT}.q"),
                messages::slim_fly_no_prime_power(self.q),
                messages::slim_fly_use_prime_power(below, above),
            );
        }
    }

    fn wire(&self) -> Result<DrawnNetwork, Problems> {
        let q = self.q;
        let Some(field) = Field::new(q) else {
            unreachable!("checked before");
        };
        let sets = field.generator_sets();
        let mut wiring = Wiring::default();
        // Switches with the same first element are neighbours on a circle, the two halves on
        // circles around each other.
        let number = |half: u32, a: u32, b: u32| (half * q + a) * q + b;
        for half in 0..2 {
            let scale = if half == 0 { 1.0 } else { 0.6 };
            for i in 0..q * q {
                wiring.switch(
                    self.hosts_per_switch,
                    Some(circle_position(i, q * q).map(|x| x * scale)),
                );
            }
        }
        for (half, set) in (0..2).zip(&sets) {
            for a in 0..q {
                for b in 0..q {
                    for c in b + 1..q {
                        if set[field.difference(b, c) as usize] {
                            wiring.link(number(half, a, b), number(half, a, c), 1);
                        }
                    }
                }
            }
        }
        for x in 0..q {
            for m in 0..q {
                let product = field.product(m, x);
                for y in 0..q {
                    let c = field.difference(y, product);
                    wiring.link(number(0, x, y), number(1, m, c), 1);
                }
            }
        }
        Ok(wiring.finish(self.ports))
    }
}
