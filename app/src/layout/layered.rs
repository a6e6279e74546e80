//! Rows of switches, ordered within each row to keep links short.

use super::geometry::Point;
use hopscope_core::collections::sort_by;

const SWEEPS: usize = 8;
/// The picture is at most this many times as wide as high.
const RATIO: f32 = 3.0;

/// Positions in units of one hop. Switches of layer `usize::MAX` get a row of their own below.
pub fn layout(links: &[Vec<usize>], layers: &[usize]) -> Vec<Point> {
    let n = links.len();
    let deepest = layers.iter().filter(|&&d| d != usize::MAX).max().copied().unwrap_or(0);
    let row_of = |s: usize| layers[s].min(deepest + 1);
    let mut rows = vec![Vec::new(); deepest + 2];
    (0..n).for_each(|s| rows[row_of(s)].push(s));
    let mut x = vec![0.0_f32; n];
    rows.iter().for_each(|row| spread(row, &mut x));
    for sweep in 0..SWEEPS {
        let order: Vec<usize> = if sweep % 2 == 0 {
            (0..rows.len()).collect()
        } else {
            (0..rows.len()).rev().collect()
        };
        for r in order {
            let pull = |s: usize| {
                let others = links[s].iter().filter(|&&o| row_of(o) != r);
                let (sum, count) =
                    others.fold((0.0, 0.0), |(sum, count), &o| (sum + x[o], count + 1.0));
                if count > 0.0 { sum / count } else { x[s] }
            };
            let mut keyed: Vec<(f32, usize)> = rows[r].iter().map(|&s| (pull(s), s)).collect();
            sort_by(&mut keyed, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            rows[r] = keyed.into_iter().map(|(_, s)| s).collect();
            spread(&rows[r], &mut x);
        }
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let apart = (widest as f32 / (RATIO * deepest.max(1) as f32)).max(1.0);
    (0..n).map(|s| [x[s], apart * row_of(s) as f32]).collect()
}

fn spread(row: &[usize], x: &mut [f32]) {
    for (i, &s) in row.iter().enumerate() {
        x[s] = i as f32 - (row.len() as f32 - 1.0) / 2.0;
    }
}
