//! Changes of the drawn network, by gestures, commands and arrow keys.

use super::browser;
use super::msg::Msg;
use super::parts::Page;
use crate::action::Change;
use crate::edit::{self, Kind, Thing, flows, levels};
use crate::layout::{self, Layout, Point};
use crate::stage::gesture::{Intent, Tool};
use crate::stage::pick::{self, Spot};
use crate::stage::picture::Picture;
use crate::state::{GRID, InsideOf, Pin, Tab};
use crate::text::{counted, fill, flow_name, level_name, text};
use hopscope_core::scenario::{DrawnNetwork, NetworkSpec, Scenario};
use std::collections::BTreeSet;
use std::rc::Rc;
use yew::html::Scope;

/// How far copies stand from their originals, stage units.
const COPY_OFFSET: f32 = 60.0;
/// How far an arrow key with Control moves the selection without a grid, stage units.
const NUDGE: f32 = 10.0;

impl Page {
    /// Makes a change that a panel asks for.
    pub(super) fn change(&mut self, Change { kind, ongoing, apply }: Change) {
        if self.state.is_locked() {
            return;
        }
        let document = &mut self.state.document;
        let before = Rc::clone(document.scenario());
        let mut scenario = (*before).clone();
        apply(&mut scenario);
        let changed =
            if ongoing { document.during(kind, scenario) } else { document.change(kind, scenario) };
        if changed {
            if self.state.scenario().traffic.len() != before.traffic.len() {
                self.state.tools.end_picking();
            }
            self.document_changed_by(kind);
        }
        if kind == Kind::Generate {
            self.state.stage.marks.selection.clear();
            self.fit();
        }
    }

    /// Edits the list of flows.
    pub(super) fn edit_flows(&mut self, edit: flows::Edit) {
        if self.state.is_locked() {
            return;
        }
        if let Some(places) = self.state.document.edit_flows(edit) {
            self.state.tools.follow_flow(&places);
            self.state.display.follow_flows(&places);
            self.focus_next = focus_after(edit, &places);
            self.scroll_next = new_flow(edit, &places).map(|flow| format!("flow-{flow}"));
            self.document_changed_by(Kind::Flows);
        }
    }

    /// Removes the last service level, and tells the user of flows that have another one now.
    pub(super) fn remove_level(&mut self, link: &Scope<Page>) {
        if self.state.is_locked() {
            return;
        }
        let mut scenario = (**self.state.document.scenario()).clone();
        let moved = levels::remove(&mut scenario);
        if self.state.document.change(Kind::Fabric, scenario) {
            self.document_changed_by(Kind::Fabric);
        }
        let levels = self.state.scenario().fabric.technique().levels();
        if let (Some(last), true) = (levels.last(), moved > 0) {
            let name = level_name(levels.len() - 1, &last.name);
            let flows = counted(text().n_flows, moved);
            self.say(link, fill(text().went_to_level, &[&flows, &name]));
        }
    }

    /// Edits the drawn network; a generated network becomes a drawn one first.
    fn edit<T>(&mut self, kind: Kind, apply: impl FnOnce(&mut DrawnNetwork) -> T) -> T {
        let mut scenario = (**self.state.document.scenario()).clone();
        let picture = Rc::clone(&self.state.stage.picture);
        let network = edit::drawn(&mut scenario, &picture.network, &picture.switches);
        let result = apply(network);
        if self.state.document.change(kind, scenario) {
            self.document_changed();
        }
        result
    }

    /// Brings everything up to date with the document after a change. The run goes on at its cycle
    /// if a parameter has changed and the user does not want it to begin anew.
    pub(super) fn document_changed_by(&mut self, kind: Kind) {
        self.bring_up_to_date(kind.is_parameter() && self.state.timing.keeps_cycle);
    }

    /// Brings everything up to date with the document, whose run begins anew.
    pub(super) fn document_changed(&mut self) {
        self.bring_up_to_date(false);
    }

    fn bring_up_to_date(&mut self, keeps_cycle: bool) {
        self.state.run.keep_cycle(keeps_cycle);
        let state = &mut self.state;
        let picture = Rc::new(Picture::of(state.document.scenario()));
        state.stage.picture = Rc::clone(&picture);
        state.stage.marks.selection.retain(|thing| picture.place(*thing).is_some());
        state.inspection.hover = None;
        if !state.inspection.pin.exists(&picture) {
            self.pin(Pin::None);
        }
        self.forget_outdated_failure();
        self.load();
        self.write_address();
    }

