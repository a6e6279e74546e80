//! Colours, markers, widths and sizes.

use plotters::style::RGBColor;
use serde::{Deserialize, Serialize};

/// For what background and distance a figure is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// Dark on white, for paper.
    #[default]
    Light,
    /// Light on dark.
    Dark,
    /// Dark on white with larger text and wider lines, for the last row of a room.
    Projector,
}

/// Theme and size of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Style {
    /// Colours and widths.
    pub theme: Theme,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Whether there is a legend beside the plot. The page has one of its own, which can be
    /// clicked.
    pub legend: bool,
    /// Whether there are only axes and lines, as in a small figure whose surroundings say the rest:
    /// no title, no origin, no data for programs and no label of the vertical axis.
    pub plain: bool,
    /// The part of the figure that is drawn; all of it if `None`.
    pub zoom: Option<Zoom>,
}

/// A part of a figure: least and greatest value on either axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Zoom {
    /// On the horizontal axis.
    pub x: (f64, f64),
    /// On the vertical axis.
    pub y: (f64, f64),
}

impl Default for Style {
    fn default() -> Self {
        Self {
            theme: Theme::Light,
            width: 900,
            height: 540,
            legend: true,
            plain: false,
            zoom: None,
        }
    }
}

/// Marker of a series of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    TriangleDown,
}

const MARKERS: [Marker; 5] =
    [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::TriangleDown];

/// The colours of Okabe and Ito, which colour-blind readers can tell apart, without yellow, which
/// is too pale on white.
const ON_WHITE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
];

/// The same for a dark background: without the dark blue, with yellow.
const ON_DARK: [RGBColor; 7] = [
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 178, 130),
    RGBColor(240, 228, 66),
    RGBColor(204, 121, 167),
    RGBColor(230, 110, 30),
    RGBColor(210, 210, 210),
];

/// Most series that colour and marker together tell apart.
pub(crate) const MAX_SERIES: usize = 35;

/// How a series is told from others, for legends outside of the drawing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sign {
    /// `#rrggbb`.
    pub colour: String,
    /// Its marker as SVG path data, within 6 pixels around the origin.
    pub path: String,
}

impl Theme {
    /// The sign of a series with this index of colour and marker.
    pub fn sign(self, index: usize) -> Sign {
        let RGBColor(red, green, blue) = self.colour(index);
        let path = match marker(index) {
            Marker::Circle => "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
            Marker::Square => "M-5-5h10v10h-10z",
            Marker::Triangle => "M0-6L6 5H-6z",
            Marker::Diamond => "M0-6L6 0L0 6L-6 0z",
            Marker::TriangleDown => "M0 6L6-5H-6z",
        };
        Sign { colour: format!("#{red:02x}{green:02x}{blue:02x}"), path: path.into() }
    }

    pub(crate) fn background(self) -> RGBColor {
        match self {
            Self::Light | Self::Projector => RGBColor(255, 255, 255),
            Self::Dark => RGBColor(22, 25, 30),
        }
    }

    pub(crate) fn text(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(34, 34, 34),
            Self::Projector => RGBColor(0, 0, 0),
            Self::Dark => RGBColor(225, 228, 232),
        }
    }

    pub(crate) fn grid(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(228, 228, 228),
            Self::Projector => RGBColor(205, 205, 205),
            Self::Dark => RGBColor(52, 57, 64),
        }
    }

    /// Height of text, pixels.
    pub(crate) fn font(self) -> u32 {
        if self == Self::Projector { 20 } else { 13 }
    }

    /// Width of lines of series, pixels.
    pub(crate) fn line(self) -> u32 {
        if self == Self::Projector { 4 } else { 2 }
    }

    /// Half the size of a marker, pixels.
    pub(crate) fn marker(self) -> i32 {
        if self == Self::Projector { 8 } else { 5 }
    }

    pub(crate) fn colour(self, index: usize) -> RGBColor {
        let colours = if self == Self::Dark { ON_DARK } else { ON_WHITE };
        colours[index % colours.len()]
    }
}

pub(crate) fn marker(index: usize) -> Marker {
    MARKERS[index % MARKERS.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_differ_as_the_series_do() {
        let signs: Vec<Sign> = (0..MAX_SERIES).map(|i| Theme::Dark.sign(i)).collect();
        for (i, one) in signs.iter().enumerate() {
            assert!(signs[..i].iter().all(|other| other != one), "{i}");
        }
        assert_eq!(Theme::Light.sign(0).colour, "#0072b2");
    }

    #[test]
    fn colour_and_marker_tell_all_series_apart() {
        for theme in [Theme::Light, Theme::Dark, Theme::Projector] {
            let looks = (0..MAX_SERIES).map(|i| (theme.colour(i), marker(i)));
            let looks: Vec<(RGBColor, Marker)> = looks.collect();
            for (i, one) in looks.iter().enumerate() {
                assert!(looks[..i].iter().all(|other| other != one), "{i}");
            }
        }
    }
}
