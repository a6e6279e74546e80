//! What a drawn network still needs before it can run, with the tool for each.

use super::parts::{button, heading};
use super::view::View;
use crate::action::Action;
use crate::command::Command;
use crate::edit::missing::Progress;
use crate::text::{counted, fill, text};
use hopscope_core::scenario::NetworkSpec;
use yew::prelude::*;

/// The card over the stage, while the network is drawn by hand and lacks something. It closes to a
/// line, as it is at first where it would cover the stage.
pub fn checklist(view: View) -> Option<Html> {
    let t = text();
    let NetworkSpec::Drawn(network) = &view.state.scenario().network else { return None };
    let progress = Progress::of(network);
    if progress.is_enough() {
        return None;
    }
    let item = |done: bool, words: String, tool: Command| {
        let (sign, state) = if done { ("✓", t.is_done) } else { ("○", t.is_missing) };
        html! {
            <li class={done.then_some("done")}>
                <span class="check" aria-hidden="true">{sign}</span>
                <span>{words}<span class="visually-hidden">{format!(" ({state})")}</span></span>
                if !done { {button((tool.entry().name)(t), view.on_command(tool))} }
            </li>
        }
    };
    let joined = match progress.parts {
        0 | 1 => t.need_links.to_owned(),
        parts => format!("{}: {}", t.need_links, fill(t.parts_so_far, &[&parts])),
    };
    let hosts =
        format!("{}: {}", t.need_hosts, fill(t.so_far, &[&counted(t.n_hosts, progress.hosts)]));
    let ontoggle = view.on_some(|event: Event| {
        let details = event.target_dyn_into::<web_sys::HtmlDetailsElement>()?;
        Some(Action::ShowChecklist(details.open()))
    });
    Some(html! {
        <div class="trouble mild" id="checklist" role="status">
            <details open={view.state.display.shows_checklist} {ontoggle}>
                <summary>{heading(t.before_it_runs)}</summary>
                <ul class="plain checklist">
                    {item(progress.switches > 0, t.need_switch.to_owned(), Command::ToolSwitch)}
                    {item(progress.hosts >= 2, hosts, Command::ToolHost)}
                    {item(progress.parts == 1, joined, Command::ToolLink)}
                </ul>
            </details>
        </div>
    })
}
