//! Bypass queues around any scheduler: it sees one lane for both kinds of packets of a virtual
//! channel.

use super::{Choice, Head, Scheduler};
use hopscope_core::scenario::BypassQueue;

/// A virtual channel with two kinds of packets.
struct Channel {
    ordered: usize,
    bypass: usize,
    /// Whether a packet marked bypass was sent last.
    bypass_last: bool,
}

impl Channel {
    /// The lane that would send.
    fn candidate(&self, lanes: &[Option<Head>]) -> usize {
        match (lanes[self.ordered], lanes[self.bypass]) {
            (Some(_), Some(_)) if self.bypass_last => self.ordered,
            (_, Some(_)) => self.bypass,
            _ => self.ordered,
        }
    }
}

pub struct Bypass {
    inner: Box<dyn Scheduler>,
    channels: Vec<Channel>,
}

impl Bypass {
    pub fn new(inner: Box<dyn Scheduler>, queues: &[BypassQueue]) -> Self {
        let channel = |queue: &BypassQueue| Channel {
            ordered: queue.of.into(),
            bypass: queue.lane.into(),
            bypass_last: false,
        };
        Self { inner, channels: queues.iter().map(channel).collect() }
    }
}

impl Scheduler for Bypass {
    fn arrives(&mut self, lane: usize, credits: u32, now: u64) {
        let channel = self.channels.iter().find(|channel| channel.bypass == lane);
        self.inner.arrives(channel.map_or(lane, |channel| channel.ordered), credits, now);
    }

    fn choose(&mut self, lanes: &[Option<Head>], now: u64) -> Choice {
        let mut seen = lanes.to_vec();
        for channel in &self.channels {
            seen[channel.ordered] = lanes[channel.candidate(lanes)];
            seen[channel.bypass] = None;
        }
        let choice = self.inner.choose(&seen, now);
        match self.channels.iter_mut().find(|channel| channel.ordered == choice.lane) {
            None => choice,
            Some(channel) => {
                let lane = channel.candidate(lanes);
                channel.bypass_last = lane == channel.bypass;
                Choice { lane, ..choice }
            }
        }
    }
}
