//! The conversation with the page that shows this one in a frame: `docs/embedding.md`.
//!
//! Requests and answers are JSON. Requests are carried out one after the other, in the order in
//! which they came; the next one begins when the one before it has been answered. Events are found
//! by comparing what is known now with what was known before.

use super::{FASTEST, LessonStep, State, speed_step};
use crate::protocol::Ended;
use crate::text::{message, problems};
use hopscope_core::message::Message;
use hopscope_core::problem::Problems;
use serde_json::Value;
use std::collections::VecDeque;

/// The version of the messages.
const VERSION: u64 = 1;
/// The key of the version; messages without it are not for this page.
const KEY: &str = "hopscope";
/// Most requests that wait.
const MAX_WAITING: usize = 100;

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Open a file, at cycle 0 and paused.
    Load,
    /// Run.
    Run,
    /// Pause.
    Pause,
    /// Go to a cycle, paused.
    Seek,
    /// The results of the run.
    Results,
}

/// The requests: their names, and the fields of each.
const COMMANDS: [(&str, Asked, &[&str]); 5] = [
    ("load", Asked::Load, &["file", "name"]),
    ("run", Asked::Run, &["speed"]),
    ("pause", Asked::Pause, &[]),
    ("seek", Asked::Seek, &["cycle"]),
    ("results", Asked::Results, &[]),
];

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The origin of the page that asks, to which the answer goes.
    origin: String,
    /// What it asks for.
    pub asked: Asked,
    /// The request, whose fields are of the right kinds.
    fields: Value,
}

/// A message to the page that shows this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToHost {
    /// The only origin that may read it; `*` for any.
    pub origin: String,
    /// The message, JSON.
    pub json: String,
}

/// What was known when events were looked for last.
#[derive(Debug, Default, PartialEq)]
struct Known {
    is_ready: bool,
    ended: Option<Ended>,
    is_measured: bool,
    /// The lesson that is explained, by its index.
    explained: Option<usize>,
}

/// The conversation with the page that shows this one.
#[derive(Debug, Default)]
pub struct Host {
    waiting: VecDeque<Request>,
    /// The request that is being carried out.
    current: Option<Request>,
    known: Known,
}

impl Request {
    /// Reads a message. `None` if it is not for this page.
    ///
    /// # Errors
    /// The answer to a message that is no request.
    fn read(origin: &str, json: &str) -> Option<Result<Request, ToHost>> {
        let fields: Value = serde_json::from_str(json).ok()?;
        fields.get(KEY)?;
        Some(match check(&fields) {
            Ok(asked) => Ok(Request { origin: origin.to_owned(), asked, fields }),
            Err(why) => {
                Err(answer(origin, &fields["id"], Err(&problem(problems::not_a_request(why)))))
            }
        })
    }

    /// The text of the file to load.
    pub fn file(&self) -> String {
        match &self.fields["file"] {
            Value::String(text) => text.clone(),
            scenario => scenario.to_string(),
        }
    }

    /// The name of that file.
    pub fn name(&self) -> &str {
        self.fields["name"].as_str().unwrap_or_default()
    }

    /// The cycle to go to.
    pub fn cycle(&self) -> u64 {
        self.fields["cycle"].as_u64().unwrap_or_default()
    }

    /// The step of the speed slider to run at.
    pub fn speed(&self) -> Option<u32> {
        let speed = self.fields.get("speed")?;
        Some(speed.as_f64().map_or(FASTEST, speed_step))
    }

    /// The answer to the request: a JSON value, or the problems.
    pub fn answer(&self, found: Result<&str, &Problems>) -> ToHost {
        answer(&self.origin, &self.fields["id"], found)
    }
}

/// What a request asks for, if it has the right fields.
///
/// # Errors
/// The field that is wrong, with its value.
fn check(fields: &Value) -> Result<Asked, String> {
    let command = &fields["command"];
    let known = COMMANDS.iter().find(|(name, ..)| command == name);
    let (_, asked, own) = known.ok_or_else(|| format!("command: {command}"))?;
    for (name, value) in fields.as_object().into_iter().flatten() {
        let fits = match &**name {
            KEY => *value == VERSION,
            "id" | "command" => true,
            other if !own.contains(&other) => false,
            "file" => value.is_string() || value.is_object(),
            "name" => value.is_string(),
            "cycle" => value.is_u64(),
            _ => value.is_number() || value == "fastest",
        };
        if !fits {
            return Err(format!("{name}: {value}"));
        }
    }
    Ok(*asked)
}

