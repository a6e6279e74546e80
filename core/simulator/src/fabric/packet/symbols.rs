//! Control symbols: what goes upstream, from the receiver of a channel to its sender.
//!
//! A symbol needs the channel's delay and takes no time of flits. Each channel has a queue of
//! symbols in order of arrival. All queues share one list of entries, since few symbols are in
//! flight at a time.

use super::lanes::Lane;
use super::layout::NONE;
use crate::engine::Cycle;
use crate::engine::numbered::Numbered;

/// What a receiver tells the sender of its channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbol {
    /// The space of a packet in the receiver's buffer is free again.
    Credits { lane: Lane, credits: u16 },
}

/// A symbol on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent {
    pub symbol: Symbol,
    /// Cycle of arrival.
    pub arrives: Cycle,
    /// Next entry of the channel's queue, or next free entry.
    next: u32,
}

/// The symbols on their way on one channel: its first and last entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct SymbolQueue([u32; 2]);

impl SymbolQueue {
    pub const EMPTY: Self = Self([NONE; 2]);
}

/// The entries of all queues.
#[derive(Debug, Clone)]
pub(super) struct Symbols {
    entries: Numbered<Sent>,
    free: u32,
}

impl Sent {
    pub fn new(symbol: Symbol, arrives: Cycle) -> Self {
        Self { symbol, arrives, next: NONE }
    }
}

impl Symbols {
    pub fn new() -> Self {
        Self { entries: Numbered::new(), free: NONE }
    }

    /// Appends a symbol to a channel's queue. Symbols of that channel that have arrived by `now`
    /// are passed to `arrived`, which keeps queues short.
    #[inline]
    pub fn push(
        &mut self,
        queue: &mut SymbolQueue,
        now: Cycle,
        sent: Sent,
        mut arrived: impl FnMut(Symbol),
    ) {
        let SymbolQueue([first, last]) = queue;
        if *first != NONE && first == last {
            let entry = &mut self.entries[*first];
            if entry.arrives <= now {
                arrived(std::mem::replace(entry, sent).symbol);
                return;
            }
        }
        while let Some(symbol) = self.pop(queue, now) {
            arrived(symbol);
        }
        self.add(queue, sent);
    }

    fn add(&mut self, queue: &mut SymbolQueue, sent: Sent) {
        let index = self.free;
        let index = if let Some(entry) = self.entries.get_mut(index as usize) {
            self.free = entry.next;
            *entry = sent;
            index
        } else {
            self.entries.push(sent)
        };
        let SymbolQueue([first, last]) = queue;
        if *first == NONE {
            *first = index;
        } else {
            debug_assert!(
                self.entries[*last].arrives <= sent.arrives,
                "symbols arrive in the order in which they are sent"
            );
            self.entries[*last].next = index;
        }
        *last = index;
    }

    /// Removes and returns the first symbol of a channel if it has arrived by `now`.
    #[inline]
    pub fn pop(&mut self, queue: &mut SymbolQueue, now: Cycle) -> Option<Symbol> {
        let first = &mut queue.0[0];
        let index = *first;
        let entry = self.entries.get_mut(index as usize).filter(|entry| entry.arrives <= now)?;
        let symbol = entry.symbol;
        *first = entry.next;
        entry.next = self.free;
        self.free = index;
        Some(symbol)
    }

    /// All symbols in flight on a channel, in order of arrival.
    pub fn iter(&self, queue: SymbolQueue) -> impl Iterator<Item = Sent> {
        let entry = |index: u32| self.entries.get(index as usize).copied();
        std::iter::successors(entry(queue.0[0]), move |sent| entry(sent.next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_arrive_in_order_each_on_its_cycle() {
        let (mut symbols, mut queue) = (Symbols::new(), SymbolQueue::EMPTY);
        let symbol = |credits| Symbol::Credits { lane: Lane(1), credits };
        for credits in 1..=3 {
            let sent = Sent::new(symbol(credits), 10 * u64::from(credits));
            symbols.push(&mut queue, 0, sent, |early| panic!("{early:?} has not arrived"));
        }
        assert_eq!(symbols.pop(&mut queue, 9), None);
        assert_eq!(symbols.pop(&mut queue, 10), Some(symbol(1)));
        let mut arrived = Vec::new();
        symbols.push(&mut queue, 30, Sent::new(symbol(4), 40), |s| arrived.push(s));
        assert_eq!(arrived, [symbol(2), symbol(3)], "an arrived symbol is not left in the queue");
        assert_eq!(symbols.iter(queue).map(|sent| sent.arrives).collect::<Vec<_>>(), [40]);
        assert_eq!(symbols.entries.len(), 3, "entries are used again");
    }
}
