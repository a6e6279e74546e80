//! What a scheduler guarantees to a lane: a rate after a latency.
//!
//! A latency-rate server (Stiliadis, Varma, Latency-rate servers: a general model for analysis of
//! traffic scheduling algorithms, IEEE/ACM Transactions on Networking 6(5), 1998) serves a lane that
//! is busy since time 0 at least `rate * (t - latency)` by its time `t`. A lane that gets at most
//! `burst + r t` in any time `t`, with `r <= rate`, then waits no longer than `latency + burst /
//! rate` from the arrival of a packet to the end of its transmission. Each scheduler says in its own
//! file what its latency is, and whose proof that is.
//!
//! Packets count as whole credits, which take no less time than the link needs for them.

/// The guarantee of a lane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatencyRate {
    /// Part of the link, 0 to 1.
    pub rate: f64,
    /// Latency, in the time that the link takes for a credit.
    pub latency: f64,
}

impl LatencyRate {
    /// The guarantee of a lane with `entries` in a table of which every entry sends `mtu` credits,
    /// with a deficit of less than `mtu` per lane.
    ///
    /// In a part of the table with `m` entries of a lane, the lane sends at most `m` MTUs and what
    /// it has saved, `mtu - 1` credits. So `k` entries of the lane in question are over after the
    /// longest part of the table with as many of its entries, and the saved credits of all lanes;
    /// by then it has sent at least `k` MTUs without those it has saved. The entry in service when
    /// the lane becomes busy counts whole.
    pub(super) fn of_table(table: &[u8], lane: u8, mtu: u32, others: usize) -> Option<Self> {
        let places: Vec<usize> = (0..table.len()).filter(|&i| table[i] == lane).collect();
        let (mtu, saved) = (f64::from(mtu), f64::from(mtu - 1));
        let rate = places.len() as f64 / table.len() as f64;
        // Entries from just after an entry of the lane until `k` more are over.
        let longest = |k: usize| {
            let span = |i: usize| {
                let to = places[(i + k) % places.len()] + table.len() * ((i + k) / places.len());
                to - places[i]
            };
            (0..places.len()).map(span).max().unwrap_or(0)
        };
        // The lane has sent what its first `k` entries are worth until the next is over.
        let latency = (0..=places.len()).map(|k| {
            let over = (longest(k + 1) + 1) as f64 * mtu + (others + 1) as f64 * saved;
            over - (k as f64 * mtu - saved).max(0.0) / rate
        });
        let latency = latency.reduce(f64::max)?;
        Some(Self { rate, latency })
    }
}
