//! Results of the run and the traffic matrix: what the panels show, select and save; and the
//! picking of senders.

use super::parts::Page;
use crate::edit::{Kind, Thing, flows};
use crate::protocol::{TableFile, ToWorker};
use crate::stage::Overlay;
use crate::stage::gesture::Tool;
use crate::state::{Dialog, FEW_RANKS, MANY_RANKS, Pin, ResultsAction, Tab, file_name};
use crate::text::{fill, text};
use std::rc::Rc;
use yew::html::Scope;

impl Page {
    /// Does something with the results or the traffic matrix. True if the page is to be rendered.
    pub(super) fn on_results(&mut self, action: ResultsAction) -> bool {
        let results = &mut self.state.results;
        match action {
            ResultsAction::Point(pin) if pin == results.pointed => return false,
            ResultsAction::Table(table) => results.show(table),
            ResultsAction::Sort(column) => results.sort(column),
            ResultsAction::More => results.more(),
            ResultsAction::AllStatistics(all) => results.show_all_statistics(all),
            ResultsAction::Point(pin) => {
                results.pointed = pin;
                self.state.inspection.hover = results.pointed_spot();
            }
            ResultsAction::Select(pin) => self.select_pin(pin),
            ResultsAction::Save => {
                self.worker.send(ToWorker::Table { table: results.wanted.table });
            }
            ResultsAction::Flow(flow) => self.state.matrix.flow = flow,
            ResultsAction::OpenMatrix(open) => self.state.matrix.open = open,
            ResultsAction::Fill => self.worker.send(ToWorker::Fill),
        }
        true
    }

    /// Selects and pins a host or a channel, and brings it into view; nothing if it is pinned.
    fn select_pin(&mut self, pin: Pin) {
        let picture = Rc::clone(&self.state.stage.picture);
        let pin = if self.state.inspection.pin == pin { Pin::None } else { pin };
        let thing = match pin {
            Pin::Host(host) => Some(Thing::Host(host)),
            Pin::Channel(channel) => picture.lanes.get(channel as usize).map(|lane| lane.thing),
            _ => None,
        };
        self.state.stage.marks.selection = thing.into_iter().collect();
        self.pin(pin);
        self.state.inspection.spoken = thing;
        if let Some(place) = thing.and_then(|thing| picture.place(thing))
            && self.state.stage.camera.bring_into_view(place)
        {
            self.canvas.release_fit();
        }
    }

    /// Tells the worker what the panels show of the results and of the application, and asks it for
    /// the matrix and the critical path.
    pub(super) fn ask_for_results(&mut self) {
        let state = &mut self.state;
        let tab = state.display.tab;
        let results = state.results.ask(tab == Tab::RESULTS, state.inspection.pin);
        let flows = state.document.scenario().traffic.len();
        let is_loaded = state.run.is_loaded();
        let visible = tab == Tab::TRAFFIC && is_loaded;
        let matrix = state.matrix.ask(visible, state.run.number, flows);
        let has_application = state.document.scenario().application.is_some();
        let ranks = match state.dialogs.open {
            _ if !has_application => None,
            Dialog::Timeline => Some(MANY_RANKS),
            _ => (tab == Tab::APPLICATION).then_some(FEW_RANKS),
        };
        let timeline = state.application.ask_for_timeline(ranks);
        if !has_application && state.display.overlay == Overlay::CriticalPath {
            state.display.overlay = Overlay::None;
        }
        let shows_path = is_loaded && state.display.overlay == Overlay::CriticalPath;
        let (run, application) = (&state.run, &mut state.application);
        let path = application.ask_for_path(shows_path, run.number, &run.stats);
        let application = timeline.into_iter().chain(path);
        results
            .into_iter()
            .chain(matrix)
            .chain(application)
            .for_each(|question| self.worker.send(question));
    }

    /// Saves a table of the results.
    pub(super) fn save_table(&mut self, link: &Scope<Page>, file: &TableFile) {
        let stem = file_name(&self.state.document.scenario().name);
        let so_far = if file.measured { "" } else { ".so-far" };
        let name = format!("{stem}.{}{so_far}.csv", file.table.key());
        let words = if file.measured { text().saved } else { text().saved_so_far };
        let words = fill(words, &[&name]);
        self.save_text_saying(link, &name, &file.csv, "text/csv", words);
    }

    /// Begins to pick the senders of a flow on the stage, or ends it. The inside of a switch would
    /// cover them.
    pub(super) fn pick_senders(&mut self, flow: usize) {
        let tools = &mut self.state.tools;
        let ends = tools.tool == Tool::Senders && tools.flow == flow;
        tools.tool = if ends { Tool::Select } else { Tool::Senders };
        tools.flow = flow;
        if !ends {
            self.look_inside(None);
        }
    }

    /// Makes hosts senders of the flow whose senders are being picked, or no longer.
    pub(super) fn pick_hosts(&mut self, hosts: Vec<u32>) {
        let flow = self.state.tools.flow;
        let mut scenario = (**self.state.document.scenario()).clone();
        flows::pick(&mut scenario, flow, &hosts);
        if self.state.document.change(Kind::Traffic, scenario) {
            self.document_changed_by(Kind::Traffic);
        }
    }
}
