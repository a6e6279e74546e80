//! From what the pointer and the commands want to changes of the document.

use super::{Change, Page, Pin};
use crate::edit::{self, Kind, Thing};
use crate::layout::{self, Layout, Point};
use crate::stage::gesture::Intent;
use crate::stage::pick::{self, Spot};
use crate::stage::picture::Picture;
use crate::text::{counted, fill, text};
use hopscope_core::scenario::{DrawnNetwork, NetworkSpec, Scenario};
use std::collections::BTreeSet;
use std::rc::Rc;
use yew::html::Scope;

/// How far aside copies stand.
const ASIDE: f32 = 60.0;
/// Distance of the lines of the grid.
pub(super) const GRID: f32 = 40.0;
/// Name of a scenario that is a copied piece of a network.
pub(super) const PIECE: &str = "hopscope: copied";

impl Page {
    /// Does a change a panel asks for.
    pub(super) fn change(&mut self, Change { kind, ongoing, apply }: Change) {
        if self.is_locked() {
            return;
        }
        let mut scenario = (**self.document.scenario()).clone();
        apply(&mut scenario);
        let changed = if ongoing {
            self.document.during(kind, scenario)
        } else {
            self.document.change(kind, scenario)
        };
        if changed {
            self.document_changed();
        }
        if kind == Kind::Generate {
            self.stage.marks.selection.clear();
            self.fit();
        }
    }

    /// Edits the drawn network; a generated one becomes drawn first.
    pub(super) fn edit<T>(&mut self, kind: Kind, apply: impl FnOnce(&mut DrawnNetwork) -> T) -> T {
        let mut scenario = (**self.document.scenario()).clone();
        let picture = Rc::clone(&self.stage.picture);
        let network = edit::drawn(&mut scenario, &picture.network, &picture.switches);
        let result = apply(network);
        if self.document.change(kind, scenario) {
            self.document_changed();
        }
        result
    }

    /// Brings everything up to date with the document.
    pub(super) fn document_changed(&mut self) {
        let picture = Picture::of(self.document.scenario());
        self.stage.picture = Rc::new(picture);
        let picture = &self.stage.picture;
        self.stage.marks.selection.retain(|thing| picture.place(*thing).is_some());
        self.hover = None;
        let gone = match self.pin {
            Pin::Switch(i) => picture.switches.len() <= i as usize,
            Pin::Host(i) => picture.hosts.len() <= i as usize,
            Pin::Channel(c) => picture.lanes.len() <= c as usize,
            Pin::Message(_) | Pin::None => false,
        };
        if gone {
            self.pin(Pin::None);
        }
        self.check_failure();
        self.load();
        self.keep();
    }

    pub(super) fn follow(&mut self, link: &Scope<Page>, intents: Vec<Intent>) -> bool {
        let mut render = false;
        for intent in intents {
            render |= self.follow_one(link, intent);
        }
        render
    }

    fn follow_one(&mut self, link: &Scope<Page>, intent: Intent) -> bool {
        let looks = matches!(
            intent,
            Intent::Hover { .. } | Intent::Viewed | Intent::Select { .. } | Intent::Inspect { .. }
        );
        if self.is_locked() && !looks {
            return false;
        }
        match intent {
            Intent::Hover { spot, at } => {
                self.hover_at = at;
                return std::mem::replace(&mut self.hover, spot) != spot;
            }
            Intent::Viewed => {
                self.fit_asked = false;
                return false;
            }
            Intent::Select { things, extend } => {
                let selection = &mut self.stage.marks.selection;
                if !extend {
                    selection.clear();
                }
                for thing in things {
                    if !extend || !selection.remove(&thing) {
                        selection.insert(thing);
                    }
                }
            }
            Intent::Choose(switch) => self.choose(link, switch),
            Intent::Inspect { spot, at } => self.inspect(spot, at),
            Intent::Drag { things, by } => {
                self.show_moved(&things, by);
                return false;
            }
            Intent::Drop => self.drop_moved(),
            Intent::AddSwitch(at) => {
                let at = self.snapped(at);
                let switch = self.edit(Kind::AddSwitch, |network| edit::add_switch(network, at));
                self.stage.marks.selection = BTreeSet::from([Thing::Switch(switch)]);
            }
            Intent::AddHost(switch) => {
                self.growing(link, switch, |page| {
                    page.edit(Kind::AddHosts, |network| edit::add_host(network, switch));
                });
            }
            Intent::AddLink(a, b) => {
                self.growing(link, a, |page| {
                    page.growing(link, b, |page| {
                        page.edit(Kind::AddLink, |network| edit::add_link(network, a, b));
                    });
                });
            }
        }
        true
    }

