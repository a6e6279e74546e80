//! Published studies: measures their jobs, and puts what they found beside what was published.

use crate::protocol::papers::{LineShown, Paper, Verdict};
use crate::text::{catalogue, counted, decimal, exact, fill, message, text};
use hopscope_core::problem::Problems;
use hopscope_core::study::{Finding, Found, Line, Plan, Quantity, Study};
use std::collections::BTreeMap;

/// A published study, and what its jobs have found so far.
pub struct OpenPaper {
    study: Study,
    plan: Plan,
    found: BTreeMap<usize, Found>,
}

impl OpenPaper {
    /// A study with nothing found. `None` if there is no such study.
    pub fn new(paper: Paper) -> Option<OpenPaper> {
        let (study, plan) = paper.plan()?;
        Some(OpenPaper { study, plan, found: BTreeMap::new() })
    }

    /// Measures a job. Its result is its index and what it found, as JSON.
    pub fn run(&self, index: usize) -> Result<String, Problems> {
        let Some((_, job)) = self.plan.jobs.get(index) else { return Err(Problems::default()) };
        let found = job.run(&job.scenario(&self.study)?)?;
        Ok(serde_json::to_string(&(index, found)).expect("plain data has a JSON form"))
    }

    /// Keeps results of jobs.
    pub fn keep(&mut self, results: &[String]) {
        self.found.extend(results.iter().filter_map(|text| serde_json::from_str(text).ok()));
    }

    fn lines(&self) -> Vec<Line> {
        let lines = self.plan.lines(&self.study, &|job| self.found.get(&job));
        lines.into_iter().map(|(line, _)| line).collect()
    }

    /// The lines whose jobs have been measured, as `hopscope study --json` prints them.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(&self.lines()).expect("plain data has a JSON form") + "\n"
    }

    /// The same, as the page shows them.
    pub fn shown(&self) -> Vec<LineShown> {
        let variants = self.study.variants();
        let variant = |line: &Line| variants.get(line.variant).map_or("", |variant| &variant.name);
        self.lines().iter().map(|line| shown(line, variant(line))).collect()
    }
}

fn shown(line: &Line, variant: &str) -> LineShown {
    LineShown {
        quantity: message(&line.quantity.name()),
        what: what(line, variant),
        published: match &line.finding {
            Some(finding) => bounds(finding),
            None => line.published.map_or_else(none, exact),
        },
        ours: number(line, line.mean),
        spread: match &line.finding {
            Some(Finding { half_width: Some(width), .. }) => {
                format!("± {}", number(line, Some(*width)))
            }
            None if line.networks > 1 => {
                format!("{} … {}", number(line, line.min), number(line, line.max))
            }
            _ => String::new(),
        },
        difference: line.difference().map_or_else(none, |by| {
            let sign = if by > 0.0 { "+" } else { "" };
            format!("{sign}{}", in_its_unit(line.quantity, by, [1, 3]))
        }),
        tolerance: match line.published {
            Some(_) => format!("± {}", in_its_unit(line.quantity, line.tolerance, [0, 3])),
            None => none(),
        },
        verdict: Verdict::of(line),
        notes: notes(line),
    }
}

fn none() -> String {
    "–".into()
}

fn number(line: &Line, figure: Option<f64>) -> String {
    figure.map_or_else(none, |figure| decimal(figure, line.decimals() as u32))
}

/// A difference or a tolerance, with so many decimals: of percentages, and of other numbers.
fn in_its_unit(quantity: Quantity, by: f64, [percent, other]: [u32; 2]) -> String {
    match quantity {
        Quantity::LatencyIncrease => fill(text().percentage_points, &[&decimal(by, percent)]),
        quantity if quantity.is_difference() => decimal(by, other),
        _ => crate::text::percent(by, percent),
    }
}

/// The bounds of a finding.
fn bounds(finding: &Finding) -> String {
    let bound = |sign: &str, bound: Option<f64>| bound.map(|it| format!("{sign} {}", exact(it)));
    let bounds = [bound("≥", finding.at_least), bound("≤", finding.at_most)];
    bounds.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What a line is measured of: routing or title, network, load, service level and variant.
fn what(line: &Line, variant: &str) -> String {
    let t = text();
    let parts = [
        Some(catalogue::row_title(&line.label).to_owned()),
        line.switches.map(|count| counted(t.n_switches, count as usize)),
        line.bytes.map(|bytes| fill(t.messages_of_bytes, &[&bytes])),
        line.load.map(|load| fill(t.at_load, &[&exact(load)])),
        line.at.clone(),
        line.level.clone(),
        Some(catalogue::row_title(variant).to_owned()).filter(|name| !name.is_empty()),
        line.than.as_ref().map(|than| fill(t.against, &[than])),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn notes(line: &Line) -> String {
    let t = text();
    let met = [(line.deadlocked, t.deadlock_in), (line.itb_memory_full, t.itb_memory_full_in)];
    let met = met.into_iter().filter(|(networks, _)| *networks > 0);
    met.map(|(count, words)| fill(words, &[&count, &line.networks])).collect::<Vec<_>>().join(", ")
}
