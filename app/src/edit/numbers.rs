//! Numbers, and lists of whole numbers, as they are typed and shown.

use crate::text::{Language, fill, text};
use std::collections::BTreeSet;

/// A number as it is shown in a field, with the decimal mark of the page's language.
pub fn shown(number: &str) -> String {
    number.replace('.', &Language::spoken().decimal_mark().to_string())
}

/// The number that was typed. Its decimal mark is a point or a comma.
pub fn real(typed: &str) -> Option<f64> {
    let number = typed.trim().replace(',', ".").parse().ok();
    number.filter(|number: &f64| number.is_finite() && !may_have_thousands(typed, false))
}

/// The whole number that was typed. Digits stand for themselves, also where a float would round.
/// They may be in groups of three, as the page shows them.
pub fn whole(typed: &str) -> Option<u64> {
    const MOST: f64 = (1_u64 << 53) as f64;
    let digits = grouped(typed).or_else(|| typed.trim().parse().ok());
    // Another notation, such as 1e6.
    let number = real(typed).filter(|number| number.fract() == 0.0);
    let number = number.filter(|number| (0.0..=MOST).contains(number));
    let number = number.filter(|_| !may_have_thousands(typed, true));
    digits.or(number.map(|number| number as u64))
}

/// The number whose digits are in groups of three, with blanks between them, as in `417 457 041`.
fn grouped(typed: &str) -> Option<u64> {
    let mut groups = typed.trim().split([' ', '\u{a0}', '\u{2009}', '\u{202f}']);
    let first = groups.next()?;
    let are_digits = |group: &str| group.chars().all(|c| c.is_ascii_digit());
    let is_grouped = (1..=3).contains(&first.len())
        && are_digits(first)
        && groups.all(|group| group.len() == 3 && are_digits(group));
    let digits: String = typed.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|_| is_grouped)
}

/// Whether marks in a number may separate thousands: there are several, or three digits follow the
/// one there is, as in `1,000`. The mark of the page's language is decimal, but whole numbers have
/// none.
pub fn may_have_thousands(typed: &str, is_whole: bool) -> bool {
    let marks = ['.', ','];
    let number = typed.trim().trim_start_matches(['+', '-']);
    let Some((before, after)) = number.split_once(marks) else { return false };
    let is_decimal = !is_whole && number.contains(Language::spoken().decimal_mark());
    let are_digits = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    let is_group = (1..=3).contains(&before.len()) && !before.starts_with('0') && after.len() == 3;
    let ends_a_group = is_group && are_digits(before) && are_digits(after);
    after.contains(marks) || ends_a_group && !is_decimal
}

/// What a list of whole numbers may hold. Commas, blanks, arrows and colons separate the numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Numbers {
    /// Smallest.
    pub least: u64,
    /// Largest.
    pub most: u64,
    /// How many belong together: 1, or 2 for pairs.
    pub together: usize,
    /// Whether it is a set: each number is there once, and `0-3` stands for 0, 1, 2, 3.
    pub is_set: bool,
    /// Whether there may be none.
    pub may_be_empty: bool,
}

impl Numbers {
    /// Numbers up to `most`, each on its own.
    pub const fn up_to(most: u64) -> Numbers {
        Numbers { least: 0, most, together: 1, is_set: false, may_be_empty: true }
    }

    /// A set of numbers up to `most`.
    pub const fn set_up_to(most: u64) -> Numbers {
        Numbers { is_set: true, ..Numbers::up_to(most) }
    }

    /// Pairs of numbers up to `most`.
    pub const fn pairs_up_to(most: u64) -> Numbers {
        Numbers { together: 2, ..Numbers::up_to(most) }
    }

    /// The same, of which there is at least one.
    pub const fn not_empty(self) -> Numbers {
        Numbers { may_be_empty: false, ..self }
    }

    /// The numbers, or why the text is no such list.
    pub fn read(self, typed: &str) -> Result<Vec<u64>, String> {
        let t = text();
        if typed.trim().is_empty() {
            let refused = || Err(t.list_is_empty.to_owned());
            return if self.may_be_empty { Ok(Vec::new()) } else { refused() };
        }
        let (mut numbers, mut seen) = (Vec::new(), BTreeSet::new());
        for part in typed.replace("->", "→").split([',', '→', ':']) {
            if part.trim().is_empty() {
                return Err(t.number_missing.to_owned());
            }
            // Blanks around the dash of a range belong to it.
            let dashes = part.split(['-', '–']).map(str::trim);
            let part = if self.is_set { dashes.collect::<Vec<_>>().join("-") } else { part.into() };
            for word in part.split_whitespace() {
                let (first, last) = self.range(word)?;
                let is_new = |number: &u64| !self.is_set || seen.insert(*number);
                numbers.extend((first..=last).filter(is_new));
            }
        }
        if numbers.len().is_multiple_of(self.together) {
            Ok(numbers)
        } else {
            Err(t.number_left_over.to_owned())
        }
    }

