//! A canvas as one layer of the stage, sharp on any screen.

use super::camera::Camera;
use super::inks::Inks;
use crate::layout::Point;
use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// One layer.
pub struct Layer {
    canvas: HtmlCanvasElement,
    /// What draws on it, in stage units between [`Layer::begin`] and the next.
    pub context: CanvasRenderingContext2d,
    ratio: f64,
}

impl Layer {
    /// The layer that is this canvas.
    pub fn new(canvas: HtmlCanvasElement) -> Option<Layer> {
        let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        Some(Layer { canvas, context, ratio: 1.0 })
    }

    /// Takes a size in CSS pixels at so many device pixels each.
    pub fn resize(&mut self, [width, height]: Point, ratio: f64) {
        self.ratio = ratio;
        let device = |size: f32| (f64::from(size) * ratio).round().max(1.0) as u32;
        if (self.canvas.width(), self.canvas.height()) != (device(width), device(height)) {
            self.canvas.set_width(device(width));
            self.canvas.set_height(device(height));
        }
    }

    /// Empties the layer; from here on it is drawn on in stage units, as the camera sees them.
    pub fn begin(&self, camera: &Camera) {
        let context = &self.context;
        context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0).ok();
        context.clear_rect(0.0, 0.0, f64::from(self.canvas.width()), f64::from(self.canvas.height()));
        let scale = f64::from(camera.scale) * self.ratio;
        let [x, y] = camera.to_screen([0.0, 0.0]);
        context
            .set_transform(scale, 0.0, 0.0, scale, f64::from(x) * self.ratio, f64::from(y) * self.ratio)
            .ok();
        self.dash(&[]);
        context.set_global_alpha(1.0);
    }

    /// Shows what was drawn for one view where another view has it.
    pub fn move_drawn(&self, drawn: &Camera, seen: &Camera) {
        let scale = seen.scale / drawn.scale;
        let [x, y] = seen.to_screen(drawn.to_stage([0.0, 0.0]));
        let style = self.canvas.style();
        if drawn == seen {
            style.remove_property("transform").ok();
        } else {
            style.set_property("transform", &format!("translate({x}px, {y}px) scale({scale})")).ok();
        }
    }

    /// Starts a path.
    pub fn path(&self) -> &CanvasRenderingContext2d {
        self.context.begin_path();
        &self.context
    }

    /// Dashes of the next strokes, stage units; none for whole lines.
    pub fn dash(&self, lengths: &[f32]) {
        let list = Array::new();
        for &length in lengths {
            list.push(&f64::from(length).into());
        }
        self.context.set_line_dash(&list).ok();
    }
}

/// The layers over each other on the stage's ground, as a PNG file given to a function once it is made.
pub fn png(layers: &[Layer], inks: &Inks, done: &js_sys::Function) -> Option<()> {
    let first = layers.first()?;
    let (width, height) = (first.canvas.width(), first.canvas.height());
    let whole = first.canvas.owner_document()?.create_element("canvas").ok()?;
    let whole: HtmlCanvasElement = whole.dyn_into().ok()?;
    whole.set_width(width);
    whole.set_height(height);
    let context: CanvasRenderingContext2d = whole.get_context("2d").ok()??.dyn_into().ok()?;
    context.begin_path();
    context.rect(0.0, 0.0, f64::from(width), f64::from(height));
    super::inks::fill(&context, &inks.stage);
    for layer in layers {
        context.draw_image_with_html_canvas_element(&layer.canvas, 0.0, 0.0).ok()?;
    }
    whole.to_blob(done).ok()
}

/// Adds a line to a path.
pub fn line(context: &CanvasRenderingContext2d, a: Point, b: Point) {
    context.move_to(f64::from(a[0]), f64::from(a[1]));
    context.line_to(f64::from(b[0]), f64::from(b[1]));
}

/// Adds a circle to a path.
pub fn circle(context: &CanvasRenderingContext2d, [x, y]: Point, radius: f32) {
    let (x, y, radius) = (f64::from(x), f64::from(y), f64::from(radius));
    context.move_to(x + radius, y);
    context.arc(x, y, radius, 0.0, std::f64::consts::TAU).ok();
}

/// Adds a rounded square around a point to a path.
pub fn square(context: &CanvasRenderingContext2d, [x, y]: Point, half: f32, round: f32) {
    let side = f64::from(2.0 * half);
    context.round_rect_with_f64(f64::from(x - half), f64::from(y - half), side, side, f64::from(round)).ok();
}

/// Adds a polygon to a path.
pub fn polygon(context: &CanvasRenderingContext2d, corners: &[Point]) {
    for (i, [x, y]) in corners.iter().enumerate() {
        let (x, y) = (f64::from(*x), f64::from(*y));
        if i == 0 { context.move_to(x, y) } else { context.line_to(x, y) }
    }
    context.close_path();
}
