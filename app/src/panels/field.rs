//! A field to type into. Its value is set only when the document's changes, not whenever the page is rendered, which
//! would take away what is being typed.

use web_sys::HtmlInputElement;
use yew::prelude::*;

/// A field.
#[derive(Properties, PartialEq)]
#[allow(missing_docs, reason = "named after the attributes of HTML")]
pub struct FieldProps {
    pub value: String,
    pub onchange: Callback<Event>,
    /// Smallest, largest and step of a number; text if there are none.
    #[prop_or_default]
    pub bounds: Option<(f64, f64, &'static str)>,
    /// Longer than a line of words.
    #[prop_or_default]
    pub long: bool,
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
            class={props.class.clone()} inputmode={props.inputmode} aria-label={props.label}
            placeholder={props.placeholder} onchange={props.onchange.clone()} />
    }
}
