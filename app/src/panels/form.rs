//! Fields of forms. Each changes the scenario; a gesture is one step of the history.

use super::field::{Bounds, Field, List, OptionGroup};
use super::parts::{button, hint};
use super::view::View;
use crate::action::Action;
use crate::edit::Kind;
use crate::edit::numbers::{self, Numbers};
use crate::text::{catalogue, text as words};
use hopscope_core::catalogue::{Descriptor, Kind as Parameters, Parameter};
use hopscope_core::families::Family;
use hopscope_core::scenario::Scenario;
use serde_json::Value;
use std::rc::Rc;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// A whole number.
pub struct Whole {
    /// Its name.
    pub label: &'static str,
    /// Its unit, or empty.
    pub unit: &'static str,
    /// The value.
    pub value: u64,
    /// Smallest.
    pub min: u64,
    /// Largest.
    pub max: u64,
}

impl Whole {
    /// The number of something, such as a switch, from 0 to `last`.
    pub fn number(label: &'static str, value: impl Into<u64>, last: impl Into<u64>) -> Whole {
        Whole { label, unit: "", value: value.into(), min: 0, max: last.into() }
    }
}

/// A field for a whole number.
pub fn whole(
    view: View,
    field: Whole,
    kind: Kind,
    set: impl Fn(&mut Scenario, u64) + 'static,
) -> Html {
    let Whole { label, unit, value, min, max } = field;
    let set = Rc::new(set);
    let onchange = view.on_some(move |event: Event| {
        let (value, set) = (entered_whole(&event)?, Rc::clone(&set));
        Some(Action::change(kind, false, move |scenario| set(scenario, value)))
    });
    labelled(
        label,
        unit,
        html! {
            <Field value={value.to_string()} bounds={Bounds::Whole(min, max)} {unit} {onchange} />
        },
    )
}

/// A field for a seed, with a button that draws a fresh one.
pub fn seed(
    view: View,
    field: Whole,
    kind: Kind,
    set: impl Fn(&mut Scenario, u64) + Clone + 'static,
) -> Html {
    let set_fresh = set.clone();
    let fresh = view.on(move || {
        let (set, seed) = (set_fresh.clone(), crate::random::seed());
        Action::change(kind, false, move |scenario| set(scenario, seed))
    });
    html! {
        <>
            {whole(view, field, kind, set)}
            {button(words().new_seed, fresh)}
        </>
    }
}

/// A field for a line of text.
pub fn text(
    view: View,
    label: &'static str,
    value: &str,
    kind: Kind,
    set: impl Fn(&mut Scenario, String) + 'static,
) -> Html {
    let set = Rc::new(set);
    let onchange = view.on_some(move |event: Event| {
        let (set, words) = (Rc::clone(&set), input(&event)?.value().trim().to_owned());
        Some(Action::change(kind, false, move |scenario| set(scenario, words.clone())))
    });
    labelled(label, "", html! { <Field value={value.to_owned()} {onchange} /> })
}

/// A field for a list of whole numbers.
pub fn list(
    view: View,
    label: &'static str,
    value: &[u64],
    numbers: Numbers,
    kind: Kind,
    set: impl Fn(&mut Scenario, Vec<u64>) + 'static,
) -> Html {
    let set = Rc::new(set);
    let entered = move |list: Vec<u64>| {
        let set = Rc::clone(&set);
        Action::change(kind, false, move |scenario| set(scenario, list.clone()))
    };
    labelled(label, "", numbers_field(view, value, numbers, entered))
}

/// The same without a label; `entered` says what a list means that the field has taken.
fn numbers_field(
    view: View,
    value: &[u64],
    numbers: Numbers,
    entered: impl Fn(Vec<u64>) -> Action + 'static,
) -> Html {
    let onchange = view.on_some(move |event: Event| {
        let field = input(&event)?;
        let list = numbers.read(&field.value()).ok()?;
        field.set_value(&numbers.shown(&list));
        Some(entered(list))
    });
    let value = numbers.shown(value);
    html! { <Field {value} inputmode="numeric" long={true} {numbers} {onchange} /> }
}

/// A choice with a longer name gets a line of its own.
const LONG_NAME: usize = 16;

/// One of several.
pub fn choice(
    view: View,
    label: impl Into<AttrValue>,
    options: &[(String, String)],
    value: &str,
    chosen: impl Fn(String) -> Action + 'static,
) -> Html {
    choice_in_groups(view, label, ungrouped(options.to_vec()), value, chosen)
}

/// Options without groups.
pub fn ungrouped(options: Vec<(String, String)>) -> Vec<OptionGroup> {
    vec![OptionGroup { name: "", options }]
}

/// One of several that stand in groups.
pub fn choice_in_groups(
    view: View,
    label: impl Into<AttrValue>,
    groups: Vec<OptionGroup>,
    value: &str,
    chosen: impl Fn(String) -> Action + 'static,
) -> Html {
    let (class, list) = options(view, groups, value, chosen);
    labelled_in(class, label, None, "", list)
}

