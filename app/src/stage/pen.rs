//! What is to be seen, as a list of numbers: signs, each with its arguments. `app/static/draw.js`
//! draws it, on the canvas and on sheets of its size which keep what seldom changes.

use super::camera::Camera;
use super::inks::Ink;
use crate::layout::Point;

/// What a number says; `draw.js` has them in the same order.
#[derive(Debug, Clone, Copy)]
enum Sign {
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

/// What is drawn on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sheet {
    /// What is seen. It starts as the stage's ground, the others as nothing.
    Canvas,
    /// What stands.
    Still,
    /// What lies over what moves.
    Over,
    /// What moves, where it is to be seen through.
    Moving,
}

/// Records. All lengths are stage units between [`Pen::on`] and the next; what is out of view is
/// left out.
#[derive(Debug, Default)]
pub struct Pen {
    /// Signs and arguments.
    pub numbers: Vec<f32>,
    /// The words of the texts, in their order.
    pub texts: Vec<String>,
    camera: Camera,
}

impl Pen {
    /// A new list, for a canvas of so many CSS pixels at so many device pixels each.
    pub fn begin(&mut self, [width, height]: Point, ratio: f32) {
        self.numbers.clear();
        self.texts.clear();
        let device = |size: f32| (size * ratio).round().max(1.0);
        self.put(Sign::Size, &[device(width), device(height)]);
    }

    /// Empties a sheet; from here on it is drawn on, as the camera sees it.
    pub fn on(&mut self, sheet: Sheet, camera: &Camera, ratio: f32) {
        self.camera = *camera;
        let [x, y] = camera.to_screen([0.0, 0.0]);
        self.put(Sign::On, &[f32::from(sheet as u8), camera.scale * ratio, x * ratio, y * ratio]);
    }

    /// Lays a sheet, drawn for one view, where another view has it; 1 is opaque.
    pub fn show(&mut self, sheet: Sheet, [drawn, seen]: [&Camera; 2], ratio: f32, alpha: f32) {
        let [x, y] =
            if drawn == seen { [0.0; 2] } else { seen.to_screen(drawn.to_stage([0.0, 0.0])) };
        let scale = seen.scale / drawn.scale;
        self.put(Sign::Show, &[f32::from(sheet as u8), scale, x * ratio, y * ratio, alpha]);
    }

    /// Starts a path.
    pub fn path(&mut self) {
        self.put(Sign::Path, &[]);
    }

    /// Adds a line to the path.
    pub fn line(&mut self, a: Point, b: Point) {
        if self.camera.sees(a, b) {
            self.put(Sign::Line, &[a[0], a[1], b[0], b[1]]);
        }
    }

    /// Adds a circle.
    pub fn circle(&mut self, [x, y]: Point, radius: f32) {
        if self.camera.sees([x - radius, y - radius], [x + radius, y + radius]) {
            self.put(Sign::Circle, &[x, y, radius]);
        }
    }

    /// Adds a rounded box around a point.
    pub fn boxed(&mut self, [x, y]: Point, half: Point, round: f32) {
        let (left, top) = (x - half[0], y - half[1]);
        if self.camera.sees([left, top], [x + half[0], y + half[1]]) {
            self.put(Sign::Box, &[left, top, 2.0 * half[0], 2.0 * half[1], round]);
        }
    }

    /// Adds a rounded square around a point.
    pub fn square(&mut self, at: Point, half: f32, round: f32) {
        self.boxed(at, [half, half], round);
    }

    /// Adds a polygon.
    pub fn polygon(&mut self, corners: &[Point]) {
        if self.sees(corners) {
            self.put(Sign::Polygon, &[corners.len() as f32]);
            self.numbers.extend(corners.as_flattened());
        }
    }

    /// Adds a curve towards a point and on to another.
    pub fn curve(&mut self, from: Point, by: Point, to: Point) {
        if self.sees(&[from, by, to]) {
            self.put(Sign::Curve, &[from[0], from[1], by[0], by[1], to[0], to[1]]);
        }
    }

    /// Adds a part of a disc, clockwise from the top; 1 is all of it.
    pub fn sector(&mut self, [x, y]: Point, radius: f32, part: f32) {
        if self.camera.sees([x - radius, y - radius], [x + radius, y + radius]) {
            self.put(Sign::Sector, &[x, y, radius, part]);
        }
    }

    /// Adds an arrow head of this length and half width.
    pub fn arrow(&mut self, tip: Point, [ux, uy]: Point, [length, half]: [f32; 2]) {
        let back = [tip[0] - ux * length, tip[1] - uy * length];
        let [ox, oy] = [-uy * half, ux * half];
        self.polygon(&[tip, [back[0] + ox, back[1] + oy], [back[0] - ox, back[1] - oy]]);
    }