    /// The first and the last number that a word stands for.
    fn range(self, word: &str) -> Result<(u64, u64), String> {
        let t = text();
        if word.starts_with(['-', '–', '+']) {
            return Err(fill(t.number_with_sign, &[&word]));
        }
        let Some((first, last)) = word.split_once(['-', '–']) else {
            return self.number(word).map(|number| (number, number));
        };
        if !self.is_set {
            return Err(fill(t.range_not_wanted, &[&word]));
        }
        let is_number = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
        if !is_number(first) || !is_number(last) {
            return Err(fill(t.not_a_range, &[&word]));
        }
        let (first, last) = (self.number(first)?, self.number(last)?);
        if first > last { Err(fill(t.not_a_range, &[&word])) } else { Ok((first, last)) }
    }

    fn number(self, word: &str) -> Result<u64, String> {
        if !word.chars().all(|c| c.is_ascii_digit()) {
            let words = if self.together > 1 { text().not_a_pair } else { text().not_a_number };
            return Err(fill(words, &[&word]));
        }
        // A word that does not fit has too many digits.
        let number = word.parse().ok().filter(|number| (self.least..=self.most).contains(number));
        let refusal = || fill(text().listed_out_of_bounds, &[&word, &self.least, &self.most]);
        number.ok_or_else(refusal)
    }

    /// The list as it is typed.
    pub fn shown(self, numbers: &[u64]) -> String {
        if self.is_set {
            return shown_set(numbers);
        }
        numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
    }
}

