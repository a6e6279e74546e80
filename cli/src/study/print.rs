//! The lines of a study as text, and as Markdown tables.

use hopscope_core::study::{Finding, Line, Measure, Quantity, Study, Variant, Verdict};
use std::collections::BTreeSet;
use std::fmt::Write;

/// For a terminal: a line per figure.
pub fn text(study: &Study, lines: &[Line]) -> String {
    let what = replications(study);
    let mut text = format!("{}\n{}\n", study.name, networks(lines, what));
    let variants = study.variants();
    let labels: Vec<String> = lines.iter().map(|line| told_row(line, &variants)).collect();
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let mut quantity = None;
    for (line, label) in lines.iter().zip(&labels) {
        if quantity != Some(line.quantity) {
            quantity = Some(line.quantity);
            let _ = writeln!(text, "\n{}", line.quantity.name());
            let _ = writeln!(
                text,
                "switches  bytes {:<width$}   ours: min    mean     max  published  difference",
                ""
            );
        }
        let size = |n: Option<u32>| n.map_or("–".into(), |n| n.to_string());
        let _ = write!(text, "{:>8} {:>6} {label:<width$}", size(line.switches), size(line.bytes));
        for (figure, width) in [(line.min, 11), (line.mean, 7), (line.max, 7)] {
            let _ = write!(text, " {:>width$}", number(line, figure));
        }
        text += &match (line.published, line.within) {
            _ if line.finding.is_some() => {
                format!("  {}", told_finding(line).map_or(String::new(), |told| told.join("  ")))
            }
            (Some(published), Some(within)) => {
                let verdict = if within { "within tolerance" } else { "OUTSIDE tolerance" };
                format!(" {published:>10} {:>12}  {verdict}", told_difference(line))
            }
            _ => "          –            –  not published".to_owned(),
        };
        text += &notes(line, str::to_uppercase, what);
        text.push('\n');
    }
    if !study.findings.is_empty() {
        text += "\nFindings\n";
    }
    for verdict in study.verdicts(lines.iter()) {
        let Verdict { id, text: claim, .. } = &verdict;
        let _ = writeln!(text, "{id:<3}{:<10} {claim}", told_state(&verdict));
        let _ = writeln!(text, "{:14}{}", "", told_counts(&verdict));
        if let Some(failure) = told_failure(&verdict, lines, &variants) {
            let _ = writeln!(text, "{:14}fails: {failure}", "");
        }
    }
    if let Some(summary) = summary(study, lines) {
        let _ = write!(text, "\n{summary}\n");
    }
    text
}

/// Whether a finding holds.
fn told_state(verdict: &Verdict) -> &'static str {
    match verdict.holds {
        _ if verdict.judged == 0 => "not judged",
        Some(true) => "holds",
        Some(false) => "fails",
        None => "undecided",
    }
}

/// Of a finding: how many of its rows hold.
fn told_counts(verdict: &Verdict) -> String {
    let Verdict { judged, hold, fail, undecided, .. } = verdict;
    let mut text = format!("{hold} of {judged} rows hold");
    match fail.len() {
        0 => {}
        1 => text += ", 1 does not",
        several => text += &format!(", {several} do not"),
    }
    if *undecided > 0 {
        let _ = write!(text, ", {undecided} undecided");
    }
    text
}

