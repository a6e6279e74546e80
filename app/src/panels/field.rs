//! A field to type into, and a list to choose from. Rendering sets the value only when the
//! document's value changes, so that it does not overwrite what is being typed.
//!
//! A field says which numbers it takes. It refuses numbers that are out of range: it says why
//! beside itself and keeps its value.

use crate::edit::numbers::Numbers;
use crate::text::{exact, fill, number, text};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// The properties of a field.
#[derive(Properties, PartialEq, Clone)]
#[allow(missing_docs, reason = "named after the attributes of HTML")]
pub struct FieldProps {
    pub value: String,
    pub onchange: Callback<Event>,
    /// The field takes a number within these bounds; without them it takes text.
    #[prop_or_default]
    pub bounds: Option<Bounds>,
    /// The unit of a number.
    #[prop_or_default]
    pub unit: &'static str,
    /// The text is a list of numbers.
    #[prop_or_default]
    pub numbers: Option<Numbers>,
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

/// The smallest and the largest number that a field takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bounds {
    /// Of whole numbers.
    Whole(u64, u64),
    /// Of all numbers.
    Real(f64, f64),
}

/// The whole number that was typed. Digits stand for themselves, also where a float would round.
pub fn whole(typed: &str) -> Option<u64> {
    const MOST: f64 = (1_u64 << 53) as f64;
    let digits = typed.parse::<u64>().ok();
    // Another notation, such as 1e6.
    let number = typed.parse().ok().filter(|number: &f64| number.fract() == 0.0);
    let number = number.filter(|number| (0.0..=MOST).contains(number));
    digits.or(number.map(|number| number as u64))
}

impl FieldProps {
    /// Why the field does not take what was typed, if it does not.
    fn refusal(&self, typed: &str) -> Option<String> {
        let t = text();
        match self.bounds {
            Some(Bounds::Whole(min, max)) => match (whole(typed), typed.parse::<f64>()) {
                (Some(number), _) if (min..=max).contains(&number) => None,
                (None, Ok(number)) if number.fract() != 0.0 => {
                    Some(fill(t.whole_number_expected, &[&self.value]))
                }
                (_, Ok(_)) => {
                    Some(fill(t.number_out_of_bounds, &[&typed, &min, &max, &self.value]))
                }
                (_, Err(_)) => Some(fill(t.number_expected, &[&min, &max, &self.value])),
            },
            Some(Bounds::Real(min, max)) => match typed.parse::<f64>() {
                Ok(number) if (min..=max).contains(&number) => None,
                Ok(number) => {
                    let [number, min, max] = [number, min, max].map(exact);
                    Some(fill(t.number_out_of_bounds, &[&number, &min, &max, &self.value]))
                }
                Err(_) => {
                    let [min, max] = [min, max].map(exact);
                    Some(fill(t.number_expected, &[&min, &max, &self.value]))
                }
            },
            None => self.numbers?.read(typed).err(),
        }
    }

    /// The bounds of its numbers in words, with their unit.
    fn bounds_in_words(&self) -> Option<String> {
        // Numbers without a bound of their own have that of their type.
        let [min, max] = match (self.bounds, self.numbers) {
            (Some(Bounds::Whole(min, max)), _) if max < u64::MAX => [min, max].map(readable),
            (Some(Bounds::Real(min, max)), _) => [min, max].map(|bound| match bound.fract() {
                0.0 if bound >= 0.0 => readable(bound as u64),
                _ => exact(bound),
            }),
            (None, Some(Numbers { least, most, together: 1, .. })) if most < u32::MAX.into() => {
                [least, most].map(readable)
            }
            _ => return None,
        };
        let words = fill(text().bounds, &[&min, &max]);
        Some(if self.unit.is_empty() { words } else { format!("{words} {}", self.unit) })
    }
}

/// A bound as text: large numbers have their digits in groups.
fn readable(bound: u64) -> String {
    if bound >= 10_000 { number(bound) } else { bound.to_string() }
}

