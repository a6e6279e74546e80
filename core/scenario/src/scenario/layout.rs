//! Layout of written JSON: indented, with lists and objects that fit on one line joined to one
//! line.

/// Longest line that a list or object is joined to.
const WIDTH: usize = 110;

/// Joins the innermost lists and objects of indented JSON to single lines where they fit.
pub(super) fn compact(pretty: &str) -> String {
    // Strings of JSON hold no line breaks, so brackets at line ends are brackets.
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    for line in pretty.lines() {
        let word = line.trim();
        if word.ends_with(['{', '[']) {
            open.push(vec![line.to_string()]);
        } else if word.starts_with(['}', ']']) && open.len() > 1 {
            let mut block = open.pop().expect("there is one");
            block.push(line.to_string());
            let length: usize = block.iter().map(|l| l.trim().len() + 1).sum();
            let indent = block[0].len() - block[0].trim_start().len();
            // Only blocks of single lines, that is, with nothing inside that did not fit itself.
            if indent + length <= WIDTH {
                let words: Vec<&str> = block.iter().map(|l| l.trim()).collect();
                block = vec![format!("{}{}", " ".repeat(indent), words.join(" "))];
            }
            open.last_mut().expect("the bottom stays").extend(block);
        } else {
            open.last_mut().expect("the bottom stays").push(line.to_string());
        }
    }
    let mut text = open.concat().join("\n");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::compact;
    use serde_json::{Value, json};

    #[test]
    fn short_things_take_one_line() {
        let value = json!({ "a": [1, 2, { "b": "{" }], "long": (0..60).collect::<Vec<u32>>(), "none": {}, "s": "[" });
        let text = compact(&serde_json::to_string_pretty(&value).unwrap());
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert!(text.contains("\n  \"a\": [ 1, 2, { \"b\": \"{\" } ],\n"), "{text}");
    }
}
