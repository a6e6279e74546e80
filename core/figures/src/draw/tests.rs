//! What an SVG holds, and where marks are.

use super::*;
use crate::figure::{Axis, Mark, Provenance, Scale, Series, Shape};
use crate::theme::Theme;
use hopscope_core::measure::Condition;

fn words(message: &Message) -> String {
    message.to_string()
}

fn figure(scale: Scale, conditions: [Condition; 3]) -> Figure {
    let marks = [(1.0, 10.0), (2.0, 100.0), (3.0, 1000.0)].into_iter().zip(conditions);
    let mark = |((x, y), condition)| Mark {
        y_range: Some((y * 0.9, y * 1.1)),
        ..Mark::new(x, y, condition, vec![0])
    };
    let axis =
        |label: &str, scale| Axis { label: messages::plain(label), scale, categories: Vec::new() };
    Figure {
        title: "one < two & \"three\"".into(),
        x: axis("x", Scale::Linear),
        y: axis("y", scale),
        series: vec![Series {
            name: messages::plain("only"),
            shape: Shape::Points,
            colour: 0,
            dashed: false,
            marks: marks.map(mark).collect(),
        }],
        notes: vec![messages::not_steady_note()],
        provenance: Provenance {
            scenario: "ring".into(),
            version: "1.2.3".into(),
            seeds: vec![4, 9],
            experiment: "abc".into(),
            fingerprint: "def".into(),
        },
    }
}

const STEADY: [Condition; 3] = [Condition::Steady; 3];
const SATURATED_LAST: [Condition; 3] = [Condition::Steady, Condition::Steady, Condition::Saturated];

/// Elements of the document with an attribute of a value.
fn count(svg: &str, element: &str, attribute: &str, value: &str) -> usize {
    let document = roxmltree::Document::parse(svg).unwrap();
    let elements = document.descendants().filter(|node| node.has_tag_name(element));
    elements.filter(|node| node.attribute(attribute) == Some(value)).count()
}

#[test]
fn numbers_of_axes_are_in_the_language_of_the_words() {
    let mut figure = figure(Scale::Linear, STEADY);
    for mark in &mut figure.series[0].marks {
        (mark.x, mark.y, mark.y_range) = (mark.x / 10.0, mark.y / 1000.0, None);
    }
    let comma = |message: &Message| message.to_string().replace('.', ",");
    let numbers = |words: &dyn Fn(&Message) -> String| -> Vec<String> {
        let texts = texts(&figure.draw(&Style::default(), words).svg);
        texts.into_iter().filter(|text| text.starts_with("0.") || text.starts_with("0,")).collect()
    };
    let (english, other) = (numbers(&words), numbers(&comma));
    assert!(english.contains(&"0.2".to_owned()), "{english:?}");
    assert_eq!(other, english.iter().map(|text| text.replace('.', ",")).collect::<Vec<_>>());
}

#[test]
fn the_document_says_where_it_comes_from() {
    let figure = figure(Scale::Linear, SATURATED_LAST);
    let svg = figure.draw(&Style::default(), &words).svg;
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&svg, options).unwrap();
    let text = |name: &str| {
        document.descendants().find(|node| node.has_tag_name(name)).unwrap().text().unwrap()
    };
    assert_eq!(text("title"), figure.title);
    assert_eq!(text("desc"), "ring | Hopscope 1.2.3 | seed 4 to 9 | fingerprint def");
    let read: Figure = serde_json::from_str(text("metadata")).unwrap();
    assert_eq!(read, figure);
    let printed = document.descendants().filter(|node| node.has_tag_name("text"));
    let printed: Vec<&str> = printed.filter_map(|node| node.text()).map(str::trim).collect();
    for wanted in [text("desc"), text("title"), "x", "y", "only", "0"] {
        assert!(printed.contains(&wanted), "{wanted}: {printed:?}");
    }
}

#[test]
fn without_its_legend_the_plot_takes_the_space() {
    let draw = |legend| {
        let drawn =
            figure(Scale::Linear, STEADY).draw(&Style { legend, ..Style::default() }, &words);
        (drawn.svg.contains(">\nonly\n</text>"), drawn.positions[2].x)
    };
    let ((named, x), (named_without, x_without)) = (draw(true), draw(false));
    assert!(named && !named_without);
    assert!(x_without > x + 40, "{x_without} {x}");
}

