//! A field to type into, and a list to choose from. Rendering sets the value only when the
//! document's value changes, so that it does not overwrite what is being typed; and when another
//! document takes its place, for which it was not typed.
//!
//! A field says which numbers it takes. It refuses numbers that are out of range: it says why
//! beside itself and keeps its value. A list that it refuses stays in it, to be corrected, while
//! the document has the list before.

use crate::document::DocumentNumber;
use crate::edit::numbers::{self, Numbers, may_have_thousands, real, whole};
use crate::text::{exact, fill, number, text};
use std::sync::atomic::{AtomicU32, Ordering};
use web_sys::{EventInit, HtmlInputElement, HtmlSelectElement};
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

impl Bounds {
    /// The number that is one more, or one less, than a number within the bounds; at most a bound.
    fn step(self, from: &str, is_up: bool) -> Option<String> {
        Some(match self {
            Bounds::Whole(min, max) => {
                let from = whole(from)?;
                let to = if is_up { from.saturating_add(1) } else { from.saturating_sub(1) };
                to.clamp(min, max).to_string()
            }
            Bounds::Real(min, max) => {
                let to = real(from)? + if is_up { 1.0 } else { -1.0 };
                // Floats have digits beyond these that are not those of the sum.
                let to = format!("{to:.12}").parse().unwrap_or(to);
                to.clamp(min, max).to_string()
            }
        })
    }
}

impl FieldProps {
    /// Why the field does not take what was typed, if it does not.
    fn refusal(&self, typed: &str) -> Option<String> {
        let t = text();
        let kept = self.shown();
        let is_whole = matches!(self.bounds, Some(Bounds::Whole(..)));
        if self.bounds.is_some() && may_have_thousands(typed, is_whole) {
            return Some(fill(t.thousands_not_wanted, &[&typed, &kept]));
        }
        match self.bounds {
            Some(Bounds::Whole(min, max)) => match (whole(typed), real(typed)) {
                (Some(number), _) if (min..=max).contains(&number) => None,
                (None, Some(number)) if number.fract() != 0.0 => {
                    Some(fill(t.whole_number_expected, &[&kept]))
                }
                (_, found) => {
                    let [min, max] = [min, max].map(readable);
                    Some(match found {
                        Some(_) => fill(t.number_out_of_bounds, &[&typed, &min, &max, &kept]),
                        None => fill(t.number_expected, &[&min, &max, &kept]),
                    })
                }
            },
            Some(Bounds::Real(min, max)) => match real(typed) {
                Some(number) if (min..=max).contains(&number) => None,
                Some(number) => {
                    let [number, min, max] = [number, min, max].map(exact);
                    Some(fill(t.number_out_of_bounds, &[&number, &min, &max, &kept]))
                }
                None => {
                    let [min, max] = [min, max].map(exact);
                    Some(fill(t.number_expected, &[&min, &max, &kept]))
                }
            },
            None => self.numbers?.read(typed).err(),
        }
    }

