//! Measurement: the seed of a run, and when the run starts and stops counting.

use super::form::{self, Whole};
use super::parts::{heading, hint};
use super::troubles;
use super::view::View;
use crate::edit::Kind;
use crate::text::{catalogue, text};
use hopscope_core::catalogue::Parameter;
use hopscope_core::scenario::MEASURE;
use yew::prelude::*;

/// The card.
pub fn view(view: View) -> Html {
    let t = text();
    let scenario = view.state.scenario();
    let measure = &scenario.measure;
    let value = serde_json::to_value(measure).unwrap_or_default();
    let family = catalogue::family("measurements");
    // The field has an effect with a half-width only, and is refused without.
    let has_most = measure.half_width > 0.0 || measure.max_messages > 0;
    let is_shown = |parameter: &Parameter| has_most || parameter.id != "max_messages";
    html! {
        <section class="card" id="measurement">
            {heading(catalogue::name(family, &MEASURE))}
            {troubles::of(view, "measure.")}
            {form::seed(view, Whole { label: t.seed, unit: "", value: scenario.seed, min: 0, max: u64::MAX },
                Kind::Traffic, |scenario, seed| scenario.seed = seed)}
            {form::parameters(view, Kind::Traffic, "/measure", (family, &MEASURE), &value, is_shown)}
            {hint(t.measurement_about)}
        </section>
    }
}
