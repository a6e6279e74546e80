//! The gallery: stored documents and sample scenarios in sections, each sample with a picture of
//! its network, and a search for them.

use super::miniature::Miniature;
use super::view::View;
use crate::action::Action;
use crate::state::{StoredDocument, StudyAction, has_words};
use crate::text::{Text, catalogue, counted, moment, text};
use hopscope_core::gallery::{self, Section};
use hopscope_core::scenario::Scenario;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Scenarios that differ in one thing, which show it beside each other.
const PAIRS: [[&str; 2]; 2] =
    [["four-sizes-table", "four-sizes-deficits"], ["hot-spot-one-queue", "hot-spot-voq"]];

/// The numbers of an item and of the one to see beside it.
fn beside(id: &str) -> Option<(usize, usize)> {
    let pair = PAIRS.iter().find(|pair| pair.contains(&id))?;
    let number = |id: &str| gallery::all().iter().position(|item| item.id == id);
    Some((number(pair[0])?, number(pair[1])?))
}

struct Item {
    item: &'static gallery::Item,
    scenario: Scenario,
    picture: Miniature,
}

thread_local! {
    /// Built when the gallery is opened for the first time.
    static ITEMS: Vec<Item> = gallery::all().iter().filter_map(Item::new).collect();
}

/// The name of a section.
fn section_name(section: Section, t: &Text) -> &'static str {
    match section {
        Section::Start => t.section_start,
        Section::Routing => t.section_routing,
        Section::Topologies => t.section_topologies,
        Section::Applications => t.section_applications,
        Section::Levels => t.section_levels,
        Section::Congestion => t.section_congestion,
        Section::Published => t.section_published,
    }
}

/// The search, and what it finds.
pub fn view(view: View) -> Html {
    let t = text();
    let typed = view.state.dialogs.typed.as_str();
    let oninput = view.on_some(|event: InputEvent| {
        Some(Action::Typed(event.target_dyn_into::<HtmlInputElement>()?.value()))
    });
    let documents: Vec<&StoredDocument> = view
        .state
        .dialogs
        .stored
        .iter()
        .filter(|document| has_words(&[name_of(document), t.kept_documents], typed))
        .collect();
    let (sections, found) = ITEMS.with(|items| {
        let mut found = documents.len();
        let section = |section: Section| {
            let cards = cards(view, items, section, typed);
            found += cards.len();
            html! {
                if !cards.is_empty() {
                    <section aria-label={section_name(section, t)}>
                        <h3>{section_name(section, t)}</h3>
                        <ul class="gallery plain">{for cards}</ul>
                    </section>
                }
            }
        };
        let sections: Html = Section::ALL.into_iter().map(section).collect();
        (sections, found)
    });
    let status = match found {
        _ if typed.trim().is_empty() => t.gallery_hint.into(),
        0 => t.nothing_found.into(),
        _ => counted(t.found, found),
    };
    html! {
        <div class="sections">
            <input class="palette-input" type="text" placeholder={t.gallery_search} aria-label={t.gallery_search}
                value={typed.to_owned()} {oninput} autocomplete="off" />
            <p class="hint" id="gallery-found" role="status">{status}</p>
            {stored(view, &documents)}
            {sections}
        </div>
    }
}

/// The cards of a section that have the words typed.
fn cards(view: View, items: &[Item], section: Section, typed: &str) -> Vec<Html> {
    let card = |item: &Item| {
        let (name, description) = item.words();
        let is_found = has_words(&[&name, &description, section_name(section, text())], typed);
        is_found.then(|| item.view(view, name, description))
    };
    items.iter().filter(|item| item.item.section == section).filter_map(card).collect()
}

fn name_of(document: &StoredDocument) -> &str {
    if document.name.is_empty() { text().unnamed } else { &document.name }
}

/// Documents that the browser stores, of this tab and others.
fn stored(view: View, documents: &[&StoredDocument]) -> Html {
    let t = text();
    if documents.is_empty() {
        return Html::default();
    }
    let row = |document: &&StoredDocument| {
        let json = document.json.clone();
        let open = view.on(move || Action::OpenText(text().kept_documents.into(), json.clone()));
        html! {
            <li><button class="command" onclick={open}>
                <span>{name_of(document)}<small class="hint">{moment(document.changed_ms)}</small></span>
            </button></li>
        }
    };
    html! {
        <section id="kept" aria-label={t.kept_documents}>
            <h3>{t.kept_documents}</h3>
            <ul class="plain commands">{for documents.iter().map(row)}</ul>
        </section>
    }
}

impl Item {
    fn new(item: &'static gallery::Item) -> Option<Item> {
        let scenario = item.scenario().ok()?;
        Some(Item { item, picture: Miniature::of(&scenario.network), scenario })
    }

    /// Name and description in the user's language.
    fn words(&self) -> (String, String) {
        let Scenario { name, description, .. } = &self.scenario;
        (
            catalogue::gallery_name(self.item, name),
            catalogue::gallery_description(self.item, description),
        )
    }

    fn view(&self, view: View, name: String, description: String) -> Html {
        let item = self.item;
        let (title, summary) = (name.clone(), description.clone());
        let open = view.on(move || {
            let scenario = catalogue::gallery_scenario(item).expect("it was read before");
            Action::OpenScenario(Box::new(scenario))
        });
        html! {
            <li title={summary.clone()}>
                <button class="gallery-item" onclick={open}>
                    {self.picture.view()}
                    <strong>{title}</strong>
                    <span class="summary">{summary}</span>
                </button>
                if let Some((first, second)) = beside(self.item.id) {
                    <button class="button wide" data-beside={self.item.id}
                        onclick={view.on(move || Action::Study(StudyAction::CompareItems(first, second)))}>{text().compare_beside}</button>
                }
            </li>
        }
    }
}
