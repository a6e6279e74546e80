//! The gallery: stored documents and sample scenarios, each sample with a picture of its network.

use super::parts::hint;
use super::view::View;
use crate::action::Action;
use crate::layout::{self, Point};
use crate::state::{StoredDocument, StudyAction};
use crate::text::{catalogue, moment, text};
use hopscope_core::gallery;
use hopscope_core::scenario::Scenario;
use std::rc::Rc;
use yew::prelude::*;

const WIDTH: f32 = 120.0;
const HEIGHT: f32 = 72.0;

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
    scenario: Rc<Scenario>,
    links: String,
    switches: String,
}

thread_local! {
    /// Built when the gallery is opened for the first time.
    static ITEMS: Vec<Item> = gallery::all().iter().filter_map(|item| Some(Item::new(item, item.scenario().ok()?))).collect();
}

/// The list.
pub fn view(view: View) -> Html {
    html! {
        <>
            {stored(view)}
            {hint(text().gallery_hint)}
            <ul class="gallery plain">{ITEMS.with(|items| items.iter().map(|item| item.view(view)).collect::<Html>())}</ul>
        </>
    }
}

/// The documents that the browser stores, of this tab and others.
fn stored(view: View) -> Html {
    let t = text();
    let documents = &view.state.dialogs.stored;
    if documents.is_empty() {
        return Html::default();
    }
    let row = |document: &StoredDocument| {
        let json = document.json.clone();
        let name = if document.name.is_empty() { t.unnamed } else { &document.name };
        let open = view.on(move || Action::OpenText(text().kept_documents.into(), json.clone()));
        html! {
            <li><button class="command" onclick={open}>
                <span>{name}<small class="hint">{moment(document.changed_ms)}</small></span>
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
    fn new(item: &'static gallery::Item, scenario: Scenario) -> Item {
        let network = scenario.network.drawn().unwrap_or_default();
        let places = fitted(&layout::positions(&network));
        let place = |switch: u32| places.get(switch as usize).copied().unwrap_or_default();
        let link =
            |(a, b): (Point, Point)| format!("M{:.1} {:.1}L{:.1} {:.1}", a[0], a[1], b[0], b[1]);
        let links = network.links.iter().map(|l| link((place(l.a.0), place(l.b.0)))).collect();
        // A line of length 0 with round ends is a dot.
        let switches = places.iter().map(|p| format!("M{:.1} {:.1}h0", p[0], p[1])).collect();
        Item { item, scenario: Rc::new(scenario), links, switches }
    }

    fn view(&self, view: View) -> Html {
        // Name and description of the opened copy are in the user's language.
        let Scenario { name, description, .. } = &*self.scenario;
        let name = catalogue::gallery_name(self.item, name);
        let description = catalogue::gallery_description(self.item, description);
        let scenario = Rc::new(Scenario { name, description, ..(*self.scenario).clone() });
        let shown = Rc::clone(&scenario);
        let open = view.on(move || Action::OpenScenario(Box::new((*scenario).clone())));
        html! {
            <li>
                <button class="gallery-item" onclick={open}>
                    <svg viewBox={format!("0 0 {WIDTH} {HEIGHT}")} aria-hidden="true">
                        <path class="small-links" d={self.links.clone()} />
                        <path class="small-switches" d={self.switches.clone()} />
                    </svg>
                    <strong>{&shown.name}</strong>
                    <span>{&shown.description}</span>
                </button>
                if let Some((first, second)) = beside(self.item.id) {
                    <button class="button wide" data-beside={self.item.id}
                        onclick={view.on(move || Action::Study(StudyAction::CompareItems(first, second)))}>{text().compare_beside}</button>
                }
            </li>
        }
    }
}

/// Points scaled into the small picture.
fn fitted(points: &[Point]) -> Vec<Point> {
    let bound = |axis: usize| {
        let values = points.iter().map(|p| p[axis]);
        values.fold((f32::MAX, f32::MIN), |(low, high), x| (low.min(x), high.max(x)))
    };
    let ((left, right), (top, bottom)) = (bound(0), bound(1));
    let margin = 8.0;
    let scale = ((WIDTH - 2.0 * margin) / (right - left).max(1.0))
        .min((HEIGHT - 2.0 * margin) / (bottom - top).max(1.0));
    let centred =
        |x: f32, low: f32, high: f32, size: f32| (x - (low + high) / 2.0) * scale + size / 2.0;
    points
        .iter()
        .map(|p| [centred(p[0], left, right, WIDTH), centred(p[1], top, bottom, HEIGHT)])
        .collect()
}
