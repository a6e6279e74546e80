//! What a scheduler guarantees to a lane: a rate after a latency.
//!
//! A latency-rate server (Stiliadis, Varma, Latency-rate servers: a general model for analysis of
//! traffic scheduling algorithms, IEEE/ACM Transactions on Networking 6(5), 1998) serves a lane
//! that is busy since time 0 at least `rate * (t - latency)` by its time `t`. Busy means that a
//! server of this rate alone would be. A lane that gets at most `burst + r t` in any time `t`, with
//! `r <= rate`, then waits no longer than `latency + burst / rate` from the arrival of a packet to
//! the end of its transmission. Each scheduler says in its own file what its latency is, and whose
//! proof that is.
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

/// An entry of a table, as the lane sees it for which the guarantee holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Turn {
    /// The lane's own; it sends at least these credits, but for what it saves.
    Own(u32),
    /// Of another lane, which sends at most these credits, and what it has saved.
    Other(u32),
}

impl LatencyRate {
    /// The guarantee of a lane with a table of which every entry sends. `largest` is the largest
    /// packet of the lane, and `saved` what it can keep for a later entry. `once` is what other
    /// lanes send at most besides their entries: a packet in service when the lane becomes busy,
    /// and what they have saved by then. All are credits.
    ///
    /// When the lane has sent `s` credits with `k` entries, other lanes have sent at most `once`
    /// and the entries between `k + 1` of the lane's, and the lane is sending at most `largest`
    /// more. By then `s` is at least what the `k` entries are worth, without `saved`. So the time
    /// is at most `s / rate` and the latency below: a round of the table takes what its own entries
    /// are worth divided by the rate, so it is enough to look at one round.
    pub(super) fn of_table(turns: &[Turn], largest: u32, saved: u32, once: u32) -> Option<Self> {
        let (mut own, mut others) = (0.0, 0.0);
        for turn in turns {
            match *turn {
                Turn::Own(credits) => own += f64::from(credits),
                Turn::Other(credits) => others += f64::from(credits),
            }
        }
        if own == 0.0 {
            return None;
        }
        // What other lanes have sent, without what they may for each credit of the lane.
        let per_credit = others / own;
        let (mut ahead, mut least, mut most) = (0.0_f64, 0.0_f64, 0.0_f64);
        for turn in turns {
            ahead += match *turn {
                Turn::Own(credits) => -per_credit * f64::from(credits),
                Turn::Other(credits) => f64::from(credits),
            };
            (least, most) = (least.min(ahead), most.max(ahead));
        }
        let latency =
            most - least + per_credit * f64::from(saved) + f64::from(once) + f64::from(largest);
        Some(Self { rate: own / (own + others), latency })
    }
}
