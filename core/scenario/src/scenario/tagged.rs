//! Choices written as objects whose field `kind` says which, beside the fields of that choice.
//!
//! serde can derive that (`tag = "kind"`), but then compiles every choice twice more, for any reader and for what it keeps
//! in between, which every visitor of the page downloads. Here what is kept in between is a JSON value, and one reader reads it.

use super::located::{At, Located};
use serde::de::{self, DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::Value;

/// Reads and writes these enums so; each has `#[serde(remote = "Self")]` and no tag.
macro_rules! tagged {
    ($($name:ty),*) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let outside = Self::serialize(self, serde_json::value::Serializer).expect("plain data has a JSON form");
                $crate::scenario::tagged::inside(outside).serialize(to)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::scenario::tagged::read(from, |tagged| Self::deserialize(tagged))
            }
        }
    )*};
}
pub(crate) use tagged;

/// From `"a"` and `{"a": {...}}` to `{"kind": "a", ...}`.
pub(crate) fn inside(outside: Value) -> Value {
    let mut all = serde_json::Map::new();
    match outside {
        Value::Object(choice) => {
            for (name, fields) in choice {
                all.insert("kind".into(), name.into());
                if let Value::Object(fields) = fields {
                    all.extend(fields);
                }
            }
        }
        name => drop(all.insert("kind".into(), name)),
    }
    all.into()
}

/// What a function makes of a choice.
pub(crate) fn read<'de, D: Deserializer<'de>, T>(
    from: D,
    make: fn(Tagged<'_>) -> Result<T, Located>,
) -> Result<T, D::Error> {
    take_apart(Value::deserialize(from)?, make).map_err(de::Error::custom)
}

/// The reason is in words, since the place is found by whoever reads what this is part of.
fn take_apart<T>(value: Value, make: fn(Tagged<'_>) -> Result<T, Located>) -> Result<T, String> {
    let Value::Object(mut fields) = value else {
        let expected = &"an object whose `kind` says which";
        return Err(At(&value).instead(expected).why);
    };
    let Some(kind) = fields.shift_remove("kind") else {
        return Err(<Located as de::Error>::missing_field("kind").why);
    };
    make(Tagged { kind: &kind, fields: &fields.into() }).map_err(|error| error.why)
}

/// A choice and its fields.
pub(crate) struct Tagged<'a> {
    kind: &'a Value,
    fields: &'a Value,
}

impl<'de> Deserializer<'de> for Tagged<'de> {
    type Error = Located;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Located> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for Tagged<'de> {
    type Error = Located;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Located> {
        Ok((seed.deserialize(At(self.kind))?, self))
    }
}

impl<'de> VariantAccess<'de> for Tagged<'de> {
    type Error = Located;

    fn unit_variant(self) -> Result<(), Located> {
        Ok(()) // Stray fields are found by comparing what was read with what would be written.
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Located> {
        seed.deserialize(At(self.fields))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Located> {
        At(self.fields).list(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Located> {
        At(self.fields).fields(visitor)
    }
}

#[cfg(test)]
mod tests {
    use crate::scenario::{PatternSpec, SchedulerSpec, SizeSpec};
    use serde_json::{Value, from_value, json, to_value};

    #[test]
    fn kinds_are_read_and_written_beside_their_fields() {
        let size = json!({ "kind": "fixed", "bytes": 32 });
        assert_eq!(to_value(from_value::<SizeSpec>(size.clone()).unwrap()).unwrap(), size);
        let plain = json!({ "kind": "uniform" });
        assert_eq!(to_value(from_value::<PatternSpec>(plain.clone()).unwrap()).unwrap(), plain);
        let inner = json!({ "kind": "dtable", "entries": [[0, 3], [1, 5]] });
        let table: SchedulerSpec = from_value(inner.clone()).unwrap();
        assert_eq!(to_value(table).unwrap()["entries"], inner["entries"]);
    }

    #[test]
    fn what_does_not_fit_is_told_in_words() {
        let why = |size: Value| from_value::<SizeSpec>(size).unwrap_err().to_string();
        assert_eq!(why(json!({ "bytes": 3 })), "missing field `kind`");
        assert_eq!(
            why(json!(7)),
            "invalid type: integer `7`, expected an object whose `kind` says which"
        );
        assert!(
            why(json!({ "kind": "fxed" }))
                .starts_with("unknown variant `fxed`, expected one of `fixed`")
        );
        assert!(why(json!({ "kind": "fixed", "byte": 3 })).starts_with("unknown field `byte`"));
        assert!(why(json!({ "kind": 3 })).starts_with("invalid type: integer `3`"));
    }
}