/// The first row by which a finding fails, and how many more there are.
fn told_failure(verdict: &Verdict, lines: &[Line], variants: &[Variant]) -> Option<String> {
    let line = &lines[*verdict.fail.first()?];
    let ours = number(line, line.mean);
    let expected = match (told_finding(line), line.published) {
        (Some([interval, bounds, _]), _) => format!("{ours} {interval}, not {bounds}"),
        (None, Some(published)) => format!("{ours}, not {published} ± {}", told_tolerance(line)),
        (None, None) => ours,
    };
    let more = match verdict.fail.len() - 1 {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    Some(format!("{}: {expected}{more}", told_row(line, variants)))
}

/// What is left to say of rows with bounds: how many hold, if no claims of the study count them,
/// and why some are not decided.
fn summary(study: &Study, lines: &[Line]) -> Option<String> {
    let findings: Vec<&Line> = lines.iter().filter(|line| line.finding.is_some()).collect();
    let judged = || findings.iter().filter(|line| line.is_judged());
    let count = |verdict| judged().filter(|line| line.within == verdict).count();
    let [holds, fails, undecided] = [Some(true), Some(false), None].map(count);
    let mut text = Vec::new();
    if study.findings.is_empty() && !findings.is_empty() {
        text.push(format!("Findings: {holds} hold, {fails} do not, {undecided} are undecided."));
    }
    if undecided > 0 && findings[0].networks == 1 {
        text.push(
            "Undecided: one replication has no confidence interval, which two or more have.".into(),
        );
    } else if undecided > 0 {
        text.push(
            "Undecided: the bound lies within the 90 % confidence interval of the mean.".into(),
        );
    }
    if judged().count() < findings.len() {
        text.push("Cannot fail: no latency can be as large as the bound in runs so short.".into());
    }
    (!text.is_empty()).then(|| text.join("\n"))
}

/// What the seeds of a study are.
fn replications(study: &Study) -> &'static str {
    if study.draws_networks() { "networks" } else { "replications" }
}

/// Routing or title, load, service level and variant.
fn told_row(line: &Line, variants: &[Variant]) -> String {
    let variant = &variants[line.variant].name;
    let parts = [
        line.load.map(|load| format!("load {load}")),
        line.at.clone(),
        line.level.clone(),
        Some(variant.clone()).filter(|name| !name.is_empty()),
        line.than.as_ref().map(|than| format!("against {than}")),
        beyond(line).map(|other| format!("less that of {other}")),
    ];
    let parts = parts.into_iter().flatten().map(|part| format!(", {part}"));
    line.label.clone() + &parts.collect::<String>()
}

/// The level or the quantity whose difference is subtracted.
fn beyond(line: &Line) -> Option<String> {
    let beyond = line.beyond.as_ref()?;
    let quantity = beyond.quantity.map(|quantity| quantity.name().to_string());
    quantity.into_iter().chain(beyond.level.clone()).reduce(|a, b| format!("{a}, {b}"))
}

fn networks(lines: &[Line], what: &str) -> String {
    match lines.first().map_or(1, |line| line.networks) {
        1 => format!("one {}", what.trim_end_matches('s')),
        n => format!("means over {n} {what}"),
    }
}

/// What runs met beyond what the network takes, and those that were not steady.
fn notes(line: &Line, write: fn(&str) -> String, replications: &str) -> String {
    let mut notes = String::new();
    for (networks, what) in [
        (line.deadlocked, "deadlock"),
        (line.itb_memory_full, "ITB memory full"),
        (line.saturated, "saturated"),
        (line.unsettled, "unsettled"),
        (line.incomplete, "not finished"),
    ] {
        if networks > 0 {
            notes += "  ";
            notes += &write(what);
            if line.networks > 1 {
                let _ = write!(notes, " in {networks} of {} {replications}", line.networks);
            }
        }
    }
    notes
}

fn number(line: &Line, figure: Option<f64>) -> String {
    figure.map_or("–".into(), |figure| format!("{figure:.*}", line.decimals()))
}

/// Of a finding: its interval, the bound, and whether it holds.
fn told_finding(line: &Line) -> Option<[String; 3]> {
    let Finding { at_least, at_most, half_width, .. } = line.finding.as_ref()?;
    let bound = |sign: &str, bound: &Option<f64>| bound.map(|bound| format!("{sign} {bound}"));
    let bounds = [bound("≥", at_least), bound("≤", at_most)];
    let verdict = match line.within {
        _ if !line.is_judged() => "cannot fail",
        Some(true) => "holds",
        Some(false) => "DOES NOT HOLD",
        None => "undecided",
    };
    Some([
        format!("± {}", number(line, *half_width)),
        bounds.into_iter().flatten().collect::<Vec<_>>().join(", "),
        verdict.to_owned(),
    ])
}

/// The difference, in points or percent.
fn told_difference(line: &Line) -> String {
    let Some(by) = line.difference() else { return "–".into() };
    match line.quantity {
        Quantity::LatencyIncrease => format!("{by:+.1} points"),
        quantity if quantity.is_difference() => format!("{by:+.3}"),
        _ => format!("{:+.1} %", 100.0 * by),
    }
}

