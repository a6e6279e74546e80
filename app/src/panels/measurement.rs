//! Measurement: the seed of a run, and when the run starts and stops counting.

use super::form::{self, Whole};
use super::parts::{heading, hint};
use super::troubles;
use super::view::View;
use crate::edit::Kind;
use crate::text::text;
use hopscope_core::scenario::MEASURE;
use yew::prelude::*;

/// The card.
pub fn view(view: View) -> Html {
    let t = text();
    let scenario = view.state.scenario();
    let measure = &scenario.measure;
    let value = serde_json::to_value(measure).unwrap_or_default();
    let fields = |fields: &[(&'static str, &'static str)]| {
        form::parameters(view, Kind::Traffic, "/measure", &MEASURE, &value, fields)
    };
    html! {
        <section class="card" id="measurement">
            {heading(t.measurement)}
            {troubles::of(view, "measure.")}
            {form::seed(view, Whole { label: t.seed, unit: "", value: scenario.seed, min: 0, max: u64::MAX },
                Kind::Traffic, |scenario, seed| scenario.seed = seed)}
            {fields(&[
                ("warmup_messages", t.warmup_messages),
                ("warmup_cycles", t.warmup_cycles),
                ("find_warmup", t.find_warmup),
                ("messages", t.measured_messages),
                ("cycles", t.measured_cycles),
                ("half_width", t.half_width),
            ])}
            // The field has an effect with a half-width only, and is refused without.
            if measure.half_width > 0.0 || measure.max_messages > 0 {
                {fields(&[("max_messages", t.most_messages)])}
            }
            {fields(&[
                ("confidence", t.confidence),
                ("max_cycles", t.most_cycles),
                ("pairs", t.count_pairs),
                ("distributions", t.keep_distributions),
                ("buffer_sample_cycles", t.buffer_sample_cycles),
            ])}
            {hint(t.measurement_about)}
        </section>
    }
}
