//! Short texts on the stage, in upright letters of a size that stays readable when the view is
//! small.

use super::inks::Ink;
use super::pen::Pen;
use crate::layout::Point;

/// Draws a short text on a plate.
pub fn label(pen: &mut Pen, at: Point, words: &str, pixel: f32) {
    let size = 13.0_f32.max(11.0 * pixel);
    let half = words.chars().count() as f32 * size * 0.32 + 4.0;
    pen.path();
    pen.boxed(at, [half, size * 0.7], 5.0);
    pen.fill(Ink::SWITCH);
    pen.stroke(Ink::SWITCH_EDGE, 1.0);
    letters(pen, Ink::LABEL, at, words, size);
}

/// Draws a text centred at a point.
pub fn letters(pen: &mut Pen, ink: Ink, [x, y]: Point, words: &str, size: f32) {
    pen.letters(ink, [x, y + size * 0.06], words, [700.0, size], None);
}
