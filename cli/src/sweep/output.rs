//! What is made of complete results: tables, JSON and figures.

use super::partial::Partial;
use crate::files::{self, Failure};
use crate::messages;
use crate::outcome::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hopscope_core::experiment::{
    Experiment, FigureKind, LatencyFrom, Merge, PointResult, ResultsHeader, Rows, Table,
    write_results,
};
use hopscope_core::json;
use hopscope_core::message::Message;
use hopscope_core::problem::Problems;
use hopscope_figures::{Figure, Style, Theme, figure};
use std::cell::RefCell;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The figure that is wanted.
#[derive(clap::Args)]
pub struct FigureOptions {
    /// Draw a figure: .svg; its numbers as .csv; both as .json. May be given several times
    #[arg(long, value_name = "FILE")]
    figure: Vec<PathBuf>,
    /// Kind of figure, instead of the one that the experiment names or its axes suggest
    #[arg(long, value_name = "KIND", value_parser = kinds())]
    figure_kind: Option<FigureKind>,
    /// Show latency from generation instead of from injection
    #[arg(long)]
    figure_total: bool,
    /// Logarithmic axis of latencies
    #[arg(long)]
    figure_log: bool,
    /// Colours and sizes of the figure
    #[arg(long, value_name = "THEME", value_parser = themes(), default_value = "light")]
    figure_theme: Theme,
}

fn kinds() -> impl TypedValueParser<Value = FigureKind> {
    PossibleValuesParser::new(FigureKind::ALL.map(FigureKind::word))
        .map(|word| FigureKind::ALL.into_iter().find(|kind| kind.word() == word).unwrap())
}

fn themes() -> impl TypedValueParser<Value = Theme> {
    PossibleValuesParser::new(["light", "dark", "projector"]).map(|word| match &*word {
        "dark" => Theme::Dark,
        "projector" => Theme::Projector,
        _ => Theme::Light,
    })
}

impl FigureOptions {
    /// The files must have names that tell their format, which is found out before a long sweep.
    pub fn check(&self) -> Result<()> {
        let mut problems = Problems::default();
        for path in &self.figure {
            if !matches!(extension(path), "svg" | "csv" | "json") {
                let at = format!("--figure {}", path.display());
                problems.add(at, messages::figure_of_no_kind(), messages::name_figure_so());
            }
        }
        problems.or(())
    }

    /// Sets what is plotted.
    pub fn apply(&self, experiment: &mut Experiment) {
        let plot = &mut experiment.figure;
        plot.kind = self.figure_kind.or(plot.kind);
        plot.logarithmic |= self.figure_log;
        if self.figure_total {
            plot.latency = LatencyFrom::Total;
        }
    }

    fn write(&self, figure: &Figure) -> Result<()> {
        let words = |message: &Message| message.to_string();
        let style = Style { theme: self.figure_theme, ..Style::default() };
        for path in &self.figure {
            let text = match extension(path) {
                "csv" => figure.to_csv(&words).expect("memory takes all"),
                "json" => json::indented(figure),
                _ => figure.draw(&style, &words).svg,
            };
            files::write_whole(path, &text)?;
        }
        Ok(())
    }
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// Results of an experiment in one or several files of one version.
pub struct Store {
    files: Vec<(Partial, RefCell<File>)>,
    merge: Merge,
    /// File and line of every point that has a result, by point.
    places: Vec<(usize, usize, usize)>,
}

impl Store {
    /// Opens files of results, and checks that they belong together.
    pub fn read(paths: &[PathBuf]) -> Result<Self> {
        let mut store = Self { files: Vec::new(), merge: Merge::default(), places: Vec::new() };
        for path in paths {
            let Some(partial) = Partial::read(path)? else { continue };
            let file = File::open(path).map_err(|error| files::not_read(path, &error))?;
            store.merge.add_file(&path.display().to_string(), &partial.header)?;
            for (line, of) in partial.lines.iter().enumerate() {
                store.merge.add_point(of.point)?;
                store.places.push((of.point, store.files.len(), line));
            }
            store.files.push((partial, RefCell::new(file)));
        }
        store.places.sort_unstable();
        Ok(store)
    }

    /// Points that have a result.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether every point has a result.
    pub fn is_complete(&self) -> bool {
        self.merge.is_complete()
    }

    /// Checks that there are results, and that every point has one.
    pub fn check_complete(&self) -> Result<()> {
        if self.files.is_empty() {
            let fix = messages::name_results();
            return Err(Problems::one("file", messages::no_results_in_folder(), fix));
        }
        self.merge.check_complete()
    }

    /// Writes tables into a folder, if one is given, and figures.
    pub fn write(&self, out: Option<&Path>, options: &FigureOptions) -> Result<()> {
        let mut header: ResultsHeader =
            self.merge.header().expect("complete results have a file").clone();
        options.apply(&mut header.experiment);
        if let Some(out) = out {
            self.write_tables(out, &header)?;
        }
        if !options.figure.is_empty() {
            let results = self.results().map(|result| result.map(without_flows));
            let results = results.collect::<Result<Vec<PointResult>>>()?;
            options.write(&figure(&header, &results)?)?;
        }
        Ok(())
    }

    /// Writes `results.csv` and `results.json`. If a point has several levels, they have a table of
    /// their own; so have flows, which only then are in the JSON.
    fn write_tables(&self, out: &Path, header: &ResultsHeader) -> Result<()> {
        let [mut points, mut levels, mut flows] =
            [Rows::Points, Rows::Levels, Rows::Flows].map(|rows| Table::new(header, rows));
        self.results().try_for_each(|result| -> Result<()> {
            let result = result?;
            [&mut points, &mut levels, &mut flows].into_iter().for_each(|table| table.add(&result));
            Ok(())
        })?;
        self.write_table(&out.join("results.csv"), &points)?;
        for (name, table) in [("levels.csv", &levels), ("flows.csv", &flows)] {
            let path = out.join(name);
            if table.has_parts() {
                self.write_table(&path, table)?;
            } else {
                // One of other results may be there.
                let _ = std::fs::remove_file(path);
            }
        }
        files::write_whole_with(&out.join("results.json"), |file| {
            let kept = |result| if flows.has_parts() { result } else { without_flows(result) };
            let results = self.results().map(|result| result.map(kept).map_err(Failure::Problems));
            write_results(file, header, results)
        })
    }

    fn write_table(&self, path: &Path, table: &Table) -> Result<()> {
        files::write_whole_with(path, |file| {
            let mut writer = csv::Writer::from_writer(file);
            writer.write_record(table.head()).map_err(std::io::Error::from)?;
            for result in self.results() {
                for row in table.rows(&result?) {
                    writer.write_record(row).map_err(std::io::Error::from)?;
                }
            }
            Ok(writer.flush()?)
        })
    }

    /// All results, by point.
    fn results(&self) -> impl Iterator<Item = Result<PointResult>> {
        self.places.iter().map(|&(_, file, line)| {
            let (partial, file) = &self.files[file];
            partial.result(&mut file.borrow_mut(), line)
        })
    }
}

fn without_flows(result: PointResult) -> PointResult {
    PointResult { flows: Vec::new(), ..result }
}
