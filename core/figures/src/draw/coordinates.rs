//! Coordinates of an axis, linear or logarithmic.

use super::range;
use crate::figure::Scale;
use plotters::coord::combinators::{BindKeyPoints, IntoLogRange, LogCoord, WithKeyPoints};
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use std::ops::Range;

/// The coordinates of an axis. One type for both scales, so that charts are compiled once.
pub(super) enum Coordinates {
    Linear(RangedCoordf64),
    Logarithmic(WithKeyPoints<LogCoord<f64>>),
}

impl Coordinates {
    pub fn new(scale: Scale, range: Range<f64>) -> Self {
        match scale {
            Scale::Linear => Self::Linear(range.into()),
            Scale::Logarithmic => {
                let ticks = range::log_ticks(&range);
                Self::Logarithmic(range.log_scale().with_key_points(ticks))
            }
        }
    }
}

impl Ranged for Coordinates {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        match self {
            Self::Linear(axis) => axis.map(value, limit),
            Self::Logarithmic(axis) => axis.map(value, limit),
        }
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match self {
            Self::Linear(axis) => axis.key_points(hint),
            Self::Logarithmic(axis) => axis.key_points(hint),
        }
    }

    fn range(&self) -> Range<f64> {
        match self {
            Self::Linear(axis) => axis.range(),
            Self::Logarithmic(axis) => axis.range(),
        }
    }
}
