//! The network as an SVG file: switches, hosts and channels, without messages.

use super::picture::{HOST, Picture, SWITCH};
use hopscope_core::scenario::limits::MAX_NAME_BYTES;
use std::fmt::Write;

/// Margin around the network, stage units.
const MARGIN: f32 = 40.0;

/// The network as SVG, in colours for paper.
pub fn svg(picture: &Picture, title: &str) -> String {
    let [left, top, right, bottom] = picture.bounds();
    let (x, y) = (left - MARGIN, top - MARGIN);
    let (width, height) = (right - left + 2.0 * MARGIN, bottom - top + 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x:.1} {y:.1} {width:.1} {height:.1}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"system-ui, sans-serif\">\n<title>{}</title>\n",
        escaped(title)
    );
    // Writing to a string cannot fail.
    let mut put = |line: std::fmt::Arguments<'_>| {
        out.write_fmt(line).ok();
    };
    put(format_args!("<g id=\"channels\" stroke=\"#9aa3ad\" stroke-width=\"2.4\">\n"));
    let lines = picture.lanes.iter().flat_map(|lane| lane.lines(0.0, lane.length));
    for ([x1, y1], [x2, y2]) in lines {
        put(format_args!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>\n"));
    }
    put(format_args!(
        "</g>\n<g id=\"hosts\" fill=\"#ffffff\" stroke=\"#5c6670\" stroke-width=\"1.5\">\n"
    ));
    for (i, [x, y]) in picture.hosts.iter().enumerate() {
        let name = picture.network.hosts.get(i).map_or("", |host| &host.name);
        let name = if name.is_empty() { format!("host {i}") } else { name.to_owned() };
        put(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{HOST}\"><title>{}</title></circle>\n",
            escaped(&name)
        ));
    }
    put(format_args!(
        "</g>\n<g id=\"switches\" fill=\"#ffffff\" stroke=\"#27313b\" stroke-width=\"1.8\">\n"
    ));
    for [x, y] in &picture.switches {
        put(format_args!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{side}\" height=\"{side}\" rx=\"6\"/>\n",
            x - SWITCH,
            y - SWITCH,
            side = 2.0 * SWITCH
        ));
    }
    put(format_args!(
        "</g>\n<g id=\"names\" fill=\"#27313b\" font-weight=\"600\" text-anchor=\"middle\">\n"
    ));
    for (i, [x, y]) in picture.switches.iter().enumerate() {
        let name = picture.switch_name(i as u32);
        let inside = name.chars().count() <= 3;
        let (size, y) = if inside { (15, y + 5.5) } else { (11, y + SWITCH + 13.0) };
        put(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\">{}</text>\n",
            escaped(&name)
        ));
    }
    put(format_args!("</g>\n</svg>\n"));
    out
}

/// Escapes text for XML; control characters, which XML excludes, become spaces.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(MAX_NAME_BYTES));
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::scenario::Scenario;

    #[test]
    fn every_part_is_drawn_and_names_are_escaped() {
        let text = r#"{"hopscope":1,"network":{
            "switches":[{"name":"<a&b>","ports":4},{"ports":4}],
            "hosts":[{"switch":0,"port":2},{"switch":1,"port":2}],
            "links":[{"a":[0,0],"b":[1,0]}]}}"#;
        let picture = Picture::of(&Scenario::read(text).expect("it is right"));
        let svg = svg(&picture, "x \"y\"");
        assert_eq!(svg.matches("<line").count(), 6);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert_eq!(svg.matches("<rect").count(), 2);
        assert!(svg.contains("&lt;a&amp;b&gt;") && !svg.contains("<a&b>"));
    }
}