fn answer(origin: &str, id: &Value, found: Result<&str, &Problems>) -> ToHost {
    let found = match found {
        Ok(json) => format!("\"answer\":{json}"),
        Err(problems) => {
            let json = |text: String| Value::from(text).to_string();
            let all = problems.0.iter().map(|problem| {
                let [why, fix] = [&problem.why, &problem.fix].map(message).map(json);
                let place = json(problem.at.to_string());
                format!("{{\"where\":{place},\"why\":{why},\"fix\":{fix}}}")
            });
            format!("\"problems\":[{}]", all.collect::<Vec<_>>().join(","))
        }
    };
    // Pages from files have no origin that could be named.
    let origin = if origin.starts_with("http") { origin } else { "*" };
    ToHost {
        origin: origin.to_owned(),
        json: format!("{{\"{KEY}\":{VERSION},\"id\":{id},{found}}}"),
    }
}

/// An event, as JSON fields.
fn event(fields: String) -> ToHost {
    ToHost { origin: "*".into(), json: format!("{{\"{KEY}\":{VERSION},\"event\":{fields}}}") }
}

impl Host {
    /// Takes a message; the answer if it is no request that can be carried out.
    pub fn take(&mut self, origin: &str, json: &str) -> Option<ToHost> {
        match Request::read(origin, json)? {
            Ok(request) if self.waiting.len() == MAX_WAITING => {
                Some(request.answer(Err(&problem(problems::too_many_requests(MAX_WAITING)))))
            }
            Ok(request) => {
                self.waiting.push_back(request);
                None
            }
            Err(answer) => Some(answer),
        }
    }

    /// The next request to carry out; `None` while another one is being carried out.
    pub fn next_request(&mut self) -> Option<Request> {
        if self.current.is_some() { None } else { self.waiting.pop_front() }
    }

    /// The request is being carried out.
    pub fn begin(&mut self, request: Request) {
        self.current = Some(request);
    }

    /// Whether a scenario is being loaded for a request.
    pub fn loads(&self) -> bool {
        self.current.as_ref().is_some_and(|request| request.asked == Asked::Load)
    }

    /// The request that was being carried out is done.
    pub fn finish(&mut self) -> Option<Request> {
        self.current.take()
    }
}

/// A problem of a request.
pub fn problem(why: Message) -> Problems {
    Problems::one("request", why, Message::default())
}

