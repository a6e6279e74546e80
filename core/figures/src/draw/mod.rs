//! Draws a figure with plotters, which places axes and values and writes the SVG.
//!
//! Text is never measured: that needs a browser in WebAssembly, and would make page and command
//! line differ. The space of legend and labels follows from the number of characters.

mod clip;
mod coordinates;
mod labels;
mod legend;
mod marks;
mod range;

use crate::figure::Figure;
use crate::messages;
use crate::theme::{Style, Zoom};
use coordinates::Coordinates;
use hopscope_core::message::Message;
use labels::{Labels, Margins};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A drawn figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// An SVG document, with the figure as JSON in its `<metadata>`.
    pub svg: String,
    /// Where the marks are.
    pub positions: Vec<Position>,
    /// Where the plot is.
    pub plot: Plot,
}

/// The plot of a drawing, without axes and texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// Pixels from the left, of its left and right side.
    pub left_right: (i32, i32),
    /// Pixels from the top, of its upper and lower side.
    pub top_bottom: (i32, i32),
    /// The values at its sides.
    pub values: Zoom,
}

/// Where a mark is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// Index of the series.
    pub series: usize,
    /// Index of the mark in it.
    pub mark: usize,
    /// Pixels from the left.
    pub x: i32,
    /// Pixels from the top.
    pub y: i32,
}

/// Names of categories with fewer characters than this are not worth shortening.
const LEAST_NAME: usize = 6;

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// What drawing an SVG into memory can meet: nothing.
type Done<T = ()> =
    Result<T, DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

impl Figure {
    /// What the reader has to know to read the drawing: the notes of its legend.
    pub fn legend_notes(&self) -> Vec<Message> {
        let outside = marks::any_outside(self).then(messages::outside_note);
        self.notes.iter().cloned().chain(outside).collect()
    }

    /// Draws the figure. `words` says a message in the language wanted; `Message::to_string` says
    /// it in English.
    pub fn draw(&self, style: &Style, words: &dyn Fn(&Message) -> String) -> Drawn {
        let mut svg = String::new();
        let (positions, plot) = {
            let size = (style.width, style.height);
            let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            let drawn = Drawing { figure: self, style, words, root: &root }.draw();
            root.present().and(drawn).expect("a drawing in memory does not fail")
        };
        let svg = if style.plain { svg } else { self.described(&svg, words) };
        Drawn { svg, positions, plot }
    }

    /// The SVG with what screen readers say and programs read.
    fn described(&self, svg: &str, words: &dyn Fn(&Message) -> String) -> String {
        let (open, rest) = svg.split_once('>').expect("an SVG begins with a tag");
        let (title, from) = (escaped(&self.title), escaped(&self.origin(words)));
        let data = serde_json::to_string(self).expect("plain data has a JSON form");
        let mut described = format!("{open} role=\"img\">\n<title>{title}</title>\n");
        let _ =
            write!(described, "<desc>{from}</desc>\n<metadata>{}</metadata>{rest}", escaped(&data));
        described
    }

    /// Scenario, version, seed and fingerprint.
    fn origin(&self, words: &dyn Fn(&Message) -> String) -> String {
        let from = &self.provenance;
        words(&messages::provenance(
            &from.scenario,
            &from.version,
            from.seeds_text(),
            &from.fingerprint,
        ))
    }
}

/// Text as the content of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A figure being drawn.
struct Drawing<'a, 'b> {
    figure: &'a Figure,
    style: &'a Style,
    words: &'a dyn Fn(&Message) -> String,
    root: &'a Area<'b>,
}