/// The list of a choice, and the classes of its field.
fn options(
    view: View,
    groups: Vec<OptionGroup>,
    value: &str,
    chosen: impl Fn(String) -> Action + 'static,
) -> (Classes, Html) {
    let onchange = view.on_some(move |event: Event| {
        Some(chosen(event.target_dyn_into::<HtmlSelectElement>()?.value()))
    });
    let names = groups.iter().flat_map(|group| &group.options).map(|(_, name)| name);
    let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let class = classes!("field", (longest > LONG_NAME).then_some("long"));
    (class, html! { <List value={value.to_owned()} {groups} {onchange} /> })
}

/// A slider; the gesture lasts until it is released.
pub struct Slider {
    /// Its name.
    pub label: String,
    /// Its unit, or empty.
    pub unit: &'static str,
    /// The value in words.
    pub shown: String,
    /// Position.
    pub value: f64,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// Step.
    pub step: f64,
    /// The id and the position of a mark.
    pub mark: Option<(String, f64)>,
}

/// The slider.
pub fn slider(
    view: View,
    field: Slider,
    kind: Kind,
    set: impl Fn(&mut Scenario, f64) + 'static,
) -> Html {
    let set = Rc::new(set);
    let oninput = view.on_some(move |event: InputEvent| {
        let value = event.target_dyn_into::<HtmlInputElement>()?.value_as_number();
        let set = Rc::clone(&set);
        Some(Action::change(kind, true, move |scenario| set(scenario, value)))
    });
    let onchange = view.on(|| Action::EndGesture);
    html! {
        <label class="field slider">
            <span class="field-label">{field.label}<small class="field-unit">{field.unit}</small></span>
            <strong class="field-value">{field.shown.clone()}</strong>
            <input type="range" min={field.min.to_string()} max={field.max.to_string()} step={field.step.to_string()}
                value={field.value.to_string()} aria-valuetext={format!("{} {}", field.shown, field.unit)} {oninput} {onchange}
                list={field.mark.as_ref().map(|(id, _)| id.clone())} />
            if let Some((id, position)) = field.mark {
                <datalist {id}><option value={position.to_string()}></option></datalist>
            }
        </label>
    }
}

/// A field with its label.
pub fn labelled(label: impl Into<AttrValue>, unit: &'static str, field: Html) -> Html {
    labelled_in(classes!("field"), label, None, unit, field)
}

fn labelled_in(
    class: Classes,
    label: impl Into<AttrValue>,
    about: Option<&'static str>,
    unit: &'static str,
    field: Html,
) -> Html {
    let label = label.into();
    html! {
        <label {class} title={about}>
            <span class="field-label">{label}if !unit.is_empty() { <small class="field-unit">{unit}</small> }</span>
            {field}
        </label>
    }
}

/// The number that a field has taken. The field then shows it the usual way.
pub fn entered(event: &Event) -> Option<f64> {
    let field = input(event)?;
    let value = numbers::real(&field.value())?;
    field.set_value(&numbers::shown(&value.to_string()));
    Some(value)
}

/// The whole number that a field has taken. The field then shows it the usual way.
pub fn entered_whole(event: &Event) -> Option<u64> {
    let field = input(event)?;
    let value = numbers::whole(&field.value())?;
    field.set_value(&value.to_string());
    Some(value)
}

/// Whether a pointer leaves the element with this tag itself. Yew calls the handlers of ancestors
/// too when the pointer leaves something inside.
pub fn leaves(event: &PointerEvent, tag: &str) -> bool {
    let left = event.target_dyn_into::<Element>();
    left.is_some_and(|element| element.tag_name().eq_ignore_ascii_case(tag))
}

/// A handler that forgets what a pointer has chosen in a picture when it leaves the picture. A
/// finger leaves when it is lifted; what was tapped stays chosen.
pub fn forget_on_leave<T: 'static>(chosen: &UseStateHandle<Option<T>>) -> Callback<PointerEvent> {
    let chosen = chosen.clone();
    Callback::from(move |event: PointerEvent| {
        if leaves(&event, "svg") && event.pointer_type() != "touch" {
            chosen.set(None);
        }
    })
}

/// The input field of an event.
pub fn input(event: &Event) -> Option<HtmlInputElement> {
    event.target_dyn_into()
}

/// The action that a value means once it is chosen.
pub type Set = Rc<dyn Fn(Value) -> Action>;

/// A member of a family and its parameters, from their descriptors. The value is that at `place`
/// in the scenario file, with the member's identifier as its `kind`. A member that was there before
/// comes back as it was.
pub fn family(
    view: View,
    label: &'static str,
    family: &'static Family,
    place: &str,
    value: &Value,
    set: Set,
) -> Html {
    family_without(view, label, family, &[], place, value, set)
}

