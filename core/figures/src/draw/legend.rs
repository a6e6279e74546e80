//! The legend: at the right, a line per series, then the notes.

use super::{Done, Drawing, marks};
use crate::figure::{Series, Shape};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Most characters of a line.
const MAX_CHARS: usize = 30;

pub(super) struct Legend {
    /// Pixels, with the space around it.
    pub width: u32,
    /// A series with its name.
    series: Vec<(usize, String)>,
    /// Lines of the notes.
    notes: Vec<String>,
}

pub(super) fn of(drawing: &Drawing) -> Legend {
    let font = drawing.style.theme.font();
    if !drawing.style.legend {
        return Legend { width: font, series: Vec::new(), notes: Vec::new() };
    }
    let all = drawing.figure.series.iter().enumerate();
    let names = all.map(|(i, series)| (i, shortened(&(drawing.words)(&series.name), MAX_CHARS)));
    let series: Vec<(usize, String)> = names.filter(|(_, name)| !name.is_empty()).collect();
    let most = drawing.style.width as usize / 4 * 2 / font as usize;
    let notes = drawing.figure.legend_notes();
    let notes = notes.iter().map(|note| (drawing.words)(note));
    let notes: Vec<String> = notes.flat_map(|note| wrapped(&note, most.min(24))).collect();
    let named = series.iter().map(|(_, name)| name).chain(&notes);
    let chars = named.map(|text| text.chars().count()).max().unwrap_or(0);
    let width = if chars == 0 { font } else { font * 4 + chars as u32 * font * 11 / 20 };
    Legend { width: width.min(drawing.style.width / 2), series, notes }
}

impl Legend {
    /// Draws it from `left` on.
    pub fn draw(&self, drawing: &Drawing, left: i32) -> Done {
        let theme = drawing.style.theme;
        let font = theme.font() as i32;
        let middle = Pos::new(HPos::Left, VPos::Center);
        let (text, pale) = (drawing.text(theme.font(), 0), drawing.text(theme.font() * 9 / 10, 30));
        let (left, mut y) = (left + font, font * 5);
        for (i, name) in &self.series {
            self.sample(drawing, &drawing.figure.series[*i], (left, y))?;
            let at = (left + font * 5 / 2, y);
            drawing.root.draw_text(name, &text.clone().pos(middle), at)?;
            y += font * 8 / 5;
        }
        y += font / 2;
        for note in &self.notes {
            drawing.root.draw_text(note, &pale.clone().pos(middle), (left, y))?;
            y += font * 13 / 10;
        }
        Ok(())
    }

    fn sample(&self, drawing: &Drawing, series: &Series, (x, y): (i32, i32)) -> Done {
        let font = drawing.style.theme.font() as i32;
        let end = x + font * 2;
        if series.shape != Shape::Bars {
            marks::path(drawing, series, vec![(x, y), (end, y)])?;
        }
        match series.shape {
            Shape::Line => Ok(()),
            Shape::Points => marks::marker(drawing, series.colour, ((x + end) / 2, y), true),
            Shape::Bars => {
                let colour = drawing.style.theme.colour(series.colour);
                let corners = [(x, y - font / 2), (end, y + font / 2)];
                drawing.root.draw(&Rectangle::new(corners, colour.filled()))?;
                marks::bar_sign(drawing, series.colour, ((x + end) / 2, y))
            }
        }
    }
}

/// A text of at most so many characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    text.chars().take(most.saturating_sub(1)).collect::<String>() + "\u{2026}"
}

/// Lines of at most so many characters, broken between words.
pub(super) fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= most {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.into());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_break_between_words() {
        assert_eq!(wrapped("hollow: not steady", 11), ["hollow: not", "steady"]);
        assert_eq!(shortened("abcdef", 4), "abc\u{2026}");
        assert_eq!(shortened("abcd", 4), "abcd");
    }
}
