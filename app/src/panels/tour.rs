//! The card of the tour: what to look at, and the next step.

use super::parts::{button, close, heading, primary};
use super::view::View;
use crate::action::Action;
use crate::state::Tour;
use crate::text::text;
use yew::prelude::*;

/// The card over the stage.
pub fn tour(view: View) -> Html {
    let t = text();
    let (title, words, action, next) = match view.state.tour.beside(view.state.scenario()) {
        Tour::Over => return about(view),
        Tour::CameBack => {
            return html! {
                <div class="tour small-tour">
                    <p>{t.came_back}</p>
                    <div class="row">
                        {button(t.start_over, view.on(|| Action::StartOver))}
                        {end(view)}
                    </div>
                </div>
            };
        }
        Tour::UpDown => (t.welcome_title, t.welcome_text, t.welcome_action, Tour::Itb),
        Tour::Itb => (t.itb_title, t.itb_text, t.itb_action, Tour::Minimal),
        Tour::Minimal => (t.minimal_title, t.minimal_text, t.minimal_action, Tour::UpDown),
    };
    html! {
        <div class="tour">
            <div class="tour-head">{heading(title)}{end(view)}</div>
            <p>{words}</p>
            {primary(None, action, true, view.on(move || Action::Tour(next)))}
        </div>
    }
}

fn end(view: View) -> Html {
    close(text().close, view.on(|| Action::Tour(Tour::Over)))
}

/// The description of the scenario.
fn about(view: View) -> Html {
    let description = &view.state.scenario().description;
    if description.is_empty() {
        return Html::default();
    }
    html! { <div class="tour">{heading(text().description)}<p>{description}</p></div> }
}
