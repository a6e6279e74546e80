//! Published studies: measures their jobs, and puts what they found beside what was published.

use crate::protocol::papers::{LineShown, Paper, VerdictShown};
use crate::text::{catalogue, counted, decimal, exact, fill, message, text};
use hopscope_core::experiment::{PROGRAM_VERSION, hash};
use hopscope_core::problem::Problems;
use hopscope_core::study::{Finding, Found, Line, Plan, Quantity, Study, Verdict, published};
use hopscope_figures::{Figure, Provenance, StudyRow, study_figures};
use std::collections::BTreeMap;

/// A published study, and what its jobs have found so far.
pub struct OpenPaper {
    paper: Paper,
    study: Study,
    plan: Plan,
    found: BTreeMap<usize, Found>,
}

impl OpenPaper {
    /// A study with nothing found. `None` if there is no such study.
    pub fn new(paper: Paper) -> Option<OpenPaper> {
        let (study, plan) = paper.plan()?;
        Some(OpenPaper { paper, study, plan, found: BTreeMap::new() })
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

    /// Whether lines get verdicts. Small counts judge no findings: runs are as short as the bursts
    /// of some traffic, and few.
    pub fn judges(&self) -> bool {
        !self.paper.is_small || self.study.findings.is_empty()
    }

    /// The lines whose jobs have been measured, each with the name of its variant.
    fn lines(&self) -> Vec<(Line, String)> {
        let variants = self.study.variants();
        let lines = self.plan.lines(&self.study, &|job| self.found.get(&job)).into_iter();
        let named = lines.map(|(line, _)| {
            let within = line.within.filter(|_| self.judges());
            let line = Line { within, ..line };
            let variant = variants.get(line.variant).map(|variant| variant.name.clone());
            (line, variant.unwrap_or_default())
        });
        named.collect()
    }

    /// The lines whose jobs have been measured, as a file. Its words are English and its numbers
    /// have a decimal point in every language, so that programs can read it.
    pub fn csv(&self) -> String {
        let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
        let from = self.provenance();
        let mut csv = CSV_HEAD.to_owned();
        for (line, variant) in self.lines() {
            let word = |word: &Option<String>| quoted(word.as_deref().unwrap_or_default());
            let (quantity, label) = (line.quantity.name().to_string(), quoted(&line.label));
            let cells = [
                quoted(&quantity),
                label,
                cell(line.switches),
                cell(line.bytes),
                cell(line.load),
                word(&line.at),
                word(&line.level),
                quoted(&variant),
                quoted(&than(&line)),
                cell(line.published),
                cell(line.published.map(|_| line.tolerance)),
                cell(line.mean),
                cell(line.min),
                cell(line.max),
                line.networks.to_string(),
                line.deadlocked.to_string(),
                line.saturated.to_string(),
                line.unsettled.to_string(),
                line.incomplete.to_string(),
                cell(line.within),
                from.scenario.clone(),
                from.version.clone(),
                from.fingerprint.clone(),
            ];
            csv += &(cells.join(",") + "\n");
        }
        csv
    }

    /// The lines whose jobs have been measured, as the page shows them.
    pub fn shown(&self) -> Vec<LineShown> {
        let judges = self.judges();
        self.lines().iter().map(|(line, variant)| shown(line, variant, judges)).collect()
    }

    /// What becomes of the findings by the lines whose jobs have been measured.
    pub fn verdicts(&self) -> Vec<VerdictShown> {
        if !self.judges() {
            return Vec::new();
        }
        let lines = self.lines();
        let verdicts = self.study.verdicts(lines.iter().map(|(line, _)| line)).into_iter();
        let shown = verdicts.map(|verdict| VerdictShown {
            rows: rows_of(&verdict, &lines),
            finding: catalogue::finding(&verdict.text).to_owned(),
            id: verdict.id,
            holds: verdict.holds,
        });
        shown.collect()
    }

    /// The figures of the lines, one for each quantity, and one for each of its comparisons.
    pub fn figures(&self) -> Vec<Figure> {
        let study = published().get(self.paper.index);
        let title = study.map(|study| catalogue::study_name(study, &self.study.name));
        let title = title.unwrap_or_default();
        let lines = self.lines();
        let rows: Vec<StudyRow> = lines
            .iter()
            .enumerate()
            .map(|(index, (line, variant))| StudyRow {
                name: category(line, variant),
                index,
                variant,
                load: self.study.load_of(line.at.as_deref()),
                line,
            })
            .collect();
        study_figures(&title, &rows, &self.provenance())
    }

    fn provenance(&self) -> Provenance {
        let study = published().get(self.paper.index);
        let found = serde_json::to_string(&self.found).expect("plain data has a JSON form");
        Provenance {
            scenario: study.map_or("", |study| study.id).into(),
            version: PROGRAM_VERSION.into(),
            seeds: vec![1, self.study.networks],
            experiment: self.paper.key(),
            fingerprint: hash(found.as_bytes()),
        }
    }
}

const CSV_HEAD: &str = "quantity,row,switches,bytes,load,at,level,variant,than,published,tolerance,\
    ours,least,greatest,networks,deadlocked,saturated,unsettled,incomplete,agrees,\
    study,version,fingerprint\n";

/// What a line is compared with, and whose difference is subtracted, in English.
fn than(line: &Line) -> String {
    let than = line.than.clone().unwrap_or_default();
    let Some(beyond) = &line.beyond else { return than };
    let quantity = beyond.quantity.map(|quantity| quantity.name().to_string());
    let other = quantity.or(beyond.level.clone()).unwrap_or_default();
    format!("{than}, less that of {other}")
}

fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// How many rows of a finding hold, and the first by which it fails.
fn rows_of(verdict: &Verdict, lines: &[(Line, String)]) -> String {
    let t = text();
    let Verdict { judged, hold, fail, undecided, .. } = verdict;
    let some = |words, count: usize| (count > 0).then(|| counted(words, count));
    let failure = fail.first().map(|&index| {
        let (line, variant) = &lines[index];
        let ours = number(line, line.mean);
        fill(t.fails_by, &[&what(line, variant), &ours, &expected(line)])
    });
    let more = fail.len().checked_sub(2).map(|more| counted(t.n_more_rows, more + 1));
    let parts = [
        Some(fill(t.n_of_rows_hold, &[hold, judged])),
        some(t.n_rows_fail, fail.len()),
        some(t.n_rows_undecided, *undecided),
    ];
    let counts = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    [Some(counts), failure, more].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The bounds of a line, or the published figure.
fn expected(line: &Line) -> String {
    match &line.finding {
        Some(finding) => bounds(finding),
        None => line.published.map_or_else(none, exact),
    }
}

fn shown(line: &Line, variant: &str, judges: bool) -> LineShown {
    let published = expected(line);
    let spread = match &line.finding {
        Some(Finding { half_width: Some(width), .. }) => {
            format!("± {}", number(line, Some(*width)))
        }
        None if line.networks > 1 && line.min.is_some() => {
            format!("{} … {}", number(line, line.min), number(line, line.max))
        }
        _ => String::new(),
    };
    let difference = line.difference().map_or_else(none, |by| {
        let sign = if by > 0.0 { "+" } else { "" };
        format!("{sign}{}", in_its_unit(line.quantity, by, [1, 3]))
    });
    let tolerance = match line.published {
        Some(_) => format!("± {}", in_its_unit(line.quantity, line.tolerance, [0, 3])),
        None => none(),
    };
    let (quantity, ours) = (message(&line.quantity.name()), number(line, line.mean));
    let cells = [quantity, what(line, variant), published, ours, spread, difference, tolerance];
    LineShown {
        cells: cells.into_iter().chain([verdict(line, judges)]).collect(),
        places: line.in_tolerances(),
        agrees: line.within,
        is_undecided: judges && line.is_undecided(),
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
        line.beyond.as_ref().map(|other| {
            let quantity = other.quantity.map(|quantity| message(&quantity.name()));
            let of = quantity.or(other.level.clone()).unwrap_or_default();
            fill(t.less_that_of, &[&of])
        }),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The same below a bar, where little room is: what tells bars apart stands first.
fn category(line: &Line, variant: &str) -> String {
    let all = what(line, variant);
    let Some(level) = &line.level else { return all };
    let short = level.split_whitespace().next().unwrap_or_default();
    let variant = catalogue::row_title(variant);
    [short, variant, &all].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The verdict, with what runs met beyond what the network takes, and those that were not steady.
/// Signs are not the only cue.
fn verdict(line: &Line, judges: bool) -> String {
    let t = text();
    let verdict = match (line.finding.is_some(), line.within) {
        (is_finding, _) if !judges && (is_finding || line.published.is_some()) => t.not_judged,
        (true, _) if !line.is_judged() => t.cannot_fail,
        (false, Some(true)) => t.within_tolerance,
        (false, Some(false)) => t.outside_tolerance,
        (false, None) => t.not_published,
        (true, Some(true)) => t.finding_holds,
        (true, Some(false)) => t.finding_fails,
        (true, None) => t.finding_undecided,
    };
    let mut verdict = verdict.to_owned();
    let met = [
        (line.deadlocked, t.deadlock_in),
        (line.itb_memory_full, t.itb_memory_full_in),
        (line.saturated, t.saturated_in),
        (line.unsettled, t.unsettled_in),
        (line.incomplete, t.incomplete_in),
    ];
    for (count, words) in met.into_iter().filter(|(count, _)| *count > 0) {
        verdict += &format!(", {}", fill(words, &[&count, &line.networks]));
    }
    verdict
}