    /// Does something to a switch and says so if it got more ports by it.
    fn growing(&mut self, link: &Scope<Page>, switch: u32, act: impl FnOnce(&mut Page)) {
        let ports = |page: &Page| {
            page.stage.picture.network.switches.get(switch as usize).map_or(0, |s| s.ports)
        };
        let before = ports(self);
        act(self);
        let after = ports(self);
        if after > before {
            let name = self.stage.picture.switch_name(switch);
            self.say(link, fill(text().grew_ports, &[&name, &after]));
        }
    }

    fn inspect(&mut self, spot: Option<Spot>, at: Point) {
        let pin = match spot {
            None => Pin::None,
            Some(Spot::Switch(i)) => Pin::Switch(i),
            Some(Spot::Host(i)) => Pin::Host(i),
            Some(Spot::Channel(c)) => self.message_at(c, at).map_or(Pin::Channel(c), Pin::Message),
        };
        self.pin(pin);
        if pin != Pin::None {
            self.tab = super::Tab::Watch;
            self.send_listed();
        }
    }

    /// The message at a place of a channel, while messages can be seen.
    pub fn message_at(&self, channel: u32, at: Point) -> Option<u32> {
        let seen = !self.is_fast();
        seen.then(|| pick::message(&self.stage.picture, &self.stage.frame, channel, at)).flatten()
    }

    /// Shows things moved, before they are dropped.
    pub(super) fn show_moved(&mut self, things: &BTreeSet<Thing>, by: Point) {
        let scenario = Rc::clone(self.document.scenario());
        let base = Picture::of(&scenario);
        let mut switches = base.switches.clone();
        let mut network = base.network;
        let moved = |at: Point| self.snapped([at[0] + by[0], at[1] + by[1]]);
        for thing in things {
            match *thing {
                Thing::Switch(i) => {
                    switches[i as usize] = moved(switches[i as usize]);
                    // Hosts placed by hand go along.
                    for host in network.hosts.iter_mut().filter(|host| host.switch == i) {
                        if let (Some(x), Some(y)) = (host.x, host.y) {
                            (host.x, host.y) = (Some(x + by[0]), Some(y + by[1]));
                        }
                    }
                }
                Thing::Host(i)
                    if !things.contains(&Thing::Switch(network.hosts[i as usize].switch)) =>
                {
                    let [x, y] = moved(base.hosts[i as usize]);
                    (network.hosts[i as usize].x, network.hosts[i as usize].y) = (Some(x), Some(y));
                }
                Thing::Host(_) | Thing::Link(_) => {}
            }
        }
        self.stage.picture = Rc::new(Picture::standing(network, switches, &scenario.fabric));
    }

    pub(super) fn drop_moved(&mut self) {
        let picture = Rc::clone(&self.stage.picture);
        self.edit(Kind::Move, |network| {
            edit::stand(network, &picture.switches);
            for (host, shown) in network.hosts.iter_mut().zip(&picture.network.hosts) {
                (host.x, host.y) = (shown.x, shown.y);
            }
        });
    }

    pub(super) fn remove_selected(&mut self) {
        let things = std::mem::take(&mut self.stage.marks.selection);
        if things.is_empty() {
            return;
        }
        let mut scenario = (**self.document.scenario()).clone();
        let picture = Rc::clone(&self.stage.picture);
        edit::drawn(&mut scenario, &picture.network, &picture.switches);
        edit::remove(&mut scenario, &things);
        self.pin(Pin::None);
        if self.document.change(Kind::Remove, scenario) {
            self.document_changed();
        }
    }

