//! Lines, markers, bars and ranges.

use super::{Done, Drawing, Position, clip, range};
use crate::figure::{Figure, Mark, Scale, Series, Shape};
use crate::theme::{Marker, marker as marker_of};
use hopscope_core::measure::Condition;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use std::ops::Range;

/// Pixels of the plot, horizontally and vertically.
pub(super) type Inside = (Range<i32>, Range<i32>);

type Place<'a> = dyn Fn((f64, f64)) -> (i32, i32) + 'a;

/// Draws all series. Marks beyond the axis are drawn at its end, with an arrow; in a part of a
/// figure, marks outside are left out and lines end at the frame.
pub(super) fn draw(drawing: &Drawing, inside: &Inside, place: &Place) -> Done<Vec<Position>> {
    let mut positions = Vec::new();
    let series = || drawing.figure.series.iter().enumerate();
    for (index, of) in series() {
        match of.shape {
            Shape::Points => points(drawing, of, inside, place)?,
            Shape::Line => line(drawing, of, &of.marks, inside, place)?,
            Shape::Bars => bars(drawing, index, inside, place)?,
        }
        for (mark, what) in of.marks.iter().enumerate() {
            if !is_drawn(drawing, what, inside, place) {
                continue;
            }
            let (mut x, y) = at(what, inside, place);
            if of.shape == Shape::Bars {
                let sides = bar_sides(drawing.figure, index, what, place);
                x = (sides.start + sides.end) / 2;
            }
            positions.push(Position { series: index, mark, x, y });
        }
    }
    Ok(positions)
}

/// Whether a mark is beyond the vertical axis.
pub(super) fn any_outside(figure: &Figure) -> bool {
    let (_, y) = range::of(figure);
    figure.series.iter().flat_map(|series| &series.marks).any(|mark| mark.y > y.end)
}

/// Whether a mark is drawn: of a part of a figure, only what is inside.
fn is_drawn(drawing: &Drawing, mark: &Mark, inside: &Inside, place: &Place) -> bool {
    let (x, y) = place((mark.x, mark.y));
    drawing.style.zoom.is_none()
        || (inside.0.start..=inside.0.end).contains(&x)
            && (inside.1.start..=inside.1.end).contains(&y)
}

/// Where a mark is, moved to the edge if it is outside.
fn at(mark: &Mark, inside: &Inside, place: &Place) -> (i32, i32) {
    let (x, y) = place((mark.x, mark.y));
    (x.clamp(inside.0.start, inside.0.end), y.clamp(inside.1.start, inside.1.end))
}

fn points(drawing: &Drawing, series: &Series, inside: &Inside, place: &Place) -> Done {
    for steady in series.marks.chunk_by(|a, b| a.is_steady() && b.is_steady()) {
        if steady.len() > 1 {
            line(drawing, series, steady, inside, place)?;
        }
    }
    for mark in &series.marks {
        if !is_drawn(drawing, mark, inside, place) {
            continue;
        }
        ranges(drawing, series, mark, inside, place)?;
        let here = at(mark, inside, place);
        marker(drawing, series.colour, here, mark.is_steady())?;
        if place((mark.x, mark.y)).1 < inside.1.start {
            arrow(drawing, series.colour, here)?;
        }
    }
    Ok(())
}

/// The ranges of a mark as bars with caps.
fn ranges(drawing: &Drawing, series: &Series, mark: &Mark, inside: &Inside, place: &Place) -> Done {
    let theme = drawing.style.theme;
    let style = theme.colour(series.colour).stroke_width(theme.line().div_ceil(2));
    let cap = theme.marker() * 4 / 5;
    let here = at(mark, inside, place);
    let moved = |x, y| at(&Mark::new(x, y, mark.condition, Vec::new()), inside, place);
    let path = |points: [(i32, i32); 2]| drawing.root.draw(&PathElement::new(points, style));
    if let Some((least, greatest)) = mark.y_range {
        let (low, high) = (moved(mark.x, least).1, moved(mark.x, greatest).1);
        path([(here.0, low), (here.0, high)])?;
        for y in [low, high] {
            path([(here.0 - cap, y), (here.0 + cap, y)])?;
        }
    }
    if let Some((least, greatest)) = mark.x_range {
        let (low, high) = (moved(least, mark.y).0, moved(greatest, mark.y).0);
        path([(low, here.1), (high, here.1)])?;
        for x in [low, high] {
            path([(x, here.1 - cap), (x, here.1 + cap)])?;
        }
    }
    Ok(())
}

