//! What the user looks at: under the pointer, in the inspector, inside a switch.

use crate::edit::Thing;
use crate::layout::Point;
use crate::protocol::ToWorker;
use crate::stage::pick::Spot;
use crate::stage::picture::Picture;
use hopscope_core::observe::Inside;

/// What the inspector shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Pin {
    #[default]
    None,
    Message(u32),
    Channel(u32),
    Switch(u32),
    Host(u32),
}

/// A switch whose inside is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InsideOf {
    /// The switch.
    pub switch: u32,
    /// The channel of the output that is shown; `None` for the busiest.
    pub output: Option<u32>,
}

/// What the user looks at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inspection {
    /// What the pointer is over.
    pub hover: Option<Spot>,
    /// Where the pointer is, or was last, stage units.
    pub hover_at: Point,
    /// What the inspector shows.
    pub pin: Pin,
    /// The switch whose inside is shown.
    pub inside: Option<InsideOf>,
    /// Set-aside queues in use there over time.
    pub saqs: SaqHistory,
    /// What screen readers were told last.
    pub spoken: Option<Thing>,
}

/// Most samples of a [`SaqHistory`]; with more, every second one is dropped.
const MAX_SAMPLES: usize = 400;

/// Set-aside queues in use at the ports of the switch that is looked into, over time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SaqHistory {
    switch: Option<u32>,
    /// The cycle, and by port the channel of its output and the queues in use.
    samples: Vec<(u64, Vec<(u32, usize)>)>,
}

impl SaqHistory {
    /// Takes the state of a switch at a cycle. Samples of later cycles and of another switch are
    /// forgotten.
    pub fn take(&mut self, cycle: u64, inside: Option<&Inside>) {
        let switch = inside.map(|inside| inside.switch);
        if self.switch != switch {
            *self = SaqHistory { switch, samples: Vec::new() };
        }
        self.samples.retain(|(then, _)| *then < cycle);
        let Some(inside) = inside else { return };
        let ports = inside.ports.iter().map(|port| (port.leaves, port.saqs.len()));
        self.samples.push((cycle, ports.collect()));
        if self.samples.len() > MAX_SAMPLES {
            let mut keep = false;
            self.samples.retain(|_| {
                keep = !keep;
                keep
            });
        }
    }

    /// The queues in use at the port of an output over time.
    pub fn of(&self, output: u32) -> Vec<(u64, f64)> {
        let in_use = |ports: &[(u32, usize)]| {
            ports.iter().find(|(leaves, _)| *leaves == output).map(|(_, count)| *count as f64)
        };
        self.samples.iter().filter_map(|(cycle, ports)| Some((*cycle, in_use(ports)?))).collect()
    }
}

impl Pin {
    /// The pin of a thing. Of a link's two channels, the one that leaves switch `here`, if any.
    pub fn of(thing: Thing, picture: &Picture, here: Option<u32>) -> Pin {
        match thing {
            Thing::Switch(switch) => Pin::Switch(switch),
            Thing::Host(host) => Pin::Host(host),
            Thing::Link(_) => {
                let channels = || (0..).zip(&picture.lanes).filter(|(_, lane)| lane.thing == thing);
                channels()
                    .find(|(_, lane)| lane.switches[0] == here)
                    .or_else(|| channels().next())
                    .map_or(Pin::None, |(channel, _)| Pin::Channel(channel))
            }
        }
    }

    /// Whether the network has what is pinned. Messages are not part of the network.
    pub fn exists(self, picture: &Picture) -> bool {
        match self {
            Pin::Switch(i) => (i as usize) < picture.switches.len(),
            Pin::Host(i) => (i as usize) < picture.hosts.len(),
            Pin::Channel(c) => (c as usize) < picture.lanes.len(),
            Pin::Message(_) | Pin::None => true,
        }
    }

    /// The pinned message.
    pub fn message(self) -> Option<u32> {
        if let Pin::Message(message) = self { Some(message) } else { None }
    }

    /// The pinned host.
    pub fn host(self) -> Option<u32> {
        if let Pin::Host(host) = self { Some(host) } else { None }
    }
}

