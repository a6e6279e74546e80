//! Validation: every problem of every field of a scenario, each with a fix. A scenario without
//! problems can be run.

mod application;
pub(super) mod cut_through;
mod measure;
mod routing;
#[cfg(test)]
mod tests;
mod traffic;
pub(super) mod wormhole;

use super::limits::*;
use super::{DrawnNetwork, SCHEMA_VERSION, Scenario};
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use std::ops::RangeInclusive;

impl Scenario {
    /// Everything that is wrong with the scenario; empty if it can be run.
    pub fn validate(&self) -> Problems {
        self.check().err().unwrap_or_default()
    }

    /// The network of a scenario that can be run.
    ///
    /// # Errors
    /// Everything that is wrong with the scenario, at most [`MAX_PROBLEMS`] problems.
    pub fn check(&self) -> Result<Network, Problems> {
        let mut problems = Problems::default();
        self.check_head(&mut problems);
        let (drawn, network) = match self.network.drawn() {
            Ok(drawn) => match drawn.build() {
                Ok(network) => (drawn, Some(network)),
                Err(wrong) => {
                    problems.0.extend(wrong.0);
                    (drawn, None)
                }
            },
            Err(wrong) => {
                problems.0.extend(wrong.0);
                (DrawnNetwork::default(), None)
            }
        };
        routing::check(&self.routing, network.as_ref(), &mut problems);
        self.fabric.technique().check(self, &drawn, network.as_ref(), &mut problems);
        let fewest = usize::from(self.application.is_none());
        traffic::check(&self.traffic, fewest, &self.fabric, network.as_ref(), &mut problems);
        if let Some(application) = &self.application {
            application::check(application, &self.fabric, network.as_ref(), &mut problems);
        }
        measure::check(&self.measure, network.as_ref(), &mut problems);
        let more = problems.0.len().saturating_sub(MAX_PROBLEMS);
        if more > 0 {
            problems.0.truncate(MAX_PROBLEMS);
            problems.add("file", messages::more_problems(more), messages::solve_the_first());
        }
        match network {
            Some(network) => problems.or(network),
            None => Err(problems),
        }
    }

    fn check_head(&self, problems: &mut Problems) {
        if self.hopscope == 0 || self.hopscope > SCHEMA_VERSION {
            problems.add(
                "hopscope",
                messages::no_such_version(self.hopscope),
                messages::use_the_value(SCHEMA_VERSION),
            );
        }
        check_name(&self.name, "name", problems);
        let bytes = self.description.len();
        if bytes > MAX_DESCRIPTION_BYTES {
            let most = messages::use_at_most(MAX_DESCRIPTION_BYTES);
            problems.add("description", messages::text_has_bytes(bytes), most);
        }
    }
}

/// Adds a problem if the name of a scenario or flow is too long.
fn check_name(name: &str, at: &str, problems: &mut Problems) {
    let characters = name.chars().count();
    if characters > MAX_NAME_CHARACTERS {
        let most = messages::use_at_most(MAX_NAME_CHARACTERS);
        problems.add(at, messages::name_has_characters(characters), most);
    }
}

/// Adds a problem unless a whole number lies in a range; returns whether it does.
fn within<T>(at: &str, value: T, range: RangeInclusive<u64>, problems: &mut Problems) -> bool
where
    T: Into<u64>,
{
    let value = value.into();
    let fits = range.contains(&value);
    if !fits {
        problems.add(
            at,
            messages::out_of_range(value),
            messages::use_from_to(*range.start(), *range.end()),
        );
    }
    fits
}

/// Adds a problem unless a share lies between 0 and 1.
fn share(at: &str, value: f64, problems: &mut Problems) {
    if !(0.0..=1.0).contains(&value) {
        problems.add(at, messages::not_a_share(value), messages::use_from_to(0, 1));
    }
}
