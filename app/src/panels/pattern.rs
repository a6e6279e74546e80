//! The destination pattern of a flow: a member of the family, the list of `pairs`, and the patterns
//! of `combined`.

use super::field::Field;
use super::form::{self, Set};
use super::parts::{button, button_if, hint};
use super::view::View;
use crate::action::Action;
use crate::edit::numbers::Numbers;
use crate::text::{catalogue, fill, text};
use hopscope_core::traffic::patterns::MAX_COMBINED;
use serde_json::{Value, json};
use std::rc::Rc;
use yew::prelude::*;

const PAIRS: &str = "pairs";
const COMBINED: &str = "combined";

/// The fields of the pattern at a place in the scenario file.
pub fn view(view: View, place: &str, value: &Value, set: Set) -> Html {
    one(view, place, value, set, &[])
}

fn one(view: View, place: &str, value: &Value, set: Set, hidden: &[&str]) -> Html {
    let family = catalogue::family("patterns");
    html! {
        <>
            {form::family_without(view, text().pattern, family, hidden, place, value, Rc::clone(&set))}
            if value["kind"] == PAIRS { {pairs(view, value, set)} }
            else if value["kind"] == COMBINED { {combined(view, place, value, set)} }
        </>
    }
}

/// Pairs of hosts. The scenario is refused if there is no such host.
const HOST_PAIRS: Numbers = Numbers::pairs_up_to(u32::MAX as u64).not_empty();

/// The list of pairs, as a line of text.
fn pairs(view: View, value: &Value, set: Set) -> Html {
    let t = text();
    let shown = shown_pairs(&value[PAIRS]);
    let value = value.clone();
    let onchange = view.on_some(move |event: Event| {
        let field = form::input(&event)?;
        let numbers = HOST_PAIRS.read(&field.value()).ok()?;
        let (pairs, _) = numbers.as_chunks::<2>();
        let mut value = value.clone();
        value[PAIRS] = json!(pairs);
        field.set_value(&shown_pairs(&value[PAIRS]));
        Some(set(value))
    });
    html! {
        <>
            {form::labelled(t.from_to, "", html! { <Field value={shown} long={true} numbers={HOST_PAIRS} {onchange} /> })}
            {hint(t.from_to_about)}
        </>
    }
}

fn shown_pairs(pairs: &Value) -> String {
    let pair = |pair: &Value| format!("{} → {}", pair[0], pair[1]);
    let list: Vec<String> = pairs.as_array().into_iter().flatten().map(pair).collect();
    list.join(", ")
}

/// The patterns of which each message draws one.
fn combined(view: View, place: &str, value: &Value, set: Set) -> Html {
    let t = text();
    let patterns: Vec<Value> = value["patterns"].as_array().cloned().unwrap_or_default();
    let with = {
        let value = value.clone();
        move |patterns: Vec<Value>| {
            let mut value = value.clone();
            value["patterns"] = patterns.into();
            set(value)
        }
    };
    let part = |(i, part): (usize, &Value)| {
        let (with_part, all) = (with.clone(), patterns.clone());
        let replace = move |part: Value| -> Action {
            let mut all = all.clone();
            all[i] = part;
            with_part(all)
        };
        let (with_rest, all) = (with.clone(), patterns.clone());
        let remove = view.on(move || {
            let mut all = all.clone();
            all.remove(i);
            with_rest(all)
        });
        html! {
            <fieldset class="level">
                <legend>{fill(t.pattern_number, &[&(i + 1)])}</legend>
                {one(view, &format!("{place}/patterns/{i}"), part, Rc::new(replace), &[COMBINED])}
                if patterns.len() > 1 {
                    {button(t.remove_pattern, remove)}
                }
            </fieldset>
        }
    };
    let (with_one_more, all) = (with.clone(), patterns.clone());
    let add = view.on(move || {
        let mut all = all.clone();
        all.push(json!({ "kind": "uniform" }));
        with_one_more(all)
    });
    html! {
        <>
            {for patterns.iter().enumerate().map(part)}
            {button_if(patterns.len() < MAX_COMBINED, t.add_pattern, add)}
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::PatternSpec;

    #[test]
    fn pairs_are_read_as_they_are_shown_and_otherwise() {
        assert_eq!(HOST_PAIRS.read("0 → 5, 1 → 3"), Ok(vec![0, 5, 1, 3]));
        assert!(HOST_PAIRS.read("").is_err(), "the pattern needs a pair");
        assert!(HOST_PAIRS.read("none").is_err() && HOST_PAIRS.read("0 → 5, 7").is_err());
        assert_eq!(shown_pairs(&json!([[0, 5], [1, 3]])), "0 → 5, 1 → 3");
    }

    #[test]
    fn every_pattern_of_the_picker_is_one_that_a_scenario_may_have() {
        for member in &catalogue::family("patterns").members {
            let pattern: Result<PatternSpec, _> = serde_json::from_value(member.with_defaults());
            assert!(pattern.is_ok(), "{}: {pattern:?}", member.id);
        }
    }
}
