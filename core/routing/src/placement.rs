//! Where ITBs go by fixed rules: the set of transitions that need none.

use super::prepared_network::PreparedNetwork;
use crate::network::SwitchId;
use crate::random::stream;
use hopscope_scenario::routing::placements::Numbers;
use rand::seq::SliceRandom;

/// Transitions that routes may make without an ITB, and those they may make at all; both by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransitionSets {
    /// Made without an ITB.
    pub free: Vec<bool>,
    /// Free, or at a switch with hosts, where an ITB can be put in between.
    pub usable: Vec<bool>,
}

impl TransitionSets {
    /// Free ones as given; all others need an ITB, so they are usable where a host can hold one.
    pub fn with_itbs(prepared: &PreparedNetwork<'_>, free: Vec<bool>) -> Self {
        let network = prepared.network;
        let usable = prepared.transitions.where_(network, |x, y| {
            free[prepared.transitions.number(x, y)]
                || prepared.can_hold_itb(network.target_switch(x))
        });
        Self { free, usable }
    }

    /// The same set is free and usable: no ITBs.
    pub fn without_itbs(free: Vec<bool>) -> Self {
        Self { usable: free.clone(), free }
    }

    /// Keeps to the transitions an orientation allows. At a switch without hosts, which can hold no
    /// ITB, the orientation alone breaks the cycles, so the transition is free.
    pub fn only(&mut self, prepared: &PreparedNetwork<'_>, legal: &[bool]) {
        for (number, x, _) in prepared.transitions.iter(prepared.network) {
            let bare = !prepared.can_hold_itb(prepared.network.target_switch(x));
            self.usable[number] = legal[number];
            self.free[number] = legal[number] && (self.free[number] || bare);
        }
    }
}

/// The random numbers that switches draw for rules over numbers: a permutation.
pub fn numbers(prepared: &PreparedNetwork<'_>, seed: u64) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..prepared.switches() as u32).collect();
    numbers.shuffle(&mut stream(seed, "routing.rule", 0));
    numbers
}

/// Transitions that a rule over the numbers of switches leaves free. At a switch without hosts,
/// which can hold no ITB, the routes keep to the transitions of `hostless` (see
/// [`super::hostless`]).
pub fn free(
    prepared: &PreparedNetwork<'_>,
    rule: Numbers,
    numbers: &[u32],
    hostless: &[bool],
) -> Vec<bool> {
    let network = prepared.network;
    let number = |s: SwitchId| {
        if prepared.can_hold_itb(s) { i64::from(numbers[s.index()]) } else { rule.without_hosts }
    };
    prepared.transitions.where_(network, |x, y| {
        let at = network.target_switch(x);
        if !prepared.can_hold_itb(at) {
            return hostless[prepared.transitions.number(x, y)];
        }
        let (before, after) = (network.source_switch(x), network.target_switch(y));
        !(rule.needs_itb)(number(before), number(at), number(after))
    })
}