#[test]
fn positions_are_where_the_values_are() {
    let style = Style { width: 600, height: 400, ..Style::default() };
    let at = |scale| {
        let drawn = figure(scale, STEADY).draw(&style, &words);
        let inside = |p: &Position| (0..600).contains(&p.x) && (0..400).contains(&p.y);
        assert!(drawn.positions.iter().all(inside), "{:?}", drawn.positions);
        drawn.positions
    };
    for scale in [Scale::Linear, Scale::Logarithmic] {
        let [a, b, c] = at(scale)[..] else { panic!("three marks") };
        assert!((a.x + c.x - 2 * b.x).abs() <= 1, "{a:?} {b:?} {c:?}");
        let is_halfway = (a.y + c.y - 2 * b.y).abs() <= 2;
        assert_eq!(is_halfway, scale == Scale::Logarithmic, "{a:?} {b:?} {c:?}");
        assert!(a.y > b.y && b.y > c.y);
        assert_eq!((c.series, c.mark), (0, 2));
    }
}

#[test]
fn a_part_of_a_figure_has_the_marks_inside_and_says_what_it_shows() {
    let figure = figure(Scale::Logarithmic, STEADY);
    let whole = figure.draw(&Style::default(), &words);
    assert_eq!(whole.positions.len(), 3);
    // Around the middle mark.
    let [_, middle, _] = &figure.series[0].marks[..] else { panic!("three marks") };
    let zoom = Zoom { x: (middle.x - 0.5, middle.x + 0.5), y: (middle.y / 2.0, middle.y * 2.0) };
    let part = figure.draw(&Style { zoom: Some(zoom), ..Style::default() }, &words);
    let [found] = part.positions[..] else { panic!("one mark: {:?}", part.positions) };
    assert_eq!(found.mark, 1);
    let Plot { left_right, top_bottom, values } = part.plot;
    assert_eq!(values, zoom);
    assert!((found.x - (left_right.0 + left_right.1) / 2).abs() <= 1, "{part:?}");
    assert!((found.y - (top_bottom.0 + top_bottom.1) / 2).abs() <= 1, "{part:?}");
}

#[test]
fn marks_that_are_not_steady_are_hollow_and_not_joined() {
    let look = |conditions| {
        let mut figure = figure(Scale::Linear, conditions);
        // Not beyond the axis, where it would have an arrow.
        figure.series[0].marks[2].y = 150.0;
        let svg = figure.draw(&Style::default(), &words).svg;
        let hollow = count(&svg, "circle", "fill", "#FFFFFF");
        let document = roxmltree::Document::parse(&svg).unwrap();
        let lines = document.descendants().filter(|node| node.has_tag_name("polyline"));
        let corners = |node: roxmltree::Node| {
            node.attribute("points").unwrap_or_default().split_whitespace().count()
        };
        (hollow, lines.map(corners).max().unwrap())
    };
    assert_eq!(look(STEADY), (0, 3));
    assert_eq!(look(SATURATED_LAST), (1, 2));
    assert_eq!(look([Condition::Steady, Condition::Deadlocked, Condition::Steady]), (1, 2));
}

#[test]
fn marks_far_beyond_the_steady_ones_are_at_the_edge_and_said_to_be() {
    let figure = figure(Scale::Linear, SATURATED_LAST);
    let drawn = figure.draw(&Style::default(), &words);
    let [_, b, c] = drawn.positions[..] else { panic!("three marks") };
    assert!(c.y < b.y);
    assert!(drawn.svg.contains("beyond the axis"));
    let inside = self::figure(Scale::Linear, STEADY).draw(&Style::default(), &words);
    assert!(!inside.svg.contains("beyond the axis"));
}

#[test]
fn bars_stand_beside_one_another_with_their_ranges() {
    let mut figure = figure(Scale::Linear, STEADY);
    figure.x.categories = vec!["a".into(), "b".into(), "c".into()];
    for (x, mark) in figure.series[0].marks.iter_mut().enumerate() {
        mark.x = x as f64;
    }
    figure.series[0].shape = Shape::Bars;
    figure.series.push(Series { colour: 1, ..figure.series[0].clone() });
    let drawn = figure.draw(&Style::default(), &words);
    let x = |series: usize, mark: usize| {
        let of = |p: &&Position| (p.series, p.mark) == (series, mark);
        drawn.positions.iter().find(of).unwrap().x
    };
    assert!(x(0, 0) < x(1, 0) && x(1, 0) < x(0, 1) && x(0, 1) < x(1, 1));
    for colour in ["#0072B2", "#D55E00"] {
        // Three bars and the sample of the legend.
        assert_eq!(count(&drawn.svg, "rect", "fill", colour), 4);
    }
}

