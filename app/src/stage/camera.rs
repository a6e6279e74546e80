//! The view of the stage: the mapping between stage units and CSS pixels, zoom, pan and culling.

use crate::layout::Point;

const MIN_SCALE: f32 = 0.02;
const MAX_SCALE: f32 = 6.0;
/// Shapes whose points lie this far outside the view may still reach into it with their lines:
/// a margin in stage units, and the same number of pixels on top.
const SEEN_BESIDE: f32 = 10.0;

/// A view of the stage; screen points are CSS pixels from the canvas's corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The stage point in the middle of the canvas.
    pub centre: Point,
    /// CSS pixels per stage unit.
    pub scale: f32,
    /// Width and height of the canvas, CSS pixels.
    pub size: Point,
}

impl Default for Camera {
    fn default() -> Camera {
        Camera { centre: [0.0, 0.0], scale: 1.0, size: [800.0, 600.0] }
    }
}

impl Camera {
    /// The screen point of a stage point.
    pub fn to_screen(&self, [x, y]: Point) -> Point {
        [
            (x - self.centre[0]) * self.scale + self.size[0] / 2.0,
            (y - self.centre[1]) * self.scale + self.size[1] / 2.0,
        ]
    }

    /// The stage point of a screen point.
    pub fn to_stage(&self, [x, y]: Point) -> Point {
        [
            (x - self.size[0] / 2.0) / self.scale + self.centre[0],
            (y - self.size[1] / 2.0) / self.scale + self.centre[1],
        ]
    }

    /// True if the box with these opposite corners may be visible, with room for line widths.
    pub fn sees(&self, a: Point, b: Point) -> bool {
        let edge = SEEN_BESIDE + SEEN_BESIDE / self.scale;
        (0..2).all(|i| {
            let half = self.size[i] / 2.0 / self.scale + edge;
            a[i].min(b[i]) < self.centre[i] + half && a[i].max(b[i]) > self.centre[i] - half
        })
    }

    /// Zooms by a factor. The stage point under the screen point `around` stays in place.
    pub fn zoom(&mut self, factor: f32, around: Point) {
        let held = self.to_stage(around);
        self.scale = (self.scale * factor).clamp(MIN_SCALE, MAX_SCALE);
        let now = self.to_stage(around);
        self.centre = [self.centre[0] + held[0] - now[0], self.centre[1] + held[1] - now[1]];
    }

    /// True if another view has the same size and nearly the same scale, so that a layer drawn for
    /// it can be shown in this view.
    pub fn is_near(&self, other: &Camera) -> bool {
        let ratio = self.scale / other.scale;
        self.size == other.size && (0.4..2.5).contains(&ratio)
    }

    /// Moves the stage by screen pixels.
    pub fn pan(&mut self, [dx, dy]: Point) {
        self.centre = [self.centre[0] - dx / self.scale, self.centre[1] - dy / self.scale];
    }

    /// Pans as little as needed to bring a stage point well within the screen. Returns whether the
    /// view moved.
    pub fn bring_into_view(&mut self, point: Point) -> bool {
        let at = self.to_screen(point);
        let by = [0, 1].map(|i| {
            let margin = (self.size[i] / 4.0).min(90.0);
            at[i].clamp(margin, self.size[i] - margin) - at[i]
        });
        self.pan(by);
        by != [0.0, 0.0]
    }

    /// Shows a box (left, top, right, bottom) with margins in pixels, in the same order.
    pub fn fit(&mut self, bounds: [f32; 4], margin: [f32; 4]) {
        let room = [
            (self.size[0] - margin[0] - margin[2]).max(50.0),
            (self.size[1] - margin[1] - margin[3]).max(50.0),
        ];
        let (width, height) = ((bounds[2] - bounds[0]).max(1.0), (bounds[3] - bounds[1]).max(1.0));
        self.scale = (room[0] / width).min(room[1] / height).clamp(MIN_SCALE, 1.6);
        self.centre = [
            (bounds[0] + bounds[2]) / 2.0 + (margin[2] - margin[0]) / 2.0 / self.scale,
            (bounds[1] + bounds[3]) / 2.0 + (margin[3] - margin[1]) / 2.0 / self.scale,
        ];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Point, b: Point) -> bool {
        (a[0] - b[0]).abs() + (a[1] - b[1]).abs() < 0.01
    }

    #[test]
    fn screen_and_stage_points_convert_both_ways() {
        let mut camera = Camera { centre: [30.0, -20.0], scale: 1.7, size: [640.0, 480.0] };
        assert!(close(camera.to_stage(camera.to_screen([5.0, 6.0])), [5.0, 6.0]));
        let held = camera.to_stage([100.0, 100.0]);
        camera.zoom(1.5, [100.0, 100.0]);
        assert!(close(camera.to_stage([100.0, 100.0]), held));
        let before = Camera { scale: 1.6, ..camera };
        assert!(camera.is_near(&before) && !camera.is_near(&Camera { scale: 0.5, ..camera }));
        camera.pan([10.0, -4.0]);
        assert!(close(camera.to_stage([110.0, 96.0]), held));
    }

    #[test]
    fn a_box_that_crosses_the_view_is_seen() {
        let camera = Camera { centre: [100.0, 0.0], scale: 2.0, size: [200.0, 100.0] };
        assert!(camera.sees([0.0, 0.0], [300.0, 0.0]) && camera.sees([160.0, 20.0], [400.0, 20.0]));
        assert!(
            !camera.sees([0.0, -60.0], [300.0, -50.0]) && !camera.sees([170.0, 0.0], [180.0, 0.0])
        );
    }

    #[test]
    fn a_point_out_of_view_is_brought_into_it() {
        let mut camera = Camera { size: [640.0, 480.0], ..Camera::default() };
        assert!(!camera.bring_into_view([100.0, -50.0]));
        assert!(camera.bring_into_view([900.0, 0.0]));
        assert!(close(camera.to_screen([900.0, 0.0]), [550.0, 240.0]));
    }

    #[test]
    fn a_fitted_box_lies_within_the_margins() {
        let mut camera = Camera { size: [900.0, 500.0], ..Camera::default() };
        camera.fit([0.0, 0.0, 2000.0, 100.0], [40.0, 10.0, 80.0, 10.0]);
        assert!(close([camera.to_screen([0.0, 0.0])[0], 0.0], [40.0, 0.0]));
        assert!(close([camera.to_screen([2000.0, 0.0])[0], 0.0], [820.0, 0.0]));
    }
}