impl Drawing<'_, '_> {
    fn draw(&self) -> Done<(Vec<Position>, Plot)> {
        self.root.fill(&self.style.theme.background())?;
        let (x, y) = match self.style.zoom {
            Some(Zoom { x, y }) => (x.0..x.1, y.0..y.1),
            None => range::of(self.figure),
        };
        let values = Zoom { x: (x.start, x.end), y: (y.start, y.end) };
        let x = Coordinates::new(self.figure.x.scale, x);
        let y = Coordinates::new(self.figure.y.scale, y);
        let Style { theme, plain, .. } = *self.style;
        let words = self.words;
        let font = theme.font();
        let legend = legend::of(self);
        let has_categories = !self.figure.x.categories.is_empty();
        let origin = self.origin();
        let margins = Margins {
            left: if plain { 0 } else { font / 2 },
            top: if plain { font * 2 / 3 } else { font * 4 },
            right: if plain { font * 2 } else { legend.width },
            bottom: if plain { 0 } else { font * (1 + origin.len() as u32) },
            below: if plain { font * 3 } else { font * 7 / 2 },
            beside: if plain { font * 4 } else { font * 6 },
        };
        let labels = Labels::of(self, &margins);
        let mut chart = ChartBuilder::on(self.root)
            .margin_left(margins.left)
            .margin_top(margins.top)
            .margin_right(margins.right)
            .margin_bottom(margins.bottom)
            .x_label_area_size(margins.below + labels.more(&labels.x))
            .y_label_area_size(margins.beside + labels.more(&labels.y))
            .build_cartesian_2d(x, y)?;
        let label = self.text(font, 0);
        let format = |value: &f64| words(&messages::axis_number(range::number(*value)));
        let nothing = |_: &f64| String::new();
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT)
            .bold_line_style(theme.grid())
            .axis_style(theme.text())
            .label_style(label.clone())
            .axis_desc_style(label)
            .x_labels((self.style.width as usize / if plain { 90 } else { 60 }).clamp(3, 10))
            .y_labels(if plain { 4 } else { 8 })
            .x_label_formatter(&format)
            .y_label_formatter(&format);
        // Labels of several lines are drawn below.
        if let [line] = &*labels.x {
            mesh.x_desc(line);
        }
        if let [line] = &*labels.y {
            mesh.y_desc(line);
        }
        if has_categories {
            mesh.disable_x_mesh()
                .x_label_formatter(&nothing)
                .set_tick_mark_size(LabelAreaPosition::Bottom, 0);
        }
        mesh.draw()?;
        let inside = chart.plotting_area().get_pixel_range();
        let place = |at: (f64, f64)| chart.backend_coord(&at);
        let positions = marks::draw(self, &inside, &place)?;
        if has_categories {
            self.categories(&inside, &place)?;
        }
        labels.draw(self, &margins, &inside)?;
        legend.draw(self, inside.0.end)?;
        if !plain {
            self.texts(&origin)?;
        }
        let (across, down) = inside;
        let plot = Plot {
            left_right: (across.start, across.end),
            top_bottom: (down.start, down.end),
            values,
        };
        Ok((positions, plot))
    }

    /// The names of categories, below the middle of each; their numbers where names do not fit.
    fn categories(&self, inside: &marks::Inside, place: &dyn Fn((f64, f64)) -> (i32, i32)) -> Done {
        let font = self.style.theme.font();
        let below = self.text(font, 0).pos(Pos::new(HPos::Center, VPos::Top));
        let count = self.figure.x.categories.len();
        let width = (inside.0.end - inside.0.start) as usize / count.max(1);
        let most = width * 17 / (font as usize * 10);
        let step = if most < LEAST_NAME { (2 * font as usize).div_ceil(width.max(1)) } else { 1 };
        for (i, name) in self.figure.x.categories.iter().enumerate().step_by(step) {
            let (x, _) = place((i as f64, 0.0));
            let shown = match legend::shortened(name, most.max(LEAST_NAME)) {
                shown if most < LEAST_NAME && shown != *name => (i + 1).to_string(),
                shown => shown,
            };
            self.root.draw_text(&shown, &below, (x, inside.1.end + font as i32 / 2))?;
        }
        Ok(())
    }

    /// The lines of the origin.
    fn origin(&self) -> Vec<String> {
        let font = self.style.theme.font();
        let most = (self.style.width - font) * 2 / (font * 3 / 4);
        legend::wrapped(&self.figure.origin(self.words), most as usize)
    }

    /// Title and origin.
    fn texts(&self, origin: &[String]) -> Done {
        let Style { theme, width, height, .. } = *self.style;
        let (font, middle) = (theme.font(), width as i32 / 2);
        let title = self.text(font * 5 / 4, 0).pos(Pos::new(HPos::Center, VPos::Top));
        let title = TextStyle { font: title.font.style(FontStyle::Bold), ..title };
        let most = width as usize * 3 / 2 / font as usize;
        let shown = legend::shortened(&self.figure.title, most);
        self.root.draw_text(&shown, &title, (middle, font as i32))?;
        let small = self.text(font * 3 / 4, 30).pos(Pos::new(HPos::Left, VPos::Bottom));
        let mut at = (font as i32 / 2, height as i32 - font as i32 / 2);
        for line in origin.iter().rev() {
            self.root.draw_text(line, &small, at)?;
            at.1 -= font as i32;
        }
        Ok(())
    }

    /// Text of a height in pixels, paler by `pale` percent.
    fn text(&self, height: u32, pale: u32) -> TextStyle<'static> {
        // plotters writes the size divided by this.
        let size = f64::from(height) * 1.24;
        let colour = self.style.theme.text().mix(1.0 - f64::from(pale) / 100.0);
        let mut style = TextStyle::from(("sans-serif", size).into_font());
        style.color = colour.to_backend_color();
        style
    }
}

#[cfg(test)]
mod tests;
