//! Sentences for people: the id of a template with its arguments.
//!
//! A [`Message`] is a [`Template`] and the values that fill its gaps. The English sentence is
//! written in the template, so the command line and the tests print a message as it is. The page
//! looks the template's id up in the language it speaks and fills the same gaps. Each crate
//! declares its templates in its own `messages.rs` with [`messages!`](macro@crate::messages), which
//! makes one function per template and a list of all templates; a test compares that list with each
//! language.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A sentence with gaps, as declared by [`messages!`](macro@crate::messages).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Names the template in every language; unique over all crates.
    pub id: &'static str,
    /// English, with a gap `{name}` for each argument.
    pub english: &'static str,
    /// The names of the arguments.
    pub arguments: &'static [&'static str],
}

/// A value that fills a gap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Argument {
    /// Numbers, names and words of a file. They are not translated, but a language may write
    /// numbers with another decimal mark.
    Text(String),
    /// A part of the sentence that has its own translation.
    Message(Message),
    /// Several arguments, joined by commas.
    List(Vec<Argument>),
}

/// The first `most` of a list, and how many more there are.
pub fn first_of<T: Into<Argument>>(mut list: Vec<T>, most: usize) -> Argument {
    let more = list.len().saturating_sub(most);
    list.truncate(most);
    if more == 0 { list.into() } else { crate::messages::and_more(list, more).into() }
}

/// A sentence for people.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The id of the template; empty if there is nothing to say.
    pub id: Cow<'static, str>,
    /// English, with a gap `{name}` for each argument.
    pub english: Cow<'static, str>,
    /// Names and values of the arguments.
    pub arguments: Vec<(Cow<'static, str>, Argument)>,
}

impl Message {
    /// A template with its arguments, in the order of [`Template::arguments`].
    pub fn new(template: &Template, values: Vec<Argument>) -> Self {
        debug_assert_eq!(template.arguments.len(), values.len(), "{}", template.id);
        let names = template.arguments.iter().map(|&name| Cow::Borrowed(name));
        Self {
            id: Cow::Borrowed(template.id),
            english: Cow::Borrowed(template.english),
            arguments: names.zip(values).collect(),
        }
    }

    /// True if there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.english.is_empty()
    }

    /// The sentence in the language of `translate`, which gives the template of an id;
    /// in English where `translate` has none.
    pub fn in_language<'a>(&self, translate: &impl Fn(&str) -> Option<&'a str>) -> String {
        let template = translate(&self.id).unwrap_or(&self.english);
        fill(template, |name| {
            let (_, value) = self.arguments.iter().find(|(known, _)| known == name)?;
            Some(value.in_language(translate))
        })
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_language(&|_| None))
    }
}

impl Argument {
    fn in_language<'a>(&self, translate: &impl Fn(&str) -> Option<&'a str>) -> String {
        match self {
            Argument::Text(text) => text.clone(),
            Argument::Message(message) => message.in_language(translate),
            Argument::List(list) => {
                let all: Vec<String> = list.iter().map(|one| one.in_language(translate)).collect();
                all.join(", ")
            }
        }
    }
}

/// Replaces each gap `{name}` by what `value` gives for the name; a gap without a value stays.
/// Braces in values are left alone.
fn fill(template: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        filled += before;
        match after.split_once('}').and_then(|(name, after)| Some((value(name)?, after))) {
            Some((value, after)) => {
                filled += &value;
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled + rest
}

impl From<Message> for Argument {
    fn from(message: Message) -> Self {
        Argument::Message(message)
    }
}

impl<T: Into<Argument>> From<Vec<T>> for Argument {
    fn from(list: Vec<T>) -> Self {
        Argument::List(list.into_iter().map(Into::into).collect())
    }
}

macro_rules! text {
    ($($value:ty),*) => {$(
        impl From<$value> for Argument {
            fn from(value: $value) -> Self {
                Argument::Text(value.to_string())
            }
        }
    )*};
}
text!(&str, &String, String, char, u8, u16, u32, u64, u128, usize, i32, i64, fmt::Arguments<'_>);

/// Very large and very small numbers have an exponent.
impl From<f64> for Argument {
    fn from(value: f64) -> Self {
        let is_plain = value == 0.0 || (1e-6..1e16).contains(&value.abs());
        Argument::Text(if is_plain { value.to_string() } else { format!("{value:e}") })
    }
}

/// Declares templates: `name(argument, ...): "English with {argument}";`.
///
/// Each becomes a function `name` that takes the arguments and returns a [`Message`]; `ALL` lists
/// the templates. Ids are the functions' names, so they have to differ between crates too.
#[macro_export]
macro_rules! messages {
    ($($(#[$meta:meta])* $name:ident($($argument:ident),* $(,)?): $english:literal;)*) => {
        /// Every template of this crate.
        pub const ALL: &[$crate::message::Template] = &[$(
            $crate::message::Template {
                id: stringify!($name),
                english: $english,
                arguments: &[$(stringify!($argument)),*],
            }
        ),*];
        $(
            $(#[$meta])*
            #[doc = concat!("“", $english, "”")]
            pub fn $name(
                $($argument: impl Into<$crate::message::Argument>),*
            ) -> $crate::message::Message {
                const TEMPLATE: $crate::message::Template = $crate::message::Template {
                    id: stringify!($name),
                    english: $english,
                    arguments: &[$(stringify!($argument)),*],
                };
                $crate::message::Message::new(&TEMPLATE, vec![$($argument.into()),*])
            }
        )*
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    mod examples {
        messages! {
            port_taken(port, switch): "port {port} of {switch} is taken";
            switch_number(number): "switch {number}";
            one_of(choices): "use one of {choices}";
        }
    }
    use examples::*;

    #[test]
    fn a_message_is_english_by_itself() {
        assert_eq!(port_taken(3, switch_number(7)).to_string(), "port 3 of switch 7 is taken");
        assert_eq!(one_of(vec!["a", "b"]).to_string(), "use one of a, b");
        assert_eq!(ALL.len(), 3);
        assert_eq!(ALL[0].arguments, ["port", "switch"]);
    }

    #[test]
    fn numbers_are_short_however_large_or_small() {
        for (value, text) in [
            (0.0, "0"),
            (-0.25, "-0.25"),
            (1_000_000.0, "1000000"),
            (0.000_01, "0.00001"),
            (1e300, "1e300"),
            (-2.5e-300, "-2.5e-300"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(one_of(vec![value]).to_string(), format!("use one of {text}"));
        }
    }

    #[test]
    fn another_language_fills_the_same_gaps_in_its_own_order() {
        let spanish = |id: &str| match id {
            "port_taken" => Some("{switch}: el puerto {port} ya está ocupado"),
            "switch_number" => Some("conmutador {number}"),
            _ => None,
        };
        let told = port_taken(3, switch_number(7)).in_language(&spanish);
        assert_eq!(told, "conmutador 7: el puerto 3 ya está ocupado");
        assert_eq!(one_of(vec!["a"]).in_language(&spanish), "use one of a");
    }

    #[test]
    fn braces_in_values_and_unknown_gaps_stay() {
        assert_eq!(port_taken("{switch}", "{").to_string(), "port {switch} of { is taken");
        let odd = Message { english: "a { b {c} }".into(), ..Message::default() };
        assert_eq!(odd.to_string(), "a { b {c} }");
    }

    #[test]
    fn a_message_survives_json() {
        let message = port_taken(3, switch_number(7));
        let text = serde_json::to_string(&message).unwrap();
        assert_eq!(serde_json::from_str::<Message>(&text).unwrap(), message);
    }
}
