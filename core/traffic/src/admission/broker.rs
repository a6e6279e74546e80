//! The bandwidth broker: what is still free on every link.

use crate::network::{ChannelId, Network};

/// A centralised bandwidth broker. It knows the bandwidth of every directed channel, those of hosts
/// included, in whole bits per second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broker {
    /// Bandwidth of each channel that may be reserved.
    reservable: u64,
    /// Per channel: what is reserved.
    reserved: Vec<u64>,
}

impl Broker {
    /// A broker with nothing reserved. All channels of a network are equally fast.
    pub fn new(network: &Network, reservable: u64) -> Self {
        Self { reservable, reserved: vec![0; network.channels().len()] }
    }

    /// Reserves a mean rate on every channel of a path if all have as much left.
    ///
    /// # Errors
    /// The first channel of the path that has not. Nothing is reserved then.
    pub fn admit(&mut self, path: &[ChannelId], bits_per_second: u64) -> Result<(), ChannelId> {
        for (i, channel) in path.iter().enumerate() {
            let reserved = &mut self.reserved[channel.index()];
            if self.reservable - *reserved < bits_per_second {
                self.release(&path[..i], bits_per_second);
                return Err(*channel);
            }
            *reserved += bits_per_second;
        }
        Ok(())
    }

    /// Gives back what [`Self::admit`] reserved: the connection has ended.
    pub fn release(&mut self, path: &[ChannelId], bits_per_second: u64) {
        for channel in path {
            self.reserved[channel.index()] -= bits_per_second;
        }
    }

    /// What is reserved on each channel, bits per second.
    pub fn reserved(&self) -> &[u64] {
        &self.reserved
    }

    /// True if a channel has not this much left.
    pub fn is_full(&self, channel: ChannelId, bits_per_second: u64) -> bool {
        self.reservable - self.reserved[channel.index()] < bits_per_second
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::NetworkSpec;
    use hopscope_scenario::random::stream;
    use rand::RngExt;
    use serde_json::json;

    fn network() -> Network {
        let spec = json!({ "generate": { "kind": "ring", "switches": 4, "hosts_per_switch": 1 } });
        let spec: NetworkSpec = serde_json::from_value(spec).expect("a network");
        spec.build().expect("it can be built")
    }

    #[test]
    fn a_link_is_filled_to_the_last_bit_and_refuses_the_next() {
        let network = network();
        let mut broker = Broker::new(&network, 1000);
        let [a, b, c] = [0, 1, 2].map(ChannelId::new);
        assert_eq!(broker.admit(&[a, b], 600), Ok(()));
        assert_eq!(broker.admit(&[c, b], 400), Ok(()));
        assert_eq!(broker.admit(&[c, b], 1), Err(b));
        assert_eq!(broker.reserved()[..3], [600, 1000, 400], "the refused one took nothing");
        broker.release(&[a, b], 600);
        assert_eq!(broker.admit(&[c, b], 600), Ok(()));
        assert_eq!(broker.reserved()[..3], [0, 1000, 1000]);
    }

    /// Whatever is asked and released in whatever order, a channel has what its connections asked,
    /// and no more than it may have.
    #[test]
    fn reservations_are_those_of_the_connections_that_last() {
        let network = network();
        let channels = network.channels().len();
        let mut random = stream(1, "broker", 0);
        let (mut broker, mut open) = (Broker::new(&network, 10_000), Vec::new());
        let (mut admitted, mut refused) = (0, 0);
        for _ in 0..5000 {
            if random.random_bool(0.4) && !open.is_empty() {
                let (path, rate): (Vec<ChannelId>, u64) =
                    open.swap_remove(random.random_range(0..open.len()));
                broker.release(&path, rate);
                continue;
            }
            let first = random.random_range(0..channels);
            let path: Vec<ChannelId> =
                (0..3).map(|i| ChannelId::new((first + i * 2) % channels)).collect();
            let rate = random.random_range(1..3000);
            match broker.admit(&path, rate) {
                Ok(()) => {
                    open.push((path, rate));
                    admitted += 1;
                }
                Err(channel) => {
                    assert!(path.contains(&channel) && broker.is_full(channel, rate));
                    refused += 1;
                }
            }
            for channel in (0..channels).map(ChannelId::new) {
                let due: u64 =
                    open.iter().filter(|(path, _)| path.contains(&channel)).map(|(_, r)| r).sum();
                assert_eq!(broker.reserved()[channel.index()], due);
                assert!(due <= 10_000);
            }
        }
        assert!(admitted > 500 && refused > 500, "{admitted} admitted, {refused} refused");
    }
}
