//! The numbers of a result that figures show.

use crate::messages;
use hopscope_core::experiment::{AxisRole, Experiment, OverTime, PointResult};
use hopscope_core::measure::{Condition, LatencyHistogram, Summary};
use hopscope_core::problem::{Place, Problems};
use hopscope_core::scenario::LoadUnit;
use serde::Deserialize;

/// A result, with its place on the axes.
pub(super) struct Reading {
    pub point: usize,
    /// Steps of the load axes.
    pub load: Vec<usize>,
    /// Steps of the axes of seeds.
    pub seeds: Vec<usize>,
    /// Steps of the compared axes.
    pub compared: Vec<usize>,
    /// Seed of the traffic.
    pub seed: u64,
    pub measured: Measured,
    pub channels: Vec<(f64, f64)>,
    pub latency_histogram: Option<LatencyHistogram>,
    pub over_time: Option<OverTime>,
}

/// The fields of a report that figures show. Rates are `None` if nothing was measured.
#[derive(Deserialize)]
pub(super) struct Measured {
    pub accepted_flits_per_ns_per_switch: Option<f64>,
    pub accepted_flits_per_cycle_per_host: Option<f64>,
    pub offered_flits_per_cycle_per_host: Option<f64>,
    pub network_latency_ns: Summary,
    pub total_latency_ns: Summary,
    pub confidence: Option<HalfWidths>,
    /// Of the application; `None` without one, and if it did not finish.
    #[serde(default)]
    pub run_time_ns: Option<f64>,
    #[serde(default)]
    pub levels: Vec<Level>,
    pub condition: Condition,
    pub fingerprint: String,
}

/// Half-widths of confidence intervals by batch means.
#[derive(Deserialize)]
pub(super) struct HalfWidths {
    /// Flits per cycle and host.
    pub accepted: f64,
    pub network_latency_ns: Option<f64>,
    pub total_latency_ns: Option<f64>,
}

#[derive(Deserialize)]
pub(super) struct Level {
    pub level: u8,
    pub name: String,
    pub accepted_flits_per_cycle_per_host: Option<f64>,
    pub network_latency_ns: Summary,
    pub total_latency_ns: Summary,
}

impl Reading {
    pub(super) fn of(experiment: &Experiment, result: &PointResult) -> Result<Self, Problems> {
        let measured = Measured::deserialize(&result.report).map_err(|error| {
            Problems::one(
                Place::Point(result.point, Box::new("".into())),
                messages::results_of_other_form(error.to_string()),
                messages::run_with_this_version(),
            )
        })?;
        let steps = experiment.steps(result.point);
        let with = |role| {
            let axes = experiment.axes.iter().zip(&steps);
            axes.filter(|(axis, _)| axis.role() == role).map(|(_, &step)| step).collect()
        };
        Ok(Self {
            point: result.point,
            load: with(AxisRole::Load),
            seeds: with(AxisRole::Seeds),
            compared: with(AxisRole::Compared),
            seed: result.seed,
            measured,
            channels: result.channels.clone(),
            latency_histogram: result.latency_histogram.clone(),
            over_time: result.over_time.clone(),
        })
    }
}

impl Measured {
    pub(super) fn accepted(&self, unit: LoadUnit) -> Option<f64> {
        match unit {
            LoadUnit::FlitsPerNsPerSwitch => self.accepted_flits_per_ns_per_switch,
            LoadUnit::FlitsPerCyclePerHost => self.accepted_flits_per_cycle_per_host,
        }
    }

    /// Half-width of the confidence interval of accepted traffic, relative to it.
    pub(super) fn accepted_half_width(&self) -> Option<f64> {
        let accepted = self.accepted_flits_per_cycle_per_host.filter(|&rate| rate > 0.0)?;
        Some(self.confidence.as_ref()?.accepted / accepted)
    }

    pub(super) fn latency(&self, total: bool) -> &Summary {
        if total { &self.total_latency_ns } else { &self.network_latency_ns }
    }

    pub(super) fn latency_half_width(&self, total: bool) -> Option<f64> {
        let confidence = self.confidence.as_ref()?;
        if total { confidence.total_latency_ns } else { confidence.network_latency_ns }
    }
}