#[test]
fn categories_whose_names_do_not_fit_have_numbers() {
    let texts = |count: usize| -> Vec<String> {
        let mut figure = figure(Scale::Linear, STEADY);
        figure.series[0].shape = Shape::Bars;
        figure.x.categories = (1..=count).map(|i| format!("category of rows {i}")).collect();
        let svg = figure.draw(&Style::default(), &words).svg;
        let document = roxmltree::Document::parse(&svg).unwrap();
        let texts = document.descendants().filter(|node| node.has_tag_name("text"));
        texts.filter_map(|node| Some(node.text()?.trim().to_owned())).collect()
    };
    assert!(texts(3).contains(&"category of rows 3".to_owned()));
    let many = texts(60);
    assert!(!many.iter().any(|text| text.starts_with("categ")), "{many:?}");
    // As many as have space.
    let numbers = (1..=60).filter(|i: &usize| many.contains(&i.to_string())).count();
    assert!((10..30).contains(&numbers), "{many:?}");
}

#[test]
fn themes_and_languages_change_the_drawing() {
    let figure = figure(Scale::Linear, STEADY);
    let draw = |theme| figure.draw(&Style { theme, ..Style::default() }, &words).svg;
    let all = [Theme::Light, Theme::Dark, Theme::Projector].map(draw);
    assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
    assert_eq!(count(&all[1], "rect", "fill", "#16191E"), 1);
    let shout = |message: &Message| message.to_string().to_uppercase();
    assert!(figure.draw(&Style::default(), &shout).svg.contains("HOLLOW"));
    // Small or empty figures are drawn too.
    let small = Style { width: 60, height: 40, ..Style::default() };
    assert!(figure.draw(&small, &words).svg.contains("</svg>"));
    let empty = Figure { series: Vec::new(), ..figure };
    assert!(empty.draw(&Style::default(), &words).svg.contains("</svg>"));
}

#[test]
fn numbers_of_a_figure_are_a_table_with_their_origin() {
    let csv = figure(Scale::Linear, SATURATED_LAST).to_csv(&words).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with("series,x,y,") && lines[0].ends_with("seed,fingerprint"));
    assert_eq!(lines.len(), 4);
    assert!(lines[3].starts_with("only,3,1000,"), "{csv}");
    assert!(lines[3].ends_with(",saturated,0,ring,1.2.3,4 to 9,def"), "{csv}");
}

#[test]
fn a_plain_figure_has_axes_and_lines_and_nothing_else() {
    let style = Style { width: 300, height: 140, legend: false, plain: true, ..Style::default() };
    let drawn = figure(Scale::Linear, STEADY).draw(&style, &words);
    assert!(!drawn.svg.contains("<metadata>") && !drawn.svg.contains("fingerprint"));
    let ((left, right), (top, bottom)) = (drawn.plot.left_right, drawn.plot.top_bottom);
    assert!(right - left > 200 && bottom - top > 80, "{:?}", drawn.plot);
    // The label that is not shown takes no space.
    let mut long = figure(Scale::Linear, STEADY);
    long.y.label = messages::plain("accepted of each level over what it offers");
    assert_eq!(long.draw(&style, &words).plot, drawn.plot);
}

/// The texts of a drawing.
fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| node.text()).map(|text| text.trim().to_owned()).collect()
}

#[test]
fn labels_that_are_longer_than_their_axis_have_several_lines() {
    let mut figure = figure(Scale::Linear, STEADY);
    let [across, up] = [
        "total load, share of the bandwidth of the links",
        "accepted of each level over what it offers",
    ];
    figure.provenance.fingerprint = "234826c87fcf515a".into();
    figure.x.label = messages::plain(across);
    figure.y.label = messages::plain(up);
    let wide = texts(&figure.draw(&Style::default(), &words).svg);
    assert!(wide.iter().any(|text| text == across) && wide.iter().any(|text| text == up));
    let style = Style { width: 340, height: 300, legend: false, ..Style::default() };
    let drawn = figure.draw(&style, &words);
    let narrow = texts(&drawn.svg);
    for label in [across, up] {
        let lines: Vec<&String> = narrow.iter().filter(|text| label.contains(&***text)).collect();
        assert!(lines.len() > 1, "{label}: {narrow:?}");
        let mut words: Vec<&str> = lines.iter().flat_map(|line| line.split(' ')).collect();
        let mut all: Vec<&str> = label.split(' ').collect();
        words.sort_unstable();
        all.sort_unstable();
        assert_eq!(words, all, "no word is lost");
    }
    assert!(wide.iter().any(|text| text.starts_with("ring | Hopscope")));
}
