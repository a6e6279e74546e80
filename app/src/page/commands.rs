//! Runs commands.

use super::msg::Msg;
use super::parts::Page;
use super::{browser, language};
use crate::action::Action;
use crate::command::{Command, Group};
use crate::edit::{self, Kind};
use crate::layout::Layout;
use crate::protocol::{StepBy, ToWorker};
use crate::stage::Overlay;
use crate::stage::gesture::Tool;
use crate::state::{DEADLOCK_SPEED, Dialog, OnLoad, Pin, RoutesAction, Tab, TimingAction};
use crate::text::{fill, text};
use web_sys::HtmlInputElement;
use yew::html::Scope;

impl Page {
    /// Runs a command.
    pub(super) fn run_command(&mut self, link: &Scope<Page>, command: Command) {
        use Command as C;
        self.state.dialogs.close_command_list();
        let group = command.group();
        let is_of_stage =
            !matches!(group, Group::Document | Group::View | Group::Help) || command == C::Fit;
        if self.state.study.is_shown && is_of_stage {
            return;
        }
        if self.state.is_locked()
            && matches!(group, Group::Document | Group::Edit | Group::Layout | Group::Routing)
        {
            return;
        }
        let step = |count| ToWorker::Step { by: StepBy::Cycles { count } };
        let cycle = self.state.run.stats.cycle;
        let long_step = self.state.timing.long_step;
        let act = |action| link.send_message(Msg::Action(action));
        match command {
            C::PlayPause => self.play(!self.state.run.plays()),
            C::StepEvent => self.worker.send(ToWorker::Step { by: StepBy::NextEvent }),
            C::StepCycle => self.worker.send(step(1)),
            C::StepMany => self.worker.send(step(long_step)),
            C::StepListed => self.on_timing(TimingAction::Next),
            C::Measure => self.worker.send(ToWorker::Step { by: StepBy::Measured }),
            C::BackCycle => self.seek(cycle.saturating_sub(1)),
            C::BackMany => self.seek(cycle.saturating_sub(long_step)),
            C::MarkA => self.on_timing(TimingAction::Mark(0, Some(cycle))),
            C::MarkB => self.on_timing(TimingAction::Mark(1, Some(cycle))),
            C::Reset => self.worker.send(ToWorker::Reset),
            C::Slower => self.set_speed(self.state.run.speed().saturating_sub(1)),
            C::Faster => self.set_speed(self.state.run.speed() + 1),
            C::NewDocument => self.open(link, edit::blank()),
            C::Gallery => act(Action::Dialog(Dialog::Gallery)),
            C::Lessons => self.state.dialogs.open = Dialog::Lessons,
            C::Study if self.state.study.is_shown => self.show_stage(),
            C::Study => self.show_study(link),
            C::Open => {
                if let Some(input) = self.elements.file.cast::<HtmlInputElement>() {
                    input.click();
                }
            }
            C::Save => self.save(link),
            C::Export => self.state.dialogs.open = Dialog::Export,
            C::Share => self.state.dialogs.open = Dialog::Share,
            C::CopyLink => self.copy_link(link),
            C::CopyMoment => self.copy_moment(link),
            C::CopyFrame => self.copy_frame(link),
            C::SaveResults if self.state.run.facts.is_some() => {
                let scenario = self.state.document.scenario();
                self.worker.send(self.state.run.ask_for_results(scenario, false));
            }
            C::SaveResults => self.say(link, text().nothing_runs.into()),
            C::CopyFingerprint => self.copy_fingerprint(link),
            C::Undo | C::Redo => self.undo_or_redo(link, command == C::Undo),
            C::SelectAll => self.select_all(),
            C::SelectNone => self.escape(),
            C::Remove => self.remove_selected(link),
            C::Duplicate => self.duplicate_selected(),
            C::Copy => self.copy_selected(link),
            C::Cut => {
                self.copy_selected(link);
                self.remove_selected(link);
            }
            C::Paste => {
                if let Some(piece) = self.state.tools.clipboard.clone() {
                    self.paste(piece);
                }
            }
            C::AlignRow => self.align(link, false),
            C::AlignColumn => self.align(link, true),
            C::Snap => self.state.tools.snap = !self.state.tools.snap,
            C::AddFourHosts => self.add_four_hosts(),
            C::ToolSelect => self.state.tools.tool = Tool::Select,
            C::ToolSwitch => self.state.tools.tool = Tool::Switch,
            C::ToolHost => self.state.tools.tool = Tool::Host,
            C::ToolLink => self.state.tools.tool = Tool::Link,
            C::ToolRoot => self.state.tools.toggle(Tool::Root),
            C::ToolPair => {
                self.state.tools.toggle(Tool::Pair);
                self.state.display.overlay = Overlay::Pair;
            }
            C::LayoutStress => self.arrange(Layout::Stress),
            C::LayoutLayered => self.arrange(Layout::Layered { root: self.root() }),
            C::LayoutCircle => self.arrange(Layout::Circle),
            C::LayoutGrid => self.arrange(Layout::Grid),
            C::ZoomIn => self.zoom(1.25),
            C::ZoomOut => self.zoom(0.8),
            C::Fit => self.fit(),
            C::Show(overlay) => self.state.display.toggle_overlay(overlay),
            C::MakeDeadlock => self.make_deadlock(),
            C::WhatIf => self.on_routes(link, RoutesAction::Ask),
            C::Panel(tab) => self.focus_tab(link, tab),
            C::ThemeNext => {
                let theme = self.state.display.theme.next();
                browser::save_theme(theme);
                self.set_theme(theme);
            }
            C::LanguageNext => {
                language::set_next();
                self.rename_welcome();
                self.draw_study();
            }
            C::Palette => act(Action::Dialog(Dialog::Palette)),
            C::Shortcuts => self.state.dialogs.open = Dialog::Shortcuts,
        }
    }

