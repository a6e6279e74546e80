//! Problems: of a file that was not opened, of a scenario that cannot run, of the simulator.

use super::checklist::checklist;
use super::parts::{button, close, heading, primary};
use super::view::View;
use crate::action::Action;
use crate::command::Command;
use crate::protocol::Ended;
use crate::state::{Linkable, Tab};
use crate::text::{fill, message, text};
use hopscope_core::problem::Problems;
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
            if view.state.stage.picture.switches.is_empty() && view.state.notices.file.is_none() {
                {nothing_yet(view)}
            } else if !run.problems.is_empty() {
                {checklist(view).unwrap_or_else(|| html! {
                    <div class="trouble mild" id="problems">
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

/// Problems, each with place, reason and fix.
pub fn list(problems: &Problems) -> Html {
    let t = text();
    html! {
        <ul class="problems">
            {for problems.0.iter().take(MAX_SHOWN).map(|problem| html! {
                <li>
                    if !problem.at.is_empty() { <code>{&problem.at}</code>{" "} }
                    <span>{message(&problem.why)}</span>
                    if !problem.fix.is_empty() { <span class="hint">{fill(t.how_to_fix, &[&message(&problem.fix)])}</span> }
                </li>
            })}
        </ul>
    }
}

/// The same list in a card.
pub fn card(problems: &Problems) -> Html {
    html! { <div class="problem-list">{list(problems)}</div> }
}
