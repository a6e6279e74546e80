//! Plain data out of a JSON document, with the place of what does not fit.
//!
//! One deserialiser over [`Value`] that notes each key on the way out of an error. (Wrapping every visitor, as
//! `serde_path_to_error` does, doubles the code of all that can be read, which every visitor of the page downloads.)

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Value, map};
use std::fmt::{self, Display};
use std::slice;

/// What does not fit, and where.
#[derive(Debug)]
pub(crate) struct Located {
    /// Keys and indices, innermost first.
    path: Vec<String>,
    /// The reason.
    pub why: String,
}

impl Located {
    /// The place, outermost first, joined by dots; empty for the whole document.
    pub fn place(&self) -> String {
        self.path.iter().rev().map(String::as_str).collect::<Vec<_>>().join(".")
    }

    fn under(mut self, key: impl Display) -> Self {
        self.path.push(key.to_string());
        self
    }
}

impl Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place(), self.why)
    }
}

impl std::error::Error for Located {}

impl de::Error for Located {
    fn custom<T: Display>(why: T) -> Self {
        Self { path: Vec::new(), why: why.to_string() }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        // In the words of JSON.
        match found {
            Unexpected::Unit => {
                Self::custom(format_args!("invalid type: null, expected {expected}"))
            }
            found => Self::custom(format_args!("invalid type: {found}, expected {expected}")),
        }
    }
}

/// Reads plain data.
pub(super) fn read<T: DeserializeOwned>(value: &Value) -> Result<T, Located> {
    T::deserialize(At(value))
}

/// A place in the document.
pub(super) struct At<'a>(pub &'a Value);

impl<'de> At<'de> {
    /// The reason if something else is wanted here.
    pub(super) fn instead(&self, expected: &dyn de::Expected) -> Located {
        let found = match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => Unexpected::Unsigned(value),
                (None, Some(value)) => Unexpected::Signed(value),
                (None, None) => Unexpected::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        de::Error::invalid_type(found, expected)
    }

    fn number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        let Value::Number(number) = self.0 else { return Err(self.instead(&visitor)) };
        match (number.as_u64(), number.as_i64()) {
            (Some(value), _) => visitor.visit_u64(value),
            (None, Some(value)) => visitor.visit_i64(value),
            (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
        }
    }

    fn text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        let Value::String(text) = self.0 else { return Err(self.instead(&visitor)) };
        visitor.visit_borrowed_str(text)
    }

    pub(super) fn list<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        let Value::Array(items) = self.0 else { return Err(self.instead(&visitor)) };
        let mut list = List { items: items.iter(), index: 0 };
        let read = visitor.visit_seq(&mut list)?;
        match list.items.len() {
            0 => Ok(read),
            _ => Err(de::Error::invalid_length(items.len(), &"fewer elements in array")),
        }
    }

    pub(super) fn fields<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        let Value::Object(fields) = self.0 else { return Err(self.instead(&visitor)) };
        visitor.visit_map(Fields { rest: fields.iter(), next: None })
    }
}

/// Each kind of visitor meets its own kind of value alone: whoever may meet all of them has code for all.
macro_rules! kinds {
    ($($kind:ident: $($method:ident($($argument:ident: $type:ty),*))*;)*) => {
        $($(fn $method<V: Visitor<'de>>(self $(, $argument: $type)*, visitor: V) -> Result<V::Value, Located> {
            self.$kind(visitor)
        })*)*
    };
}

impl<'de> Deserializer<'de> for At<'de> {
    type Error = Located;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(_) => self.number(visitor),
            Value::String(_) => self.text(visitor),
            Value::Array(_) => self.list(visitor),
            Value::Object(_) => self.fields(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        let Value::Bool(value) = self.0 else { return Err(self.instead(&visitor)) };
        visitor.visit_bool(*value)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Located> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Located> {
        let choice = match self.0 {
            Value::String(name) => Some(Choice { name, value: None }),
            Value::Object(fields) if fields.len() == 1 => {
                fields.iter().next().map(|(name, value)| Choice { name, value: Some(value) })
            }
            _ => None,
        };
        match choice {
            Some(choice) => visitor.visit_enum(choice),
            None => Err(self.instead(&visitor)),
        }
    }

    kinds! {
        number: deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_u8() deserialize_u16()
            deserialize_u32() deserialize_u64() deserialize_f32() deserialize_f64();
        text: deserialize_char() deserialize_str() deserialize_string() deserialize_identifier();
        list: deserialize_seq() deserialize_tuple(_length: usize)
            deserialize_tuple_struct(_name: &'static str, _length: usize);
        fields: deserialize_map() deserialize_struct(_name: &'static str, _fields: &'static [&'static str]);
    }

    forward_to_deserialize_any! {
        i128 u128 bytes byte_buf unit unit_struct ignored_any
    }
}

struct List<'a> {
    items: slice::Iter<'a, Value>,
    index: usize,
}

impl<'de> SeqAccess<'de> for List<'de> {
    type Error = Located;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Located> {
        let Some(value) = self.items.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        seed.deserialize(At(value)).map(Some).map_err(|error| error.under(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Fields<'a> {
    rest: map::Iter<'a>,
    next: Option<(&'a str, &'a Value)>,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Located;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Located> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.next = Some((key, value));
        // A field that is not known is a problem at its own place.
        let read = seed.deserialize(BorrowedStrDeserializer::new(key));
        read.map(Some).map_err(|error: Located| error.under(key))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Located> {
        let (key, value) =
            self.next.take().ok_or_else(|| de::Error::custom("a value without a key"))?;
        seed.deserialize(At(value)).map_err(|error: Located| error.under(key))
    }
}

/// A name, or an object of one field, that chooses.
struct Choice<'a> {
    name: &'a str,
    value: Option<&'a Value>,
}

impl<'de> EnumAccess<'de> for Choice<'de> {
    type Error = Located;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Located> {
        let name: BorrowedStrDeserializer<'de, Located> = BorrowedStrDeserializer::new(self.name);
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> Choice<'de> {
    fn content(&self) -> Result<At<'de>, Located> {
        self.value.map(At).ok_or_else(|| {
            de::Error::invalid_type(Unexpected::UnitVariant, &"a choice with content")
        })
    }
}

impl<'de> VariantAccess<'de> for Choice<'de> {
    type Error = Located;

    fn unit_variant(self) -> Result<(), Located> {
        match self.value {
            None | Some(Value::Null) => Ok(()),
            Some(_) => {
                Err(<Located as de::Error>::custom("this choice takes nothing").under(self.name))
            }
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Located> {
        seed.deserialize(self.content()?).map_err(|error: Located| error.under(self.name))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Located> {
        self.content()?.list(visitor).map_err(|error| error.under(self.name))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Located> {
        self.content()?.fields(visitor).map_err(|error| error.under(self.name))
    }
}
