//! Recent use of channels and hosts, from the counters of successive frames.
//!
//! The means are exponential, with a time constant of [`WINDOW_CYCLES`]. [`Usage::update`] takes
//! every frame.

use super::picture::Lane;
use hopscope_core::observe::Snapshot;

/// Time constant of the exponential means, cycles.
pub const WINDOW_CYCLES: f32 = 2000.0;

/// Recent use of a channel.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Share {
    /// Share of time in which flits were sent, 0 to 1.
    pub busy: f32,
    /// Share of time in which the channel was blocked, 0 to 1.
    pub blocked: f32,
    /// Mean occupancy of the buffer at its end, flits.
    pub flits: f32,
}

/// Recent use of all channels and hosts.
#[derive(Debug, Default)]
pub struct Usage {
    shares: Vec<Share>,
    counters: Vec<(u64, u64)>,
    itbs: Vec<f32>,
    handled: Vec<u64>,
    /// Per channel: whether its receiver's last symbol was STOP, and the cycle of the first frame
    /// with it.
    symbols: Vec<(bool, u64)>,
    cycle: u64,
    /// The ends of the ramps for [`Ramp::ALL`].
    tops: [f32; 3],
}

/// What a ramp of colours stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ramp {
    /// Share of time in which flits were sent.
    Busy,
    /// Share of time in which the channel was blocked.
    Blocked,
    /// Share of the input buffer that is filled.
    Buffers,
}

impl Ramp {
    const ALL: [Ramp; 3] = [Ramp::Busy, Ramp::Blocked, Ramp::Buffers];

    /// The share of a channel whose input buffer holds this many flits.
    pub fn of(self, share: &Share, capacity: f32) -> f32 {
        match self {
            Ramp::Busy => share.busy,
            Ramp::Blocked => share.blocked,
            Ramp::Buffers => share.flits / capacity.max(1.0),
        }
    }
}

/// Where a ramp may end.
const TOPS: [f32; 7] = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0];
/// A ramp ends earlier again once the greatest share is below this part of the earlier end.
const EARLIER_AT: f32 = 0.8;

/// Where a ramp ends that shows shares up to `most`, if it ended at `before` in the last frame.
pub fn ramp_top(most: f32, before: f32) -> f32 {
    let next = |most: f32| TOPS.into_iter().find(|top| *top >= most).unwrap_or(1.0);
    let top = next(most);
    // It does not change to and fro.
    if top < before { next(most / EARLIER_AT).min(before) } else { top }
}

impl Usage {
    /// The end of a ramp that stretches to the greatest share of late.
    pub fn top(&self, ramp: Ramp) -> f32 {
        self.tops[ramp as usize].max(TOPS[0])
    }

    /// Use of each channel, in the order of channel numbers.
    pub fn shares(&self) -> &[Share] {
        &self.shares
    }

    /// Messages that each host ejected and injected again as an ITB, per 1000 cycles.
    pub fn itbs(&self) -> &[f32] {
        &self.itbs
    }

    /// Distance that the last symbol of a channel's receiver has travelled towards the sender,
    /// stage units.
    pub fn symbol_travelled(&self, channel: usize, lane: &Lane) -> f32 {
        let age = self.symbols.get(channel).map_or(0, |symbol| self.cycle.saturating_sub(symbol.1));
        (age as f32 / lane.delay).min(1.0) * (lane.length - lane.buffer)
    }

