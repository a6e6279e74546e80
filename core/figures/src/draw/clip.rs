//! The parts of a line that are inside a frame.

use super::marks::Inside;

/// The parts of the line through `points` that are inside the frame, its edges included.
pub(super) fn inside(points: &[(i32, i32)], frame: &Inside) -> Vec<Vec<(i32, i32)>> {
    let mut parts: Vec<Vec<(i32, i32)>> = Vec::new();
    for pair in points.windows(2) {
        let Some((from, to)) = segment(pair[0], pair[1], frame) else { continue };
        match parts.last_mut() {
            Some(part) if part.last() == Some(&from) => part.push(to),
            _ => parts.push(vec![from, to]),
        }
    }
    parts
}

/// The part of a straight line that is inside (Liang and Barsky).
fn segment(a: (i32, i32), b: (i32, i32), frame: &Inside) -> Option<((i32, i32), (i32, i32))> {
    let (start, end) = ((f64::from(a.0), f64::from(a.1)), (f64::from(b.0), f64::from(b.1)));
    let (dx, dy) = (end.0 - start.0, end.1 - start.1);
    // Where on the way from a, 0, to b, 1, it is inside.
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (at, step, least, greatest) in
        [(start.0, dx, frame.0.start, frame.0.end), (start.1, dy, frame.1.start, frame.1.end)]
    {
        let (least, greatest) = (f64::from(least) - at, f64::from(greatest) - at);
        if step == 0.0 {
            if least > 0.0 || greatest < 0.0 {
                return None;
            }
        } else {
            let (enters, leaves) = (least / step, greatest / step);
            first = first.max(enters.min(leaves));
            last = last.min(enters.max(leaves));
        }
    }
    let at =
        |share: f64| ((start.0 + share * dx).round() as i32, (start.1 + share * dy).round() as i32);
    (first <= last).then(|| (at(first), at(last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_they_leave_the_frame() {
        let frame = (0..100, 0..50);
        let inside_only = [(10, 10), (50, 40), (90, 10)];
        assert_eq!(inside(&inside_only, &frame), [inside_only.to_vec()]);
        // Out above and in again; beside it all the way.
        let leaves = [(0, 25), (50, -25), (100, 25)];
        assert_eq!(inside(&leaves, &frame), [vec![(0, 25), (25, 0)], vec![(75, 0), (100, 25)]]);
        assert!(inside(&[(-10, 60), (200, 60)], &frame).is_empty());
        assert_eq!(inside(&[(-50, 20), (150, 20)], &frame), [[(0, 20), (100, 20)]]);
        assert!(inside(&[(i32::MIN, i32::MIN), (i32::MIN, i32::MAX)], &frame).is_empty());
    }
}
