//! How far apart hosts are.

/// Distances between the switches of hosts, in links.
#[derive(Debug, Clone)]
pub struct Distances {
    /// Per host: the place of its switch among those with hosts.
    places: Vec<u32>,
    /// Per pair of switches with hosts, by their places.
    links: Vec<u16>,
    /// Switches with hosts.
    ends: u32,
}

impl Distances {
    /// Distances from each switch with hosts to all of them, a row after the other, and per host
    /// the place of its switch among them.
    pub fn new(rows: impl ExactSizeIterator<Item = Vec<u16>>, places: Vec<u32>) -> Self {
        let ends = rows.len();
        let mut links = Vec::with_capacity(ends * ends);
        rows.for_each(|row| links.extend(row));
        Self { places, links, ends: ends as u32 }
    }

    /// Number of hosts.
    pub fn hosts(&self) -> usize {
        self.places.len()
    }

    /// The longest distance.
    pub fn longest(&self) -> usize {
        self.links.iter().copied().max().unwrap_or(0).into()
    }

    /// The distance between the switches of two hosts.
    #[inline]
    pub fn between(&self, from: u32, to: u32) -> u16 {
        let [from, to] = [from, to].map(|host| self.places[host as usize]);
        self.links[(from * self.ends + to) as usize]
    }
}
