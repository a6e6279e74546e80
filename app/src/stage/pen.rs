//! Records drawing commands as a list of numbers that `app/static/draw.js` draws.
//!
//! A command is its [`Command`] number and its arguments. The list draws on the canvas and on
//! layers of the same size, which keep what seldom changes. [`Pen`] leaves out shapes that are out
//! of view.

use super::camera::Camera;
use super::inks::Ink;
use super::picture::Lane;
use crate::layout::Point;

/// A drawing command; `draw.js` lists them in the same order.
#[derive(Debug, Clone, Copy)]
enum Command {
    Size,
    On,
    Show,
    Path,
    Line,
    Circle,
    Box,
    Polygon,
    Curve,
    Sector,
    Stroke,
    Fill,
    Alpha,
    Dash,
    Cap,
    Text,
}

/// A drawing surface. The canvas starts in the background colour, the others transparent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The visible canvas.
    Canvas,
    /// The network.
    Still,
    /// Names and overlays about routes, which lie over the messages.
    Over,
    /// The messages, where they are drawn faintly.
    Moving,
}

/// The recorder. Positions and lengths are in stage units after [`Pen::on`] and until the next call
/// of it.
#[derive(Debug, Default)]
pub struct Pen {
    /// Commands and their arguments.
    pub numbers: Vec<f32>,
    /// The texts of the `Text` commands, in order.
    pub texts: Vec<String>,
    camera: Camera,
}

impl Pen {
    /// Starts a new list for a canvas of this size, CSS pixels; `ratio` is device pixels per CSS
    /// pixel.
    pub fn begin(&mut self, [width, height]: Point, ratio: f32) {
        self.numbers.clear();
        self.texts.clear();
        let device = |size: f32| (size * ratio).round().max(1.0);
        self.put(Command::Size, &[device(width), device(height)]);
    }

    /// Clears a layer and draws on it from now on, in the view of the camera.
    pub fn on(&mut self, layer: Layer, camera: &Camera, ratio: f32) {
        self.camera = *camera;
        let [x, y] = camera.to_screen([0.0, 0.0]);
        self.put(
            Command::On,
            &[f32::from(layer as u8), camera.scale * ratio, x * ratio, y * ratio],
        );
    }

    /// Draws a layer, recorded for the view `drawn`, at its position in the view `seen`; alpha 1 is
    /// opaque.
    pub fn show(&mut self, layer: Layer, [drawn, seen]: [&Camera; 2], ratio: f32, alpha: f32) {
        let [x, y] =
            if drawn == seen { [0.0; 2] } else { seen.to_screen(drawn.to_stage([0.0, 0.0])) };
        let scale = seen.scale / drawn.scale;
        self.put(Command::Show, &[f32::from(layer as u8), scale, x * ratio, y * ratio, alpha]);
    }

    /// Starts a path.
    pub fn path(&mut self) {
        self.put(Command::Path, &[]);
    }

    /// Adds a line to the path.
    pub fn line(&mut self, a: Point, b: Point) {
        if self.camera.sees(a, b) {
            self.put(Command::Line, &[a[0], a[1], b[0], b[1]]);
        }
    }

    /// Adds the lines of a lane from one distance to another.
    pub fn lane(&mut self, lane: &Lane, from: f32, to: f32) {
        lane.lines(from, to).for_each(|(a, b)| self.line(a, b));
    }

    /// Adds a circle.
    pub fn circle(&mut self, [x, y]: Point, radius: f32) {
        if self.camera.sees([x - radius, y - radius], [x + radius, y + radius]) {
            self.put(Command::Circle, &[x, y, radius]);
        }
    }

    /// Adds a rounded box around a point.
    pub fn boxed(&mut self, [x, y]: Point, half: Point, round: f32) {
        let (left, top) = (x - half[0], y - half[1]);
        if self.camera.sees([left, top], [x + half[0], y + half[1]]) {
            self.put(Command::Box, &[left, top, 2.0 * half[0], 2.0 * half[1], round]);
        }
    }

    /// Adds a rounded square around a point.
    pub fn square(&mut self, at: Point, half: f32, round: f32) {
        self.boxed(at, [half, half], round);
    }

    /// Adds a polygon.
    pub fn polygon(&mut self, corners: &[Point]) {
        if self.sees(corners) {
            self.put(Command::Polygon, &[corners.len() as f32]);
            self.numbers.extend(corners.as_flattened());
        }
    }

    /// Adds a quadratic curve with the control point `by`.
    pub fn curve(&mut self, from: Point, by: Point, to: Point) {
        if self.sees(&[from, by, to]) {
            self.put(Command::Curve, &[from[0], from[1], by[0], by[1], to[0], to[1]]);
        }
    }

    /// Adds a sector of a disc, clockwise from the top; part 1 is the whole disc.
    pub fn sector(&mut self, [x, y]: Point, radius: f32, part: f32) {
        if self.camera.sees([x - radius, y - radius], [x + radius, y + radius]) {
            self.put(Command::Sector, &[x, y, radius, part]);
        }
    }

    /// Adds an arrow head of this length and half width.
    pub fn arrow(&mut self, tip: Point, [ux, uy]: Point, [length, half]: [f32; 2]) {
        let back = [tip[0] - ux * length, tip[1] - uy * length];
        let [ox, oy] = [-uy * half, ux * half];
        self.polygon(&[tip, [back[0] + ox, back[1] + oy], [back[0] - ox, back[1] - oy]]);
    }