    /// The value as it stands in the field.
    fn shown(&self) -> String {
        if self.bounds.is_some() { numbers::shown(&self.value) } else { self.value.clone() }
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

/// An id for an element that no other element of the page has.
#[hook]
fn use_unique_id() -> AttrValue {
    static LAST: AtomicU32 = AtomicU32::new(0);
    let id = use_memo((), |()| format!("unique-{}", LAST.fetch_add(1, Ordering::Relaxed)).into());
    AttrValue::clone(&id)
}

/// A field.
#[component]
pub fn Field(props: &FieldProps) -> Html {
    let element = use_node_ref();
    let id_of_refusal = use_unique_id();
    let shown = props.shown();
    // The value that the field has, and whose.
    let held = (shown.clone(), use_context::<DocumentNumber>().unwrap_or_default());
    // The value that was kept, and why. It is told as long as the document has it: the effect
    // below may come after the user has typed once more.
    let refused = use_state_eq(|| None::<((String, DocumentNumber), String)>);
    use_effect_with(held.clone(), {
        let (element, refused) = (element.clone(), refused.clone());
        move |held| {
            if let Some(input) = element.cast::<HtmlInputElement>() {
                input.set_value(&held.0);
            }
            // What was refused before this value is no longer told if an older one comes back.
            if refused.as_ref().is_some_and(|(kept, _)| kept != held) {
                refused.set(None);
            }
        }
    });
    let onchange = {
        let (props, held, refused) = (props.clone(), held.clone(), refused.clone());
        Callback::from(move |event: Event| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            let refusal = props.refusal(&input.value());
            match refusal {
                None => props.onchange.emit(event),
                Some(_) if props.numbers.is_some() => {}
                Some(_) => input.set_value(&held.0),
            }
            refused.set(refusal.map(|why| (held.clone(), why)));
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
    // Browsers take back what is typed into text, and here it is done for numbers. The arrow keys
    // step through numbers. A field of type `number` has both, but browsers read it by the mark
    // of their own language and leave out the other one: `0,05` becomes 5.
    let onkeydown = {
        let (props, shown) = (props.clone(), shown.clone());
        Callback::from(move |event: KeyboardEvent| {
            let input = event.target_dyn_into::<HtmlInputElement>();
            let (Some(input), Some(bounds)) = (input, props.bounds) else { return };
            let typed = input.value();
            match event.key().as_str() {
                "z" if (event.ctrl_key() || event.meta_key()) && typed != shown => {
                    input.set_value(&shown);
                    event.prevent_default();
                    event.stop_propagation();
                }
                key @ ("ArrowUp" | "ArrowDown") => {
                    event.prevent_default();
                    let from = if props.refusal(&typed).is_none() { &typed } else { &props.value };
                    let Some(to) = bounds.step(from, key == "ArrowUp") else { return };
                    input.set_value(&numbers::shown(&to));
                    let bubbles = EventInit::new();
                    bubbles.set_bubbles(true);
                    if let Ok(change) = Event::new_with_event_init_dict("change", &bubbles) {
                        input.dispatch_event(&change).ok();
                    }
                }
                _ => {}
            }
        })
    };
    let (min, max, role, keyboard) = match props.bounds {
        Some(Bounds::Whole(min, max)) => {
            (Some(min.to_string()), Some(max.to_string()), Some("spinbutton"), Some("numeric"))
        }
        Some(Bounds::Real(min, max)) => {
            (Some(min.to_string()), Some(max.to_string()), Some("spinbutton"), Some("decimal"))
        }
        None => (None, None, None, props.inputmode),
    };
    let now = role.map(|_| props.value.clone());
    // The title is what screen readers say, and pointers show; the span shows it while one types.
    let allowed = props.bounds_in_words();
    let refusal = refused.as_ref().filter(|(kept, _)| *kept == held).map(|(_, why)| why);
    html! {
        <>
        <input ref={element} title={allowed.clone()} type="text" {role} aria-valuemin={min} aria-valuemax={max} aria-valuenow={now} autocomplete="off" maxlength={if props.long { "20000" } else { "200" }}
            class={props.class.clone()} list={props.list} inputmode={keyboard} aria-label={props.label}
            placeholder={props.placeholder} aria-invalid={refusal.is_some().then_some("true")} aria-describedby={refusal.is_some().then(|| id_of_refusal.clone())}
            {onchange} {oninput} {onkeydown} />
        if let Some(words) = allowed { <span class="bounds" aria-hidden="true" data-words={words}></span> }
        if let Some(why) = refusal { <span class="refusal" role="alert" id={id_of_refusal}>{why}</span> }
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
    fn large_whole_numbers_are_taken() {
        assert_eq!(refusal("18446744073709551615", 0, u64::MAX), None);
        assert!(refusal("18446744073709551616", 0, u64::MAX).is_some());
    }

    #[test]
    fn a_separator_of_thousands_is_refused() {
        let why = refusal("1,000", 1, 2000).expect("may be 1 and may be 1000");
        assert_eq!(why, "“1,000” may have a thousands separator: write it without. 7 stays.");
    }

    #[test]
    fn steps_go_by_one_and_end_at_the_bounds() {
        let whole = |from| [true, false].map(|up| Bounds::Whole(1, 10).step(from, up));
        assert_eq!(whole("9"), [Some("10".into()), Some("8".into())]);
        assert_eq!([whole("10")[0].as_deref(), whole("1")[1].as_deref()], [Some("10"), Some("1")]);
        let real = |from| [true, false].map(|up| Bounds::Real(0.0, 2.5).step(from, up));
        assert_eq!(real("1,1"), [Some("2.1".into()), Some("0.1".into())]);
        assert_eq!(real("2"), [Some("2.5".into()), Some("1".into())]);
        assert_eq!(real("x"), [None, None]);
    }
}
