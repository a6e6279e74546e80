//! A graph that stays free of cycles: edges are added one by one and refused where they would close one.
//!
//! Keeps a topological order and repairs only the stretch between the two ends of a new edge (Pearce and Kelly,
//! A dynamic topological sort algorithm for directed acyclic graphs, JEA 11, 2007).

/// Nodes `0..n` in an order that every edge follows.
#[derive(Debug, Clone)]
pub struct DynamicOrder {
    /// Per node: its place in the order; all different.
    place: Vec<u32>,
    after: Vec<Vec<u32>>,
    before: Vec<Vec<u32>>,
    /// Scratch: nodes met by the two searches.
    marked: Vec<bool>,
    ahead: Vec<u32>,
    behind: Vec<u32>,
}

impl DynamicOrder {
    /// A graph without edges.
    pub fn new(nodes: usize) -> Self {
        Self {
            place: (0..nodes as u32).collect(),
            after: vec![Vec::new(); nodes],
            before: vec![Vec::new(); nodes],
            marked: vec![false; nodes],
            ahead: Vec::new(),
            behind: Vec::new(),
        }
    }

    /// Per node: its place in the order.
    pub fn places(&self) -> &[u32] {
        &self.place
    }

    /// Adds an edge that is not in the graph; false, and no change, if it would close a cycle.
    pub fn add(&mut self, x: usize, y: usize) -> bool {
        if x == y || (self.place[y] < self.place[x] && !self.repair(x, y)) {
            return false;
        }
        self.after[x].push(y as u32);
        self.before[y].push(x as u32);
        true
    }

    /// Takes an edge out again.
    pub fn remove(&mut self, x: usize, y: usize) {
        self.after[x].retain(|&n| n as usize != y);
        self.before[y].retain(|&n| n as usize != x);
    }

    /// Makes x come before y; false if y leads to x.
    fn repair(&mut self, x: usize, y: usize) -> bool {
        let acyclic = self.search_ahead(y, x);
        if acyclic {
            self.search_behind(x, y);
        }
        for &n in self.ahead.iter().chain(&self.behind) {
            self.marked[n as usize] = false;
        }
        if acyclic {
            self.reorder();
        }
        acyclic
    }

    /// Nodes that y leads to, no later than x; false if x is one of them.
    fn search_ahead(&mut self, y: usize, x: usize) -> bool {
        let limit = self.place[x];
        self.behind.clear();
        self.ahead.clear();
        self.ahead.push(y as u32);
        self.marked[y] = true;
        let mut next = 0;
        while let Some(&n) = self.ahead.get(next) {
            next += 1;
            for &m in &self.after[n as usize] {
                if m as usize == x {
                    return false;
                }
                if !self.marked[m as usize] && self.place[m as usize] < limit {
                    self.marked[m as usize] = true;
                    self.ahead.push(m);
                }
            }
        }
        true
    }

    /// Nodes that lead to x, no earlier than y.
    fn search_behind(&mut self, x: usize, y: usize) {
        let limit = self.place[y];
        self.behind.push(x as u32);
        self.marked[x] = true;
        let mut next = 0;
        while let Some(&n) = self.behind.get(next) {
            next += 1;
            for &m in &self.before[n as usize] {
                if !self.marked[m as usize] && self.place[m as usize] > limit {
                    self.marked[m as usize] = true;
                    self.behind.push(m);
                }
            }
        }
    }

    /// Gives the places of the nodes met to those behind first, then to those ahead, each in their old order.
    fn reorder(&mut self) {
        let place = &mut self.place;
        for met in [&mut self.behind, &mut self.ahead] {
            met.sort_unstable_by_key(|&n| place[n as usize]);
        }
        let nodes: Vec<u32> = self.behind.iter().chain(&self.ahead).copied().collect();
        let mut free: Vec<u32> = nodes.iter().map(|&n| place[n as usize]).collect();
        free.sort_unstable();
        for (n, p) in nodes.into_iter().zip(free) {
            place[n as usize] = p;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    fn reaches(edges: &[(usize, usize)], from: usize, to: usize) -> bool {
        let (mut seen, mut stack) = (vec![false; 32], vec![from]);
        while let Some(n) = stack.pop() {
            if n == to {
                return true;
            }
            if !std::mem::replace(&mut seen[n], true) {
                stack.extend(edges.iter().filter(|e| e.0 == n).map(|e| e.1));
            }
        }
        false
    }

    #[test]
    fn refuses_exactly_the_edges_that_close_a_cycle() {
        for seed in 0..50 {
            let mut random = Stream::new(seed, "test", 0);
            let (mut order, mut edges) = (DynamicOrder::new(32), Vec::new());
            for _ in 0..300 {
                let (x, y) = (random.below(32) as usize, random.below(32) as usize);
                if edges.contains(&(x, y)) {
                    order.remove(x, y);
                    edges.retain(|&e| e != (x, y));
                    continue;
                }
                let added = order.add(x, y);
                assert_eq!(added, !reaches(&edges, y, x));
                if added {
                    edges.push((x, y));
                }
                assert!(edges.iter().all(|&(a, b)| order.places()[a] < order.places()[b]));
            }
        }
    }
}
