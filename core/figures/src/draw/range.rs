//! What axes reach from and to.

use crate::figure::{Figure, Mark, Scale, Shape};
use std::ops::Range;

/// A mark that is not steady may be so many times as high as the highest steady one; beyond, it is
/// drawn at the edge.
fn beyond(scale: Scale) -> f64 {
    if scale == Scale::Linear { 2.0 } else { 20.0 }
}

/// Least and greatest values of both axes.
pub(super) fn of(figure: &Figure) -> (Range<f64>, Range<f64>) {
    let marks: Vec<&Mark> = figure.series.iter().flat_map(|series| &series.marks).collect();
    // Over time, what is not steady is what the figure shows.
    let only_lines = figure.series.iter().all(|series| series.shape == Shape::Line);
    let x = if figure.x.categories.is_empty() {
        let values = marks.iter().flat_map(|mark| [mark.x, mark.x_range.map_or(mark.x, |r| r.1)]);
        let values: Vec<f64> = values.collect();
        if only_lines {
            // Lines begin and end at the frame.
            let least = values.iter().copied().reduce(f64::min).unwrap_or(0.0);
            let greatest = values.iter().copied().reduce(f64::max).unwrap_or(1.0);
            let start =
                if figure.x.scale == Scale::Linear && least < greatest / 4.0 { 0.0 } else { least };
            start..positive(greatest.max(start * 1.01))
        } else {
            let range = reach(&values, figure.x.scale, 1.05);
            let least = values.iter().copied().reduce(f64::min).unwrap_or(0.0);
            // The left half would be empty.
            if figure.x.scale == Scale::Linear && least > range.end / 2.0 {
                least - 0.05 * (range.end - least)..range.end
            } else {
                range
            }
        }
    } else {
        -0.5..figure.x.categories.len() as f64 - 0.5
    };
    let of_steady = marks.iter().filter(|mark| mark.is_steady()).map(|mark| mark.y);
    let of_steady = of_steady.reduce(f64::max).filter(|_| !only_lines);
    let most = of_steady.map_or(f64::INFINITY, |most| most * beyond(figure.y.scale));
    let shown = marks.iter().filter(|mark| mark.is_steady() || mark.y <= most);
    let values: Vec<f64> =
        shown.flat_map(|mark| [mark.y, mark.y_range.map_or(mark.y, |r| r.1.min(most))]).collect();
    // A least value of a range is shown if it is below 0, as differences may be.
    let below = marks.iter().filter_map(|mark| Some(mark.y_range?.0)).filter(|least| *least < 0.0);
    let values: Vec<f64> = values.into_iter().chain(below).collect();
    (x, reach(&values, figure.y.scale, 1.08))
}

fn reach(values: &[f64], scale: Scale, room: f64) -> Range<f64> {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let greatest = finite().reduce(f64::max).unwrap_or(1.0);
    match scale {
        Scale::Linear => {
            let least = finite().reduce(f64::min).unwrap_or(0.0);
            if least < 0.0 {
                least * room..(greatest * room).max(0.0)
            } else {
                0.0..positive(greatest * room)
            }
        }
        Scale::Logarithmic => {
            let least = finite().filter(|value| *value > 0.0).reduce(f64::min).unwrap_or(0.1);
            let greatest = positive(greatest).max(least * 1.5);
            least / 1.15..greatest * 1.15
        }
    }
}

/// Where a logarithmic axis has labels: at the powers of ten and, if those are few, between.
pub(super) fn log_ticks(range: &Range<f64>) -> Vec<f64> {
    let powers = range.start.log10().floor() as i32..=range.end.log10().ceil() as i32;
    let ticks = |digits: &[u32]| -> Vec<f64> {
        let all = powers.clone().flat_map(|power| {
            digits.iter().map(move |&digit| f64::from(digit) * 10f64.powi(power))
        });
        all.filter(|tick| (range.start..=range.end).contains(tick)).collect()
    };
    let sets: [&[u32]; 4] = [&[1], &[1, 2, 5], &[1, 2, 3, 5, 7], &[1, 2, 3, 4, 5, 6, 7, 8, 9]];
    let enough = sets.iter().map(|digits| ticks(digits)).find(|ticks| ticks.len() >= 4);
    enough.unwrap_or_else(|| {
        // Less than an octave: equal differences look almost equal.
        (0..=4).map(|i| range.start + (range.end - range.start) * f64::from(i) / 4.0).collect()
    })
}

/// An axis has a length.
fn positive(value: f64) -> f64 {
    if value > 0.0 { value } else { 1.0 }
}

/// A number on an axis: four digits that count.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if value.abs() < 1e-4 {
        return format!("{value:.1e}");
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_digits_of_rounding() {
        let said =
            [0.0, 0.02 + 0.01, 1.0, 1500.0, 123_456.7, 0.000_25, 0.000_002, -0.5].map(number);
        assert_eq!(said, ["0", "0.03", "1", "1500", "123457", "0.00025", "2.0e-6", "-0.5"]);
    }

    #[test]
    fn logarithmic_axes_have_some_labels_and_not_too_many() {
        assert_eq!(log_ticks(&(1.0..1e5)), [1.0, 10.0, 100.0, 1000.0, 1e4, 1e5]);
        assert_eq!(log_ticks(&(9.0..110.0)), [10.0, 20.0, 50.0, 100.0]);
        for (start, end) in [(1.0, 1.1), (3500.0, 12_000.0), (0.02, 7.0), (1e-3, 1e6)] {
            let count = log_ticks(&(start..end)).len();
            assert!((4..=10).contains(&count), "{start} to {end}: {count}");
        }
    }

    #[test]
    fn axes_hold_all_values_and_have_a_length() {
        assert_eq!(reach(&[2.0, 10.0], Scale::Linear, 1.05), 0.0..10.5);
        assert_eq!(reach(&[0.0], Scale::Linear, 1.05), 0.0..1.0);
        assert_eq!(reach(&[-10.0, 5.0], Scale::Linear, 1.1), -11.0..5.5);
        assert_eq!(reach(&[-10.0, -5.0], Scale::Linear, 1.1), -11.0..0.0);
        let range = reach(&[100.0, f64::NAN, 0.0], Scale::Logarithmic, 1.05);
        assert!(range.start > 0.0 && range.start < 100.0 && range.end > 100.0, "{range:?}");
    }
}