    /// Adds a square on its corner.
    pub fn diamond(&mut self, [x, y]: Point, half: f32) {
        self.polygon(&[[x, y - half], [x + half, y], [x, y + half], [x - half, y]]);
    }

    /// Strokes the path.
    pub fn stroke(&mut self, ink: Ink, width: f32) {
        self.put(Sign::Stroke, &[ink.number(), width]);
    }

    /// Fills the path.
    pub fn fill(&mut self, ink: Ink) {
        self.put(Sign::Fill, &[ink.number()]);
    }

    /// How opaque what follows is.
    pub fn alpha(&mut self, alpha: f32) {
        self.put(Sign::Alpha, &[alpha]);
    }

    /// Dashes of the next strokes; none for whole lines.
    pub fn dash(&mut self, lengths: &[f32]) {
        self.put(Sign::Dash, &[lengths.len() as f32]);
        self.numbers.extend(lengths);
    }

    /// Whether the next strokes end round.
    pub fn round_ends(&mut self, round: bool) {
        self.put(Sign::Cap, &[f32::from(u8::from(round))]);
    }

    /// Words around a point, in letters of this weight and size, with an edge of some ink and
    /// width.
    pub fn letters(
        &mut self,
        ink: Ink,
        [x, y]: Point,
        words: &str,
        font: [f32; 2],
        edge: Option<(Ink, f32)>,
    ) {
        // No letter is wider than it is high.
        let half = words.len() as f32 * font[1] / 2.0;
        if !self.camera.sees([x - half, y], [x + half, y]) {
            return;
        }
        let (edge, width) = edge.unwrap_or((ink, 0.0));
        self.put(Sign::Text, &[ink.number(), x, y, font[0], font[1], edge.number(), width]);
        self.texts.push(words.to_owned());
    }

    /// Whether something within these corners may be in view.
    fn sees(&self, corners: &[Point]) -> bool {
        let end = |pick: fn(f32, f32) -> f32| {
            corners.iter().copied().reduce(|a, b| [pick(a[0], b[0]), pick(a[1], b[1])])
        };
        end(f32::min).zip(end(f32::max)).is_some_and(|(least, most)| self.camera.sees(least, most))
    }

    fn put(&mut self, sign: Sign, arguments: &[f32]) {
        self.numbers.push(f32::from(sign as u8));
        self.numbers.extend(arguments);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_who_draws_knows_the_same_signs() {
        use Sign as S;
        let ours = [
            S::Size,
            S::On,
            S::Show,
            S::Path,
            S::Line,
            S::Circle,
            S::Box,
            S::Polygon,
            S::Curve,
            S::Sector,
            S::Stroke,
            S::Fill,
            S::Alpha,
            S::Dash,
            S::Cap,
            S::Text,
        ];
        let ours: Vec<String> =
            ours.iter().map(|sign| format!("{sign:?}").to_uppercase()).collect();
        let script = include_str!("../../static/draw.js");
        let (_, rest) = script.split_once("const [").expect("the signs");
        let (theirs, _) = rest.split_once(']').expect("their end");
        assert_eq!(
            theirs.split(',').map(str::trim).filter(|s| !s.is_empty()).collect::<Vec<_>>(),
            ours
        );
    }

    #[test]
    fn what_is_out_of_view_is_left_out() {
        let camera = Camera { centre: [0.0, 0.0], scale: 1.0, size: [100.0, 100.0] };
        let mut pen = Pen::default();
        pen.on(Sheet::Still, &camera, 1.0);
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
        // A curve may come by whose ends are far away.
        pen.curve([-300.0, 200.0], [0.0, -300.0], [300.0, 200.0]);
        assert_eq!(pen.numbers.len() - start, 5 + 4 + 6 + 8 + 7 + 8 + 7);
    }

    #[test]
    fn a_sheet_lies_where_the_new_view_has_it() {
        let drawn = Camera { centre: [0.0, 0.0], scale: 1.0, size: [100.0, 100.0] };
        let seen = Camera { centre: [10.0, 0.0], scale: 2.0, ..drawn };
        let mut pen = Pen::default();
        pen.show(Sheet::Still, [&drawn, &seen], 2.0, 1.0);
        // What was at the left end of the sheet, stage point -50, is at -70 pixels now.
        assert_eq!(pen.numbers, [2.0, 1.0, 2.0, -140.0, -100.0, 1.0]);
        pen.begin([100.4, 50.0], 1.5);
        assert_eq!(pen.numbers, [0.0, 151.0, 75.0]);
    }
}
