//! JSON for people and files, as the command line prints it and the page saves it.

use serde::Serialize;

/// A value as indented JSON that ends with a line break. Control characters of strings are escaped,
/// since a terminal obeys them.
pub fn indented(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("plain data has a JSON form");
    // serde_json escapes U+0000 to U+001F only. Other control characters can only be in strings.
    let mut escaped = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if c.is_control() && c != '\n' {
            escaped += &format!("\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn control_characters_are_escaped_and_the_value_stays_the_same() {
        let value = json!({ "name": "\u{1b}[31mred\u{9b}\u{7f}\n\té" });
        let text = indented(&value);
        assert_eq!(text, "{\n  \"name\": \"\\u001b[31mred\\u009b\\u007f\\n\\té\"\n}\n");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