    /// Carries out what a gesture means. True if the page is to be rendered.
    pub(super) fn carry_out(&mut self, link: &Scope<Page>, intents: Vec<Intent>) -> bool {
        let mut render = false;
        for intent in intents {
            render |= self.carry_out_one(link, intent);
        }
        render
    }

    fn carry_out_one(&mut self, link: &Scope<Page>, intent: Intent) -> bool {
        let only_looks = matches!(
            intent,
            Intent::Hover { .. } | Intent::Viewed | Intent::Select { .. } | Intent::Inspect { .. }
        );
        if self.state.is_locked() && !only_looks {
            return false;
        }
        match intent {
            Intent::Hover { spot, at } => {
                let inspection = &mut self.state.inspection;
                inspection.hover_at = at;
                return std::mem::replace(&mut inspection.hover, spot) != spot;
            }
            Intent::Viewed => {
                self.canvas.release_fit();
                return false;
            }
            Intent::Select { things, extend } => {
                let selection = &mut self.state.stage.marks.selection;
                if !extend {
                    selection.clear();
                }
                for thing in things {
                    if !extend || !selection.remove(&thing) {
                        selection.insert(thing);
                    }
                }
            }
            Intent::Choose(switch) => self.choose_switch(link, switch),
            Intent::PickHosts(hosts) => self.pick_hosts(hosts),
            Intent::Inspect { spot, at } => self.inspect(spot, at),
            Intent::Drag { things, by } => {
                self.show_moved(&things, by);
                return false;
            }
            Intent::Drop => self.drop_moved(),
            Intent::AddSwitch(at) => {
                let at = self.state.tools.snapped(at);
                let switch = self.edit(Kind::AddSwitch, |network| edit::add_switch(network, at));
                self.state.stage.marks.selection = BTreeSet::from([Thing::Switch(switch)]);
            }
            Intent::AddHost(switch) => {
                self.growing(link, &[switch], |page| {
                    page.edit(Kind::AddHosts, |network| edit::add_host(network, switch));
                });
            }
            Intent::AddLink(a, b) => {
                self.growing(link, &[b, a], |page| {
                    page.edit(Kind::AddLink, |network| edit::add_link(network, a, b));
                });
            }
        }
        true
    }

    /// Does something that may give switches more ports, and tells the user of which.
    fn growing(&mut self, link: &Scope<Page>, switches: &[u32], act: impl FnOnce(&mut Page)) {
        let ports = |page: &Page| -> Vec<u16> {
            let network = &page.state.stage.picture.network;
            let of = |&i: &u32| network.switches.get(i as usize).map_or(0, |switch| switch.ports);
            switches.iter().map(of).collect()
        };
        let before = ports(self);
        act(self);
        for ((&switch, before), after) in switches.iter().zip(before).zip(ports(self)) {
            if after > before {
                let name = self.state.stage.picture.switch_name(switch);
                self.say(link, fill(text().grew_ports, &[&name, &after]));
            }
        }
    }

    /// Takes a switch for what the tool in hand asks for.
    fn choose_switch(&mut self, link: &Scope<Page>, switch: u32) {
        match self.state.tools.tool {
            Tool::Root => {
                self.state.tools.tool = Tool::Select;
                self.set_root(link, switch);
            }
            Tool::Pair => self.choose_pair_end(switch),
            Tool::Senders => self.pick_hosts(self.state.stage.picture.hosts_of(switch)),
            Tool::Select | Tool::Switch | Tool::Host | Tool::Link => {}
        }
    }

    /// Takes the pinned switch for the tool in hand; without a tool, shows its inside.
    pub(super) fn use_pinned_switch(&mut self, link: &Scope<Page>) {
        match self.state.inspection.pin {
            Pin::Switch(switch) if self.state.tools.tool == Tool::Select => {
                self.look_inside(Some(InsideOf { switch, output: None }));
            }
            Pin::Switch(switch) => self.choose_switch(link, switch),
            Pin::Host(host) if self.state.tools.tool == Tool::Senders => {
                self.pick_hosts(vec![host]);
            }
            _ => {}
        }
    }

    fn inspect(&mut self, spot: Option<Spot>, at: Point) {
        let pin = match spot {
            None => Pin::None,
            Some(Spot::Switch(i)) => Pin::Switch(i),
            Some(Spot::Host(i)) => Pin::Host(i),
            Some(Spot::Channel(c)) => {
                self.state.message_at(c, at).map_or(Pin::Channel(c), Pin::Message)
            }
        };
        self.pin(pin);
        if pin != Pin::None {
            self.show_tab(Tab::WATCH);
        }
    }