    fn selected_switches(&self) -> BTreeSet<u32> {
        let switch = |thing: &Thing| if let Thing::Switch(i) = thing { Some(*i) } else { None };
        self.stage.marks.selection.iter().filter_map(switch).collect()
    }

    pub(super) fn duplicate_selected(&mut self) {
        let switches = self.selected_switches();
        if switches.is_empty() {
            return;
        }
        let picture = Rc::clone(&self.stage.picture);
        let copies = self.edit(Kind::Duplicate, |network| {
            edit::stand(network, &picture.switches);
            let copied = edit::piece(network, &switches);
            edit::insert(network, copied, [ASIDE, ASIDE])
        });
        self.stage.marks.selection = copies;
    }

    /// A whole place, on the grid if there is one.
    fn snapped(&self, at: Point) -> Point {
        let grid = if self.snap { GRID } else { 1.0 };
        at.map(|x| (x / grid).round() * grid)
    }

    /// Copies the selected switches, with hosts and links, to the clipboard: as a scenario file, so that another tab or
    /// an editor can take it.
    pub(super) fn copy_selected(&mut self, link: &Scope<Page>) {
        let switches = self.selected_switches();
        if switches.is_empty() {
            return self.say(link, text().nothing_to_copy.into());
        }
        let mut network = self.stage.picture.network.clone();
        edit::stand(&mut network, &self.stage.picture.switches);
        let mut piece = Scenario::of(NetworkSpec::Drawn(edit::piece(&network, &switches)));
        piece.name = PIECE.into();
        let copied = super::browser::window().navigator().clipboard().write_text(&piece.to_json());
        let (link, words) =
            (link.clone(), fill(text().copied, &[&counted(text().n_switches, switches.len())]));
        wasm_bindgen_futures::spawn_local(async move {
            // Only when it is there can it be pasted. Where the clipboard is closed to pages, the piece can still be pasted here.
            wasm_bindgen_futures::JsFuture::from(copied).await.ok();
            link.send_message(super::Msg::Say(words));
        });
        self.piece = Some(piece);
    }

    /// Adds what was copied to the network.
    pub(super) fn paste(&mut self, piece: Scenario) {
        let NetworkSpec::Drawn(piece) = piece.network else { return };
        if self.is_locked() {
            return;
        }
        let picture = Rc::clone(&self.stage.picture);
        self.stage.marks.selection = self.edit(Kind::Paste, |network| {
            edit::stand(network, &picture.switches);
            edit::insert(network, piece, [ASIDE, ASIDE])
        });
    }

    /// Puts the selected switches in one line.
    pub(super) fn align(&mut self, link: &Scope<Page>, column: bool) {
        let switches = self.selected_switches();
        if switches.len() < 2 {
            return self.say(link, text().nothing_to_align.into());
        }
        let picture = Rc::clone(&self.stage.picture);
        self.edit(Kind::Align, |network| {
            edit::stand(network, &picture.switches);
            edit::align(network, &switches, column);
        });
    }

    pub(super) fn add_four_hosts(&mut self) {
        let mut switches = self.selected_switches();
        if switches.is_empty() {
            switches = (0..self.stage.picture.switches.len() as u32).collect();
        }
        self.edit(Kind::AddHosts, |network| {
            for switch in switches {
                for _ in 0..4 {
                    edit::add_host(network, switch);
                }
            }
        });
    }

    pub(super) fn select_all(&mut self) {
        let picture = &self.stage.picture;
        let switches = (0..picture.switches.len() as u32).map(Thing::Switch);
        self.stage.marks.selection =
            switches.chain((0..picture.hosts.len() as u32).map(Thing::Host)).collect();
    }

    pub(super) fn arrange(&mut self, layout: Layout) {
        self.edit(Kind::Arrange, |network| {
            let places = layout::arrange(network, layout);
            edit::stand(network, &places);
            for host in &mut network.hosts {
                (host.x, host.y) = (None, None);
            }
        });
        self.fit();
    }

    /// The root of the spanning tree, or the best guess at one.
    pub(super) fn root(&self) -> u32 {
        self.run.facts.as_ref().and_then(|facts| facts.routing.root).unwrap_or(0)
    }
}
