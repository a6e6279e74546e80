//! The switches that routes begin and end at, and numbers for the ordered pairs of them. Tables of
//! pairs have no rows for other switches, of which a fat tree has many.

use crate::network::{Network, SwitchId};

/// Place of a switch without one.
const NONE: u32 = u32::MAX;

/// Some switches of a network, in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ends {
    switches: Vec<SwitchId>,
    /// Per switch of the network: its place in `switches`, or [`NONE`].
    place: Vec<u32>,
}

impl Ends {
    /// The switches with hosts; all, if no switch has one.
    pub fn of(network: &Network) -> Self {
        let all = (0..network.switches().len()).map(SwitchId::new);
        let has_hosts = |&s: &SwitchId| !network.hosts_of(s).is_empty();
        let switches: Vec<SwitchId> = match network.hosts().is_empty() {
            true => all.collect(),
            false => all.filter(has_hosts).collect(),
        };
        let mut place = vec![NONE; network.switches().len()];
        for (number, switch) in switches.iter().enumerate() {
            place[switch.index()] = number as u32;
        }
        Self { switches, place }
    }

    /// The switches.
    pub fn switches(&self) -> &[SwitchId] {
        &self.switches
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.switches.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.switches.is_empty()
    }

    /// True if a switch is among them.
    pub fn contains(&self, switch: SwitchId) -> bool {
        self.place(switch).is_some()
    }

    /// The place of a switch among them.
    #[inline]
    pub fn place(&self, switch: SwitchId) -> Option<usize> {
        self.place.get(switch.index()).filter(|&&place| place != NONE).map(|&place| place as usize)
    }

    /// The number of a pair: pairs are numbered by the first switch, then by the second.
    #[inline]
    pub fn pair(&self, first: SwitchId, second: SwitchId) -> Option<usize> {
        Some(self.place(first)? * self.len() + self.place(second)?)
    }

    /// All pairs in the order of their numbers, those of a switch with itself included.
    pub fn pairs(&self) -> impl Iterator<Item = (SwitchId, SwitchId)> + '_ {
        let seconds = |&a: &SwitchId| self.switches.iter().map(move |&b| (a, b));
        self.switches.iter().flat_map(seconds)
    }

    /// The pair with a number.
    pub fn of_number(&self, pair: usize) -> (SwitchId, SwitchId) {
        (self.switches[pair / self.len()], self.switches[pair % self.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::NetworkSpec;

    #[test]
    fn only_switches_with_hosts_have_pairs() {
        let text = r#"{ "generate": { "kind": "k-ary-n-tree", "arity": 2, "levels": 3 } }"#;
        let network = serde_json::from_str::<NetworkSpec>(text).unwrap().build().unwrap();
        let ends = Ends::of(&network);
        assert_eq!((network.switches().len(), ends.len()), (12, 4));
        for (number, pair) in ends.pairs().enumerate() {
            assert_eq!(ends.pair(pair.0, pair.1), Some(number));
            assert_eq!(ends.of_number(number), pair);
        }
        let without = (0..12).map(SwitchId::new).find(|&s| !ends.contains(s)).unwrap();
        assert_eq!(ends.pair(without, ends.switches()[0]), None);
        assert_eq!(ends.pair(ends.switches()[0], without), None);
        assert_eq!(ends.place(SwitchId(99)), None);
    }
}