    /// Shows a panel and gives its tab the keyboard focus. A locked lesson has few panels.
    fn focus_tab(&mut self, link: &Scope<Page>, tab: Tab) {
        let element = browser::document().get_element_by_id(&format!("tab-{}", tab.0));
        if element.is_some() {
            // The focus moves there when the dialog of the command closes.
            self.focus_before = element;
            link.send_message(Msg::Action(Action::Tab(tab)));
        }
    }

    fn copy_fingerprint(&mut self, link: &Scope<Page>) {
        match &self.state.run.stats.fingerprint {
            Some(found) => self.copy_text(link, &found.digits, text().fingerprint_copied),
            None => self.say(link, text().fingerprint_later.into()),
        }
    }

    fn undo_or_redo(&mut self, link: &Scope<Page>, undo: bool) {
        let document = &mut self.state.document;
        let done = if undo { document.undo() } else { document.redo() };
        let words = match (done, undo) {
            (Some(kind), true) => fill(text().undone, &[&kind.name(text())]),
            (Some(kind), false) => fill(text().redone, &[&kind.name(text())]),
            (None, true) => text().nothing_to_undo.into(),
            (None, false) => text().nothing_to_redo.into(),
        };
        if let Some(kind) = done {
            if matches!(kind, Kind::Flows | Kind::Remove | Kind::Application | Kind::Open) {
                // Flows may have other places now.
                self.state.tools.end_picking();
            }
            self.document_changed_by(kind);
        }
        if matches!(done, Some(Kind::Open | Kind::Generate | Kind::Arrange)) {
            self.fit();
        }
        self.say(link, words);
    }

    /// Makes the scenario deadlock, if its network can, and runs it from cycle 0 at a speed at
    /// which this does not take long.
    fn make_deadlock(&mut self) {
        let mut scenario = (**self.state.document.scenario()).clone();
        edit::deadlock::provoke(&mut scenario);
        self.state.display.tab = Tab::WATCH;
        self.state.run.on_load = OnLoad { play: true, ..OnLoad::default() };
        self.set_speed(self.state.run.speed().max(DEADLOCK_SPEED));
        if self.state.document.change(Kind::Routing, scenario) {
            self.document_changed();
        } else {
            self.play(true);
        }
    }

    /// Closes what is open, else puts the tool down, else clears selection and pin.
    fn escape(&mut self) {
        if self.state.dialogs.is_open() {
            self.state.dialogs.close();
        } else if self.state.inspection.inside.is_some() {
            self.look_inside(None);
        } else if self.state.notices.file.is_some() {
            self.state.notices.file = None;
        } else if self.state.tools.tool != Tool::Select {
            self.state.tools.tool = Tool::Select;
        } else {
            self.state.stage.marks.selection.clear();
            self.pin(Pin::None);
        }
    }

    fn zoom(&mut self, factor: f32) {
        let camera = &mut self.state.stage.camera;
        let [width, height] = camera.size;
        camera.zoom(factor, [width / 2.0, height / 2.0]);
        self.canvas.release_fit();
    }
}