impl State {
    /// The events since the last call.
    pub fn host_events(&mut self) -> Vec<ToHost> {
        let run = &self.run;
        let explained = self.lesson.as_ref().filter(|lesson| lesson.step == LessonStep::Explain);
        let now = Known {
            is_ready: self.host.known.is_ready
                || !run.is_loading() && (run.facts.is_some() || !run.problems.is_empty()),
            ended: run.stats.ended,
            is_measured: run.stats.fingerprint.as_ref().is_some_and(|found| found.measured),
            explained: explained.map(|lesson| lesson.index),
        };
        let mut events = Vec::new();
        let before = &self.host.known;
        let cycle = run.stats.cycle;
        if now.is_ready && !before.is_ready {
            events.push(event("\"ready\"".into()));
        }
        if now.is_measured && !before.is_measured {
            events.push(event(format!("\"measured\",\"cycle\":{cycle}")));
        }
        if now.ended != before.ended
            && let Some(why) = now.ended
        {
            let why = match why {
                Ended::Deadlock => "deadlock",
                Ended::Finished => "finished",
                Ended::Crowded => "crowded",
            };
            events.push(event(format!("\"ended\",\"cycle\":{cycle},\"why\":\"{why}\"")));
        }
        if now.explained != before.explained
            && let Some(taken) = explained
        {
            let (id, chosen) = (&taken.lesson().id, taken.chosen.unwrap_or_default());
            let score = u8::from(chosen == taken.lesson().right);
            events.push(event(format!(
                "\"lesson\",\"lesson\":\"{id}\",\"score\":{score},\"answer\":{chosen}"
            )));
        }
        self.host.known = now;
        events
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::protocol::{Facts, RunFingerprint, Stats};
    use crate::state::{OpenLesson, Theme, Tour, welcome};
    use serde_json::json;
    use std::rc::Rc;

    const ORIGIN: &str = "https://school.example";

    fn told(message: &ToHost) -> Value {
        serde_json::from_str(&message.json).expect("it is JSON")
    }

    #[test]
    fn requests_are_carried_out_one_after_the_other() {
        let mut host = Host::default();
        for request in [
            json!({ "hopscope": 1, "id": 1, "command": "load", "file": { "a": 1 } }),
            json!({ "hopscope": 1, "id": "x", "command": "run" }),
            json!({ "hopscope": 1, "command": "results" }),
        ] {
            assert_eq!(host.take(ORIGIN, &request.to_string()), None);
        }
        let first = host.next_request().expect("the first");
        assert_eq!((first.asked, &*first.file()), (Asked::Load, r#"{"a":1}"#));
        host.begin(first);
        assert!(host.loads() && host.next_request().is_none());
        let first = host.finish().expect("it was being carried out");
        let answer = first.answer(Ok(r#"{"switches":3}"#));
        assert_eq!(answer.origin, ORIGIN);
        assert_eq!(told(&answer), json!({ "hopscope": 1, "id": 1, "answer": { "switches": 3 } }));
        assert_eq!(host.next_request().map(|request| request.asked), Some(Asked::Run));
        assert_eq!(host.next_request().map(|request| request.asked), Some(Asked::Results));
        assert!(host.next_request().is_none());
    }

    #[test]
    fn what_is_no_request_is_answered_with_its_id_and_other_messages_are_ignored() {
        let mut host = Host::default();
        for other in ["7", r#"{"type":"resize"}"#, "nonsense", "null"] {
            assert_eq!(host.take(ORIGIN, other), None);
        }
        for (wrong, word) in [
            (json!({ "hopscope": 1, "id": 5, "command": "dance" }), "command"),
            (json!({ "hopscope": 1, "id": 5, "command": "run", "cycle": 3 }), "cycle: 3"),
            (json!({ "hopscope": 2, "id": 5, "command": "run" }), "hopscope: 2"),
            (json!({ "hopscope": 1, "id": 5, "command": "run", "sped": 3 }), "sped"),
            (json!({ "hopscope": 1, "id": 5, "command": "run", "speed": "slow" }), "slow"),
            (json!({ "hopscope": 1, "id": 5, "command": "seek", "cycle": -1 }), "-1"),
            (json!({ "hopscope": 1, "id": 5 }), "command"),
        ] {
            let answer = told(&host.take(ORIGIN, &wrong.to_string()).expect("it is answered"));
            assert_eq!(answer["id"], 5);
            let why = answer["problems"][0]["why"].as_str().expect("it says why");
            assert!(why.contains(word), "{why}");
        }
        assert!(host.next_request().is_none());
    }

    #[test]
    fn no_more_requests_wait_than_the_limit() {
        let mut host = Host::default();
        let json = json!({ "hopscope": 1, "command": "pause" }).to_string();
        assert!((0..MAX_WAITING).all(|_| host.take("null", &json).is_none()));
        let refused = host.take("null", &json).expect("it is answered");
        assert_eq!(refused.origin, "*", "a page without an origin");
        assert!(
            told(&refused)["problems"][0]["why"].as_str().is_some_and(|why| why.contains("100"))
        );
    }

    #[test]
    fn speeds_are_those_of_the_slider() {
        let speed = |speed: Value| {
            let json = json!({ "hopscope": 1, "command": "run", "speed": speed }).to_string();
            Request::read("null", &json).and_then(Result::ok).expect("a request").speed()
        };
        assert_eq!(speed("fastest".into()), Some(FASTEST));
        assert_eq!(speed(200.into()), Some(speed_step(200.0)));
    }

    #[test]
    fn events_are_told_once_each_time_they_happen() {
        let mut state = State::new(Document::new(welcome()), Tour::Over, Theme::Light);
        let events = |state: &mut State| -> Vec<Value> {
            let told = state.host_events().iter().map(told).collect::<Vec<_>>();
            assert!(told.iter().all(|event| event["hopscope"] == 1));
            assert!(state.host_events().is_empty(), "they are told once");
            told
        };
        assert!(events(&mut state).is_empty());
        state.run.facts = Some(Rc::new(Facts::default()));
        assert_eq!(events(&mut state)[0]["event"], "ready");
        let fingerprint = Some(RunFingerprint { digits: "0".into(), measured: true });
        let ended = Some(Ended::Deadlock);
        state.run.take_stats(Stats { cycle: 7, ended, fingerprint, ..Stats::default() });
        let both = events(&mut state);
        assert_eq!(both[0], json!({ "hopscope": 1, "event": "measured", "cycle": 7 }));
        assert_eq!(
            both[1],
            json!({ "hopscope": 1, "event": "ended", "cycle": 7, "why": "deadlock" })
        );
        state.run.take_stats(Stats::default());
        assert!(events(&mut state).is_empty());

        let mut lesson = OpenLesson::begin(0, false, Rc::new(welcome()));
        let right = lesson.lesson().right;
        lesson.chosen = Some(right);
        lesson.go_to(LessonStep::Explain);
        state.lesson = Some(lesson);
        let event = &events(&mut state)[0];
        assert_eq!((&event["score"], &event["answer"]), (&json!(1), &json!(right)));
        let lesson = state.lesson.as_mut().expect("it is open");
        lesson.go_to(LessonStep::Predict);
        lesson.chosen = Some(right + 1);
        assert!(events(&mut state).is_empty());
        state.lesson.as_mut().expect("it is open").go_to(LessonStep::Explain);
        assert_eq!(events(&mut state)[0]["score"], 0);
    }
}