fn told_tolerance(line: &Line) -> String {
    match line.quantity {
        _ if line.published.is_none() => String::new(),
        Quantity::LatencyIncrease => format!("{} points", line.tolerance),
        quantity if quantity.is_difference() => line.tolerance.to_string(),
        _ => format!("{} %", (100.0 * line.tolerance).round()),
    }
}

fn told_verdict(line: &Line) -> &'static str {
    match line.within {
        Some(true) => "yes",
        Some(false) => "**no**",
        None => "",
    }
}

/// For a document: a table per quantity.
pub fn markdown(study: &Study, name: &str, lines: &[Line]) -> String {
    let mut text = format!(
        "*{}.*\n`hopscope study scenarios/studies/{name}.json`, {}.\n",
        study.name.trim_end_matches('.'),
        networks(lines, replications(study))
    );
    let of_table = |a: &Line, b: &Line| match (&a.finding, &b.finding) {
        (None, None) => (a.quantity, &a.than) == (b.quantity, &b.than),
        (a, b) => a.is_some() && b.is_some(),
    };
    for group in lines.chunk_by(of_table) {
        let quantity = group[0].quantity;
        let is_findings = group[0].finding.is_some();
        let title = match &group[0].than {
            _ if is_findings => "findings".to_owned(),
            Some(than) => format!("{}, difference from {than}, %", quantity.name()),
            None => quantity.name().to_string(),
        };
        let _ = write!(text, "\n{}:\n\n", capitalised(&title));
        let rows = if is_findings && group.iter().any(|line| line.at.is_some()) {
            findings_at_points(study, group)
        } else if is_findings {
            findings(study, group)
        } else if quantity.is_per_level() {
            per_level(study, group)
        } else {
            plain(study, group)
        };
        for (i, row) in rows.iter().enumerate() {
            let _ = writeln!(text, "| {} |", row.join(" | "));
            if i == 0 {
                let _ = writeln!(text, "|{}", " --- |".repeat(row.len()));
            }
        }
        if let Some(summary) = summary(study, group) {
            let _ = write!(text, "\n{summary}\n");
        }
    }
    text + &verdicts(study, lines)
}

