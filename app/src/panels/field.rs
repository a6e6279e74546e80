//! A field to type into, and a list to choose from. Rendering sets the value only when the
//! document's value changes, so that it does not overwrite what is being typed.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// The properties of a field.
#[derive(Properties, PartialEq)]
#[allow(missing_docs, reason = "named after the attributes of HTML")]
pub struct FieldProps {
    pub value: String,
    pub onchange: Callback<Event>,
    /// Smallest value, largest value and step of a number; without them the field takes text.
    #[prop_or_default]
    pub bounds: Option<(f64, f64, &'static str)>,
    /// Whether it takes more than a line of text.
    #[prop_or_default]
    pub long: bool,
    /// The id of a list of values to choose from.
    #[prop_or_default]
    pub list: Option<&'static str>,
    #[prop_or_default]
    pub inputmode: Option<&'static str>,
    #[prop_or_default]
    pub class: Classes,
    #[prop_or_default]
    pub label: Option<&'static str>,
    #[prop_or_default]
    pub placeholder: Option<&'static str>,
}

/// A field.
#[component]
pub fn Field(props: &FieldProps) -> Html {
    let element = use_node_ref();
    use_effect_with(props.value.clone(), {
        let element = element.clone();
        move |value| {
            if let Some(input) = element.cast::<HtmlInputElement>() {
                input.set_value(value);
            }
        }
    });
    let (min, max, step) = match props.bounds {
        Some((min, max, step)) => (Some(min.to_string()), Some(max.to_string()), Some(step)),
        None => (None, None, None),
    };
    html! {
        <input ref={element} type={if step.is_some() { "number" } else { "text" }} {min} {max} {step} maxlength={if props.long { "20000" } else { "200" }}
            class={props.class.clone()} list={props.list} inputmode={props.inputmode} aria-label={props.label}
            placeholder={props.placeholder} onchange={props.onchange.clone()} />
    }
}

/// The properties of a list.
#[derive(Properties, PartialEq)]
#[allow(missing_docs, reason = "named after the attributes of HTML")]
pub struct ListProps {
    pub value: String,
    /// The value and the name of each option.
    pub options: Vec<(String, String)>,
    pub onchange: Callback<Event>,
}

/// A list to choose from. Once the user has chosen, browsers ignore the attribute `selected`, so
/// the value is set.
#[component]
pub fn List(props: &ListProps) -> Html {
    let element = use_node_ref();
    use_effect_with((props.value.clone(), props.options.clone()), {
        let element = element.clone();
        move |(value, _)| {
            if let Some(list) = element.cast::<HtmlSelectElement>() {
                list.set_value(value);
            }
        }
    });
    html! {
        <select ref={element} onchange={props.onchange.clone()}>
            {for props.options.iter().map(|(id, name)| html! {
                <option value={id.clone()} selected={*id == props.value}>{name}</option>
            })}
        </select>
    }
}