fn bars(drawing: &Drawing, index: usize, inside: &Inside, place: &Place) -> Done {
    let theme = drawing.style.theme;
    let series = &drawing.figure.series[index];
    let colour = theme.colour(series.colour);
    for mark in &series.marks {
        let sides = bar_sides(drawing.figure, index, mark, place);
        let (_, end) = at(mark, inside, place);
        let zero = match drawing.figure.y.scale {
            Scale::Linear => place((mark.x, 0.0)).1.clamp(inside.1.start, inside.1.end),
            Scale::Logarithmic => inside.1.end,
        };
        let (top, bottom) = (end.min(zero), end.max(zero));
        let corners = [(sides.start, top), (sides.end, bottom)];
        if settled(mark) {
            drawing.root.draw(&Rectangle::new(corners, colour.filled()))?;
        } else {
            drawing.root.draw(&Rectangle::new(corners, theme.background().filled()))?;
            let [(x0, y0), (x1, y1)] = corners;
            let around = [(x0, y1), (x0, y0), (x1, y0), (x1, y1)];
            drawing.root.draw(&PathElement::new(around, colour.stroke_width(theme.line())))?;
        }
        let middle = (sides.start + sides.end) / 2;
        if drawing.figure.series.len() > 1 && bottom - top > 4 * theme.marker() {
            let at = (middle, bottom - 2 * theme.marker());
            let fill = if settled(mark) { theme.background() } else { colour };
            solid(drawing, marker_of(series.colour), at, fill)?;
        }
        if let Some((least, greatest)) = mark.y_range {
            let (low, high) = (place((mark.x, least)).1, place((mark.x, greatest)).1);
            let style = theme.text().stroke_width(theme.line().div_ceil(2));
            let cap = theme.marker();
            for path in [
                [(middle, low), (middle, high)],
                [(middle - cap, low), (middle + cap, low)],
                [(middle - cap, high), (middle + cap, high)],
            ] {
                drawing.root.draw(&PathElement::new(path, style))?;
            }
        }
    }
    Ok(())
}

/// Accepted traffic at saturation is what bars show, so saturated runs count.
fn settled(mark: &Mark) -> bool {
    matches!(mark.condition, Condition::Steady | Condition::Saturated)
}

/// Left and right edge of a bar: the series share the middle seven tenths of a category.
fn bar_sides(figure: &Figure, index: usize, mark: &Mark, place: &Place) -> Range<i32> {
    let width = 0.7 / figure.series.len() as f64;
    let left = mark.x - 0.35 + width * index as f64;
    let gap = if figure.series.len() > 1 { width * 0.06 } else { 0.0 };
    place((left + gap, 0.0)).0..place((left + width - gap, 0.0)).0
}

/// The marker of a series on its bar, in the colour of the background.
pub(super) fn bar_sign(drawing: &Drawing, colour: usize, at: (i32, i32)) -> Done {
    let theme = drawing.style.theme;
    solid(drawing, marker_of(colour), at, theme.background())
}

/// A line through marks.
fn line(
    drawing: &Drawing,
    series: &Series,
    marks: &[Mark],
    inside: &Inside,
    place: &Place,
) -> Done {
    if drawing.style.zoom.is_none() {
        return path(drawing, series, marks.iter().map(|mark| at(mark, inside, place)).collect());
    }
    let points: Vec<_> = marks.iter().map(|mark| place((mark.x, mark.y))).collect();
    for part in clip::inside(&points, inside) {
        path(drawing, series, part)?;
    }
    Ok(())
}

/// A line in the colour of a series, dashed if the series is.
pub(super) fn path(drawing: &Drawing, series: &Series, points: Vec<(i32, i32)>) -> Done {
    let theme = drawing.style.theme;
    let style = theme.colour(series.colour).stroke_width(theme.line());
    if series.dashed {
        let dash = theme.line() as i32 * 4;
        let dashes = DashedPathElement::new(points, dash, dash * 3 / 4, style);
        drawing.root.draw(&dashes)
    } else {
        drawing.root.draw(&PathElement::new(points, style))
    }
}

/// A marker, filled or hollow.
pub(super) fn marker(drawing: &Drawing, colour: usize, at: (i32, i32), filled: bool) -> Done {
    let theme = drawing.style.theme;
    let fill = if filled { theme.colour(colour) } else { theme.background() };
    let edge = theme.colour(colour).stroke_width(theme.line());
    solid(drawing, marker_of(colour), at, fill)?;
    match outline(marker_of(colour), at, theme.marker()) {
        Some(mut corners) => {
            corners.extend_from_within(..2);
            drawing.root.draw(&PathElement::new(corners, edge))
        }
        None => drawing.root.draw(&Circle::new(at, theme.marker(), edge)),
    }
}

fn solid(drawing: &Drawing, marker: Marker, at: (i32, i32), fill: RGBColor) -> Done {
    let r = drawing.style.theme.marker();
    match outline(marker, at, r) {
        Some(corners) => drawing.root.draw(&Polygon::new(corners, fill.filled())),
        None => drawing.root.draw(&Circle::new(at, r, fill.filled())),
    }
}

/// The corners of a marker; a circle has none.
fn outline(marker: Marker, (x, y): (i32, i32), r: i32) -> Option<Vec<(i32, i32)>> {
    match marker {
        Marker::Circle => None,
        Marker::Square => {
            Some(vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)])
        }
        Marker::Triangle => Some(vec![(x, y - r - 1), (x + r + 1, y + r), (x - r - 1, y + r)]),
        Marker::Diamond => {
            Some(vec![(x, y - r - 2), (x + r + 2, y), (x, y + r + 2), (x - r - 2, y)])
        }
        Marker::TriangleDown => Some(vec![(x, y + r + 1), (x + r + 1, y - r), (x - r - 1, y - r)]),
    }
}

/// An arrow above a marker: its value is beyond the axis.
fn arrow(drawing: &Drawing, colour: usize, (x, y): (i32, i32)) -> Done {
    let theme = drawing.style.theme;
    let (r, top) = (theme.marker(), y - 3 * theme.marker());
    let style = theme.colour(colour).stroke_width(theme.line().div_ceil(2));
    for path in [
        vec![(x, y - r), (x, top)],
        vec![(x - r / 2 - 1, top + r / 2 + 1), (x, top), (x + r / 2 + 1, top + r / 2 + 1)],
    ] {
        drawing.root.draw(&PathElement::new(path, style))?;
    }
    Ok(())
}
