//! Deficit table of Advanced Switching, after section 4 of Martínez et al., Providing Quality of
//! Service over Advanced Switching.

use super::{Choice, Head, Scheduler, cyclic_after, ready_after};

pub struct AdvancedSwitchingTable {
    table: Vec<usize>,
    mtu: u32,
    /// The entry in service; the last one at first.
    entry: usize,
    accumulated_weight: u32,
    /// Of each virtual channel.
    deficit_counter: Vec<u32>,
    last_unlisted: usize,
    unlisted_before: bool,
}

impl AdvancedSwitchingTable {
    pub fn new(table: &[u8], mtu: u32, lanes: usize) -> Self {
        Self {
            table: table.iter().map(|&lane| lane.into()).collect(),
            mtu,
            entry: table.len() - 1,
            accumulated_weight: 0,
            deficit_counter: vec![0; 32],
            last_unlisted: lanes - 1,
            unlisted_before: false,
        }
    }
}

impl Scheduler for AdvancedSwitchingTable {
    fn choose(&mut self, lanes: &[Option<Head>], _now: u64) -> Choice {
        let active = |lane: usize| lanes.get(lane).copied().flatten();
        if !self.table.iter().any(|&lane| active(lane).is_some()) {
            self.last_unlisted = ready_after(self.last_unlisted, lanes)[0].0;
            self.unlisted_before = true;
            return Choice { lane: self.last_unlisted, goes_on: false };
        }
        let mut goes_on = !std::mem::take(&mut self.unlisted_before);
        loop {
            let selected = self.table[self.entry];
            match active(selected) {
                Some(head) if head.credits <= self.accumulated_weight => {
                    self.accumulated_weight -= head.credits;
                    return Choice { lane: selected, goes_on };
                }
                Some(_) => self.deficit_counter[selected] = self.accumulated_weight,
                None => self.deficit_counter[selected] = 0,
            }
            goes_on = false;
            self.entry = cyclic_after(self.entry, self.table.len())
                .find(|&entry| active(self.table[entry]).is_some())
                .expect("a listed lane is active");
            self.accumulated_weight = self.deficit_counter[self.table[self.entry]] + self.mtu;
        }
    }
}
