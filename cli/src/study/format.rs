//! Reading study files: problems name the file and the row.

use crate::files;
use crate::messages;
use crate::outcome::Result;
use hopscope_core::problem::Problems;
use hopscope_core::scenario::{Scenario, read_part};
use hopscope_core::study::{Row, Study, level_names};
use serde_json::Value;
use std::path::Path;

/// Reads a study file and its base, and checks the rows.
///
/// # Errors
///
/// Problems with the file's name and the row.
pub fn read(path: &Path) -> Result<Study> {
    let document = files::json(path, &messages::see_the_studies())?;
    let mut study: Study =
        read_part(&document, "").map_err(|problems| files::within(path, problems))?;
    let scenario = Scenario::parse(&files::base(path, study.base)?.to_string())
        .map_err(|problems| files::within(path, in_place("base", problems)))?;
    study.base = scenario.to_document();
    for (i, variant) in study.variants.iter_mut().enumerate() {
        if let Some(own) = variant.base.take() {
            let scenario = Scenario::parse(&files::base(path, own)?.to_string());
            let at = format!("variants.{i}.base");
            let scenario =
                scenario.map_err(|problems| files::within(path, in_place(&at, problems)))?;
            variant.base = Some(scenario.to_document());
        }
    }
    let mut problems = Problems::default();
    if study.networks == 0 {
        problems.add("networks", messages::no_networks(), messages::use_one_network());
    }
    for (i, row) in study.rows.iter().enumerate() {
        let levels = levels_of(&study, row);
        check(row, &format!("rows.{i}"), levels.len(), &mut problems);
        check_points(row, &format!("rows.{i}"), &mut problems);
        check_names(&study, row, &format!("rows.{i}"), &levels, &mut problems);
    }
    problems.or(study).map_err(|problems| files::within(path, problems))
}

/// Names of the service levels in the base that a row is measured in.
fn levels_of(study: &Study, row: &Row) -> Vec<String> {
    let variant = study.variants.iter().position(|of| Some(&of.name) == row.variant.as_ref());
    let base = variant.map_or(&study.base, |variant| study.base_of(variant));
    Scenario::from_document(base).map(|base| level_names(&base)).unwrap_or_default()
}

/// Checks that combined points are total loads, and that nothing is set which only they have.
fn check_points(row: &Row, at: &str, problems: &mut Problems) {
    let loads: Vec<f64> = row.at.iter().filter_map(|name| name.parse().ok()).collect();
    let combines = row.quantity.combines_points();
    let are_loads = loads.len() == row.at.len() && loads.is_sorted() && loads.len() > 1;
    if combines && !are_loads {
        let fix = messages::list_points_by_load();
        problems.add(format!("{at}.at"), messages::points_are_no_loads(), fix);
    }
    let is_single = !combines
        && !row.quantity.combines_loads()
        && !row.quantity.is_relative()
        && row.loads.len() < 2;
    if row.mean_of_points && (!is_single || row.at.len() < 2) {
        let at = format!("{at}.mean_of_points");
        problems.add(at, messages::mean_of_one_point(), messages::remove_it());
    }
    if combines && row.has_bounds() {
        let fix = messages::use_published_and_tolerance();
        problems.add(format!("{at}.at_least"), messages::load_is_no_finding(), fix);
    }
    if row.below.is_some() && !combines {
        problems.add(format!("{at}.below"), messages::below_of_shortfalls(), messages::remove_it());
    }
}

fn check(row: &Row, at: &str, levels: usize, problems: &mut Problems) {
    if row.quantity.is_relative() != row.over.is_some() {
        let fix = messages::add_or_remove_over();
        problems.add(format!("{at}.over"), messages::over_is_of_factors(), fix);
    }
    if row.over.is_some() && row.preset.is_none() {
        problems.add(format!("{at}.preset"), messages::no_preset(), messages::name_a_preset());
    }
    let loads = row.loads.iter().all(|load| load.is_finite() && *load > 0.0);
    if !loads || (row.quantity.combines_loads() && row.loads.len() < 2) {
        problems.add(format!("{at}.loads"), messages::wrong_loads(), messages::list_loads());
    } else if !row.loads.is_empty() && !row.quantity.has_loads() {
        problems.add(format!("{at}.loads"), messages::needless_loads(), messages::remove_it());
    }
    if row.quantity.is_per_level() && levels == 0 {
        let at = format!("{at}.quantity");
        problems.add(at, messages::base_without_levels(), messages::use_a_quantity_of_all());
    }
    let is_number = |value: &Value| value.is_number() || value.is_null();
    let fits = match &row.published {
        Value::Array(list) => {
            row.quantity.is_per_level() && list.len() == levels && list.iter().all(is_number)
        }
        one => is_number(one) && (one.is_null() || !row.quantity.is_per_level()),
    };
    if !fits {
        let why = if row.quantity.is_per_level() {
            messages::published_per_level(levels)
        } else {
            messages::published_is_a_number()
        };
        problems.add(format!("{at}.published"), why, messages::see_the_studies());
    }
    if !(row.tolerance >= 0.0 && row.tolerance.is_finite()) {
        let fix = messages::use_0_or_more();
        problems.add(format!("{at}.tolerance"), messages::negative_tolerance(), fix);
    }
}

/// Checks that the points, levels and variants that a row names exist.
fn check_names(study: &Study, row: &Row, at: &str, levels: &[String], problems: &mut Problems) {
    let than = row.than.clone().unwrap_or_default();
    let points: Vec<String> = study.points.iter().map(|point| point.name.clone()).collect();
    let variants: Vec<String> = study.variants.iter().map(|v| v.name.clone()).collect();
    let mut check = |field: &str, name: Option<&String>, known: &[String]| {
        if let Some(name) = name.filter(|name| !known.contains(name)) {
            let fix = messages::use_a_name_of(known.join(", "));
            problems.add(format!("{at}.{field}"), messages::no_such_name(name), fix);
        }
    };
    let findings: Vec<String> = study.findings.iter().map(|claim| claim.id.clone()).collect();
    check("finding", row.finding.as_ref(), &findings);
    row.at.iter().for_each(|name| check("at", Some(name), &points));
    check("level", row.level.as_ref(), levels);
    check("than.level", than.level.as_ref(), levels);
    check("than.variant", than.variant.as_ref(), &variants);
    check("than.at", than.at.as_ref(), &points);
    let beyond = row.beyond.clone().unwrap_or_default();
    check("beyond.level", beyond.level.as_ref(), levels);
    let other = beyond.quantity.unwrap_or(row.quantity);
    let is_alike = other.is_per_level() == row.quantity.is_per_level()
        && other.measure() == row.quantity.measure();
    if row.beyond.is_some() && (row.than.is_none() || !is_alike) {
        let fix = messages::remove_it();
        problems.add(format!("{at}.beyond"), messages::beyond_of_comparisons(), fix);
    }
    let combines = row.quantity.combines_loads() || row.quantity.combines_points();
    if row.than.is_some() && (combines || row.over.is_some()) {
        let fix = messages::remove_it();
        problems.add(format!("{at}.than"), messages::than_of_one_figure(), fix);
    }
    if row.has_bounds() && !row.published.is_null() {
        let fix = messages::remove_it();
        problems.add(format!("{at}.published"), messages::finding_and_published(), fix);
    }
}

/// Puts a place in front of the places of problems.
pub fn in_place(place: &str, problems: Problems) -> Problems {
    problems.map_places(|at| format!("{place}: {at}").into())
}
