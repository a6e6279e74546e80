//! Parts of a figure: from places on the drawing to values on its axes.

use crate::protocol::study::DrawnStudy;
use hopscope_figures::Zoom;

/// A part has at least this width and height, pixels of the drawing.
const LEAST: f64 = 8.0;

/// A place on the drawing, pixels from its left and its top.
pub type Place = (f64, f64);

/// The part between two places. `None` if it is too small, or the figure has no parts.
pub fn between(drawn: &DrawnStudy, a: Place, b: Place) -> Option<Zoom> {
    let plot = drawn.plot?;
    let x = ends(a.0, b.0, plot.left_right)?;
    let y = ends(a.1, b.1, plot.top_bottom)?;
    let [log_x, log_y] = drawn.logarithmic;
    let across = |share| value(share, plot.values.x, log_x);
    // The top of the plot is the greatest value.
    let up = |share: f64| value(1.0 - share, plot.values.y, log_y);
    Some(Zoom { x: (across(x.0), across(x.1)), y: (up(y.1), up(y.0)) })
}

/// The middle of what is shown, half as wide and high.
pub fn closer(drawn: &DrawnStudy) -> Option<Zoom> {
    let plot = drawn.plot?;
    let at = |(start, end): (i32, i32), share| {
        f64::from(start) + share * (f64::from(end) - f64::from(start))
    };
    let place = |share| (at(plot.left_right, share), at(plot.top_bottom, share));
    between(drawn, place(0.25), place(0.75))
}

/// Where two places are between the sides of the plot, 0 to 1, the lesser first.
fn ends(a: f64, b: f64, (start, end): (i32, i32)) -> Option<(f64, f64)> {
    let (start, end) = (f64::from(start), f64::from(end));
    let (a, b) = (a.clamp(start, end), b.clamp(start, end));
    let share = |at: f64| (at - start) / (end - start);
    ((a - b).abs() >= LEAST).then(|| (share(a.min(b)), share(a.max(b))))
}

/// The value at a share of an axis.
fn value(share: f64, (least, greatest): (f64, f64), logarithmic: bool) -> f64 {
    if logarithmic {
        least * (greatest / least).powf(share)
    } else {
        least + share * (greatest - least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_figures::Plot;

    #[test]
    fn a_part_has_the_values_at_its_corners() {
        let plot = Plot {
            left_right: (100, 300),
            top_bottom: (50, 150),
            values: Zoom { x: (0.0, 20.0), y: (1.0, 100.0) },
        };
        let drawn =
            DrawnStudy { plot: Some(plot), logarithmic: [false, true], ..DrawnStudy::default() };
        // From any corner to the other, and from beyond the frame.
        for (a, b) in [((150.0, 50.0), (200.0, 100.0)), ((200.0, 0.0), (150.0, 100.0))] {
            let Zoom { x, y } = between(&drawn, a, b).expect("a part");
            assert_eq!(x, (5.0, 10.0));
            assert!((y.0 - 10.0).abs() < 1e-9 && (y.1 - 100.0).abs() < 1e-9, "{y:?}");
        }
        assert_eq!(between(&drawn, (150.0, 50.0), (153.0, 100.0)), None);
        assert_eq!(closer(&drawn).expect("a part").x, (5.0, 15.0));
        let without = DrawnStudy { plot: None, ..drawn };
        assert_eq!(closer(&without), None);
    }
}