    /// Shows things moved, while they are dragged.
    fn show_moved(&mut self, things: &BTreeSet<Thing>, by: Point) {
        let scenario = Rc::clone(self.state.document.scenario());
        let base = Picture::of(&scenario);
        let mut switches = base.switches.clone();
        let mut network = base.network;
        let moved = |at: Point| self.state.tools.snapped([at[0] + by[0], at[1] + by[1]]);
        for thing in things {
            match *thing {
                Thing::Switch(i) => {
                    switches[i as usize] = moved(switches[i as usize]);
                    // Hosts that were placed by hand move with their switch.
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
        let picture = Picture::with_positions(network, switches, &scenario.fabric);
        self.state.stage.picture = Rc::new(picture);
    }

    /// Leaves dragged things where they are shown.
    fn drop_moved(&mut self) {
        let picture = Rc::clone(&self.state.stage.picture);
        self.edit(Kind::Move, |network| {
            edit::stand(network, &picture.switches);
            for (host, shown) in network.hosts.iter_mut().zip(&picture.network.hosts) {
                (host.x, host.y) = (shown.x, shown.y);
            }
        });
    }

    /// Removes the selection, and tells the user of flows that lose all their senders with it.
    pub(super) fn remove_selected(&mut self, link: &Scope<Page>) {
        let things = std::mem::take(&mut self.state.stage.marks.selection);
        if things.is_empty() {
            return;
        }
        let mut scenario = (**self.state.document.scenario()).clone();
        let picture = Rc::clone(&self.state.stage.picture);
        edit::drawn(&mut scenario, &picture.network, &picture.switches);
        let without_senders = edit::remove(&mut scenario, &things);
        self.pin(Pin::None);
        let before = Rc::clone(self.state.document.scenario());
        if self.state.document.change(Kind::Remove, scenario) {
            self.document_changed();
        }
        if !without_senders.is_empty() {
            self.state.tools.end_picking();
            let name = |&i: &usize| flow_name(i, &before.traffic[i].name);
            let names: Vec<String> = without_senders.iter().map(name).collect();
            self.say(link, fill(text().flows_without_senders, &[&names.join(", ")]));
        }
    }

    /// Copies the selected switches, with hosts and links, beside themselves.
    pub(super) fn duplicate_selected(&mut self) {
        let switches = self.state.selected_switches();
        if switches.is_empty() {
            return;
        }
        let picture = Rc::clone(&self.state.stage.picture);
        let copies = self.edit(Kind::Duplicate, |network| {
            edit::stand(network, &picture.switches);
            let copied = edit::piece(network, &switches);
            edit::insert(network, copied, [COPY_OFFSET, COPY_OFFSET])
        });
        self.state.stage.marks.selection = copies;
    }

    /// Copies the selected switches, with hosts and links, to the clipboard: as a scenario file,
    /// so that another tab or an editor can take it.
    pub(super) fn copy_selected(&mut self, link: &Scope<Page>) {
        let switches = self.state.selected_switches();
        if switches.is_empty() {
            return self.say(link, text().nothing_to_copy.into());
        }
        let mut network = self.state.stage.picture.network.clone();
        edit::stand(&mut network, &self.state.stage.picture.switches);
        let mut piece = Scenario::of(NetworkSpec::Drawn(edit::piece(&network, &switches)));
        piece.name = edit::PIECE.into();
        let json = piece.to_json();
        let words = fill(text().copied, &[&counted(text().n_switches, switches.len())]);
        let link = link.clone();
        wasm_bindgen_futures::spawn_local(async move {
            // The notice waits for the clipboard. Where pages may not write to it, the piece can
            // still be pasted in this tab.
            browser::copy(&json).await;
            link.send_message(Msg::Say(words));
        });
        self.state.tools.clipboard = Some(piece);
    }

    /// Adds a copied piece to the network.
    pub(super) fn paste(&mut self, piece: Scenario) {
        let NetworkSpec::Drawn(piece) = piece.network else { return };
        if self.state.is_locked() {
            return;
        }
        let picture = Rc::clone(&self.state.stage.picture);
        self.state.stage.marks.selection = self.edit(Kind::Paste, |network| {
            edit::stand(network, &picture.switches);
            edit::insert(network, piece, [COPY_OFFSET, COPY_OFFSET])
        });
    }

    /// Puts the selected switches in a row or a column.
    pub(super) fn align(&mut self, link: &Scope<Page>, column: bool) {
        let switches = self.state.selected_switches();
        if switches.len() < 2 {
            return self.say(link, text().nothing_to_align.into());
        }
        let picture = Rc::clone(&self.state.stage.picture);
        self.edit(Kind::Align, |network| {
            edit::stand(network, &picture.switches);
            edit::align(network, &switches, column);
        });
    }

    /// Adds four hosts to every selected switch, or to every switch.
    pub(super) fn add_four_hosts(&mut self) {
        let mut switches = self.state.selected_switches();
        if switches.is_empty() {
            switches = (0..self.state.stage.picture.switches.len() as u32).collect();
        }
        self.edit(Kind::AddHosts, |network| {
            for switch in switches {
                for _ in 0..4 {
                    edit::add_host(network, switch);
                }
            }
        });
    }

    /// Selects all switches and hosts.
    pub(super) fn select_all(&mut self) {
        let stage = &mut self.state.stage;
        let switches = (0..stage.picture.switches.len() as u32).map(Thing::Switch);
        let hosts = (0..stage.picture.hosts.len() as u32).map(Thing::Host);
        stage.marks.selection = switches.chain(hosts).collect();
    }

    /// Places all switches by a layout, and all hosts around their switches.
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

    /// The root of the spanning tree; switch 0 while there is none.
    pub(super) fn root(&self) -> u32 {
        self.state.run.root().unwrap_or(0)
    }

    /// Pins the next switch or host in a direction, as arrow keys do; past hosts if
    /// `only_switches`.
    pub(super) fn walk(&mut self, direction: Point, only_switches: bool) {
        let picture = &self.state.stage.picture;
        let towards = |thing| pick::towards(picture, thing, direction, only_switches);
        let next = match self.state.inspection.pin {
            Pin::Switch(from) => towards(Thing::Switch(from)),
            Pin::Host(from) => towards(Thing::Host(from)),
            _ => (!picture.switches.is_empty()).then(|| Thing::Switch(self.root())),
        };
        if let Some(thing) = next {
            self.pick(thing);
        }
    }

    /// Selects and pins a thing, brings it into view and has screen readers say its name.
    pub(super) fn pick(&mut self, thing: Thing) {
        let picture = Rc::clone(&self.state.stage.picture);
        let Some(place) = picture.place(thing) else { return };
        let here = self.state.inspection.switch(&picture);
        self.state.stage.marks.selection = BTreeSet::from([thing]);
        self.pin(Pin::of(thing, &picture, here));
        self.state.inspection.spoken = Some(thing);
        if self.state.stage.camera.bring_into_view(place) {
            self.canvas.release_fit();
        }
    }

    /// Moves the selection a little, or to the next line of the grid.
    pub(super) fn nudge(&mut self, [x, y]: Point) {
        let things = self.state.stage.marks.selection.clone();
        let can_move = things.iter().any(|thing| !matches!(thing, Thing::Link(_)));
        if !self.state.is_locked() && can_move {
            let by = if self.state.tools.snap { GRID } else { NUDGE };
            self.show_moved(&things, [x * by, y * by]);
            self.drop_moved();
        }
    }
}

/// The place of the flow that an edit of the flows has added. `places` are those of
/// [`flows::Edit::apply`].
fn new_flow(edit: flows::Edit, places: &[Option<usize>]) -> Option<usize> {
    match edit {
        flows::Edit::Add => Some(places.len()),
        flows::Edit::Duplicate(flow) => Some(flow + 1),
        flows::Edit::Up(_) | flows::Edit::Down(_) | flows::Edit::Remove(_) => None,
    }
}

/// What has the keyboard focus after an edit of the flows, as in [`Page::focus_next`]: the same
/// button of a flow that was moved, or the other one where it can go no further; the flow after one
/// that was removed, or the button that adds one. `places` are those of [`flows::Edit::apply`].
fn focus_after(edit: flows::Edit, places: &[Option<usize>]) -> Vec<String> {
    let button =
        |flow: usize, class: &str| format!(".flow[data-flow=\"{flow}\"] .{class}:not([disabled])");
    let moved = |flow: usize, classes: [&str; 2]| {
        let place = places.get(flow).copied().flatten();
        place.map_or(Vec::new(), |place| classes.map(|class| button(place, class)).to_vec())
    };
    match edit {
        flows::Edit::Up(flow) => moved(flow, ["flow-up", "flow-down"]),
        flows::Edit::Down(flow) => moved(flow, ["flow-down", "flow-up"]),
        flows::Edit::Remove(flow) => {
            let last = places.iter().flatten().count().saturating_sub(1);
            vec![button(flow.min(last), "remove-flow"), "#add-flow".to_owned()]
        }
        flows::Edit::Add | flows::Edit::Duplicate(_) => Vec::new(),
    }
}