    /// Adds a square that stands on a corner.
    pub fn diamond(&mut self, [x, y]: Point, half: f32) {
        self.polygon(&[[x, y - half], [x + half, y], [x, y + half], [x - half, y]]);
    }

    /// Strokes the path.
    pub fn stroke(&mut self, ink: Ink, width: f32) {
        self.put(Command::Stroke, &[ink.number(), width]);
    }

    /// Fills the path.
    pub fn fill(&mut self, ink: Ink) {
        self.put(Command::Fill, &[ink.number()]);
    }

    /// Sets the opacity of the next commands.
    pub fn alpha(&mut self, alpha: f32) {
        self.put(Command::Alpha, &[alpha]);
    }

    /// Sets the dashes of the next strokes; an empty list draws solid lines.
    pub fn dash(&mut self, lengths: &[f32]) {
        self.put(Command::Dash, &[lengths.len() as f32]);
        self.numbers.extend(lengths);
    }

    /// Sets whether the next strokes have round ends.
    pub fn round_ends(&mut self, round: bool) {
        self.put(Command::Cap, &[f32::from(u8::from(round))]);
    }

    /// Draws a text centred at a point. `font` is weight and size; `edge` is the colour and width
    /// of an outline.
    pub fn letters(
        &mut self,
        ink: Ink,
        [x, y]: Point,
        words: &str,
        font: [f32; 2],
        edge: Option<(Ink, f32)>,
    ) {
        // No letter is wider than the font size.
        let half = words.len() as f32 * font[1] / 2.0;
        if !self.camera.sees([x - half, y], [x + half, y]) {
            return;
        }
        let (edge, width) = edge.unwrap_or((ink, 0.0));
        self.put(Command::Text, &[ink.number(), x, y, font[0], font[1], edge.number(), width]);
        self.texts.push(words.to_owned());
    }

    /// True if a shape with these corners may be in view.
    fn sees(&self, corners: &[Point]) -> bool {
        let end = |pick: fn(f32, f32) -> f32| {
            corners.iter().copied().reduce(|a, b| [pick(a[0], b[0]), pick(a[1], b[1])])
        };
        end(f32::min).zip(end(f32::max)).is_some_and(|(least, most)| self.camera.sees(least, most))
    }

    fn put(&mut self, command: Command, arguments: &[f32]) {
        self.numbers.push(f32::from(command as u8));
        self.numbers.extend(arguments);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draw_js_lists_the_same_commands() {
        use Command as C;
        let ours = [
            C::Size,
            C::On,
            C::Show,
            C::Path,
            C::Line,
            C::Circle,
            C::Box,
            C::Polygon,
            C::Curve,
            C::Sector,
            C::Stroke,
            C::Fill,
            C::Alpha,
            C::Dash,
            C::Cap,
            C::Text,
        ];
        let ours: Vec<String> =
            ours.iter().map(|command| format!("{command:?}").to_uppercase()).collect();
        let script = include_str!("../../static/draw.js");
        let (_, rest) = script.split_once("const [").expect("the commands");
        let (theirs, _) = rest.split_once(']').expect("their end");
        assert_eq!(
            theirs.split(',').map(str::trim).filter(|s| !s.is_empty()).collect::<Vec<_>>(),
            ours
        );
    }

    #[test]
    fn shapes_out_of_view_are_left_out() {
        let camera = Camera { centre: [0.0, 0.0], scale: 1.0, size: [100.0, 100.0] };
        let mut pen = Pen::default();
        pen.on(Layer::Still, &camera, 1.0);
        let start = pen.numbers.len();
        for far in [200.0, 0.0] {
            assert_eq!(pen.numbers.len(), start);
            pen.line([far, far], [far + 9.0, far]);
            pen.circle([far, far], 20.0);
            pen.square([far, far], 20.0, 3.0);
            pen.polygon(&[[far, far], [far + 20.0, far], [far, far - 20.0]]);
            pen.curve([far, far], [far, far + 9.0], [far + 9.0, far + 9.0]);
            pen.letters(Ink::LABEL, [far, far], "far", [600.0, 12.0], None);
        }
        assert_eq!((pen.numbers.len() - start, pen.texts.len()), (5 + 4 + 6 + 8 + 7 + 8, 1));
        // A curve whose ends are out of view may cross it.
        pen.curve([-300.0, 200.0], [0.0, -300.0], [300.0, 200.0]);
        assert_eq!(pen.numbers.len() - start, 5 + 4 + 6 + 8 + 7 + 8 + 7);
    }

    #[test]
    fn a_layer_is_shown_at_its_position_in_the_new_view() {
        let drawn = Camera { centre: [0.0, 0.0], scale: 1.0, size: [100.0, 100.0] };
        let seen = Camera { centre: [10.0, 0.0], scale: 2.0, ..drawn };
        let mut pen = Pen::default();
        pen.show(Layer::Still, [&drawn, &seen], 2.0, 1.0);
        // The left edge of the layer, stage point -50, is at -70 pixels now.
        assert_eq!(pen.numbers, [2.0, 1.0, 2.0, -140.0, -100.0, 1.0]);
        pen.begin([100.4, 50.0], 1.5);
        assert_eq!(pen.numbers, [0.0, 151.0, 75.0]);
    }
}