/// A field.
#[component]
pub fn Field(props: &FieldProps) -> Html {
    let element = use_node_ref();
    // The value that was kept, and why. It is told as long as the field has this value: the effect
    // below may come after the user has typed once more.
    let refused = use_state_eq(|| None::<(String, String)>);
    use_effect_with(props.value.clone(), {
        let (element, refused) = (element.clone(), refused.clone());
        move |value| {
            if let Some(input) = element.cast::<HtmlInputElement>() {
                input.set_value(value);
            }
            // What was refused before this value is no longer told if an older one comes back.
            if refused.as_ref().is_some_and(|(kept, _)| kept != value) {
                refused.set(None);
            }
        }
    });
    let onchange = {
        let (props, refused) = (props.clone(), refused.clone());
        Callback::from(move |event: Event| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            let refusal = props.refusal(&input.value());
            if refusal.is_some() {
                input.set_value(&props.value);
            } else {
                props.onchange.emit(event);
            }
            refused.set(refusal.map(|why| (props.value.clone(), why)));
        })
    };
    // A value that is typed again is no change: what was refused before it is told no longer.
    let oninput = {
        let (props, refused) = (props.clone(), refused.clone());
        Callback::from(move |event: InputEvent| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            if props.refusal(&input.value()).is_none() {
                refused.set(None);
            }
        })
    };
    // Browsers take back what is typed into text, and here it is done for numbers.
    let onkeydown = {
        let (value, is_number) = (props.value.clone(), props.bounds.is_some());
        Callback::from(move |event: KeyboardEvent| {
            let undoes = (event.ctrl_key() || event.meta_key()) && event.key() == "z";
            let input = event.target_dyn_into::<HtmlInputElement>();
            if let Some(input) = input.filter(|input| input.value() != value)
                && undoes
                && is_number
            {
                input.set_value(&value);
                event.prevent_default();
                event.stop_propagation();
            }
        })
    };
    let (min, max, step) = match props.bounds {
        Some(Bounds::Whole(min, max)) => (Some(min.to_string()), Some(max.to_string()), Some("1")),
        Some(Bounds::Real(min, max)) => (Some(min.to_string()), Some(max.to_string()), Some("any")),
        None => (None, None, None),
    };
    // The title is what screen readers say, and pointers show; the span shows it while one types.
    let allowed = props.bounds_in_words();
    let refusal = refused.as_ref().filter(|(kept, _)| *kept == props.value).map(|(_, why)| why);
    html! {
        <>
        <input ref={element} title={allowed.clone()} type={if step.is_some() { "number" } else { "text" }} {min} {max} {step} maxlength={if props.long { "20000" } else { "200" }}
            class={props.class.clone()} list={props.list} inputmode={props.inputmode} aria-label={props.label}
            placeholder={props.placeholder} aria-invalid={refusal.is_some().then_some("true")} {onchange} {oninput} {onkeydown} />
        if let Some(words) = allowed { <span class="bounds" aria-hidden="true" data-words={words}></span> }
        if let Some(why) = refusal { <span class="refusal" role="alert">{why}</span> }
        </>
    }
}

/// The properties of a list.
#[derive(Properties, PartialEq)]
#[allow(missing_docs, reason = "named after the attributes of HTML")]
pub struct ListProps {
    pub value: String,
    pub groups: Vec<OptionGroup>,
    pub onchange: Callback<Event>,
}

/// Options that stand together in a list.
#[derive(Clone, PartialEq)]
pub struct OptionGroup {
    /// The heading; an empty one is not shown.
    pub name: &'static str,
    /// The value and the name of each option.
    pub options: Vec<(String, String)>,
}

/// A list to choose from. Once the user has chosen, browsers ignore the attribute `selected`, so
/// the value is set.
#[component]
pub fn List(props: &ListProps) -> Html {
    let element = use_node_ref();
    use_effect_with((props.value.clone(), props.groups.clone()), {
        let element = element.clone();
        move |(value, _)| {
            if let Some(list) = element.cast::<HtmlSelectElement>() {
                list.set_value(value);
            }
        }
    });
    let options = |group: &OptionGroup| -> Html {
        let option = |(id, name): &(String, String)| {
            html! { <option value={id.clone()} selected={*id == props.value}>{name}</option> }
        };
        group.options.iter().map(option).collect()
    };
    html! {
        <select ref={element} onchange={props.onchange.clone()}>
            {for props.groups.iter().map(|group| if group.name.is_empty() {
                options(group)
            } else {
                html! { <optgroup label={group.name}>{options(group)}</optgroup> }
            })}
        </select>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a field for whole numbers says.
    fn refusal(typed: &str, min: u64, max: u64) -> Option<String> {
        let props = FieldProps {
            value: "7".into(),
            onchange: Callback::noop(),
            bounds: Some(Bounds::Whole(min, max)),
            unit: "",
            numbers: None,
            long: false,
            list: None,
            inputmode: None,
            class: Classes::new(),
            label: None,
            placeholder: None,
        };
        props.refusal(typed)
    }

    #[test]
    fn a_fraction_is_no_whole_number() {
        for typed in ["1.5", "0.5", "1e-3", "-0.5", "99.5"] {
            let why = refusal(typed, 1, 10).expect(typed);
            assert_eq!(why, "A whole number is wanted: 7 stays.", "{typed}");
        }
        for typed in ["1", "10", "10.0", "1e1"] {
            assert_eq!(refusal(typed, 1, 10), None, "{typed}");
        }
        for typed in ["0", "11", "-3", "1e300"] {
            let why = refusal(typed, 1, 10).expect(typed);
            assert_eq!(why, format!("{typed} is not between 1 and 10: 7 stays."));
        }
        assert!(refusal("", 1, 10).is_some_and(|why| why.contains("A number between 1 and 10")));
    }

    #[test]
    fn large_whole_numbers_are_exact() {
        assert_eq!(whole("9007199254740993"), Some(9_007_199_254_740_993));
        assert_eq!(whole("18446744073709551615"), Some(u64::MAX));
        assert_eq!(whole("1e6"), Some(1_000_000));
        assert_eq!([whole("18446744073709551616"), whole("1e19"), whole("x")], [None; 3]);
        assert_eq!(refusal("18446744073709551615", 0, u64::MAX), None);
        assert!(refusal("18446744073709551616", 0, u64::MAX).is_some());
    }
}
