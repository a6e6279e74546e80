//! How busy, how blocked and how full each channel was of late, and how much hosts were used as
//! ITBs, from the counters of successive frames.

use super::picture::Lane;
use hopscope_core::observe::Snapshot;

/// Older than about this many cycles counts little.
pub const WINDOW_CYCLES: f32 = 2000.0;

/// Shares of time, 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Share {
    /// Flits were sent.
    pub busy: f32,
    /// Blocked, as the core counts it.
    pub blocked: f32,
    /// Flits in the buffer at its end.
    pub flits: f32,
}

/// Per channel.
#[derive(Debug, Default)]
pub struct Usage {
    shares: Vec<Share>,
    counters: Vec<(u64, u64)>,
    itbs: Vec<f32>,
    handled: Vec<u64>,
    /// Per channel, whether its receiver's last symbol was STOP, and the cycle in which that one
    /// was first seen.
    symbols: Vec<(bool, u64)>,
    cycle: u64,
}

impl Usage {
    /// In the order of channels.
    pub fn shares(&self) -> &[Share] {
        &self.shares
    }

    /// Messages each host took out of the network and sent on, per thousand cycles.
    pub fn itbs(&self) -> &[f32] {
        &self.itbs
    }

    /// How far the last symbol of a channel's receiver has come back along the wire, stage units.
    pub fn symbol_come(&self, channel: usize, lane: &Lane) -> f32 {
        let age = self.symbols.get(channel).map_or(0, |symbol| self.cycle.saturating_sub(symbol.1));
        (age as f32 / lane.delay).min(1.0) * (lane.length - lane.buffer)
    }

    /// Takes in the next frame; one of an earlier cycle or another network starts anew.
    pub fn see(&mut self, frame: &Snapshot) {
        let counters =
            frame.channels.iter().map(|channel| (channel.busy_cycles, channel.blocked_cycles));
        let hosts = frame.hosts.len();
        if frame.cycle < self.cycle
            || (self.counters.len(), self.handled.len()) != (frame.channels.len(), hosts)
        {
            // What happened before the first frame counts as its mean.
            self.cycle = 0;
            self.counters = vec![(0, 0); frame.channels.len()];
            self.shares = vec![Share::default(); frame.channels.len()];
            // Symbols sent before are taken for old.
            self.symbols = frame.channels.iter().map(|channel| (channel.stop_sent, 0)).collect();
            (self.itbs, self.handled) = (vec![0.0; hosts], vec![0; hosts]);
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
    fn a_symbol_comes_back_from_its_first_frame_on() {
        let drawn = r#"{"hopscope":1,"network":{"switches":[{"ports":8,"x":0,"y":0},{"ports":8,"x":400,"y":0}],"links":[{"a":[0,0],"b":[1,0],"delay_cycles":4}]}}"#;
        let picture =
            crate::stage::picture::Picture::of(&serde_json::from_str(drawn).expect("a scenario"));
        let wire = picture.lanes[0].length - picture.lanes[0].buffer;

        let at = |cycle: u64, stop_sent: bool| {
            let channel = ChannelState { stop_sent, ..Default::default() };
            Snapshot { cycle, channels: vec![channel], ..Default::default() }
        };
        let mut usage = Usage::default();
        let come =
            [(50, false), (60, true), (63, true), (70, false), (72, false)].map(|(cycle, stop)| {
                usage.see(&at(cycle, stop));
                usage.symbol_come(0, &picture.lanes[0]) / wire
            });
        assert_eq!(come, [1.0, 0.0, 0.75, 0.0, 0.5]);
    }

    #[test]
    fn follows_what_happens_and_forgets_what_was() {
        let mut usage = Usage::default();
        usage.see(&frame(0, 0));
        usage.see(&frame(100_000, 50_000));
        assert!((usage.shares()[0].busy - 0.5).abs() < 0.01);
        assert!(
            (usage.shares()[0].flits - 20.0).abs() < 0.01 && (usage.itbs()[0] - 250.0).abs() < 0.1
        );
        for i in 1..100 {
            usage.see(&frame(100_000 + i * 100, 50_000 + i * 100));
        }
        assert!(usage.shares()[0].busy > 0.97, "{:?}", usage.shares());
        usage.see(&frame(50, 0));
        assert!(usage.shares()[0].busy < 0.01);
    }
}