    /// Takes the next frame. A frame of an earlier cycle or of another network starts the means
    /// again.
    /// `capacity` is that of an input buffer, flits.
    pub fn update(&mut self, frame: &Snapshot, capacity: f32) {
        let counters =
            frame.channels.iter().map(|channel| (channel.busy_cycles, channel.blocked_cycles));
        let hosts = frame.hosts.len();
        if frame.cycle < self.cycle
            || (self.counters.len(), self.handled.len()) != (frame.channels.len(), hosts)
        {
            // The first frame counts as the mean since cycle 0.
            self.cycle = 0;
            self.counters = vec![(0, 0); frame.channels.len()];
            self.shares = vec![Share::default(); frame.channels.len()];
            // Symbols of the first frame count as arrived.
            self.symbols = frame.channels.iter().map(|channel| (channel.stop_sent, 0)).collect();
            (self.itbs, self.handled) = (vec![0.0; hosts], vec![0; hosts]);
            self.tops = [0.0; 3];
        }
        let passed = (frame.cycle - self.cycle) as f32;
        if passed > 0.0 {
            let weight = 1.0 - (-passed / WINDOW_CYCLES).exp();
            let mean = |now: u64, before: u64| now.saturating_sub(before) as f32 / passed;
            for ((share, before), now) in
                self.shares.iter_mut().zip(&self.counters).zip(counters.clone())
            {
                share.busy += (mean(now.0, before.0) - share.busy) * weight;
                share.blocked += (mean(now.1, before.1) - share.blocked) * weight;
            }
            for (share, channel) in self.shares.iter_mut().zip(&frame.channels) {
                share.flits += (channel.occupancy as f32 - share.flits) * weight;
            }
            for ((itbs, before), host) in self.itbs.iter_mut().zip(&self.handled).zip(&frame.hosts)
            {
                *itbs += (1000.0 * mean(host.itbs_handled, *before) - *itbs) * weight;
            }
        }
        for ramp in Ramp::ALL {
            let shares = self.shares.iter().map(|share| ramp.of(share, capacity));
            let top = &mut self.tops[ramp as usize];
            *top = ramp_top(shares.fold(0.0, f32::max), *top);
        }
        for (symbol, channel) in self.symbols.iter_mut().zip(&frame.channels) {
            if symbol.0 != channel.stop_sent {
                *symbol = (channel.stop_sent, frame.cycle);
            }
        }
        self.counters.clear();
        self.counters.extend(counters);
        self.handled.clear();
        self.handled.extend(frame.hosts.iter().map(|host| host.itbs_handled));
        self.cycle = frame.cycle;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::observe::{ChannelState, HostState};

    fn frame(cycle: u64, busy_cycles: u64) -> Snapshot {
        let channel = ChannelState { busy_cycles, occupancy: 20, ..Default::default() };
        let host = HostState { itbs_handled: busy_cycles / 2, ..Default::default() };
        Snapshot { cycle, channels: vec![channel], hosts: vec![host], ..Default::default() }
    }

    #[test]
    fn a_symbol_travels_from_the_first_frame_that_shows_it() {
        let drawn = r#"{"hopscope":1,"network":{"switches":[{"ports":8,"x":0,"y":0},{"ports":8,"x":400,"y":0}],"links":[{"a":[0,0],"b":[1,0],"delay_cycles":4}]}}"#;
        let picture =
            crate::stage::picture::Picture::of(&serde_json::from_str(drawn).expect("a scenario"));
        let wire = picture.lanes[0].length - picture.lanes[0].buffer;

        let at = |cycle: u64, stop_sent: bool| {
            let channel = ChannelState { stop_sent, ..Default::default() };
            Snapshot { cycle, channels: vec![channel], ..Default::default() }
        };
        let mut usage = Usage::default();
        let travelled =
            [(50, false), (60, true), (63, true), (70, false), (72, false)].map(|(cycle, stop)| {
                usage.update(&at(cycle, stop), 80.0);
                usage.symbol_travelled(0, &picture.lanes[0]) / wire
            });
        assert_eq!(travelled, [1.0, 0.0, 0.75, 0.0, 0.5]);
    }

    #[test]
    fn means_follow_the_frames_and_forget_the_past() {
        let mut usage = Usage::default();
        usage.update(&frame(0, 0), 80.0);
        usage.update(&frame(100_000, 50_000), 80.0);
        assert!((usage.shares()[0].busy - 0.5).abs() < 0.01);
        assert!(
            (usage.shares()[0].flits - 20.0).abs() < 0.01 && (usage.itbs()[0] - 250.0).abs() < 0.1
        );
        for i in 1..100 {
            usage.update(&frame(100_000 + i * 100, 50_000 + i * 100), 80.0);
        }
        assert!(usage.shares()[0].busy > 0.97, "{:?}", usage.shares());
        usage.update(&frame(50, 0), 80.0);
        assert!(usage.shares()[0].busy < 0.01);
    }

    #[test]
    fn a_ramp_ends_at_a_round_share_above_the_greatest_and_does_not_flicker() {
        assert_eq!(
            [0.0, 0.07, 0.31, 0.9, 3.0].map(|most| ramp_top(most, 0.0)),
            [0.02, 0.1, 0.5, 1.0, 1.0]
        );
        assert_eq!(
            [0.31, 0.29, 0.25, 0.23, 0.15].map(|most| ramp_top(most, 0.5)),
            [0.5, 0.5, 0.5, 0.3, 0.2]
        );
        let mut usage = Usage::default();
        usage.update(&frame(0, 0), 80.0);
        usage.update(&frame(100_000, 25_000), 80.0);
        assert_eq!(
            [Ramp::Busy, Ramp::Blocked, Ramp::Buffers].map(|r| usage.top(r)),
            [0.3, 0.02, 0.3]
        );
    }
}
