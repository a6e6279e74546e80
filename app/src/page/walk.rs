//! The stage without a pointer: going from thing to thing, and moving them.

use super::edits::GRID;
use super::{Page, Pin};
use crate::edit::Thing;
use crate::layout::Point;
use crate::stage::pick;
use std::rc::Rc;

/// How far an arrow key with Control moves things.
const NUDGE: f32 = 10.0;

impl Page {
    /// Goes to the next switch or host in a direction, as arrow keys do; past hosts if only switches count.
    pub(super) fn walk(&mut self, direction: Point, only_switches: bool) {
        let picture = &self.stage.picture;
        let next = match self.pin {
            Pin::Switch(from) => {
                pick::towards(picture, Thing::Switch(from), direction, only_switches)
            }
            Pin::Host(from) => pick::towards(picture, Thing::Host(from), direction, only_switches),
            _ => (!picture.switches.is_empty()).then(|| Thing::Switch(self.root())),
        };
        if let Some(thing) = next {
            self.pick(thing);
        }
    }

    /// Selects a thing and nothing else, looks at it, brings it into view and has screen readers say it.
    pub(super) fn pick(&mut self, thing: Thing) {
        let picture = Rc::clone(&self.stage.picture);
        let Some(place) = picture.place(thing) else { return };
        let here = self.switch_looked_at();
        self.stage.marks.selection = [thing].into();
        self.pin(match thing {
            Thing::Switch(switch) => Pin::Switch(switch),
            Thing::Host(host) => Pin::Host(host),
            Thing::Link(_) => {
                let ours = || (0..).zip(&picture.lanes).filter(|(_, lane)| lane.thing == thing);
                let channel =
                    ours().find(|(_, lane)| lane.switches[0] == here).or_else(|| ours().next());
                channel.map_or(Pin::None, |(channel, _)| Pin::Channel(channel))
            }
        });
        self.spoken = Some(thing);
        if self.stage.camera.bring_into_view(place) {
            self.fit_asked = false;
        }
    }

    /// The switch that is looked at, or that what is looked at belongs to.
    pub fn switch_looked_at(&self) -> Option<u32> {
        let picture = &self.stage.picture;
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

    /// Moves what is selected a little, as arrow keys with Control do.
    pub(super) fn nudge(&mut self, [x, y]: Point) {
        let things = self.stage.marks.selection.clone();
        if !self.is_locked() && things.iter().any(|thing| !matches!(thing, Thing::Link(_))) {
            let by = if self.snap { GRID } else { NUDGE };
            self.show_moved(&things, [x * by, y * by]);
            self.drop_moved();
        }
    }
}
