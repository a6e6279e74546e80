//! A field to type into, and a list to choose from. Rendering sets the value only when the
//! document's value changes, so that it does not overwrite what is being typed.
//!
//! A field says which numbers it takes. It refuses numbers that are out of range: it says why
//! beside itself and keeps its value.

use crate::text::{exact, fill, number, text};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// The properties of a field.
#[derive(Properties, PartialEq, Clone)]
#[allow(missing_docs, reason = "named after the attributes of HTML")]
pub struct FieldProps {
    pub value: String,
    pub onchange: Callback<Event>,
    /// Smallest value, largest value and step of a number; without them the field takes text.
    #[prop_or_default]
    pub bounds: Option<(f64, f64, &'static str)>,
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

/// Whole numbers in a text. Anything but letters and digits separates them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Numbers {
    /// Largest.
    pub most: u64,
    /// How many belong together: 1, or 2 for pairs.
    pub together: usize,
}

impl Numbers {
    /// Numbers up to `most`, each on its own.
    pub fn up_to(most: u64) -> Numbers {
        Numbers { most, together: 1 }
    }

    /// The numbers, or why the text holds none such.
    pub fn read(self, typed: &str) -> Result<Vec<u64>, String> {
        let words = typed.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let number = |word: &str| match word.parse() {
            Ok(number) if number <= self.most => Ok(number),
            Ok(_) => Err(fill(text().number_too_large, &[&word, &self.most])),
            // Too many digits.
            Err(_) if word.chars().all(|c| c.is_ascii_digit()) => {
                Err(fill(text().number_too_large, &[&word, &self.most]))
            }
            Err(_) => Err(fill(text().not_a_number, &[&word])),
        };
        let numbers = words.map(number).collect::<Result<Vec<u64>, String>>()?;
        if numbers.len().is_multiple_of(self.together) {
            Ok(numbers)
        } else {
            Err(text().number_left_over.to_owned())
        }
    }
}

impl FieldProps {
    /// Why the field does not take what was typed, if it does not.
    fn refusal(&self, typed: &str) -> Option<String> {
        if let Some((min, max, _)) = self.bounds {
            let range = [&exact(min) as &dyn std::fmt::Display, &exact(max), &self.value];
            return match typed.parse::<f64>() {
                Ok(number) if (min..=max).contains(&number) => None,
                Ok(number) => {
                    let [min, max, value] = range;
                    Some(fill(text().number_out_of_bounds, &[&exact(number), min, max, value]))
                }
                Err(_) => Some(fill(text().number_expected, &range)),
            };
        }
        self.numbers?.read(typed).err()
    }

    /// The bounds of its numbers in words, with their unit.
    fn bounds_in_words(&self) -> Option<String> {
        let (min, max) = match (self.bounds, self.numbers) {
            (Some((min, max, _)), _) => (min, max),
            // Lists without a bound of their own have that of their type.
            (None, Some(Numbers { most, together: 1 })) if most < u32::MAX.into() => {
                (0.0, most as f64)
            }
            _ => return None,
        };
        let words = fill(text().bounds, &[&readable(min), &readable(max)]);
        Some(if self.unit.is_empty() { words } else { format!("{words} {}", self.unit) })
    }
}

/// A bound as text: large whole numbers have their digits in groups.
fn readable(bound: f64) -> String {
    if bound.fract() == 0.0 && bound >= 10_000.0 { number(bound as u64) } else { exact(bound) }
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
    let (min, max, step) = match props.bounds {
        Some((min, max, step)) => (Some(min.to_string()), Some(max.to_string()), Some(step)),
        None => (None, None, None),
    };
    // The title is what screen readers say, and pointers show; the span shows it while one types.
    let allowed = props.bounds_in_words();
    let refusal = refused.as_ref().filter(|(kept, _)| *kept == props.value).map(|(_, why)| why);
    html! {
        <>
        <input ref={element} title={allowed.clone()} type={if step.is_some() { "number" } else { "text" }} {min} {max} {step} maxlength={if props.long { "20000" } else { "200" }}
            class={props.class.clone()} list={props.list} inputmode={props.inputmode} aria-label={props.label}
            placeholder={props.placeholder} aria-invalid={refusal.is_some().then_some("true")} {onchange} />
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

    #[test]
    fn lists_of_numbers_are_taken_as_they_are_or_refused() {
        let (single, pairs) = (Numbers::up_to(31), Numbers { most: 31, together: 2 });
        assert_eq!(single.read("1, 2  31"), Ok(vec![1, 2, 31]));
        assert_eq!(single.read(""), Ok(Vec::new()));
        assert_eq!(pairs.read("0 → 5, 1:6"), Ok(vec![0, 5, 1, 6]));
        assert!(pairs.read("0 → 5, 1").is_err());
        for typed in ["32", "1, two", "99999999999999999999999", "5x"] {
            assert!(single.read(typed).is_err(), "{typed}");
        }
    }
}