/// Numbers as they are typed, with `0-3` for four in a row.
pub fn shown_set(numbers: &[u64]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = numbers;
    while let Some(&first) = rest.first() {
        let run = (first..).zip(rest).take_while(|(next, number)| next == *number).count();
        parts.push(match run {
            1 => first.to_string(),
            2 => format!("{first}, {}", first + 1),
            _ => format!("{first}-{}", first + run as u64 - 1),
        });
        rest = &rest[run..];
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: Numbers = Numbers::up_to(31);
    const SET: Numbers = Numbers::set_up_to(99);
    const PAIRS: Numbers = Numbers::pairs_up_to(31);

    #[test]
    fn the_decimal_mark_is_a_point_or_a_comma() {
        for (typed, number) in [("0,05", 0.05), ("0.05", 0.05), (" 1e-3", 1e-3), ("-,5", -0.5)] {
            assert_eq!(real(typed), Some(number), "{typed}");
            assert!(!may_have_thousands(typed, false), "{typed}");
        }
        for typed in
            ["", "abc", "1 000", "1,000", "1,000.5", "1.000.000", "0,05x", "NaN", "inf", "1e999"]
        {
            assert_eq!(real(typed), None, "{typed}");
        }
        assert_eq!([whole("1,0"), whole("1,5"), whole("1.000")], [Some(1), None, None]);
    }

    #[test]
    fn a_mark_that_may_separate_thousands_is_no_decimal_mark() {
        let thousands = |typed| may_have_thousands(typed, false);
        let whole = |typed| may_have_thousands(typed, true);
        for typed in ["1,000.5", "1.000,5", "1,000,000", "1.2.3"] {
            assert!(thousands(typed) && whole(typed), "{typed}");
        }
        for typed in ["1000", "0,125", "0.125", "1,25", "12,3456", "1234,567", "1,5e3", "a,bcd"] {
            assert!(!thousands(typed) && !whole(typed), "{typed}");
        }
        assert!(thousands("1,000") && whole("1,000") && thousands("-16,384"));
        assert!(!thousands("1.125") && whole("1.125"));
        assert_eq!(shown("0.05"), "0.05");
        Language::Spanish.speak();
        let with_thousands = [thousands("1.125"), whole("16.384"), whole("16,384")];
        let (decimal, in_spanish) = (thousands("1,125"), shown("0.05"));
        Language::English.speak();
        assert_eq!((with_thousands, decimal), ([true; 3], false));
        assert_eq!(in_spanish, "0,05");
    }

    #[test]
    fn large_whole_numbers_are_exact() {
        assert_eq!(whole("9007199254740993"), Some(9_007_199_254_740_993));
        assert_eq!(whole("18446744073709551615"), Some(u64::MAX));
        assert_eq!(whole("1e6"), Some(1_000_000));
        assert_eq!([whole("18446744073709551616"), whole("1e19"), whole("x")], [None; 3]);
    }

    #[test]
    fn digits_of_whole_numbers_may_be_in_groups_of_three() {
        let shown = crate::text::number(1_234_567);
        let groups = ["417 457 041", " 417\u{a0}457\u{a0}041 ", "417\u{2009}457\u{202f}041"];
        assert_eq!(groups.map(whole), [Some(417_457_041); 3]);
        assert_eq!([whole(&shown), whole("1 000")], [Some(1_234_567), Some(1000)]);
        assert_eq!(whole("18 446 744 073 709 551 615"), Some(u64::MAX));
        for typed in [
            "1 2",
            "12 34",
            "1234 567",
            "1  000",
            "-1 000",
            "1 000.5",
            "1 00x",
            "18 446 744 073 709 551 616",
        ] {
            assert_eq!(whole(typed), None, "{typed}");
        }
    }

    #[test]
    fn lists_are_read_as_they_are_typed() {
        assert_eq!(LIST.read("1, 2  31"), Ok(vec![1, 2, 31]));
        assert_eq!(LIST.read(" "), Ok(Vec::new()));
        assert_eq!(LIST.read("2 2"), Ok(vec![2, 2]));
        assert_eq!(PAIRS.read("0 → 5, 1:6 2->7"), Ok(vec![0, 5, 1, 6, 2, 7]));
        assert_eq!(SET.read("7 0–2, 1, 4 - 5"), Ok(vec![7, 0, 1, 2, 4, 5]));
    }

    #[test]
    fn what_is_no_such_list_is_refused_with_the_part_that_is_wrong() {
        for (typed, wrong) in [
            (".5, .25", "“.5”"),
            ("0.25, 0.1875", "“0.25”"),
            ("3, -16", "“-16” has a sign"),
            ("+5", "“+5” has a sign"),
            ("0,1,,2", "A number is missing"),
            (",,", "A number is missing"),
            ("1,", "A number is missing"),
            ("0-2", "“0-2” is a range"),
            ("1; 2", "“1;”"),
            ("1, two", "“two”"),
            ("5x", "“5x”"),
            ("32", "32 is not between 0 and 31"),
            ("99999999999999999999999", "99999999999999999999999 is not between"),
        ] {
            let refusal = LIST.read(typed).expect_err(typed);
            assert!(refusal.contains(wrong), "{typed}: {refusal}");
        }
        for (typed, wrong) in [
            ("5-2", "“5-2” is no range"),
            ("1, 0-", "“0-” is no range"),
            ("7 -", "“7-” is no range"),
            ("-1", "“-1” has a sign"),
            ("1-2-3", "“1-2-3” is no range"),
            ("2.5", "“2.5”"),
            (",,", "A number is missing"),
            ("0-100", "100 is not between 0 and 99"),
        ] {
            let refusal = SET.read(typed).expect_err(typed);
            assert!(refusal.contains(wrong), "{typed}: {refusal}");
        }
        assert!(
            PAIRS.read("0>5").is_err_and(|why| why.contains("“0>5”") && why.contains("0 → 5,"))
        );
        assert!(PAIRS.read("0 → 5, 1").is_err_and(|why| why.contains("one is left over")));
        assert!(PAIRS.read("0 →, 1 2").is_err_and(|why| why.contains("A number is missing")));
        assert!(Numbers { least: 1, ..LIST }.read("0").is_err());
    }

    #[test]
    fn only_a_list_that_may_be_empty_takes_none() {
        for list in [LIST, SET, PAIRS] {
            assert_eq!(list.read(""), Ok(Vec::new()));
            assert!(list.not_empty().read("").is_err_and(|why| why.contains("must not be empty")));
        }
    }

    #[test]
    fn sets_are_shown_with_ranges_and_read_again() {
        assert_eq!(SET.shown(&[0, 1, 2, 3, 7, 8]), "0-3, 7, 8");
        assert_eq!(LIST.shown(&[0, 1, 2, 3]), "0, 1, 2, 3");
        for numbers in [vec![], vec![4], vec![9, 1, 2, 3, 0]] {
            assert_eq!(SET.read(&SET.shown(&numbers)), Ok(numbers));
        }
    }
}
