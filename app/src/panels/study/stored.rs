//! Studies to open: those of earlier visits, kept in this browser, and published ones.

use super::{on, papers};
use crate::panels::icons::{Icon, icon};
use crate::panels::parts::heading;
use crate::panels::view::View;
use crate::protocol::papers::Paper;
use crate::state::StudyAction;
use crate::state::study::{PUBLISHED, Published, StoredStudy};
use crate::text::{fill, moment, number, text};
use yew::prelude::*;

/// The published experiments.
pub fn published(view: View) -> Html {
    let t = text();
    let one = |(index, published): (usize, &Published)| {
        html! {
            <li><button class="command" onclick={on(view, StudyAction::OpenPublished(index))}>{(published.name)(t)}</button></li>
        }
    };
    html! {
        <section class="card" id="published-studies">
            {heading(t.published_studies)}
            <ul class="plain">{for PUBLISHED.iter().enumerate().map(one)}</ul>
        </section>
    }
}

/// The stored studies; nothing if there are none.
pub fn view(view: View) -> Html {
    let t = text();
    let stored = &view.state.study.stored;
    if stored.is_empty() {
        return Html::default();
    }
    let one = |study: &StoredStudy| {
        let name = match Paper::of_key(&study.key) {
            Some(paper) => papers::name(paper.index),
            None if study.name.is_empty() => t.unnamed.into(),
            None => study.name.clone(),
        };
        let counts = [number(study.done as u64), number(study.points as u64)];
        let state = if study.done < study.points { t.go_on } else { t.show_study_again };
        let (open, remove) = (study.key.clone(), study.key.clone());
        html! {
            <li class="stored-study" key={study.key.clone()}>
                <button class="command" onclick={on(view, StudyAction::OpenStored(open))}>
                    <span>{&name}<small class="hint">{format!("{} · {}", fill(t.points_done, &[&counts[0], &counts[1]]), moment(study.changed_ms))}</small></span>
                    <span>{state}</span>
                </button>
                <button class="icon-button" aria-label={fill(t.remove_study, &[&name])} title={t.remove_row}
                    onclick={on(view, StudyAction::RemoveStored(remove))}>{icon(Icon::Close)}</button>
            </li>
        }
    };
    html! {
        <section class="card" id="stored-studies">
            {heading(t.stored_studies)}
            <ul class="plain">{for stored.iter().map(one)}</ul>
        </section>
    }
}
