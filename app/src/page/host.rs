//! Talks with the page that shows this one in a frame: `docs/embedding.md`. Messages of other
//! windows are not heard.

use super::browser::{self, Listener, listen};
use super::msg::Msg;
use super::parts::Page;
use crate::protocol::{Facts, RunResults, ToWorker};
use crate::state::{Asked, OnLoad, Request, ToHost, host_problem, read_scenario};
use crate::text::problems;
use hopscope_core::problem::Problems;
use js_sys::JSON;
use web_sys::{MessageEvent, Window};
use yew::html::Scope;
use yew::prelude::*;

/// The page that shows this one in a frame, if one does.
fn host() -> Option<Window> {
    let window = browser::window();
    window.parent().ok().flatten().filter(|parent| *parent != window)
}

/// The listener to messages of that page.
pub fn listener(messages: &Callback<Msg>) -> Option<Listener> {
    let host = host()?;
    let messages = messages.clone();
    Some(listen(&browser::window(), "message", move |event: MessageEvent| {
        let is_of_host = event.source().is_some_and(|source| *source == ***host);
        if is_of_host && let Ok(json) = JSON::stringify(&event.data()) {
            messages.emit(Msg::Host(event.origin(), json.into()));
        }
    }))
}

fn tell(message: &ToHost) {
    if let (Some(host), Ok(value)) = (host(), JSON::parse(&message.json)) {
        host.post_message(&value, &message.origin).ok();
    }
}

fn nothing_runs() -> Problems {
    host_problem(problems::nothing_runs())
}

impl Page {
    /// Takes a message of the page that shows this one.
    pub(super) fn on_host_message(&mut self, origin: &str, json: &str) {
        self.state.host.take(origin, json).iter().for_each(tell);
    }

    /// Tells that page what has happened, and carries out what it has asked.
    pub(super) fn serve_host(&mut self, link: &Scope<Page>) {
        self.state.host_events().iter().for_each(tell);
        while !self.state.run.is_loading() {
            if self.state.host.loads() {
                self.answer_load();
            }
            let Some(request) = self.state.host.next_request() else { return };
            self.carry_out_request(link, request);
        }
    }

    fn carry_out_request(&mut self, link: &Scope<Page>, request: Request) {
        if request.asked == Asked::Load {
            match read_scenario(request.name(), &request.file()) {
                Ok(scenario) => {
                    self.open(link, scenario);
                    self.state.run.on_load = OnLoad::default();
                    // The same scenario is not loaded again.
                    self.worker.send(ToWorker::Reset);
                    self.state.host.begin(request);
                }
                Err(problems) => tell(&request.answer(Err(&problems))),
            }
            return;
        }
        if self.state.run.facts.is_none() || !self.worker.is_alive() {
            return tell(&request.answer(Err(&nothing_runs())));
        }
        match request.asked {
            Asked::Run => {
                request.speed().into_iter().for_each(|step| self.set_speed(step));
                self.play(true);
            }
            Asked::Pause => self.play(false),
            Asked::Seek => self.seek(request.cycle()),
            Asked::Load | Asked::Results => {}
        }
        // The answer comes after what the worker says of the command.
        let scenario = self.state.document.scenario();
        self.worker.send(self.state.run.ask_for_results(scenario, true));
        self.state.host.begin(request);
    }

    /// Answers a request to load: nothing is being loaded any more.
    fn answer_load(&mut self) {
        let Some(request) = self.state.host.finish() else { return };
        let run = &self.state.run;
        tell(&match &run.facts {
            Some(facts) => {
                let Facts { switches, hosts, channels, cycle_ps, .. } = **facts;
                request.answer(Ok(&format!(
                    "{{\"switches\":{switches},\"hosts\":{hosts},\"channels\":{channels},\
                     \"cycle_ps\":{cycle_ps}}}"
                )))
            }
            None if run.problems.is_empty() => request.answer(Err(&nothing_runs())),
            None => request.answer(Err(&run.problems)),
        });
    }

    /// The worker has done what a request asked for, and tells the results.
    pub(super) fn answer_with_results(&mut self, results: &RunResults) {
        let Some(request) = self.state.host.finish() else { return };
        let stats = &self.state.run.stats;
        let mut answer = format!("{{\"cycle\":{},\"playing\":{}", stats.cycle, stats.playing);
        if request.asked == Asked::Results {
            let measured = results.measured.as_deref().unwrap_or("null");
            answer += &format!(",\"now\":{},\"measured\":{measured}", results.now);
        }
        tell(&request.answer(Ok(&(answer + "}"))));
    }

    /// The worker has died, or was ended, before it has done what a request asked for.
    pub(super) fn fail_request(&mut self) {
        if !self.state.host.loads()
            && let Some(request) = self.state.host.finish()
        {
            tell(&request.answer(Err(&nothing_runs())));
        }
    }
}