/// The same; members that are hidden cannot be picked, but one that the file has stays. Parameters
/// that are hidden are not shown.
pub fn family_without(
    view: View,
    label: &'static str,
    family: &'static Family,
    hidden: &[&str],
    place: &str,
    value: &Value,
    set: Set,
) -> Html {
    let now = value["kind"].as_str().unwrap_or_default().to_owned();
    let listed = |member: &&Descriptor| !hidden.contains(&member.id) || member.id == now;
    let all = &family.members;
    let mut options: Vec<(String, String)> = all
        .iter()
        .filter(listed)
        .map(|member| (member.id.to_owned(), catalogue::name(family, member).to_owned()))
        .collect();
    let about = all.iter().find(|member| member.id == now);
    if about.is_none() {
        options.insert(0, (now.clone(), "–".into()));
    }
    let (choose, former, place) = (Rc::clone(&set), view.former(), place.to_owned());
    let chosen = move |id: String| {
        let member = all.iter().find(|member| member.id == id);
        let new = || member.map(Descriptor::with_defaults).unwrap_or_default();
        choose(former.value(&place, &id).unwrap_or_else(new))
    };
    let is_shown = |parameter: &&Parameter| !hidden.contains(&parameter.id);
    let set_part = |id: &'static str| -> Set {
        let (value, set) = (value.clone(), Rc::clone(&set));
        Rc::new(move |part| {
            let mut value = value.clone();
            value[id] = part;
            set(value)
        })
    };
    html! {
        <>
            {choice(view, label, &options, &now, chosen)}
            if let Some(about) = about {
                {hint(catalogue::summary(family, about))}
                {for about.parameters.iter().filter(is_shown).map(|parameter| {
                    let described = (family, about, parameter);
                    self::parameter(view, described, &value[parameter.id], set_part(parameter.id))
                })}
                if !about.citation.is_empty() { <p class="hint cite">{about.citation}</p> }
            }
        </>
    }
}

/// Fields for those parameters of a member that are `shown`. The member is at `place` in the
/// scenario file, such as `/fabric`.
pub fn parameters(
    view: View,
    kind: Kind,
    place: &'static str,
    (family, member): (&Family, &Descriptor),
    value: &Value,
    shown: impl Fn(&Parameter) -> bool,
) -> Html {
    let field = |described: &'static Parameter| {
        let set = move |value| Action::assign(kind, &format!("{place}/{}", described.id), &value);
        parameter(view, (family, member, described), &value[described.id], Rc::new(set))
    };
    member.parameters.iter().filter(|parameter| shown(parameter)).map(field).collect()
}

/// A field for a parameter of a member. If it has a short name, its summary is its tooltip.
fn parameter(
    view: View,
    (family, member, parameter): (&Family, &Descriptor, &'static Parameter),
    value: &Value,
    set: Set,
) -> Html {
    let label = catalogue::label(family, member, parameter);
    let about =
        (!parameter.name.is_empty()).then(|| catalogue::parameter(family, member, parameter));
    let unit = catalogue::unit(parameter);
    let mut class = classes!("field");
    let field = match parameter.kind {
        Parameters::Integer { default, min, max } => {
            let now = value.as_u64().unwrap_or(default).to_string();
            let onchange =
                view.on_some(move |event: Event| Some(set(entered_whole(&event)?.into())));
            html! { <Field value={now} bounds={Bounds::Whole(min, max)} {unit} {onchange} /> }
        }
        Parameters::Real { default, min, max } => {
            let now = value.as_f64().unwrap_or(default).to_string();
            let onchange = view.on_some(move |event: Event| Some(set(entered(&event)?.into())));
            html! { <Field value={now} bounds={Bounds::Real(min, max)} {unit} {onchange} /> }
        }
        Parameters::Choice { default, choices, .. } => {
            let name = |&word: &&'static str| {
                (word.to_owned(), catalogue::word(parameter, word).to_owned())
            };
            let groups = ungrouped(choices.iter().map(name).collect());
            let now = value.as_str().unwrap_or(default);
            let (with_list, list) = options(view, groups, now, move |word| set(word.into()));
            class = with_list;
            list
        }
        Parameters::Flag { default } => {
            let onchange =
                view.on_some(move |event: Event| Some(set(input(&event)?.checked().into())));
            html! { <input type="checkbox" checked={value.as_bool().unwrap_or(default)} {onchange} /> }
        }
        Parameters::Integers { default, min, max, may_be_empty } => {
            let list = value.as_array().map(|list| list.iter().filter_map(Value::as_u64).collect());
            let list: Vec<u64> = list.unwrap_or_else(|| default.to_vec());
            let numbers = Numbers { least: min, may_be_empty, ..Numbers::up_to(max) };
            numbers_field(view, &list, numbers, move |list| set(list.into()))
        }
        // The panel of the family shows it.
        Parameters::Values { .. } => return Html::default(),
    };
    // A field that comes or goes between others leaves them what is typed there.
    html! {
        <key={format!("{}.{}", member.id, parameter.id)}>
            {labelled_in(class, label, about, unit, field)}
        </>
    }
}