/// The table of what becomes of a study's findings.
fn verdicts(study: &Study, lines: &[Line]) -> String {
    let variants = study.variants();
    if study.findings.is_empty() {
        return String::new();
    }
    let mut text =
        "\nVerdicts:\n\n|  | finding | verdict | rows |\n| --- | --- | --- | --- |\n".to_owned();
    for verdict in study.verdicts(lines.iter()) {
        let Verdict { id, text: claim, .. } = &verdict;
        let failure = told_failure(&verdict, lines, &variants);
        let failure = failure.map_or(String::new(), |failure| format!("; fails: {failure}"));
        let (state, counts) = (told_state(&verdict), told_counts(&verdict));
        let _ = writeln!(text, "| {id} | {claim} | {state} | {counts}{failure} |");
    }
    text
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A table of quantities with one figure: the first variant in full, the others beside it.
fn plain(study: &Study, group: &[Line]) -> Vec<Vec<String>> {
    let variants = study.variants();
    type Column = (&'static str, fn(&Line) -> String);
    let columns: [Column; 4] = [
        ("", |line| line.label.clone()),
        ("switches", |line| line.switches.map_or(String::new(), |n| n.to_string())),
        ("bytes", |line| line.bytes.map_or(String::new(), |n| n.to_string())),
        ("load", |line| line.load.map_or(String::new(), |load| load.to_string())),
    ];
    let used: Vec<&Column> = columns
        .iter()
        .filter(|(_, cell)| group.iter().any(|line| !cell(line).is_empty()))
        .collect();
    let several = group[0].networks > 1;
    let first = match &*variants[0].name {
        "" => "ours".to_owned(),
        name => format!("ours, {name}"),
    };
    let mut head: Vec<String> = used.iter().map(|(name, _)| (*name).into()).collect();
    head.push(if several { format!("{first}: mean") } else { first });
    if several {
        head.extend(["min".into(), "max".into()]);
    }
    let judged = group.iter().any(|line| line.published.is_some());
    if judged {
        head.extend(["published", "difference", "tolerance", "within"].map(str::to_owned));
    }
    for variant in &variants[1..] {
        head.push(format!("{}: mean", variant.name));
        if judged {
            head.extend(["difference", "within"].map(str::to_owned));
        }
    }
    let what = replications(study);
    let has_notes = group.iter().any(|line| !notes(line, str::to_owned, what).is_empty());
    if has_notes {
        let is_search = group[0].quantity.measure() == Measure::Saturation;
        head.push(if is_search { "in the search" } else { "in the runs" }.into());
    }
    let mut rows = vec![head];
    for lines in group.chunk_by(|a, b| (a.row, a.load) == (b.row, b.load)) {
        let line = &lines[0];
        let mut row: Vec<String> = used.iter().map(|(_, cell)| cell(line)).collect();
        row.push(number(line, line.mean));
        if several {
            row.extend([number(line, line.min), number(line, line.max)]);
        }
        if judged {
            let published = line.published.map_or("–".into(), |published| published.to_string());
            let verdict = told_verdict(line).into();
            row.extend([published, told_difference(line), told_tolerance(line), verdict]);
        }
        for line in &lines[1..] {
            row.push(number(line, line.mean));
            if judged {
                row.extend([told_difference(line), told_verdict(line).into()]);
            }
        }
        if has_notes {
            let told = lines.iter().map(|line| {
                let notes = notes(line, str::to_owned, what);
                match &*variants[line.variant].name {
                    _ if notes.is_empty() => notes,
                    "" => notes.trim().replace("  ", ", "),
                    name => format!("{name}: {}", notes.trim().replace("  ", ", ")),
                }
            });
            let told: Vec<String> = told.filter(|notes| !notes.is_empty()).collect();
            row.push(told.join("; "));
        }
        rows.push(row);
    }
    rows
}

/// A table of findings.
fn findings(study: &Study, group: &[Line]) -> Vec<Vec<String>> {
    let variants = study.variants();
    let head = ["", "at", "level", "variant", "quantity", "against", "mean", "interval"];
    let head = head.into_iter().chain(["finding", "holds"]).map(str::to_owned);
    let row = |line: &Line| {
        let [interval, bound, holds] = told_finding(line).unwrap_or_default();
        let than = line.than.as_ref().map(|than| format!("{than}, %"));
        vec![
            line.label.clone(),
            line.at.clone().unwrap_or_default(),
            line.level.clone().unwrap_or_default(),
            variants[line.variant].name.clone(),
            line.quantity.name().to_string(),
            than.unwrap_or_default(),
            number(line, line.mean),
            interval,
            bound,
            if line.within == Some(false) { "**no**".into() } else { holds },
        ]
    };
    std::iter::once(head.collect()).chain(group.iter().map(row)).collect()
}

/// A table of findings at several points: a row per finding, a column per point. What fails is
/// bold, what is undecided is followed by a question mark, what cannot fail is in brackets.
fn findings_at_points(study: &Study, group: &[Line]) -> Vec<Vec<String>> {
    let variants = study.variants();
    let used: BTreeSet<&str> = group.iter().filter_map(|line| line.at.as_deref()).collect();
    let points = study.points.iter().map(|point| &*point.name);
    let points: Vec<Option<&str>> = points.filter(|name| used.contains(name)).map(Some).collect();
    let elsewhere = group.iter().any(|line| line.at.is_none()).then_some(None);
    let columns: Vec<Option<&str>> = points.into_iter().chain(elsewhere).collect();
    let mut head: Vec<String> =
        ["", "level", "variant", "quantity", "against", "finding"].map(str::to_owned).to_vec();
    head.extend(columns.iter().map(|at| at.unwrap_or("mean").to_owned()));
    let mut rows = vec![head];
    // Lines that differ in their point only, in the order in which the first of them stand.
    let key = |line: &Line| {
        let than = line.than.clone().filter(|than| study.point(than).is_none());
        let bounds = told_finding(line).map(|[_, bounds, _]| bounds);
        let what = (line.label.clone(), line.level.clone(), line.variant, line.quantity as usize);
        (what, than, beyond(line), bounds)
    };
    let mut findings: Vec<Vec<&Line>> = Vec::new();
    for line in group {
        match findings.iter_mut().find(|lines| key(lines[0]) == key(line)) {
            Some(lines) => lines.push(line),
            None => findings.push(vec![line]),
        }
    }
    for lines in findings {
        let first = lines[0];
        let against: BTreeSet<String> = lines.iter().filter_map(|line| line.than.clone()).collect();
        let against = match against.len() {
            0 => String::new(),
            1 => format!("{}, %", against.first().map_or("", String::as_str)),
            _ => "the load before, %".into(),
        };
        let other = beyond(first).map_or(String::new(), |other| format!(", less that of {other}"));
        let [_, bounds, _] = told_finding(first).unwrap_or_default();
        let mut row = vec![
            first.label.clone(),
            first.level.clone().unwrap_or_default(),
            variants[first.variant].name.clone(),
            first.quantity.name().to_string(),
            against + &other,
            bounds,
        ];
        row.extend(columns.iter().map(|at| {
            let here = lines.iter().find(|line| line.at.as_deref() == *at);
            here.map_or(String::new(), |line| cell_of_finding(line))
        }));
        rows.push(row);
    }
    rows
}

/// Mean and interval of a finding, with its verdict as the way they are written.
fn cell_of_finding(line: &Line) -> String {
    let [interval, ..] = told_finding(line).unwrap_or_default();
    let told = format!("{} {interval}", number(line, line.mean));
    match line.within {
        _ if !line.is_judged() => format!("({told})"),
        Some(true) => told,
        Some(false) => format!("**{told}**"),
        None => format!("{told} ?"),
    }
}

/// A table of quantities with a figure per service level, with the published one in brackets.
fn per_level(study: &Study, group: &[Line]) -> Vec<Vec<String>> {
    let variants = study.variants();
    let of_row =
        |a: &Line, b: &Line| (a.row, a.load, &a.at, a.variant) == (b.row, b.load, &b.at, b.variant);
    let has_loads = group.iter().any(|line| line.load.is_some() || line.at.is_some());
    let judged = group.iter().any(|line| line.published.is_some());
    let what = replications(study);
    let has_notes = group.iter().any(|line| !notes(line, str::to_owned, what).is_empty());
    let mut rows = Vec::new();
    for lines in group.chunk_by(of_row) {
        if rows.is_empty() {
            let mut head = vec![String::new()];
            head.extend(has_loads.then(|| "load".to_owned()));
            head.extend((variants.len() > 1).then(String::new));
            head.extend(lines.iter().map(|line| line.level.clone().unwrap_or_default()));
            if judged {
                head.extend(["tolerance".to_owned(), "within".to_owned()]);
            }
            head.extend(has_notes.then(|| "in the runs".to_owned()));
            rows.push(head);
        }
        let mut row = vec![lines[0].label.clone()];
        let load = lines[0].load.map(|load| load.to_string());
        row.extend(has_loads.then(|| load.or(lines[0].at.clone()).unwrap_or_default()));
        row.extend((variants.len() > 1).then(|| variants[lines[0].variant].name.clone()));
        row.extend(lines.iter().map(|line| {
            let ours = number(line, line.mean);
            let ours = if line.within == Some(false) { format!("**{ours}**") } else { ours };
            line.published.map_or(ours.clone(), |published| format!("{ours} ({published})"))
        }));
        if judged {
            row.push(lines.iter().map(told_tolerance).find(|t| !t.is_empty()).unwrap_or_default());
            let verdicts: Vec<bool> = lines.iter().filter_map(|line| line.within).collect();
            row.push(match verdicts.iter().all(|within| *within) {
                _ if verdicts.is_empty() => String::new(),
                true => "yes".into(),
                false => "**no**".into(),
            });
        }
        // The levels of a row are of the same runs.
        let told = notes(&lines[0], str::to_owned, what);
        row.extend(has_notes.then(|| told.trim().replace("  ", ", ")));
        rows.push(row);
    }
    rows
}
