//! Table arbitration of InfiniBand and Advanced Switching: one packet per entry.

use super::{Choice, Head, Scheduler, cyclic_after, ready_after, turn};

pub struct TableArbitration {
    /// Lane of each entry.
    table: Vec<usize>,
    /// The entry that sent last.
    entry: usize,
    /// The last lane without an entry that sent.
    last_unlisted: usize,
}

impl TableArbitration {
    pub fn new(table: &[u8], lanes: usize) -> Self {
        Self {
            table: table.iter().map(|&lane| lane.into()).collect(),
            entry: table.len() - 1,
            last_unlisted: lanes - 1,
        }
    }
}

impl Scheduler for TableArbitration {
    fn choose(&mut self, lanes: &[Option<Head>], _now: u64) -> Choice {
        let ready = |entry: &usize| lanes.get(self.table[*entry]).is_some_and(Option::is_some);
        if let Some(entry) = cyclic_after(self.entry, self.table.len()).find(ready) {
            self.entry = entry;
            return turn(self.table[entry]);
        }
        // Lanes without an entry take turns while no other is ready.
        self.last_unlisted = ready_after(self.last_unlisted, lanes)[0].0;
        turn(self.last_unlisted)
    }
}
