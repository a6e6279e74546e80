//! The dialogs of files: a network about to be imported, and the formats of export.

use super::field::{Bounds, Field};
use super::form;
use super::parts::{button, explained_command as row, primary};
use super::view::View;
use crate::action::Action;
use crate::command::Command;
use crate::state::PictureFormat;
use crate::text::{catalogue, fill, message, text};
use hopscope_core::scenario::formats::Format;
use hopscope_core::scenario::limits::MAX_HOSTS_PER_SWITCH;
use yew::prelude::*;

/// The number of notes listed; the others are counted.
const MAX_NOTES: usize = 12;

/// The network read from a file, before it becomes the document.
pub fn import(view: View) -> Html {
    let t = text();
    let Some(import) = &view.state.dialogs.import else { return Html::default() };
    let read = &import.read;
    let network = &read.network;
    let format = catalogue::name(catalogue::family("formats"), read.format.descriptor());
    let count = fill(
        t.import_counts,
        &[&network.switches.len(), &network.hosts.len(), &network.links.len()],
    );
    let onchange =
        view.on_some(|event: Event| Some(Action::ImportHosts(form::entered_whole(&event)? as u32)));
    let unseen = read.notes.len().saturating_sub(MAX_NOTES);
    html! {
        <div class="import">
            <p><strong>{&import.name}</strong>{format!(" · {format}")}</p>
            <p id="import-counts">{count}</p>
            if !read.own_hosts {
                <label class="field">
                    <span class="field-label">{t.import_hosts}</span>
                    <Field value={import.hosts_per_switch.to_string()} bounds={Bounds::Whole(0, MAX_HOSTS_PER_SWITCH.into())} {onchange} />
                </label>
            }
            if !read.notes.is_empty() {
                <h3>{t.import_notes}</h3>
                <ul class="import-notes">
                    {for read.notes.iter().take(MAX_NOTES).map(|note| html! { <li>{message(note)}</li> })}
                    if unseen > 0 { <li>{fill(t.import_more_notes, &[&unseen])}</li> }
                </ul>
            }
            <div class="row">
                {primary(None, t.import_open, true, view.on(|| Action::OpenImport))}
                {button(t.cancel, view.on(|| Action::Dialog(crate::state::Dialog::None)))}
            </div>
        </div>
    }
}

/// The formats the network and the stage can be saved in, and the results.
pub fn export(view: View) -> Html {
    let t = text();
    let formats = catalogue::family("formats");
    let network = |format: Format| {
        let about = format.descriptor();
        let name = format!("{} (.{})", catalogue::name(formats, about), format.extensions()[0]);
        (name, catalogue::summary(formats, about), view.on(move || Action::Export(format)))
    };
    // The scenario file has not only the network but all settings.
    let scenario = Format::Json.descriptor();
    let whole = (
        format!("{} (.json)", catalogue::name(formats, scenario)),
        t.export_json,
        view.on_command(Command::Save),
    );
    let written = |format: &Format| *format != Format::Json && format.writes();
    let networks = Format::ALL.iter().copied().filter(written).map(network);
    let pictures = [
        (
            "SVG (.svg)".to_owned(),
            t.export_svg,
            view.on(|| Action::SavePicture(PictureFormat::Svg)),
        ),
        (
            "PNG (.png)".to_owned(),
            t.export_png,
            view.on(|| Action::SavePicture(PictureFormat::Png)),
        ),
    ];
    let results =
        (t.save_results.to_owned(), t.save_results_hint, view.on_command(Command::SaveResults));
    html! {
        <div class="menu">
            <section>
                <h3>{t.export_network}</h3>
                <ul class="plain commands">{for std::iter::once(whole).chain(networks).map(row)}</ul>
            </section>
            <section>
                <h3>{t.export_picture}</h3>
                <ul class="plain commands">{for pictures.into_iter().map(row)}</ul>
            </section>
            <section>
                <h3>{t.results}</h3>
                <ul class="plain commands">{row(results)}</ul>
            </section>
        </div>
    }
}
