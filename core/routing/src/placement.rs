//! Where ITBs go by fixed rules: the set of transitions that need none.

use super::prepared_network::PreparedNetwork;
use crate::network::SwitchId;
use crate::random::stream;
use crate::scenario::Placement;
use rand::seq::SliceRandom;

/// Transitions that routes may make without an ITB, and those they may make at all; both by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turns {
    /// Made without an ITB.
    pub free: Vec<bool>,
    /// Free, or at a switch with hosts, where an ITB can be put in between.
    pub usable: Vec<bool>,
}

impl Turns {
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

/// The random numbers switches draw for the rules B33, B50 and B66: a permutation.
pub fn numbers(prepared: &PreparedNetwork<'_>, seed: u64) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..prepared.switches() as u32).collect();
    numbers.shuffle(&mut stream(seed, "routing.rule", 0));
    numbers
}

/// Transitions a B rule leaves free when every switch has hosts: with a, b, c the numbers of
/// consecutive switches, B33 puts an ITB where b > a and b > c, B50 where b < c, B66 where b > a or
/// b > c, and `Every` at all (Flich 2001, chapter 5). Each breaks every cycle, since a cycle has a
/// largest number and an ascent.
///
/// A switch without hosts can hold no ITB. There the routes keep to the transitions of `hostless`
/// (see [`super::hostless`]). Beside switches with hosts such a switch has a lower number than all
/// of them (a higher one for B50), so the argument still holds.
pub fn rule(
    prepared: &PreparedNetwork<'_>,
    placement: Placement,
    numbers: &[u32],
    hostless: &[bool],
) -> Vec<bool> {
    let network = prepared.network;
    let number = |s: SwitchId| match (prepared.can_hold_itb(s), placement) {
        (true, _) => i64::from(numbers[s.index()]),
        (false, Placement::B50) => i64::MAX,
        (false, _) => -1,
    };
    prepared.transitions.where_(network, |x, y| {
        let (at, to) = (network.target_switch(x), network.target_switch(y));
        if !prepared.can_hold_itb(at) {
            return hostless[prepared.transitions.number(x, y)];
        }
        let (a, b, c) = (number(network.source_switch(x)), number(at), number(to));
        match placement {
            Placement::B33 => !(b > a && b > c),
            Placement::B50 => b >= c,
            Placement::B66 => b <= a && b <= c,
            _ => false,
        }
    })
}
