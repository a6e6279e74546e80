//! An order of nodes in which one node can be moved, and two nodes compared, in constant time: a
//! linked list whose nodes have ascending labels.
//!
//! petgraph has no such structure: its `Acyclic` refuses an edge that goes backwards, while the
//! searches that use this order let edges go backwards at a cost. Labels are spread anew when a gap
//! runs out.

/// Nodes `0..n` in some order.
#[derive(Debug, Clone)]
pub struct MovableOrder {
    /// Ascending along the list, with gaps; the sentinel, one past the nodes, has 0.
    label: Vec<u64>,
    next: Vec<u32>,
    previous: Vec<u32>,
}

/// Distance of neighbouring labels after they were spread.
const GAP: u64 = 1 << 32;

impl MovableOrder {
    /// All nodes in the order given.
    pub fn new(order: &[u32]) -> Self {
        let size = order.len() + 1;
        let mut this = Self { label: vec![0; size], next: vec![0; size], previous: vec![0; size] };
        this.set(order);
        this
    }

    /// The number that stands for the position in front of the first node.
    pub fn front(&self) -> u32 {
        self.label.len() as u32 - 1
    }

    /// Puts all nodes into the order given.
    pub fn set(&mut self, order: &[u32]) {
        let front = self.front();
        let mut last = front;
        for (i, &n) in order.iter().enumerate() {
            self.label[n as usize] = (i as u64 + 1) * GAP;
            self.next[last as usize] = n;
            self.previous[n as usize] = last;
            last = n;
        }
        self.next[last as usize] = front;
        self.previous[front as usize] = last;
    }

    /// Compares nodes: a smaller label comes first. Valid until the next move.
    pub fn label(&self, n: usize) -> u64 {
        self.label[n]
    }

    /// True if the first comes before the second.
    pub fn before(&self, a: usize, b: usize) -> bool {
        self.label[a] < self.label[b]
    }

    /// The node in front of one, or [`MovableOrder::front`].
    pub fn previous(&self, n: usize) -> u32 {
        self.previous[n]
    }

    /// Moves a node right behind another one, or to the front.
    pub fn put_behind(&mut self, n: usize, other: u32) {
        let (before, after) = (self.previous[n], self.next[n]);
        self.next[before as usize] = after;
        self.previous[after as usize] = before;
        let follower = self.next[other as usize];
        self.next[other as usize] = n as u32;
        self.previous[n] = other;
        self.next[n] = follower;
        self.previous[follower as usize] = n as u32;
        let low = self.label[other as usize];
        let high =
            if follower == self.front() { low + 2 * GAP } else { self.label[follower as usize] };
        self.label[n] = low + (high - low) / 2;
        if self.label[n] == low || high > u64::MAX / 2 {
            self.set(&self.order());
        }
    }

    /// The nodes in order.
    pub fn order(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.label.len() - 1);
        let mut n = self.next[self.front() as usize];
        while n != self.front() {
            order.push(n);
            n = self.next[n as usize];
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;
    use rand::RngExt;

    #[test]
    fn moves_as_a_plain_list_does() {
        let mut random = stream(1, "test", 0);
        let mut list: Vec<u32> = (0..20).collect();
        let mut order = MovableOrder::new(&list);
        for _ in 0..2000 {
            // Always into the same corner, so that gaps run out.
            let (n, other) = (random.random_range(0..20), random.random_range(0..3));
            if n == other {
                continue;
            }
            order.put_behind(n as usize, other);
            list.retain(|&m| m != n);
            let at = list.iter().position(|&m| m == other).unwrap();
            list.insert(at + 1, n);
            assert_eq!(order.order(), list);
            assert!(list.windows(2).all(|w| order.before(w[0] as usize, w[1] as usize)));
        }
    }
}
