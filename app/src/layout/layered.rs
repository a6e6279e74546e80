//! Rows of switches, ordered within each row so that few links cross.

use super::geometry::Point;

/// Sweeps over all rows, down and up in turn.
const SWEEPS: usize = 24;
/// In the first sweeps, switches move towards their neighbours in rows already passed only; in the
/// others, towards all. The former find the order of trees, the latter good orders of the rest.
const ONE_SIDED: usize = 8;
/// Distance of two switches of a row, hops: stubs of both fit between them, with their names.
const APART: f32 = 1.2;
/// The picture is at most this many times as wide as high.
const RATIO: f32 = 2.2;

/// Positions in units of one hop. Switches of layer `usize::MAX` get a row of their own below.
pub fn layout(links: &[Vec<usize>], layers: &[usize]) -> Vec<Point> {
    let n = links.len();
    let deepest = layers.iter().filter(|&&d| d != usize::MAX).max().copied().unwrap_or(0);
    let row_of = |s: usize| layers[s].min(deepest + 1);
    let mut rows = vec![Vec::new(); deepest + 2];
    (0..n).for_each(|s| rows[row_of(s)].push(s));
    let mut x = vec![0.0_f32; n];
    rows.iter().for_each(|row| spread(row, &mut x));
    let mut best = (crossings(links, &rows), x.clone());
    for sweep in 0..SWEEPS {
        let is_down = sweep % 2 == 0;
        for i in 0..rows.len() {
            let r = if is_down { i } else { rows.len() - 1 - i };
            let pull = |s: usize| {
                let pulls = |&&other: &&usize| {
                    let row = row_of(other);
                    row != r && (sweep >= ONE_SIDED || (row < r) == is_down)
                };
                let others = links[s].iter().filter(pulls);
                let (sum, count) =
                    others.fold((0.0, 0.0), |(sum, count), &o| (sum + x[o], count + 1.0));
                if count > 0.0 { sum / count } else { x[s] }
            };
            let mut keyed: Vec<(f32, usize)> = rows[r].iter().map(|&s| (pull(s), s)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            rows[r] = keyed.into_iter().map(|(_, s)| s).collect();
            spread(&rows[r], &mut x);
        }
        let crossings = crossings(links, &rows);
        if crossings < best.0 {
            best = (crossings, x.clone());
        }
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let down = (APART * widest as f32 / (RATIO * deepest.max(1) as f32)).max(1.0);
    (0..n).map(|s| [APART * best.1[s], down * row_of(s) as f32]).collect()
}

/// Places the switches of a row one unit apart.
fn spread(row: &[usize], x: &mut [f32]) {
    for (i, &s) in row.iter().enumerate() {
        x[s] = i as f32 - (row.len() as f32 - 1.0) / 2.0;
    }
}

/// Crossings of links between each row and the next.
///
/// Links are taken from left to right by their upper end. Each crosses those taken before it that
/// end to the right of it, which a Fenwick tree counts.
fn crossings(links: &[Vec<usize>], rows: &[Vec<usize>]) -> u64 {
    let mut sum = 0;
    let mut place = vec![None; links.len()];
    for pair in rows.windows(2) {
        place.fill(None);
        pair[1].iter().enumerate().for_each(|(i, &s)| place[s] = Some(i));
        let mut tree = vec![0_u64; pair[1].len() + 1];
        let mut taken = 0;
        for &upper in &pair[0] {
            let ends = || links[upper].iter().filter_map(|&lower| place[lower]);
            for end in ends() {
                let mut i = end + 1;
                sum += taken;
                while i > 0 {
                    sum -= tree[i];
                    i &= i - 1;
                }
            }
            for end in ends() {
                let mut i = end + 1;
                taken += 1;
                while i < tree.len() {
                    tree[i] += 1;
                    i += i & i.wrapping_neg();
                }
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::graph::{hops, levels, neighbours};
    use hopscope_core::network::generators::GeneratorSpec;

    /// Crossings of the straight lines between rows, counted pair by pair.
    fn counted(links: &[Vec<usize>], points: &[Point]) -> u64 {
        let down = |a: usize| links[a].iter().filter(move |&&b| points[b][1] > points[a][1]);
        let lines: Vec<(Point, Point)> =
            (0..links.len()).flat_map(|a| down(a).map(move |&b| (points[a], points[b]))).collect();
        let crosses = |p: &(Point, Point), q: &(Point, Point)| {
            p.0[1] == q.0[1] && (p.0[0] - q.0[0]) * (p.1[0] - q.1[0]) < 0.0
        };
        let pairs = lines.iter().enumerate().flat_map(|(i, p)| {
            let later = &lines[i + 1..];
            later.iter().map(move |q| (p, q))
        });
        pairs.filter(|(p, q)| crosses(p, q)).count() as u64
    }

    #[test]
    fn few_links_of_layers_cross() {
        for (json, most) in [
            (r#"{"kind":"k-ary-n-tree","arity":3,"levels":2}"#, 9),
            (r#"{"kind":"k-ary-n-tree","arity":4,"levels":3}"#, 864),
            (r#"{"kind":"bmin"}"#, 864),
            (r#"{"kind":"irregular"}"#, 8),
            (r#"{"kind":"irregular","switches":64}"#, 199),
            (r#"{"kind":"ring","switches":9}"#, 0),
        ] {
            let generator: GeneratorSpec = serde_json::from_str(json).expect("a generator");
            let network = generator.generate().expect("a network");
            let links = neighbours(&network);
            let layers = levels(&network, &links).unwrap_or_else(|| hops(&links, &[0]));
            let points = layout(&links, &layers);
            let crossings = counted(&links, &points);
            assert!(crossings <= most, "{json}: {crossings}");
        }
    }

    #[test]
    fn crossings_are_those_of_straight_lines() {
        let links = vec![vec![3, 4], vec![2, 4], vec![1], vec![0], vec![0, 1, 5], vec![4]];
        let rows = vec![vec![0, 1], vec![2, 3, 4], vec![5]];
        let places = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [0.0, 2.0]];
        assert_eq!(crossings(&links, &rows), 2);
        assert_eq!(counted(&links, &places), 2);
    }
}
