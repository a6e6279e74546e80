//! The labels of the axes, in several lines where one would be longer than its axis.

use super::{Done, Drawing, legend, marks};
use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Pixels around the plot.
pub(super) struct Margins {
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
    /// For the values of the axis across and its label, and for those of the axis up.
    pub below: u32,
    pub beside: u32,
}

/// The lines of the labels. A plain figure has no label of the vertical axis.
pub(super) struct Labels {
    pub x: Vec<String>,
    pub y: Vec<String>,
    /// Height of a line, pixels.
    line: u32,
}

impl Labels {
    pub fn of(drawing: &Drawing, margins: &Margins) -> Self {
        let style = drawing.style;
        let font = style.theme.font();
        let across = style.width.saturating_sub(margins.left + margins.right + margins.beside);
        let up = style.height.saturating_sub(margins.top + margins.bottom + margins.below);
        // A character is about half as wide as it is high.
        let lines = |label, pixels: u32| {
            legend::wrapped(&(drawing.words)(label), (pixels * 2 / font).max(1) as usize)
        };
        let (x, y) = (&drawing.figure.x.label, &drawing.figure.y.label);
        let y = if style.plain { Vec::new() } else { lines(y, up) };
        Self { x: lines(x, across), y, line: font * 5 / 4 }
    }

    /// Pixels that lines beyond the first one need.
    pub fn more(&self, lines: &[String]) -> u32 {
        self.line * (lines.len() as u32).saturating_sub(1)
    }

    /// Draws labels of several lines.
    pub fn draw(&self, drawing: &Drawing, margins: &Margins, inside: &marks::Inside) -> Done {
        let text = drawing.text(drawing.style.theme.font(), 0);
        let middle = |range: &std::ops::Range<i32>| i32::midpoint(range.start, range.end);
        if self.x.len() > 1 {
            let below = text.clone().pos(Pos::new(HPos::Center, VPos::Bottom));
            let mut y = (drawing.style.height - margins.bottom) as i32;
            for line in self.x.iter().rev() {
                drawing.root.draw_text(line, &below, (middle(&inside.0), y))?;
                y -= self.line as i32;
            }
        }
        if self.y.len() > 1 {
            let beside = text.pos(Pos::new(HPos::Center, VPos::Top));
            let font = beside.font.transform(FontTransform::Rotate270);
            let beside = TextStyle { font, ..beside };
            let mut x = margins.left as i32;
            for line in &self.y {
                drawing.root.draw_text(line, &beside, (x, middle(&inside.1)))?;
                x += self.line as i32;
            }
        }
        Ok(())
    }
}
