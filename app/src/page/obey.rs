//! Doing commands.

use super::{Dialog, Msg, Page, Pin, RoutesMsg, Theme, Wish, browser};
use crate::command::{Command, Group};
use crate::edit::{self, Kind};
use crate::layout::Layout;
use crate::protocol::{StepBy, ToWorker};
use crate::stage::Overlay;
use crate::stage::gesture::Tool;
use crate::text::{Language, Text, fill, text};
use yew::html::Scope;

impl Page {
    pub(super) fn obey(&mut self, link: &Scope<Page>, command: Command) {
        use Command as C;
        if matches!(self.dialog, Dialog::Palette | Dialog::Menu | Dialog::Export) {
            self.dialog = Dialog::None;
        }
        let group = command.entry().group;
        if self.is_locked()
            && matches!(group, Group::Document | Group::Edit | Group::Layout | Group::Routing)
        {
            return;
        }
        let step = |count| ToWorker::Step { by: StepBy::Cycles { count } };
        let cycle = self.run.stats.cycle;
        match command {
            C::PlayPause if self.run.stats.playing => self.tell(ToWorker::Pause),
            C::PlayPause => self.tell(ToWorker::Play),
            C::StepEvent => self.tell(ToWorker::Step { by: StepBy::NextEvent }),
            C::StepCycle => self.tell(step(1)),
            C::StepMany => self.tell(step(self.timing.many)),
            C::StepListed => self.wish(Wish::Next),
            C::BackCycle => self.seek(cycle.saturating_sub(1)),
            C::BackMany => self.seek(cycle.saturating_sub(self.timing.many)),
            C::MarkA => self.wish(Wish::Mark(0, Some(cycle))),
            C::MarkB => self.wish(Wish::Mark(1, Some(cycle))),
            C::Reset => self.tell(ToWorker::Reset),
            C::Slower => link.send_message(Msg::Speed(self.speed.saturating_sub(1))),
            C::Faster => link.send_message(Msg::Speed(self.speed + 1)),
            C::NewDocument => self.open(link, edit::blank()),
            C::Gallery => link.send_message(Msg::Dialog(Dialog::Gallery)),
            C::Lessons => self.dialog = Dialog::Lessons,
            C::Open => self.file_input().iter().for_each(|input| input.click()),
            C::Save => self.save(link),
            C::Export => self.dialog = Dialog::Export,
            C::CopyLink => self.copy_link(link),
            C::Undo | C::Redo => self.undo_or_redo(link, command == C::Undo),
            C::SelectAll => self.select_all(),
            C::SelectNone => self.let_go(),
            C::Remove => self.remove_selected(),
            C::Duplicate => self.duplicate_selected(),
            C::Copy => self.copy_selected(link),
            C::Cut => {
                self.copy_selected(link);
                self.remove_selected();
            }
            C::Paste => self.piece.clone().into_iter().for_each(|piece| self.paste(piece)),
            C::AlignRow => self.align(link, false),
            C::AlignColumn => self.align(link, true),
            C::Snap => self.snap = !self.snap,
            C::AddFourHosts => self.add_four_hosts(),
            C::ToolSelect => self.tool = Tool::Select,
            C::ToolSwitch => self.tool = Tool::Switch,
            C::ToolHost => self.tool = Tool::Host,
            C::ToolLink => self.tool = Tool::Link,
            C::ToolRoot => self.tool = toggled(self.tool, Tool::Root),
            C::ToolPair => {
                self.tool = toggled(self.tool, Tool::Pair);
                self.overlay = Overlay::Pair;
            }
            C::LayoutStress => self.arrange(Layout::Stress),
            C::LayoutLayered => self.arrange(Layout::Layered { root: self.root() }),
            C::LayoutCircle => self.arrange(Layout::Circle),
            C::LayoutGrid => self.arrange(Layout::Grid),
            C::ZoomIn => self.zoom(1.25),
            C::ZoomOut => self.zoom(0.8),
            C::Fit => self.fit(),
            C::Show(overlay) if self.overlay == overlay => self.overlay = Overlay::None,
            C::Show(overlay) => self.overlay = overlay,
            C::WhatIf => link.send_message(Msg::Routes(RoutesMsg::Ask)),
            C::Panel(tab) => {
                // A locked lesson has few. The keyboard goes on from there.
                if let Some(there) = browser::document().get_element_by_id(&format!("tab-{tab:?}"))
                {
                    self.focus_before = Some(there);
                    link.send_message(Msg::Tab(tab));
                }
            }
            C::ThemeNext => self.next_theme(),
            C::LanguageNext => self.speak(
                link,
                match Language::spoken() {
                    Language::English => Language::Spanish,
                    Language::Spanish => Language::English,
                },
            ),
            C::Palette => link.send_message(Msg::Dialog(Dialog::Palette)),
            C::Shortcuts => self.dialog = Dialog::Shortcuts,
        }
    }

    fn undo_or_redo(&mut self, link: &Scope<Page>, undo: bool) {
        let done = if undo { self.document.undo() } else { self.document.redo() };
        let words = match (done, undo) {
            (Some(kind), true) => fill(text().undone, &[&kind.name(text())]),
            (Some(kind), false) => fill(text().redone, &[&kind.name(text())]),
            (None, true) => text().nothing_to_undo.into(),
            (None, false) => text().nothing_to_redo.into(),
        };
        if done.is_some() {
            self.document_changed();
        }
        if matches!(done, Some(Kind::Open | Kind::Generate | Kind::Arrange)) {
            self.fit();
        }
        self.say(link, words);
    }

    /// Closes, lets go, puts down: whatever comes first.
    fn let_go(&mut self) {
        if self.dialog != Dialog::None {
            self.dialog = Dialog::None;
        } else if self.inside.is_some() {
            self.look_inside(None);
        } else if self.file.is_some() {
            self.file = None;
        } else if self.tool != Tool::Select {
            self.tool = Tool::Select;
        } else {
            self.stage.marks.selection.clear();
            self.pin(Pin::None);
        }
    }

    fn zoom(&mut self, factor: f32) {
        let [width, height] = self.stage.camera.size;
        self.stage.camera.zoom(factor, [width / 2.0, height / 2.0]);
        self.fit_asked = false;
    }

    fn next_theme(&mut self) {
        self.theme = match self.theme {
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Projector,
            Theme::Projector => Theme::Light,
        };
        browser::keep_theme(self.theme);
        browser::set_theme(self.theme);
        self.stage.repaint();
    }
}

/// A tool, or none if it is in hand already.
fn toggled(now: Tool, wanted: Tool) -> Tool {
    if now == wanted { Tool::Select } else { wanted }
}

impl Kind {
    /// Its name in the history.
    pub fn name(self, text: &Text) -> &'static str {
        match self {
            Kind::AddSwitch => text.did_add_switch,
            Kind::AddHosts => text.did_add_hosts,
            Kind::AddLink => text.did_add_link,
            Kind::Move => text.did_move,
            Kind::Remove => text.did_remove,
            Kind::Duplicate => text.did_duplicate,
            Kind::Paste => text.did_paste,
            Kind::Align => text.did_align,
            Kind::Arrange => text.did_arrange,
            Kind::Ports => text.did_ports,
            Kind::Name => text.did_name,
            Kind::Generate => text.did_generate,
            Kind::Routing => text.did_routing,
            Kind::Root => text.did_root,
            Kind::Load => text.did_load,
            Kind::Traffic => text.did_traffic,
            Kind::Fabric => text.did_fabric,
            Kind::Rename => text.did_rename,
            Kind::Open => text.did_open,
        }
    }
}
