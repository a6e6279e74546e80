//! Files of partial results: a header, and a line per point that has ended.
//!
//! A sweep that is killed leaves whole lines and at most a part of one, which is dropped when the
//! sweep goes on.

use crate::files;
use crate::messages;
use crate::outcome::Result;
use hopscope_core::experiment::{PROGRAM_VERSION, PointResult, ResultsHeader, Shard};
use hopscope_core::message::Message;
use hopscope_core::problem::Problems;
use serde::Deserialize;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The folder of a sweep's results; a temporary one is removed at the end.
pub struct Folder {
    path: PathBuf,
    is_temporary: bool,
}

impl Folder {
    /// The folder, made if it is not there. Without a path a temporary one.
    pub fn open(path: Option<&Path>) -> Result<Self> {
        let temporary = || std::env::temp_dir().join(format!("hopscope-{}", std::process::id()));
        let folder =
            Self { path: path.map_or_else(temporary, PathBuf::from), is_temporary: path.is_none() };
        std::fs::create_dir_all(&folder.path).map_err(|error| folder.failed(&error))?;
        Ok(folder)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The file of a shard.
    pub fn file(&self, shard: Shard) -> PathBuf {
        self.path.join(if shard == Shard::WHOLE {
            "results.jsonl".into()
        } else {
            format!("results-{}-of-{}.jsonl", shard.index, shard.of)
        })
    }

    /// The files of results in it, by name.
    pub fn files(&self) -> Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(&self.path).map_err(|error| self.failed(&error))?;
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(|error| self.failed(&error))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with("results") && name.ends_with(".jsonl") {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }

    fn failed(&self, error: &std::io::Error) -> Problems {
        let why = messages::folder_cannot_be_used(error.to_string());
        Problems::one(self.name(), why, Message::default())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_temporary {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// A file of partial results, of which points stay in the file until they are asked for.
pub struct Partial {
    /// The file.
    pub path: PathBuf,
    /// What it is of.
    pub header: ResultsHeader,
    /// Its whole lines.
    pub lines: Vec<Line>,
    /// Bytes up to the end of the last whole line.
    whole: u64,
}

/// Where the result of a point is.
pub struct Line {
    /// The point.
    pub point: usize,
    start: u64,
    bytes: usize,
}

/// What is read of a line at first; the other fields are only checked for being JSON.
#[derive(Deserialize)]
struct PointOnly {
    point: usize,
}

impl Partial {
    /// Reads a file; `None` if it ended before its header did.
    ///
    /// # Errors
    ///
    /// It cannot be read, or a whole line is no header or result.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        let failed = |error: std::io::Error| files::not_read(path, &error);
        let mut reader = BufReader::new(File::open(path).map_err(failed)?);
        let mut line = Vec::new();
        let mut read_line = |line: &mut Vec<u8>| -> Result<bool> {
            line.clear();
            reader.read_until(b'\n', line).map_err(failed)?;
            Ok(line.last() == Some(&b'\n'))
        };
        if !read_line(&mut line)? {
            return Ok(None);
        }
        let header = parse(path, 1, &line)?;
        let mut partial =
            Self { path: path.into(), header, lines: Vec::new(), whole: line.len() as u64 };
        while read_line(&mut line)? {
            let PointOnly { point } = parse(path, partial.lines.len() + 2, &line)?;
            partial.lines.push(Line { point, start: partial.whole, bytes: line.len() });
            partial.whole += line.len() as u64;
        }
        Ok(Some(partial))
    }

    /// Checks that its results and those of this run belong together.
    pub fn check_is_of(&self, header: &ResultsHeader) -> Result<()> {
        let (why, fix) = if self.header.hash != header.hash {
            (messages::folder_of_another_experiment(), messages::use_another_folder())
        } else if self.header.version != PROGRAM_VERSION {
            let why = messages::folder_of_another_version(&self.header.version, PROGRAM_VERSION);
            (why, messages::finish_with_that_version())
        } else {
            return Ok(());
        };
        Err(Problems::one(self.path.display().to_string(), why, fix))
    }

    /// The result in a line, `number` from 0, read through `file`, which is this file.
    pub fn result(&self, file: &mut File, number: usize) -> Result<PointResult> {
        let line = &self.lines[number];
        let mut text = vec![0; line.bytes];
        file.seek(SeekFrom::Start(line.start))
            .and_then(|_| file.read_exact(&mut text))
            .map_err(|error| files::not_read(&self.path, &error))?;
        parse(&self.path, number + 2, &text)
    }
}

/// The header or result in a line, counted from 1.
fn parse<'a, T: Deserialize<'a>>(path: &Path, line: usize, text: &'a [u8]) -> Result<T> {
    serde_json::from_slice(text).map_err(|error| {
        // It counts lines from the beginning of this one.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let why = messages::not_results(error.to_string().trim_end_matches(&place));
        Problems::one(format!("{}: line {line}", path.display()), why, messages::name_results())
    })
}

/// Appends results to a file, which no other process can do meanwhile.
pub struct Writer {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines.
    whole: u64,
}

impl Writer {
    /// Opens a file for appending after its last whole line, and writes the header of a new one.
    pub fn open(path: &Path, header: &ResultsHeader) -> Result<Self> {
        let failed = |error: std::io::Error| files::not_written(path, &error);
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(failed)?;
        // A file system without locks does not keep a sweep from running.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            let why = messages::results_in_use();
            return Err(Problems::one(
                path.display().to_string(),
                why,
                messages::wait_or_stop_it(),
            ));
        }
        let whole = Partial::read(path)?.map_or(0, |partial| partial.whole);
        let mut writer = Self { path: path.into(), file, whole };
        writer.file.set_len(whole).map_err(failed)?;
        writer.file.seek(SeekFrom::End(0)).map_err(failed)?;
        if whole == 0 {
            writer
                .write_line(&serde_json::to_string(header).expect("plain data has a JSON form"))?;
        }
        Ok(writer)
    }

    /// Appends a result.
    pub fn append(&mut self, result: &PointResult) -> Result<()> {
        self.write_line(&serde_json::to_string(result).expect("plain data has a JSON form"))
    }

    fn write_line(&mut self, text: &str) -> Result<()> {
        let line = format!("{text}\n");
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // Another thread may write before the sweep ends: its line begins where this one did.
            let _ = self.file.set_len(self.whole).and_then(|()| self.file.seek(SeekFrom::End(0)));
            return Err(files::not_written(&self.path, &error));
        }
        self.whole += line.len() as u64;
        Ok(())
    }
}
