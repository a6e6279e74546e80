//! Whether everything the core finds wrong can be said in Spanish: the words stand all over the source, so they are looked for there.

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// What takes words that users read; of the first two, the place comes first.
    const CALLS: [&str; 12] = [
        "Problems::one(",
        ".add(",
        ".problem(",
        ".expected(",
        "notes.push(",
        ".ok_or(",
        "Err((",
        "Err(format!(",
        "return Err(",
        "wrong(",
        "no_tree(",
        "let why = if",
    ];

    /// Not of the page: experiments, `--set`, dumps of routes; what a simulator that is broken says, and lessons that are.
    const ELSEWHERE: [&str; 7] = [
        "experiment/",
        "/dump.rs",
        "scenario/set.rs",
        "check.rs",
        "wormhole/view.rs",
        "lessons/",
        "tests.rs",
    ];

    fn sources(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let name = path.to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                sources(&path, found);
            } else if name.ends_with(".rs") && !ELSEWHERE.iter().any(|part| name.contains(part)) {
                let source = fs::read_to_string(&path).expect("a source");
                found.push(source.split("#[cfg(test)]").next().unwrap_or_default().to_owned());
            }
        }
    }

    /// The arguments after an opening bracket: for each, the texts in it, gaps as `{}`.
    fn texts(source: &str) -> Vec<Vec<String>> {
        let mut arguments = vec![Vec::new()];
        let mut depth = 0;
        let mut letters = source.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '"' => {
                    let mut text = String::new();
                    while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
                        match letter {
                            '\\' => match letters.next() {
                                // A line that goes on.
                                Some('\n') => {
                                    while letters.next_if(|next| next.is_whitespace()).is_some() {}
                                }
                                escaped => text.extend(escaped),
                            },
                            '{' if letters.peek() == Some(&'{') => text.extend(letters.next()),
                            '}' if letters.peek() == Some(&'}') => text.extend(letters.next()),
                            '{' if letters.clone().find(|next| !is_in_gap(*next)) == Some('}') => {
                                while letters.next().is_some_and(is_in_gap) {}
                                text.push_str("{}");
                            }
                            other => text.push(other),
                        }
                    }
                    arguments.last_mut().expect("never empty").push(text);
                }
                // A letter, not the lifetime of a type.
                '\'' if letters.clone().nth(1) == Some('\'') => drop(letters.by_ref().nth(1)),
                '\'' if letters.peek() == Some(&'\\') => drop(letters.by_ref().nth(2)),
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' if depth == 0 => break,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => arguments.push(Vec::new()),
                _ => {}
            }
        }
        arguments
    }

    fn is_in_gap(letter: char) -> bool {
        letter.is_ascii_alphanumeric() || "_.:?".contains(letter)
    }

    fn fits(pattern: &str, words: &str) -> bool {
        match pattern.split_once("{}") {
            None => pattern == words,
            Some((start, rest)) => words.strip_prefix(start).is_some_and(|words| {
                (0..=words.len()).any(|at| words.is_char_boundary(at) && fits(rest, &words[at..]))
            }),
        }
    }

    #[test]
    fn all_problems_have_spanish_words() {
        let root = crate::shell::root();
        let file = fs::read_to_string(root.join("app/static/es.txt")).expect("the Spanish words");
        let patterns: Vec<&str> = file.lines().skip(1).step_by(2).collect();
        let mut found = Vec::new();
        for folder in ["core/scenario/src", "core/routing/src", "core/src"] {
            sources(&root.join(folder), &mut found);
        }
        let mut all = 0;
        for (i, call) in CALLS.iter().enumerate() {
            for source in &found {
                for (at, _) in source.match_indices(call) {
                    let arguments = texts(&source[at + call.len()..]);
                    // Something else may be added to something else.
                    let is_problem =
                        i > 1 || arguments.iter().filter(|texts| !texts.is_empty()).count() > 1;
                    let words = arguments.iter().skip(if i > 1 { 0 } else { 1 }).flatten();
                    for words in words.filter(|words| {
                        is_problem && words.trim().contains(' ') && words != &"{} {}"
                    }) {
                        all += 1;
                        assert!(
                            patterns.iter().any(|pattern| fits(pattern, words)),
                            "no Spanish in app/static/es.txt for: {words}"
                        );
                    }
                }
            }
        }
        assert!(all > 300, "only {all} texts were found: they are looked for in the wrong way");
    }
}