impl Inspection {
    /// Pins something, or nothing; what to tell the worker.
    pub fn set_pin(&mut self, pin: Pin) -> [ToWorker; 2] {
        self.pin = pin;
        [ToWorker::Inspect { message: pin.message() }, ToWorker::LookIntoNic { host: pin.host() }]
    }

    /// The pinned switch, or the switch of what is pinned.
    pub fn switch(&self, picture: &Picture) -> Option<u32> {
        match self.pin {
            Pin::Switch(switch) => Some(switch),
            Pin::Host(host) => picture.network.hosts.get(host as usize).map(|host| host.switch),
            Pin::Channel(channel) => {
                let [from, to] = picture.lanes.get(channel as usize)?.switches;
                from.or(to)
            }
            Pin::Message(_) | Pin::None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Picture {
        let json = r#"{"hopscope":1,"network":{"switches":[{"ports":4},{"ports":4}],
            "hosts":[{"switch":1}],"links":[{"a":[0,0],"b":[1,0]}]}}"#;
        Picture::of(&serde_json::from_str(json).expect("a scenario"))
    }

    #[test]
    fn a_link_is_pinned_by_the_channel_that_leaves_the_switch_looked_at() {
        let picture = line();
        assert_eq!(Pin::of(Thing::Link(0), &picture, Some(0)), Pin::Channel(0));
        assert_eq!(Pin::of(Thing::Link(0), &picture, Some(1)), Pin::Channel(1));
        assert_eq!(Pin::of(Thing::Link(0), &picture, None), Pin::Channel(0));
        assert_eq!(Pin::of(Thing::Link(7), &picture, None), Pin::None);
    }

    #[test]
    fn queues_in_use_are_kept_by_port_until_time_goes_back() {
        use hopscope_core::observe::{PortInside, SaqInside};
        let inside = |switch, counts: [usize; 2]| Inside {
            switch,
            ports: (4..)
                .zip(counts)
                .map(|(leaves, count)| PortInside {
                    leaves,
                    saqs: vec![SaqInside::default(); count],
                    ..PortInside::default()
                })
                .collect(),
            ..Inside::default()
        };
        let mut history = SaqHistory::default();
        history.take(10, Some(&inside(3, [0, 2])));
        history.take(20, Some(&inside(3, [1, 3])));
        assert_eq!(history.of(5), [(10, 2.0), (20, 3.0)]);
        history.take(15, Some(&inside(3, [1, 1])));
        assert_eq!(history.of(5), [(10, 2.0), (15, 1.0)]);
        assert_eq!(history.of(9), []);
        history.take(30, Some(&inside(2, [1, 1])));
        assert_eq!(history.of(5), [(30, 1.0)]);
        (0..1000).for_each(|cycle| history.take(100 + cycle, Some(&inside(2, [1, 1]))));
        assert!(history.of(5).len() <= MAX_SAMPLES);
        history.take(2000, None);
        assert_eq!(history.of(5), []);
    }

    #[test]
    fn every_pin_has_its_switch_and_disappears_with_it() {
        let picture = line();
        let switch_of = |pin| Inspection { pin, ..Inspection::default() }.switch(&picture);
        assert_eq!(switch_of(Pin::Switch(1)), Some(1));
        assert_eq!(switch_of(Pin::Host(0)), Some(1));
        assert_eq!(switch_of(Pin::Channel(1)), Some(1));
        assert_eq!(switch_of(Pin::Message(5)), None);
        assert!(Pin::Host(0).exists(&picture) && Pin::Message(5).exists(&picture));
        assert!(!Pin::Host(1).exists(&picture) && !Pin::Channel(4).exists(&picture));
    }

    #[test]
    fn the_worker_is_told_what_to_explain() {
        let mut inspection = Inspection::default();
        let told = inspection.set_pin(Pin::Host(3));
        let expected =
            [ToWorker::Inspect { message: None }, ToWorker::LookIntoNic { host: Some(3) }];
        assert_eq!(told, expected);
    }
}
