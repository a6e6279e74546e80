//! What can be done with several selected things at once.

use super::parts::{button, heading};
use super::view::View;
use crate::command::Command;
use crate::text::{fill, text};
use yew::prelude::*;

/// The commands for a selection.
const COMMANDS: [Command; 7] = [
    Command::AlignRow,
    Command::AlignColumn,
    Command::AddFourHosts,
    Command::Duplicate,
    Command::Copy,
    Command::Remove,
    Command::SelectNone,
];

/// The card; nothing while less than two things are selected.
pub fn view(view: View) -> Html {
    let t = text();
    let count = view.state.stage.marks.selection.len();
    if count < 2 || view.state.is_locked() {
        return Html::default();
    }
    let one = |command: Command| button((command.entry().name)(t), view.on_command(command));
    html! {
        <section class="card" id="selection" aria-label={fill(t.selected, &[&count])}>
            {heading(fill(t.selected, &[&count]))}
            <div class="row wrap">{for COMMANDS.map(one)}</div>
        </section>
    }
}
