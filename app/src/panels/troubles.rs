//! Problems: of a file that was not opened, of a scenario that cannot run, of the simulator.

use super::checklist::checklist;
use super::parts::{button, close, heading, primary};
use super::view::View;
use crate::action::Action;
use crate::command::Command;
use crate::protocol::Ended;
use crate::state::{Linkable, State, Tab};
use crate::text::{fill, message, place, text};
use hopscope_core::problem::{Problem, Problems};
use hopscope_core::scenario::NetworkSpec;
use yew::prelude::*;

/// The number of problems listed.
const MAX_SHOWN: usize = 20;

/// The cards over the stage.
pub fn troubles(view: View) -> Html {
    let t = text();
    let run = &view.state.run;
    html! {
        <>
            if let Some(file) = &view.state.notices.file {
                <div class="trouble" role="alert" id="file-problems">
                    <div class="tour-head">
                        {heading(fill(t.file_problems, &[&file.name]))}
                        {close(t.close, view.on(|| Action::DismissFileProblems))}
                    </div>
                    {list(&file.problems)}
                </div>
            }
            if view.state.notices.linkable == Linkable::TooLarge {
                <div class="trouble mild" role="status" id="too-large">
                    <div class="tour-head">
                        {heading(t.link_too_long)}
                        {close(t.close, view.on(|| Action::DismissLinkNotice))}
                    </div>
                    {button(t.save, view.on_command(Command::Save))}
                </div>
            }
            if view.state.notices.newer_build {
                <div class="trouble mild row" role="status" id="renewed">
                    <span>{t.renewed}</span>
                    {button(t.reload, view.on(|| Action::Reload))}
                </div>
            }
            if nothing_is_drawn(view.state) {
                if view.state.notices.file.is_none() { {nothing_yet(view)} }
            } else if !run.problems.is_empty() {
                {checklist(view).unwrap_or_else(|| html! {
                    <div class="trouble mild" id="problems" role="region" aria-label={t.problems_title} tabindex="0">
                        {heading(t.problems_title)}
                        {list(&run.problems)}
                    </div>
                })}
            }
            if run.stats.ended == Some(Ended::Crowded) {
                <div class="trouble mild" role="status" id="crowded">{heading(t.crowded)}<p>{t.crowded_how}</p></div>
            }
            if let Some(why) = &run.stats.broken {
                <div class="trouble" role="alert">{heading(fill(t.broken, &[&message(why)]))}</div>
            }
            if let Some(why) = &run.stats.stopped {
                <div class="trouble mild" role="status" id="limit">{heading(message(why))}</div>
            }
        </>
    }
}

/// Whether the stage is empty because nothing has been drawn. A stage is also empty when the
/// parameters of its generator are refused; its problems are then shown.
fn nothing_is_drawn(state: &State) -> bool {
    state.stage.picture.switches.is_empty()
        && matches!(state.scenario().network, NetworkSpec::Drawn(_))
}

/// The card of an empty stage: ways to begin.
fn nothing_yet(view: View) -> Html {
    let t = text();
    html! {
        <div class="trouble mild" id="nothing-yet" role="status">
            {heading(t.nothing_yet)}
            <p>{t.nothing_yet_how}</p>
            <div class="row wrap">
                {primary(None, t.tool_switch, true, view.on_command(Command::ToolSwitch))}
                {button(t.generator, view.on(|| Action::Tab(Tab::NETWORK)))}
                {button(t.gallery, view.on_command(Command::Gallery))}
            </div>
        </div>
    }
}

/// Problems, each with place, reason and fix. Those of one kind are one entry.
pub fn list(problems: &Problems) -> Html {
    let t = text();
    let reason = |problem: &Problem| {
        let place = place(&problem.at);
        html! {
            <>
                if !place.is_empty() { <code>{place}</code>{" "} }
                <span>{message(&problem.why)}</span>
            </>
        }
    };
    let entry = |alike: &Vec<&Problem>| {
        let (first, rest) = (alike[0], &alike[1..]);
        html! {
            <li>
                {reason(first)}
                if !first.fix.is_empty() { <span class="hint">{fill(t.how_to_fix, &[&message(&first.fix)])}</span> }
                if !rest.is_empty() {
                    <details>
                        <summary>{fill(t.more_alike, &[&rest.len()])}</summary>
                        <ul>{for rest.iter().take(MAX_SHOWN).map(|problem| html! { <li>{reason(problem)}</li> })}</ul>
                    </details>
                }
            </li>
        }
    };
    html! { <ul class="problems">{for problems.alike().iter().take(MAX_SHOWN).map(entry)}</ul> }
}

/// What is wrong with the part of the scenario whose fields begin so, in a card.
pub fn of(view: View, place: &str) -> Html {
    let own =
        view.state.run.problems.0.iter().filter(|problem| problem.at.path().starts_with(place));
    let own = Problems(own.cloned().collect());
    if own.is_empty() { Html::default() } else { card(&own) }
}

/// The same list in a card.
pub fn card(problems: &Problems) -> Html {
    html! { <div class="problem-list">{list(problems)}</div> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::message::Message;
    use hopscope_core::scenario::Scenario;
    use hopscope_core::simulation::Simulation;

    #[test]
    fn the_same_problem_of_many_lanes_is_one_entry() {
        let levels: Vec<String> =
            (0..12).map(|level| format!(r#"{{"channels":[{level}]}}"#)).collect();
        let lanes: Vec<String> = (0..12).map(|lane| lane.to_string()).collect();
        let text = format!(
            r#"{{"hopscope":1,"network":{{"generate":{{"kind":"single","hosts":2}}}},
                "fabric":{{"kind":"cut-through","nic_buffer_bytes":4096,
                "qos":{{"levels":[{}],"lanes":[{}]}}}}}}"#,
            levels.join(","),
            lanes.join(","),
        );
        let scenario = Scenario::read(&text).expect("a scenario");
        let problems = Simulation::new(&scenario).expect_err("lanes with too little space");
        let sizes: Vec<usize> = problems.alike().iter().map(Vec::len).collect();
        assert_eq!(sizes, [12]);
    }

    #[test]
    fn other_fields_and_other_reasons_are_entries_of_their_own() {
        let at = |at: &str, why: &'static str| Problem {
            at: at.into(),
            why: Message { id: why.into(), ..Message::default() },
            fix: Message::default(),
        };
        let problems = Problems(vec![
            at("traffic.0.load", "a"),
            at("traffic.1.load", "a"),
            at("traffic.1.level", "a"),
            at("traffic.2.load", "b"),
            at("traffic.12.load", "a"),
        ]);
        let sizes: Vec<usize> = problems.alike().iter().map(Vec::len).collect();
        assert_eq!(sizes, [3, 1, 1]);
    }
}
